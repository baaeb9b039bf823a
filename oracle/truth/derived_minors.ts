import { map, type Node, type Tensor, tensor } from "../../reference/index.ts";
import {
  at,
  type NodeId,
  nodeAt,
  type PrimitiveGraph,
  present,
  type Shape,
  sizeOf,
} from "../../spec/index.ts";
import type { Bounded } from "./bounded.ts";
import type { Centre } from "./centre.ts";
import { enlarged } from "./elimination.ts";
import type { Standard } from "./standard.ts";

/** The matrix whose minors a determinant of a derived graph takes, and how often rows and columns were left out of it. */
interface Origin {
  readonly matrix: NodeId;
  readonly order: number;
  readonly levels: number;
}

/** So many roundings are charged for each entry of a matrix that is factored. */
const ROUNDINGS = 8;

/**
 * A determinant of a derived graph that is a minor of a matrix A, as an engine has it that writes the derivative of det A as det A · A⁻ᵀ (Giles 2008, §2.2.4)
 * with a factorisation of A: where the minors are polynomials, and may be exact, it loses κ(A) units, for each inverse in the product (Higham, §14.1 and 14.6).
 * At a singular A that way has no value and is no excuse. Other determinants are left as they are. Cost: an inverse of each A.
 */
export function asMinors<C>(
  node: Node<Bounded<C>>,
  id: NodeId,
  graph: PrimitiveGraph,
  shapes: readonly Shape[],
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  const origin = originOf(id, graph, shapes);
  if (origin === undefined) return node;
  const { matrix, order, levels } = origin;
  return {
    ...node,
    forward: (context, environment) => {
      const minors = node.forward(context, environment);
      const entries = map(present(context[matrix], "a matrix"), (x) => centre.approximate(x.centre));
      const slack = slackOf(entries, order, levels, standard);
      const each = minors.data.length / slack.length;
      return tensor(minors.shape, (position) => {
        const [minor, by] = [at(minors.data, position), at(slack, Math.floor(position / each))];
        return by > 0 ? enlarged(minor, by) : minor;
      });
    },
  };
}

/** Leaving out a row and a column makes `[…, n, n, n − 1, n − 1]` of `[…, n, n]`; so the outermost matrix is found by its shape. */
function originOf(id: NodeId, graph: PrimitiveGraph, shapes: readonly Shape[]): Origin | undefined {
  const first = nodeAt(graph, id)?.parents[0];
  let origin: Origin | undefined;
  let [minors, levels] = [first === undefined ? [] : at(shapes, first), 0];
  for (let place = first; place !== undefined; place = nodeAt(graph, place)?.parents[0]) {
    const shape = at(shapes, place);
    const whole = minors.slice(0, -2);
    const order = whole.at(-1);
    if (order === undefined || whole.length < 2 || order - 1 !== minors.at(-1)) break;
    if (shape.length !== whole.length || shape.some((extent, axis) => extent !== whole[axis])) continue;
    levels += 1;
    origin = { matrix: place, order, levels };
    minors = shape;
  }
  return origin;
}

/** For each matrix of a stack, how far an entry of det A · A⁻¹ ⊗ … ⊗ A⁻¹ may be off; 0 where A is singular. */
function slackOf(
  { shape, data }: Tensor<number>,
  order: number,
  levels: number,
  { unitRoundoff }: Standard,
): readonly number[] {
  const count = sizeOf(shape.slice(0, -2));
  const perMatrix = order * order;
  return Array.from({ length: count }, (_, place) => {
    const rows = Array.from({ length: order }, (__, row) =>
      data.slice(place * perMatrix + row * order, place * perMatrix + (row + 1) * order),
    );
    const { determinant, inverse } = inverted(rows);
    const [size, reach] = [normOf(rows), normOf(inverse)];
    const lost = ROUNDINGS * order * 2 ** (order - 1) * (levels + 1) * unitRoundoff * size * reach;
    const slack = lost * Math.abs(determinant) * reach ** levels;
    return Number.isFinite(slack) ? slack : 0;
  });
}

function normOf(rows: readonly (readonly number[])[]): number {
  return Math.max(0, ...rows.map((row) => row.reduce((sum, x) => sum + Math.abs(x), 0)));
}

/** Gauss and Jordan, with partial pivoting; infinities and NaN of a singular matrix. */
function inverted(rows: readonly (readonly number[])[]): {
  readonly determinant: number;
  readonly inverse: readonly (readonly number[])[];
} {
  const order = rows.length;
  let wide = rows.map((row, i) => [...row, ...rows.map((_, j) => (i === j ? 1 : 0))]);
  let determinant = 1;
  for (let column = 0; column < order; column++) {
    const below = wide.slice(column).map((row) => Math.abs(at(row, column)));
    const pivot = column + below.indexOf(Math.max(...below));
    const chosen = wide[pivot] ?? [];
    const other = wide[column] ?? [];
    wide = wide.map((row, i) => (i === pivot ? other : i === column ? chosen : row));
    const by = chosen[column] ?? Number.NaN;
    determinant *= by;
    const scaled = chosen.map((x) => x / by);
    wide = wide.map((row, i) =>
      i === column ? scaled : row.map((x, j) => x - at(row, column) * at(scaled, j)),
    );
  }
  return { determinant, inverse: wide.map((row) => row.slice(order)) };
}
