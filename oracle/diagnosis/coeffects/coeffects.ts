import { type Lifetimes, lifetimes, type Wanted } from "../../../reference/state/index.ts";
import { reachOf } from "../../../reference/tapes/checkpoints/index.ts";
import { expand, shapesOf } from "../../../spec/expansion/index.ts";
import type {
  CoeffectJson,
  CoeffectsJson,
  FigureJson,
  PromotionJson,
} from "../../../spec/explained/index.ts";
import { type Graph, nodeAt, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import {
  at,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Shape,
  sizeOf,
  visible,
} from "../../../spec/shapes/index.ts";
import { MAXIMUM_SHEAF } from "../sheaf.ts";
import { type Amount, type Envelope, greatestAt } from "./amounts.ts";
import { degreesOf, type GivenAxis } from "./batch.ts";
import { type Cause, type Escape, escapeClasses, escapesOf, isGiven, storageOf, type Use } from "./escape.ts";
import { escapeRanks } from "./escape_sheaf.ts";
import { countedFrom, growthOf, type Layered, showGrowth } from "./growth.ts";
import { type Layers, layersOf, withLayers } from "./layers.ts";
import { type Memory, type Mode, memoryOf } from "./memory.ts";

/** A user asks this about a graph's memory. */
export interface MemoryAsked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
  readonly modes: readonly Mode[];
  /** The answer says how memory grows with the length of this axis. */
  readonly axis?: GivenAxis;
  /** If true, a view shares the storage of its operand. */
  readonly hasViews: boolean;
  /** If true, escape classes are told as sheaves too, of graphs of at most {@link MAXIMUM_SHEAF} values. */
  readonly sheaf?: boolean;
}

/** Snapshots are planned for graphs of at most this many nodes. */
const MOST_PLANNED = 4_000;

/**
 * Says before a graph runs what memory each mode needs: each value's escape class and what promotes it, what
 * is kept for reverse mode, and the peak, each as it grows with layers and an axis. It counts elements of
 * computed values; given ones are the caller's. Fails as {@link lifetimes} does. Cost: a dozen lifetimes; for
 * `checkpointed`, what is computed again.
 */
export function coeffectsOf(original: Graph, asked: MemoryAsked): Result<CoeffectsJson, Issue[]> {
  const { graph, ids } = expand(original);
  const wanted = {
    of: asked.of.map((id) => at(ids, id)),
    wrt: asked.wrt.map((id) => at(ids, id)),
  };
  const found = lifetimes(graph, wanted);
  if (!found.ok) return found;
  const layers = layersOf(graph);
  const length = asked.axis === undefined ? 1 : at(givenAt(graph, asked.axis.given).shape, asked.axis.axis);
  const degrees = asked.axis === undefined || length === 0 ? undefined : degreesOf(graph, asked.axis);
  const growing = { layers, degrees, length, hasViews: asked.hasViews };
  const grown = new Grown(graph, wanted, found.value, growing);
  const names = namesIn(original);
  const modes = asked.modes
    .filter(({ kind }) => kind !== "checkpointed" || graph.nodes.length <= MOST_PLANNED)
    .map((mode): CoeffectJson => {
      const memory = grown.memory(mode);
      const uses = usesIn(graph, found.value, mode, memory);
      // A snapshot copies its values, so that views do not share storage with what it keeps.
      const hasViews = asked.hasViews && mode.kind !== "checkpointed";
      const escapes = escapesOf(graph, uses, hasViews);
      return {
        mode: nameOf(mode),
        classes: classesOf(graph, escapes, hasViews),
        kept: grown.figure(mode, ({ kept }) => kept),
        peak: grown.figure(mode, ({ peak }) => peak),
        computedAgain: againIn(mode, memory, graph.nodes.length),
        promotions: promotionsOf(graph, found.value, escapes, mode, names),
        ...(asked.sheaf === true && uses.length <= MAXIMUM_SHEAF
          ? { sheaf: escapeRanks(graph, uses, hasViews) }
          : {}),
      };
    });
  return ok({
    ...(layers === undefined
      ? {}
      : {
          layers: {
            first: layers.first + graph.inputs.length,
            nodes: layers.period,
            count: layers.count + layers.more,
            alike: layers.count,
          },
        }),
    ...(asked.axis === undefined
      ? {}
      : {
          axis: {
            of: givenAt(original, asked.axis.given).name,
            axis: asked.axis.axis,
            length,
            isFollowed: degrees !== undefined,
          },
        }),
    modes,
  });
}

