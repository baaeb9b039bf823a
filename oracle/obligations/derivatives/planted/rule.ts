import type { Value } from "../../../../spec/builder/index.ts";
import {
  type Applied,
  type DerivativeRule,
  type DerivativesOf,
  derivatives,
  type Pull,
} from "../../../../spec/derivatives/index.ts";
import type { PrimitiveAttributes, PrimitiveName } from "../../../../spec/operators/index.ts";
import { present } from "../../../../spec/shapes/index.ts";

/** A planted rule replaces parts of the right one. */
export interface PlantedDerivative<A> extends Partial<DerivativeRule<A>> {
  /** The name is unique for its operator, and part of the names of scripts. */
  readonly name: string;
  /** A few words after the operator's name say what is wrong. */
  readonly says: string;
}

/** Each primitive has mistakes that people make; obligations try them in this order. */
export type PlantedDerivatives = {
  readonly [K in PrimitiveName]: readonly PlantedDerivative<PrimitiveAttributes[K]>[];
};

/** Plants one wrong rule in the table. */
export function withRule<K extends PrimitiveName>(
  op: K,
  { name: _name, says: _says, ...wrong }: PlantedDerivative<PrimitiveAttributes[K]>,
): DerivativesOf<PrimitiveName> {
  const right: DerivativeRule<PrimitiveAttributes[K]> = derivatives[op];
  return { ...derivatives, [op]: { ...right, ...wrong } };
}

/** Returns the operand of that number. */
export function operand({ operands }: Applied<unknown>, place: number = 0): Value {
  return present(operands[place], "an operand");
}

/** Plants a wrong cotangent of an operator with one operand. */
export function slope<A>(
  name: string,
  says: string,
  bar: (at: Applied<A>, c: Value) => Value,
): PlantedDerivative<A> {
  return { name, says, cotangents: (at, c) => [() => bar(at, c)] };
}

/** Plants cotangents made from the right ones together. */
export function rearranged<A>(
  right: DerivativeRule<A>,
  name: string,
  says: string,
  arrange: (pulls: readonly (Pull | undefined)[], at: Applied<A>) => readonly (Pull | undefined)[],
): PlantedDerivative<A> {
  return { name, says, cotangents: (at, c) => arrange(right.cotangents(at, c), at) };
}

/** Plants cotangents that are another function of each right one. */
export function changed<A>(
  right: DerivativeRule<A>,
  name: string,
  says: string,
  change: (bar: Value) => Value,
): PlantedDerivative<A> {
  return rearranged(right, name, says, (pulls) => pulls.map((pull) => pull && (() => change(pull()))));
}

/** Reverses the elements of a value. */
export function reversedElements(x: Value): Value {
  const size = x.shape.reduce((product, extent) => product * extent, 1);
  return x
    .reshape({ shape: [size] })
    .slice({ starts: [size - 1], stops: [-size - 1], steps: [-1] })
    .reshape({ shape: x.shape });
}

/** Passes the cotangent on to the first operand, where none should pass. */
export function passing<A>(): PlantedDerivative<A> {
  return { name: "passes-cotangent", says: "passes the cotangent on", cotangents: (_at, c) => [() => c] };
}

/**
 * Lists the mistakes that every rule can have: cotangents of the wrong sign, tangents twice as long, and
 * operands for cotangents, which is one also where nothing is pulled back.
 */
export function generalMistakes<A>(right: DerivativeRule<A>): readonly PlantedDerivative<A>[] {
  return [
    changed(right, "loses-sign", "has cotangents of the wrong sign", (bar) => bar.negative()),
    {
      name: "doubles-tangent",
      says: "has twice its tangent",
      tangent: (at, tangents) => {
        const tangent = right.tangent(at, tangents);
        return tangent?.add(tangent);
      },
    },
    {
      name: "returns-operands",
      says: "returns its operands for cotangents",
      cotangents: (at) => at.operands.map((x) => () => x),
    },
  ];
}

/** Lists mistakes that a first derivative does not show. */
export function frozenValues<A>(right: DerivativeRule<A>): readonly PlantedDerivative<A>[] {
  return [
    {
      name: "freezes-operands",
      says: "takes what it saved for constants",
      cotangents: (at, c) => right.cotangents(frozen(at), c),
    },
    {
      name: "freezes-cotangent",
      says: "takes the cotangent for a constant",
      cotangents: (at, c) => right.cotangents(at, c.stop_gradient()),
    },
  ];
}

/** Lists mistakes that nothing shows where every operand moves and none is read twice. */
export function loneOperands<A>(right: DerivativeRule<A>): readonly PlantedDerivative<A>[] {
  return [
    {
      name: "lone-tangent",
      says: "has the wrong sign in its tangent where an operand stands still",
      tangent: (at, tangents) => {
        const tangent = right.tangent(at, tangents);
        return tangents.every((dot) => dot !== undefined) ? tangent : tangent?.negative();
      },
    },
    {
      name: "read-twice",
      says: "pulls back for its first operand alone where one value is read twice",
      cotangents: (at, c) =>
        right
          .cotangents(at, c)
          .map((pull, place) =>
            place > 0 && at.operands.indexOf(operand(at, place)) < place ? undefined : pull,
          ),
    },
  ];
}

/** Keeps a node's operands and value from being differentiated. */
function frozen<A>(at: Applied<A>): Applied<A> {
  return {
    ...at,
    operands: at.operands.map((x) => x.stop_gradient()),
    value: at.value.stop_gradient(),
  };
}
