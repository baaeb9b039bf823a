import {
  declarationsOf,
  definitionsOf,
  evaluateTerms,
  overReals,
  readExpressions,
  readNumeral,
  realNumeral,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
  type WrittenTerms,
  writeTerms,
} from "../../../reference/algebras/symbolic/index.ts";
import {
  formatRational,
  type Rational,
  rational,
  rationalFromNumber,
  tensor,
} from "../../../reference/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, present, type Shape } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { drawGraph, type Size } from "./generate.ts";
import {
  nothingPlanted,
  type Plant,
  runGradients,
  symbolicGradient,
  unknownValues,
  valueName,
} from "./gradients.ts";
import { inValuesOf, loweredGradient, programTerms, withUnknowns } from "./lowered.ts";
import { isSamePolynomial, polynomialsOf } from "./normal_form.ts";
import { type WrongRule, wrongRules } from "./wrong_rules.ts";

const COUNT = 50;

/**
 * Draws graphs of 6 to 24 nodes, of scalars or small vectors and matrices. Each comes from the first seed, of
 * those that count up in fifties, in whose gradient something can be recomputed.
 */
export function polynomialGraphs(): readonly PrimitiveGraph[] {
  return Array.from({ length: COUNT }, (_, index) =>
    drawGraph(index + 1 + COUNT * (laterSeeds[index + 1] ?? 0), sizeOfGraph(index)),
  );
}

/** Each graph of these numbers passes over this many seeds in which nothing can be recomputed. */
const laterSeeds: Readonly<Record<number, number>> = {
  1: 1, 2: 2, 3: 2, 8: 1, 14: 3, 20: 2, 21: 2, 24: 2, 25: 3, 26: 1, 33: 1, 35: 2, 39: 6, 40: 5, 42: 2, 43: 1, 44: 5, 48: 1, 49: 2,
}; // biome-ignore format: a list

const shapeLists: readonly (readonly Shape[])[] = [[[]], [[2], []], [[2]], [[2, 2], []], [[3]]];

function sizeOfGraph(seed: number): Size {
  return {
    nodes: 6 + (seed % 19),
    inputs: 1 + (seed % 3),
    shapes: shapeLists[seed % shapeLists.length] ?? [[]],
    isTranscendental: false,
  };
}

/** The first term should equal the second. */
type Pair = readonly [got: ScalarTerm, want: ScalarTerm];

/** This is a graph and the right gradient: terms of its values and of the cotangent `c`. */
interface Statement {
  readonly program: PrimitiveGraph;
  readonly algebra: SymbolicAlgebra;
  readonly wanted: readonly ScalarTerm[];
  /** Each gradient of the lowered graph stands beside the right one. */
  readonly lowered: readonly Pair[];
}

function questionOf(program: PrimitiveGraph, lowering = loweredGradient): Statement {
  const algebra = symbolic();
  const wanted = symbolicGradient(program, algebra, algebra.variable("c"));
  const results = programTerms(lowering(program), algebra);
  const { terms, unknownFor } = inValuesOf(program, algebra, results);
  return { program, algebra, wanted, lowered: pairs(terms, withUnknowns(algebra, wanted, unknownFor)) };
}

function pairs(got: readonly ScalarTerm[], want: readonly ScalarTerm[]): readonly Pair[] {
  return want.map((term, index) => [present(got[index], "an element of a gradient"), term]);
}

/** Computes a graph's gradients in every way, each beside the symbolic one. */
function gradientTerms({ program, algebra, wanted, lowered }: Statement, plant: Plant): readonly Pair[] {
  const values = unknownValues(program, algebra);
  const { tape, graph, sparse } = runGradients(program, algebra, values, algebra.variable("c"), plant);
  return [...[tape, graph, sparse].flatMap((way) => pairs(way, wanted)), ...lowered];
}

/**
 * Tells whether the gradients of the tape, of `backpropAllCtx`, of the sparse loop and of the lowered graph
 * are the symbolic one, as polynomials in all values: an exact decision for these graphs. Cost: the number of
 * monomials.
 */
export function isDecidedEqual(
  program: PrimitiveGraph,
  plant: Plant = nothingPlanted,
  lowering: typeof loweredGradient = loweredGradient,
): boolean {
  const terms = gradientTerms(questionOf(program, lowering), plant);
  const wanted = polynomialsOf(terms.map(([, want]) => want));
  return polynomialsOf(terms.map(([got]) => got)).every((polynomial, index) =>
    isSamePolynomial(polynomial, present(wanted[index], "a polynomial")),
  );
}

interface Written {
  readonly declarations: string;
  readonly goal: string;
}

/** Writes the gradients as definitions, and their equality as a goal. */
function write(question: Statement, plant: Plant): Written {
  const { program, algebra: a } = question;
  const all = gradientTerms(question, plant).flat();
  const written: WrittenTerms = writeTerms(all, overReals, "t");
  const equations = written.texts.flatMap((got, index) =>
    index % 2 === 0 ? [`(= ${got} ${written.texts[index + 1]})`] : [],
  );
  const asked = askedTerms(program)
    .filter((name) => name !== "c")
    .map((name) => a.variable(name));
  return {
    declarations: `${declarationsOf([...all, ...asked, a.variable("c")])}\n${definitionsOf(written)}`,
    goal: `(and ${equations.join("\n  ")})`,
  };
}

