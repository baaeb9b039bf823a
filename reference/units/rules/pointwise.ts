import type { NoAttributes } from "../../../spec/operators/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { sameAxes } from "../axis_links.ts";
import type { DimensionRule, Gridded, Placed, Reason, UnknownTerm } from "../rule.ts";

/** The equations of one block, the same for all: the operands' unknowns, then the result's. */
export type BlockEquations = (
  node: Gridded<NoAttributes>,
  operands: readonly number[],
  result: number,
) => void;

/** Makes the rule of an elementwise operator: its equations, block by block. */
export function pointwise(
  block: BlockEquations,
  constant?: DimensionRule<NoAttributes>["constant"],
): DimensionRule<NoAttributes> {
  const rule: DimensionRule<NoAttributes> = {
    axes: ({ operands, result }) => operands.flatMap((_, place) => sameAxes(place, "result", result.length)),
    equations: (node) => {
      const { grids, own } = node;
      for (let i = 0; i < own.count; i++) {
        block(
          node,
          grids.map(({ first }) => first + i),
          own.first + i,
        );
      }
    },
  };
  return constant === undefined ? rule : { ...rule, constant };
}

/** Asks that two unknowns are the same. */
export function askSame(
  node: Pick<Gridded<unknown>, "ask">,
  reason: Reason,
  one: number,
  other: number,
): void {
  if (one !== other) node.ask(reason, [one, 1n], [other, -1n]);
}

/** Asks that the result and those of the operands in `places` that are not zero are all of one dimension. */
export function askAlike(places: readonly number[]): BlockEquations {
  return (node, operands, result) => {
    const [first, ...others] = places.filter((place) => !node.isZero(place));
    if (first === undefined) return;
    askSame(node, "result", result, at(operands, first));
    for (const other of others) askSame(node, "agree", at(operands, first), at(operands, other));
  };
}

/** Asks that an operand is a number, unless it is zero. */
export function askNumber(node: Gridded<NoAttributes>, operand: number, unknown: number): void {
  if (!node.isZero(operand)) node.ask("number", [unknown, 1n]);
}

/** The rule of a function that has a value of numbers only, and a number for one. */
export const ofNumbers: BlockEquations = (node, operands, result) => {
  operands.forEach((unknown, place) => {
    askNumber(node, place, unknown);
  });
  node.ask("result", [result, 1n]);
};

/** Asks that the operands are of one dimension, and the result a number. */
export const comparing: BlockEquations = (node, operands, result) => {
  const [x, y] = [at(operands, 0), at(operands, 1)];
  if (!node.isZero(0) && !node.isZero(1)) askSame(node, "agree", x, y);
  node.ask("result", [result, 1n]);
};

/** Asks for the result as a product of powers of the operands; zero where one of positive power is. */
export function askPowers(powers: readonly bigint[]): BlockEquations {
  return (node, operands, result) => {
    const terms: UnknownTerm[] = operands.map((unknown, place) => [unknown, -at(powers, place)]);
    node.ask("result", [result, 1n], ...terms);
  };
}

/** Returns the number that an operator gives if all its numbers are known, by a function asked only then. */
export function folded<A>(
  fold: (
    ...numbers: readonly NonNullable<Placed<A>["constants"][number]>[]
  ) => Placed<A>["constants"][number],
): NonNullable<DimensionRule<A>["constant"]> {
  return ({ constants }) => {
    const known = constants.filter((constant) => constant !== undefined);
    return known.length === constants.length ? fold(...known) : undefined;
  };
}
