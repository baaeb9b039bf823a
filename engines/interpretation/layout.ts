import { shapesOf } from "../../spec/expansion/index.ts";
import { entriesNamedBy, type NodeOf, type PrimitiveGraph } from "../../spec/graph/index.ts";
import type { EnvironmentEntry, PrimitiveName } from "../../spec/operators/index.ts";
import { at, type NodeId, nodeId, present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type Fold, type KernelTable, NOWHERE, type Places, type Step } from "./kernel.ts";
import type { Extents } from "./machine.ts";

/** A graph, laid out in memory: what a {@link Machine} must hold, and the steps that work on it. */
export interface Layout {
  readonly graph: PrimitiveGraph;
  /** The shape of every id. */
  readonly shapes: readonly Shape[];
  /** The offset of every id in the arenas, then the end of the last one. */
  readonly offsets: readonly number[];
  /** These are one per node, in evaluation order. */
  readonly steps: readonly Step[];
  readonly places: Places;
  readonly extents: Extents;
}

/** Lays out a well-formed graph. Cost: linear in the graph's text and in the elements of its values. */
export function layOut(graph: PrimitiveGraph, kernels: KernelTable): Layout {
  const shapes = shapesOf(graph);
  const offsets = offsetsOf(shapes);
  const slots = at(offsets, shapes.length);
  const environment = placesOf(graph, slots);
  const entries = new Map(graph.environment.map((entry) => [entry.name, entry]));
  const draft: Draft = { kernels, shapes, offsets, slots, places: environment.places, entries };
  const steps = graph.nodes.map((node, n) => stepOf(node, nodeId(graph.inputs.length + n), draft));
  const sizes = graph.nodes.map(({ parents }) => parents.reduce((sum, id) => sum + sizeAt(offsets, id), 0));
  const work = sizes.reduce((most, size) => Math.max(most, size), 0);
  const { reals, indices } = environment;
  const extents = { ids: shapes.length, slots, reals, indices, work };
  return { graph, shapes, offsets, steps, places: environment.places, extents };
}

/** Returns the elements of the tensor at `id`. */
export function sizeAt(offsets: readonly number[], id: number): number {
  return at(offsets, id + 1) - at(offsets, id);
}

function offsetsOf(shapes: readonly Shape[]): number[] {
  const offsets = [0];
  let end = 0;
  for (const shape of shapes) {
    end += sizeOf(shape);
    offsets.push(end);
  }
  return offsets;
}

/** Places the entries of Δ: real ones after the slots, index ones in an arena of their own. */
function placesOf(graph: PrimitiveGraph, slots: number): { places: Places; reals: number; indices: number } {
  const places = new Map<string, number>();
  let reals = 0;
  let indices = 0;
  for (const { name, shape, kind } of graph.environment) {
    if (kind === "real") {
      places.set(name, slots + reals);
      reals += sizeOf(shape);
    } else {
      places.set(name, indices);
      indices += sizeOf(shape);
    }
  }
  return { places, reals, indices };
}

/** These are known of a graph when its steps are made. */
interface Draft {
  readonly kernels: KernelTable;
  readonly shapes: readonly Shape[];
  readonly offsets: readonly number[];
  readonly slots: number;
  readonly places: Places;
  readonly entries: ReadonlyMap<string, EnvironmentEntry>;
}

function stepOf<K extends PrimitiveName>(node: NodeOf<K>, id: NodeId, draft: Draft): Step {
  const { kernels, shapes, offsets, places } = draft;
  const kernel = kernels[node.op];
  const operands = node.parents.map((parent) => at(offsets, parent));
  const receivers = kernel.firstReceiver === 0 ? node.parents : node.parents.slice(kernel.firstReceiver);
  const { bars, folds } = hasRepeats(receivers)
    ? detour(node.parents, kernel.firstReceiver, draft)
    : { bars: operands, folds: noFolds };
  const parents = node.parents.map((parent) => at(shapes, parent));
  const shape = at(shapes, id);
  const environment = entriesNamedBy(node, draft.entries);
  const table = kernel.prepare({ attributes: node.attributes, parents, shape, places, environment });
  const [first] = node.parents;
  return {
    id,
    rules: kernel,
    out: at(offsets, id),
    size: sizeAt(offsets, id),
    operands,
    x: operands[0] ?? NOWHERE,
    y: operands[1] ?? NOWHERE,
    z: operands[2] ?? NOWHERE,
    xSize: first === undefined ? 0 : sizeAt(offsets, first),
    bars,
    xBar: bars[0] ?? NOWHERE,
    yBar: bars[1] ?? NOWHERE,
    zBar: bars[2] ?? NOWHERE,
    receivers,
    folds,
    table,
    literal: kernel.literal?.(node.attributes) ?? Number.NaN,
    scratch: kernel.scratchLength === undefined ? noScratch : new Float64Array(kernel.scratchLength(table)),
  };
}

const noFolds: readonly Fold[] = [];
const noScratch = new Float64Array(0);

function hasRepeats(ids: readonly NodeId[]): boolean {
  return ids.length === 2 ? ids[0] === ids[1] : ids.length > 2 && new Set(ids).size < ids.length;
}

/**
 * Says where a node contributes that names a parent repeatedly: its contributions are summed first, then
 * added to the slot [SEMANTICS §4: one entry for every earlier id]. Floats tell the difference: `slot + (c₁ +
 * c₂)` is not `(slot + c₁) + c₂`.
 */
function detour(
  parents: readonly NodeId[],
  firstReceiver: number,
  { offsets, slots }: Draft,
): { bars: readonly number[]; folds: readonly Fold[] } {
  const regions = new Map<NodeId, number>();
  const folds: Fold[] = [];
  let from = slots;
  for (const parent of parents.slice(firstReceiver)) {
    if (regions.has(parent)) continue;
    const size = sizeAt(offsets, parent);
    regions.set(parent, from);
    folds.push({ from, into: at(offsets, parent), size });
    from += size;
  }
  const bars = parents.map((parent, position) =>
    position < firstReceiver ? at(offsets, parent) : present(regions.get(parent), "a region"),
  );
  return { bars, folds };
}
