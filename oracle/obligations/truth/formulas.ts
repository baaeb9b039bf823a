import { evaluate, type Tensor, tensor } from "../../../reference/index.ts";
import { type Builder, graph, type Value } from "../../../spec/builder/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import { elementary } from "../../../spec/operators/index.ts";
import {
  type Algebra,
  everyLevel,
  InvariantError,
  type OrderedReal,
  present,
  type Shape,
} from "../../../spec/shapes/index.ts";
import { meaningOf } from "../meaning.ts";
import type { Obligation } from "../obligation.ts";
import { called, got, type Names } from "./code.ts";
import type { Host } from "./host.ts";
import { faultsIn, stepOf, type Tools } from "./operands.ts";
import type { Sign } from "./run.ts";
import { type Bench, type Step, stepObligation, textOf } from "./step.ts";

const inMatrices = faultsIn("whole/matrix_formulas");
const inNormalizations = faultsIn("whole/normalization_formulas");

/** Makes an algebra of a host's numbers, over which programs are evaluated. */
function algebraOf({ operators, math }: Host): Algebra<unknown, unknown> {
  const without = (): never => {
    throw new InvariantError("a formula needs what a host has not");
  };
  const binary =
    (name: string) =>
    (x: unknown, y: unknown): unknown =>
      called(operators[name], x, y);
  const all: OrderedReal<unknown, unknown> = {
    zero: 0,
    one: 1,
    literal: (x) => x,
    detach: (x) => x,
    add: binary("add"),
    multiply: binary("multiply"),
    negative: (x) => called(operators.negative, x),
    divide: binary("divide"),
    ...elementary<unknown>(
      (name) => (name === "sqrt" ? (x) => called(math.sqrt, x) : without),
      () => without,
    ),
    less: binary("less"),
    equal: binary("same"),
    select: (condition, x, y) => (condition === true ? x : y),
    floor: without,
  };
  return {
    name: "host",
    additive: all,
    levels: everyLevel(all),
    isSame: (x, y) => x === y,
    format: String,
    parse: () => undefined,
  };
}

/** A tensor of unknowns has their names, in order. */
export interface Unknown {
  readonly shape: Shape;
  readonly names: readonly string[];
}

/** Evaluates a formula, written with values of the language, on unknown numbers. */
export function evaluated(
  { host, unknown }: Tools,
  inputs: readonly Unknown[],
  write: (builder: Builder, values: readonly Value[]) => readonly unknown[],
): readonly (readonly string[])[] {
  const wanted: unknown[] = [];
  const program = graph((builder) => {
    const values = inputs.map(({ shape }, place) => builder.input(`x${place}`, shape));
    for (const result of write(builder, values)) wanted.push(got(result, "id"));
  });
  const { graph: written, ids } = expand(program);
  const point = inputs.map(
    ({ shape, names }): Tensor<unknown> => tensor(shape, (at) => unknown(names[at] ?? "")),
  );
  const context = evaluate(meaningOf(written, algebraOf(host)), point, new Map());
  return wanted.map((id) => present(context[present(ids[Number(id)], "an id")], "a value").data.map(textOf));
}

export const matrix = (name: string): Unknown => ({
  shape: [2, 2],
  names: ["00", "01", "10", "11"].map((place) => `${name}${place}`),
});
const column = (name: string): Unknown => ({ shape: [2, 1], names: [`${name}0`, `${name}1`] });

export const unknownsIn = (...all: readonly Unknown[]): Readonly<Record<string, Sign>> =>
  Object.fromEntries(all.flatMap(({ names }) => names.map((name) => [name, "any" as const])));

export type Matrix = readonly string[];

export const product = (
  [a = "", b = "", c = "", d = ""]: Matrix,
  [p = "", q = "", r = "", s = ""]: Matrix,
): Matrix =>
  s === ""
    ? [`(+ (* ${a} ${p}) (* ${b} ${q}))`, `(+ (* ${c} ${p}) (* ${d} ${q}))`]
    : [
        `(+ (* ${a} ${p}) (* ${b} ${r}))`,
        `(+ (* ${a} ${q}) (* ${b} ${s}))`,
        `(+ (* ${c} ${p}) (* ${d} ${r}))`,
        `(+ (* ${c} ${q}) (* ${d} ${s}))`,
      ];
export const sum = (x: Matrix, y: Matrix): Matrix => x.map((a, place) => `(+ ${a} ${y[place]})`);
const lowerOf = ([a = "", , c = "", d = ""]: Matrix): Matrix => [a, "0.0", c, d];
export const equal = (x: Matrix, y: Matrix): string =>
  `(and ${x.map((a, place) => `(= ${a} ${y[place]})`).join(" ")})`;

const [A, V, dA] = ["a", "v", "da"].map(matrix);
const [X, dB] = ["x", "db"].map(column);

export const formula = ({ ideal }: Bench, name: string): unknown =>
  ideal.module("whole/matrix_formulas")[name];

const ORDER_TWO = "The matrices have two rows; the formulas are written in products of whole matrices.";

function unknownOf(found: Unknown | undefined): Unknown {
  return present(found, "an unknown");
}

