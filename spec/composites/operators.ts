import {
  type Operator,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitives,
} from "../operators/index.ts";
import { type CompositeAttributes, type CompositeName, composites } from "./table.ts";

/** The name of an operator, as it stands on the wire. */
export type OperatorName = PrimitiveName | CompositeName;

/** Each operator's attributes. */
export type AttributesOf = PrimitiveAttributes & CompositeAttributes;

/** Every operator has a row: the primitives, then the composites, each in its table's order. */
export const operators: { readonly [K in OperatorName]: Operator<AttributesOf[K]> } = {
  ...primitives,
  ...composites,
};

/** Tells whether `name` is an operator's. */
export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(operators, name);
}

/** Every operator's name, in the tables' order. */
export const operatorNames: readonly OperatorName[] = Object.keys(operators).filter(isOperatorName);
