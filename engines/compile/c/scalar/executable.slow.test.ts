import { describe, expect, test } from "vitest";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { everything, firstDifference, sums } from "../../plan/scalar/agreement.test.kit.ts";
import { scalarSchedules, testScalarBackend } from "../../plan/scalar/backend.test.kit.ts";
import { type CCompiler, findCompiler } from "../index.ts";
import { cScalars } from "./index.ts";

const found = findCompiler();
/** Is called only where there is a compiler. */
const compiler: CCompiler = { compile: (text) => found?.compile(text) ?? "" };

describe.skipIf(found === undefined)("scalars in C", () => {
  // A compiler takes its time for all operators in vectors, so that one graph has them.
  testScalarBackend("C", cScalars(compiler), sampled("C", scalarSchedules, 1), 1);

  test.each([
    ["contributions that overwrite", true, /(c\[[^;=]+\]) \+= /g, "$1 = "],
    ["a loop over a run that leaves its last slot out", true, /i < to;/g, "i < to - 1;"],
    ["sums of staged slots that begin one late", true, /I i = sums\[row \+ 1\]/g, "I i = sums[row + 1] + 1"],
    [
      "single steps that go upwards in the reverse sweep",
      false,
      /I i = to - 1; i >= from; i--/g,
      "I i = from; i < to; i++",
    ],
  ])("are told from right ones by %s", (_, takesRuns, right, wrong) => {
    const backend = cScalars(compiler, { text: (text) => text.replaceAll(right, wrong) });
    const comparison = {
      backend,
      precision: "float64",
      regime: "bit_exact",
      recipe: sums,
      takesRuns,
    } as const;
    expect(firstDifference(comparison, 1)).toBeDefined();
  });

  test("cosines that are looked up for large arguments are those of small ones", () => {
    const text = (right: string): string =>
      right.replaceAll("#define is_near_T(x)", "#define is_near_T(x) 0 *");
    const asked = { precision: "float64", regime: "fast", takesRuns: true } as const;
    const near = firstDifference({ ...asked, backend: cScalars(compiler), recipe: everything }, 1);
    expect(firstDifference({ ...asked, backend: cScalars(compiler, { text }), recipe: everything }, 1)).toBe(
      near,
    );
  });
});
