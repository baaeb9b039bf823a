import { buildAs } from "../../../../engines/compile/javascript/index.ts";
import { withoutLastRound } from "../../../../engines/compile/mutants/index.ts";
import {
  type Backend,
  type Instruction,
  type LoopProgram,
  type Precision,
  type Regime,
  read,
  soundPasses,
} from "../../../../engines/compile/plan/index.ts";
import { wasm } from "../../../../engines/compile/wasm/index.ts";
import { present } from "../../../../spec/shapes/index.ts";
import { programOf } from "../programs.ts";

/** These backends compute a fold in several parts; straight-line code does not. */
const backends: Readonly<Record<BackendName, Backend>> = {
  wasm,
  javascript: { name: "javascript loops", build: (order) => buildAs(order, "loops") },
};

type BackendName = "wasm" | "javascript";

/** This many numbers are summed by this code. */
export interface Summation {
  readonly backend: BackendName;
  readonly precision: Precision;
  readonly length: number;
  readonly regime: Regime;
  /** If true, numbers that do not fill a last round are left out. */
  readonly isCut?: boolean;
}

/** Sums this many numbers, as an engine's code does. */
export type Sum = (numbers: readonly number[]) => number;

/** Generates the code of a summation. */
export function sumBy({ backend, precision, length, regime, isCut = false }: Summation): Sum {
  const reads = [{ value: 0, offset: 0, strides: [1], indirections: [] }];
  const fold: Instruction = {
    kind: "fold",
    operation: "add",
    shape: [],
    over: [length],
    reads,
    expression: read(0),
  };
  const program: LoopProgram = programOf([[length]], [isCut ? withoutLastRound(fold) : fold]);
  const { layout } = soundPasses.layOut(program, { reusesBuffers: true, isInPlace: true, alignment: 4 });
  const { run, results } = backends[backend].build({ program, layout, precision, regime });
  return (numbers) => {
    run([precision === "float32" ? Float32Array.from(numbers) : Float64Array.from(numbers)], []);
    return present(results[0]?.[0], "a sum");
  };
}

/** Numbers are added in an order: a position, or the sum of two parts. */
export type Order = number | readonly [Order, Order];

/** Any number of ones is lost in this. */
const LARGE = 2 ** 100;

/**
 * Finds the order in which a sum adds its numbers from its answers: with M and −M among ones, the ones are
 * lost that meet one of the two before these meet each other. What a sum leaves out has no place in it.
 * Source: P. Xie, Y. Gao, J. Xue, FPRev: Revealing the Order of Floating-Point Summation by Numerical
 * Testing, 2024. Cost: at most a sum for each pair of numbers.
 */
export function orderOf(sum: Sum, length: number): Order {
  const positions = Array.from({ length }, (_, position) => position);
  const counted = positions.filter((position) => sum(positions.map((k) => (k === position ? 1 : 0))) === 1);
  const lost = (i: number, j: number): number =>
    counted.length - sum(positions.map((k) => (k === i ? LARGE : k === j ? -LARGE : 1)));
  const ordered = ([first = 0, ...others]: readonly number[]): Order => {
    const meeting = Map.groupBy(others, (other) => lost(first, other));
    return [...meeting]
      .toSorted(([a], [b]) => a - b)
      .reduce<Order>((before, [, part]) => [before, ordered(part)], first);
  };
  return ordered(counted);
}

/** Sums in an order, by `add`. */
export function summed<T>(order: Order, elements: readonly T[], add: (x: T, y: T) => T): T {
  if (typeof order === "number") return present(elements[order], `number ${order}`);
  const [left, right] = order;
  return add(summed(left, elements, add), summed(right, elements, add));
}

/** Returns the order of the definition. */
export function fromTheLeft(length: number): Order {
  return Array.from({ length }, (_, position) => position).reduce<Order>(
    (before, position) => (position === 0 ? 0 : [before, position]),
    0,
  );
}
