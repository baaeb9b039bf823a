import { at as elementAt, type Graph, type Node, type Tensor } from "../../reference/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { at, type NodeId } from "../../spec/shapes/index.ts";
import type { Conventions } from "../../spec/wire/index.ts";

/** Each operand of `maximum` gets this share of a cotangent where they are equal. */
const shares: { readonly [C in Conventions["maximumAtTie"]]: readonly [number, number] } = {
  first: [1, 0],
  second: [0, 1],
  split: [0.5, 0.5],
  both: [1, 1],
  neither: [0, 0],
};

const slopes: { readonly [C in Conventions["reluAtZero"]]: number } = { zero: 0, half: 0.5, one: 1 };

/** A choice fixes conventions at one node of a graph. */
export type Choice = Pick<Conventions, "maximumAtTie" | "reluAtZero">;

/**
 * Changes the choices that `maximum` and `relu` leave in a graph over floats; `choose` gives them by the
 * place of the node. Law: with the reference's choices it answers what the reference does.
 */
export function withChoices(
  { nodes: written }: PrimitiveGraph,
  meaning: Graph<number>,
  choose: (place: number, op: PrimitiveName) => Choice,
): Graph<number> {
  const nodes = meaning.nodes.map((node, place): Node<number> => {
    const { op, parents } = at(written, place);
    if (op === "maximum") return withMaximum(node, parents, shares[choose(place, op).maximumAtTie]);
    return op === "relu" ? withRelu(node, at(parents, 0), slopes[choose(place, op).reluAtZero]) : node;
  });
  return { ...meaning, nodes };
}

function withMaximum(
  node: Node<number>,
  parents: readonly NodeId[],
  [first, second]: readonly [number, number],
): Node<number> {
  const [left, right] = [at(parents, 0), at(parents, 1)];
  return {
    ...node,
    jvp: (context, tangents) => {
      const [xDot, yDot] = [at(tangents, left), at(tangents, right)];
      return zip(at(context, left), at(context, right), (x, y, position) => {
        const [u, v] = [elementAt(xDot, position), elementAt(yDot, position)];
        return x === y ? first * u + second * v : x > y ? u : v;
      });
    },
    vjp: (context, _environment, c) => {
      const [x, y] = [at(context, left), at(context, right)];
      const part = (atTie: number, isChosen: (a: number, b: number) => boolean): Tensor<number> =>
        zip(x, y, (a, b, position) =>
          a === b ? atTie * elementAt(c, position) : isChosen(a, b) ? elementAt(c, position) : 0,
        );
      const [xBar, yBar] = [part(first, (a, b) => a > b), part(second, (a, b) => b > a)];
      if (left === right) return new Map([[left, zip(xBar, yBar, (a, b) => a + b)]]);
      return new Map([
        [left, xBar],
        [right, yBar],
      ]);
    },
  };
}

function withRelu(node: Node<number>, operand: NodeId, slope: number): Node<number> {
  const times = (x: Tensor<number>, c: Tensor<number>): Tensor<number> =>
    zip(x, c, (a, b) => (a === 0 ? slope * b : a > 0 ? b : 0));
  return {
    ...node,
    jvp: (context, tangents) => times(at(context, operand), at(tangents, operand)),
    vjp: (context, _environment, c) => new Map([[operand, times(at(context, operand), c)]]),
  };
}

function zip(
  x: Tensor<number>,
  y: Tensor<number>,
  f: (a: number, b: number, position: number) => number,
): Tensor<number> {
  return { ...x, data: x.data.map((a, position) => f(a, elementAt(y, position), position)) };
}
