/**
 * Compares the speed of the WebAssembly engine's own functions with this host's `Math`: `node
 * bench/function_speed.ts`. It prints nanoseconds for a number of an array in the first-level cache,
 * interleaved, the least of many rounds, and how often our time fits into the host's.
 */
import process from "node:process";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Numbers, Precision } from "../engines/compile/plan/executable.ts";
import { elementaryFunctions } from "../engines/compile/plan/index.ts";
import {
  arrayFunctions,
  vectorFunctionNames,
} from "../engines/compile/wasm/functions/array_functions.test.kit.ts";
import type { VectorFunction } from "../engines/compile/wasm/functions/index.ts";

const COUNT = 1024;
const ROUNDS = 1000;

const intervals: Readonly<Record<VectorFunction, readonly [number, number]>> = {
  exp: [-10, 10],
  expm1: [-10, 10],
  log: [0, 100],
  log1p: [-0.9, 10],
  sin: [-10, 10],
  cos: [-10, 10],
  tanh: [-3, 3],
  erf: [-3, 3],
};

/** Makes a loop of the host's function that has seen no other function. */
function hostLoop(name: VectorFunction): (operands: Numbers, results: Numbers, count: number) => void {
  const body = `for (let i = 0; i < count; i++) results[i] = f(operands[i]);`;
  const loop: unknown = new Function("f", "operands", "results", "count", body);
  if (typeof loop !== "function") throw new TypeError("no function");
  return (operands, results, count) => loop(elementaryFunctions[name], operands, results, count);
}

/** Returns the least time of each, in nanoseconds for a number. */
function leastTimes(runs: readonly (() => void)[]): readonly number[] {
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, run] of runs.entries()) {
      const start = process.hrtime.bigint();
      run();
      const time = Number(process.hrtime.bigint() - start) / COUNT;
      least[index] = Math.min(least[index] ?? time, time);
    }
  }
  return least;
}

function measured(precision: Precision): void {
  const called = arrayFunctions(precision);
  const inlined = arrayFunctions(precision, true);
  console.log(`\n${precision}     called  inlined   scalar     host   host / called   host / inlined`);
  for (const name of vectorFunctionNames) {
    const random = xoroshiro128plus(1);
    const [low, high] = intervals[name];
    const operands = called.operands.subarray(0, COUNT);
    for (const index of operands.keys()) {
      operands[index] = low + (high - low) * (random.next() / 2 ** 32 + 0.5);
    }
    inlined.operands.set(operands);
    const host = hostLoop(name);
    const results = operands.slice();
    const times = leastTimes([
      () => called.run(name, COUNT),
      () => inlined.run(name, COUNT),
      () => called.runScalars(name, COUNT),
      () => host(operands, results, COUNT),
    ]);
    const [call = 0, inline = 0, , own = 0] = times;
    const cells = times.map((time) => time.toFixed(2).padStart(8));
    const ratios = [own / call, own / inline].map((ratio) => ratio.toFixed(1).padStart(15));
    console.log(`${name.padEnd(10)} ${cells.join(" ")} ${ratios.join(" ")}`);
  }
}

measured("float64");
measured("float32");
