import { type Bodies, bodiesIn, type Language, type Take } from "../../javascript/scalar/index.ts";
import type { Precision, Regime, ScalarFunction } from "../../plan/index.ts";
import { type ScalarName, type ScalarPlan, SUMS, type Variant } from "../../plan/scalar/index.ts";
import { type ForeignName, functionsText, isForeign } from "../functions/index.ts";
import { type Functions, Scalars } from "../scalars.ts";
import { prelude } from "../source.ts";

/** How the sweeps of a plan are written. */
export interface SweepOptions {
  readonly precision: Precision;
  readonly regime: Regime;
  readonly functions: Functions;
  /** Cotangents may begin anywhere, as `reached` says. */
  readonly tracks: boolean;
  /** Which functions there are, and what stands before their declarations, as `static`. */
  readonly sweeps: readonly Sweep[];
  readonly storage: string;
}

/** If runs have fewer nodes on average, single steps are faster. */
export const shortestRun = 1.75;

/** The functions of a file. */
type Sweep = "forward" | "reverse" | "tangent";

/** The tables of a plan, as parameters of every function, and as its arguments. */
export const tables = ["x", "y", "z", "xBar", "yBar", "zBar", "sums"] as const;
const parameters = [
  ...tables.map((table) => `const int32_t *restrict ${table}`),
  ...["const uint8_t *restrict k", "uint8_t *restrict reached"],
  ...["T *restrict v", "T *restrict c", "T *restrict d"],
].join(", ");
const given = [...tables, "k", "reached", "v", "c", "d"].join(", ");
const unused = given.replaceAll(/(\w+),?/g, "(void)$1;");

/**
 * Writes the sweeps of a plan over its tables, which the caller hands in, so that plans of the same variants
 * have one text: `forward`, `reverse` and `tangent` with a loop for each variant, or a switch over steps.
 * Their parameters are the tables, the variants `k` and flags `reached` of the slots, the values `v`, the
 * cotangents `c`, followed by the staged slots, and the tangents `d`; then the rows of the schedule and their
 * count, or the first slot and the end of them.
 */
export function sweepsText(
  plan: ScalarPlan,
  { precision, regime, functions, tracks, sweeps, storage }: SweepOptions,
): { readonly text: string; readonly called: readonly ForeignName[] } {
  const scalars = new Scalars(precision, regime, functions);
  const bodies = bodiesIn(languageOf(scalars));
  const write = plan.schedule.kind === "runs" ? runs : steps;
  const written = sweeps.map((sweep) => write(plan, bodies, sweep, { storage, tracks }));
  const isRuns = plan.schedule.kind === "runs";
  const text = [
    ...(functions === "math.h" ? ["#include <math.h>"] : []),
    prelude(precision === "float64"),
    functionsText({ used: scalars.used, precision, functions }),
    ...(isRuns ? [independent] : []),
    ...(isRuns ? [nearText([...scalars.used], precision, functions)] : []),
    ...written,
  ].join("\n\n");
  return { text, called: functions === "host" ? [...scalars.used].filter(isForeign) : [] };
}

/** Defines sines and cosines of small arguments; of functions that are not the file's own all are large. */
function nearText(used: readonly ScalarFunction[], precision: Precision, functions: Functions): string {
  const suffix = precision === "float64" ? "D" : "F";
  const own = functions === "own";
  return used
    .flatMap((name) =>
      name === "sin" || name === "cos"
        ? [`#define ${name}_near_T ${own ? `${name}_near_${suffix}` : `${name}_T`}`]
        : [],
    )
    .concat(`#define is_near_T(x) ${own ? `(absolute_${suffix}(x) <= ${2 ** 20})` : "0"}`)
    .join("\n");
}

/** C of one precision; an application is an operand of others. */
function languageOf(scalars: Scalars): Language {
  return {
    ...{ number: "const T", slot: "const int32_t", equal: "==", unequal: "!=" },
    literal: (value) => scalars.literal(value),
    application: (name, operands) => `(${scalars.application(name, operands)})`,
  };
}

interface Form {
  readonly storage: string;
  readonly tracks: boolean;
}

/** Says that the rounds of a loop do not depend on each other, which a compiler cannot see. */
const independent = `
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define INDEPENDENT _Pragma("GCC ivdep")
#else
#define INDEPENDENT
#endif`.trim();

/** Contributions to slots wait in arrays of so many, where functions are computed in vectors. */
const BLOCK = 256;

const added: Take = (text, letter) => `c[${letter}i] += ${text};`;
const staged: Take = (text, letter) => `c[${letter}Bar[i]] += ${text};`;
const reaching: Take = (text, letter) => `c[${letter}i] += ${text}; reached[${letter}i] = 1;`;

