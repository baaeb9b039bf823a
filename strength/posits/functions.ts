import {
  greatestCode,
  notReal,
  type Posit,
  posit,
  positValue,
  roundToPosit,
} from "../../reference/numerics/index.ts";
import { float64, rationalFromNumber } from "../../reference/package.ts";
import { type OrderedReal, present, standardPosit, unaryNames } from "../../spec/index.ts";
import { type Part, Tally } from "./finding.ts";

const host = present(float64.levels.orderedReal, "the reals");

/** The host's functions may be off by this, with much to spare. */
const SLACK = 2 ** -40;

/** Checks each posit16 code in every unary function, and each pair of posit8 in binary ones. */
export function* functionParts(): Generator<Part> {
  const reals16 = realsOf(16);
  for (const name of unaryNames) {
    const tally = new Tally(`${name} of every posit16`);
    for (const x of codesOf(16)) {
      tally.add(
        judged(
          16,
          reals16[name](x),
          x === notReal(standardPosit(16)) ? undefined : host[name](numberOf(16, x)),
          {
            name,
            x,
          },
        ),
      );
    }
    yield tally.part;
  }
  const reals8 = realsOf(8);
  for (const name of ["pow", "atan2", "hypot"] as const) {
    const tally = new Tally(`${name} of every pair of posit8`);
    for (const x of codesOf(8)) {
      for (const y of codesOf(8)) {
        const isNothing =
          x === notReal(standardPosit(8)) ||
          y === notReal(standardPosit(8)) ||
          (name !== "hypot" && x === 0n && y === 0n);
        const double = isNothing ? undefined : host[name](numberOf(8, x), numberOf(8, y));
        tally.add(judged(8, reals8[name](x, y), double, { name, x, y }));
      }
    }
    yield tally.part;
  }
}

function realsOf(width: number): OrderedReal<Posit, boolean> {
  const made = posit(standardPosit(width));
  if (!made.ok) throw new Error(made.error.message);
  return present(made.value.levels.orderedReal, "the reals");
}

function* codesOf(width: number): Generator<Posit> {
  for (let code = notReal(standardPosit(width)); code < -notReal(standardPosit(width)); code++) yield code;
}

function numberOf(width: number, x: Posit): number {
  const { numerator, denominator } = positValue(standardPosit(width), x);
  return Number(numerator) / Number(denominator);
}

/** In these the host's infinity is a pole, and not a value too large for a double. */
const poles: readonly string[] = ["log", "log2", "log1p", "atanh"];

/**
 * Compares a code with the host's double: NaR for NaN and for poles; the greatest or least posit where the
 * value is too large or too small for a double. Where the code changes within the host's error, nothing is
 * decided.
 */
function judged(
  width: number,
  found: Posit,
  double: number | undefined,
  { name, x, y }: { readonly name: string; readonly x: Posit; readonly y?: Posit },
): Parameters<Tally["add"]>[0] {
  const isPole = poles.includes(name) || (name === "pow" && x === 0n);
  const possible = candidates(width, double, isPole, name === "exp" || (name === "pow" && x !== 0n));
  if (!possible.includes(found))
    return { wrong: `${name} ${x} ${y ?? ""}: ${found}, and the host says ${double}` };
  return possible.length === 1 ? "right" : "undecided";
}

/** Lists the codes that a value may have by the host's double. */
function candidates(
  width: number,
  double: number | undefined,
  isPole: boolean,
  isNeverZero: boolean,
): readonly Posit[] {
  if (double === undefined || Number.isNaN(double)) return [notReal(standardPosit(width))];
  if (!Number.isFinite(double))
    return [
      isPole ? notReal(standardPosit(width)) : BigInt(Math.sign(double)) * greatestCode(standardPosit(width)),
    ];
  if (double === 0) return [isNeverZero ? (Object.is(double, -0) ? -1n : 1n) : 0n];
  const ends = [double * (1 - SLACK), double * (1 + SLACK)];
  return [...new Set(ends.map((end) => roundToPosit(standardPosit(width), rationalFromNumber(end))))];
}
