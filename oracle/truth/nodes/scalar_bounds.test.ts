import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { float64 } from "../../../reference/index.ts";
import { bitExactConventions, referenceConventions } from "../../../spec/contract/index.ts";
import { at, nodeId } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { expandCase, type PrimitiveCase, valuesOf } from "../../case/index.ts";
import { type CaseProfile, campaign, scalar20Profile, tensorProfile } from "../../generate/index.ts";
import type { Bounded } from "../bound/index.ts";
import { type Ball, type Centre, exactCentre, floatCentre, isOfDegree } from "../centre/index.ts";
import { referenceStandard, type Standard, standardOf } from "../standard/index.ts";
import { boundsAround, boundsByGraph } from "./bounds.ts";
import { type Elementwise, elementwiseOver } from "./elementwise.ts";
import { algebraOf, honestScalars } from "./honest_graph.ts";
import { type ScalarBounds, scalarBounds, scalarOperators, valuesOfScalars } from "./scalar_bounds.ts";

const declared = { conventions: referenceConventions, accuracy: {} };
const accuracy = { multiply: 0.75, add: 1.5, divide: 1, exp: 5, maximum: 2, where: 1, constant: 1 };
const standards: readonly Standard[] = [
  standardOf({ conventions: bitExactConventions, accuracy: {}, slopes: "accurate" }, "float64"),
  standardOf({ ...declared, accuracy }, "float64"),
  referenceStandard("float32"),
  standardOf({ conventions: { ...referenceConventions, subnormals: "flushed" }, accuracy: {} }, "float32"),
  referenceStandard("bfloat16"),
];

/** Ties, cancellations, poles, what overflows or underflows in a precision, and what is no number. */
const special: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  0.1,
  1e200,
  -1e200,
  1e-200,
  3.4e38,
  1e-46,
  2 ** -1022,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

/** Puts special numbers in the place of some of a case's, another choice for each `turn`. */
function atEdges(question: PrimitiveCase, turn: number): PrimitiveCase {
  let place = turn;
  const changed = ({ shape, data }: FlatTensor): FlatTensor => ({
    shape,
    data: data.map((x) => {
      place += 7;
      return place % 5 < 3 ? x : at(special, place % special.length);
    }),
  });
  const { point, tangents, seeds } = question;
  const environment = new Map([...point.environment].map(([name, flat]) => [name, changed(flat)]));
  return {
    ...question,
    point: { inputs: point.inputs.map(changed), environment },
    tangents: tangents.map(changed),
    seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: changed(cotangent) })),
  };
}

const profile: CaseProfile = {
  ...scalar20Profile,
  operators: [...scalar20Profile.operators, "where", "floor", "less", "equal", "full", "stop_gradient"],
};
const drawn = [...campaign(profile, 11, 30)].map((question) => expandCase(question).question);
const cases = drawn.flatMap((question, turn) => [
  question,
  atEdges(question, turn),
  atEdges(question, 100 + turn),
]);

/** Finds the first id of a case at which numbers are not those of the honest graph. */
function differenceOf<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  scalars: ScalarBounds<C> | undefined,
): string | undefined {
  if (scalars === undefined) return "the case was refused";
  const graph = boundsByGraph(question, standard, centre, false);
  const { zero } = algebraOf(centre, standard).additive;
  const parts = {
    value: scalars.values(),
    tangent: scalars.tangents(),
    cotangent: scalars.cotangents(),
  } as const;
  for (const part of ["value", "tangent", "cotangent"] as const) {
    for (let id = 0; id < question.graph.inputs.length + question.graph.nodes.length; id++) {
      const [x, y] = [parts[part][id] ?? zero, at(graph[part](nodeId(id)), 0)];
      if (!isDeepStrictEqual(x, y)) return `${part} of ${id}`;
    }
  }
  return undefined;
}

test("numbers of scalars are those of the honest graph, at edges too", () => {
  for (const question of cases) {
    for (const standard of standards) {
      const scalars = honestScalars(question, standard, floatCentre);
      expect(differenceOf(question, standard, floatCentre, scalars)).toBeUndefined();
      if (!isOfDegree(question.graph, 64)) continue;
      const exact = honestScalars(question, standard, exactCentre);
      expect(differenceOf(question, standard, exactCentre, exact)).toBeUndefined();
    }
  }
});

test("every operator of scalars is among the cases", () => {
  const written = elementwiseOver(algebraOf(floatCentre, at(standards, 0)), false);
  const missing = [...Object.keys(written.one), ...Object.keys(written.two), "where"].filter(
    (name) => !drawn.some(({ graph }) => graph.nodes.some(({ op }) => op === name)),
  );
  expect(missing).toEqual([]);
});

