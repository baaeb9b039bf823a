import {
  type Algebra,
  type EnvironmentEntry,
  type Levels,
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  primitives,
  type Shape,
} from "../../spec/index.ts";
import { type Dual, dual } from "../algebras/dual.ts";
import { type Environment, mapEnvironment } from "../environment.ts";
import { map, type Tensor, zip } from "../tensor.ts";
import type { Application, Pullback, Rule } from "./rule.ts";

/** An operator with its attributes and Δ, ready to be applied. */
export interface Use<K extends PrimitiveName, S> {
  readonly op: K;
  readonly attributes: PrimitiveAttributes[K];
  readonly environment: Environment<S>;
}

/** The rule under test. */
export type RuleOf<K extends PrimitiveName> = Rule<NeedOf[K], PrimitiveAttributes[K]>;

/** Returns the shape of an operator's result. */
export function resultShape<K extends PrimitiveName>(
  op: K,
  attributes: PrimitiveAttributes[K],
  shapes: readonly Shape[],
  environment: readonly EnvironmentEntry[],
): Shape {
  const shape = primitives[op].shape(attributes, shapes, environment);
  if (!shape.ok) throw new Error(shape.error.message);
  return shape.value;
}

/** Returns all that a rule sees. */
export function application<K extends PrimitiveName, S, B>(
  { op, attributes, environment }: Use<K, S>,
  algebra: Algebra<S, B>,
  operands: readonly Tensor<S>[],
): Application<NeedOf[K], PrimitiveAttributes[K], S, B> {
  const level: Levels<S, B>[NeedOf[K]] | undefined = algebra.levels[primitives[op].needs];
  const declared = [...environment].map(([name, value]) =>
    value.kind === "real" ? { name, kind: value.kind, shape: value.tensor.shape } : { name, ...value },
  );
  const shapes = operands.map(({ shape }) => shape);
  return {
    algebra: present(level, `what ${op} needs`),
    attributes,
    operands,
    environment,
    shape: resultShape(op, attributes, shapes, declared),
  };
}

/** Returns the tangent of the result: `forward` over dual numbers. */
export function jvpOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K, S>,
  algebra: Algebra<S, B>,
  operands: readonly Tensor<S>[],
  tangents: readonly Tensor<S>[],
): Tensor<S> {
  const duals = operands.map((x, i) =>
    zip(x, present(tangents[i], "a tangent"), (s, xDot): Dual<S> => ({ x: s, xDot })),
  );
  const environment = mapEnvironment(use.environment, (x) => ({ x, xDot: algebra.additive.zero }));
  const value = rule.forward(application({ ...use, environment }, dual(algebra), duals));
  return map(value, ({ xDot }) => xDot);
}

/** The cotangents of the operands. */
export function vjpOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K, S>,
  algebra: Algebra<S, B>,
  operands: readonly Tensor<S>[],
  cotangent: Tensor<S>,
): Pullback<S> {
  return rule.vjp(application(use, algebra, operands), cotangent);
}
