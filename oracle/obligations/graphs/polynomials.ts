import {
  declarationsOf,
  definitionsOf,
  evaluateTerms,
  formatRational,
  overReals,
  type Rational,
  rational,
  readExpressions,
  readNumeral,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
  tensor,
  type WrittenTerms,
  writeTerms,
} from "../../../reference/index.ts";
import { InvariantError, type PrimitiveGraph, type Shape, shapesOf } from "../../../spec/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { drawGraph, type Size } from "./generate.ts";
import {
  type Gradients,
  nothingPlanted,
  type Plant,
  runGradients,
  symbolicGradient,
  unknownValues,
  valueName,
} from "./gradients.ts";
import { isSamePolynomial, polynomialsOf } from "./normal_form.ts";
import { type WrongRule, wrongRules } from "./wrong_rules.ts";

/** How many graphs there are. */
const COUNT = 50;

/** The graphs: 6 to 24 nodes, of scalars or of small vectors and matrices. */
export function polynomialGraphs(): readonly PrimitiveGraph[] {
  return Array.from({ length: COUNT }, (_, seed) => drawGraph(seed + 1, sizeOfGraph(seed)));
}

const shapeLists: readonly (readonly Shape[])[] = [[[]], [[2], []], [[2]], [[2, 2], []], [[3]]];

function sizeOfGraph(seed: number): Size {
  return {
    nodes: 6 + (seed % 19),
    inputs: 1 + (seed % 3),
    shapes: shapeLists[seed % shapeLists.length] ?? [[]],
    isTranscendental: false,
  };
}

/** A graph's gradients in every way, as terms of its values and of the cotangent `c`. */
interface GradientTerms extends Gradients<ScalarTerm> {
  readonly symbolic: readonly ScalarTerm[];
}

function gradientTerms(program: PrimitiveGraph, a: SymbolicAlgebra, plant: Plant): GradientTerms {
  const c = a.variable("c");
  const run = runGradients(program, a, unknownValues(program, a), c, plant);
  return { ...run, symbolic: symbolicGradient(program, a, c) };
}

/**
 * Whether the tape's gradient, that of `backpropAllCtx` and that of the sparse loop are the symbolic one, as polynomials in all values of the graph: exact, and a decision
 * procedure for these graphs. Cost: the number of monomials.
 */
export function isDecidedEqual(program: PrimitiveGraph, plant: Plant = nothingPlanted): boolean {
  const terms = gradientTerms(program, symbolic(), plant);
  const wanted = polynomialsOf(terms.symbolic);
  return [terms.tape, terms.graph, terms.sparse].every((way) =>
    polynomialsOf(way).every((polynomial, index) => {
      const want = wanted[index];
      return want !== undefined && isSamePolynomial(polynomial, want);
    }),
  );
}

interface Written {
  readonly declarations: string;
  readonly goal: string;
}

/** The gradients as definitions, and that they are equal as a goal. */
function write(program: PrimitiveGraph, plant: Plant): Written {
  const a = symbolic();
  const terms = gradientTerms(program, a, plant);
  const all = [...terms.symbolic, ...terms.tape, ...terms.graph, ...terms.sparse];
  const written: WrittenTerms = writeTerms(all, overReals, "t");
  const size = terms.symbolic.length;
  const text = (way: number, index: number): string => written.texts[way * size + index] ?? "";
  const equations = terms.symbolic.flatMap((_, index) =>
    [1, 2, 3].map((way) => `(= ${text(way, index)} ${text(0, index)})`),
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

/** Runs the tape over the rationals on the values of a model, with the right rules and with the wrong one, against the symbolic gradient there. */
function executeRule(program: PrimitiveGraph, { operator, plant }: WrongRule, model: Model): Execution {
  const scalar = (name: string): Rational => modelRational(model, name);
  const values = shapesOf(program).map((shape, id) =>
    tensor(shape, (position) => scalar(valueName(id, position))),
  );
  const a = symbolic();
  const terms = symbolicGradient(program, a, a.variable("c"));
  const want = evaluateTerms(rational, terms, { scalar }).map(formatRational).join(" ");
  const run = (planted: Plant): readonly string[] => {
    const { tape, graph, sparse } = runGradients(program, rational, values, scalar("c"), planted);
    return [tape, graph, sparse].map((way) => way.map(formatRational).join(" "));
  };
  const [right, wrong] = [run(nothingPlanted), run(plant)];
  return {
    showsFault: right.every((way) => way === want) && wrong.some((way) => way !== want),
    told: `${program.nodes.map(({ op }) => op).join(" ")}: the gradient is ${want}; with the wrong ${operator} ${wrong[0]}`,
  };
}

/** The wrong rules that make a difference to a graph, by the normal form; at most two. */
function mutantsOf(program: PrimitiveGraph, index: number): readonly ObligationMutant[] {
  const ask = askedTerms(program);
  const turned = wrongRules.map((_, position) => wrongRules[(position + index) % wrongRules.length]);
  const telling = turned.filter((rule) => rule !== undefined && !isDecidedEqual(program, rule.plant));
  return telling.slice(0, 2).flatMap((rule) =>
    rule === undefined
      ? []
      : [
          {
            name: rule.name,
            fault: rule.fault,
            ...write(program, rule.plant),
            ask,
            execute: (model) => executeRule(program, rule, model),
          },
        ],
  );
}

/** The obligation of one graph. */
export function polynomialObligation(program: PrimitiveGraph, index: number): Obligation {
  const id = `graphs/polynomial_${String(index + 1).padStart(2, "0")}`;
  return {
    id,
    statement:
      "For all values in the graph and every cotangent of its last node: the tape, backpropAllCtx and the sparse loop give the symbolic gradient.",
    clause: "SEMANTICS §5",
    logic: "QF_NRA",
    scope: {
      kind: "graph",
      graph: `${program.inputs.length} inputs; ${program.nodes.map(toldNode).join(", ")}`,
    },
    tier: "everyday",
    ...write(program, nothingPlanted),
    hypotheses: [],
    rlimit: 1_000_000,
    requiredCore: [],
    mutants: mutantsOf(program, index),
    dependsOn: ["tape/step"],
    metaArgument:
      "The values of nodes are unknowns that nothing ties to the inputs, so it holds in particular of those that the forward functions give.",
  };
}

function toldNode({ op, parents }: PrimitiveGraph["nodes"][number]): string {
  return `${op}(${parents.join(",")})`;
}
