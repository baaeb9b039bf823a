import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { dual, formatRational, type Rational, rational } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, present } from "../../../spec/shapes/index.ts";
import type { Model, Obligation } from "../obligation.ts";
import { readModel } from "./model.ts";
import {
  dualValueOf,
  type Forward,
  type Inputs,
  inputsOf,
  primalOf,
  pullbackOf,
  rightForward,
  useOf,
} from "./sides.ts";
import { obliged, writeStatement } from "./statement.ts";
import { usages } from "./usages.ts";

/** Tangents pass what should stop them. */
const passing: Forward = {
  ...rightForward,
  dual: (algebra) => {
    const right = dual(algebra);
    const additive = { ...right.additive, detach: <T>(x: T): T => x };
    return { ...right, additive, levels: { ...right.levels, additive } };
  },
};

/**
 * States what `stop_gradient` is by definition: its tangent and cotangent are zero. It states also that this
 * is not the derivative, so that nobody takes it for one: `f(x + h dx) − f(x) = h dx`.
 */
export function stoppedObligations(op: PrimitiveName): readonly Obligation[] {
  return op === "stop_gradient" ? [definition] : [];
}

const use = useOf("stop_gradient", present(usages.stop_gradient[0], "a usage"));
const rule = rules.stop_gradient;

/** Pairs the tangent, the cotangent, and the change of the value with what they should be. */
function pairsOf<S, B>(
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
  h: S,
  forward: Forward,
): readonly (readonly [S, S])[] {
  const a = present(algebra.levels.ring, "a ring");
  const [x, dx] = [inputs.x, inputs.dx].map((tensors) => present(tensors[0]?.data[0], "a scalar"));
  const [before, step] = [present(x, "an operand"), a.multiply(h, present(dx, "a tangent"))];
  const moved = { ...inputs, x: [{ shape: [], data: [a.add(before, step)] }] };
  const [tangent] = dualValueOf(rule, forward, use, algebra, inputs).data;
  const after = present(primalOf(rule, use, algebra, moved).data[0], "a value");
  const value = present(primalOf(rule, use, algebra, inputs).data[0], "a value");
  return [
    [present(tangent, "a tangent").xDot, a.zero],
    [pullbackOf(rule, use, algebra, inputs)[0]?.data[0] ?? a.zero, a.zero],
    [a.add(after, a.negative(value)), step],
  ];
}

function written(forward: Forward): ReturnType<typeof writeStatement> {
  const algebra = symbolic();
  const { equal } = algebra.operations;
  const pairs = pairsOf(algebra, inputsOf(use, algebra.variable), algebra.variable("h"), forward);
  const all = inputsOf(use, algebra.variable);
  return writeStatement(
    [],
    pairs.map(([got, want]) => ({ holds: equal(got, want) })),
    [...all.x, ...all.dx].flatMap(({ data }) => data),
  );
}

const right = written(rightForward);
const wrong = written(passing);

const definition: Obligation = {
  id: "operators/stop_gradient/derivative/definition",
  statement:
    "By definition the tangent and the cotangent of stop_gradient are 0; its tangent is not its derivative, for f(x + h dx) − f(x) = h dx.",
  clause: "SEMANTICS §2.6",
  ...obliged("stop_gradient", "scalar", right),
  mutants: [
    {
      name: "passes-tangent",
      fault: "stop_gradient passes the tangent on",
      declarations: wrong.declarations,
      goal: wrong.goal,
      ask: wrong.names,
      execute: (model: Model) => {
        const { numbers } = readModel(model, []);
        const number = (name: string): Rational => numbers.get(name) ?? rational.additive.zero;
        const [good, bad] = [rightForward, passing].map((forward) =>
          pairsOf(rational, inputsOf(use, number), number("h"), forward),
        );
        const isDefined = (pairs: typeof good): boolean =>
          (pairs ?? []).every(([got, want]) => rational.isSame(got, want));
        const tangentOf = (pairs: typeof good): string =>
          formatRational(present(pairs?.[0]?.[0], "a tangent"));
        return {
          showsFault: isDefined(good) && !isDefined(bad),
          told: `stop_gradient along ${formatRational(number("dx0.0"))}: tangent ${tangentOf(good)}, with the fault ${tangentOf(bad)}`,
        };
      },
    },
  ],
  metaArgument:
    "It is what the operator is for. That zero and zero are adjoint is what the obligations about adjointness say.",
};
