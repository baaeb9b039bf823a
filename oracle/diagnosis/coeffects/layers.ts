import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../../spec/graph/index.ts";
import { at, type NodeId, nodeId, type Shape } from "../../../spec/shapes/index.ts";

/** Layers are `count` repetitions of `period` nodes, beginning at the node with index `first`. */
export interface Layers {
  readonly first: number;
  readonly period: number;
  readonly count: number;
  /**
   * People count this many more: layers beside these with the same operators, but other shapes, another
   * input, or no activation behind the last.
   */
  readonly more: number;
}

/** Fewer layers do not show how a graph grows. */
const LEAST_COUNT = 4;

/** At most this many distances between like nodes are tried. */
const MOST_TRIED = 24;

/**
 * Finds the layers of a graph: the longest run of nodes that repeats operators, attributes and shapes, each
 * node reading its predecessor's counterparts one layer on, inputs of the same shape, or the same earlier
 * node. Returns `undefined` where there are none, or a node behind them reads another layer than the last.
 * Cost: linear in the nodes for each distance tried.
 */
export function layersOf(graph: PrimitiveGraph): Layers | undefined {
  const shapes = shapesOf(graph);
  const { inputs, nodes } = graph;
  const keys = nodes.map(({ op, attributes }, index) =>
    JSON.stringify([op, attributes, at(shapes, inputs.length + index)]),
  );
  let best: Layers | undefined;
  for (const period of distancesIn(keys)) {
    let first = 0;
    for (let index = 0; index + period <= nodes.length; index++) {
      const isAlike =
        index + period < nodes.length &&
        keys[index] === keys[index + period] &&
        readsAlike(graph, shapes, index, period);
      if (isAlike) continue;
      const count = Math.floor((index - first) / period) + 1;
      const found = { first, period, count, more: 0 };
      if (count >= LEAST_COUNT && count * period > (best?.count ?? 0) * (best?.period ?? 0)) best = found;
      first = index + 1;
    }
  }
  if (best === undefined || !isReadAtItsEnd(graph, best)) return undefined;
  return { ...best, more: layersBeside(graph, best) };
}

/**
 * Counts the layers that lie before and behind those found: as far as operators go on as in a layer, one for
 * as many matrix products as a layer has; without products, one for as many nodes. Nodes that read nothing
 * stand where they are first named, an entry of Δ in the first layer alone, and are left aside.
 */
function layersBeside({ nodes: all }: PrimitiveGraph, { first, period, count }: Layers): number {
  const computed = (from: number, to: number): PrimitiveNode[] =>
    all.slice(from, to).filter(({ parents }) => parents.length > 0);
  const nodes = computed(0, all.length);
  const inPeriod = computed(first, first + period).length;
  if (inPeriod === 0) return 0;
  const goesOn = (index: number, by: number): boolean => nodes[index]?.op === nodes[index + by]?.op;
  let begin = computed(0, first).length;
  let end = begin + count * inPeriod;
  while (begin > 0 && goesOn(begin - 1, inPeriod)) begin -= 1;
  while (end < nodes.length && goesOn(end, -inPeriod)) end += 1;
  const products = (from: number, to: number): number =>
    nodes.slice(from, to).filter(({ op }) => op === "matmul").length;
  const inLayer = products(begin, begin + inPeriod);
  const found =
    inLayer === 0 ? Math.floor((end - begin) / inPeriod) : Math.floor(products(begin, end) / inLayer);
  return found - count;
}

/** Lists how far apart like nodes are, the commonest distances first. */
function distancesIn(keys: readonly string[]): number[] {
  const before = new Map<string, number>();
  const often = new Map<number, number>();
  for (const [index, key] of keys.entries()) {
    const last = before.get(key);
    if (last !== undefined) often.set(index - last, (often.get(index - last) ?? 0) + 1);
    before.set(key, index);
  }
  // If a layer has an operator twice, its period is a sum of distances.
  const simple = [...often]
    .sort((a, b) => b[1] - a[1])
    .map(([distance]) => distance)
    .slice(0, MOST_TRIED);
  const sums = simple.flatMap((a) => simple.map((b) => a + b));
  return [...new Set([...simple, ...sums])].filter((distance) => distance * LEAST_COUNT <= keys.length);
}

function readsAlike(
  { inputs, nodes }: PrimitiveGraph,
  shapes: readonly Shape[],
  index: number,
  period: number,
): boolean {
  const [one, other] = [at(nodes, index).parents, at(nodes, index + period).parents];
  return (
    one.length === other.length &&
    one.every((a, place) => {
      const b = at(other, place);
      if (b === a + period && a >= inputs.length) return true;
      if (a === b) return true;
      return a < inputs.length && b < inputs.length && `${shapes[a]}` === `${shapes[b]}`;
    })
  );
}

