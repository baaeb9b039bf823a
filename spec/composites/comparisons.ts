import type { Value } from "../construction/value.ts";
import { arrayApi, type NoAttributes } from "../operators/index.ts";
import { type Composite, elementwiseComposite } from "./composite.ts";

/** Makes a row for a comparison or logical operator: 1 where it holds, else 0. */
function truth(
  name: string,
  arity: number,
  summary: string,
  expand: Composite<NoAttributes>["expand"],
): Composite<NoAttributes> {
  return elementwiseComposite(arity, {
    smoothness: "piecewise",
    summary: `1 where ${summary}, else 0`,
    domain: "everywhere; what is not 0 counts as true",
    convention: "no cotangent passes",
    source: arrayApi(name),
    expand,
  });
}

export const notEqual: Composite<NoAttributes> = truth(
  "not_equal",
  2,
  "x ≠ y, NaN being equal to nothing",
  (_scope, _attributes, x: Value, y: Value) => x.equal(y).logical_not(),
);

export const lessEqual: Composite<NoAttributes> = truth(
  "less_equal",
  2,
  "x ≤ y",
  (_scope, _attributes, x: Value, y: Value) => x.less(y).where(1, x.equal(y)),
);

export const greater: Composite<NoAttributes> = truth(
  "greater",
  2,
  "x > y",
  (_scope, _attributes, x: Value, y: Value) => y.less(x),
);

export const greaterEqual: Composite<NoAttributes> = truth(
  "greater_equal",
  2,
  "x ≥ y",
  (_scope, _attributes, x: Value, y: Value) => y.less(x).where(1, x.equal(y)),
);

export const logicalNot: Composite<NoAttributes> = truth(
  "logical_not",
  1,
  "x = 0",
  (_scope, _attributes, x: Value) => x.equal(0),
);

export const logicalAnd: Composite<NoAttributes> = truth(
  "logical_and",
  2,
  "x ≠ 0 and y ≠ 0",
  (_scope, _attributes, x: Value, y: Value) => x.where(y.not_equal(0), 0),
);

export const logicalOr: Composite<NoAttributes> = truth(
  "logical_or",
  2,
  "x ≠ 0 or y ≠ 0",
  (_scope, _attributes, x: Value, y: Value) => x.where(1, y.not_equal(0)),
);

export const logicalXor: Composite<NoAttributes> = truth(
  "logical_xor",
  2,
  "one of x and y is 0",
  (_scope, _attributes, x: Value, y: Value) => x.equal(0).not_equal(y.equal(0)),
);
