import fc from "fast-check";
import { type NodeId, nodeId, type Semiring, type Shape } from "../spec/index.ts";
import { type Context, entry, type SparseContext } from "./context.ts";
import type { GraphData, NodeData } from "./graph.ts";
import { type Tensor, tensor } from "./tensor.ts";

/** A node of graph data whose three functions have nothing to do with one another. */
interface LawlessNode {
  readonly shape: Shape;
  /** These are reduced modulo the node's id, so that every list of numbers is some list of earlier ids. */
  readonly reads: readonly number[];
  /** Its `vjp` contributes to so many of the ids it reads. */
  readonly gives: number;
  /** Is true if `vjp` of zero is zero. */
  readonly preservesZero: boolean;
}

/** A graph as numbers: it means something over every semiring. */
export interface LawlessGraph {
  readonly inputs: readonly Shape[];
  readonly nodes: readonly LawlessNode[];
}

const shape: fc.Arbitrary<Shape> = fc.constantFrom<Shape[]>([], [2], [0], [2, 1]);

/** Graphs of up to six nodes on up to three inputs. */
export const lawlessGraphs: fc.Arbitrary<LawlessGraph> = fc.record({
  inputs: fc.array(shape, { minLength: 1, maxLength: 3 }),
  nodes: fc.array(
    fc.record({
      shape,
      reads: fc.array(fc.nat(7), { maxLength: 3 }),
      gives: fc.nat(3),
      preservesZero: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
});

/** Returns the graph over a semiring. */
export function lawlessData<S>(a: Semiring<S>, { inputs, nodes }: LawlessGraph): GraphData<S> {
  return { inputs, nodes: nodes.map((node, index) => lawlessNode(a, node, inputs.length + index)) };
}

/** Returns the element of `x` at a position counted around; zero where `x` is empty. */
function around<S>(a: Semiring<S>, x: Tensor<S>, position: number): S {
  return x.data[position % Math.max(x.data.length, 1)] ?? a.zero;
}

/**
 * Makes a node that obeys no law. Forward: 1 + Σ (x + 1)·x; jvp: Σ ẋ·x·x; vjp: c + x, or c·x, to the first
 * few ids. None fits another.
 */
function lawlessNode<S>(a: Semiring<S>, node: LawlessNode, id: number): NodeData<S> {
  const reads = [...new Set(node.reads.map((read) => read % id))].map(nodeId);
  const sumOf = (one: S, term: (read: NodeId, position: number) => S): Tensor<S> =>
    tensor(node.shape, (position) => reads.reduce((total, read) => a.add(total, term(read, position)), one));
  return {
    name: "lawless",
    shape: node.shape,
    reads,
    forward: (context) =>
      sumOf(a.one, (read, position) => {
        const x = around(a, entry(context, read), position);
        return a.multiply(a.add(x, a.one), x);
      }),
    jvp: (context, tangents) =>
      sumOf(a.zero, (read, position) => {
        const x = around(a, entry(context, read), position);
        return a.multiply(around(a, entry(tangents, read), position), a.multiply(x, x));
      }),
    vjp: (context, _environment, c) => pulledBack(a, node, reads, context, c),
  };
}

function pulledBack<S>(
  a: Semiring<S>,
  { gives, preservesZero }: LawlessNode,
  reads: readonly NodeId[],
  context: Context<S>,
  cotangent: Tensor<S>,
): SparseContext<S> {
  return new Map(
    reads.slice(0, gives).map((read) => {
      const x = entry(context, read);
      const bar = tensor(x.shape, (position) => {
        const c = around(a, cotangent, position);
        return preservesZero ? a.multiply(c, around(a, x, position)) : a.add(c, around(a, x, position));
      });
      return [read, bar];
    }),
  );
}

/** Returns a context of the given type whose elements are drawn in order, round and round, from a list. */
export function filled<S>(
  shapes: readonly Shape[],
  elements: readonly [S, ...S[]],
  start: number,
): Context<S> {
  let next = start;
  return shapes.map((shape) => tensor(shape, () => elements[next++ % elements.length] ?? elements[0]));
}
