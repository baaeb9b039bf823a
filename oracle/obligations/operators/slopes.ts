import {
  evaluateTerms,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, type Tensor, tensor } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { NeedOf, PrimitiveAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, present } from "../../../spec/shapes/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { type Fault, faultsOf } from "./faults.ts";
import { readModel, tabulated } from "./model.ts";
import { isIdentity } from "./normal_form.ts";
import { purify, type ValueSymbol } from "./purify.ts";
import {
  dualValueOf,
  type Inputs,
  inputsOf,
  pullbackOf,
  type RuleOf,
  rightForward,
  type Use,
  useOf,
} from "./sides.ts";
import { type Known, type SlopeEntry, slopeTable } from "./slope_table.ts";
import {
  type Claim,
  functionClaims,
  obliged,
  reciprocalClaims,
  rootClaims,
  writeStatement,
} from "./statement.ts";
import { type Usage, usages } from "./usages.ts";

/** States that an elementary function's tangent is the table's derivative wherever that exists. */
export function slopeObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const scalars: Usage<PrimitiveAttributes[K]> = present(usages[op][0], "a usage");
  return (slopeTable[op] ?? []).map((entry) => slopeObligation(useOf(op, scalars), entry));
}

/** A question compares the tangent with the table's, given what is known. */
interface Comparison {
  readonly algebra: SymbolicAlgebra;
  readonly tangent: ScalarTerm;
  readonly expected: ScalarTerm;
  readonly symbols: readonly ValueSymbol[];
  readonly known: readonly Claim[];
  readonly point: readonly Claim[];
}

function compared<K extends PrimitiveName>(
  use: Use<K>,
  entry: SlopeEntry,
  tangentOf: (algebra: SymbolicAlgebra, inputs: Inputs<ScalarTerm>) => ScalarTerm,
): Comparison {
  const algebra = symbolic();
  const { operations: a } = algebra;
  const inputs = inputsOf(use, algebra.variable);
  const [x, dx] = [scalarsOf(inputs.x), scalarsOf(inputs.dx)];
  const known = entry.known?.(a, x, dx) ?? [];
  const point = entry.point?.(a, x) ?? [];
  const sides = [...known, ...point].flatMap((fact) => fact.sides);
  const { terms, symbols } = purify(algebra, [tangentOf(algebra, inputs), entry.tangent(a, x, dx), ...sides]);
  const claimAt = ({ name, relation }: Known, index: number): Claim => ({
    name,
    holds: a[relation](present(terms[2 + 2 * index], "a side"), present(terms[3 + 2 * index], "a side")),
  });
  return {
    algebra,
    tangent: present(terms[0], "a tangent"),
    expected: present(terms[1], "the table's tangent"),
    symbols,
    known: known.map(claimAt),
    point: point.map((fact, index) => claimAt(fact, known.length + index)),
  };
}

/** Lists what symbols mean: reciprocals, and roots. */
function meanings({ algebra, symbols }: Comparison, entry: SlopeEntry): readonly Claim[] {
  const roots = rootClaims(algebra, symbols).filter(
    ({ name }) => entry.comparesRoots === true || !name.startsWith("sign-of"),
  );
  return [...reciprocalClaims(algebra, symbols), ...roots];
}

function slopeObligation<K extends PrimitiveName>(use: Use<K>, entry: SlopeEntry): Obligation {
  const { op } = use;
  const rule: RuleOf<K> = rules[op];
  const right = compared(use, entry, (algebra, inputs) => tangentOf(use, rule, algebra, inputs));
  const isSame = isIdentity(right.tangent, right.expected, []);
  const claims = isSame ? [] : [...meanings(right, entry), ...right.known];
  const { equal } = right.algebra.operations;
  const question = writeStatement(claims, [{ holds: equal(right.tangent, right.expected) }]);
  const names = question.hypotheses.map(({ name }) => name);
  return {
    id: `operators/${op}/derivative/${entry.name}`,
    statement: `The tangent of ${op} is its derivative: ${entry.says}.`,
    clause: "SEMANTICS §2, jvp",
    ...obliged(op, "scalar", question),
    mutants: slopeMutants(use, entry, names),
    metaArgument: `The derivative is ${entry.source}; an unknown stands for each value of a function, and what leads from one form to the other is assumed by name.`,
  };
}

