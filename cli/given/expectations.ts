import { contradicts } from "../../oracle/hearing/index.ts";
import { referenceStandard, type Truth, truthOf } from "../../oracle/truth/index.ts";
import { graphOfStep, recordOfStep, type TapeVector, type VectorData } from "../../spec/documents/index.ts";
import { type Budget, overBudget } from "../../spec/expansion/index.ts";
import { fail, type Issue, nodeId, present, type Result } from "../../spec/shapes/index.ts";
import type { ComponentsAt } from "../../spec/wire/index.ts";
import type { FramedIssue, GivenDocument } from "../files/documents.ts";
import { untrueIssue, untrueOfProgram } from "./program_expectations.ts";
import { type Expecting, ofFile, readSuite, type SuiteCase } from "./suite.ts";

/**
 * Reads a suite, and holds what its texts expect against the truth, so that no engine is accused of a
 * mistake of the file. Graphs beyond the budget are not asked, nor held. Fails: as {@link readSuite} does;
 * `text/untrue`.
 */
export async function readTrueSuite(
  paths: readonly string[],
  budget: Budget,
): Promise<Result<SuiteCase[], Issue[]>> {
  const suite = await readSuite(paths);
  if (!suite.ok) return suite;
  const issues: Issue[] = [];
  for (const { file, vector, expecting, framed } of suite.value) {
    if (framed === undefined) continue;
    const isAsked = vector !== undefined && overBudget(vector.case.graph, budget) === undefined;
    const found = isAsked ? untrue(vector) : await untrueOf(expecting);
    issues.push(...framedOnce(file, found, framed));
  }
  return issues.length === 0 ? suite : fail(issues);
}

/** Frames issues about a file. One number that stands for many elements is told once. */
export function framedOnce(
  file: string,
  issues: readonly Issue[],
  framed: NonNullable<GivenDocument["framed"]>,
): readonly FramedIssue[] {
  const byPlace = new Map(
    issues
      .map((issue) => framed(ofFile(file, issue)))
      .reverse()
      .map((issue) => [issue.pointer, issue]),
  );
  return [...byPlace.values()].reverse();
}

async function untrueOf(expecting: Expecting | undefined): Promise<readonly Issue[]> {
  if (expecting === undefined) return [];
  return expecting.kind === "program" ? untrueOfProgram(expecting.vector) : untrueOfTapes(expecting.vector);
}

const parts = { values: "value", tangents: "tangent", cotangents: "cotangent" } as const;

/** Returns an issue for each number that a vector expects and that is not true. Cost: the truth, once. */
export function untrue(vector: VectorData): Issue[] {
  const truth = truthOf(vector.case, referenceStandard("float64"));
  return (["values", "tangents", "cotangents"] as const).flatMap((part) =>
    vector.expected[part].flatMap((at, i) => untrueAt(truth, parts[part], at, `/expected/${part}/${i}`)),
  );
}

function untrueOfTapes({ case: question, expected }: TapeVector): Issue[] {
  return expected.flatMap(({ step, cotangents, hooks = [] }, i) => {
    const sweep = present(question.steps[step], "a step");
    const recorded = recordOfStep(question, sweep);
    const graph = graphOfStep(question, sweep);
    if (sweep.do !== "sweep" || recorded === undefined || graph === undefined) return [];
    const { point } = recorded;
    const tangents = point.inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 0) }));
    const truth = truthOf({ graph, point, tangents, seeds: sweep.seeds }, referenceStandard("float64"));
    const told = (part: string, all: readonly ComponentsAt[]): Issue[] =>
      all.flatMap((at, place) => untrueAt(truth, "cotangent", at, `/expected/${i}/${part}/${place}`));
    return [...told("cotangents", cotangents), ...told("hooks", hooks)];
  });
}

function untrueAt(
  truth: Truth,
  part: (typeof parts)[keyof typeof parts],
  { id, sets }: ComponentsAt,
  pointer: string,
): Issue[] {
  const components = truth[part](nodeId(id));
  return sets.flatMap((set, element) => {
    const component = components[element];
    if (component === undefined || !contradicts(set, component)) return [];
    const place = sets.length === 1 ? "" : ` of element ${element}`;
    return [
      untrueIssue(`${pointer}/sets/${element}`, `the ${part} expected here${place}`, component.allowed),
    ];
  });
}
