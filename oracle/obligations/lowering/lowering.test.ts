import { afterAll, describe, expect, test } from "vitest";
import type { LoopProgram } from "../../../engines/compile/plan/index.ts";
import { symbolic } from "../../../reference/package.ts";
import { primitiveNames, sizeOf, stridesOf } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { equationsOf } from "../derivatives/index.ts";
import { faultsOfForm } from "../form.ts";
import { isIdentity } from "../operators/normal_form.ts";
import { useOf } from "../operators/sides.ts";
import { usages } from "../operators/usages.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { loweringObligations } from "./index.ts";
import { comparedLoops, loopsOf } from "./loops.ts";

const all = loweringObligations();
const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

describe("the obligations of lowering", () => {
  test("are of different ids and of good form, each with a mutant", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.flatMap(faultsOfForm)).toEqual([]);
  });

  test("are there of every primitive but those that a routine or another formula computes", () => {
    const missing = primitiveNames.filter((op) => !all.some(({ id }) => id.startsWith(`lowering/${op}/`)));
    expect(missing.toSorted()).toEqual(["bernoulli_mask", "det", "erf", "solve", "tanh"]);
  });

  test.each(
    sampled("lowered uses", all, 4),
  )("$id is proved, and its mutants are refuted and run", async (one) => {
    const record = await prove(one, solver);
    expect(record.faults).toEqual([]);
  });
});

/** Spreads the elements of each piece with one zero between them at most, whatever the attributes say. */
function narrowed(program: LoopProgram): LoopProgram {
  return {
    ...program,
    instructions: program.instructions.map((instruction) => {
      if (instruction.kind !== "assemble") return instruction;
      const own = stridesOf(instruction.shape);
      const pieces = instruction.pieces.map((piece) => ({
        ...piece,
        place: {
          ...piece.place,
          strides: piece.place.strides.map((stride, axis) => Math.min(stride, 2 * (own[axis] ?? 0))),
        },
      }));
      return { ...instruction, pieces };
    }),
  };
}

test.each(
  usages.pad.map((usage) => [usage.label, usage] as const),
)("a pad at %s that leaves one zero between elements where two are owed is told", (_, usage) => {
  const use = useOf("pad", usage);
  const program = narrowed(loopsOf(use));
  const algebra = symbolic();
  const { sides, symbols } = equationsOf(
    algebra,
    comparedLoops(use, program).pairs(algebra, algebra.variable),
  );
  const isTold = sides.some(([left, right]) => !isIdentity(left, right, symbols));
  expect(isTold).toBe(usage.attributes.interior.some((gap) => gap > 1) && sizeOf(use.shape) > 0);
});
