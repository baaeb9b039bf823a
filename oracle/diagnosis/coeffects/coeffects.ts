import { type Lifetimes, lifetimes } from "../../../reference/state/index.ts";
import { reachOf } from "../../../reference/tapes/checkpoints/index.ts";
import { expand, shapesOf } from "../../../spec/expansion/index.ts";
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
import type { CoeffectJson, CoeffectsJson, FigureJson, PromotionJson } from "../../../spec/wire/index.ts";
import { degreesOf, type GivenAxis } from "./batch.ts";
import { type Cause, type Escape, escapeClasses, escapesOf, storageOf, type Use } from "./escape.ts";
import { growthOf, showGrowth, triedLayers, triedLengths, triedScales } from "./growth.ts";
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
  const degrees = asked.axis === undefined ? undefined : degreesOf(graph, asked.axis);
  const length = asked.axis === undefined ? 1 : at(givenAt(graph, asked.axis.given).shape, asked.axis.axis);
  const grown = new Grown(graph, wanted, { layers, degrees, length, hasViews: asked.hasViews });
  const names = namesIn(original);
  const modes = asked.modes
    .filter(({ kind }) => kind !== "checkpointed" || graph.nodes.length <= MOST_PLANNED)
    .map((mode): CoeffectJson => {
      const memory = grown.memory(mode, 0, 1);
      const uses = usesIn(graph, found.value, mode, memory);
      const escapes = escapesOf(graph, uses, asked.hasViews && mode.kind !== "checkpointed");
      return {
        mode: nameOf(mode),
        classes: classesOf(graph, escapes, asked.hasViews && mode.kind !== "checkpointed"),
        kept: grown.figure(mode, ({ kept }) => kept),
        peak: grown.figure(mode, ({ peak }) => peak),
        computedAgain: againIn(mode, memory, graph.nodes.length),
        promotions: promotionsOf(graph, found.value, escapes, mode, names),
      };
    });
  return ok({
    ...(layers === undefined
      ? {}
      : { layers: { first: layers.first + graph.inputs.length, nodes: layers.period, count: layers.count } }),
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

/** Computes the memory of a graph with fewer layers and longer axes, and caches it. */
class Grown {
  readonly #graphs: readonly PrimitiveGraph[];
  readonly #lifetimes: readonly Lifetimes[];
  readonly #growing: Growing;
  readonly #known = new Map<string, Memory>();

  constructor(
    graph: PrimitiveGraph,
    { of, wrt }: { readonly of: readonly NodeId[]; readonly wrt: readonly NodeId[] },
    growing: Growing,
  ) {
    const { layers } = growing;
    const tried = layers === undefined ? [0] : triedLayers;
    const cut = tried.map((fewer) =>
      layers === undefined || fewer === 0 ? graph : withLayers(graph, layers, layers.count - fewer),
    );
    // Results must lie in the last layer or behind it; else growth with layers is not told.
    const end =
      layers === undefined ? 0 : graph.inputs.length + layers.first + (layers.count - 1) * layers.period;
    const found = cut.map((one, place) => {
      const shift = graph.nodes.length - one.nodes.length;
      const moved = of.map((id) => (shift > 0 && id >= end ? nodeId(id - shift) : id));
      const isThere = place === 0 || of.every((id) => id >= end);
      return isThere
        ? lifetimes(one, { of: moved, wrt: wrt.filter((id) => id < graph.inputs.length) })
        : undefined;
    });
    const whole = found.flatMap((one) => (one?.ok === true ? [one.value] : []));
    this.#lifetimes = whole.length === cut.length ? whole : whole.slice(0, 1);
    this.#graphs = cut;
    this.#growing = growing;
  }

  memory(mode: Mode, fewer: number, longer: number): Memory {
    const key = JSON.stringify([mode, fewer, longer]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const graph = at(this.#graphs, fewer);
    const { degrees, layers, hasViews } = this.#growing;
    const removed = at(this.#graphs, 0).nodes.length - graph.nodes.length;
    const end =
      layers === undefined ? 0 : graph.inputs.length + layers.first + (layers.count - fewer) * layers.period;
    const sizes = shapesOf(graph).map((shape, id) => {
      const degree = degrees?.[removed > 0 && id >= end ? id + removed : id] ?? 0;
      return sizeOf(shape) * longer ** degree;
    });
    const found = memoryOf({ graph, lifetimes: at(this.#lifetimes, fewer), sizes, hasViews }, mode);
    this.#known.set(key, found);
    return found;
  }

  figure(mode: Mode, read: (memory: Memory) => number): FigureJson {
    const now = read(this.memory(mode, 0, 1));
    const { layers, degrees, length } = this.#growing;
    const rows = this.#lifetimes.map((_, fewer) => fewer);
    if (rows.length === 1 && degrees === undefined) return { now };
    for (const scale of degrees === undefined ? [1] : triedScales) {
      const columns = degrees === undefined ? [1] : triedLengths.map((longer) => longer * scale);
      const figures = rows.map((fewer) => columns.map((longer) => read(this.memory(mode, fewer, longer))));
      const growth = growthOf(figures, layers?.count ?? 0, length * scale);
      if (growth === undefined) continue;
      const from = scale === 1 ? "" : ` for B ≥ ${length * scale}`;
      return { now, grows: `${showGrowth(growth)}${from}` };
    }
    return { now };
  }
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
