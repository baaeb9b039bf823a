import {
  codeBits,
  codeLimits,
  decode,
  groupSizeOf,
  type StorageType,
} from "../../reference/numerics/storage/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { due } from "./due.ts";
import type { Kept } from "./words.ts";

/** Keeps numbers in a type, or as they are where it refuses them. */
export function keptOf(type: StorageType, values: readonly number[]): Kept {
  const kept = due.encode({ type, rounding: "half_away", shape: [values.length], values });
  return kept.ok
    ? kept.value
    : { type: { kind: "float32" }, shape: [values.length], codes: values, grids: [] };
}

/** Says where a tensor departs from numbers by more than `far` and half a step of its own grid. */
export function strayed(kept: Kept, right: readonly number[], far: readonly number[]): string | undefined {
  const { type, grids, codes } = kept;
  const size = groupSizeOf(type, codes.length);
  const [least, greatest] = codeLimits(codeBits(type), type.kind !== "asym");
  const back = decode(kept);
  const allowed = right.map((_, i) => {
    const scale = grids[Math.floor(i / size)]?.scale ?? 0;
    return at(far, i) + scale * (0.5 + Math.max(greatest, -least) * 2 ** -21);
  });
  const place = right.findIndex((x, i) => {
    const scale = grids[Math.floor(i / size)]?.scale ?? 0;
    if (type.kind === "bfp" && Math.abs(x) > greatest * scale) return false;
    return !(Math.abs(x - at(back, i)) <= at(allowed, i));
  });
  return place < 0 ? undefined : `${at(right, place)} ± ${at(allowed, place)} at element ${place}`;
}
