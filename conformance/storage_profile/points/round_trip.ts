import {
  codeBits,
  codeLimits,
  groupSizeOf,
  type StorageType,
} from "../../../reference/numerics/storage/index.ts";
import { at, type Shape } from "../../../spec/shapes/index.ts";
import { type Loose, looseNumbers, scaledKinds, typesOf } from "../draws.ts";
import type { StorageFramework, StorageKind } from "../framework.ts";
import { answered, drawnLaw, type Held, held, isSame, type Law, listedLaw } from "../law.ts";
import type { AskedRounding, Kept } from "../words.ts";

const numbers = (has: readonly StorageKind[]) => {
  const types = typesOf(has, scaledKinds);
  return types.length === 0 ? undefined : looseNumbers(types);
};

/** Allows half a step, or a whole one where rounding is stochastic, and float32's errors in scaling. */
function allowed(type: StorageType, scale: number, rounding: AskedRounding): number {
  const [least, greatest] = codeLimits(codeBits(type), type.kind !== "asym");
  return scale * ((rounding === "half_away" ? 0.5 : 1) + Math.max(greatest, -least) * 2 ** -21);
}

/** Holds if decoding what was encoded stays within what the framework's own grid allows. */
function within(
  framework: StorageFramework,
  { type, shape, values }: Loose,
  rounding: AskedRounding,
): Promise<Held> {
  return answered(framework, "encode", { type, shape, values, rounding }, (tensor) =>
    answered(framework, "decode", { tensor }, (back, breaks) => {
      const size = groupSizeOf(type, values.length);
      const [, greatest] = codeLimits(codeBits(type), true);
      const place = values.findIndex((x, i) => {
        const { scale } = at(tensor.grids, Math.floor(i / size));
        // A block whose exponent saturates keeps its greatest value.
        if (type.kind === "bfp" && Math.abs(x) > greatest * scale) return false;
        return !(Math.abs(at(back, i) - x) <= allowed(type, scale, rounding));
      });
      if (place < 0) return held;
      const { scale } = at(tensor.grids, Math.floor(place / size));
      return breaks(`${at(values, place)} ± ${allowed(type, scale, rounding)} at element ${place}`);
    }),
  );
}

/** Encodes, decodes and encodes again. */
function again(
  framework: StorageFramework,
  {
    type,
    shape,
    values,
  }: { readonly type: StorageType; readonly shape: Shape; readonly values: readonly number[] },
  next: (once: Kept, twice: Kept, breaks: (what: string) => Held) => Held | Promise<Held>,
): Promise<Held> {
  return answered(framework, "encode", { type, shape, values, rounding: "half_away" }, (once) =>
    answered(framework, "decode", { tensor: once }, (back) =>
      answered(framework, "encode", { type, shape, values: back, rounding: "half_away" }, (twice, breaks) =>
        next(once, twice, breaks),
      ),
    ),
  );
}

const tiny = 2 ** -149;

/** These laws state point 4: what decodes is near, and encodes to the same again. */
export const roundTripLaws: readonly Law[] = [
  drawnLaw("what is kept is within half a step of its grid", {
    over: (has) => numbers(has),
    holds: (framework, loose) => within(framework, loose, "half_away"),
  }),
  drawnLaw("what is kept by drawing is within a step, and the same for the same seed", {
    over: (has) => numbers(has),
    holds: async (framework, loose) => {
      const rounding = { seed: 1 + loose.values.length };
      const near = await within(framework, loose, rounding);
      if (near.kind !== "held") return near;
      return answered(framework, "encode", { ...loose, rounding }, (once) =>
        answered(framework, "encode", { ...loose, rounding }, (twice, breaks) =>
          isSame(once, twice) ? held : breaks("the same codes for the same seed"),
        ),
      );
    },
  }),
  drawnLaw("symmetric codes on a fresh grid do not move when they are kept again", {
    over: (has) => {
      // float32 does not hold the values of codes with more bits.
      const types = typesOf(has, ["sym", "sym_int32"]).filter((type) => codeBits(type) <= 16);
      return types.length === 0 ? undefined : looseNumbers(types);
    },
    holds: (framework, loose) =>
      again(framework, loose, (once, twice, breaks) =>
        isSame(once, twice) ? held : breaks("the codes it was given"),
      ),
  }),
  listedLaw(
    "what is too small for a scale comes back as a number that is as small",
    (has) => typesOf(has, scaledKinds),
    (framework, type) =>
      answered(
        framework,
        "encode",
        { type, shape: [2], values: [tiny, -tiny], rounding: "half_away" },
        (tensor) =>
          answered(framework, "decode", { tensor }, (back, breaks) =>
            back.every((x) => Math.abs(x) <= 2 * tiny) ? held : breaks("next to nothing"),
          ),
      ),
  ),
];
