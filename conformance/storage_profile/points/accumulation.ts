import fc from "fast-check";
import {
  type AccumulationMode,
  codeBits,
  codeLimits,
  decode,
  exponentBias,
  type StorageType,
} from "../../../reference/numerics/storage/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { numbersBetween, typesOf } from "../draws.ts";
import { due } from "../due.ts";
import type { StorageFramework, StorageKind } from "../framework.ts";
import { answered, drawnLaw, type Held, held, isSame, type Law, listedLaw, refused, shown } from "../law.ts";
import type { Kept } from "../words.ts";

const kinds: readonly StorageKind[] = ["sym", "sym_int32", "asym", "bfp"];

/** Rounds to multiples of 2⁻²⁰, whose sums are exact here and never too small for a scale. */
const asFixedPoint = (x: number): number => Math.fround(Math.round(x * 2 ** 20) / 2 ** 20);

/** Increments, and the type they are accumulated in. */
interface Sum {
  readonly type: StorageType;
  readonly increments: readonly (readonly number[])[];
}

const sums = (types: readonly StorageType[]): fc.Arbitrary<Sum> =>
  fc
    .record({
      type: fc.constantFrom(...types),
      width: fc.integer({ min: 1, max: 4 }),
      elements: fc.array(numbersBetween(-4, 4).map(asFixedPoint), {
        minLength: 4,
        maxLength: 24,
      }),
    })
    .map(({ type, width, elements }) => ({
      type,
      increments: Array.from({ length: Math.floor(elements.length / width) }, (_, n) =>
        elements.slice(n * width, (n + 1) * width),
      ),
    }));

function begin(type: StorageType, count: number): Kept {
  const none: Kept = { type, shape: [count], codes: Array.from({ length: count }, () => 0), grids: [] };
  const nothing = due.zero({ tensor: none });
  return nothing.ok ? nothing.value : none;
}

/** Sums the increments exactly, which float64 can. */
function exact(increments: Sum["increments"], upTo: number): readonly number[] {
  const [first = []] = increments;
  return first.map((_, i) => increments.slice(0, upTo).reduce((sum, one) => sum + at(one, i), 0));
}

/** Bounds a sum's error: half a step of each grid it was kept on, whose range its size bounds. */
function allowed({ type, increments }: Sum, mode: "dynamic" | "float"): number {
  const [least, greatest] = codeLimits(codeBits(type), type.kind !== "asym");
  // A block's scale is a power of two, up to twice what the size needs; asym's grid spans both signs.
  const widest = { sym: 1, sym_int32: 1, bfp: 2, asym: 2, float32: 1, int32: 1 }[type.kind];
  const codes = Math.max(greatest, -least);
  let far = 0;
  for (let n = 1; n <= increments.length; n++) {
    const size = exact(increments, n).reduce((most, x) => Math.max(most, Math.abs(x)), 0) + far;
    far += 4 * 2 ** -24 * size;
    if (mode === "dynamic" || n === increments.length)
      far += Math.max((widest * size) / greatest, leastStep(type)) * (0.5 + codes * 2 ** -21);
  }
  return far;
}

/** Returns the step of the finest grid that a block's exponent reaches. */
function leastStep(type: StorageType): number {
  return type.kind === "bfp" ? 2 ** -exponentBias(type.exponentBits) : 0;
}

function near(mode: "dynamic" | "float"): (framework: StorageFramework, sum: Sum) => Promise<Held> {
  return (framework, sum) => {
    const { type, increments } = sum;
    const tensor = begin(type, increments[0]?.length ?? 0);
    const asked = { mode, rounding: "half_away", tensor, increments } as const;
    return answered(framework, "accumulate", asked, (kept, breaks) => {
      const [back, right] = [decode(kept), exact(increments, increments.length)];
      const most = allowed(sum, mode);
      const place = right.findIndex((x, i) => !(Math.abs(x - at(back, i)) <= most));
      return place < 0 ? held : breaks(`${at(right, place)} ± ${most} at element ${place}`);
    });
  };
}

const modes: readonly AccumulationMode[] = ["dynamic", "float"];

const over = (has: readonly StorageKind[]): fc.Arbitrary<Sum> | undefined => {
  // Blocks with few exponent bits are left out, since they saturate.
  const types = typesOf(has, kinds).filter((type) => type.kind !== "bfp" || type.exponentBits > 2);
  return types.length === 0 ? undefined : sums(types);
};

const frozen = (has: readonly StorageKind[]): readonly StorageType[] =>
  typesOf(has, ["sym"]).filter((type) => codeBits(type) >= 4);

/** These laws state point 8: sums over micro-batches. */
export const accumulationLaws: readonly Law[] = [
  ...modes.map((mode) =>
    drawnLaw(
      mode === "dynamic"
        ? "a sum on fresh grids is within half a step for each addition"
        : "a sum kept beside in float32 is within half a step",
      { over, holds: near(mode === "dynamic" ? "dynamic" : "float") },
    ),
  ),
  drawnLaw("on a grid that stands, each increment is rounded to it, and its codes are added as integers", {
    over: (has) => {
      const types = typesOf(has, ["sym"]).filter((type) => codeBits(type) >= 4);
      return types.length === 0 ? undefined : sums(types);
    },
    holds: (framework, { type, increments }) => {
      const tensor = begin(type, increments[0]?.length ?? 0);
      const asked = { mode: "fixed", rounding: "half_away", tensor, increments } as const;
      const expected = due.accumulate(asked);
      if (!expected.ok) return refused(framework, "accumulate", asked, "the sum's code would not fit");
      return answered(framework, "accumulate", asked, (kept, breaks) =>
        isSame(kept, expected.value) ? held : breaks(shown(expected.value)),
      );
    },
  }),
  listedLaw(
    "on a grid that stands, increments below half a step change nothing",
    frozen,
    (framework, type) => {
      const increments = Array.from({ length: 50 }, () => [0.4, -0.4]);
      const tensor = begin(type, 2);
      return answered(
        framework,
        "accumulate",
        { mode: "fixed", rounding: "half_away", tensor, increments },
        (kept, breaks) => (kept.codes.every((code) => code === 0) ? held : breaks("0 and 0")),
      );
    },
  ),
  listedLaw("on a grid that stands, a sum whose code does not fit is refused", frozen, (framework, type) => {
    const [, greatest] = codeLimits(Math.min(codeBits(type), 24), true);
    const asked = {
      mode: "fixed",
      rounding: "half_away",
      tensor: begin(type, 1),
      increments: [[greatest], [greatest]],
    } as const;
    return refused(framework, "accumulate", asked, `its code would be ${2 * greatest}`);
  }),
];