function askedTerms(program: PrimitiveGraph): readonly string[] {
  const names = shapesOf(program).flatMap((shape, id) =>
    tensor(shape, (position) => valueName(id, position)).data.map((name) => name),
  );
  return [...names, "c"];
}

function modelRational(model: Model, term: string): Rational {
  const [expression] = readExpressions(model.get(term) ?? "") ?? [];
  const value = expression === undefined ? undefined : readNumeral(expression);
  if (value === undefined) throw new InvariantError(`${term} is ${model.get(term)}, no rational number`);
  return value;
}

/** Runs the tape on a model's values, with right rules and a wrong one, against the symbolic gradient. */
function executeRule(
  { program, wanted }: Statement,
  { operator, plant }: WrongRule,
  model: Model,
): Execution {
  const scalar = (name: string): Rational => modelRational(model, name);
  const want = evaluateTerms(rational, wanted, { scalar }).map(formatRational).join(" ");
  const [right, wrong] = [runAt(program, nothingPlanted, scalar), runAt(program, plant, scalar)];
  return {
    showsFault: right.every((way) => way === want) && wrong.some((way) => way !== want),
    told: `${program.nodes.map(({ op }) => op).join(" ")}: the gradient is ${want}; with the wrong ${operator} ${wrong[0]}`,
  };
}

/** Computes gradients in each of the reference's ways over the rationals, from given values and cotangent. */
function runAt(program: PrimitiveGraph, plant: Plant, scalar: (name: string) => Rational): readonly string[] {
  const values = shapesOf(program).map((shape, id) =>
    tensor(shape, (position) => scalar(valueName(id, position))),
  );
  const { tape, graph, sparse } = runGradients(program, rational, values, scalar("c"), plant);
  return [tape, graph, sparse].map((way) => way.map(formatRational).join(" "));
}

const ATTEMPTS = 12;

/**
 * Finds small integers for all values of the graph on which a wrong rule shows, as a formula, or `undefined`.
 * The solver only finds the cotangent: to find values that are often multiplied takes it minutes.
 */
function telltalePoint(program: PrimitiveGraph, rule: WrongRule): string | undefined {
  const names = askedTerms(program).filter((name) => name !== "c");
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const numbers = new Map(
      names.map((name, index) => [name, ((3 * index + attempt * (index + 2)) % 7) - 3] as const),
    );
    const scalar = (name: string): Rational => rationalFromNumber(numbers.get(name) ?? 1);
    const [right, wrong] = [nothingPlanted, rule.plant].map((plant) => runAt(program, plant, scalar));
    if (right?.some((way, index) => way !== wrong?.[index])) {
      return `(and ${[...numbers].map(([name, x]) => `(= ${name} ${realNumeral(x)})`).join(" ")})`;
    }
  }
  return undefined;
}

/** Plants at most two wrong rules that make a difference to a graph. */
function mutantsOf(question: Statement, index: number): readonly ObligationMutant[] {
  const { program } = question;
  const ask = askedTerms(program);
  const mutants: ObligationMutant[] = [];
  for (let position = 0; position < wrongRules.length && mutants.length < 2; position++) {
    const rule = wrongRules[(position + index) % wrongRules.length];
    const point = rule && telltalePoint(program, rule);
    if (rule === undefined || point === undefined) continue;
    mutants.push({
      name: rule.name,
      fault: rule.fault,
      ...write(question, rule.plant),
      instead: [{ name: "point", formula: point }],
      ask,
      execute: (model) => executeRule(question, rule, model),
    });
  }
  return mutants;
}

/** Builds the obligation of one graph. */
export function polynomialObligation(program: PrimitiveGraph, index: number): Obligation {
  const question = questionOf(program);
  const id = `graphs/polynomial_${String(index + 1).padStart(2, "0")}`;
  return {
    id,
    statement:
      "For all values in the graph and every cotangent of its last node: the tape, backpropAllCtx, the sparse loop and the loops that the graph is lowered to give the symbolic gradient.",
    clause: "SEMANTICS §5",
    logic: "QF_NRA",
    scope: {
      kind: "graph",
      graph: `${program.inputs.length} inputs; ${program.nodes.map(toldNode).join(", ")}`,
    },
    tier: "everyday",
    ...write(question, nothingPlanted),
    hypotheses: [],
    rlimit: 150_000,
    requiredCore: [],
    mutants: mutantsOf(question, index),
    dependsOn: ["tape/step"],
    metaArgument:
      "The values of nodes are unknowns that nothing ties to the inputs, so it holds in particular of those that the forward functions give. Lowered loops compute values by themselves: the parts of their terms that are, word for word, what the forward functions give have the unknowns put for them.",
  };
}

function toldNode({ op, parents }: PrimitiveGraph["nodes"][number]): string {
  return `${op}(${parents.join(",")})`;
}
