import { hazardsOf, readsInPlace } from "../../reference/state/index.ts";
import type { ProgramCase } from "../../spec/documents/index.ts";
import { expand } from "../../spec/expansion/index.ts";
import type { Statement } from "../../spec/programs/index.ts";
import { type ProgramQuestion, questionOf } from "./question.ts";

/** Finds the statement that first overwrites what the reverse sweep of a run needs. */
export function overwritingStatement({ recording }: ProgramQuestion): Statement | undefined {
  const reads = readsInPlace(recording, expand(recording.graph));
  return reads.ok ? hazardsOf(recording, reads.value)[0]?.statement : undefined;
}

/** Tells if a run overwrites what its sweep needs [SEMANTICS §10.5]: only then may a tape refuse it. */
export function overwrites(question: ProgramCase): boolean {
  const asked = questionOf(question);
  return asked.ok && overwritingStatement(asked.value) !== undefined;
}
