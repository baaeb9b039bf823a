import type { Graph, PrimitiveNode } from "../graph/index.ts";
import { counted, type Issue, type Shape, sizeOf } from "../shapes/index.ts";
import { expand, shapesOf } from "./expand.ts";

/** An evaluation of a graph, its composites expanded, takes so much. */
export interface Effort {
  /** The elements of all values together, which are held at once. */
  readonly elements: number;
  /** The operations on scalars, to a small factor: derivatives take a few times as many. */
  readonly work: number;
}

/** The most that an evaluation may take. */
export type Budget = Effort;

/**
 * An evaluation may take this much unless more is asked for. A number of the judge's is a pair of exact
 * fractions with a bound: 2²⁰ of them are about a gigabyte, and take seconds.
 */
export const defaultBudget: Budget = { elements: 2 ** 20, work: 2 ** 24 };

/** Finds from its shapes alone what evaluating a well-formed graph takes. Cost: that of its expansion. */
export function effortOf(graph: Graph): Effort {
  const { graph: expanded } = expand(graph);
  const shapes = shapesOf(expanded);
  const elements = shapes.reduce((total, shape) => total + sizeOf(shape), 0);
  const work = expanded.nodes.reduce((total, node, index) => {
    const operands = node.parents.map((id) => shapes[id] ?? []);
    return total + workOf(node, operands, shapes[expanded.inputs.length + index] ?? []);
  }, 0);
  return { elements, work };
}

/**
 * Says what speaks against evaluating a well-formed graph within a budget, if anything does:
 * `budget/elements`, `budget/work`. An element is so many `parts`: two over dual numbers.
 */
export function overBudget(graph: Graph, budget: Budget = defaultBudget, parts = 1): Issue | undefined {
  const effort = effortOf(graph);
  const [elements, work] = [parts * effort.elements, parts * effort.work];
  if (elements > budget.elements)
    return excess("elements", `its values have ${counted(elements, "element")} in all`, budget.elements);
  return work > budget.work ? excess("work", `it takes ${work} operations`, budget.work) : undefined;
}

function excess(what: keyof Budget, message: string, most: number): Issue {
  return {
    code: `budget/${what}`,
    pointer: "",
    message: `the graph is too much to evaluate: ${message}, and ${most} are allowed.`,
    hint: `make it smaller, or raise --max-${what}`,
  };
}

/** Numbers of so many digits are as long as a book. */
const MOST_DIGITS = 2 ** 20;

/** A number that somebody types has so many digits. */
const USUAL_DIGITS = 16;

/**
 * Says what speaks against evaluating a well-formed graph over exact numbers, whose products grow:
 * `budget/digits`. `digits` are those of the longest number that goes in.
 */
export function tooManyDigits(graph: Graph, digits: number = USUAL_DIGITS): Issue | undefined {
  const { graph: expanded } = expand(graph);
  const shapes = shapesOf(expanded);
  const factors = expanded.inputs.map(() => 1);
  for (const node of expanded.nodes) {
    const parents = node.parents.map((id) => factors[id] ?? 1);
    const order = shapes[node.parents[0] ?? 0]?.at(-1) ?? 0;
    factors.push(factorsOf(node, parents, order));
  }
  const longest = factors.reduce((most, count) => Math.max(most, count), 0) * Math.max(USUAL_DIGITS, digits);
  if (longest <= MOST_DIGITS) return undefined;
  return {
    code: "budget/digits",
    pointer: "",
    message: `an exact product has the digits of all its factors, and here that may be more than ${MOST_DIGITS}.`,
    hint: "give shorter numbers, or choose an algebra whose numbers do not grow: float64, float32, modular",
  };
}

/** Bounds how many numbers are multiplied with each other in a value. */
function factorsOf({ op }: PrimitiveNode, parents: readonly number[], order: number): number {
  const [first = 1] = parents;
  const all = Math.max(
    1,
    parents.reduce((total, count) => total + count, 0),
  );
  switch (op) {
    case "multiply":
    case "divide":
    case "matmul":
      return all;
    case "det":
    case "solve":
      return all + order * first;
    default:
      return Math.max(1, ...parents);
  }
}

/** Counts the operations on scalars that a node's value takes. */
function workOf({ op }: PrimitiveNode, operands: readonly Shape[], value: Shape): number {
  const [first = []] = operands;
  switch (op) {
    case "matmul":
      return sizeOf(value) * (first.at(-1) ?? 1);
    case "det":
    case "solve": {
      // By minors, one for each set of columns.
      const order = first.at(-1) ?? 0;
      return sizeOf(value) * (1 + order) + sizeOf(first.slice(0, -2)) * order ** 2 * 2 ** order;
    }
    default:
      return operands.reduce((total, shape) => total + sizeOf(shape), sizeOf(value));
  }
}
