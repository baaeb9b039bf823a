import { expandedIndexLimitsOf, type Graph, sizeOf } from "../../spec/core.ts";
import type { Numbers } from "../plan/executable.ts";

/** The entries of Δ, checked. */
export interface Bindings {
  /** All, in the graph's order. */
  readonly entries: readonly (Numbers | Uint32Array)[];
  /** The real ones: sources of a program. */
  readonly real: readonly Numbers[];
  /** The others: its index sources. */
  readonly indices: readonly Uint32Array[];
}

/** Before anything is handed in. */
export const noBindings: Bindings = { entries: [], real: [], indices: [] };

/**
 * The entries that a graph declares, real ones in arrays of `Type`. Throws `TypeError` for an entry that is missing, of the wrong type or
 * size, and `RangeError` for an index that is out of range.
 */
export function bound(
  graph: Graph,
  Type: typeof Float64Array | typeof Float32Array,
  environment: Readonly<Record<string, Numbers | Uint32Array>>,
): Bindings {
  const limits = expandedIndexLimitsOf(graph);
  const real: Numbers[] = [];
  const indices: Uint32Array[] = [];
  for (const { name, kind, shape } of graph.environment) {
    const entry = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (entry === undefined) throw new TypeError(`the environment's "${name}" is missing.`);
    if (entry.length !== sizeOf(shape)) {
      throw new TypeError(`"${name}" has ${entry.length} elements; the graph says ${sizeOf(shape)}.`);
    }
    if (kind === "index") {
      if (!(entry instanceof Uint32Array))
        throw new TypeError(`"${name}" holds indices: give a Uint32Array.`);
      checkRange(name, entry, limits.get(name) ?? [2 ** 32]);
      // A copy of its own: what was checked must not change.
      indices.push(entry.slice());
    } else {
      if (entry instanceof Uint32Array || !(entry instanceof Type)) {
        throw new TypeError(`"${name}" is not a ${Type.name}.`);
      }
      real.push(entry);
    }
  }
  const entries = graph.environment.map(({ name }) => environment[name] ?? new Uint32Array(0));
  return { entries, real, indices };
}

/** Throws `RangeError` for an index that is not below its limit: `limits[p % limits.length]` at position `p`. */
export function checkRange(name: string, entry: Uint32Array, limits: readonly number[]): void {
  const place = entry.findIndex((index, position) => index >= (limits[position % limits.length] ?? 0));
  if (place < 0) return;
  const limit = limits[place % limits.length] ?? 0;
  throw new RangeError(`index ${entry[place]} at position ${place} of "${name}" is not below ${limit}.`);
}
