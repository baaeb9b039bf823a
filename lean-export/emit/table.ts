import { type Rational, rational, type Tensor } from "../../reference/index.ts";
import { rules } from "../../reference/operators/index.ts";
import type { BinaryName, UnaryName } from "../../spec/operators/index.ts";
import { isEnclosed } from "./enclosed.ts";
import type { FlatTrace, Numbers, TableRow } from "./flat.ts";
import { leanNumber, leanNumbers } from "./scalars.ts";
import { tabledOperations } from "./tabled.ts";

/**
 * Lists what a run takes its elementary functions to be: for each function and arguments the value that the
 * run has there, and the slope in each argument, by the reference's rule. Each is listed once; if a run has
 * two values for the same arguments, both are, and no function agrees with the table. Those come first of
 * which it is claimed how near they are.
 */
export function tableOf({ program, run }: Pick<FlatTrace, "program" | "run">): readonly TableRow[] {
  const rows = new Map<string, TableRow>();
  for (const [index, { operator, parents }] of program.nodes.entries()) {
    if (operator.kind !== "elementary") continue;
    const values = run.values[program.inputs.length + index] ?? [];
    for (const [position, value] of values.entries()) {
      const operands = parents.map((parent) => run.values[parent]?.[position] ?? rational.additive.zero);
      const key = [operator.f, ...operands.map(rational.format), rational.format(value)].join(" ");
      if (rows.has(key)) continue;
      rows.set(key, { f: operator.f, arguments: operands, value, slopes: slopesOf(operator.f, operands) });
    }
  }
  const all = [...rows.values()];
  return [...all.filter(isEnclosed), ...all.filter((row) => !isEnclosed(row))];
}

/** What the reference pulls back of a cotangent of 1, to each operand. */
export function slopesOf(f: UnaryName | BinaryName, operands: Numbers): Numbers {
  const scalar = (x: Rational): Tensor<Rational> => ({ shape: [], data: [x] });
  const applied = {
    algebra: tabledOperations,
    attributes: {},
    operands: operands.map(scalar),
    environment: new Map(),
    shape: [],
  };
  const one = scalar(rational.levels.semiring?.one ?? rational.additive.zero);
  const cotangents = f === "pow" ? rules.pow.vjp(applied, one) : rules[f].vjp(applied, one);
  return cotangents.map((cotangent) => cotangent?.data[0] ?? rational.additive.zero);
}

/** Returns a row as a Lean term of type `TableRow`. */
export function leanRow({ f, arguments: operands, value, slopes }: TableRow): string {
  return `⟨.${f}, ${leanNumbers(operands)}, ${leanNumber(value)}, ${leanNumbers(slopes)}⟩`;
}