function runs(plan: ScalarPlan, bodies: Bodies, sweep: Sweep, { storage }: Form): string {
  const { variants } = plan;
  const take = plan.staging.extra > 0 ? staged : added;
  const names = operatorsOf(variants);
  const loop = (name: string, body: string): string =>
    `static void ${name}(I from, I to, ${parameters}) {\n  ${unused}\n${body}\n}`;
  const plain = (body: string): string => independentLoop("from", "to", body);
  if (sweep !== "reverse") {
    const kernels = names.map((name) => loop(`${sweep}_${name}`, plain(bodies[sweep](name))));
    return [
      ...kernels,
      driver(sweep, storage, "", variants, ({ name }) =>
        name === undefined ? undefined : `${sweep}_${name}`,
      ),
    ].join("\n\n");
  }
  const kernels = variants.flatMap((variant, n) => {
    if (variant.name === undefined || variant.receives === 0) return [];
    const direct = bodies.reverse(variant, take);
    if (!/_T\(/.test(direct)) return [loop(`reverse_${n}`, `  for (I i = from; i < to; i++) { ${direct} }`)];
    // Functions are computed side by side; what is added may go to one slot twice.
    const stored: string[] = [];
    const first = bodies.reverse(variant, (text, letter, count) => {
      stored.push(take(`part${count}[i - block]`, letter, count).replaceAll(/\b([xyz])i\b/g, "$1[i]"));
      return `part${count}[i - block] = ${text};`;
    });
    const body = [
      `  T ${stored.map((_, count) => `part${count}[${BLOCK}]`).join(", ")};`,
      `  for (I block = from; block < to; block += ${BLOCK}) {`,
      `    I end = to - block < ${BLOCK} ? to : block + ${BLOCK};`,
      independentLoop("block", "end", first),
      `    for (I i = block; i < end; i++) { ${stored.join(" ")} }`,
      "  }",
    ].join("\n");
    return [loop(`reverse_${n}`, body)];
  });
  const add = `
  for (I row = 3 * from; row < 3 * to; row += 3) {
    T sum = c[sums[row]];
    for (I i = sums[row + 1]; i < sums[row + 2]; i++) sum = sum + c[i];
    c[sums[row]] = sum;
  }`;
  return [
    ...kernels,
    loop("add", add),
    driver(sweep, storage, `case ${SUMS}: add(from, to, ${given}); break;`, variants, ({ receives }, n) =>
      receives === 0 ? undefined : `reverse_${n}`,
    ),
  ].join("\n\n");
}

/**
 * Writes a loop whose rounds are independent. Sines and cosines have a branch for large arguments; where all
 * are small, which a loop before it finds out, the one that is taken has none and becomes vectors.
 */
function independentLoop(from: string, end: string, body: string): string {
  const loop = (text: string): string => `INDEPENDENT\n    for (I i = ${from}; i < ${end}; i++) { ${text} }`;
  if (!/\b(sin|cos)_T\(vx\)/.test(body)) return `    ${loop(body)}`;
  return `    int are_near = 1;
    ${loop("are_near &= is_near_T(v[x[i]]);")}
    if (are_near) {
    ${loop(body.replaceAll(/\b(sin|cos)_T\(vx\)/g, "$1_near_T(vx)"))}
    } else {
    ${loop(body)}
    }`;
}

function driver(
  sweep: Sweep,
  storage: string,
  prefix: string,
  variants: readonly Variant[],
  kernelOf: (variant: Variant, n: number) => string | undefined,
): string {
  const cases = variants.flatMap((variant, n) => {
    const kernel = kernelOf(variant, n);
    return kernel === undefined ? [] : [`      case ${n}: ${kernel}(from, to, ${given}); break;`];
  });
  return `${storage} void ${sweep}(${parameters}, const int32_t *restrict rows, I count) {
  ${unused}
  for (I row = 0; row < count; row += 3) {
    I from = rows[row + 1], to = rows[row + 2];
    switch (rows[row]) {
      ${prefix}
${cases.join("\n")}
    }
  }
}`;
}

function steps({ variants }: ScalarPlan, bodies: Bodies, sweep: Sweep, { storage, tracks }: Form): string {
  const take = tracks ? reaching : added;
  const cases = variants.flatMap((variant, n) => {
    const { name } = variant;
    if (name === undefined) return [];
    const body = sweep === "reverse" ? bodies.reverse(variant, take) : bodies[sweep](name);
    return [`      case ${n}: { ${body} break; }`];
  });
  const loop =
    sweep === "reverse"
      ? `for (I i = to - 1; i >= from; i--) {${tracks ? " if (reached[i] == 0) continue;" : ""}`
      : "for (I i = from; i < to; i++) {";
  return `${storage} void ${sweep}(${parameters}, I from, I to) {
  ${unused}
  ${loop}
    switch (k[i]) {
${cases.join("\n")}
    }
  }
}`;
}

function operatorsOf(variants: readonly Variant[]): readonly ScalarName[] {
  return [...new Set(variants.flatMap(({ name }) => (name === undefined ? [] : [name])))];
}
