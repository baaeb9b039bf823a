import type { Numbers, Precision } from "../../plan/index.ts";
import { type ScalarName, type ScalarPlan, SUMS, type Variant } from "../../plan/scalar/index.ts";
import { type Bodies, bodiesIn, type Take } from "./bodies.ts";
import { javascriptIn } from "./text.ts";

/**
 * The constants in the scope of generated code. V8 compiles their places and lengths into the loops; as
 * parameters they cost a third more time.
 */
export interface Tables {
  /** The values, and the cotangents followed by the staged slots, by slot. */
  readonly v: Numbers;
  readonly c: Numbers;
  /** The operands' slots, and the slots that take their contributions. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  readonly z: Int32Array;
  readonly xBar: Int32Array;
  readonly yBar: Int32Array;
  readonly zBar: Int32Array;
  readonly sums: Int32Array;
  /** The rows of a schedule of runs; empty for steps. */
  readonly forwardRows: Int32Array;
  readonly reverseRows: Int32Array;
  /** The variant of each slot. */
  readonly k: Uint8Array;
  /** Each slot has 1 here if a cotangent arrives at it; empty if that is not asked for. */
  readonly reached: Uint8Array;
}

/**
 * Writes a plan by runs, with one loop for each variant: the functions `forward()` and `reverse()`, and
 * `bind(d)`, which returns `tangent()` for tangents in `d`.
 */
export function runsSource({ variants, staging, schedule, slots }: ScalarPlan, precision: Precision): string {
  const isLong = schedule.kind === "runs" && 3 * slots > PIECE * schedule.forward.length;
  const take = staging.extra > 0 ? staged : added;
  const bodies = bodiesIn(javascriptIn(precision));
  const names = operatorsOf(variants);
  const driver = (
    name: string,
    rows: string,
    prefix: string,
    kernelOf: (variant: Variant, n: number) => string | undefined,
  ): string => {
    const cases = variants.flatMap((variant, n) => {
      const kernel = kernelOf(variant, n);
      return kernel === undefined ? [] : [`case ${n}: ${kernel}(from, to); break;`];
    });
    const choice = `switch (${rows}[row]) { ${prefix} ${cases.join(" ")} }`;
    const pieces = `for (let from = first; from < last; from += ${PIECE}) {
      const to = from + ${PIECE} < last ? from + ${PIECE} : last;
      ${choice}
    }`;
    return `function ${name}() {
      for (let row = 0; row < ${rows}.length; row += 3) {
        const ${isLong ? "first" : "from"} = ${rows}[row + 1], ${isLong ? "last" : "to"} = ${rows}[row + 2];
        ${isLong ? pieces : choice}
      }
    }`;
  };
  const named =
    (prefix: string) =>
    ({ name }: Variant): string | undefined =>
      name === undefined ? undefined : `${prefix}_${name}`;
  return [
    ...names.map((name) => loop(`forward_${name}`, bodies.forward(name))),
    ...variants.flatMap((variant, n) =>
      variant.receives === 0 ? [] : [loop(`reverse_${n}`, bodies.reverse(variant, take))],
    ),
    `function add(from, to) {
      for (let row = 3 * from; row < 3 * to; row += 3) {
        const slot = sums[row], end = sums[row + 2];
        let sum = c[slot];
        for (let i = sums[row + 1]; i < end; i++) sum = ${precision === "float32" ? "fround(sum + c[i])" : "sum + c[i]"};
        c[slot] = sum;
      }
    }`,
    driver("forward", "forwardRows", "", named("forward")),
    driver("reverse", "reverseRows", `case ${SUMS}: add(from, to); break;`, ({ receives }, n) =>
      receives === 0 ? undefined : `reverse_${n}`,
    ),
    "function bind(d) {",
    ...names.map((name) => loop(`tangent_${name}`, bodies.tangent(name))),
    driver("tangent", "forwardRows", "", named("tangent")),
    "return tangent; }",
    "return { forward, reverse, bind };",
  ].join("\n");
}

/**
 * Writes a plan by steps: the functions `forward(from, to)` and `reverse(from, to)` over slots, and
 * `bind(d)`, which returns `tangent(from, to)` for tangents in `d`. With `tracks` cotangents may begin
 * anywhere, as `reached` says.
 */
export function stepsSource({ variants }: ScalarPlan, precision: Precision, tracks: boolean): string {
  const bodies = bodiesIn(javascriptIn(precision));
  const cases = (bodyOf: (variant: Variant) => string): string =>
    variants
      .flatMap((variant, n) => (variant.name === undefined ? [] : [[n, bodyOf(variant)] as const]))
      .map(([n, body]) => `case ${n}: { ${body} break; }`)
      .join("\n");
  const named =
    (body: Bodies["forward"]) =>
    ({ name }: Variant): string =>
      name === undefined ? "" : body(name);
  const reverse = cases((variant) => bodies.reverse(variant, tracks ? reaching : added));
  return `
    function forward(from, to) { for (let i = from; i < to; i++) switch (k[i]) { ${cases(named(bodies.forward))} } }
    function reverse(from, to) {
      for (let i = to - 1; i >= from; i--) { ${tracks ? "if (reached[i] === 0) continue;" : ""} switch (k[i]) { ${reverse} } }
    }
    function bind(d) {
      function tangent(from, to) { for (let i = from; i < to; i++) switch (k[i]) { ${cases(named(bodies.tangent))} } }
      return tangent;
    }
    return { forward, reverse, bind };`;
}

/** Contributions are added to operands, to staged slots, or to operands and their `reached` flags. */
const added: Take = (text, letter) => `c[${letter}i] += ${text};`;
const staged: Take = (text, letter) => `c[${letter}Bar[i]] += ${text};`;
const reaching: Take = (text, letter) => `c[${letter}i] += ${text}; reached[${letter}i] = 1;`;

/**
 * A piece has so many slots, if runs are longer on average. V8 inlines the loops into the driver, whose
 * rounds do not count towards optimising it: with runs of thousands of slots it stayed slow for 28 sweeps.
 */
const PIECE = 256;

/** Writes the function of a loop over a run. */
function loop(name: string, body: string): string {
  return `function ${name}(from, to) { for (let i = from; i < to; i++) { ${body} } }`;
}

function operatorsOf(variants: readonly Variant[]): readonly ScalarName[] {
  return [...new Set(variants.flatMap(({ name }) => (name === undefined ? [] : [name])))];
}
