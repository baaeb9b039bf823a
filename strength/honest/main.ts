/** Asks honest algorithms: `npm run honest -- --components 100000`. The figures stand in docs/alarms.md. */
import process from "node:process";
import { parseArgs } from "node:util";
import { algorithms, wrongAlgorithms } from "./algorithms/index.ts";
import { type Accusation, campaign, precisions } from "./campaign.ts";

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
process.exitCode = failures > 0 ? 1 : 0;
