import { afterAll, describe, expect, test } from "vitest";
import { apply, literal, type Pass, read, soundPasses } from "../../../engines/compile/plan/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { accumulatorObligations, accumulators } from "../accumulators/index.ts";
import { widthObligations } from "../accumulators/width.ts";
import { faultsOfForm } from "../form.ts";
import type { Obligation } from "../obligation.ts";
import { isProved, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { wellformedObligations } from "../wellformed/index.ts";
import { resultsOver } from "./evaluation.ts";
import { identityObligation } from "./identity.ts";
import { rewriteObligations } from "./index.ts";
import { arithmeticIn, bitsOf, type FormatName, floatConstant, floatOf } from "./numbers.ts";
import { scalarProgram } from "./programs.ts";
import { unitIdentities } from "./units.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

const all = [...rewriteObligations(), ...accumulatorObligations(), ...wellformedObligations()];

function named(id: string): Obligation {
  const found = all.find((obligation) => obligation.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

describe("the obligations of rewrites, accumulators and bounds", () => {
  test("have different ids, and the form that the driver asks for", () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(
      all.flatMap((obligation) => faultsOfForm(obligation).map((fault) => `${obligation.id}: ${fault}`)),
    ).toEqual([]);
    const ids = new Set(all.map(({ id }) => id));
    expect(all.flatMap(({ dependsOn }) => dependsOn.filter((id) => !ids.has(id)))).toEqual([]);
  });

  const proved = [
    "rewrites/units/plus_minus_zero/float10",
    "rewrites/units/opposite_comparisons/float32",
    "rewrites/common_subexpressions/sums/float10",
    "rewrites/gradient_buffers/initial_value",
    "rewrites/gradient_buffers/skipped_zero",
    "rewrites/accumulation_in_place/scattered_part",
    "rewrites/merged_nodes/plan",
    "rewrites/whole_composites/max_cotangent",
    "rewrites/buffer_reuse/any_plan",
    "rewrites/buffer_reuse/checkpointed_attention",
    "rewrites/in_place/transposed",
    "rewrites/checkpointing/scattered",
    "rewrites/reassociation/any_length",
    "rewrites/reassociation/wasm_float32_23",
    "rewrites/softmax_shift/value",
    "accumulators/quire_posit64/machine_step",
    "accumulators/quire_bposit64/machine_step",
    "accumulators/int32_8/dense/sum_0",
    "wellformed/extents/slice_axis",
    "wellformed/gather/planned",
    "wellformed/conv/lowered",
  ];

  test.each(sampled("rewrites", proved, 5))("%s is proved, and its mutants are run", async (id) => {
    const record = await prove(named(id), solver);
    expect(record.faults).toEqual([]);
    expect(isProved(record)).toBe(true);
  });

  test("a pass on zeros is refuted in float32 where it claims to keep bits", async () => {
    const [first] = unitIdentities();
    if (first === undefined) throw new Error("no identities");
    const program = scalarProgram(1, apply("add", read(0), literal(0)));
    const claimed = identityObligation(
      { ...first, name: "planted", program },
      { rewrite: "zeros", pass: soundPasses.zeros, format: "float32", rlimit: 1_000_000 },
    );
    const { goal } = await prove(claimed, solver);
    expect(goal.reply.answer).toMatchObject({ kind: "refuted" });
    if (goal.reply.answer.kind === "refuted")
      expect(floatOf("float32", goal.reply.answer.model.get("x") ?? "")).toBe(-0);
  });

  test.each(
    accumulators.filter(({ name }) => /_posit8$|int32/.test(name)),
  )("one product more than $name is safe for is refuted", async (accumulator) => {
    for (const obligation of widthObligations({ ...accumulator, most: accumulator.most + 1n })) {
      const { goal } = await prove(obligation, solver);
      const isStep = /precondition|preservation/.test(obligation.id);
      expect([obligation.id, goal.reply.answer.kind]).toEqual([obligation.id, isStep ? "proved" : "refuted"]);
    }
  });

  test("an identity whose pass does not fire is refused", () => {
    const [identity] = unitIdentities();
    if (identity === undefined) throw new Error("no identities");
    const idle: Pass = (program) => ({ program, fired: 0 });
    const make = () =>
      identityObligation(identity, { rewrite: "units", pass: idle, format: "float16", rlimit: 1 });
    expect(make).toThrow("does not fire");
  });
});

describe("numbers of formats", () => {
  test.each<FormatName>([
    "float10",
    "float16",
    "float32",
    "float64",
  ])("of %s survive their SMT-LIB text", (format) => {
    for (const x of [0, -0, 1, -1.5, Infinity, -Infinity, Number.NaN, 2 ** -14, -(2 ** -16)]) {
      expect(floatOf(format, floatConstant(format, x))).toBe(x);
    }
    expect(bitsOf(format, -0)).toMatch(/^10+$/);
  });

  test("a product and a sum are rounded once together", () => {
    const program = scalarProgram(3, apply("multiply_add", read(0), read(1), read(2)));
    const once = (format: FormatName, x: number, y: number, z: number) =>
      resultsOver(program, arithmeticIn(format), { sources: [[x], [y], [z]] });
    // If it were rounded twice, it would be 2⁻⁸.
    expect(once("float16", 1 + 2 ** -10, 1 + 3 * 2 ** -10, -1)).toEqual([2 ** -8 + 2 ** -18]);
    // The product lies halfway between two float32, and what is added is lost in a double.
    const x = 1 + 2 ** -12;
    expect(once("float32", x, x, 2 ** -60)).toEqual([1 + 2 ** -11 + 2 ** -23]);
    expect(once("float32", x, x, -(2 ** -60))).toEqual([1 + 2 ** -11]);
    expect(once("float32", -x, x, -(2 ** -60))).toEqual([-(1 + 2 ** -11 + 2 ** -23)]);
  });
});
