import { expect, test } from "vitest";
import { expand } from "../../../spec/expansion/index.ts";
import { type Graph, graph, nodeId } from "../../../spec/index.ts";
import { contributionsIn } from "./contributions.ts";

const exponential = graph(({ input }) => {
  const x = input("x");
  return x.add(x).exp();
});
const twice = graph(({ input }) => {
  const x = input("x");
  return x.add(x);
});

/** Returns the derivative of the last id of a graph, as a graph of its inputs and of what comes along. */
function derivativeIn(inner: Graph, mode: "vjp" | "jvp", wrt = 0): Graph {
  const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
  const attributes = { graph: inner, mode, of, wrt: nodeId(wrt) } as const;
  return graph(({ input, differentiate }) => {
    const others = inner.inputs.slice(1).map((_, place) => input(`y${place}`));
    return differentiate(input("x"), ...others, input("c"), attributes);
  });
}

/** Names what contributions a graph has: operators that are read by an addition. */
function namedIn(graph: Graph): readonly string[] {
  const expansion = expand(graph);
  const { inputs, nodes } = expansion.graph;
  return [...contributionsIn(expansion)].map((id) => nodes[id - inputs.length]?.op ?? `input ${id}`);
}

test("what a reverse sweep adds up are contributions, once for an operand that is read twice", () => {
  expect(namedIn(derivativeIn(exponential, "vjp"))).toEqual(["multiply"]);
});

test("forward mode has contributions only where a reverse sweep that has one lies within", () => {
  expect(namedIn(derivativeIn(exponential, "jvp"))).toEqual([]);
  expect(namedIn(derivativeIn(derivativeIn(exponential, "vjp"), "jvp", 1))).toEqual(["multiply"]);
});

test("what a derivative is handed is no contribution, and neither is another value before it", () => {
  const both = graph(({ input, differentiate }) => {
    const x = input("x");
    const c = input("c").sin();
    const apart = c.cos();
    const attributes = { graph: twice, mode: "vjp", of: nodeId(1), wrt: nodeId(0) } as const;
    return differentiate(x, c, attributes).add(apart);
  });
  expect(namedIn(both)).toEqual([]);
});