/** The binomial schedule takes `r·n − C(s + r, r − 1)` steps; `n − 1` are the forward pass. */
function againIn(mode: Mode, { computedAgain: now }: Memory, nodes: number): FigureJson {
  if (mode.kind !== "checkpointed") return { now };
  const { repetitions: r, longest, shortest } = reachOf(nodes, mode.slots);
  const constant = now - (r - 1) * nodes;
  const sign = constant < 0 ? "−" : "+";
  return { now, grows: `${r - 1}·n ${sign} ${Math.abs(constant)} for ${shortest} ≤ n ≤ ${longest} nodes` };
}

function nameOf(mode: Mode): string {
  switch (mode.kind) {
    case "forward":
      if (mode.tangents === 0) return "forward";
      return `forward with ${mode.tangents} ${mode.tangents === 1 ? "tangent" : "tangents"}`;
    case "reverse":
      return "reverse";
    case "checkpointed":
      return `checkpointed, ${mode.slots} ${mode.slots === 1 ? "slot" : "slots"}`;
  }
}

function givenAt(
  { inputs, environment }: Graph,
  given: number,
): { readonly name: string; readonly shape: Shape } {
  return given < inputs.length ? at(inputs, given) : at(environment, given - inputs.length);
}

interface Growing {
  readonly layers: Layers | undefined;
  readonly degrees: readonly number[] | undefined;
  readonly length: number;
  readonly hasViews: boolean;
}

/** The growth with layers is read off graphs that have these many layers fewer, and checked on the third. */
const triedLayers: readonly number[] = [0, 1, 2];

/** It is checked on graphs of up to this many layers too. */
const MOST_FEW = 8;

/** A graph with some of its layers has these lifetimes. */
interface Cut {
  readonly layers: number;
  readonly graph: PrimitiveGraph;
  readonly lifetimes: Lifetimes;
}

/** Computes the memory of a graph with fewer layers, for any length of an axis, and caches it. */
class Grown {
  /** The whole graph comes first. */
  readonly #last: readonly Cut[];
  /** These have few layers, in ascending order. */
  readonly #first: readonly Cut[];
  readonly #whole: PrimitiveGraph;
  readonly #growing: Growing;
  readonly #known = new Map<string, Memory>();

  constructor(graph: PrimitiveGraph, wanted: Wanted, whole: Lifetimes, growing: Growing) {
    const { layers } = growing;
    const all: Cut = { layers: layers?.count ?? 0, graph, lifetimes: whole };
    const cuts = (counts: readonly number[]): Cut[] =>
      layers === undefined ? [] : counts.flatMap((count) => cutTo(graph, wanted, layers, count) ?? []);
    const fewest = all.layers - Math.max(...triedLayers);
    const fewer = cuts(triedLayers.slice(1).map((less) => all.layers - less));
    this.#last = fewer.length === triedLayers.length - 1 ? [all, ...fewer] : [all];
    const few = Array.from({ length: Math.min(MOST_FEW, Math.max(0, fewest - 1)) }, (_, n) => n + 1);
    this.#first = this.#last.length === 1 ? [] : cuts(few);
    this.#whole = graph;
    this.#growing = growing;
  }

