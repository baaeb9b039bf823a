import { type Lifetimes, lifetimes } from "../../../reference/state/index.ts";
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
  ok,
  type Result,
  type Shape,
  sizeOf,
  visible,
} from "../../../spec/shapes/index.ts";
import { MAXIMUM_SHEAF } from "../sheaf.ts";
import { degreesOf, type GivenAxis } from "./batch.ts";
import { type Cause, type Escape, escapeClasses, escapesOf, storageOf, type Use } from "./escape.ts";
import { escapeRanks } from "./escape_sheaf.ts";
import { Grown } from "./grown.ts";
import { showGrowth } from "./growth.ts";
import { type Layers, layersOf } from "./layers.ts";
import type { Memory, Mode } from "./memory.ts";

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
        computedAgain: againIn(mode, memory, graph.nodes.length, layers),
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

/**
 * The binomial schedule takes `r·n − C(s + r, r − 1)` steps; `n − 1` are the forward pass. It is told in
 * layers where some depths have the same r, else in nodes, for any number of which r is known.
 */
function againIn(
  mode: Mode,
  { computedAgain: now }: Memory,
  nodes: number,
  layers: Layers | undefined,
): FigureJson {
  if (mode.kind !== "checkpointed") return { now };
  if (mode.slots === 1) return { now, grows: "(n − 1)·(n − 2)/2 for n nodes" };
  const { repetitions: r, longest, shortest } = reachOf(nodes, mode.slots);
  const constant = now - (r - 1) * nodes;
  const depth = layers === undefined ? 0 : layers.count + layers.more;
  const period = layers?.period ?? 1;
  const fromLayers = Math.max(1 + (layers?.more ?? 0), depth - Math.floor((nodes - shortest) / period));
  const toLayers = depth + Math.floor((longest - nodes) / period);
  if (depth > 0 && fromLayers < toLayers) {
    const terms = [[now - (r - 1) * period * depth], [(r - 1) * period]];
    return { now, grows: showGrowth({ terms }), fromLayers, toLayers };
  }
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
