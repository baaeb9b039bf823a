import { type SymbolicAlgebra, symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, rational, rationalFromNumber } from "../../../reference/index.ts";
import { derivatives } from "../../../spec/derivatives/index.ts";
import {
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
} from "../../../spec/operators/index.ts";
import { present } from "../../../spec/shapes/index.ts";
import { made } from "../made.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import {
  type Claim,
  obliged,
  readModel,
  tabulated,
  tellUsage,
  type Usage,
  type Use,
  usages,
  useOf,
  writeStatement,
} from "../operators/index.ts";
import { certifiedAlongEach, needsReciprocals } from "./certified.ts";
import { agree } from "./compared.ts";
import { equationsOf } from "./equations.ts";
import { type Comparison, comparisonOf, numbersOf, type Order } from "./graphs.ts";
import { mutantsOf } from "./mutants.ts";

/**
 * States for each rule of `spec/derivatives` at the uses of its operator that its graphs compute what the
 * reference's rules do: once and twice derived, and where operands stand still or are read twice. Operators
 * without operands owe nothing, since their rules are never asked.
 */
export function derivativeObligations(): readonly Obligation[] {
  return primitiveNames.flatMap((op) => obligationsOf(op));
}

function obligationsOf<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return listed
    .filter(({ operands }) => operands.length > 0)
    .flatMap((usage) => {
      const use = useOf(op, usage);
      const isEmpty = use.shape.includes(0) && usage.operands.length === 1;
      const orders: readonly Order[] = isEmpty || isCostly(use) ? ["first"] : ["first", "second"];
      const partial: readonly Order[] = usage.operands.length > 1 ? ["partial"] : [];
      return [...orders, ...partial].map((order) =>
        made(`derivatives/${op}/${order}/${usage.label}`, () => derivativeObligation(use, order)),
      );
    });
}

/** Second derivatives of more than two equations exceed Z3's budget. */
function isCostly({ op, usage }: Use<PrimitiveName>): boolean {
  return op === "solve" && usage.label === "3x3_3x1";
}

const says: Readonly<Record<Order, string>> = {
  first:
    "The derivative graphs of {op} compute the cotangents of vjp and the tangent of forward over dual numbers",
  second: "The derivative of the cotangents' graph of {op} computes vjp over dual numbers",
  partial:
    "Where some operands of {op} stand still, or two are one value, its derivative graphs compute the cotangents of vjp and the tangent of forward over dual numbers",
};

function derivativeObligation<K extends PrimitiveName>(use: Use<K>, order: Order): Obligation {
  const { op, usage } = use;
  const algebra = symbolic();
  const numbers = numbersOf(use, algebra.variable);
  const comparison = comparisonOf(use, order, derivatives);
  const equations = equationsOf(algebra, comparison.pairs(algebra, numbers));
  const claims = conventions(use, order, algebra);
  const isCertified = needsReciprocals(equations);
  const goals = isCertified ? certifiedAlongEach(use, order, comparison) : equations.goals;
  const question = writeStatement(claims, goals);
  const names = question.hypotheses.map(({ name }) => name);
  const where = claims.length === 0 ? "" : ", where the exponent is not 0";
  return {
    id: `derivatives/${op}/${order}/${usage.label}`,
    statement: `${says[order].replace("{op}", op)}, for ${tellUsage(usage)} and all real numbers, whatever the elementary functions are${where}.`,
    clause: "SEMANTICS §2, vjp",
    ...obliged(op, usage.label, question),
    mutants: [
      ...mutantsOf(use, order, comparison, names),
      ...names.map((name) => atConvention(use, comparison, name)),
    ],
    metaArgument: `${isCertified ? CERTIFIED : ""}${claims.length === 0 ? "" : CONVENTION}${TERMS}`,
  };
}

const TERMS =
  "The terms are what the derived graph, interpreted, and the reference's own rules compute over symbols, each case of what they select apart. An unknown stands for each value of an elementary function and for each reciprocal; where two operands of one are shown to be equal, one unknown stands for both.";
const CERTIFIED =
  "Both sides are linear in the tangents and in the cotangent, so it is enough to look along each direction of them. There left − right = (r y − 1) Q with a Q that is written out, which is 0 where the unknown r is the reciprocal of the determinant y. ";
const CONVENTION =
  "At the exponent 0 the reference's vjp chooses 0 before anything moves, and a tangent of the exponent finds nothing; the graph's second derivative there is that of the function. ";

const NOT_ZERO = "exponent-is-not-0";

/** Lists where a reference's rule follows a convention, so that its derivative is not the function's. */
function conventions(use: Use<PrimitiveName>, order: Order, algebra: SymbolicAlgebra): readonly Claim[] {
  if (use.op !== "pow" || order !== "second") return [];
  const { operations: a } = algebra;
  const exponent = present(numbersOf(use, algebra.variable).x[1]?.data[0], "an exponent");
  return [{ name: NOT_ZERO, holds: a.less(a.zero, a.multiply(exponent, exponent)) }];
}

/** Drops the condition: then a model lies where the convention applies. */
function atConvention(use: Use<PrimitiveName>, comparison: Comparison, name: string): ObligationMutant {
  const algebra = symbolic();
  const equations = equationsOf(algebra, comparison.pairs(algebra, numbersOf(use, algebra.variable)));
  const others = equations.symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement([], equations.goals, others);
  return {
    name: `meets.${name}`,
    fault: "the exponent may be 0, where the reference's vjp chooses 0 by convention",
    without: [name],
    declarations: question.declarations,
    ask: question.names,
    execute: (model: Model) => {
      const { numbers, table } = readModel(model, equations.symbols);
      const given = numbersOf(use, (unknown) => numbers.get(unknown) ?? rational.additive.zero);
      const pairs = comparison.pairs(tabulated(table), given);
      const exponent = given.x[1]?.data[0] ?? rationalFromNumber(1);
      const told = pairs
        .map(([got, want]) => `${formatRational(got)} and ${formatRational(want)}`)
        .join(", ");
      return {
        showsFault: exponent.numerator === 0n && !agree(pairs),
        told: `${use.op} with the exponent ${formatRational(exponent)}: the graphs and the reference say ${told}`,
      };
    },
  };
}

export { type Compared, comparedMutant } from "./compared.ts";
export { equationsOf } from "./equations.ts";
export { graphOf, type Pair } from "./graphs.ts";
