import type { EscapeSheafJson } from "../../../spec/explained/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { cohomologyOf, rankOf, type Sheaf } from "../sheaf.ts";
import { type EscapeClass, escapeClasses, isBelow, isGiven, type Use, viewedBy } from "./escape.ts";

/**
 * A cellular sheaf says whose storage may be below a class. Lower cells are the values, each with a rational
 * line. Upper cells are views, which restrict a value and its operand to one number, since they share their
 * storage; and uses that need the class or a higher one, which restrict their value to 0. A local section is
 * 1 on a value and what shares its storage; a use there is an obstruction to extending it by zeros elsewhere.
 * Law: a value's class by `escapesOf` is below `threshold` if and only if some global section does not vanish
 * on it, where a view counts with the value that it looks at. So the chain of four classes is three sheaves
 * of lines, and the rank of H⁰ counts the storages below the threshold.
 */
export function escapeSheaf(
  graph: PrimitiveGraph,
  uses: readonly Use[],
  hasViews: boolean,
  threshold: EscapeClass,
): Sheaf {
  const { inputs, nodes } = graph;
  const row = (...terms: readonly (readonly [id: number, times: bigint])[]): bigint[] => {
    const all = uses.map(() => 0n);
    for (const [id, times] of terms) all[id] = times;
    return all;
  };
  const views = nodes.flatMap((node, index) => {
    const viewed = hasViews ? viewedBy(node) : undefined;
    return viewed === undefined ? [] : [{ id: inputs.length + index, viewed }];
  });
  const demands = uses.flatMap((use, id) =>
    neededBy(graph, use, id).flatMap((needed) => (isBelow(needed, threshold) ? [] : [id])),
  );
  const rows = [
    ...views.map(({ id, viewed }) => row([id, 1n], [viewed, -1n])),
    ...demands.map((id) => row([id, 1n])),
  ];
  return {
    lower: uses.map(() => 1),
    upper: [...views.map(({ id }) => [id, 1] as const), ...demands.map((id) => [id, 1] as const)],
    coboundary: rows,
    declared: rows.map(() => []),
  };
}

/** Lists the classes that a value's own uses need, one for each. */
function neededBy(graph: PrimitiveGraph, { isResult, later }: Use, id: number): EscapeClass[] {
  if (isGiven(graph, id)) return ["static"];
  return [...(isResult ? ["heap" as const] : []), ...(later === undefined ? [] : ["arena" as const])];
}

/** Tells whether every global section of a sheaf with stalks of rank 1 vanishes on a value. */
export function vanishesOn({ lower, coboundary }: Sheaf, value: number): boolean {
  const alone = lower.map((_, id) => (id === value ? 1n : 0n));
  return rankOf([...coboundary, alone]) === rankOf(coboundary);
}

/**
 * Computes the ranks of {@link escapeSheaf} for each class that something may be promoted to. `obstructed`
 * counts the storages whose section the uses do not let extend. Cost: cubic in the values.
 */
export function escapeRanks(graph: PrimitiveGraph, uses: readonly Use[], hasViews: boolean): EscapeSheafJson {
  const storages = cohomologyOf(viewsAlone(escapeSheaf(graph, uses, hasViews, "static"))).h0;
  return {
    storages,
    thresholds: escapeClasses.slice(1).map((threshold) => {
      const { h0, h1 } = cohomologyOf(escapeSheaf(graph, uses, hasViews, threshold));
      return { below: threshold, h0, h1, obstructed: storages - h0 };
    }),
  };
}

/** Leaves the uses out: what is left says which values share a storage. */
function viewsAlone({ coboundary, declared, upper, ...sheaf }: Sheaf): Sheaf {
  const isView = coboundary.map((row) => row.filter((times) => times !== 0n).length === 2);
  const kept = <T>(all: readonly T[]): T[] => all.filter((_, place) => at(isView, place));
  return { ...sheaf, coboundary: kept(coboundary), declared: kept(declared), upper: kept(upper) };
}
