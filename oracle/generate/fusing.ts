import { Construction, type Value } from "../../spec/builder/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { derivativeOf } from "../../spec/expansion/index.ts";
import { GraphError, type Node } from "../../spec/graph/index.ts";
import { isPrimitiveName, MARGIN } from "../../spec/operators/index.ts";
import { at, type NodeId, type Shape } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import {
  append,
  type Draft,
  type NewEntry,
  newConstant,
  newRows,
  pickWhere,
  room,
  shapeAt,
} from "./draft.ts";
import { type Fusion, fusions, type Hand } from "./fusions/index.ts";
import { valueOfRank } from "./motif_parts.ts";
import { operandOf } from "./operands.ts";
import { placeAt } from "./walk.ts";

/** Patterns of these groups come twice: their variants are many, and each is seldom met by chance. */
const twice: readonly string[] = [
  "products",
  "equations",
  "joining and cutting",
  "scattering",
  "views and reductions",
];

/** Lists all patterns, those of a group one after the other. */
const patterns: readonly Fusion[] = [...fusions].flatMap(([name, group]) =>
  twice.includes(name) ? [...group.values(), ...group.values()] : [...group.values()],
);

/** What the draft refuses ends the pattern; what was appended of it stays. */
const refusal = {
  code: "graph/refused",
  message: "the draft has no room for it, its values would be too large, or there is nothing to index.",
  hint: "nothing is wrong with the graph so far",
};

/** A node whose values are not known to be moderate is proposed so often; it passes every second time. */
const TRIES = 3;

/** Estimates know least of these: negative bases, angles near the cut, matrices, small weights. */
const unsure: readonly OperatorName[] = ["pow", "atan2", "solve", "log"];

/** Appends a node, if the draft has room for it, and perhaps where its estimate says nothing. */
function appendBoldly(draft: Draft, node: Node): NodeId | undefined {
  if (room(draft) === 0 || !draft.profile.operators.includes(node.op)) return undefined;
  if (isPrimitiveName(node.op) && !unsure.includes(node.op)) return append(draft, { node });
  const daring: Draft = { ...draft, habits: { ...draft.habits, isDaring: true } };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const id = append(daring, { node });
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Returns a construction whose nodes are appended to the draft. */
function constructionOn(draft: Draft): Construction {
  return new Construction({
    append: (_, node) => {
      const id = appendBoldly(draft, node);
      if (id === undefined) throw new GraphError(node.op, refusal);
      return { id, shape: shapeAt(draft, id) };
    },
    derivative: derivativeOf,
  });
}

/** Declares an entry of Δ before a node reads it, and returns its name. None reads it if that is refused. */
function declared(draft: Draft, { declaration, value }: NewEntry): string {
  draft.environment.push(declaration);
  draft.entries.set(declaration.name, value);
  return declaration.name;
}

/** Makes what patterns are written with; of the attributes that may vary, number `changed` does. */
function handOn(draft: Draft, changed: number): Hand & { readonly valueAt: (id: NodeId) => Value } {
  const { random } = draft;
  const construction = constructionOn(draft);
  const { scope: make } = construction;
  let varied = 0;
  const valueAt = (id: NodeId): Value => construction.value({ id, shape: shapeAt(draft, id) });
  const isChanged = (): boolean => varied++ === changed;
  const constant = (shape: Shape): Value =>
    make.constant({ name: declared(draft, newConstant(draft, shape)) });
  const other = (shape: Shape): Value => {
    const id = happens(random, 1, 2) ? undefined : operandOf(draft, shape);
    return id === undefined ? constant(shape) : valueAt(id);
  };
  return {
    make,
    valueAt,
    vary: (usual, ...others) => (isChanged() ? oneOf(random, others) : usual),
    one: (...choices) => oneOf(random, choices),
    axis: ({ shape }) => random.nextInt(0, Math.max(shape.length - 1, 0)),
    other,
    again: (x) => (isChanged() ? other(x.shape) : x),
    constant,
    positive: (x) => ((draft.estimates[x.id]?.least ?? 0) >= MARGIN ? x : x.multiply(x).add(0.5)),
    indices: (shape, limits) => {
      if (limits.includes(0)) throw new GraphError("take", refusal);
      return declared(draft, newRows(draft, shape, limits));
    },
    key: () => declared(draft, newRows(draft, [2], [2 ** 32, 2 ** 32])),
  };
}

/** A planting changes one of the first so many attributes that may vary, if the pattern has it. */
const CHANGED = 3;

/** Plants as much of a pattern as fits; returns whether it appended a node. */
export function plantFusion(draft: Draft, { rank, plant }: Fusion): boolean {
  const before = draft.nodes.length;
  const changed = happens(draft.random, 1, 2) ? draft.random.nextInt(0, CHANGED - 1) : -1;
  const id = rank === 0 ? pickWhere(draft, () => true) : valueOfRank(draft, rank);
  if (id === undefined) return draft.nodes.length > before;
  const hand = handOn(draft, changed);
  try {
    plant(hand, hand.valueAt(id));
  } catch (error) {
    if (!(error instanceof GraphError)) throw error;
  }
  return draft.nodes.length > before;
}

/** Plants any pattern, or what fits of it; returns whether it appended a node. */
export function plantAnyFusion(draft: Draft): boolean {
  return plantFusion(draft, at(patterns, draft.random.nextInt(0, patterns.length - 1)));
}

/** Each case has this many turns of the walk through patterns, and the next goes on from there. */
const TURNS = 5;

/**
 * Plants in case number `index` a pattern whose turn it is, in four of five calls; returns whether it
 * appended a node. So patterns are read by single nodes, and read such.
 */
export function fusionPlanter(index: number): (draft: Draft) => boolean {
  let planted = 0;
  return (draft) => {
    if (happens(draft.random, 1, 5)) return false;
    const turn = TURNS * index + (planted % TURNS);
    planted += 1;
    return plantFusion(draft, at(patterns, placeAt(turn, patterns.length)));
  };
}
