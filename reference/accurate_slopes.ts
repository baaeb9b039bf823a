import type { PrimitiveGraph } from "../spec/graph/index.ts";
import { accurateSlopes, hasAccurateSlope } from "../spec/operators/index.ts";
import { type Algebra, at, InvariantError } from "../spec/shapes/index.ts";
import { entry } from "./context.ts";
import type { Graph, Node } from "./lawful.ts";
import { type Tensor, zip } from "./tensor.ts";

/**
 * Returns a graph's meaning in which slopes that decay are computed with all their digits, as an engine does
 * that declares so. Over the reals it is the same graph; over floats the tangents and cotangents of `tanh`
 * differ. `meaning` is that of `program` over the algebra.
 */
export function withAccurateSlopes<S, B>(
  program: PrimitiveGraph,
  meaning: Graph<S>,
  { levels, name }: Algebra<S, B>,
): Graph<S> {
  const nodes = meaning.nodes.map((node, index): Node<S> => {
    const { op, parents } = at(program.nodes, index);
    if (!hasAccurateSlope(op)) return node;
    const real = levels.orderedReal;
    if (real === undefined) throw new InvariantError(`${name} does not offer ${op}`);
    const slope = (x: S): S => accurateSlopes[op](real, x);
    const scaled = (x: Tensor<S>, c: Tensor<S>): Tensor<S> =>
      zip(x, c, (element, by) => real.multiply(by, slope(element)));
    const operand = at(parents, 0);
    return {
      ...node,
      jvp: (context, tangents) => scaled(entry(context, operand), entry(tangents, operand)),
      vjp: (context, _environment, cotangent) =>
        new Map([[operand, scaled(entry(context, operand), cotangent)]]),
    };
  });
  return { inputs: meaning.inputs, nodes };
}
