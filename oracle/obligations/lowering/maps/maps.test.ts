import { afterAll, describe, expect, test } from "vitest";
import type { LoopProgram } from "../../../../engines/compile/plan/index.ts";
import { sampled } from "../../../../spec/sampled.test.kit.ts";
import { deciderOf } from "../../decider.ts";
import { faultsOfForm } from "../../form.ts";
import { prove } from "../../prove.ts";
import { z3 } from "../../solve/index.ts";
import { readAccess } from "./access.ts";
import { mapCases } from "./cases.ts";
import { mapObligations } from "./index.ts";

const all = mapObligations();
const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("the index maps of lowered operators", () => {
  test("are made, of good form, and left to the solver", () => {
    expect(all.filter(({ crash }) => crash !== undefined)).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
    expect(all.map(deciderOf).filter((decider) => decider !== "solver")).toEqual([]);
  });

  test.each(sampled("index maps", all, 4))("$id is proved, and its mutants are run", async (one) => {
    expect((await prove(one, solver)).faults).toEqual([]);
  });
});

/** Divides the strides of the first instruction: they are no polynomials any more. */
function divided(program: LoopProgram): LoopProgram {
  const [first, ...others] = program.instructions;
  if (first?.kind !== "map") return program;
  const reads = first.reads.map((read) => ({
    ...read,
    strides: read.strides.map((stride) => stride / 3),
  }));
  return { ...program, instructions: [{ ...first, reads }, ...others] };
}

test("strides that are no such polynomials are refused, wherever they are read", () => {
  const mapped = mapCases.filter(({ accesses: [first] }) => first?.kind === "map" && first.instruction === 0);
  for (const one of mapped) {
    const wrong = { ...one, lower: (...asked: Parameters<typeof one.lower>) => divided(one.lower(...asked)) };
    const [expected] = one.accesses;
    expect(() => expected && readAccess(one, expected)).not.toThrow();
    expect(() => expected && readAccess(wrong, expected)).toThrow();
  }
});
