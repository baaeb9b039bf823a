import type { Value } from "../construction/value.ts";
import { present, sizeOf } from "../shapes/index.ts";
import type { Composite } from "./composite.ts";
import { equationPattern, readEquation } from "./equation.ts";
import { faultOf } from "./refusals.ts";
import { extentOf, permuted } from "./slices.ts";

/** Names for the axes of the operands and of the result: `ij,jk->ik`. */
export interface EinsumAttributes {
  readonly equation: string;
}

/**
 * One sum over all axes that the result does not name, of the products of all operands. An engine may
 * contract two operands at a time, in whatever order; one sum bounds the error of them all. Two operands
 * whose every axis is in the result or contracted are a matrix product, which is the same sum.
 */
export const einsum: Composite<EinsumAttributes> = {
  arity: "some",
  attributes: { equation: { type: "string", pattern: equationPattern, maxLength: 256 } },
  smoothness: "smooth",
  summary: "the products of the operands' elements, summed over the axes that the result does not name",
  domain: "everywhere; a name twice in one operand is its diagonal",
  convention: "none needed",
  source: "https://numpy.org/doc/stable/reference/generated/numpy.einsum.html",
  refuse: ({ equation }, operands) => faultOf(readEquation(equation, operands)),
  example: {
    attributes: { equation: "ij,jk->ik" },
    operands: [
      [2, 3],
      [3, 4],
    ],
  },
  expand: (_scope, { equation }, ...operands) => {
    const [left = "", right = ""] = equation.split("->");
    const names = left.split(",");
    const [first, ...others] = operands.map((x, place) => distinct({ x, names: [...(names[place] ?? "")] }));
    return contracted(present(first, "a first operand"), others, [...right]);
  },
};

/** A value with names for its axes. */
interface Term {
  readonly x: Value;
  readonly names: readonly string[];
}

/** Returns the diagonals that repeated names ask for. */
function distinct({ x, names }: Term): Term {
  const second = names.findIndex((name, axis) => names.indexOf(name) < axis);
  const name = names[second];
  if (name === undefined) return { x, names };
  const pair = [names.indexOf(name), second];
  const others = [...names.keys()].filter((axis) => !pair.includes(axis));
  const diagonal = permuted(x, [...others, ...pair]).diagonal({ offset: 0 });
  return distinct({ x: diagonal, names: [...others.flatMap((axis) => names[axis] ?? []), name] });
}

/** The axes of a term in the order of `names`, with extent 1 for those it lacks. */
function aligned({ x, names: own }: Term, names: readonly string[]): Value {
  const order = names.flatMap((name) => (own.includes(name) ? own.indexOf(name) : []));
  const shape = names.map((name) => (own.includes(name) ? extentOf(x, own.indexOf(name)) : 1));
  return permuted(x, order).reshape({ shape });
}

/** The product of all terms, and its sum over the names that are not the result's. */
function contracted(first: Term, others: readonly Term[], result: readonly string[]): Value {
  const [second] = others;
  const isPair = second !== undefined && others.length === 1 && isMatrixProduct(first, second, result);
  const { x, names } = isPair ? matrixProduct(first, second, result) : summedProduct(first, others, result);
  return permuted(
    x,
    result.map((name) => names.indexOf(name)),
  );
}

function summedProduct(first: Term, others: readonly Term[], result: readonly string[]): Term {
  const all = [...new Set([first, ...others].flatMap(({ names }) => names))];
  const product = others.reduce((x, term) => x.multiply(aligned(term, all)), aligned(first, all));
  const axes = [...all.keys()].filter((axis) => !result.includes(all[axis] ?? ""));
  return {
    x: axes.length === 0 ? product : product.sum({ axes, keepdims: false }),
    names: all.filter((name) => result.includes(name)),
  };
}

/** Tells whether each name is the result's or is both operands', and there is a name to contract. */
function isMatrixProduct({ names: a }: Term, { names: b }: Term, result: readonly string[]): boolean {
  const isKept = (name: string): boolean => result.includes(name);
  const areMet =
    a.every((name) => isKept(name) || b.includes(name)) &&
    b.every((name) => isKept(name) || a.includes(name));
  return areMet && a.some((name) => !isKept(name));
}

function matrixProduct({ x, names: a }: Term, { x: y, names: b }: Term, result: readonly string[]): Term {
  const batch = a.filter((name) => b.includes(name) && result.includes(name));
  const inner = a.filter((name) => !result.includes(name));
  const rows = a.filter((name) => !b.includes(name));
  const columns = b.filter((name) => !a.includes(name));
  const ordered = aligned({ x, names: a }, [...batch, ...rows, ...inner]);
  const ordered2 = aligned({ x: y, names: b }, [...batch, ...inner, ...columns]);
  const lead = ordered.shape.slice(0, batch.length);
  const rowShape = ordered.shape.slice(batch.length, batch.length + rows.length);
  const columnShape = ordered2.shape.slice(batch.length + inner.length);
  const count = sizeOf(ordered.shape.slice(batch.length + rows.length));
  const left = ordered.reshape({ shape: [...lead, sizeOf(rowShape), count] });
  const right = ordered2.reshape({ shape: [...lead, count, sizeOf(columnShape)] });
  return {
    x: left.matmul(right).reshape({ shape: [...lead, ...rowShape, ...columnShape] }),
    names: [...batch, ...rows, ...columns],
  };
}
