/**
 * Asks a tool of GradBench for gradients and holds them against the truth: `node
 * bench/gradbench/bridge/main.ts COMMAND …`, such as `python3 python/gradbench/gradbench/tools/jax/run.py`.
 */
import process from "node:process";
import { numpyUniform } from "../points.ts";
import { askTool } from "./ask.ts";
import { modules } from "./modules.ts";

const [program, ...words] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write("say the command of a tool, with its words\n");
  process.exit(2);
}
const POINTS = 100;
for (const module of modules) {
  const numbers = numpyUniform(1, 0, POINTS * 16).values();
  const draw = (): number => 2 * (numbers.next().value ?? 0) - 1;
  const { missing, points, within, undecided, outside } = await askTool(
    [program, ...words],
    module,
    POINTS,
    draw,
  );
  const told = `${within} within the bound, ${undecided} undecided, ${outside.length} outside`;
  console.log(`${module.name}: ${points} points, ${told}${missing === undefined ? "" : `; ${missing}`}`);
  for (const { input, place, answer, truth, bound } of outside.slice(0, 2))
    console.log(`  ${JSON.stringify(input)}: ∂${place} is ${answer}, the truth ${truth} ± ${bound}`);
}
