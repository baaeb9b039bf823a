import { idCount, type NodeId, nodeId, sizeOf } from "../../../spec/index.ts";
import { det } from "../graphs/det.ts";
import { llsq } from "../graphs/llsq.ts";
import { lse } from "../graphs/lse.ts";
import { ode } from "../graphs/ode.ts";
import { objectiveOf, type Problem, tensor } from "../graphs/problem.ts";

/** A module of GradBench whose functions are `primal` and `gradient`, of one list of numbers. */
export interface Module {
  readonly name: string;
  /** The field of an input with the numbers by which it is differentiated. */
  readonly field: string;
  /** Returns the problem that an input asks; throws where it makes no sense. */
  problem(input: Input): Problem;
  /** Returns the id whose value `primal` gives. */
  primal(problem: Problem): NodeId;
  /** Makes an input of small sizes, from numbers of [−1, 1). */
  input(draw: () => number): Input;
}

/** The input of an `evaluate` message, as JSON has it. */
export type Input = Readonly<Record<string, unknown>>;

/** Evaluations of more numbers than this are refused, since a judge's truth is exact. */
const MAXIMUM_NUMBERS = 1_000_000;

/** Reads the list of numbers of a field; throws where there is none. */
export function numbersOf(input: Input, field: string): number[] {
  const numbers = input[field];
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MAXIMUM_NUMBERS)
    throw new Error(`"${field}" must be a list of 1 to ${MAXIMUM_NUMBERS} numbers`);
  return numbers.map((x: unknown) => {
    if (typeof x !== "number") throw new Error(`"${field}" has something that is no number`);
    return x;
  });
}

function sizeIn(input: Input, field: string, most: number): number {
  const size = input[field];
  if (typeof size !== "number" || !Number.isInteger(size) || size < 1 || size > most)
    throw new Error(`"${field}" must be an integer from 1 to ${most}`);
  return size;
}

const drawn = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);

/** Returns a problem at the numbers of an input in place of the evaluation's own. */
function at(problem: Problem, numbers: readonly number[]): Problem {
  const [{ shape } = { shape: [] }] = problem.graph.inputs;
  if (sizeOf(shape) !== numbers.length) throw new Error(`${numbers.length} numbers for ${sizeOf(shape)}`);
  return { ...problem, point: { ...problem.point, inputs: [tensor(shape, numbers)] } };
}

const objective = ({ graph }: Problem): NodeId => objectiveOf(graph);

/** Four of GradBench's modules. Source: https://github.com/gradbench/gradbench at f26651a7, evals/ */
export const modules: readonly Module[] = [
  {
    name: "lse",
    field: "x",
    problem: (input) => {
      const x = numbersOf(input, "x");
      return at(lse(x.length), x);
    },
    primal: objective,
    input: (draw) => ({ x: drawn(5, () => 100 * draw()) }),
  },
  {
    name: "llsq",
    field: "x",
    problem: (input) => {
      const x = numbersOf(input, "x");
      return at(llsq(sizeIn(input, "n", MAXIMUM_NUMBERS), x.length), x);
    },
    primal: objective,
    input: (draw) => ({ x: drawn(4, draw), n: 6 }),
  },
  {
    name: "ode",
    field: "x",
    problem: (input) => {
      const x = numbersOf(input, "x");
      return at(ode(x.length, sizeIn(input, "s", 10_000)), x);
    },
    // It gives all unknowns, of which the last two nodes take the last one out.
    primal: ({ graph }) => nodeId(idCount(graph) - 3),
    input: (draw) => ({ x: drawn(4, draw), s: 3 }),
  },
  {
    name: "det",
    field: "A",
    problem: (input) => at(det(sizeIn(input, "ell", 9)), numbersOf(input, "A")),
    primal: objective,
    input: (draw) => ({ A: drawn(9, draw), ell: 3 }),
  },
];
