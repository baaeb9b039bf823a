import { type Rational, rational, rationalFromNumber, rationalOf } from "../../../reference/index.ts";
import { InvariantError, present } from "../../../spec/shapes/index.ts";
import { type Binary, type Host, hostOf, isPower } from "./host.ts";
import { textOf } from "./numerals.ts";

const field = present(rational.levels.orderedField, "the order of the rational numbers");
const HALF_ROUNDOFF = rationalFromNumber(2 ** -54);

/** An exact number stands for itself where rewritten code is run at a model's numbers. */
export class Exact {
  readonly value: Rational;

  constructor(value: Rational) {
    this.value = value;
  }

  toString(): string {
    return textOf(this.value);
  }
}

/** Rewritten code computes so at a model's numbers: exactly, or as much too little as float64 may. */
export function exactHost(isShort: boolean): Host {
  const of = (x: number | Exact): Rational => (typeof x === "number" ? rationalFromNumber(x) : x.value);
  const operations: Readonly<Record<Binary, (x: Rational, y: Rational) => Rational>> = {
    add: field.add,
    subtract: (x, y) => field.add(x, field.negative(y)),
    multiply: field.multiply,
    divide: field.divide,
  };
  const isLess = (x: Rational, y: Rational): boolean => field.less(x, y) === true;
  const size = ({ value }: Exact): Exact =>
    new Exact(isLess(value, field.zero) ? field.negative(value) : value);
  return hostOf<Exact>({
    is: (x) => x instanceof Exact,
    compute: (name, x, y) => {
      const exact = operations[name](of(x), of(y));
      const isScaled = (name === "multiply" || name === "divide") && (isPower(x) || isPower(y));
      if (!isShort || isScaled) return new Exact(exact);
      // Half a unit in the last place of a result that may be below the exact one's binade.
      const lost = field.multiply(binadeOfRational(size(new Exact(exact)).value), HALF_ROUNDOFF);
      return new Exact(field.add(exact, isLess(exact, field.zero) ? lost : field.negative(lost)));
    },
    compare: (name, a, b) => {
      const [x, y] = [of(a), of(b)];
      switch (name) {
        case "less":
          return isLess(x, y);
        case "greater":
          return isLess(y, x);
        case "atMost":
          return !isLess(y, x);
        case "atLeast":
          return !isLess(x, y);
        case "same":
          return rational.isSame(x, y);
      }
    },
    negative: ({ value }) => new Exact(field.negative(value)),
    size,
    root: ({ value }) => {
      const { numerator, denominator } = value;
      const [above, below] = [numerator, denominator].map((x) => BigInt(Math.round(Math.sqrt(Number(x)))));
      const root = rationalOf(above ?? 0n, below ?? 1n);
      if (rational.isSame(field.multiply(root, root), value)) return new Exact(root);
      throw new InvariantError("the root of a model's number is not rational");
    },
    floor: ({ value }) => new Exact(field.floor(value)),
    binade: (x) => new Exact(binadeOfRational(size(x).value)),
  });
}

/** Returns the greatest power of two that is at most a rational size. */
function binadeOfRational(size: Rational): Rational {
  if (size.numerator === 0n) return field.zero;
  let exponent = size.numerator.toString(2).length - size.denominator.toString(2).length + 1;
  const power = (by: number): Rational =>
    by < 0 ? rationalOf(1n, 1n << BigInt(-by)) : rationalOf(1n << BigInt(by), 1n);
  while (field.less(size, power(exponent)) === true) exponent--;
  return power(exponent);
}
