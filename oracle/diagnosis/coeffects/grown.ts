import { type Lifetimes, lifetimes, type Wanted } from "../../../reference/state/index.ts";
import { binomialCost } from "../../../reference/tapes/checkpoints/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { FigureJson } from "../../../spec/explained/index.ts";
import { idCount, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../../spec/shapes/index.ts";
import { type Amount, type Envelope, greatestAt } from "./amounts.ts";
import { isGiven } from "./escape.ts";
import { countedFrom, type Growth, growthAround, growthOf, type Layered, showGrowth } from "./growth.ts";
import { type Layers, type Relayered, withLayers } from "./layers.ts";
import { type Memory, type Mode, memoryOf } from "./memory.ts";

/** This is known of how a graph may grow. */
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

/** With snapshots it is read off graphs of at most this many layers less and more. */
const MOST_AROUND = 16;

/** All of these take at most this many steps. */
const MOST_STEPS = 400_000;

/** A graph with another number of its layers has these lifetimes. */
interface Cut extends Relayered {
  readonly layers: number;
  readonly lifetimes: Lifetimes;
}

/** Computes the memory of a graph with any number of layers, for any length of an axis, and caches it. */
export class Grown {
  /** The whole graph comes first. */
  readonly #last: readonly Cut[];
  /** These have few layers, in ascending order. */
  readonly #first: readonly Cut[];
  readonly #wanted: Wanted;
  readonly #growing: Growing;
  readonly #known = new Map<string, Memory>();
  readonly #around = new Map<number, Cut | undefined>();

  constructor(graph: PrimitiveGraph, wanted: Wanted, whole: Lifetimes, growing: Growing) {
    const { layers } = growing;
    const origins = Array.from({ length: idCount(graph) }, (_, id) => nodeId(id));
    const all: Cut = { layers: layers?.count ?? 0, graph, origins, lifetimes: whole };
    const cuts = (counts: readonly number[]): Cut[] =>
      layers === undefined ? [] : counts.flatMap((count) => cutTo(graph, wanted, layers, count) ?? []);
    const fewest = all.layers - Math.max(...triedLayers);
    const fewer = cuts(triedLayers.slice(1).map((less) => all.layers - less));
    this.#last = fewer.length === triedLayers.length - 1 ? [all, ...fewer] : [all];
    const few = Array.from({ length: Math.min(MOST_FEW, Math.max(0, fewest - 1)) }, (_, n) => n + 1);
    this.#first = this.#last.length === 1 ? [] : cuts(few);
    this.#wanted = wanted;
    this.#growing = growing;
  }

  memory(mode: Mode, { layers: count, graph, origins, lifetimes: lives }: Cut = at(this.#last, 0)): Memory {
    const key = JSON.stringify([mode, count]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { degrees, length, hasViews } = this.#growing;
    const sizes = shapesOf(graph).map((shape, id): Amount => {
      const degree = degrees?.[at(origins, id)] ?? 0;
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
    const found =
      mode.kind === "checkpointed"
        ? this.#growthAround(mode, layered)
        : growthOf(this.#last.map(layered), this.#first.map(layered));
    if (found === undefined) return { now };
    const growth = countedFrom(found, layers?.more ?? 0);
    const { fromLayers, toLayers } = growth;
    const isOfLayers = growth.terms[1]?.some((coefficient) => coefficient !== 0) ?? false;
    return {
      now,
      grows: showGrowth(growth),
      ...(growth.fromLength > 1 ? { fromLength: growth.fromLength } : {}),
      ...((isOfLayers && fromLayers > 1) || toLayers !== undefined ? { fromLayers } : {}),
      ...(toLayers === undefined ? {} : { toLayers }),
    };
  }

  /** A schedule of snapshots depends on the depth in no simple way, so that depths are tried one by one. */
  #growthAround(
    mode: Extract<Mode, { kind: "checkpointed" }>,
    layered: (cut: Cut) => Layered,
  ): Growth | undefined {
    const [all] = this.#last;
    const { layers, degrees } = this.#growing;
    if (all === undefined) return undefined;
    const alone = degrees === undefined ? undefined : growthOf([layered(all)]);
    if (layers === undefined) return alone;
    const steps = 2 * Math.max(1, binomialCost(all.graph.nodes.length, mode.slots));
    const most = Math.min(MOST_AROUND, Math.floor(MOST_STEPS / steps));
    const tried = (by: 1 | -1): Layered[] =>
      Array.from({ length: most }, (_, place) => layers.count + by * (place + 1))
        .filter((count) => count > 0)
        .flatMap((count) => this.#relayered(all, layers, count) ?? [])
        .map(layered);
    return growthAround(layered(all), tried(-1), tried(1)) ?? alone;
  }

  #relayered({ graph }: Cut, layers: Layers, count: number): Cut | undefined {
    if (!this.#around.has(count)) this.#around.set(count, cutTo(graph, this.#wanted, layers, count));
    return this.#around.get(count);
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
  const moved = idCount(cut.graph) - idCount(graph);
  const isWanted = new Set(wrt);
  const found = lifetimes(cut.graph, {
    of: of.map((id) => nodeId(id + moved)),
    wrt: cut.origins.flatMap((origin, id) => (isWanted.has(origin) ? [nodeId(id)] : [])),
  });
  return found.ok ? { ...cut, layers: count, lifetimes: found.value } : undefined;
}
