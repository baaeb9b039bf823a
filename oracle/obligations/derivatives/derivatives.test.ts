import { afterAll, describe, expect, test } from "vitest";
import { type ScalarTerm, symbolic } from "../../../reference/package.ts";
import {
  type DerivativesOf,
  derivatives,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "../../../spec/index.ts";
import type { PrimitiveAttributes } from "../../../spec/operators/index.ts";
import { deciderOf } from "../decider.ts";
import { faultsOfForm } from "../form.ts";
import type { Obligation } from "../obligation.ts";
import { isIdentity, polynomialOf } from "../operators/normal_form.ts";
import { useOf } from "../operators/sides.ts";
import { usages } from "../operators/usages.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { equationsOf } from "./equations.ts";
import { comparisonOf, numbersOf, type Order, type Pair } from "./graphs.ts";
import { derivativeObligations } from "./index.ts";
import { mistakesOf } from "./mutants.ts";
import { frozenValues, loneOperands, plantedDerivatives, withRule } from "./planted/index.ts";
import { resolvedCases } from "./resolve.ts";

const all = derivativeObligations();
const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

const withOperands = primitiveNames.filter((op) => primitives[op].arity !== 0);

const named = (id: string): Obligation => {
  const found = all.find((obligation) => obligation.id === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found;
};

/** Computes both sides of a table's graphs at a use. */
function sidesAt<K extends PrimitiveName>(
  op: K,
  index: number,
  order: Order,
  table: DerivativesOf<PrimitiveName> = derivatives,
): { readonly sides: readonly Pair<ScalarTerm>[]; readonly isSame: boolean } {
  const usage = usages[op][index];
  if (usage === undefined) throw new Error("no such usage");
  const use = useOf(op, usage);
  const algebra = symbolic();
  const pairs = comparisonOf(use, order, table).pairs(algebra, numbersOf(use, algebra.variable));
  const { sides, symbols } = equationsOf(algebra, pairs);
  return { sides, isSame: sides.every(([left, right]) => isIdentity(left, right, symbols)) };
}

describe("the obligations of the rules of derivation", () => {
  test("are of different ids and of good form, each with a mutant", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
  });

  test.each([
    "first",
    "second",
  ] as const)("are there of the %s derivative of every primitive with operands", (order) => {
    const missing = withOperands.filter(
      (op) => !all.some(({ id }) => id.startsWith(`derivatives/${op}/${order}/`)),
    );
    expect(missing).toEqual([]);
  });

  test("are there of the partial derivatives of every primitive with two operands or more", () => {
    const several = withOperands.filter((op) => usages[op].some(({ operands }) => operands.length > 1));
    const missing = several.filter(
      (op) => !all.some(({ id }) => id.startsWith(`derivatives/${op}/partial/`)),
    );
    expect(several.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });

  test("assume nothing, but that the exponent of a power derived twice is not 0", () => {
    const assuming = all.filter(({ hypotheses }) => hypotheses.length > 0).map(({ id }) => id);
    expect(assuming).toEqual(["derivatives/pow/second/scalar_scalar", "derivatives/pow/second/1_1"]);
  });

  test("are left to a solver for powers alone", () => {
    const left = all.filter((obligation) => deciderOf(obligation) === "solver").map(({ id }) => id);
    expect(left.every((id) => id.startsWith("derivatives/pow/"))).toBe(true);
  });

  test.each([
    "derivatives/negative/first/scalar",
    "derivatives/divide/second/scalar_scalar",
    "derivatives/tanh/second/scalar",
    "derivatives/pow/first/scalar_scalar",
    "derivatives/pow/second/scalar_scalar",
    "derivatives/maximum/first/scalar_scalar",
    "derivatives/take/first/3-at-2-0-2",
    "derivatives/gather/first/2-of-none",
    "derivatives/matmul/second/1x1_1x1",
    "derivatives/subtract/partial/scalar_scalar",
    "derivatives/where/partial/scalar_scalar_scalar",
    "derivatives/solve/first/2x2_2x1",
  ])("%s is proved by Z3, and its mutants are refuted and run", async (id) => {
    const record = await prove(named(id), solver);
    expect(record.faults).toEqual([]);
    expect(record.mutants.every(({ execution }) => execution?.showsFault)).toBe(true);
  });
});

describe("a planted rule", () => {
  test("is there for each primitive with operands", () => {
    expect(withOperands.filter((op) => plantedDerivatives[op].length === 0)).toEqual([]);
  });

  test.each(withOperands)("of %s differs from the reference's rule at some use", (op) => {
    const survivors = mistakesOf(op, "first").filter((mistake) =>
      usages[op].every((_, index) => sidesAt(op, index, "first", withRule(op, mistake)).isSame),
    );
    const nothingMoves = ["stop_gradient", "floor", "less", "equal"].includes(op);
    expect(survivors.map(({ name }) => name)).toEqual(nothingMoves ? ["loses-sign", "doubles-tangent"] : []);
  });

  test.each([
    "multiply",
    "exp",
    "divide",
    "matmul",
  ] as const)("of %s that freezes its operands is right once and wrong twice", (op) => {
    const [frozen] = frozenValues<object>(derivatives[op]);
    if (frozen === undefined) throw new Error("no such mistake");
    const table = withRule(op, frozen);
    expect(sidesAt(op, 0, "first", table).isSame).toBe(true);
    expect(sidesAt(op, 0, "second", table).isSame).toBe(false);
  });
});

test("a tangent of subtract along its second operand alone that lacks its sign is wrong partially, and no other way", () => {
  const table: DerivativesOf<PrimitiveName> = {
    ...derivatives,
    subtract: {
      ...derivatives.subtract,
      tangent: (_at, [dx, dy]) => (dx !== undefined && dy !== undefined ? dx.subtract(dy) : (dx ?? dy)),
    },
  };
  expect(sidesAt("subtract", 0, "first", table).isSame).toBe(true);
  expect(sidesAt("subtract", 0, "second", table).isSame).toBe(true);
  expect(sidesAt("subtract", 0, "partial", table).isSame).toBe(false);
});

test.each([
  "add",
  "multiply",
  "divide",
  "hypot",
  "matmul",
  "where",
] as const)("a planted rule of %s that forgets what is read twice, or the sign where an operand stands still, is wrong partially", (op) => {
  for (const mistake of loneOperands<PrimitiveAttributes[typeof op]>(derivatives[op])) {
    const index = op === "matmul" ? 3 : 0;
    const table = withRule<typeof op>(op, mistake);
    expect(sidesAt(op, index, "first", table).isSame).toBe(true);
    expect(sidesAt(op, index, "partial", table).isSame).toBe(false);
  }
});

test.each([
  "first",
  "second",
] as const)("both sides of the %s derivative of solve are linear along directions, so these are enough", (order) => {
  const monomials = [1, 2].flatMap((index) =>
    sidesAt("solve", index, order).sides.flatMap((pair) =>
      pair.flatMap((side) => [...polynomialOf(side).values()].map(({ monomial }) => [...monomial])),
    ),
  );
  const degreeOf = (monomial: readonly (readonly [string, number])[], prefix: RegExp): number =>
    monomial.reduce((sum, [name, exponent]) => sum + (prefix.test(name) ? exponent : 0), 0);
  const degrees = monomials.map((monomial) =>
    [/^dx/, /^c\./, /^dc\./].map((prefix) => degreeOf(monomial, prefix)).join(" "),
  );
  expect([...new Set(degrees)].sort()).toEqual(order === "first" ? ["0 1 0", "1 0 0"] : ["0 0 1", "1 1 0"]);
});

describe("cases", () => {
  const algebra = symbolic();
  const { operations: a, variable } = algebra;
  const [x, y] = [variable("x"), variable("y")];

  test("are distinguished under functions, and by the values of numbers", () => {
    const truth = a.select(a.less(x, y), a.one, a.zero);
    const chosen = a.exp(a.select(a.equal(a.multiply(truth, a.one), a.zero), x, y));
    const cases = resolvedCases(algebra, [chosen]);
    expect(cases.map(({ decisions, terms }) => [decisions.map(({ holds }) => holds), terms])).toEqual([
      [[true], [a.exp(y)]],
      [[false], [a.exp(x)]],
    ]);
  });

  test("are one case where nothing is selected", () => {
    expect(resolvedCases(algebra, [a.add(x, y)])).toEqual([{ decisions: [], terms: [a.add(x, y)] }]);
  });
});

test("functions of operands of one normal form have one unknown, and that the operands are equal is a goal", () => {
  const algebra = symbolic();
  const { operations: a, variable } = algebra;
  const [x, y] = [variable("x"), variable("y")];
  const { goals, sides, symbols } = equationsOf(algebra, [[a.exp(a.add(x, y)), a.exp(a.add(y, x))]]);
  expect(symbols.length).toBe(1);
  expect(sides).toEqual([[symbols[0]?.term, symbols[0]?.term]]);
  expect(goals.map(({ holds }) => holds)).toContain(a.equal(a.add(y, x), a.add(x, y)));
});
