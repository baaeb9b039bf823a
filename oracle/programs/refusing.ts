import { hazardsOf, readsInPlace } from "../../reference/state/index.ts";
import { expand } from "../../spec/composites/index.ts";
import type { ProgramCase } from "../../spec/documents/index.ts";
import type { Statement } from "../../spec/programs/index.ts";
import { type ProgramQuestion, questionOf } from "./question.ts";

/** The statement that first overwrites what the reverse sweep of a run needs. */
export function overwritingStatement({ recording }: ProgramQuestion): Statement | undefined {
  const reads = readsInPlace(recording, expand(recording.graph));
  return reads.ok ? hazardsOf(recording, reads.value)[0]?.statement : undefined;
}

/** Whether the run overwrites what its reverse sweep needs [SEMANTICS §10.5]: only then has a tape a reason to refuse. */
export function overwrites(question: ProgramCase): boolean {
  const asked = questionOf(question);
  return asked.ok && overwritingStatement(asked.value) !== undefined;
}
