import type { Expression } from "../../engines/compile/plan/index.ts";
import type { BoundedSum, Register, Summand } from "../../reference/numerics/index.ts";

/** A value lies between two codes, which are ordered like the numbers they stand for. */
export interface CodeRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** These bound the summands of a sum. */
export type Summands = Omit<BoundedSum, "terms">;

/** Returns all codes of a register but NaR. */
export function anyCode({ least, greatest }: Register): CodeRange {
  return { low: least, high: greatest };
}

/**
 * Bounds what a loop's body adds, if `rangeOf` knows its parts: a product is added exactly, anything else as
 * the number it was rounded to. A negated part is subtracted.
 */
export function summandsOf(
  expression: Expression,
  rangeOf: (part: Expression) => CodeRange,
  register: Register,
): Summands {
  const { factors, isNegative } = factorsOf(expression);
  const [x, y] = factors.map(rangeOf);
  if (x === undefined) return { least: [0n], greatest: [0n] };
  const xs = isNegative ? [-x.low, -x.high] : [x.low, x.high];
  const corners = xs.flatMap((a): Summand[] =>
    y === undefined
      ? [[a]]
      : [
          [a, y.low],
          [a, y.high],
        ],
  );
  return hullOf(corners, register);
}

/** Finds the least and the greatest of some summands, at least one. */
export function hullOf(summands: readonly Summand[], { units }: Register): Summands {
  const [first = [0n], ...others] = summands;
  return others.reduce<Summands>(
    ({ least, greatest }, one) => ({
      least: units(one) < units(least) ? one : least,
      greatest: units(one) > units(greatest) ? one : greatest,
    }),
    { least: first, greatest: first },
  );
}

/** Splits a product into factors, or takes a number by itself, and strips signs. */
function factorsOf(part: Expression): {
  readonly factors: readonly Expression[];
  readonly isNegative: boolean;
} {
  if (part.kind !== "apply") return { factors: [part], isNegative: false };
  if (part.function === "multiply") return { factors: part.operands, isNegative: false };
  const [inner] = part.operands;
  if (part.function !== "negative" || inner === undefined) return { factors: [part], isNegative: false };
  const { factors, isNegative } = factorsOf(inner);
  return { factors, isNegative: !isNegative };
}
