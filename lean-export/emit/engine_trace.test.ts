import { describe, expect, it } from "vitest";
import { posit } from "../../reference/numerics/index.ts";
import { float32, float64 } from "../../reference/package.ts";
import {
  type Algebra,
  boundedPosit,
  type Graph,
  graph,
  type PositFormat,
  present,
  standardPosit,
  type TraceJson,
} from "../../spec/index.ts";
import { readTraceJson } from "./export.ts";
import { exported, recorded } from "./recorded.test.kit.ts";

describe("a trace over floats", () => {
  const product = graph(({ input, full }) => input("x").multiply(full({ shape: [], value: 0.1 })));

  it("has the exact run, the engine's numbers, and a bound for each", () => {
    const text = exported(recorded(product, float64, { inputs: [["3"]] }));
    // 0.1 is this float64, and three times that is rounded by 2⁻⁵⁴.
    expect(text).toContain(
      "values := [\n    [3],\n    [mkRat 3602879701896397 36028797018963968],\n    [mkRat 10808639105689191 36028797018963968]]",
    );
    expect(text).toContain("arithmetic := .float (mkRat 1 9007199254740992) (mkRat 1 ");
    expect(text).toContain("[mkRat 1351079888211149 4503599627370496]]");
    expect(text).toContain("theorem rounding_2 : RoundingsHold program run engine 2 3 :=");
    expect(text).toContain(
      "theorem engine_is_near : program.Runs run ∧ engine.Rounds program run ∧ engine.IsNear run :=",
    );
  });

  it("has literals as the precision has them", () => {
    const text = exported(recorded(product, float32, { inputs: [["1"]] }));
    expect(text).toContain("environment := [\n    [mkRat 13421773 134217728]]");
    expect(text).toContain("arithmetic := .float (mkRat 1 16777216) (mkRat 1 ");
  });

  it.each([
    ["an infinity", "inf"],
    ["no number", "nan"],
    ["more bits than a float32 has", "0x1.000001p+0"],
  ])("is refused with %s", (_what, text) => {
    const trace = recorded(product, float32, { inputs: [["1"]] });
    expect(
      readTraceJson({ ...trace, values: trace.values.with(2, { shape: [], data: [text] }) }),
    ).toMatchObject({
      error: [{ code: "lean/float", pointer: "/values/2/data/0" }],
    });
  });

  it("is refused where a divisor may be zero for all that its bound says", () => {
    const quotient = graph(({ input }) =>
      input("x").divide(input("y", [3]).sum({ axes: [0], keepdims: false })),
    );
    const trace = (last: string): TraceJson =>
      recorded(quotient, float32, { inputs: [["1"], ["1", "1", last]] });
    expect(readTraceJson(trace("0x1p-22")).ok).toBe(true);
    expect(readTraceJson(trace("-0x1.fffff8p+0"))).toMatchObject({
      error: [{ code: "lean/float", pointer: "/values/3" }],
    });
  });

  it("is refused with an operator whose roundings are not followed", () => {
    const updated = graph(({ input, indices }) => {
      const x = input("x", [1]);
      x.scatter_add(x, { indices: indices("i", [1, 1]) });
    });
    const trace = recorded(updated, float64, {
      inputs: [["1"]],
      environment: { i: ["0"] },
      seeds: { 1: ["1"] },
    });
    expect(readTraceJson(trace)).toMatchObject({
      error: [{ code: "lean/operator", pointer: "/graph/nodes/0/op" }],
    });
  });
});

describe("a trace over posits with a quire", () => {
  const product = graph(({ input }) => input("x").multiply(input("y")));
  const over = (format: PositFormat, sums: "rounded" | "quire"): Algebra<bigint, boolean> => {
    const algebra = posit(format, sums);
    return present(algebra.ok ? algebra.value : undefined, "an algebra");
  };
  const run = (program: Graph, inputs: string[][], sums: "rounded" | "quire" = "quire"): TraceJson =>
    recorded(program, over(standardPosit(16), sums), { inputs });

  it("has the fractions that its codes stand for, and how far off each is", () => {
    // 1 + 2⁻¹¹ is the posit16 after 1; its square is rounded to 1 + 2⁻¹⁰, which is off by 2⁻²².
    const text = exported(run(product, [["0x4001"], ["0x4001"]]));
    expect(text).toContain("arithmetic := .posit ⟨16, 15, 2⟩");
    expect(text).toContain("[mkRat 2049 2048],\n    [mkRat 2049 2048],\n    [mkRat 1025 1024]]");
    expect(text).toContain("valueBounds := [\n    [0],\n    [0],\n    [mkRat 1 4194304]]");
    expect(text).toContain("theorem rounding_2 : RoundingsHold program run engine 2 3 :=");
  });

  it("says of b-posits how long a regime is at most, and how many exponent bits there are", () => {
    // 1 + 2⁻⁸ is the bposit16 after 1; its square is rounded to 1 + 2⁻⁷, which is off by 2⁻¹⁶.
    const inputs = { inputs: [["0x4001"], ["0x4001"]] };
    const text = exported(recorded(product, over(boundedPosit(16), "quire"), inputs));
    expect(text).toContain("arithmetic := .posit ⟨16, 6, 5⟩");
    expect(text).toContain("[mkRat 257 256],\n    [mkRat 257 256],\n    [mkRat 129 128]]");
    expect(text).toContain("[mkRat 1 65536]]");
  });

  it("has a sum that cancels as the quire has it", () => {
    const sum = graph(({ input }) => input("x", [3]).sum({ axes: [0], keepdims: false }));
    // maxPos + 1 − maxPos: one by one the 1 is lost.
    expect(exported(run(sum, [["0x7fff", "0x4000", "0x8001"]]))).toContain("[1]]\n  cotangents");
  });

  it.each([
    ["NaR", "0x8000"],
    ["a code of another width", "0x40000"],
    ["a decimal", "1"],
  ])("is refused with %s", (_what, text) => {
    const trace = run(product, [["0x4000"], ["0x4000"]]);
    expect(
      readTraceJson({ ...trace, values: trace.values.with(2, { shape: [], data: [text] }) }),
    ).toMatchObject({ error: [{ code: "lean/float", pointer: "/values/2/data/0" }] });
  });

  it("is refused without a quire, whose sums round in an order that no claim says", () => {
    expect(readTraceJson(run(product, [["0x4000"], ["0x4000"]], "rounded"))).toMatchObject({
      error: [{ code: "lean/algebra", pointer: "/algebra", hint: expect.stringContaining("posit16(quire)") }],
    });
  });
});