const steps: readonly Step[] = [
  stepOf({
    id: "formulas/inverse",
    statement:
      "The tangent of a matrix V is that of an inverse of A, but for what A V is off from 1: A V̇ + Ȧ V = (1 − A V) Ȧ V.",
    metaArgument: ORDER_TWO,
    rlimit: 200_000,
    unknowns: unknownsIn(unknownOf(A), unknownOf(V), unknownOf(dA)),
    hypotheses: [],
    claim(bench) {
      const [a, v, da] = [A, V, dA].map(unknownOf).map(({ names }) => names);
      const [dv] = evaluated(bench, [unknownOf(V), unknownOf(dA)], (_scope, [value, tangent]) => [
        called(formula(bench, "inverseTangent"), value, tangent),
      ]);
      const moved = sum(product(a ?? [], dv ?? []), product(da ?? [], v ?? []));
      const beside = product(product(a ?? [], v ?? []), product(da ?? [], v ?? []));
      return equal(sum(moved, beside), product(da ?? [], v ?? []));
    },
    faults: [
      inMatrices(
        "signed",
        "it has the other sign.",
        "value.matmul(tangent).matmul(value).negative()",
        "value.matmul(tangent).matmul(value)",
        {
          a00: "1.0",
          a01: "0.0",
          a10: "0.0",
          a11: "2.0",
          v00: "1.0",
          v01: "0.0",
          v10: "0.0",
          v11: "0.5",
          da00: "1.0",
        },
      ),
      inMatrices(
        "one-factor",
        "it is multiplied from one side.",
        "value.matmul(tangent).matmul(value).negative()",
        "value.matmul(tangent).negative()",
        {
          a00: "2.0",
          a01: "0.0",
          a10: "0.0",
          a11: "2.0",
          v00: "0.5",
          v01: "0.0",
          v10: "0.0",
          v11: "0.5",
          da00: "1.0",
        },
      ),
    ],
  }),
  stepOf({
    id: "formulas/triangular_system",
    statement:
      "The tangent of the solution X of T X = B is what that moves by: T Ẋ + Ṫ X = Ḃ, of the triangle alone.",
    metaArgument: ORDER_TWO,
    rlimit: 100_000,
    unknowns: unknownsIn(unknownOf(A), unknownOf(dA), unknownOf(X), unknownOf(dB)),
    hypotheses: [{ name: "regular", formula: "(and (not (= a00 0.0)) (not (= a11 0.0)))" }],
    claim(bench) {
      const [a, da, x, db] = [A, dA, X, dB].map(unknownOf).map(({ names }) => names);
      const [dx] = evaluated(bench, [A, X, dA, dB].map(unknownOf), (_scope, [t, value, tDot, bDot]) => [
        called(formula(bench, "systemTangent"), t, value, false, tDot, bDot),
      ]);
      return equal(sum(product(lowerOf(a ?? []), dx ?? []), product(lowerOf(da ?? []), x ?? [])), db ?? []);
    },
    faults: [
      inMatrices(
        "whole",
        "what lies beyond the triangle counts.",
        "bDot.subtract(triangle(aDot, upper).matmul(value))",
        "bDot.subtract(aDot.matmul(value))",
      ),
      inMatrices(
        "signed",
        "what the matrix moves is added.",
        "bDot.subtract(triangle(aDot, upper).matmul(value))",
        "bDot.add(triangle(aDot, upper).matmul(value))",
      ),
    ],
  }),
];

const elements = (name: string): Unknown => ({ shape: [2], names: [`${name}0`, `${name}1`] });
const operands = ["x", "g", "b"].map(elements);

/** The deviations from the mean of two elements, and the root `s` of their variance and ε. */
const deviations = ["(* 0.5 (- x0 x1))", "(* 0.5 (- x1 x0))"] as const;
export const ROOT = `(= (* s s) (+ (* 0.25 (- x0 x1) (- x0 x1)) 0.5))`;

export const normalization = ({ ideal }: Bench): unknown =>
  called(
    ideal.module("whole/normalization_formulas").normalizationFormulas,
    (_attributes: unknown, x: Value): Names => ({
      grouped: x,
      axes: [0],
      along: (y: unknown) => y,
    }),
  );

export const attributes = { epsilon: 0.5 };

const TWO = "Two elements are normalised, with ε = 1/2; scale and offset are of each.";
export const asItself = (): Names => ({ asProduct: (y: unknown) => y });

const normalizations: readonly Step[] = [
  stepOf({
    id: "formulas/normalization",
    statement:
      "What is computed as x a + (b − m a) is the scaled deviation from the mean, by the root of the variance, and the offset.",
    metaArgument: TWO,
    rlimit: 200_000,
    unknowns: { ...unknownsIn(...operands), s: "positive" },
    hypotheses: [{ name: "root", formula: ROOT }],
    instead: asItself,
    claim(bench) {
      const [y] = evaluated(bench, operands, (scope, values) => [
        called(got(normalization(bench), "value"), scope, attributes, values),
      ]);
      const is = (place: 0 | 1): string =>
        `(= (* s (- ${y?.[place]} b${place})) (* g${place} ${deviations[place]}))`;
      return `(and ${is(0)} ${is(1)})`;
    },
    faults: [
      inNormalizations(
        "no-mean",
        "the mean is not taken off.",
        "asProduct(x).subtract(asProduct(mean))",
        "asProduct(x)",
        { x0: "0.5", x1: "0.0", s: "0.75" },
      ),
      inNormalizations("no-epsilon", "ε is left out.", "variance.add(epsilon).sqrt()", "variance.sqrt()", {
        x0: "0.5",
        x1: "0.0",
        s: "0.75",
      }),
    ],
  }),
];

/** States that formulas of other ways to compute are of the same derivatives. */
export function formulaObligations(): readonly Obligation[] {
  return [...steps, ...normalizations].map(stepObligation);
}
