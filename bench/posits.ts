/**
 * Measures posits without big integers: `npm run bench -- --posits`, in operations a second of the fastest of
 * many short runs.
 */
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { type PositArithmetic, positArithmetic, WordQuire } from "../engines/index.ts";
import { posit } from "../reference/numerics/index.ts";
import { present, standardPosit } from "../spec/index.ts";

/** This many field operations a second are the goal [docs/posits.md]. */
const goals: Readonly<Record<number, number>> = { 8: 5e6, 16: 5e6, 32: 1e6 };

/** Lists operands: codes of every size and sign, in an order without pattern. */
function operandsOf(width: number): Int32Array {
  let state = 1;
  return Int32Array.from({ length: 4096 }, () => {
    state = Math.imul(state, 1664525) + 1013904223;
    return state >> (32 - width);
  });
}

/** Counts calls a second of the fastest run, which other work on the machine slows least. */
function rateOf(calls: number, runs: number, run: (calls: number) => void): number {
  for (let warm = 0; warm < 20; warm++) run(calls);
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    run(calls);
    return performance.now() - start;
  });
  return (calls / Math.min(...times)) * 1000;
}

/** Results go here, so that they have to be computed. */
const sink = new Int32Array(1);

type Dyad = (x: number, y: number) => number;

function dyadRate(operation: Dyad, width: number, calls: number, runs: number): number {
  const operands = operandsOf(width);
  return rateOf(calls, runs, (count) => {
    let last = 0;
    for (let n = 0; n < count; n++)
      last ^= operation(operands[n & 4095] ?? 0, operands[(n * 7 + 3) & 4095] ?? 0);
    sink[0] = last;
  });
}

function show(name: string, rate: number, goal: number | undefined): void {
  const against = goal === undefined ? "" : `   goal ${(goal / 1e6).toFixed(0)} M`;
  console.log(`${name.padEnd(44)} ${(rate / 1e6).toFixed(2).padStart(8)} M/s${against}`);
}

function dyadsOf(a: PositArithmetic): Readonly<Record<string, Dyad>> {
  return {
    add: a.add,
    subtract: a.subtract,
    multiply: a.multiply,
    divide: a.divide,
    sqrt: (x) => a.sqrt(x < 0 ? a.negative(x) : x),
  };
}

/** Prints operations a second of the engine's posits and quires, and of the reference's. */
export function benchPosits(isQuick: boolean): void {
  const [calls, runs] = [40_000, isQuick ? 30 : 300];
  console.log(
    `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.version}`,
  );
  console.log(`one core; the fastest of ${runs} runs of ${calls} after a warm-up`);
  for (const width of [8, 16, 32] as const) {
    for (const [name, operation] of Object.entries(dyadsOf(positArithmetic(standardPosit(width))))) {
      show(`posit${width} ${name}`, dyadRate(operation, width, calls, runs), goals[width]);
    }
    // One NaR would turn the whole sum into NaR.
    const operands = operandsOf(width).map((x) => (x === -(2 ** (width - 1)) ? 1 : x));
    const quire = new WordQuire(positArithmetic(standardPosit(width)));
    const rate = rateOf(calls, runs, (count) => {
      quire.clear();
      for (let n = 0; n < count; n++)
        quire.multiplyAdd(operands[n & 4095] ?? 0, operands[(n * 7 + 3) & 4095] ?? 0);
      sink[0] = quire.toPosit();
    });
    show(`quire${width} multiply-add`, rate, undefined);
  }
  for (const width of [8, 16, 32, 64] as const) {
    const made = posit(standardPosit(width));
    if (!made.ok) throw new Error(made.error.message);
    const { add } = present(made.value.levels.semiring, "a semiring");
    const codes = Array.from(
      operandsOf(Math.min(width, 32)),
      (x) => BigInt(x) << BigInt(Math.max(0, width - 32)),
    );
    const rate = rateOf(calls / 50, runs, (count) => {
      for (let n = 0; n < count; n++) add(codes[n & 4095] ?? 0n, codes[(n * 7 + 3) & 4095] ?? 0n);
    });
    show(`posit${width} add, by the definition`, rate, undefined);
  }
}
