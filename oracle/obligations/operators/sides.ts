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

/** The rules of an operator. */
export type RuleOf<K extends PrimitiveName> = Rule<NeedOf[K], PrimitiveAttributes[K]>;

/** An operator at one use of it. */
export interface Use<K extends PrimitiveName> {
  readonly op: K;
  readonly usage: Usage<PrimitiveAttributes[K]>;
  /** The shape of the result. */
  readonly shape: Shape;
}

/** The numbers, or unknowns, that a use is executed at: one tensor for each operand; the cotangent; the real entries of Δ by name. */
export interface Inputs<S> {
  readonly x: readonly Tensor<S>[];
  readonly dx: readonly Tensor<S>[];
  readonly c: Tensor<S>;
  readonly environment: ReadonlyMap<string, Tensor<S>>;
}

/** How tangents are carried through `forward`: right, or with a fault. */
export interface Forward {
  /** The dual numbers. */
  readonly dual: <S, B>(algebra: Algebra<S, B>) => Algebra<Dual<S>, B>;
  /** Whether Δ has tangents, as it must not: its own values. */
  readonly environmentMoves: boolean;
}

/** Forward mode as the reference defines it. */
export const rightForward: Forward = { dual, environmentMoves: false };

/** The use with the shape of its result. Throws {@link InvariantError} where the usage does not fit the operator. */
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

/** Inputs made of one scalar for each name: `x0.1` is the second element of the first operand, `dx0.1` its tangent, `c.0`, `e.NAME.0`. */
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

/** Both sides of adjointness: `dot(jvp, c)` and `dot(dx, vjp)`. */
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

/** `forward` over dual numbers: values and tangents. */
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

/** The value of a use. */
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

/** The cotangents of the operands, as the rule has them. */
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

/** Δ of a use: its indices, and real entries of these numbers. */
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
