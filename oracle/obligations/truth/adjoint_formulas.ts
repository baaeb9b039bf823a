import type { Value } from "../../../spec/builder/index.ts";
import type { Hypothesis, Obligation } from "../obligation.ts";
import { called, got } from "./code.ts";
import {
  asItself,
  attributes,
  equal,
  evaluated,
  formula,
  type Matrix,
  matrix,
  normalization,
  product,
  ROOT,
  sum,
  type Unknown,
  unknownsIn,
} from "./formulas.ts";
import { faultsIn, stepOf } from "./operands.ts";
import { type Bench, type Step, stepObligation } from "./step.ts";

const inMatrices = faultsIn("whole/matrix_formulas");
const inNormalizations = faultsIn("whole/normalization_formulas");

const ORDER_TWO = "The matrices have two rows; the formulas are written in products of whole matrices.";

const l = matrix("l");
const v = matrix("v");
const da = matrix("da");
const c = matrix("c");

const transposed = ([p = "", q = "", r = "", s = ""]: Matrix): Matrix => [p, r, q, s];
const symmetric = (m: Matrix): Matrix => sum(m, transposed(m)).map((entry) => `(* 0.5 ${entry})`);

/** Writes the inner product of two tensors. */
const inner = (one: Matrix | undefined, other: readonly string[] | undefined): string =>
  `(+ 0.0 ${one?.map((entry, place) => `(* ${entry} ${other?.[place]})`).join(" ")})`;

/** A factor has a triangle alone, and a diagonal without 0. */
const factor = (upper: boolean): Hypothesis => ({
  name: "factor",
  formula: `(and (= ${upper ? "l10" : "l01"} 0.0) (not (= l00 0.0)) (not (= l11 0.0)))`,
});

const choleskyTangent = (bench: Bench, upper: boolean): readonly string[] | undefined =>
  evaluated(bench, [l, da], (_, [value, tangent]) => [
    called(formula(bench, "choleskyTangent"), value, upper, tangent),
  ])[0];

function choleskyStep(upper: boolean): Step {
  const way = upper ? "upper" : "lower";
  return stepOf({
    id: `formulas/cholesky_${way}`,
    statement: `The tangent of the ${way} Cholesky factor is a triangle like it, and the product of both with the factor is that of the symmetric part of the matrix.`,
    metaArgument: ORDER_TWO,
    rlimit: 4_000_000,
    unknowns: unknownsIn(l, da),
    hypotheses: [factor(upper)],
    claim(bench) {
      const tangent = choleskyTangent(bench, upper) ?? [];
      const [left, right] = upper ? [transposed(l.names), tangent] : [tangent, transposed(l.names)];
      const [other, back] = upper ? [transposed(tangent), l.names] : [l.names, transposed(tangent)];
      const moved = sum(product(left, right), product(other, back));
      return `(and (= 0.0 ${tangent[upper ? 2 : 1]}) ${equal(moved, symmetric(da.names))})`;
    },
    faults: [
      inMatrices(
        "whole-diagonal",
        "the diagonal is not halved.",
        "a.tril({ offset: 0 }).triu({ offset: 0 }).divide(2)",
        "a.tril({ offset: 0 }).triu({ offset: 0 })",
        { l00: "1.0", l01: "0.0", l10: "0.0", l11: "1.0", da00: "1.0" },
      ),
      inMatrices(
        "one-side",
        "the tangent is divided from one side.",
        "divided(lower, transposed(divided(lower, symmetric(tangent))))",
        "divided(lower, symmetric(tangent))",
        { l00: "2.0", l01: "0.0", l10: "0.0", l11: "1.0", da00: "1.0" },
      ),
    ],
  });
}

const inverse = stepOf({
  id: "formulas/inverse_cotangent",
  statement: "The cotangent of an inverted matrix is the adjoint of the inverse's tangent.",
  metaArgument: ORDER_TWO,
  rlimit: 10_000,
  unknowns: unknownsIn(v, da, c),
  hypotheses: [],
  claim(bench) {
    const [dv] = evaluated(bench, [v, da], (_, [value, tangent]) => [
      called(formula(bench, "inverseTangent"), value, tangent),
    ]);
    const [given] = evaluated(bench, [v, c], (_, [value, cotangent]) => [
      called(formula(bench, "inverseCotangent"), value, cotangent),
    ]);
    return `(= ${inner(c.names, dv)} ${inner(da.names, given)})`;
  },
  faults: [
    inMatrices(
      "not-turned",
      "the inverse is not transposed.",
      "const turned = transposed(value)",
      "const turned = value",
      { v00: "0.0", v01: "1.0", v10: "0.0", v11: "0.0" },
    ),
  ],
});

