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

/** The backends that compute a fold in several parts. Straight-line code does not. */
const backends: Readonly<Record<BackendName, Backend>> = {
  wasm,
  javascript: { name: "javascript loops", build: (order) => buildAs(order, "loops") },
};

/** The name of such a backend. */
type BackendName = "wasm" | "javascript";

/** How numbers are summed: by which code, and how many. */
export interface Summation {
  readonly backend: BackendName;
  readonly precision: Precision;
  readonly length: number;
  readonly regime: Regime;
  /** Whether the numbers that do not fill a last round are left out. */
  readonly isCut?: boolean;
}

/** The sum of so many numbers, as an engine's code computes it. */
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

/** In which order numbers are added: a number by its position, or the sum of two parts. */
export type Order = number | readonly [Order, Order];

/** So large that every count of ones is lost in it. */
const LARGE = 2 ** 100;

/**
 * The order in which a sum adds so many numbers, which its answers tell: of ones and ±M, the ones are lost that meet one of the two before these meet each other.
 * What a sum leaves out has no place in it. Source: P. Xie, Y. Gao, J. Xue, FPRev: Revealing the Order of Floating-Point Summation by Numerical Testing, 2024.
 * Cost: a sum for each pair of numbers at most.
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

/** The sum in an order, over whatever `add` adds. */
export function summed<T>(order: Order, elements: readonly T[], add: (x: T, y: T) => T): T {
  if (typeof order === "number") return present(elements[order], `number ${order}`);
  const [left, right] = order;
  return add(summed(left, elements, add), summed(right, elements, add));
}

/** The order of the definition. */
export function fromTheLeft(length: number): Order {
  return Array.from({ length }, (_, position) => position).reduce<Order>(
    (before, position) => (position === 0 ? 0 : [before, position]),
    0,
  );
}
