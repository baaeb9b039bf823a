import type { Expression } from "../../engines/compile/plan/index.ts";
import type { BoundedSum, Register, Summand } from "../../reference/numerics/index.ts";

/** Between which codes a value lies; codes are in the order of what they stand for. */
export interface CodeRange {
  readonly low: bigint;
  readonly high: bigint;
}

/** The summands of a sum, between the least and the greatest. */
export type Summands = Omit<BoundedSum, "terms">;

/** Any code of a register but that of no number. */
export function anyCode({ least, greatest }: Register): CodeRange {
  return { low: least, high: greatest };
}

/**
 * What a loop's body adds, where `rangeOf` knows its parts: a product is added as it is, exactly, and anything else as the number that it was rounded to. The negative of
 * either is taken away.
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

/** The least and the greatest of some summands, of which there is one at least. */
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

/** The factors of a product, or a number by itself; without signs. */
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
