import {
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import {
  addTensors,
  formatRational,
  map,
  type Rational,
  rational,
  rationalFromNumber,
  type Tensor,
  zeros,
  zip,
} from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { NoAttributes, PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, present } from "../../../spec/shapes/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { certificateOf } from "./certificate.ts";
import { readModel, tabulated } from "./model.ts";
import { type Place, placed } from "./places.ts";
import { purify } from "./purify.ts";
import { dualValueOf, type Inputs, inputsOf, primalOf, rightForward, type Use, useOf } from "./sides.ts";
import { type Goal, obliged, reciprocalClaims, writeStatement } from "./statement.ts";
import { tellUsage, type Usage, usages } from "./usages.ts";

/**
 * States that `solve` solves, and that its tangent is the derivative of what it gives: `A Y = B`, and `A Y' +
 * A' Y = B'`. It is for matrices beyond one by one, whose difference quotient has another determinant in its
 * denominator.
 */
export function solutionObligations(op: PrimitiveName): readonly Obligation[] {
  if (op !== "solve") return [];
  return usages.solve
    .filter(({ label }) => label !== "1x1_1x1")
    .map((usage) => solutionObligation(useOf("solve", usage)));
}

/** Makes a tangent, right or with a fault. */
type Tangent = <S>(
  algebra: Algebra<S, unknown>,
  tangent: (dx: Inputs<S>["dx"]) => Tensor<S>,
  dx: Inputs<S>["dx"],
) => Tensor<S>;

const rightTangent: Tangent = (_algebra, tangent, dx) => tangent(dx);

const wrongTangents: readonly { readonly name: string; readonly says: string; readonly tangent: Tangent }[] =
  [
    {
      name: "doubles-tangent",
      says: "solve has twice its tangent",
      tangent: (algebra, tangent, dx) => addTensors(algebra.additive, tangent(dx), tangent(dx)),
    },
    {
      name: "fixes-matrix",
      says: "the tangent of solve does not see the matrix move",
      tangent: (algebra, tangent, [first, ...others]) =>
        tangent([zeros(algebra.additive, present(first, "a tangent").shape), ...others]),
    },
  ];

/** The sides of a pair should be equal. */
type Pair<S> = readonly [left: S, right: S];

/** Pairs `A Y` with `B`, then `A Y' + A' Y` with `B'`, by elements; products are those of `matmul`. */
export function solutionPairs<S, B>(
  use: Use<"solve">,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
  tangent: Tangent = rightTangent,
): readonly Pair<S>[] {
  const [a, b] = [present(inputs.x[0], "a matrix"), present(inputs.x[1], "a right side")];
  const [aDot, bDot] = [present(inputs.dx[0], "a tangent"), present(inputs.dx[1], "a tangent")];
  const y = primalOf(rules.solve, use, algebra, inputs);
  const along = (dx: Inputs<S>["dx"]): Tensor<S> =>
    map(dualValueOf(rules.solve, rightForward, use, algebra, { ...inputs, dx }), ({ xDot }) => xDot);
  const yDot = tangent(algebra, along, inputs.dx);
  const usage: Usage<NoAttributes> = {
    label: "product",
    attributes: {},
    operands: [a.shape, b.shape],
    environment: [],
  };
  const product = (x: Tensor<S>, z: Tensor<S>): Tensor<S> =>
    primalOf(rules.matmul, useOf("matmul", usage), algebra, { x: [x, z], environment: new Map() });
  const moved = addTensors(algebra.additive, product(a, yDot), product(aDot, y));
  const pair = (left: S, right: S): Pair<S> => [left, right];
  return [...zip(product(a, y), b, pair).data, ...zip(moved, bDot, pair).data];
}

/** States that elements' sides differ by a multiple of `r y − 1`, the second's along each tangent. */
function certified(use: Use<"solve">): readonly Goal[] {
  const algebra = symbolic(["zero", "one", "annihilation"]);
  const { operations: a } = algebra;
  const directions: string[] = [];
  inputsOf(use, (name) => (name.startsWith("dx") ? directions : []).push(name));
  return directions.flatMap((direction, index) => {
    const inputs = inputsOf(use, (name) =>
      name.startsWith("dx") ? (name === direction ? a.one : a.zero) : algebra.variable(name),
    );
    const pairs = solutionPairs(use, algebra, inputs);
    const values = pairs.length / 2;
    return (index === 0 ? pairs : pairs.slice(values)).flatMap((pair) => certifiedPair(algebra, pair));
  });
}

function certifiedPair(algebra: SymbolicAlgebra, pair: Pair<ScalarTerm>): readonly Goal[] {
  const { operations: a } = algebra;
  const { terms, symbols } = purify(algebra, pair);
  const [left, right] = [present(terms[0], "the left side"), present(terms[1], "the right side")];
  if (symbols.length === 0) return [{ holds: a.equal(left, right) }];
  const { factor, quotient } = certificateOf(algebra, [left, right], symbols);
  return [{ holds: a.equal(a.add(left, a.negative(right)), a.multiply(factor, quotient)) }];
}

function solutionObligation(use: Use<"solve">): Obligation {
  const question = writeStatement([], certified(use));
  return {
    id: `operators/solve/derivative/${use.usage.label}`,
    statement: `A Y = B and A Y' + A' Y = B' for Y and Y' the value and the tangent of solve of ${tellUsage(use.usage)}, where A has an inverse.`,
    clause: "SEMANTICS §2, jvp",
    ...obliged("solve", use.usage.label, question),
    mutants: wrongTangents.map((wrong) => mutantOf(use, wrong)),
    metaArgument:
      "Y' is linear in the tangents, so it is enough to look along each direction. There left − right = (r y − 1) Q with a Q that is written out, which is 0 where the unknown r is the reciprocal of the determinant y. Where A has an inverse, Y = A⁻¹ B is differentiable, and the derivative of A Y = B is A Y' + A' Y = B', which has one solution Y'.",
  };
}

/** Fixing the matrix and tangents makes the search linear; unlike entries give the matrix an inverse. */
const place: Place = (name) => {
  const [, kind = "", operand = "", position = "0"] = /^(x|dx)([0-9])\.([0-9]+)$/.exec(name) ?? [];
  const number = Number(position) ** 2 + Number(position) + 1;
  if (kind === "dx") return number + 1 + Number(operand);
  return kind === "x" && operand === "0" ? number : undefined;
};

function mutantOf(
  use: Use<"solve">,
  { name, says, tangent }: (typeof wrongTangents)[number],
): ObligationMutant {
  const algebra = symbolic();
  const pairs = solutionPairs(use, algebra, inputsOf(use, placed(algebra, place)), tangent);
  const { terms, symbols } = purify(algebra, pairs.flat());
  const goals = pairs.map((_, index) => ({
    holds: algebra.operations.equal(
      present(terms[2 * index], "the left side"),
      present(terms[2 * index + 1], "the right side"),
    ),
  }));
  const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(reciprocalClaims(algebra, symbols), goals, others);
  return {
    name,
    fault: says,
    instead: question.hypotheses.map(({ name: claim, formula }) => ({ name: `given.${claim}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
    execute: (model: Model) => {
      const { numbers, table } = readModel(model, symbols);
      const number = (unknown: string): Rational =>
        numbers.get(unknown) ?? rationalFromNumber(place(unknown) ?? 0);
      const [good, bad] = [rightTangent, tangent].map((some) =>
        solutionPairs(use, tabulated(table), inputsOf(use, number), some),
      );
      const holds = (found: typeof good): boolean =>
        (found ?? []).every(([left, right]) => left.denominator !== 0n && rational.isSame(left, right));
      const tell = (found: typeof good): string =>
        (found ?? []).map(([left, right]) => `${formatRational(left)} = ${formatRational(right)}`).join(", ");
      return {
        showsFault: holds(good) && !holds(bad),
        told: `A Y = B and A Y' + A' Y = B': ${tell(good)}; with the fault ${tell(bad)}`,
      };
    },
  };
}
