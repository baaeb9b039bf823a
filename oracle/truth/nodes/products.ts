import { entry, type Graph, type Node, sumPerParent, type Tensor } from "../../../reference/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { type Algebra, at, type Shape } from "../../../spec/shapes/index.ts";
import { type Bounded, type Factors, rowsOf, sumsOfProducts } from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";

/**
 * Returns a graph's meaning over bounds in which products of matrices are computed in floats, where the
 * centre's exact numbers can wait.
 * Law: it answers what `meaning` answers, which is over the algebra, up to how the centre represents numbers.
 * Cost: some tens of float operations a product.
 */
export function withProducts<C, B>(
  { nodes }: PrimitiveGraph,
  meaning: Graph<Bounded<C>>,
  { additive, levels: { semiring } }: Algebra<Bounded<C>, B>,
  isSequential: boolean,
  centre: Centre<C>,
  standard: Standard,
): Graph<Bounded<C>> {
  const { late } = centre;
  const { taper, flushesSubnormals } = standard;
  if (late === undefined || semiring === undefined || taper !== undefined || flushesSubnormals)
    return meaning;
  const rows = (t: Tensor<Bounded<C>>) => rowsOf(centre, standard, t, "rows");
  const columns = (t: Tensor<Bounded<C>>) => rowsOf(centre, standard, t, "columns");
  const summed = (shape: Shape, ...factors: Factors<C>[]): Tensor<Bounded<C>> =>
    sumsOfProducts(centre, late, semiring, standard, isSequential, shape, factors);
  const changed = meaning.nodes.map((node, index): Node<Bounded<C>> => {
    const { op, parents } = at(nodes, index);
    if (op !== "matmul") return node;
    const [left, right] = [at(parents, 0), at(parents, 1)];
    return {
      ...node,
      forward: (context, environment) => {
        const [x, y] = [rows(entry(context, left)), columns(entry(context, right))];
        return x && y ? summed(node.shape, [x, y]) : node.forward(context, environment);
      },
      jvp: (context, tangents, environment) => {
        const [x, y] = [rows(entry(context, left)), columns(entry(context, right))];
        const [xDot, yDot] = [rows(entry(tangents, left)), columns(entry(tangents, right))];
        return x && y && xDot && yDot && !isSequential
          ? summed(node.shape, [xDot, y], [x, yDot])
          : node.jvp(context, tangents, environment);
      },
      vjp: (context, environment, cotangent) => {
        const [x, y] = [entry(context, left), entry(context, right)];
        const [xColumns, yRows] = [columns(x), rows(y)];
        const [c, cColumns] = [rows(cotangent), columns(cotangent)];
        if (!(xColumns && yRows && c && cColumns)) return node.vjp(context, environment, cotangent);
        // X̄ = C Yᵀ and Ȳ = Xᵀ C.
        const bars = [summed(x.shape, [c, yRows]), summed(y.shape, [xColumns, cColumns])];
        return sumPerParent(additive, parents, bars);
      },
    };
  });
  return { inputs: meaning.inputs, nodes: changed };
}
