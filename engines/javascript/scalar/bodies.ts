import type { Precision } from "../../plan/executable.ts";
import { apply, type Expression, read } from "../../plan/expression.ts";
import { type ScalarName, scalarRules, type Variant } from "../../plan/scalar/index.ts";
import { textOf } from "./text.ts";

/**
 * Statements for the node of slot `i`, of arrays `v` (values), `d` (tangents), `c` (cotangents), `x`, `y`, `z` (operands' slots) and
 * `xBar`, `yBar`, `zBar` (where contributions go). Each is made from the operator's rule.
 */
export interface Bodies {
  /** Stores the value. */
  forward(name: ScalarName): string;
  /** Stores the tangent. */
  tangent(name: ScalarName): string;
  /** Adds the contributions of the variant; `reach` is put after each, with the operand's slot as `#`. */
  reverse(variant: Variant, reach: string): string;
}

const letters = ["x", "y", "z"] as const;
const reads = ["vx", "vy", "vz", "value", "c0", "dx", "dy", "dz"];
const element = { x: read(0), y: read(1), z: read(2), value: read(3) };

/** The statements for a precision. */
export function bodiesFor(precision: Precision): Bodies {
  const written = (expressions: readonly Expression[]): { before: string; results: readonly string[] } => {
    const { declarations, results } = textOf(expressions, { reads, precision });
    const text = [declarations, ...results].join(" ");
    const loads = reads.flatMap((name) =>
      new RegExp(`\\b${name}\\b`).test(text) ? [`const ${name} = ${sources[name]};`] : [],
    );
    return { before: [...loads, declarations].join(" "), results };
  };
  return {
    forward(name) {
      const { before, results } = written([scalarRules[name].forward(element)]);
      return `${before} v[i] = ${results[0]};`;
    },
    tangent(name) {
      const tangent = scalarRules[name].push?.(element, { xDot: read(5), yDot: read(6), zDot: read(7) });
      if (tangent === undefined) return "d[i] = 0;";
      const { before, results } = written([tangent]);
      return `${before} d[i] = ${results[0]};`;
    },
    reverse({ name, receives, isFolded }, reach) {
      if (name === undefined || receives === 0) return "";
      const pulled = scalarRules[name].pull(element, read(4));
      const targets = letters.flatMap((letter, position) => {
        const contribution = (receives & (1 << position)) === 0 ? undefined : pulled[position];
        return contribution === undefined ? [] : [{ letter, contribution }];
      });
      const [first, second] = targets;
      const folded =
        isFolded && first !== undefined && second !== undefined
          ? [{ letter: first.letter, contribution: apply("add", first.contribution, second.contribution) }]
          : targets;
      const { before, results } = written(folded.map(({ contribution }) => contribution));
      const adds = folded.map(
        ({ letter }, n) => `c[${letter}Bar[i]] += ${results[n]}; ${reach.replace("#", `${letter}[i]`)}`,
      );
      return [before, ...adds].join(" ");
    },
  };
}

const sources: Readonly<Record<string, string>> = {
  vx: "v[x[i]]",
  vy: "v[y[i]]",
  vz: "v[z[i]]",
  value: "v[i]",
  c0: "c[i]",
  dx: "d[x[i]]",
  dy: "d[y[i]]",
  dz: "d[z[i]]",
};
