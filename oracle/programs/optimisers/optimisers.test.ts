import { describe, expect, test } from "vitest";
import { checkProgram } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { optimiserCases } from "./cases.test.kit.ts";
import { compared } from "./compared.test.kit.ts";
import { optimiserMutants } from "./mutants.test.data.ts";

describe("an optimiser as a program is, after each of 60 calls, within the bound of what is written by hand", () => {
  test.each(sampled("optimisers", optimiserCases, 12))("$title", (one) => {
    expect(compared(one.program, one, one.byHand).verdict).toBe("within");
  });
});

describe("a wrong optimiser is outside the bound of what is written by hand", () => {
  test.each(sampled("optimiser mutants", optimiserMutants, 12))("$name: $fault", ({ of, edit }) => {
    const one = optimiserCases.find(({ title }) => title === of) ?? expect.unreachable(of);
    const wrong = edit(one.program);
    expect(wrong).not.toEqual(one.program);
    expect(checkProgram(JSON.parse(JSON.stringify(wrong)))).toEqual({ ok: true, value: wrong });
    expect(compared(wrong, one, one.byHand).verdict).toBe("outside");
  });

  test("is told from others by its name and by its fault", () => {
    const { length } = optimiserMutants;
    expect(length).toBeGreaterThanOrEqual(35);
    for (const said of ["name", "fault"] as const)
      expect(new Set(optimiserMutants.map((mutant) => mutant[said])).size).toBe(length);
  });
});