  memory(mode: Mode, { layers: count, graph, lifetimes: lives }: Cut = at(this.#last, 0)): Memory {
    const key = JSON.stringify([mode, count]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { degrees, layers, length, hasViews } = this.#growing;
    const removed = this.#whole.nodes.length - graph.nodes.length;
    const end = layers === undefined ? 0 : graph.inputs.length + layers.first + count * layers.period;
    const sizes = shapesOf(graph).map((shape, id): Amount => {
      const degree = degrees?.[removed > 0 && id >= end ? id + removed : id] ?? 0;
      return [...Array.from({ length: degree }, () => 0), sizeOf(shape) / length ** degree];
    });
    const found = memoryOf({ graph, lifetimes: lives, sizes, given: givenIn(graph), hasViews }, mode);
    this.#known.set(key, found);
    return found;
  }

  figure(mode: Mode, read: (memory: Memory) => Envelope): FigureJson {
    const { layers, degrees, length } = this.#growing;
    const now = greatestAt(read(this.memory(mode)), length);
    if (this.#last.length === 1 && degrees === undefined) return { now };
    const layered = (cut: Cut): Layered => ({ layers: cut.layers, figure: read(this.memory(mode, cut)) });
    // A schedule of snapshots depends on the depth in no simple way, so that only the axis is followed.
    const isOfOneDepth = mode.kind === "checkpointed";
    if (isOfOneDepth && degrees === undefined) return { now };
    const found = isOfOneDepth
      ? growthOf(this.#last.slice(0, 1).map(layered))
      : growthOf(this.#last.map(layered), this.#first.map(layered));
    if (found === undefined) return { now };
    const growth = countedFrom(found, layers?.more ?? 0);
    const isOfLayers = growth.terms[1]?.some((coefficient) => coefficient !== 0) ?? false;
    return {
      now,
      grows: showGrowth(growth),
      ...(growth.fromLength > 1 ? { fromLength: growth.fromLength } : {}),
      ...(isOfLayers && growth.fromLayers > 1 ? { fromLayers: growth.fromLayers } : {}),
    };
  }
}

/** Names the nodes that stand for entries of Δ. */
function givenIn(graph: PrimitiveGraph): ReadonlySet<NodeId> {
  const { inputs, nodes } = graph;
  return new Set(
    nodes.flatMap((_, index) =>
      isGiven(graph, inputs.length + index) ? [nodeId(inputs.length + index)] : [],
    ),
  );
}

/** Returns a graph with so many layers; `undefined` where something that is asked for lies within them. */
function cutTo(graph: PrimitiveGraph, { of, wrt }: Wanted, layers: Layers, count: number): Cut | undefined {
  const { first, period } = layers;
  // Results must lie in the last layer or behind it, and cotangents at inputs.
  const end = graph.inputs.length + first + (layers.count - 1) * period;
  if (of.some((id) => id < end) || wrt.some((id) => id >= graph.inputs.length)) return undefined;
  const cut = withLayers(graph, layers, count);
  const removed = graph.nodes.length - cut.nodes.length;
  const found = lifetimes(cut, { of: of.map((id) => nodeId(id - removed)), wrt });
  return found.ok ? { layers: count, graph: cut, lifetimes: found.value } : undefined;
}

function usesIn(graph: PrimitiveGraph, { values }: Lifetimes, mode: Mode, { inSnapshots }: Memory): Use[] {
  const uses: Use[] = graph.inputs.map(() => ({ isResult: false }));
  for (const value of values) {
    if (value.kind !== "primal") continue;
    const { id, isResult, neededBy } = value;
    const [reader] = neededBy;
    if (mode.kind === "reverse" && reader !== undefined)
      uses[id] = { isResult, later: { kind: "pull", reader } };
    else if (inSnapshots.has(id)) uses[id] = { isResult, later: { kind: "snapshot" } };
    else uses[id] = { isResult };
  }
  return uses;
}

function classesOf(
  graph: PrimitiveGraph,
  escapes: readonly Escape[],
  hasViews: boolean,
): CoeffectJson["classes"] {
  const shapes = shapesOf(graph);
  const storage = storageOf(graph, hasViews);
  return escapeClasses.map((name) => {
    const found = escapes.flatMap(({ class: own }, id) => (own === name && storage[id] === id ? [id] : []));
    const elements = found.reduce((sum, id) => sum + sizeOf(at(shapes, id)), 0);
    return { class: name, values: found.length, elements };
  });
}

/** Names the ids of a graph's expansion for people. */
function namesIn(original: Graph): (id: NodeId) => string {
  const { origins, ids } = expand(original);
  return (id) => {
    const input = original.inputs[id];
    if (input !== undefined) return `input ${visible(input.name, 40)}`;
    const origin = at(origins, id);
    const node = `node ${origin} (${nodeAt(original, origin)?.op})`;
    return ids[origin] === id ? node : `a step of ${node}`;
  };
}

/** Lists every computed value that could not stay on the stack, with the cause and its lifetime. */
function promotionsOf(
  graph: PrimitiveGraph,
  { values, steps }: Lifetimes,
  escapes: readonly Escape[],
  mode: Mode,
  names: (id: NodeId) => string,
): readonly PromotionJson[] {
  const end = mode.kind === "forward" ? graph.nodes.length - 1 : steps.length - 1;
  return values.flatMap((value) => {
    if (value.kind !== "primal" || value.id < graph.inputs.length) return [];
    const { class: name, cause } = at(escapes, value.id);
    if (cause === undefined || name === "static") return [];
    const last = mode.kind === "forward" ? (value.isResult ? end : value.lastForward) : value.last;
    return [
      {
        value: names(value.id),
        class: name,
        elements: value.elements,
        from: value.born,
        to: last,
        because: becauseOf(cause, names),
      },
    ];
  });
}

function becauseOf(cause: Cause, names: (id: NodeId) => string): string {
  switch (cause.kind) {
    case "given":
      return "it is given";
    case "result":
      return "it is a result";
    case "pull":
      return `the pull of ${names(cause.reader)} reads it`;
    case "snapshot":
      return "it is in a snapshot when the sweep begins";
    case "view":
      return `${names(cause.view)} looks at it`;
  }
}
