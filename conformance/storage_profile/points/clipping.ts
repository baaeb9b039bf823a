import fc from "fast-check";
import type { StorageType } from "../../../reference/numerics/storage/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { Asked } from "../dialect.ts";
import { keptTensors, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { answered, drawnLaw, type Held, held, isSame, type Law } from "../law.ts";
import { clipped, normOf } from "../training.ts";
import type { Kept } from "../words.ts";

/** A block's scale is a power of two, so that a factor does not fold into it. */
const folding = (has: readonly StorageKind[]): readonly StorageType[] =>
  typesOf(has, ["float32", "sym_int32", "sym", "asym"]);

/** No limit is smaller, since a limit of 0 would make scales 0. */
const LEAST = 2 ** -10;

/** Limits are parts of the norm, none so near to it that rounding decides. */
const over =
  (parts: readonly number[]) =>
  (has: readonly StorageKind[]): fc.Arbitrary<Asked["clip"]> | undefined => {
    const types = folding(has);
    if (types.length === 0) return undefined;
    return fc
      .record({
        tensors: fc.array(keptTensors(types, 6), { minLength: 1, maxLength: 3 }),
        part: fc.constantFrom(...parts),
      })
      .map(({ tensors, part }) => {
        const limit = part * normOf(tensors) + (part > 1 ? 1 : 0);
        return { tensors, most: Math.fround(Math.max(limit, LEAST)) };
      });
  };

/** Float32 sums of so few squares, a root, a quotient and a product err by no more. */
const FAR = 2 ** -18;

const isNear = (x: number, y: number): boolean => Math.abs(x - y) <= FAR * Math.abs(y) + 2 ** -140;

/** Says whether the codes are those that are due, and scales and numbers nearly so. */
function isShrunk(tensor: Kept, due: Kept): boolean {
  if (!isSame(tensor.type, due.type) || !isSame(tensor.shape, due.shape)) return false;
  const isKept =
    tensor.type.kind === "float32"
      ? due.codes.every((x, i) => isNear(tensor.codes[i] ?? Number.NaN, x))
      : isSame(tensor.codes, due.codes);
  return (
    isKept &&
    tensor.grids.length === due.grids.length &&
    tensor.grids.every(({ scale, zero }, n) => {
      const right = at(due.grids, n);
      return zero === right.zero && isNear(scale, right.scale);
    })
  );
}

function isClipped(asked: Asked["clip"], isLeft: boolean): (...of: Parameters<Clipping>) => Held {
  return ({ norm, tensors }, breaks) => {
    const right = clipped(asked);
    if (!isNear(norm, right.norm)) return breaks(`a norm of ${right.norm}`);
    const place = right.tensors.findIndex((due, n) => {
      const tensor = tensors[n];
      return tensor === undefined || !(isLeft ? isSame(tensor, due) : isShrunk(tensor, due));
    });
    if (place < 0) return held;
    return breaks(
      isLeft
        ? `tensor ${place} as it was`
        : `the codes of tensor ${place}, and its scales times ${asked.most / (normOf(asked.tensors) + 1e-6)}`,
    );
  };
}

type Clipping = (
  value: { readonly norm: number; readonly tensors: readonly Kept[] },
  breaks: (what: string) => Held,
) => Held;

/** These laws state point 15: one norm of all gradients, and a factor that is folded into scales. */
export const clippingLaws: readonly Law[] = [
  drawnLaw("gradients whose norm, all together, is below the limit stay as they are, to the bit", {
    over: over([1.25, 4]),
    holds: (framework, asked) => answered(framework, "clip", asked, isClipped(asked, true)),
  }),
  drawnLaw("others keep their codes, and their scales are multiplied", {
    over: over([0.25, 0.75]),
    holds: (framework, asked) => answered(framework, "clip", asked, isClipped(asked, false)),
  }),
];
