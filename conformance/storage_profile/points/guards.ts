import type { StorageType } from "../../../reference/numerics/storage/index.ts";
import type { Asked } from "../dialect.ts";
import { scaledKinds, typesOf } from "../draws.ts";
import { type Law, listedLaw, refused } from "../law.ts";
import type { Kept } from "../words.ts";

const one = { scale: 1, zero: 0 };

function tensorOf(type: StorageType, scale: number): Kept {
  return { type, shape: [2], codes: [1, 1], grids: [{ scale, zero: 0 }] };
}

const numbers: Kept = { type: { kind: "float32" }, shape: [2], codes: [1, 2], grids: [] };
const integers: Kept = { type: { kind: "int32" }, shape: [2], codes: [9, -9], grids: [] };

const gradients: readonly Asked["step"][] = [
  { rate: 1, decay: 0, rounding: "half_away", parameter: numbers, gradient: integers },
];

const conversions: readonly Asked["convert"][] = [
  { type: { kind: "sym", bits: 4 }, rounding: "half_away", tensor: integers },
  { type: { kind: "sym", bits: 4, groupSize: 1 }, rounding: "half_away", tensor: integers },
];

/** These laws state point 12: errors that must not pass silently. */
export const guardLaws: readonly Law[] = [
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map((scale) =>
    listedLaw(
      `a scale of ${scale} is refused`,
      (has) => typesOf(has, scaledKinds).filter((type) => !("groupSize" in type) && !isOneBit(type)),
      (framework, type) =>
        refused(framework, "decode", { tensor: tensorOf(type, scale) }, "no code has a value on that grid"),
    ),
  ),
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((x) =>
    listedLaw(
      `${x} is not kept as a code`,
      (has) => typesOf(has, scaledKinds),
      (framework, type) =>
        refused(
          framework,
          "encode",
          { type, rounding: "half_away", shape: [2], values: [1, x] },
          "it has no code",
        ),
    ),
  ),
  listedLaw(
    "a zero point that is no code is refused",
    (has) => typesOf(has, ["asym"]).filter((type) => "bits" in type && type.bits <= 8 && type.bits > 1),
    (framework, type) => {
      const bits = "bits" in type ? type.bits : 8;
      const tensor = { ...tensorOf(type, 1), grids: [{ ...one, zero: 2 ** bits }] };
      return refused(framework, "decode", { tensor }, "codes end before it");
    },
  ),
  listedLaw(
    "integers are no gradient",
    (has) => (has.includes("int32") && has.includes("float32") ? gradients : []),
    (framework, asked) => refused(framework, "step", asked, "integers are no gradient"),
  ),
  listedLaw(
    "integers that the bits do not hold become no codes",
    (has) => (has.includes("int32") && has.includes("sym") ? conversions : []),
    (framework, asked) => refused(framework, "convert", asked, "9 does not fit into 4 bits"),
  ),
];

function isOneBit(type: StorageType): boolean {
  return "bits" in type && type.bits === 1;
}
