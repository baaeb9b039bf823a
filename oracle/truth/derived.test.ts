import { expect, test } from "vitest";
import { referenceConventions } from "../../engines/index.ts";
import { at, type FlatTensor, graph, nodeId } from "../../spec/index.ts";
import { truthOf } from "./expanded.ts";
import { standardOf } from "./standard.ts";

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

test("the derivative of y / y may be computed as 1/y − y/y², which rounds, and may not be much else", () => {
  const quotient = graph(({ input }) => {
    const y = input("y");
    return y.divide(y);
  });
  const attributes = { graph: quotient, mode: "jvp", of: nodeId(1), wrt: nodeId(0) } as const;
  const question = {
    graph: graph(({ input, differentiate }) => {
      const x = input("x");
      return differentiate(x, x, attributes);
    }),
    point: { inputs: [scalar(3)], environment: new Map() },
    tangents: [scalar(1)],
    seeds: [{ id: nodeId(1), cotangent: scalar(1) }],
  };
  const standard = standardOf({ conventions: referenceConventions, accuracy: {} }, "float64");
  const value = at(truthOf(question, standard).value(nodeId(1)), 0);
  expect([0, 2 ** -54, -(2 ** -54), 2 ** -48].map((answer) => value.judge(answer))).toEqual([
    "within",
    "within",
    "within",
    "outside",
  ]);
});
