/**
 * Measures how sharp the bound is, for docs/truth.md: `node strength/sharpness/main.ts`, of random scalar
 * graphs; with `--composites all`, or names with commas between, of composites at ill-scaled operands.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { hostUlps } from "../../engines/index.ts";
import { profiles } from "../../oracle/generate/index.ts";
import { compositeNames } from "../../spec/composites/index.ts";
import { floatTypes } from "../../spec/index.ts";
import { CEILING, wide } from "./ceilings.ts";
import { casesOfNarrowed, narrowedOf } from "./narrowed.ts";
import { chainSharpnessOf, LOST_BITS, sensitivityOf, sharpnessOf } from "./sharpness.ts";
import { sweep } from "./sweep.ts";

const SEED = 1;

const { values: flags } = parseArgs({
  options: { composites: { type: "string" }, seed: { type: "string", default: String(SEED) } },
});

if (flags.composites !== undefined) {
  const names = flags.composites.split(",");
  let failures = 0;
  console.log("bound / error of the reference's own arithmetic, the median in each regime, both precisions");
  for (const op of compositeNames.filter((name) => flags.composites === "all" || names.includes(name))) {
    for (const { part, regime, median, measured, outside } of sweep(op, Number(flags.seed))) {
      if (measured === 0) continue;
      const isOver = median > (wide[op]?.[part] ?? CEILING);
      const why = median > CEILING ? (wide[op]?.because.join(", ") ?? "") : "";
      const found = isOver || outside > 0 ? `OVER, ${outside} outside ` : "";
      if (found !== "") failures += 1;
      const cells = [op.padEnd(28), part.padEnd(9), regime.padEnd(15), median.toPrecision(2).padStart(8)];
      console.log(`${cells.join(" ")} ${String(measured).padStart(5)} ${found}${why}`.trimEnd());
    }
  }
  process.exit(failures > 0 ? 1 : 0);
}

console.log("bound / true error of the reference's own arithmetic, over the numbers that are off at all:");
console.log(
  "first for an engine that declares the accuracy of its functions, then for one held to the default",
);
console.log("precision   nodes   declared: median      99 %   default: median      99 %   measured");
for (const dtype of floatTypes) {
  for (const [nodes, cases] of [
    [5, 400],
    [20, 100],
    [60, 30],
  ] as const) {
    const declared = sharpnessOf({ dtype, nodes, cases, seed: SEED, accuracy: hostUlps });
    const usual = sharpnessOf({ dtype, nodes, cases, seed: SEED, accuracy: {} });
    const cells = [
      String(nodes).padStart(6),
      declared.median.toFixed(1).padStart(18),
      declared.percentile99.toPrecision(2).padStart(9),
      usual.median.toFixed(1).padStart(17),
      usual.percentile99.toPrecision(2).padStart(9),
      String(usual.measured).padStart(10),
    ];
    console.log(`${dtype.padEnd(10)} ${cells.join(" ")}`);
  }
}

console.log("\nsecond derivatives of graphs of 20 nodes: tangents and cotangents of their derivative");
for (const dtype of floatTypes) {
  for (const [name, accuracy, isErring] of [
    ["declared", hostUlps, false],
    ["default", {}, false],
    ["default, of functions that err by as much as it allows", {}, true],
  ] as const) {
    const { median, percentile99, measured } = sharpnessOf({
      dtype,
      nodes: 20,
      cases: 500,
      seed: SEED,
      accuracy,
      isDerived: true,
      isErring,
    });
    console.log(
      `${dtype.padEnd(9)} ${name}: median ${median.toFixed(1)}, 99 % ${percentile99.toPrecision(2)}, of ${measured} numbers`,
    );
  }
}

console.log("\nchains of 120 to 200 nodes, float64");
for (const [name, accuracy] of [
  ["declared", hostUlps],
  ["default", {}],
] as const) {
  const { median, measured, wide } = chainSharpnessOf({ cases: 100, seed: SEED, accuracy });
  console.log(
    `${name}: median ${median.toFixed(1)} of ${measured} numbers; bounds wider than a thousandth: ${(100 * wide).toFixed(1)} %`,
  );
}

console.log(
  "\ncotangents of float64, each rounded to float32, by profile; those are not counted that are 0 in",
);
console.log("truth, or next to a number of float32, so that rounding hardly moves them");
console.log("profile       cases   counted    passing   share   next to float32      zero");
for (const [name, profile] of profiles) {
  const cases = casesOfNarrowed(profile);
  const { counted, passing, representable, zeros } = narrowedOf(profile, cases, SEED);
  const share = counted === 0 ? "–" : `${((100 * passing) / counted).toFixed(2)} %`;
  const cells = [
    String(cases).padStart(6),
    String(counted).padStart(9),
    String(passing).padStart(10),
    share.padStart(7),
    String(representable).padStart(17),
    String(zeros).padStart(9),
  ];
  console.log(`${name.padEnd(12)} ${cells.join(" ")}`);
}

console.log(
  `\nshare of relative faults caught, each in one number that a node hands on, where all but ${LOST_BITS} bits are kept`,
);
for (const [dtype, faults] of [
  ["float64", [1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 3e-16]],
  ["float32", [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 2e-7]],
] as const) {
  const { places, wellConditioned, caught } = sensitivityOf(
    { dtype, nodes: 20, cases: 60, seed: SEED, accuracy: {} },
    faults,
  );
  const shares = caught.map(({ fault, share }) => `${fault}: ${(100 * share).toFixed(1)} %`);
  console.log(`${dtype}, 20 nodes, ${wellConditioned} of ${places} places: ${shares.join("   ")}`);
}
