import {
  type Dual,
  dotTensors,
  dual,
  type Environment,
  type EnvironmentValue,
  map,
  mapEnvironment,
  type Tensor,
  tensor,
  zip,
} from "../../../reference/index.ts";
import type { Pullback, Rule } from "../../../reference/operators/index.ts";
import {
  type EnvironmentEntry,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitives,
} from "../../../spec/operators/index.ts";
import {
  type Algebra,
  InvariantError,
  isSameShape,
  type Levels,
  present,
  type Shape,
} from "../../../spec/shapes/index.ts";
import type { Usage } from "./usages.ts";

/** These are the rules of an operator. */
export type RuleOf<K extends PrimitiveName> = Rule<NeedOf[K], PrimitiveAttributes[K]>;

/** This is an operator at one of its uses. */
export interface Use<K extends PrimitiveName> {
  readonly op: K;
  readonly usage: Usage<PrimitiveAttributes[K]>;
  readonly shape: Shape;
}

/** A use is executed at these: a tensor for each operand, the cotangent, and Δ's real entries by name. */
export interface Inputs<S> {
  readonly x: readonly Tensor<S>[];
  readonly dx: readonly Tensor<S>[];
  readonly c: Tensor<S>;
  readonly environment: ReadonlyMap<string, Tensor<S>>;
}

/** Tangents are carried through `forward` in the right way, or with a fault. */
export interface Forward {
  /** Makes the algebra of dual numbers. */
  readonly dual: <S, B>(algebra: Algebra<S, B>) => Algebra<Dual<S>, B>;
  /** If true, Δ has its own values as tangents, which is wrong. */
  readonly environmentMoves: boolean;
}

/** Carries tangents as the reference defines it. */
export const rightForward: Forward = { dual, environmentMoves: false };

/** Infers the shape of a use's result. Throws {@link InvariantError} where usage and operator do not fit. */
export function useOf<K extends PrimitiveName>(op: K, usage: Usage<PrimitiveAttributes[K]>): Use<K> {
  const entries = usage.environment.map(
    ({ name, shape, indices }): EnvironmentEntry => ({
      name,
      shape,
      kind: indices === undefined ? "real" : "index",
    }),
  );
  const shape = primitives[op].shape(usage.attributes, usage.operands, entries);
  if (!shape.ok) throw new InvariantError(`${op} at ${usage.label}: ${shape.error.message}`);
  return { op, usage, shape: shape.value };
}

/** Makes inputs of named scalars: `x0.1` is operand 0's element 1, `dx0.1` its tangent; `c.0`, `e.NAME.0`. */
export function inputsOf<S>({ usage, shape }: Use<PrimitiveName>, scalar: (name: string) => S): Inputs<S> {
  const named = (prefix: string, of: Shape): Tensor<S> =>
    tensor(of, (position) => scalar(`${prefix}.${position}`));
  return {
    x: usage.operands.map((of, place) => named(`x${place}`, of)),
    dx: usage.operands.map((of, place) => named(`dx${place}`, of)),
    c: named("c", shape),
    environment: new Map(
      usage.environment.flatMap(({ name, shape: of, indices }) =>
        indices === undefined ? [[name, named(`e.${name}`, of)] as const] : [],
      ),
    ),
  };
}

/** Adjointness compares `dot(jvp, c)` and `dot(dx, vjp)`. */
export interface Sides<S> {
  readonly left: S;
  readonly right: S;
}

/** Executes a rule over an algebra: `jvp` is `forward` over dual numbers, `vjp` the rule's own. */
export function sidesOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  forward: Forward,
  use: Use<K>,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
): Sides<S> {
  const semiring = present(algebra.levels.semiring, "what dot needs");
  const tangent = map(dualValueOf(rule, forward, use, algebra, inputs), ({ xDot }) => xDot);
  const bars = pullbackOf(rule, use, algebra, inputs);
  const products = bars.map((bar, place) => {
    if (bar === undefined) return semiring.zero;
    const dx = present(inputs.dx[place], "a tangent");
    if (!isSameShape(bar.shape, dx.shape))
      throw new InvariantError(`${use.op}: a cotangent of another shape`);
    return dotTensors(semiring, dx, bar);
  });
  return {
    left: dotTensors(semiring, tangent, inputs.c),
    right: products.reduce(semiring.add, semiring.zero),
  };
}

/** Runs `forward` over dual numbers, which gives values and tangents. */
export function dualValueOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  forward: Forward,
  use: Use<K>,
  algebra: Algebra<S, B>,
  { x, dx, environment }: Inputs<S>,
): Tensor<Dual<S>> {
  const { zero } = algebra.additive;
  const constants = mapEnvironment(
    environmentOf(use, environment),
    (value): Dual<S> => ({
      x: value,
      xDot: forward.environmentMoves ? value : zero,
    }),
  );
  const operands = x.map((values, place) =>
    zip(values, present(dx[place], "a tangent"), (value, xDot): Dual<S> => ({ x: value, xDot })),
  );
  return rule.forward({ ...applicationOf(use, forward.dual(algebra)), operands, environment: constants });
}

/** Computes the value of a use. */
export function primalOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K>,
  algebra: Algebra<S, B>,
  { x, environment }: Pick<Inputs<S>, "x" | "environment">,
): Tensor<S> {
  return rule.forward({
    ...applicationOf(use, algebra),
    operands: x,
    environment: environmentOf(use, environment),
  });
}

/** Computes the operands' cotangents by the rule. */
export function pullbackOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K>,
  algebra: Algebra<S, B>,
  { x, c, environment }: Inputs<S>,
): Pullback<S> {
  const application = {
    ...applicationOf(use, algebra),
    operands: x,
    environment: environmentOf(use, environment),
  };
  return rule.vjp(application, c);
}

function applicationOf<K extends PrimitiveName, S, B>(
  { op, usage, shape }: Use<K>,
  algebra: Algebra<S, B>,
): {
  readonly algebra: Levels<S, B>[NeedOf[K]];
  readonly attributes: PrimitiveAttributes[K];
  readonly shape: Shape;
} {
  const level: Levels<S, B>[NeedOf[K]] | undefined = algebra.levels[primitives[op].needs];
  return { algebra: present(level, `what ${op} needs`), attributes: usage.attributes, shape };
}

/** Builds Δ of a use: its indices, and real entries of these numbers. */
export function environmentOf<S>(
  { usage }: Use<PrimitiveName>,
  reals: ReadonlyMap<string, Tensor<S>>,
): Environment<S> {
  return new Map(
    usage.environment.map(({ name, shape, indices }): [string, EnvironmentValue<S>] => [
      name,
      indices === undefined
        ? { kind: "real", tensor: present(reals.get(name), "an entry of Δ") }
        : { kind: "index", shape, indices },
    ]),
  );
}
