import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { judge } from "../../oracle/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { compareRules } from "./compare.ts";
import { type GradientFault, scaledGradient, withGradients, zeroGradient } from "./faults.ts";
import {
  detEvaluation,
  type Evaluation,
  lseEvaluation,
  odeEvaluation,
  saddleEvaluation,
} from "./functions.ts";
import { numpyUniform } from "./points.ts";
import { gradbenchAccepts } from "./rule.ts";

const options = { dtype: "float64", shrinkBudget: 0 } as const;

/** GradBench's rule accepts these, although they are wrong. */
const accepted: readonly (readonly [Evaluation, GradientFault])[] = [
  [lseEvaluation(20000), zeroGradient],
  [odeEvaluation(10, 10), zeroGradient],
  [saddleEvaluation(), zeroGradient],
  [lseEvaluation(20000), scaledGradient],
  [odeEvaluation(10, 10), scaledGradient],
  [saddleEvaluation(), scaledGradient],
  [detEvaluation(5), scaledGradient],
];

describe.each(
  sampled("accepted", accepted, 2).map(([evaluation, fault]) => ({
    title: `${evaluation.name}: ${fault.name}`,
    evaluation,
    fault,
  })),
)("$title", ({ evaluation, fault }) => {
  test("passes GradBench's rule, and every number of it is outside our bounds", async () => {
    const { isAccepted, outside, numbers } = await compareRules(evaluation, fault);
    expect(isAccepted).toBe(true);
    expect(outside).toBe(numbers);
  });
});

describe("the judge", () => {
  const small = accepted.filter(([evaluation]) => !evaluation.name.startsWith("lse"));

  test.each(
    small.map(([evaluation, fault]) => ({ title: `${evaluation.name}: ${fault.name}`, evaluation, fault })),
  )("accuses $title, and not the engine without the fault", async ({ evaluation, fault }) => {
    const verdict = await judge(fault.engine(), evaluation.case, options);
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { question: "vjp" } });
    expect(await judge(interpreterEngine(), evaluation.case, options)).toEqual({ kind: "agrees" });
  });

  test("accuses a gradient of det that is wrong by a part in 10¹²", async () => {
    const verdict = await judge(
      withGradients((x) => x * (1 + 1e-12)),
      detEvaluation(5).case,
      options,
    );
    expect(verdict.kind).toBe("disagrees");
  });

  test("accepts a gradient of zeros where it is zero: ode with more than four unknowns for each step", async () => {
    expect(await compareRules(odeEvaluation(1000, 1), zeroGradient)).toMatchObject({
      outside: 0,
      numbers: 1000,
    });
    expect(await compareRules(odeEvaluation(4, 1), zeroGradient)).toMatchObject({ outside: 4, numbers: 4 });
  });
});

describe("GradBench's rule", () => {
  test("accepts a relative fault of 2·10⁻⁴ in large numbers and an absolute one of 10⁻⁴ in small ones", () => {
    expect(gradbenchAccepts([1000], [1000.2])).toBe(true);
    expect(gradbenchAccepts([1000], [1000.3])).toBe(false);
    expect(gradbenchAccepts([9e-5], [0])).toBe(true);
    expect(gradbenchAccepts([1.1e-4], [0])).toBe(false);
    expect(gradbenchAccepts([1, 2], [1])).toBe(false);
  });

  test("rejects the all-zero gradient of lse at the evaluation's smallest size", async () => {
    expect((await compareRules(lseEvaluation(2500), zeroGradient)).isAccepted).toBe(false);
  });
});

test("the points are NumPy's: random.seed(31337), random.rand(3)", () => {
  expect([...numpyUniform(31337, 0, 3)]).toEqual([
    0.7218521074240813, 0.9664407992811007, 0.28904906882680115,
  ]);
});