const elements = (name: string): Unknown => ({ shape: [2], names: [`${name}0`, `${name}1`] });
const operands = ["x", "g", "b"].map(elements);
const tangents = ["dx", "dg", "db"].map(elements);
const cotangent = elements("c");

const TWO = "Two elements are normalised, with ε = 1/2; scale and offset are of each.";

const tangentOf = (bench: Bench): readonly string[] =>
  evaluated(bench, [...operands, ...tangents], (scope, values) => [
    called(
      got(normalization(bench), "tangent"),
      scope,
      attributes,
      { operands: values.slice(0, 3) },
      values.slice(3),
    ),
  ])[0] ?? [];

const cotangentsOf = (bench: Bench): readonly (readonly string[])[] =>
  evaluated(bench, [...operands, cotangent], (scope, values) => {
    const given: readonly Value[] = values.slice(0, 3);
    const found = called(
      got(normalization(bench), "cotangents"),
      scope,
      attributes,
      { operands: given },
      values[3],
    );
    return ["0", "1", "2"].map((place) => got(found, place));
  });

const normalizations: readonly Step[] = [
  stepOf({
    id: "formulas/normalization_tangent",
    statement:
      "The tangent of a normalised element is what it moves by: the deviation's own, less what the variance takes, and those of scale and offset.",
    metaArgument: TWO,
    rlimit: 4_000_000,
    unknowns: { ...unknownsIn(...operands, ...tangents), s: "positive" },
    hypotheses: [{ name: "root", formula: ROOT }],
    instead: asItself,
    claim(bench) {
      const tangent = tangentOf(bench);
      const claims = [0, 1].map((place) => {
        const other = 1 - place;
        const deviation = `(* 0.5 (- x${place} x${other}))`;
        const moved = `(* 0.5 (- dx${place} dx${other}))`;
        // Of two elements the mean of the products of deviations is their product for one.
        const straight = `(* s s ${moved} g${place})`;
        const taken = `(* ${deviation} ${deviation} ${moved} g${place})`;
        const scaled = `(* s s ${deviation} dg${place})`;
        return `(= (* s s s (- ${tangent[place]} db${place})) (+ (- ${straight} ${taken}) ${scaled}))`;
      });
      return `(and ${claims.join(" ")})`;
    },
    faults: [
      inNormalizations(
        "still",
        "the variance stands still.",
        ".subtract(deviation.multiply(projected)) .multiply(laid.along(scale))",
        ".multiply(laid.along(scale))",
        { x0: "0.5", x1: "0.0", s: "0.75" },
      ),
    ],
  }),
  stepOf({
    id: "formulas/normalization_cotangents",
    statement: "The cotangents of a normalisation are the adjoint of its tangent.",
    metaArgument: TWO,
    rlimit: 4_000_000,
    unknowns: { ...unknownsIn(...operands, ...tangents, cotangent), s: "positive" },
    hypotheses: [{ name: "root", formula: ROOT }],
    instead: asItself,
    claim(bench) {
      const bars = cotangentsOf(bench);
      const given = tangents.map(({ names }, place) => inner(names, bars[place]));
      return `(= ${inner(cotangent.names, tangentOf(bench))} (+ ${given.join(" ")}))`;
    },
    faults: [
      inNormalizations(
        "no-mean",
        "what the mean takes is left out.",
        "const straight = g.subtract(meanOf(g)).multiply(reciprocal)",
        "const straight = g.multiply(reciprocal)",
        {
          ...{ x0: "0.5", x1: "0.0", s: "0.75", g0: "1.0", g1: "1.0", b0: "0.0", b1: "0.0" },
          ...{ dx0: "1.0", dx1: "1.0", dg0: "0.0", dg1: "0.0", db0: "0.0", db1: "0.0", c0: "1.0", c1: "0.0" },
        },
      ),
    ],
  }),
];

/** States that formulas of factorisations and normalisations are of the derivative, and their adjoints. */
export function adjointFormulaObligations(): readonly Obligation[] {
  return [...[false, true].map(choleskyStep), inverse, ...normalizations].map(stepObligation);
}
