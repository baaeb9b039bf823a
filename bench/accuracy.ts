/**
 * Measures the accuracy of the WebAssembly engine's own functions: `node bench/accuracy.ts [points]` against
 * MPFR at this many points of each, and `node bench/accuracy.ts all` for every number of float32 against this
 * host's `Math` in float64 (half an hour, or more).
 */
import process from "node:process";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { elementaryFunctions } from "../engines/compile/plan/index.ts";
import {
  type ArrayFunctions,
  arrayFunctions,
  CAPACITY,
  vectorFunctionNames,
} from "../engines/compile/wasm/functions/array_functions.test.kit.ts";
import type { VectorFunction } from "../engines/compile/wasm/functions/index.ts";
import { accuracyPoints, type WorstError, worstError } from "../oracle/truth/vector_accuracy.test.kit.ts";

const SEED = 1;

function sampled(count: number): void {
  console.log(`largest error in units in the last place, at ${count} points for each function and precision`);
  console.log("function     float64  at                          float32  at");
  const doubles = arrayFunctions("float64");
  const singles = arrayFunctions("float32");
  for (const name of vectorFunctionNames) {
    const cells = (
      [
        ["float64", doubles],
        ["float32", singles],
      ] as const
    ).map(([precision, functions]) => {
      const points = accuracyPoints(name, precision, count, xoroshiro128plus(SEED));
      const { error, at } = worstError(functions, name, precision, points);
      return `${error.toFixed(3).padStart(7)}  ${String(at).padEnd(26)}`;
    });
    console.log(`${name.padEnd(12)} ${cells.join(" ")}`);
  }
}

/** Returns the largest error over all float32; the host is right to 10⁻⁸ of their units. */
function worstOfAll(functions: ArrayFunctions, name: VectorFunction): WorstError {
  const { operands, results } = functions;
  const bits = new Uint32Array(operands.buffer, operands.byteOffset, CAPACITY);
  const host = elementaryFunctions[name];
  const rounded = new Float32Array(1);
  const roundedBits = new Uint32Array(rounded.buffer);
  let error = 0;
  let at = 0;
  for (let start = 0; start < 2 ** 32; start += CAPACITY) {
    for (let index = 0; index < CAPACITY; index++) bits[index] = start + index;
    functions.run(name, CAPACITY);
    for (let index = 0; index < CAPACITY; index++) {
      const x = operands[index] ?? 0;
      const y = results[index] ?? 0;
      const truth = host(x);
      rounded[0] = truth;
      if (Object.is(y, rounded[0])) {
        // A result as near as can be is off by half a unit at most, as is the worst of the others.
        continue;
      }
      const exponent = ((roundedBits[0] ?? 0) >>> 23) & 255;
      const unit = 2 ** (Math.min(Math.max(exponent, 1), 254) - 150);
      const claim = Number.isFinite(y) ? y : Math.sign(y) * 2 ** 128;
      const off = Math.abs(claim - truth) / unit;
      if (!(off <= error)) [error, at] = [off, x];
    }
  }
  return { error, at };
}

function exhaustive(): void {
  console.log("largest error in units in the last place, over all numbers of float32");
  const functions = arrayFunctions("float32");
  for (const name of vectorFunctionNames) {
    const { error, at } = worstOfAll(functions, name);
    console.log(`${name.padEnd(12)} ${error.toFixed(3).padStart(7)}  ${at}`);
  }
}

const [what = "1000000"] = process.argv.slice(2);
if (what === "all") exhaustive();
else sampled(Number(what));
