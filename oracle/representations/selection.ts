import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import { storageOf } from "../diagnosis/coeffects/index.ts";
import type { Assignment, Ranges } from "./losses.ts";
import { greatestSize, type StorageFormat } from "./storage_formats.ts";

/** A format costs a value memory, and a part of the results' units that it may use up. */
interface Choice {
  readonly format: StorageFormat;
  readonly bits: number;
  readonly loss: number;
}

/** Lists the formats a value may have, the cheapest first; a dearer one must lose less. */
function choicesOf(
  ranges: ElementRanges,
  influence: readonly number[],
  formats: readonly StorageFormat[],
): Choice[] {
  const all = formats.map((format): Choice => {
    const losses = format.losses(ranges);
    const loss = losses.reduce((sum, one, i) => sum + (one === 0 ? 0 : one * at(influence, i) || 0), 0);
    const isLost = losses.some((one) => !Number.isFinite(one));
    const bits = format.bits * losses.length + format.bitsBeside;
    return { format, bits, loss: isLost || Number.isNaN(loss) ? Number.POSITIVE_INFINITY : loss };
  });
  const ordered = all.toSorted((a, b) => a.bits - b.bits || a.loss - b.loss);
  return ordered.filter(
    (one, place) => place === 0 || ordered.slice(0, place).every((less) => one.loss < less.loss),
  );
}

/**
 * Chooses formats so that all losses together stay within `budget`, in as few bits as a greedy exchange
 * finds: from the cheapest on, whatever gains most for its bits gets the next better format. Views have none
 * of their own. If no exchange is left, the last choice stands. Cost: linear in elements times formats;
 * quadratic in values.
 */
export function select(
  graph: PrimitiveGraph,
  { values, influences }: Ranges,
  formats: readonly StorageFormat[],
  budget: number,
): Assignment {
  const storage = storageOf(graph, true);
  const standing = values.map((ranges, id) => ({
    choices: storage[id] === nodeId(id) ? choicesOf(ranges, at(influences, id), formats) : [],
    place: 0,
  }));
  const lossOf = ({ choices, place }: (typeof standing)[number]): number => choices[place]?.loss ?? 0;
  for (;;) {
    if (standing.reduce((sum, one) => sum + lossOf(one), 0) <= budget) break;
    let best:
      | { readonly one: (typeof standing)[number]; readonly place: number; readonly gain: number }
      | undefined;
    for (const one of standing) {
      const now = one.choices[one.place];
      if (now === undefined || now.loss === 0) continue;
      for (let place = one.place + 1; place < one.choices.length; place++) {
        const next = at(one.choices, place);
        const gained = now.loss === Number.POSITIVE_INFINITY ? Number.MAX_VALUE : now.loss - next.loss;
        const gain = next.loss === Number.POSITIVE_INFINITY ? 0 : gained / (next.bits - now.bits);
        if (gain > (best?.gain ?? 0)) best = { one, place, gain };
      }
    }
    if (best === undefined) break;
    best.one.place = best.place;
  }
  return standing.map(({ choices, place }) => choices[place]?.format);
}

/** Lists the formats that take fewer bits for a value of this many elements, the fewest first. */
export function cheaper(
  format: StorageFormat | undefined,
  elements: number,
  formats: readonly StorageFormat[],
): StorageFormat[] {
  const bits = ({ bits: each, bitsBeside }: StorageFormat): number => each * elements + bitsBeside;
  if (format === undefined) return [];
  return formats.filter((one) => bits(one) < bits(format)).toSorted((a, b) => bits(a) - bits(b));
}

/** Counts the bits of an assignment. */
export function bitsOf(graph: PrimitiveGraph, formats: Assignment): number {
  return shapesOf(graph).reduce((sum, shape, id) => {
    const format = formats[id];
    return format === undefined ? sum : sum + format.bits * sizeOf(shape) + format.bitsBeside;
  }, 0);
}

/** Returns the greatest size among the elements of a value. */
export function reachOf({ low, high }: ElementRanges): number {
  return low.reduce((most, x, i) => Math.max(most, greatestSize(x, at(high, i))), 0);
}

/** Computes each result's unit: the part of its greatest size that `digits` digits leave. */
export function unitsAt(
  results: readonly NodeId[],
  digits: number,
): (values: readonly ElementRanges[]) => ReadonlyMap<NodeId, number> {
  return (values) =>
    new Map(
      results.map((id): [NodeId, number] => {
        const reach = reachOf(at(values, id));
        return [id, reach === 0 || reach === Number.POSITIVE_INFINITY ? 1 : reach * 10 ** -digits];
      }),
    );
}
