import {
  at,
  type FlatTensor,
  floatAt,
  nodeId,
  type PrimitiveGraph,
  present,
  type Seed,
} from "../../../../spec/index.ts";
import { type Answer, interpret } from "../../../interpretation/index.ts";
import type { Numbers, Precision } from "../executable.ts";
import type { Regime } from "../rewrite.ts";
import type { ScalarBackend } from "./executable.ts";
import {
  allOperators,
  awkwardNumbers,
  drawing,
  flowingOperators,
  integerOperators,
  pointOf,
  type Recipe,
  randomGraph,
} from "./graphs.test.kit.ts";
import { type ScalarPasses, scalarPasses } from "./plan.ts";
import { type ScalarProgram, scalarProgramOf } from "./program.ts";

/** Kinds of inputs, tangents and seeds: integers; −1.5 to 1.5; or those with zeros, infinities and NaN. */
type Points = "integer" | "ordinary" | "awkward";

/** It says what is compared with the interpreter, and how. */
export interface Comparison {
  readonly backend: ScalarBackend;
  readonly precision: Precision;
  readonly regime: Regime;
  readonly recipe: Recipe & { readonly points: Points };
  /** If true, level-sorted runs are taken however short they are; else single steps. */
  readonly takesRuns: boolean;
  readonly passes?: ScalarPasses;
}

/** This was compared for one graph: counts of numbers and of −0, and the first difference. */
export interface Outcome {
  readonly compared: number;
  readonly negativeZeros: number;
  readonly difference: string | undefined;
}

/**
 * Compares a seed's graph with the interpreter: value, gradient and tangent of one of the last ids, twice;
 * and all ids' values, tangents and cotangents, from several seeds. Bit-exact answers agree in the sign of
 * zero too.
 */
export function compared(comparison: Comparison, seed: number): Outcome {
  const { backend, precision, regime, recipe, passes = scalarPasses } = comparison;
  const graph = randomGraph(recipe, seed);
  const draw = drawing(seed + 1_000_000);
  const number = (): number => {
    if (recipe.points === "integer") return Math.floor(draw(7)) - 3;
    return recipe.points === "awkward" && draw(6) < 1
      ? present(awkwardNumbers[Math.floor(draw(awkwardNumbers.length))], "number")
      : draw(3) - 1.5;
  };
  const ids = recipe.inputs + recipe.nodes;
  const output = ids - 1 - Math.floor(draw(3));
  const shortestRun = comparison.takesRuns ? 0 : Number.POSITIVE_INFINITY;
  const request = { output, regime, precision, backend: { ...backend, shortestRun } };
  const program = present(scalarProgramOf(graph, request, passes), "program");
  const x = graph.inputs.map(number);
  const environment = graph.environment.map(number);
  const question: Asked = {
    graph,
    precision,
    output,
    x,
    environment,
    tangents: x.map(number),
    seed: number(),
    seeded: [output, 0, ids - 1, ids >> 1].filter((id, n, all) => all.indexOf(id) === n),
    number,
  };
  const pairs = [
    ...leanPairs(program, question),
    ...leanPairs(program, { ...question, x: x.map(number) }),
    ...densePairs(program, question),
  ];
  const isEqual = regime === "bit_exact" ? Object.is : (a: number, b: number) => a === b || Object.is(a, b);
  const found = pairs.flatMap(([what, actual, expected]) =>
    expected.flatMap((number, n) =>
      actual.length === expected.length && isEqual(at(actual, n), number)
        ? []
        : [`${what}[${n}] is ${actual[n]}, not ${number}`],
    ),
  );
  const numbers = pairs.flatMap(([, , expected]) => expected);
  return {
    compared: numbers.length,
    negativeZeros: numbers.filter((number) => Object.is(number, -0)).length,
    difference: found[0] === undefined ? undefined : `graph ${seed}: ${found[0]}`,
  };
}