function tangentOf<K extends PrimitiveName, S, B>(
  use: Use<K>,
  rule: RuleOf<K>,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
): S {
  return present(dualValueOf(rule, rightForward, use, algebra, inputs).data[0], "a tangent").xDot;
}

/** Multiplies the slopes of a rule's pullback by the tangents, so that a planted slope plants a tangent. */
function tangentByPullback<K extends PrimitiveName, S, B>(
  use: Use<K>,
  rule: RuleOf<K>,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
): S {
  const a = present(algebra.levels.ring, "a ring");
  const c = tensor(use.shape, () => a.one);
  const products = pullbackOf(rule, use, algebra, { ...inputs, c }).map((bar, place) =>
    bar === undefined
      ? a.zero
      : a.multiply(present(bar.data[0], "a slope"), present(inputs.dx[place]?.data[0], "a tangent")),
  );
  return products.reduce((sum, product) => a.add(sum, product));
}

function slopeMutants<K extends PrimitiveName>(
  use: Use<K>,
  entry: SlopeEntry,
  hypotheses: readonly string[],
): readonly ObligationMutant[] {
  const planted: readonly Fault<NeedOf[K], PrimitiveAttributes[K]>[] = faultsOf(use.op);
  const right: RuleOf<K> = rules[use.op];
  return planted.flatMap((fault): readonly ObligationMutant[] => {
    if (fault.vjp === undefined) return [];
    const rule = { ...right, vjp: fault.vjp };
    const wrong = compared(use, entry, (algebra, inputs) => {
      // The run needs the right tangent's symbols too.
      const zero = algebra.operations.multiply(
        algebra.operations.zero,
        tangentOf(use, right, algebra, inputs),
      );
      return algebra.operations.add(tangentByPullback(use, rule, algebra, inputs), zero);
    });
    const { algebra, symbols, tangent, expected, known, point } = wrong;
    if (isIdentity(tangent, expected, symbols)) return [];
    const claims = [
      ...reciprocalClaims(algebra, symbols),
      ...rootClaims(algebra, symbols),
      ...functionClaims(algebra, symbols),
      ...known,
      ...point,
    ];
    const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
    const question = writeStatement(claims, [{ holds: algebra.operations.equal(tangent, expected) }], others);
    return [
      {
        name: fault.name,
        fault: `the slope of ${use.op} ${fault.says}`,
        without: hypotheses,
        instead: question.hypotheses.map(({ name, formula }) => ({ name: `given.${name}`, formula })),
        declarations: question.declarations,
        goal: question.goal,
        ask: question.names,
        execute: (model: Model) => {
          const { numbers, table } = readModel(model, symbols);
          const real = tabulated(table);
          const number = (name: string): Rational => numbers.get(name) ?? rational.additive.zero;
          const inputs = inputsOf(use, number);
          const good = tangentOf(use, right, real, inputs);
          const bad = tangentByPullback(use, rule, real, inputs);
          const [should = rational.additive.zero] = evaluateTerms(rational, [expected], { scalar: number });
          return {
            showsFault:
              good.denominator !== 0n &&
              bad.denominator !== 0n &&
              rational.isSame(good, should) &&
              !rational.isSame(bad, should),
            told: `${use.op} at ${[...numbers].map(([name, value]) => `${name} = ${formatRational(value)}`).join(", ")}: tangent ${formatRational(good)}, the wrong one ${formatRational(bad)}, the table's ${formatRational(should)}`,
          };
        },
      },
    ];
  });
}

function scalarsOf<S>(tensors: readonly Tensor<S>[]): readonly S[] {
  return tensors.map(({ data }) => present(data[0], "a scalar"));
}
