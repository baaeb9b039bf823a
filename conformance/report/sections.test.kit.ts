import { type Description, interpreterEngine } from "../../engines/index.ts";
import { emptyTally, type Verdict } from "../../oracle/index.ts";
import { checkCase, nodeId } from "../../spec/index.ts";
import type { Section } from "./json.ts";

export const description: Description = interpreterEngine().describe();

/** Makes a section of the interpreter in which nothing happened, but for `change`. */
export function section(change: Partial<Section>): Section {
  return {
    label: "one",
    description,
    promised: description.operators,
    dtype: "float64",
    tally: emptyTally,
    extent: { cases: 10, operators: new Set(), ended: "all", seconds: 1 },
    verdicts: [],
    ...change,
  };
}

/** Makes a disagreement that a sum along an axis is to blame for. */
export function disagreement(axis: number): Verdict {
  const question = checkCase({
    format: "adjudge.case.v1",
    graph: {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [1, 1, 1, 1] }],
      environment: [],
      nodes: [{ op: "sum", attributes: { axes: [axis], keepdims: false }, parents: [0] }],
    },
    point: { inputs: [{ shape: [1, 1, 1, 1], data: ["0x0p+0"] }], environment: {} },
    tangents: [{ shape: [1, 1, 1, 1], data: ["0x0p+0"] }],
    seeds: [],
  });
  if (!question.ok) throw new Error(JSON.stringify(question.error));
  const finding = {
    question: "evaluate",
    element: 0,
    answer: "nan",
    expected: "0",
    bound: "0x0p+0",
  } as const;
  const id = nodeId(1);
  const blame = { id, op: "sum", part: "value", sentence: "wrong." } as const;
  return { kind: "disagrees", witness: { ...finding, id, case: question.value, blame } };
}