interface Asked {
  readonly graph: PrimitiveGraph;
  readonly precision: Precision;
  readonly output: number;
  readonly x: readonly number[];
  readonly environment: readonly number[];
  readonly tangents: readonly number[];
  readonly seed: number;
  readonly seeded: readonly number[];
  readonly number: () => number;
}

/** A name, the answer, and the interpreter's answer. */
type Pair = readonly [what: string, actual: readonly number[], expected: readonly number[]];

function leanPairs({ executable }: ScalarProgram, asked: Asked): readonly Pair[] {
  const { graph, precision, output, tangents } = asked;
  const core = interpret(graph, precision);
  const point = pointOf(graph, asked.x, asked.environment);
  const [x, environment] = [numbers(precision, asked.x), numbers(precision, asked.environment)];
  const position = output - graph.inputs.length;
  const value = at(numbersOf(core.evaluate(point)), position);
  const gradient = numbersOf(core.vjp(point, [seedAt(output, asked.seed)]));
  const tangent = at(numbersOf(core.jvp(point, tangents.map(scalarTensor))), position);
  return [
    ["value", [executable.evaluate(x, environment)], [value]],
    ["gradient", [...executable.gradient(x, environment, asked.seed)], gradient],
    ["value after the gradient", [executable.value], [value]],
    ["tangent", [executable.jvp(x, environment, numbers(precision, tangents))], [tangent]],
    ["gradient after the tangent", [...executable.gradient(x, environment, asked.seed)], gradient],
  ];
}

function densePairs(program: ScalarProgram, asked: Asked): readonly Pair[] {
  const { graph, precision, seeded } = asked;
  const dense = program.dense();
  const core = interpret(graph, precision);
  const point = pointOf(graph, asked.x, asked.environment);
  const [x, environment] = [numbers(precision, asked.x), numbers(precision, asked.environment)];
  const seeds = seeded.map(asked.number);
  const expected = numbersOf(
    core.backwardDense(
      point,
      seeded.map((id, n) => seedAt(id, at(seeds, n))),
    ),
  );
  const inputs = graph.inputs.length;
  return [
    ["values", [...dense.evaluate(x, environment)].slice(inputs), numbersOf(core.evaluate(point))],
    ["cotangents", [...dense.backward(x, environment, seeded, numbers(precision, seeds))], expected],
    [
      "tangents",
      [...dense.jvp(x, environment, numbers(precision, asked.tangents))].slice(inputs),
      numbersOf(core.jvp(point, asked.tangents.map(scalarTensor))),
    ],
  ];
}

function numbers(precision: Precision, from: readonly number[]): Numbers {
  return precision === "float32" ? Float32Array.from(from) : Float64Array.from(from);
}

function numbersOf(answer: Answer): number[] {
  if (!answer.ok) throw new Error(answer.error);
  return answer.value.map((numbers) => floatAt(numbers, 0));
}

function scalarTensor(value: number): FlatTensor {
  return { shape: [], data: Float64Array.of(value) };
}

function seedAt(id: number, value: number): Seed {
  return { id: nodeId(id), cotangent: scalarTensor(value) };
}

const shared = { inputs: 5, nodes: 120, window: 25, gathering: 30, literals: [0, 1, 2.5, -0.7] };

/** These graphs have all operators at all numbers; most cotangents are zeros or NaN. */
export const everything: Comparison["recipe"] = { ...shared, operators: allOperators, points: "awkward" };

/** In these graphs cotangents arrive almost everywhere, as sums whose order shows. */
export const sums: Comparison["recipe"] = { ...shared, operators: flowingOperators, points: "ordinary" };

/** In these graphs every sum is exact. */
export const integers: Comparison["recipe"] = {
  ...shared,
  nodes: 60,
  gathering: 15,
  operators: integerOperators,
  literals: [0, 1, 2, -3],
  points: "integer",
};

/** Returns the first difference on graphs 0 … `graphs`, if there is one. */
export function firstDifference(comparison: Comparison, graphs: number): string | undefined {
  for (let seed = 0; seed < graphs; seed++) {
    const { difference } = compared(comparison, seed);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
