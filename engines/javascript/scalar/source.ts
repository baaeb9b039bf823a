import type { Precision } from "../../plan/executable.ts";
import { type ScalarName, type ScalarPlan, SUMS, type Variant } from "../../plan/scalar/index.ts";
import { type Bodies, bodiesFor } from "./bodies.ts";

/** The parameters of the functions that the generated code consists of. */
const forwardParameters = "v, x, y, z";
const tangentParameters = "v, d, x, y, z";
const reverseParameters = "v, c, x, y, z, xBar, yBar, zBar";

/**
 * JavaScript for a plan by runs: `forward(rows, v, x, y, z)`, `tangent(rows, v, d, x, y, z)` and
 * `reverse(rows, v, c, x, y, z, xBar, yBar, zBar, sums)`, with one loop for each variant.
 */
export function runsSource({ variants, staging }: ScalarPlan, precision: Precision): string {
  const target = staging.extra > 0 ? "staged" : "operands";
  const bodies = bodiesFor(precision);
  const names = operatorsOf(variants);
  const driver = (
    name: string,
    parameters: string,
    prefix: string,
    kernelOf: (variant: Variant, n: number) => string | undefined,
  ): string => {
    const cases = variants.flatMap((variant, n) => {
      const kernel = kernelOf(variant, n);
      return kernel === undefined ? [] : [`case ${n}: ${kernel}; break;`];
    });
    return `function ${name}(rows, ${parameters}) {
      for (let row = 0; row < rows.length; row += 3) {
        const from = rows[row + 1], to = rows[row + 2];
        switch (rows[row]) { ${prefix} ${cases.join(" ")} }
      }
    }`;
  };
  const kernelCall =
    (prefix: string, parameters: string) =>
    ({ name }: Variant): string | undefined =>
      name === undefined ? undefined : `${prefix}_${name}(${parameters}, from, to)`;
  return [
    ...names.map((name) => loop(`forward_${name}`, forwardParameters, bodies.forward(name))),
    ...names.map((name) => loop(`tangent_${name}`, tangentParameters, bodies.tangent(name))),
    ...variants.flatMap((variant, n) =>
      variant.receives === 0
        ? []
        : [loop(`reverse_${n}`, reverseParameters, bodies.reverse(variant, target))],
    ),
    `function add(c, sums, from, to) {
      for (let row = 3 * from; row < 3 * to; row += 3) {
        const slot = sums[row], end = sums[row + 2];
        let sum = c[slot];
        for (let i = sums[row + 1]; i < end; i++) sum = ${precision === "float32" ? "fround(sum + c[i])" : "sum + c[i]"};
        c[slot] = sum;
      }
    }`,
    driver("forward", forwardParameters, "", kernelCall("forward", forwardParameters)),
    driver("tangent", tangentParameters, "", kernelCall("tangent", tangentParameters)),
    driver(
      "reverse",
      `${reverseParameters}, sums`,
      `case ${SUMS}: add(c, sums, from, to); break;`,
      ({ receives }, n) => (receives === 0 ? undefined : `reverse_${n}(${reverseParameters}, from, to)`),
    ),
    "return { forward, tangent, reverse };",
  ].join("\n");
}

/**
 * JavaScript for a plan step by step: `forward(k, v, x, y, z, from, to)`, `tangent(k, v, d, x, y, z, from, to)`, `reverse(k, v, c, x, y, z, reached, from, to)` of the slots from … to,
 * where `k` has the variants. `tracks`: whether cotangents may begin anywhere, so that `reached` must be kept; else it is not looked at.
 */
export function stepsSource({ variants }: ScalarPlan, precision: Precision, tracks: boolean): string {
  const bodies = bodiesFor(precision);
  const cases = (bodyOf: (variant: Variant) => string): string =>
    variants
      .flatMap((variant, n) => (variant.name === undefined ? [] : [[n, bodyOf(variant)] as const]))
      .map(([n, body]) => `case ${n}: { ${body} break; }`)
      .join("\n");
  const named =
    (body: Bodies["forward"]) =>
    ({ name }: Variant): string =>
      name === undefined ? "" : body(name);
  const reverse = cases((variant) => bodies.reverse(variant, tracks ? "reaching" : "operands"));
  return `
    function forward(k, ${forwardParameters}, from, to) { for (let i = from; i < to; i++) switch (k[i]) { ${cases(named(bodies.forward))} } }
    function tangent(k, ${tangentParameters}, from, to) { for (let i = from; i < to; i++) switch (k[i]) { ${cases(named(bodies.tangent))} } }
    function reverse(k, v, c, x, y, z, reached, from, to) {
      for (let i = to - 1; i >= from; i--) { ${tracks ? "if (reached[i] === 0) continue;" : ""} switch (k[i]) { ${reverse} } }
    }
    return { forward, tangent, reverse };`;
}

/** The function of a loop over a run. */
function loop(name: string, parameters: string, body: string): string {
  return `function ${name}(${parameters}, from, to) { for (let i = from; i < to; i++) { ${body} } }`;
}

function operatorsOf(variants: readonly Variant[]): readonly ScalarName[] {
  return [...new Set(variants.flatMap(({ name }) => (name === undefined ? [] : [name])))];
}
