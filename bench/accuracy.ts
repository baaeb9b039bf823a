/** How accurate the WebAssembly engine's own functions are, against MPFR: `node bench/accuracy.ts [points]`. The figures stand in docs/performance.md. */
import process from "node:process";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { arrayFunctions, vectorFunctionNames } from "../engines/wasm/functions/array_functions.test.kit.ts";
import { accuracyPoints, worstError } from "../oracle/truth/vector_accuracy.test.kit.ts";

const SEED = 1;
const COUNT = Number(process.argv[2] ?? 1_000_000);

console.log(`largest error in units in the last place, ${COUNT} points for each function and precision`);
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
    const points = accuracyPoints(name, precision, COUNT, xoroshiro128plus(SEED));
    const { error, at } = worstError(functions, name, precision, points);
    return `${error.toFixed(3).padStart(7)}  ${String(at).padEnd(26)}`;
  });
  console.log(`${name.padEnd(12)} ${cells.join(" ")}`);
}
