import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { at, isSameShape, type NodeId, pair, type Shape } from "../../spec/shapes/index.ts";
import { map, type Tensor } from "../tensor.ts";
import type { ReverseRule } from "./reverse.ts";
import type { Written } from "./subject.ts";

/** A law of an algebra that a simplification rests on. */
export type Property =
  /** The simplification rests on no law: elements are moved and not computed with. */
  | "none"
  /** `c · 1 = c` */
  | "one is neutral"
  /** `c · 0 = 0` */
  | "zero annihilates"
  /** `c + 0 = c` */
  | "zero is neutral"
  /** `c + (−c) = 0` */
  | "negation is inverse"
  /** `(c · x) · y = c · (x · y)` */
  | "multiplication associates";

/** The properties of floats. Zero's sign breaks `c + 0 = c`; infinities, NaNs or rounding break the rest. */
export const propertiesOfFloats: readonly Property[] = ["none", "one is neutral"];

/** The properties of a field, such as the rationals. */
export const propertiesOfFields: readonly Property[] = [
  "none",
  "one is neutral",
  "zero annihilates",
  "zero is neutral",
  "negation is inverse",
  "multiplication associates",
];

/** A node whose contributions to what is not constant can be had for less. */
export interface Simplification {
  readonly name: string;
  /** The property that it needs. Without it some answer changes: a test has a counterexample in floats. */
  readonly needs: Property;
  /** Returns the simpler rule of the node at `index`, if any. It reads no value and ignores constants. */
  rule<S>(written: Written<S>, index: number, shapes: readonly Shape[]): ReverseRule<S> | undefined;
}

/** The simplifications, tried on each node in this order. */
export const simplifications: readonly Simplification[] = [
  {
    name: "a copy hands on what it is given",
    needs: "none",
    rule: ({ graph }, index, shapes) => {
      const { op, parents } = at(graph.nodes, index);
      const [parent] = parents;
      if ((op !== "reshape" && op !== "broadcast_to") || parent === undefined) return undefined;
      const isSame = isSameShape(at(shapes, parent), at(shapes, graph.inputs.length + index));
      return isSame ? handing(parent, (c) => c) : undefined;
    },
  },
  {
    name: "x · 1 hands on what it is given",
    needs: "one is neutral",
    rule: ({ graph }, index) => {
      const scaled = scalingAt(graph, index);
      return scaled?.by === 1 ? handing(scaled.id, (c) => c) : undefined;
    },
  },
  {
    name: "x · 0 hands nothing on",
    needs: "zero annihilates",
    rule: ({ graph }, index) => (scalingAt(graph, index)?.by === 0 ? nothing() : undefined),
  },
  {
    name: "x − x hands nothing on",
    needs: "negation is inverse",
    rule: ({ graph }, index) => {
      const { op, parents } = at(graph.nodes, index);
      return op === "subtract" && parents[0] === parents[1] ? nothing() : undefined;
    },
  },
  {
    name: "a · (b · x) hands on a · b times what it is given",
    needs: "multiplication associates",
    rule: ({ graph, semiring }, index) => {
      const outer = scalingAt(graph, index);
      const inner = outer && scalingAt(graph, outer.id - graph.inputs.length);
      if (outer === undefined || inner === undefined || semiring === undefined) return undefined;
      const factor = semiring.multiply(semiring.literal(outer.by), semiring.literal(inner.by));
      return handing(inner.id, (c) => map(c, (x) => semiring.multiply(x, factor)));
    },
  },
];

/** Finds what a node multiplies by a number of the graph, if it does that. */
function scalingAt(
  { inputs, nodes }: PrimitiveGraph,
  index: number,
): { readonly id: NodeId; readonly by: number } | undefined {
  const node = nodes[index];
  if (node?.op !== "multiply") return undefined;
  const [x, y] = pair(node.parents);
  for (const [id, factor] of [
    [x, y],
    [y, x],
  ] as const) {
    const constant = nodes[factor - inputs.length];
    if (constant?.op === "full") return { id, by: constant.attributes.value };
  }
  return undefined;
}

function handing<S>(to: NodeId, bar: (c: Tensor<S>) => Tensor<S>): ReverseRule<S> {
  return { reads: [], gives: [to], pull: (_context, _environment, c) => new Map([[to, bar(c)]]) };
}

function nothing<S>(): ReverseRule<S> {
  return { reads: [], gives: [], pull: () => new Map<NodeId, Tensor<S>>() };
}
