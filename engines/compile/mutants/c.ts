import { ownAccuracy } from "../accuracy.ts";
import { type CCompiler, cBackend, type Fault } from "../c/index.ts";
import { type PlanMutant, planMutantTable, type Setting } from "./plan_mutant.ts";

/** Replaces each place of a text; a file without it stays right. */
const text = (right: string | RegExp, wrong: string): Fault => ({
  text: (file) => file.replaceAll(right, wrong),
});

/** Faults of the writer of C, each with the rewrite whose law the file breaks. */
const faults = {
  short_loops: {
    fault: "A loop over a whole axis leaves its last round out.",
    rewrite: "map_fusion",
    plant: {
      nest: (nest) => ({
        ...nest,
        loops: nest.loops.map((loop) => ({ ...loop, extent: Math.max(1, loop.extent - 1) })),
      }),
    },
  },
  negated_products: {
    fault: "The macro that multiplies and adds subtracts the product.",
    rewrite: "contraction",
    plant: text(/#define multiply_add\(x, y, z\).*/g, "#define multiply_add(x, y, z) ((z) - (x) * (y))"),
  },
  short_series: {
    fault: "The polynomials of exponentials, logarithms and waves lack their last coefficient.",
    rewrite: "own_functions",
    plant: {
      coefficients: (right) => ({
        ...right,
        exp: right.exp.slice(0, -1),
        log: right.log.slice(0, -1),
        sin: right.sin.slice(0, -1),
        cos: right.cos.slice(0, -1),
      }),
    },
  },
  short_totals: {
    fault: "A total of float64 numbers grows in float32.",
    rewrite: "reassociation",
    plant: text(/^( *)T (a[\d_]*(?:\[\d+\])?)/gm, "$1float $2"),
  },
  exchanged_choices: {
    fault: "A choice takes the number that the condition does not name.",
    rewrite: "units",
    plant: text(/select_T\((\w+), (\S+), (\S+)\);/g, "select_T($1, $3, $2);"),
  },
  quarter_turns: {
    fault: "A sine of the third quadrant has the sign of the second.",
    rewrite: "own_functions",
    plant: text("((turns & 2)", "((turns & 1)"),
  },
  overwritten_sums: {
    fault: "What is scattered twice to one place is not added there.",
    rewrite: "accumulation_in_place",
    plant: text(/= o\[[^;]+\] \+ (\w+);/g, "= $1;"),
  },
} as const satisfies Readonly<
  Record<string, { fault: string; rewrite: PlanMutant["rewrite"]; plant: Fault }>
>;

/** The mutants of the engine in C, by this machine's compiler. */
export function cPlanMutants(compiler: CCompiler): readonly PlanMutant[] {
  const setting: Setting = { backend: cBackend(compiler), accuracy: ownAccuracy };
  return planMutantTable(
    Object.fromEntries(
      Object.entries(faults).map(([name, { plant, fault, rewrite }]) => [
        name,
        { fault, rewrite, backend: cBackend(compiler, { fault: plant }), setting },
      ]),
    ),
  );
}
