import { type EnvironmentValue, float64, type Tensor, tensor } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import {
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitives,
} from "../../../spec/operators/index.ts";
import { type Levels, present, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import type { Execution } from "../obligation.ts";
import { judged, thrownBy } from "./lemma.ts";

/** Index data have the name `k`. */
interface Indices {
  readonly shape: Shape;
  readonly indices: readonly number[];
}

/** This is a primitive with shapes, whether or not its shape rule accepts them. */
export interface Applied<K extends PrimitiveName> {
  readonly op: K;
  readonly attributes: PrimitiveAttributes[K];
  readonly shapes: readonly Shape[];
  readonly indices?: Indices;
  /** This is the result's shape, by default the shape rule's. */
  readonly shape?: Shape;
  /** This is the cotangent's shape, by default the result's. */
  readonly cotangent?: Shape;
}

/** Returns the shape that a primitive's rule gives; `undefined` where it refuses. */
export function shapeOf<K extends PrimitiveName>({
  op,
  attributes,
  shapes,
  indices,
}: Applied<K>): Shape | undefined {
  const entries = indices === undefined ? [] : [{ name: "k", kind: "index" as const, shape: indices.shape }];
  const shape = primitives[op].shape(attributes, shapes, entries);
  return shape.ok ? shape.value : undefined;
}

function tensorOf(shape: Shape): Tensor<number> {
  return tensor(shape, (position) => position + 1);
}

function applicationOf<K extends PrimitiveName>(applied: Applied<K>) {
  const { op, attributes, shapes, indices } = applied;
  const algebra: Levels<number, boolean>[NeedOf[K]] | undefined = float64.levels[primitives[op].needs];
  const environment = new Map<string, EnvironmentValue<number>>(
    indices === undefined ? [] : [["k", { kind: "index", ...indices }]],
  );
  const shape = present(applied.shape ?? shapeOf(applied), "a shape that the rule accepts");
  return {
    algebra: present(algebra, `what ${op} needs`),
    attributes,
    operands: shapes.map(tensorOf),
    environment,
    shape,
  };
}

/** Runs the reference's value and cotangents on these shapes unchecked; reads out of bounds throw. */
export function failureOf<K extends PrimitiveName>(applied: Applied<K>): string | undefined {
  return thrownBy(() => {
    const rule = rules[applied.op];
    const application = applicationOf(applied);
    if (applied.cotangent === undefined) rule.forward(application);
    rule.vjp(application, tensorOf(applied.cotangent ?? application.shape));
  });
}

/** Tells whether the reference refuses the index data in checked execution. */
export function isInvalid<K extends PrimitiveName>(applied: Applied<K>): boolean {
  return rules[applied.op].validate?.(applicationOf(applied)) !== undefined;
}

/** Reads a tensor of a shape at a position; throws out of bounds, as all of the reference does. */
export function read(shape: Shape, position: number): void {
  if (!(position in Array.from({ length: sizeOf(shape) })))
    throw new RangeError(`position ${position} of ${sizeOf(shape)}`);
}

/** Runs the reference as the shape rule says; a wrong map reads one position of a tensor. */
export function mapped(
  right: string | undefined,
  shape: readonly number[],
  position: number,
  what: string,
): Execution {
  return judged(
    right,
    thrownBy(() => read(shape, position)),
    `${what} at position ${position} of [${shape.join()}]`,
  );
}

/** Runs with the shape rule's result, and with a wrong one. */
export function asSaid<K extends PrimitiveName>(right: Applied<K>, wrong: Partial<Applied<K>>): Execution {
  const said = { ...right, ...wrong };
  const shapes = said.shapes.map((shape) => `[${shape.join()}]`).join(" ");
  const to = (said.cotangent ?? said.shape ?? shapeOf(said) ?? []).join();
  return judged(
    failureOf(right),
    failureOf(said),
    `${right.op} of ${shapes}, ${JSON.stringify(right.attributes)}, with [${to}]`,
  );
}
