import { type Loose, looseNumbers, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { asDue, drawnLaw, type Law } from "../law.ts";

const kinds: readonly StorageKind[] = ["float32", "int32", "sym_int32", "sym", "asym", "bfp"];

/** Rounded to float32. */
const [wide, greatest] = [Math.fround(3e38), Math.fround(3.4e38)];

/** Ties of both signs, zeros alone, one-sided ranges, a single bit, a block that saturates, ends. */
const edges: readonly Loose[] = [
  { type: { kind: "sym", bits: 4 }, shape: [5], values: [7, 2.5, -2.5, 0.5, -0.5] },
  { type: { kind: "sym", bits: 4 }, shape: [3], values: [-4, 3.5, 1.5] },
  { type: { kind: "sym", bits: 4 }, shape: [2], values: [0, 0] },
  { type: { kind: "sym", bits: 4, groupSize: 2 }, shape: [5], values: [7, 3, 0, 0, 3.5] },
  { type: { kind: "sym_int32", bits: 12 }, shape: [2, 2], values: [2047, 0.5, -1.5, 1] },
  { type: { kind: "sym_int32", bits: 12 }, shape: [2], values: [0.001, -0.0005] },
  { type: { kind: "asym", bits: 8 }, shape: [3], values: [-1, 1, Math.fround(0.3)] },
  { type: { kind: "asym", bits: 8 }, shape: [3], values: [5, 2.5, 10] },
  { type: { kind: "asym", bits: 4 }, shape: [2], values: [-15, -4] },
  { type: { kind: "asym", bits: 8 }, shape: [2], values: [3, 3] },
  { type: { kind: "asym", bits: 8 }, shape: [2], values: [0, 0] },
  { type: { kind: "asym", bits: 8 }, shape: [2], values: [-100_001, -100_000] },
  { type: { kind: "asym", bits: 1 }, shape: [2], values: [0, 3] },
  { type: { kind: "asym", bits: 4, groupSize: 2 }, shape: [4], values: [-15, 0, 3, 7.5] },
  { type: { kind: "asym", bits: 8 }, shape: [2], values: [-wide, wide] },
  { type: { kind: "asym", bits: 8 }, shape: [2], values: [-greatest, 0] },
  { type: { kind: "sym", bits: 8 }, shape: [2], values: [-greatest, greatest] },
  { type: { kind: "bfp", mantissaBits: 8, exponentBits: 8 }, shape: [2], values: [-greatest, greatest] },
  { type: { kind: "int32" }, shape: [2], values: [-(2 ** 31), 2 ** 31 - 128] },
  { type: { kind: "int32" }, shape: [1], values: [2 ** 31] },
  { type: { kind: "bfp", mantissaBits: 4, exponentBits: 8 }, shape: [2], values: [8, 2.5] },
  { type: { kind: "bfp", mantissaBits: 4, exponentBits: 2 }, shape: [2], values: [100, 0.1] },
];

/** These laws state point 1: which codes and grids numbers are quantised to. */
export const codeLaws: readonly Law[] = [
  drawnLaw("codes and grids are those of the definition, to the bit", {
    over: (has) => {
      const types = typesOf(has, kinds);
      return types.length === 0 ? undefined : looseNumbers(types);
    },
    first: (has) => edges.filter(({ type }) => has.includes(type.kind)),
    holds: (framework, loose) => asDue(framework, "encode", { ...loose, rounding: "half_away" }),
  }),
];
