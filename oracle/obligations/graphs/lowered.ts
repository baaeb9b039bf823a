import { type LoopProgram, writtenOut } from "../../../engines/compile/plan/index.ts";
import { lower } from "../../../engines/compile/plan/lower/index.ts";
import {
  evaluateTerms,
  type ScalarTerm,
  type SymbolicAlgebra,
  subterms,
  type Term,
} from "../../../reference/algebras/symbolic/index.ts";
import { type Tensor, tensor } from "../../../reference/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId, present, type Ring, sizeOf } from "../../../spec/shapes/index.ts";
import { meaningOf } from "../meaning.ts";
import { type Arithmetic, resultsOver } from "../rewrites/index.ts";
import { valueName } from "./gradients.ts";

/** Lowers the gradient of a graph's last node, times a cotangent, by every input, as bit-exact engines do. */
export function loweredGradient(program: PrimitiveGraph): LoopProgram {
  const { graph, output } = writtenOut(program, "bit_exact", undefined);
  const ids = graph.inputs.map((_, id) => nodeId(id));
  const seeds = [{ id: output, from: "source" }] as const;
  return lower(graph, { values: [], cotangents: { ids, seeds } }, "bit_exact");
}

/** Takes a loop program's scalar functions from a ring. Throws {@link InvariantError} for non-polynomials. */
export function arithmeticOf<S>(a: Ring<S>): Arithmetic<S> {
  return {
    literal: a.literal,
    apply: (name, operands) => {
      const [x, y] = [present(operands[0], "an operand"), operands[1]];
      if (name === "negative") return a.negative(x);
      if (name === "add" || name === "multiply") return a[name](x, present(y, "a second operand"));
      if (name === "subtract") return a.add(x, a.negative(present(y, "a second operand")));
      throw new InvariantError(`${name} makes no polynomial`);
    },
  };
}

/** Names each element a loop program's caller hands in: inputs as values of their ids, the cotangent `c`. */
export function sourceNames({ sources }: LoopProgram): readonly (readonly string[])[] {
  return sources.map(({ origin, shape }) =>
    origin.kind === "input"
      ? Array.from({ length: sizeOf(shape) }, (_, position) => valueName(origin.position, position))
      : ["c"],
  );
}

/** Writes a loop program's results, element after element, as terms of what is handed in. */
export function programTerms(program: LoopProgram, a: SymbolicAlgebra): readonly ScalarTerm[] {
  const sources = sourceNames(program).map((names) => names.map(a.variable));
  return resultsOver(program, arithmeticOf(a.operations), { sources });
}

/** Terms of the inputs are written with the values of nodes instead. */
export interface InValues {
  readonly terms: readonly ScalarTerm[];
  /** Returns the unknown for a value; equal terms of the inputs share one. */
  readonly unknownFor: (name: string) => ScalarTerm;
}

/**
 * Rewrites terms of the inputs with an unknown for every part that is, word for word, the value of a node by
 * the reference's forward functions. Law: what holds for all unknowns holds of those values. Cost: linear.
 */
export function inValuesOf(
  program: PrimitiveGraph,
  a: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
): InValues {
  const values: Tensor<ScalarTerm>[] = program.inputs.map(({ shape }, id) =>
    tensor(shape, (position) => a.variable(valueName(id, position))),
  );
  for (const { forward } of meaningOf(program, a).nodes) values.push(forward(values, new Map()));
  const unknowns = new Map<Term, ScalarTerm>();
  const byName = new Map<string, ScalarTerm>();
  for (const [id, { data }] of values.entries()) {
    for (const [position, term] of data.entries()) {
      const name = valueName(id, position);
      const unknown = unknowns.get(term) ?? a.variable(name);
      unknowns.set(term, unknown);
      byName.set(name, unknown);
    }
  }
  return { terms: replaced(a, terms, unknowns), unknownFor: (name) => byName.get(name) ?? a.variable(name) };
}

/** Replaces some parts of terms, the largest first. */
function replaced(
  a: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  by: ReadonlyMap<Term, ScalarTerm>,
): readonly ScalarTerm[] {
  const done = new Map<Term, ScalarTerm>();
  for (const term of subterms(terms)) {
    const known = by.get(term);
    if (known !== undefined) done.set(term, known);
    else if (term.kind === "literal" || term.kind === "variable") done.set(term, term);
    else if (term.kind === "application") {
      const [x, y] = term.operands.map((operand) => present(done.get(operand), "a part"));
      const first = present(x, "an operand");
      const { operator } = term;
      if (operator === "negative") done.set(term, a.operations.negative(first));
      else if (operator === "add" || operator === "multiply")
        done.set(term, a.operations[operator](first, present(y, "a second operand")));
      else throw new InvariantError(`${operator} makes no polynomial`);
    } else throw new InvariantError(`a ${term.kind} makes no polynomial`);
  }
  return terms.map((term) => present(done.get(term), "a term"));
}

/** Replaces unknown values in terms by the unknown that stands for each. */
export function withUnknowns(
  a: SymbolicAlgebra,
  terms: readonly ScalarTerm[],
  unknownFor: InValues["unknownFor"],
): readonly ScalarTerm[] {
  return evaluateTerms(a, terms, { scalar: unknownFor });
}
