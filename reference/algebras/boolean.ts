import { forUnary, unaryFunctions } from "../../spec/operators/index.ts";
import { type Algebra, everyLevel, type OrderedReal } from "../../spec/shapes/index.ts";
import { rational } from "./rational.ts";

const or = (x: boolean, y: boolean): boolean => x || y;
const and = (x: boolean, y: boolean): boolean => x && y;
const same = (x: boolean): boolean => x;
const maybe = (): boolean => true;

const operations: OrderedReal<boolean, "maybe"> = {
  zero: false,
  one: true,
  add: or,
  detach: same,
  multiply: and,
  literal: (x) => x !== 0,
  negative: same,
  // The divisor is not asked: where it is zero the quotient is not finite, which is not zero either.
  divide: same,
  ...forUnary((name) => (unaryFunctions[name].keepsZero ? same : maybe)),
  // Of a zero y and a negative x it is π.
  atan2: maybe,
  hypot: or,
  // 0 to the power 0 is 1.
  pow: maybe,
  less: () => "maybe",
  equal: () => "maybe",
  select: (_condition, x, y) => x || y,
  // Of −½ it is −1; of ½ it is 0, so "perhaps".
  floor: same,
};

/**
 * Computes sparsity: `false` is "zero whatever the numbers", `true` "perhaps not". A graph's value, tangent
 * or cotangent over it contains the pattern over any finite numbers; it does not see cancellation, and where
 * a graph selects one of two it joins both.
 */
export const boolean: Algebra<boolean, "maybe"> = {
  name: "boolean",
  additive: operations,
  levels: everyLevel(operations),
  isSame: (x, y) => x === y,
  format: (x) => (x ? "true" : "false"),
  parse: (text) => {
    if (text === "true" || text === "false") return text === "true";
    const x = rational.parse(text);
    // What has no value (1/0, inf, nan) is surely not zero.
    return x && (x.numerator !== 0n || x.denominator === 0n);
  },
};