/** Tells whether the nodes behind the layers read none of them but the last. */
function isReadAtItsEnd({ inputs, nodes }: PrimitiveGraph, { first, period, count }: Layers): boolean {
  const begin = inputs.length + first;
  const lastLayer = begin + (count - 1) * period;
  return nodes
    .slice(first + count * period)
    .every(({ parents }) => parents.every((id) => id < begin || id >= lastLayer));
}

/** A graph with another number of layers; each of its ids is the counterpart of one of the graph before. */
export interface Relayered {
  readonly graph: PrimitiveGraph;
  readonly origins: readonly NodeId[];
}

/**
 * Gives a graph this many layers: the first ones, or all and copies of the last. What is read of the last
 * layer is read of the new last one, and a copy reads inputs of its own where layers do.
 */
export function withLayers(graph: PrimitiveGraph, layers: Layers, count: number): Relayered {
  return count > layers.count ? withMore(graph, layers, count) : withFewer(graph, layers, count);
}

function withFewer(graph: PrimitiveGraph, { first, period, count }: Layers, left: number): Relayered {
  const { inputs, nodes } = graph;
  const removed = (count - left) * period;
  const end = inputs.length + first + left * period;
  const moved = (id: NodeId): NodeId => (id >= end ? nodeId(id - removed) : id);
  const head = nodes.slice(0, first + left * period);
  const tail = nodes
    .slice(first + count * period)
    .map((node): PrimitiveNode => ({ ...node, parents: node.parents.map(moved) }));
  const ids = inputs.length + nodes.length - removed;
  return {
    graph: { ...graph, nodes: [...head, ...tail] },
    origins: Array.from({ length: ids }, (_, id) => nodeId(id >= end ? id + removed : id)),
  };
}

function withMore(graph: PrimitiveGraph, { first, period, count }: Layers, wanted: number): Relayered {
  const { inputs, nodes } = graph;
  const [from, end, extra] = [first + (count - 1) * period, first + count * period, wanted - count];
  const own = [
    ...new Set(nodes.slice(from, end).flatMap((_, place) => ownInputs(graph, from + place, period))),
  ];
  const copies = Array.from({ length: extra }, (_, copy) => copy + 1);
  const shifted = (id: NodeId, by = 0): NodeId =>
    id < inputs.length ? id : nodeId(id + extra * own.length + by);
  const readBy = (index: number, place: number, id: NodeId, copy: number): NodeId => {
    if (at(at(nodes, index - period).parents, place) === id) return shifted(id);
    if (id >= inputs.length) return shifted(id, copy * period);
    return nodeId(inputs.length + (copy - 1) * own.length + own.indexOf(id));
  };
  const copied = copies.flatMap((copy) =>
    nodes.slice(from, end).map(
      (node, place): PrimitiveNode => ({
        ...node,
        parents: node.parents.map((id, operand) => readBy(from + place, operand, id, copy)),
      }),
    ),
  );
  const rest = (some: readonly PrimitiveNode[], by: (id: NodeId) => number): PrimitiveNode[] =>
    some.map((node) => ({ ...node, parents: node.parents.map((id) => shifted(id, by(id))) }));
  const tail = rest(nodes.slice(end), (id) => (id >= inputs.length + from ? extra * period : 0));
  const ids = Array.from({ length: inputs.length + nodes.length }, (_, id) => nodeId(id));
  return {
    graph: {
      ...graph,
      inputs: [
        ...inputs,
        ...copies.flatMap((copy) =>
          own.map((id) => ({ ...at(inputs, id), name: `${at(inputs, id).name}, copy ${copy}` })),
        ),
      ],
      nodes: [...rest(nodes.slice(0, end), () => 0), ...copied, ...tail],
    },
    origins: [
      ...ids.slice(0, inputs.length),
      ...copies.flatMap(() => own),
      ...ids.slice(inputs.length, inputs.length + end),
      ...copies.flatMap(() => ids.slice(inputs.length + from, inputs.length + end)),
      ...ids.slice(inputs.length + end),
    ],
  };
}

/** Lists the inputs that a node reads where its counterpart one layer before reads another. */
function ownInputs({ inputs, nodes }: PrimitiveGraph, index: number, period: number): readonly NodeId[] {
  const before = at(nodes, index - period).parents;
  return at(nodes, index).parents.filter((id, place) => id < inputs.length && at(before, place) !== id);
}
