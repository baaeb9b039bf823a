import { describe, expect, test } from "vitest";
import { rational, rationalFromNumber } from "../../reference/package.ts";
import { graph, unaryFunctions, unaryNames } from "../../spec/index.ts";
import { isEnclosed } from "./enclosed.ts";
import { readTraceJson } from "./export.ts";
import type { TableRow } from "./flat.ts";
import { exported, recorded } from "./recorded.test.kit.ts";
import { tabled, tabledOperations } from "./tabled.ts";

function rowsOf(
  program: ReturnType<typeof graph>,
  inputs: readonly (readonly string[])[],
): readonly TableRow[] {
  const read = readTraceJson(recorded(program, tabled, { inputs, seeds: {} }));
  if (!read.ok || !("table" in read.value)) throw new Error("the trace has no table");
  return read.value.table;
}

const shown = ({ f, arguments: operands, value, slopes }: TableRow): string =>
  `${f}(${operands.map(rational.format)}) ${rational.format(value)} ${slopes.map(rational.format)}`;

describe("a table of elementary functions", () => {
  const chain = graph(({ input }) => {
    const x = input("x", [3]);
    const root = x.sqrt();
    root.pow(x);
    root.sqrt();
  });

  test("lists each call once: arguments, value and slopes; those that are enclosed first", () => {
    const rows = rowsOf(chain, [["4", "1", "4"]]).map(shown);
    expect(rows.slice(0, 2)).toEqual(["sqrt(4) 2 1/4", "sqrt(1) 1 1/2"]);
    expect(rows.at(-1)).toBe("pow(1,1) 1 1,0");
    expect(rows).toHaveLength(5);
  });

  test("has values that are near the functions", () => {
    for (const name of unaryNames) {
      const { at, value } = unaryFunctions[name].example;
      for (const [i, x] of at.entries()) {
        const found = tabledOperations[name](rationalFromNumber(x));
        const near = Number(found.numerator) / Number(found.denominator);
        expect(near, `${name}(${x})`).toBeCloseTo(value[i] ?? Number.NaN, 12);
      }
    }
  });

  test("claims nothing of a function without a definition in Lean, or beyond the arguments that it decides", () => {
    const row = (f: string, x: number): boolean =>
      isEnclosed({ f, arguments: [rationalFromNumber(x)], value: rationalFromNumber(0) });
    expect([row("exp", 1), row("exp", 100), row("erf", 1), row("sin", 299), row("sin", 301)]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test("stands in the file, and its consistency before all that rests on it", () => {
    const text = exported(recorded(chain, tabled, { inputs: [["4", "1", "4"]], seeds: {} }));
    expect(text).toContain("⟨.sqrt, [4], 2, [mkRat 1 4]⟩");
    expect(text).toContain("⟨.elementary .pow, [1, 0], [3]⟩");
    expect(text).toMatch(/^-- claims: table_is_consistent shape_1 /m);
    expect(text).toContain(
      "theorem run_by_near_functions : program.RunsBy table run ∧ TableTrue table 0 3 :=",
    );
  });
});
