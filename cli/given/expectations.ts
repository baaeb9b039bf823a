import { contradicts } from "../../oracle/hearing/index.ts";
import { referenceStandard, type Truth, truthOf } from "../../oracle/truth/index.ts";
import type { VectorData } from "../../spec/documents/index.ts";
import { type Budget, overBudget } from "../../spec/expansion/index.ts";
import { fail, type Issue, nodeId, type Result } from "../../spec/shapes/index.ts";
import { idText, setsText } from "../../spec/text/writer.ts";
import type { ComponentsAt } from "../../spec/wire/index.ts";
import { ofFile, readSuite, type SuiteCase } from "./suite.ts";

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
  const issues = suite.value.flatMap(({ file, vector, framed }) => {
    if (vector === undefined || framed === undefined) return [];
    if (overBudget(vector.case.graph, budget) !== undefined) return [];
    return untrue(vector).map((issue) => framed(ofFile(file, issue)));
  });
  return issues.length === 0 ? suite : fail(issues);
}

const parts = { values: "value", tangents: "tangent", cotangents: "cotangent" } as const;

/** Returns an issue for each number that a vector expects and that is not true. Cost: the truth, once. */
export function untrue(vector: VectorData): Issue[] {
  const truth = truthOf(vector.case, referenceStandard("float64"));
  return (["values", "tangents", "cotangents"] as const).flatMap((part) =>
    vector.expected[part].flatMap((at, i) => untrueAt(vector, truth, part, at, i)),
  );
}

function untrueAt(
  { case: { graph } }: VectorData,
  truth: Truth,
  part: keyof typeof parts,
  { id, sets }: ComponentsAt,
  position: number,
): Issue[] {
  const components = truth[parts[part]](nodeId(id));
  return sets.flatMap((set, element) => {
    const component = components[element];
    if (component === undefined || !contradicts(set, component)) return [];
    const place = sets.length === 1 ? "" : `, element ${element}`;
    const what = `the ${parts[part]} of ${idText(graph, id)}${place}`;
    return [
      {
        code: "text/untrue",
        pointer: `/expected/${part}/${position}/sets/${element}`,
        message: `${setsText([], [set])} is expected as ${what}, which is ${component.allowed}.`,
        hint: "correct what is expected, or what is asked; low..high is any number between two",
      },
    ];
  });
}
