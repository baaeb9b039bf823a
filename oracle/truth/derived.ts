import { map, type Node } from "../../reference/index.ts";
import {
  type Application,
  type CompositeName,
  expand,
  type Graph,
  type PrimitiveName,
} from "../../spec/index.ts";
import { type Bounded, isExact, loosened } from "./bounded.ts";
import { derivativeUlps, type Standard } from "./standard.ts";

/** Where an engine has choices of its own: primitives everywhere, composites if it declares so. */
interface Choices {
  readonly open: ReadonlySet<PrimitiveName>;
  readonly kinked: ReadonlySet<CompositeName>;
}

/** What an engine that takes the derivatives of inner graphs itself may do otherwise at an id. */
interface Derived {
  /** Whether the id is a comparison of a derived graph whose inner graph has an operator with kinks or ties that are open. */
  isKink(op: PrimitiveName, id: number): boolean;
  /** By how many ulps of its terms an exact sum in a derived graph may be off: its formula is one of several. */
  ulps(op: PrimitiveName, id: number): number;
}

const sums: ReadonlySet<PrimitiveName> = new Set(["add", "subtract"]);

/** {@link Derived}, of the composites that a graph was written out of. Cost: linear in the inner graphs. */
export function derivedFrom(
  applications: readonly Application[],
  standard: Standard,
  { open, kinked }: Choices,
): Derived {
  const isOwn = standard.conventions.compositeKinks === "own";
  const places = applications.flatMap(({ node, first, end }) => {
    if (node.op !== "differentiate") return [];
    const { primitives, composites } = written(node.attributes.graph);
    const hasChoices =
      [...primitives].some((op) => open.has(op)) || (isOwn && [...composites].some((op) => kinked.has(op)));
    const hasFreedom = [...primitives].some((op) => derivativeUlps(standard, op) > 0);
    const ulps = hasFreedom ? 1 : 0;
    return [{ first, end, hasChoices, ulps }];
  });
  const at = (id: number) => places.filter(({ first, end }) => first <= id && id < end);
  return {
    isKink: (op, id) => op === "less" && at(id).some(({ hasChoices }) => hasChoices),
    ulps: (op, id) => (sums.has(op) ? Math.max(0, ...at(id).map(({ ulps }) => ulps)) : 0),
  };
}

/** The operators of a graph and of those within it: as it is written, and written out. */
function written(graph: Graph): {
  primitives: ReadonlySet<PrimitiveName>;
  composites: ReadonlySet<CompositeName>;
} {
  const expansion = expand(graph);
  const [primitives, composites] = [new Set<PrimitiveName>(), new Set<CompositeName>()];
  for (const { op } of expansion.graph.nodes) primitives.add(op);
  for (const { node } of expansion.applications) {
    composites.add(node.op);
    if (node.op !== "differentiate") continue;
    const inner = written(node.attributes.graph);
    for (const op of inner.primitives) primitives.add(op);
    for (const op of inner.composites) composites.add(op);
  }
  return { primitives, composites };
}

/**
 * A node whose value an engine may compute by another formula, with the same terms: where ours is exact by luck (x/x has no derivative, and
 * 1 · y − x is 0), that of the engine may round. Other numbers are charged what ours rounds.
 */
export function writtenOtherwise<C>(
  node: Node<Bounded<C>>,
  standard: Standard,
  ulps: number,
): Node<Bounded<C>> {
  return {
    ...node,
    forward: (context, environment) =>
      map(node.forward(context, environment), (x) =>
        isExact(standard, x) ? loosened(standard, x, ulps) : x,
      ),
  };
}
