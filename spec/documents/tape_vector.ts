import { shapesOf } from "../expansion/index.ts";
import type { Graph } from "../graph/index.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  fail,
  type Issue,
  MAXIMUM_ISSUES,
  ok,
  pointerTo,
  present,
  type Result,
  sizeOf,
} from "../shapes/index.ts";
import type { RecordStep, TapeCase, TapeCaseJson, TapeStep } from "../tapes/index.ts";
import type { ComponentsAt } from "../wire/index.ts";
import { validateEmbedding } from "./embedded.ts";
import { checkTapeCase, encodeTapeCase } from "./tape_case.ts";

/** An answered sweep must lie in these sets: all inputs' cotangents, and what each hook gets. */
export interface ExpectedSweep {
  /** The place of the step. */
  readonly step: number;
  readonly cotangents: readonly ComponentsAt[];
  /** A tape with hooks has one for each hook, in the order in which they were named. */
  readonly hooks?: readonly ComponentsAt[];
}

/** A tape case, and what is true of it. */
export interface TapeVector {
  readonly name: string;
  /** The clause of SEMANTICS.md that is tested. */
  readonly clause: string;
  /** The note tells people what goes wrong here. */
  readonly note: string;
  /** Entries of the catalogues of defects. */
  readonly defects: readonly string[];
  readonly links: readonly string[];
  /** The vector tells engines with these faults from an honest one. */
  readonly faults: readonly string[];
  readonly case: TapeCase;
  /** One is expected for each sweep that need not be refused, in order. */
  readonly expected: readonly ExpectedSweep[];
}

/** {@link TapeVector} as JSON. */
export interface TapeVectorJson extends Omit<TapeVector, "case"> {
  readonly format: "adjudge.tape-vector.v1";
  readonly case: TapeCaseJson;
}

/** The schema reads this; the case has a check of its own. */
type Read = Omit<TapeVectorJson, "case"> & { readonly case: TapeCase };

const readVector: Validator<Read> = outlineOf("tape-vector.schema.json");

const emptyGraph: Graph = { format: "adjudge.graph.v1", inputs: [], environment: [], nodes: [] };

const embeddedCase = {
  property: "case",
  empty: {
    format: "adjudge.tape-case.v1",
    graphs: [emptyGraph],
    steps: [{ do: "release", tape: "a" }],
  },
  check: checkTapeCase,
} as const;

/**
 * Returns the vector that `json` denotes: its case by `checkTapeCase`, and a set for each cotangent of each
 * sweep that need not be refused. Law: `checkTapeVector(encodeTapeVector(v))` is `v`. Fails: as
 * `checkTapeCase` does; `vector/sweeps`, `vector/component`.
 */
export function checkTapeVector(json: unknown): Result<TapeVector, Issue[]> {
  const valid = validateEmbedding(json, readVector, embeddedCase);
  if (!valid.ok) return valid;
  const { format: _, ...vector } = valid.value;
  const issues = [...sweepIssues(vector), ...componentIssues(vector)];
  return issues.length === 0 ? ok(vector) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns the vector as JSON, its numbers in decimal. */
export function encodeTapeVector({ case: question, ...vector }: TapeVector): TapeVectorJson {
  const { name, clause, note, defects, links, faults, expected } = vector;
  const text = { name, clause, note, defects, links, faults };
  return { format: "adjudge.tape-vector.v1", ...text, case: encodeTapeCase(question), expected };
}

function sweepIssues({ case: { steps }, expected }: TapeVector): Issue[] {
  const owed = steps.flatMap((step, i) => (step.do === "sweep" && step.refuse !== "must" ? [i] : []));
  const given = expected.map(({ step }) => step);
  if (JSON.stringify(owed) === JSON.stringify(given)) return [];
  const message = `something is expected of the steps ${given.join(", ")}, and ${owed.join(", ")} can be answered.`;
  const hint = "expect something of each sweep that need not be refused, in order";
  return [{ code: "vector/sweeps", pointer: "/expected", message, hint }];
}

function componentIssues({ case: question, expected }: TapeVector): Issue[] {
  return expected.flatMap(({ step, cotangents, hooks }, i): Issue[] => {
    const graph = graphOfStep(question, question.steps[step]);
    const record = recordOfStep(question, question.steps[step]);
    if (graph === undefined) return [];
    const sizes = shapesOf(graph).map(sizeOf);
    const areOf = (sets: readonly ComponentsAt[], ids: readonly number[]): boolean =>
      sets.length === ids.length &&
      sets.every((at, place) => at.id === ids[place] && at.sets.length === sizes[at.id]);
    const pointer = pointerTo("/expected", i);
    const [code, hint] = ["vector/component", "give each of them, in order, a set for each component"];
    if (!areOf(cotangents, [...graph.inputs.keys()]))
      return [{ code, pointer, message: "the sets are not those of the inputs' cotangents.", hint }];
    return areOf(hooks ?? [], record?.hooks ?? [])
      ? []
      : [{ code, pointer, message: "the sets are not those of the tape's hooks.", hint }];
  });
}

/** Returns the recording of the tape that a step is about. */
export function recordOfStep({ steps }: TapeCase, step: TapeStep | undefined): RecordStep | undefined {
  const record = steps.find((other) => other.do === "record" && other.tape === step?.tape);
  return record?.do === "record" ? record : undefined;
}

/** Returns the graph that a step is about. */
export function graphOfStep(question: TapeCase, step: TapeStep | undefined): Graph | undefined {
  const record = recordOfStep(question, step);
  return record && present(question.graphs[record.graph], "the graph of a tape");
}
