import { at, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { codeBits, codeLimits, type Stored } from "./storage/index.ts";

/** An integer step subtracts from a parameter's code `⌊(code · multiplier + 2^(shift − 1)) / 2^shift⌋`. */
export interface IntegerStep {
  readonly multiplier: number;
  readonly shift: number;
  /** A code moves at most so far from where the exact product would move it, itself rounded or not. */
  readonly off: number;
}

/** Integers of 32 bits reach so far. */
const WORD = 2 ** 31 - 1;

/** Rounds to nearest by adding half of 2^shift, which is none for a shift of 0. */
const half = (shift: number): number => (shift === 0 ? 0 : 2 ** (shift - 1));

/**
 * Returns the step of gradient codes of so many bits in 32-bit integers, where one gradient code moves a
 * parameter by `ratio ≥ 0` codes: rate · gradient scale / parameter scale. The shift is the greatest for
 * which no product overflows. There is none where a ratio is too great. Law: `off = 1/2 + 2^(bits − 1) |ratio
 * − multiplier / 2^shift|`, and at most `1/2 + 2^(bits − 2 − shift)`.
 */
export function integerStep(ratio: number, bits: number): IntegerStep | undefined {
  const most = 2 ** (bits - 1);
  for (let shift = 30; shift >= 0; shift--) {
    const multiplier = Math.round(ratio * 2 ** shift);
    if (most * multiplier + half(shift) <= WORD)
      return { multiplier, shift, off: 0.5 + most * Math.abs(ratio - multiplier / 2 ** shift) };
  }
  return undefined;
}

/** Returns by how many codes a gradient's code moves a parameter. Cost: a product, a sum and a shift. */
export function movedBy({ multiplier, shift }: IntegerStep, code: number): number {
  return Math.floor((code * multiplier + half(shift)) / 2 ** shift);
}

/**
 * Steps a parameter by its gradient in integers, on the parameter's grid: neither is decoded, and what would
 * leave the codes is cut. Fails: `storage/step` where one has several grids, or 32 bits do not hold a
 * product.
 */
export function steppedInIntegers(
  parameter: Stored,
  gradient: Stored,
  rate: number,
): Result<Stored, Issue[]> {
  const [own, other] = [parameter.grids[0], gradient.grids[0]];
  if (own === undefined || other === undefined || parameter.grids.length + gradient.grids.length > 2)
    return fail([noStep("a step in integers is from one grid to one other.")]);
  // A code less its zero point has a bit more.
  const bits = codeBits(gradient.type) + (gradient.type.kind === "asym" ? 1 : 0);
  const step = integerStep((rate * other.scale) / own.scale, bits);
  if (step === undefined) return fail([noStep("32 bits do not hold the product of a code and the rate.")]);
  const [least, most] = codeLimits(codeBits(parameter.type), parameter.type.kind !== "asym");
  const codes = parameter.codes.map((code, i) => {
    const next = code - movedBy(step, at(gradient.codes, i) - other.zero);
    return Math.min(Math.max(next, least), most);
  });
  return ok({ ...parameter, codes });
}

/**
 * Returns the fewest bits with which a gradient, summed over so many calls and kept after each on a fresh
 * grid, moves a parameter by at most half a code more or less than the exact sum does. `moved` is by how many
 * codes the greatest gradient moves it, and `spanned` by how many the gradients' range, 0 included, does.
 * After the k-th call a sum spans k times as much, and errs by half a step of its grid, of which `moved` has
 * 2^(bits − 1) − 1, and `spanned` of `asym` 2^bits − 1.
 */
export function gradientBits(
  moved: number,
  spanned: number,
  calls: number,
): { readonly sym: number; readonly asym: number } {
  const halves = (calls * (calls + 1)) / 2;
  const bitsOf = (steps: number): number => Math.max(Math.ceil(Math.log2(steps * halves + 1)), 1);
  return { sym: 1 + bitsOf(moved), asym: bitsOf(spanned) };
}

function noStep(message: string): Issue {
  return {
    code: "storage/step",
    pointer: "",
    message,
    hint: "decode both, step in float32, and keep the parameter anew",
  };
}
