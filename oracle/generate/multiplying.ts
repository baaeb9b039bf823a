import type { Random } from "fast-check";
import type { NodeOf } from "../../spec/graph/index.ts";
import { type NodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { type Draft, type Proposal, pick, pickLike, pickWhere, shapeAt } from "./draft.ts";
import { drawAxis } from "./reductive.ts";
import { shuffledAxes } from "./shapes.ts";

/** Equations name axes by these letters; more are never needed. */
const letters = ["i", "j", "k", "l", "m", "n"] as const;

/** Multiplies and sums along an axis; none if no operand has axes. */
export function proposeVecdot(draft: Draft): Proposal<NodeOf<"vecdot">> | undefined {
  const drawn = drawAxis(draft);
  if (drawn === undefined) return undefined;
  const parents = [drawn.x, pickLike(draft, drawn.x)];
  return { node: { op: "vecdot", attributes: { axis: drawn.axis }, parents } };
}

/** Multiplies two vectors, which may be the same; none if there are no vectors. */
export function proposeOuter(draft: Draft): Proposal<NodeOf<"outer">> | undefined {
  const vector = (): NodeId | undefined => pickWhere(draft, (id) => shapeAt(draft, id).length === 1);
  const x = vector();
  const y = vector();
  if (x === undefined || y === undefined) return undefined;
  return { node: { op: "outer", attributes: {}, parents: [x, y] } };
}

/** Names each axis: in two of three cases by a name that has its extent already, twice in an operand too. */
function nameAxes(random: Random, shape: Shape, extents: Map<string, number>): string | undefined {
  let names = "";
  for (const extent of shape) {
    const known = [...extents].filter(([, other]) => other === extent).map(([name]) => name);
    const reused = known[random.nextInt(0, Math.max(known.length - 1, 0))];
    const free = letters.find((letter) => !extents.has(letter));
    const name = free === undefined || (reused !== undefined && happens(random, 2, 3)) ? reused : free;
    if (name === undefined) return undefined;
    extents.set(name, extent);
    names += name;
  }
  return names;
}

/** Draws one to three operands; each name goes into the result in every second case, in any order. */
export function proposeEinsum(draft: Draft): Proposal<NodeOf<"einsum">> | undefined {
  const { random } = draft;
  const extents = new Map<string, number>();
  const parents: NodeId[] = [];
  const operands: string[] = [];
  for (let count = oneOf(random, [1, 2, 2, 3]); count > 0; count--) {
    const x = pick(draft);
    const names = nameAxes(random, shapeAt(draft, x), extents);
    if (names === undefined) return undefined;
    parents.push(x);
    operands.push(names);
  }
  // All operands' elements are multiplied before they are summed, so the whole index space counts.
  if (sizeOf([...extents.values()]) > 4 * draft.profile.maximumElements) return undefined;
  const names = [...extents.keys()];
  const result = shuffledAxes(random, names.length)
    .map((place) => names[place] ?? "")
    .filter(() => happens(random, 1, 2))
    .slice(0, draft.profile.maximumRank);
  const equation = `${operands.join(",")}->${result.join("")}`;
  return { node: { op: "einsum", attributes: { equation }, parents } };
}
