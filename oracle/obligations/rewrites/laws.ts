import type { Hypothesis } from "../obligation.ts";
import type { Arithmetic } from "./arithmetic.ts";

/** Laws have these names. */
export type LawName =
  | "neutral"
  | "commutative"
  | "associative"
  | "difference"
  | "distributive"
  | "product_commutative";

type Sides<T> = readonly [left: T, right: T];

/** A law of algebras is an equation for all elements, in any arithmetic, and as formulas for terms. */
interface Law {
  readonly variables: readonly string[];
  sides<T>(arithmetic: Arithmetic<T>, elements: readonly [a: T, b: T, c: T]): Sides<T>;
}

const equations: Readonly<Record<LawName, Law>> = {
  neutral: { variables: ["a"], sides: (of, [a]) => [sum(of, a, of.literal(0)), a] },
  commutative: { variables: ["a", "b"], sides: (of, [a, b]) => [sum(of, a, b), sum(of, b, a)] },
  associative: {
    variables: ["a", "b", "c"],
    sides: (of, [a, b, c]) => [sum(of, sum(of, a, b), c), sum(of, a, sum(of, b, c))],
  },
  difference: { variables: ["a"], sides: (of, [a]) => [of.apply("subtract", [a, of.literal(0)]), a] },
  distributive: {
    variables: ["a", "b", "c"],
    sides: (of, [a, b, c]) => [product(of, sum(of, a, b), c), sum(of, product(of, a, c), product(of, b, c))],
  },
  product_commutative: {
    variables: ["a", "b"],
    sides: (of, [a, b]) => [product(of, a, b), product(of, b, a)],
  },
};

function sum<T>(arithmetic: Arithmetic<T>, x: T, y: T): T {
  return arithmetic.apply("add", [x, y]);
}

function product<T>(arithmetic: Arithmetic<T>, x: T, y: T): T {
  return arithmetic.apply("multiply", [x, y]);
}

/** Terms are text; laws have only the literal `zero`. */
const text: Arithmetic<string> = {
  literal: () => "zero",
  apply: (name, operands) => `(${name} ${operands.join(" ")})`,
};

/** Laws are hypotheses about the functions of abstract scalars. */
export const laws: Readonly<Record<LawName, Hypothesis>> = {
  neutral: forAll("neutral"),
  commutative: forAll("commutative"),
  associative: forAll("associative"),
  difference: forAll("difference"),
  distributive: forAll("distributive"),
  product_commutative: forAll("product_commutative"),
};

function forAll(name: LawName): Hypothesis {
  const bound = equations[name].variables.map((variable) => `(${variable} Scalar)`);
  return { name, formula: `(forall (${bound.join(" ")}) ${equation(name, ["a", "b", "c"])})` };
}

function equation(name: LawName, elements: readonly [string, string, string]): string {
  const [left, right] = equations[name].sides(text, elements);
  return `(= ${left} ${right})`;
}

/** States a law for these elements only, without a quantifier. */
export function lawAmong(name: LawName, elements: readonly string[]): Hypothesis {
  const formulas = assignments(name, elements).map((triple) => equation(name, triple));
  return { name, formula: `(and ${formulas.join(" ")})` };
}

/** Tells whether a law holds among elements, by `Object.is`. Cost: at most cubic in the elements. */
export function holdsAmong<T>(name: LawName, arithmetic: Arithmetic<T>, elements: readonly T[]): boolean {
  return assignments(name, elements).every((triple) => {
    const [left, right] = equations[name].sides(arithmetic, triple);
    return Object.is(left, right);
  });
}

/** Assigns elements to a law's variables in every way; variables that it lacks get the first. */
function assignments<T>(name: LawName, elements: readonly T[]): readonly (readonly [T, T, T])[] {
  const { length } = equations[name].variables;
  const [second, third] = [1, 2].map((place) => (place < length ? elements : elements.slice(0, 1)));
  return elements.flatMap((a) => (second ?? []).flatMap((b) => (third ?? []).map((c) => [a, b, c] as const)));
}
