/**
 * Tells what a finding costs: `node bench/finding_time.ts [--profile mix] [--seed 7] [--cases 80]` judges,
 * by each mutant, cases of a profile until one is wrong, and times judging that one: the smallest case, the
 * node to blame and the explanation, the mutant's own time among it. Times are of the processor, with the
 * compiler's threads and the collector.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { mutants } from "../engines/index.ts";
import { drawingNamed, drawnAt } from "../oracle/generate/index.ts";
import { judge } from "../oracle/judge/index.ts";
import { present } from "../spec/index.ts";

const { values: options } = parseArgs({
  options: {
    profile: { type: "string", default: "mix" },
    seed: { type: "string", default: "7" },
    cases: { type: "string", default: "80" },
  },
});
const drawing = present(drawingNamed(options.profile), options.profile);
const seconds: number[] = [];
for (const mutant of mutants) {
  const engine = mutant.engine();
  const { operators } = engine.describe();
  for (let index = 0; index < Number(options.cases); index++) {
    const question = drawnAt(drawing, operators, Number(options.seed), index);
    const begun = process.cpuUsage();
    const verdict = await judge(engine, question, { dtype: "float64" });
    if (verdict.kind !== "disagrees") continue;
    const { user, system } = process.cpuUsage(begun);
    seconds.push((user + system) / 1e6);
    const { graph } = verdict.witness.case;
    const size = `${question.graph.nodes.length} nodes, then ${graph.nodes.length}`;
    console.log(`${mutant.name}, case ${index}: ${size}, ${seconds.at(-1)?.toFixed(2)} s`);
    break;
  }
}
seconds.sort((a, b) => a - b);
const at = (share: number): string =>
  present(seconds[Math.floor(share * (seconds.length - 1))], "a finding").toFixed(2);
console.log(
  `${seconds.length} findings: ${at(0.5)} s at the median, ${at(0.9)} s for nine of ten, ${at(1)} s at most`,
);
