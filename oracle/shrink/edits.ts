import { idCount, nodeAt, type Seed } from "../../spec/graph/index.ts";
import { isSameShape, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { idealCotangents } from "./ideal.ts";
import type { Edit, Subject } from "./rewrite.ts";

/** In a graph of at most this many ids, every pair of them is tried as one. */
const PAIRWISE_LIMIT = 8;

const anyName = (): boolean => true;

function computedIds({ question: { graph } }: Subject): readonly NodeId[] {
  return graph.nodes.map((_, i) => nodeId(graph.inputs.length + i));
}

function parentsOf({ question: { graph } }: Subject, id: NodeId): readonly NodeId[] {
  return [...new Set(nodeAt(graph, id)?.parents)];
}

/** Returns the seed at `id`, or a plain one if there is none. */
function seedAt({ question, shapes }: Subject, id: NodeId): Seed {
  return (
    question.seeds.find((seed) => seed.id === id) ?? { id, cotangent: idealCotangents(shapes[id] ?? []) }
  );
}

/** Leaves one node alone, seeded, its operands turned into inputs. Most faults of a rule end here at once. */
function* loneNodes(subject: Subject): Generator<Edit> {
  const { inputs } = subject.question.graph;
  for (const id of computedIds(subject)) {
    const cuts = new Set(parentsOf(subject, id).filter((parent) => parent >= inputs.length));
    yield { seeds: [seedAt(subject, id)], cuts, drops: anyName };
  }
}

/** Leaves one seed, the earliest first, so that all that comes after it goes. */
function* earlierSeeds(subject: Subject): Generator<Edit> {
  for (const id of computedIds(subject)) yield { seeds: [seedAt(subject, id)] };
  for (let id = 0; id < subject.question.graph.inputs.length; id++) {
    yield { seeds: [seedAt(subject, nodeId(id))] };
  }
}

/** Keeps the seeds before an id and seeds it, the earliest first, for faults that need several seeds. */
function* truncations(subject: Subject): Generator<Edit> {
  for (const last of computedIds(subject)) {
    const earlier = subject.question.seeds.filter(({ id }) => id < last);
    if (earlier.length > 0) yield { seeds: [...earlier, seedAt(subject, last)] };
  }
}

/** Drops one seed. */
function* fewerSeeds({ question: { seeds } }: Subject): Generator<Edit> {
  if (seeds.length < 2) return;
  for (const dropped of seeds) yield { seeds: seeds.filter((seed) => seed !== dropped) };
}

/** Turns one node into an input, the latest first, so that what only led to it goes. */
function* cuts(subject: Subject): Generator<Edit> {
  for (const id of computedIds(subject).toReversed()) yield { cuts: new Set([id]) };
}

/** Lists the operands of a node that have its shape. */
function likeParents(subject: Subject, id: NodeId): readonly NodeId[] {
  const { shapes } = subject;
  return parentsOf(subject, id).filter((parent) => isSameShape(shapes[id] ?? [], shapes[parent] ?? []));
}

/** Replaces one node by an operand of its shape, the latest first. */
function* bypasses(subject: Subject): Generator<Edit> {
  for (const id of computedIds(subject).toReversed()) {
    for (const parent of likeParents(subject, id)) yield { aliases: new Map([[id, parent]]) };
  }
}

/** Replaces many consecutive nodes so at once: halves, quarters, eighths … of a long graph. */
function* longBypasses(subject: Subject): Generator<Edit> {
  const ids = computedIds(subject);
  for (let length = Math.ceil(ids.length / 2); length >= 4; length = Math.ceil(length / 2)) {
    for (let start = 0; start < ids.length; start += length) {
      const pairs = ids.slice(start, start + length).flatMap((id): readonly (readonly [NodeId, NodeId])[] => {
        const [parent] = likeParents(subject, id);
        return parent === undefined ? [] : [[id, parent]];
      });
      yield { aliases: new Map(pairs) };
    }
  }
}

/** Merges two ids of one shape: inputs always, others in small graphs. */
function* mergers({ question: { graph }, shapes }: Subject): Generator<Edit> {
  const count = idCount(graph) <= PAIRWISE_LIMIT ? idCount(graph) : graph.inputs.length;
  for (let later = count - 1; later > 0; later--) {
    for (let earlier = 0; earlier < later; earlier++) {
      if (!isSameShape(shapes[later] ?? [], shapes[earlier] ?? [])) continue;
      yield { aliases: new Map([[nodeId(later), nodeId(earlier)]]) };
    }
  }
}

/** Drops one input or entry, if nothing reads it. */
function* drops({ question: { graph } }: Subject): Generator<Edit> {
  for (const { name } of [...graph.inputs, ...graph.environment]) yield { drops: (other) => other === name };
}

/** Moves the seed of an input to an id that has none, so that the input can go if nothing reads it. */
function* movedSeeds(subject: Subject): Generator<Edit> {
  const { graph, seeds } = subject.question;
  const free = subject.shapes
    .map((_, id) => nodeId(id))
    .filter((id) => seeds.every((seed) => seed.id !== id));
  for (const seed of seeds) {
    const input = graph.inputs[seed.id];
    if (input === undefined) continue;
    for (const target of free.slice(0, PAIRWISE_LIMIT)) {
      const moved = seeds.with(seeds.indexOf(seed), seedAt(subject, target));
      yield { seeds: moved, drops: (name) => name === input.name };
    }
  }
}

/**
 * Lists edits worth trying on a case, in passes: each has edits of one kind, and those that take most away
 * come first.
 */
export function editPasses(subject: Subject): readonly Iterable<Edit>[] {
  // Truncations come before cuts, since a fault that needs two seeds lets no node between them be cut. Long
  // bypasses come after: they are many, and seldom needed where cuts help.
  const local = [fewerSeeds, truncations, cuts, longBypasses, bypasses, mergers, drops, movedSeeds] as const;
  return [
    loneNodes(subject),
    earlierSeeds(subject),
    [{ drops: anyName }, {}],
    ...local.map((pass) => pass(subject)),
    // Some faults need a node that no seed depends on.
    [{ drops: anyName, keepsDead: true }],
    ...local.map((pass) => keepingDead(pass(subject))),
  ];
}

function* keepingDead(edits: Iterable<Edit>): Generator<Edit> {
  for (const edit of edits) yield { ...edit, keepsDead: true };
}