/** Tells whether the values of a case of scalars are the reference's. */
function areReference(question: PrimitiveCase, written?: Elementwise<number>): boolean {
  const values = valuesOfScalars(question, written);
  return valuesOf(question).every(({ data }, id) => Object.is(values?.[id], data[0]));
}

test("values of scalars are the reference's, at edges too", () => {
  expect(cases.filter((question) => !areReference(question))).toEqual([]);
});

test("this tells an operator that is off by the sign of a zero, or by an ulp", () => {
  const written = elementwiseOver(float64, false);
  const unsigned: Elementwise<number> = { ...written, one: { ...written.one, negative: minusFromZero } };
  expect(cases.every((question) => areReference(question, unsigned))).toBe(false);
  const rounded = { value: (x: number) => Math.fround(Math.exp(x)), tangent: (x: number) => x };
  const imprecise = { ...written, one: { ...written.one, exp: rounded } };
  expect(cases.every((question) => areReference(question, imprecise))).toBe(false);
});

const minusFromZero = { value: (x: number) => 0 - x, tangent: (x: number) => x };

type Formulas = Elementwise<Bounded<Ball>>;

/** Takes a number for the sum of two more. */
function spoiled(x: Bounded<Ball>): Bounded<Ball> {
  return { ...x, terms: x.terms + 2 };
}

/** Lists the formulas of an algebra with one fault each, by the operator that has it. */
function faulty(written: Formulas): [name: string, formulas: Formulas][] {
  const found: [string, Formulas][] = [];
  for (const [op, own] of Object.entries(written.one)) {
    const { value, tangent, bar } = own;
    const wrong = (change: Partial<typeof own>): Formulas => ({
      ...written,
      one: { ...written.one, [op]: { ...own, ...change } },
    });
    found.push([`value of ${op}`, wrong({ value: (x) => spoiled(value(x)) })]);
    found.push([`tangent of ${op}`, wrong({ tangent: (x, dot, y) => spoiled(tangent(x, dot, y)) })]);
    if (bar !== undefined)
      found.push([`cotangent of ${op}`, wrong({ bar: (x, c, y) => spoiled(bar(x, c, y)) })]);
  }
  for (const [op, own] of Object.entries(written.two)) {
    const { value, tangent, bars } = own;
    const wrong = (change: Partial<typeof own>): Formulas => ({
      ...written,
      two: { ...written.two, [op]: { ...own, ...change } },
    });
    found.push([`value of ${op}`, wrong({ value: (x, y) => spoiled(value(x, y)) })]);
    found.push([`tangent of ${op}`, wrong({ tangent: (...all) => spoiled(tangent(...all)) })]);
    if (bars === undefined) continue;
    const [left, right] = bars;
    found.push([`left of ${op}`, wrong({ bars: [(...all) => spoiled(left(...all)), right] })]);
    found.push([`right of ${op}`, wrong({ bars: [left, (...all) => spoiled(right(...all))] })]);
  }
  const { where } = written;
  if (where !== undefined) {
    const { value, bars } = where;
    const late: typeof value = (...all) => spoiled(value(...all));
    found.push(["value of where", { ...written, where: { value: late, bars } }]);
    found.push(["cotangents of where", { ...written, where: { value, bars: [bars[1], bars[0]] } }]);
  }
  return found;
}

test("this tells one wrong formula of any operator", () => {
  const standard = at(standards, 1);
  const algebra = algebraOf(floatCentre, standard);
  const unseen = faulty(elementwiseOver(algebra, false)).filter(([, formulas]) => {
    const operators = scalarOperators(algebra, standard, floatCentre, formulas);
    return cases.every((question) => {
      const scalars = scalarBounds(question, standard, floatCentre, algebra, operators);
      return differenceOf(question, standard, floatCentre, scalars) === undefined;
    });
  });
  expect(unseen.map(([name]) => name)).toEqual([]);
});

test("other cases, and engines with choices of their own, have the honest graph", () => {
  const isByGraph = (question: PrimitiveCase, standard: Standard): boolean =>
    honestScalars(question, standard, floatCentre) === undefined;
  const question = at(drawn, 0);
  const own = { ...referenceConventions, maximumAtTie: "split" } as const;
  expect(isByGraph(question, referenceStandard("float64"))).toBe(false);
  expect(isByGraph(question, standardOf({ ...declared, conventions: own }, "float64"))).toBe(true);
  expect(isByGraph(question, referenceStandard("posit32"))).toBe(true);
  expect(isByGraph(question, standardOf({ ...declared, saved: "bfloat16" }, "float32"))).toBe(true);
  const [tensors] = campaign(tensorProfile, 3, 1);
  expect(tensors && isByGraph(expandCase(tensors).question, referenceStandard("float64"))).toBe(true);
  // Who needs the graph has it.
  expect(boundsAround(question, at(standards, 0), floatCentre).graph.nodes).toHaveLength(
    question.graph.nodes.length,
  );
});
