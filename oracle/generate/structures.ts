import type { OperatorName } from "../../spec/composites/index.ts";
import { isSameShape, type NodeId } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import { append, type Draft, newConstant, pick, pickLike, pickWhere, room, shapeAt } from "./draft.ts";
import { stretched } from "./shapes.ts";

/** A structure is a small pattern that engines get wrong, planted whole, or dropped where it does not fit. */
interface Structure {
  /** The profile must have all of these operators. */
  readonly operators: readonly OperatorName[];
  /** It appends at most this many nodes. */
  readonly size: number;
  plant(draft: Draft): void;
}

const unaries = ["negative", "sin", "cos", "tanh", "exp", "relu"] as const;
const binaries = ["add", "subtract", "multiply", "divide", "maximum"] as const;

/** Draws one of `names`; returns `fallback` if the profile lacks it. */
function allowed<K extends OperatorName>(draft: Draft, names: readonly [K, ...K[]], fallback: K): K {
  const name = oneOf(draft.random, names);
  return draft.profile.operators.includes(name) ? name : fallback;
}

function appendUnary(draft: Draft, x: NodeId): NodeId | undefined {
  return append(draft, {
    node: { op: allowed(draft, unaries, "negative"), attributes: {}, parents: [x] },
  });
}

function appendBinary(draft: Draft, x: NodeId, y: NodeId): NodeId | undefined {
  return append(draft, {
    node: { op: allowed(draft, binaries, "add"), attributes: {}, parents: [x, y] },
  });
}

/** `f(x, x)` makes two contributions to one id from one node. */
const twice: Structure = {
  operators: ["add"],
  size: 1,
  plant(draft) {
    const x = pick(draft);
    appendBinary(draft, x, x);
  },
};

/** `h(f(x), g(x))` makes two paths that part and meet. */
const diamond: Structure = {
  operators: ["negative", "add"],
  size: 3,
  plant(draft) {
    const x = pick(draft);
    appendBinary(draft, appendUnary(draft, x) ?? x, appendUnary(draft, x) ?? x);
  },
};

/** `maximum(x, y)` meets equal elements of `x` and `y`, which are different nodes. */
const tie: Structure = {
  operators: ["maximum", "negative"],
  size: 3,
  plant(draft) {
    const x = pick(draft);
    const negated = append(draft, { node: { op: "negative", attributes: {}, parents: [x] } });
    if (negated === undefined) return;
    const equal = append(draft, { node: { op: "negative", attributes: {}, parents: [negated] } });
    if (equal === undefined) return;
    const parents = happens(draft.random, 1, 2) ? [x, equal] : [equal, x];
    append(draft, { node: { op: "maximum", attributes: {}, parents } });
  },
};

/** `relu` reads an input that holds a zero. */
const kink: Structure = {
  operators: ["relu"],
  size: 1,
  plant(draft) {
    const x = pickWhere(draft, (id) => draft.points[id]?.data.includes(0) === true);
    if (x !== undefined) append(draft, { node: { op: "relu", attributes: {}, parents: [x] } });
  },
};

/** `where(c, x, y)` reads a constant of zeros and other numbers. */
const mask: Structure = {
  operators: ["constant", "where"],
  size: 2,
  plant(draft) {
    const x = pick(draft);
    const entry = newConstant(draft, shapeAt(draft, x), "mask");
    const attributes = { name: entry.declaration.name };
    const condition = append(draft, { node: { op: "constant", attributes, parents: [] }, entry });
    if (condition === undefined) return;
    const parents = [condition, x, pickLike(draft, x)];
    append(draft, { node: { op: "where", attributes: {}, parents } });
  },
};

/** A value is broadcast to meet another of a larger shape, as a bias is added to rows. */
const bias: Structure = {
  operators: ["broadcast_to", "add"],
  size: 2,
  plant(draft) {
    const x = pick(draft);
    const { random, extents, profile } = draft;
    const shape = stretched(random, shapeAt(draft, x), extents, profile.maximumRank);
    const wide = append(draft, { node: { op: "broadcast_to", attributes: { shape }, parents: [x] } });
    if (wide === undefined) return;
    const isPartner = (id: NodeId): boolean => id !== wide && isSameShape(shapeAt(draft, id), shape);
    appendBinary(draft, wide, pickWhere(draft, isPartner) ?? wide);
  },
};

const structures = [twice, diamond, tie, kink, mask, bias] as const;

/** Plants one structure, if the one drawn has the room and the operators it takes. */
export function plantStructure(draft: Draft): void {
  const { operators, size, plant } = oneOf(draft.random, structures);
  const isPossible = size <= room(draft) && operators.every((name) => draft.profile.operators.includes(name));
  if (isPossible) plant(draft);
}
