/** Searches for false alarms (docs/alarms.md): `npm run alarms -- --engine interpreter --dtype float32`. */
import process from "node:process";
import { parseArgs } from "node:util";
import { chooseEngine } from "../../conformance/testees/index.ts";
import { drawings } from "../../oracle/generate/drawing.ts";
import { profiles } from "../../oracle/generate/index.ts";
import { faultKey, faultMemory, faultOf, judge } from "../../oracle/judge/index.ts";
import { dataTypes } from "../../spec/wire/index.ts";
import { alarmTables, showAlarm } from "./report.ts";
import { searchAlarms } from "./run.ts";

const { values: flags } = parseArgs({
  options: {
    engine: { type: "string", default: "interpreter" },
    dtype: { type: "string", default: "float64" },
    components: { type: "string", default: "1000000" },
    cases: { type: "string", default: "Infinity" },
    seconds: { type: "string", default: "Infinity" },
    profile: { type: "string", default: "mix" },
    // `--profile nested --shapes wide` takes ranks and extents from another profile.
    shapes: { type: "string" },
    seed: { type: "string", default: "1" },
    first: { type: "string", default: "0" },
    shrink: { type: "string", default: "500" },
    "laws-every": { type: "string", default: "10" },
  },
});

/** Returns what a lookup found, or ends the process and lists what there is. */
function chosen<T>(value: T | undefined, flag: string, names: readonly string[]): T {
  if (value !== undefined) return value;
  console.error(`--${flag} is one of ${names.join(", ")}`);
  process.exit(2);
}

const drawing = chosen(drawings.get(flags.profile), "profile", [...drawings.keys()]);
/** Returns the drawing, or its profile with the shapes of another. */
function shaped(): typeof drawing {
  if (flags.shapes === undefined) return drawing;
  const shapes = chosen(profiles.get(flags.shapes), "shapes", [...profiles.keys()]);
  const profile = chosen(profiles.get(flags.profile), "profile of --shapes", [...profiles.keys()]);
  const { ranks, maximumRank, extents, maximumElements } = shapes;
  return {
    ...profile,
    name: `${profile.name} at ${shapes.name} shapes`,
    ranks,
    maximumRank,
    extents,
    maximumElements,
  };
}

const orders = {
  dtype: chosen(
    dataTypes.find((name) => name === flags.dtype),
    "dtype",
    dataTypes,
  ),
  profile: shaped(),
  seed: Number(flags.seed),
  first: Number(flags.first),
  components: Number(flags.components),
  cases: Number(flags.cases),
  lawsEvery: Number(flags["laws-every"]),
};

const choice = chooseEngine(flags.engine);
const started = choice.ok ? await choice.value.start({}) : { kind: "broken" as const, issues: choice.error };
if (started.kind !== "started") {
  const why = started.kind === "missing" ? [started.reason] : started.issues.map(({ message }) => message);
  console.error(`${flags.engine} did not start: ${why.join("; ")}`);
  process.exit(2);
}

await using engine = started.engine;
const { name, version } = engine.describe();
const begin = performance.now();
let told = begin;
const run = await searchAlarms(engine, orders, (cases, judged) => {
  const now = performance.now();
  if (now - told > 10_000) {
    told = now;
    const rate = (judged / (now - begin)) * 1000;
    process.stderr.write(
      `${cases} cases, ${judged} numbers judged, ${rate.toFixed(0)}/s, next ${orders.first + cases}\n`,
    );
  }
  return now - begin < Number(flags.seconds) * 1000;
});

console.log(`${name} ${version}, ${orders.dtype}, ${orders.profile.name}, seed ${orders.seed}`);
console.log(alarmTables(run));
const faults = new Map<string, number>();
// Two alarms of a kind are shrunk, the others only blamed.
const memory = faultMemory();
for (const alarm of run.alarms) {
  const verdict = await judge(engine, alarm.case, {
    dtype: orders.dtype,
    shrinkBudget: Number(flags.shrink),
    memory,
  });
  console.log(showAlarm(alarm, verdict));
  const fault = verdict.kind === "disagrees" ? faultKey(faultOf(verdict.witness)) : verdict.kind;
  faults.set(fault, (faults.get(fault) ?? 0) + 1);
}
for (const [fault, cases] of faults) console.log(`blamed on ${fault}: ${cases} cases`);
process.exitCode = run.alarms.length > 0 ? 1 : 0;
