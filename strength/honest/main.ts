/**
 * Asks honest algorithms, and then honest engines by the truth and all laws: `npm run honest -- --components
 * 100000`. The figures stand in docs/alarms.md.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { mix } from "../../oracle/index.ts";
import { searchAlarms } from "../alarms/run.ts";
import { algorithms, wrongAlgorithms } from "./algorithms/index.ts";
import { type Accusation, campaign, precisions } from "./campaign.ts";
import { honestEngines } from "./engines.ts";

const { values: flags } = parseArgs({
  options: {
    components: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});

function shown({ drawn, part, element, answer, expected, bound }: Accusation): string {
  const { operands, tangents, cotangent, upper, epsilon, correction } = drawn.question;
  return `    ${part}[${element}]: ${answer}, expected ${expected} within ${bound}; ${JSON.stringify({ operands, tangents, cotangent, upper, epsilon, correction })}`;
}

const orders = {
  components: Number(flags.components),
  cases: Number.POSITIVE_INFINITY,
  seed: Number(flags.seed),
};
let failures = 0;
console.log("| composite | algorithm | precision | cases | judged | outside | undecided |");
console.log("| --- | --- | --- | ---: | ---: | ---: | ---: |");
for (const [list, isHonest] of [
  [algorithms, true],
  [wrongAlgorithms, false],
] as const) {
  for (const algorithm of list.filter(({ composite, name }) => `${composite} ${name}`.includes(flags.only))) {
    for (const dtype of precisions) {
      const limited = isHonest ? orders : { ...orders, components: 10_000 };
      const { counts, cases, accusations } = campaign(algorithm, dtype, limited);
      const { within, outside, undecided } = counts;
      const name = `${isHonest ? "" : "wrong: "}${algorithm.name}`;
      console.log(
        `| ${algorithm.composite} | ${name} | ${dtype} | ${cases} | ${within + outside} | ${outside} | ${undecided} |`,
      );
      if (isHonest !== (outside === 0)) {
        failures += 1;
        for (const accusation of accusations) console.log(shown(accusation));
      }
    }
  }
}
console.log("\n| engine | precision | cases | judged | outside |");
console.log("| --- | --- | ---: | ---: | ---: |");
for (const { name, engine } of honestEngines.filter((honest) => honest.name.includes(flags.only))) {
  for (const dtype of engine().describe().dtypes) {
    const asked = { profile: mix, first: 0, lawsEvery: 1, onesEvery: 2 };
    const { cases, judged, alarms } = await searchAlarms(engine(), { dtype, ...asked, ...orders });
    const findings = alarms.flatMap((alarm) => alarm.findings);
    console.log(`| ${name} | ${dtype} | ${cases} | ${judged} | ${findings.length} |`);
    failures += findings.length > 0 ? 1 : 0;
    for (const finding of findings.slice(0, 3)) console.log(`    ${JSON.stringify(finding)}`);
  }
}
process.exitCode = failures > 0 ? 1 : 0;
