import { expect, test } from "vitest";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { firstDifference, sums } from "../../plan/scalar/agreement.test.kit.ts";
import { scalarSchedules } from "../../plan/scalar/backend.test.kit.ts";
import { type CCompiler, findCompiler } from "../index.ts";
import { cScalars } from "./index.ts";

const found = findCompiler();
/** Is called only where there is a compiler. */
const compiler: CCompiler = { compile: (text) => found?.compile(text) ?? "" };

/** A compiler takes its time, so that the tests of all operators are slow ones. */
const recipe = { ...sums, operators: ["add", "multiply", "sin", "constant"] };

test.skipIf(found === undefined).each(sampled("scalars in C", scalarSchedules, 1))(
  "a few operators in C are the interpreter's to the bit in %s, by %s; what overwrites is not",
  (precision, schedule) => {
    const asked = { precision, regime: "bit_exact", recipe, takesRuns: schedule === "runs" } as const;
    expect(firstDifference({ ...asked, backend: cScalars(compiler) }, 1)).toBeUndefined();
    const text = (right: string): string => right.replaceAll(/(c\[[^;=]+\]) \+= /g, "$1 = ");
    expect(firstDifference({ ...asked, backend: cScalars(compiler, { text }) }, 1)).toBeDefined();
  },
);
