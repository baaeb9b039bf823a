import { expandedIndexLimitsOf, type IndexLimits } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, counted, sizeOf } from "../../spec/shapes/index.ts";
import type { Numbers } from "./plan/index.ts";

/** The entries of Δ after their check. */
export interface Bindings {
  /** All entries, in the graph's order. */
  readonly entries: readonly (Numbers | Uint32Array)[];
  /** The real entries, which are sources of a program. */
  readonly real: readonly Numbers[];
  /** The index entries, which are index sources. */
  readonly indices: readonly Uint32Array[];
}

/** The bindings before anything is handed in. */
export const noBindings: Bindings = { entries: [], real: [], indices: [] };

/**
 * Checks the entries that a graph declares; real ones are arrays of `Type`. Throws `TypeError` for an entry
 * that is missing, or of the wrong type or size, and `RangeError` for an index out of range.
 */
export function bound(
  graph: Graph,
  Type: typeof Float64Array | typeof Float32Array,
  environment: Readonly<Record<string, Numbers | Uint32Array>>,
): Bindings {
  const limits = expandedIndexLimitsOf(graph);
  const entries: (Numbers | Uint32Array)[] = [];
  const real: Numbers[] = [];
  const indices: Uint32Array[] = [];
  for (const { name, kind, shape } of graph.environment) {
    const entry = Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (entry === undefined) throw new TypeError(`the environment's "${name}" is missing.`);
    if (entry.length !== sizeOf(shape)) {
      throw new TypeError(
        `"${name}" has ${counted(entry.length, "element")}; the graph says ${sizeOf(shape)}.`,
      );
    }
    entries.push(entry);
    if (kind === "index") {
      if (!(entry instanceof Uint32Array))
        throw new TypeError(`"${name}" holds indices: give a Uint32Array.`);
      checkRange(name, entry, limits.get(name) ?? unread);
      // The copy keeps what was checked from changing.
      indices.push(entry.slice());
    } else {
      if (entry instanceof Uint32Array || !(entry instanceof Type)) {
        throw new TypeError(`"${name}" is not a ${Type.name}.`);
      }
      real.push(entry);
    }
  }
  return { entries, real, indices };
}

/** Returns the number of a scalar entry; no graph of scalars reads others, which may give any number. */
export function numberOf(entry: Numbers | Uint32Array): number {
  const [number = Number.NaN] = entry;
  return number;
}

/** The limits of an index entry that nothing reads: words of 32 bits. */
export const unread: IndexLimits = [2 ** 32];

/** Throws `RangeError` for an index at position `p` that is not below `limits[p % limits.length]`. */
export function checkRange(name: string, entry: Uint32Array, limits: readonly number[]): void {
  const place = entry.findIndex((index, position) => index >= at(limits, position % limits.length));
  if (place < 0) return;
  const limit = at(limits, place % limits.length);
  throw new RangeError(`index ${entry[place]} at position ${place} of "${name}" is not below ${limit}.`);
}
