import { describe, expect, it, test } from "vitest";
import { integer, modular, modulus, rational } from "../../reference/package.ts";
import { type Builder, type Graph, graph, type OperatorName, present, type Value } from "../../spec/index.ts";
import { screen } from "../run/admissible.ts";
import { readTrace, readTraceJson } from "./export.ts";
import { exported, recorded } from "./recorded.test.kit.ts";
import { exportableOperators } from "./translate.ts";

const dot = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  x.multiply(y).sum({ axes: [0], keepdims: false });
});

const golden = `-- adjudge.lean.v1
-- claims: shape_2 shape_3 shapes value_0 value_1 value_2 value_3 values cotangent_3 cotangent_2 cotangent_1 cotangent_0 cotangents data run_is_backpropagation
module

public import Adjudge.Replay

@[expose] public noncomputable section

namespace Trace

open Adjudge

def program : Program where
  inputs := [
    [2],
    [2]]
  environment := []
  nodes := [
    ⟨.multiply, [0, 1], [2]⟩,
    ⟨.sum [0] false, [2], []⟩]

def run : Run Int where
  inputs := [
    [1, 2],
    [3, -4]]
  environment := []
  seed := program.seeded [
    (3, [1])]
  values := [
    [1, 2],
    [3, -4],
    [3, -8],
    [-5]]
  cotangents := [
    [3, -4],
    [1, 2],
    [1, 1],
    [1]]

theorem shape_2 : ShapesAgree program 2 3 :=
  by decide +kernel

theorem shape_3 : ShapesAgree program 3 4 :=
  by decide +kernel

theorem shapes : ShapesAgree program 2 4 :=
  shape_2.trans shape_3

theorem value_0 : ValuesAgree program run 0 1 :=
  by decide +kernel

theorem value_1 : ValuesAgree program run 1 2 :=
  by decide +kernel

theorem value_2 : ValuesAgree program run 2 3 :=
  by decide +kernel

theorem value_3 : ValuesAgree program run 3 4 :=
  by decide +kernel

theorem values : ValuesAgree program run 0 4 :=
  ((value_0.trans value_1).trans value_2).trans value_3

theorem cotangent_3 : CotangentsAgree program run 3 4 :=
  by decide +kernel

theorem cotangent_2 : CotangentsAgree program run 2 3 :=
  by decide +kernel

theorem cotangent_1 : CotangentsAgree program run 1 2 :=
  by decide +kernel

theorem cotangent_0 : CotangentsAgree program run 0 1 :=
  by decide +kernel

theorem cotangents : CotangentsAgree program run 0 4 :=
  ((cotangent_0.trans cotangent_1).trans cotangent_2).trans cotangent_3

theorem data : DataFits program run 2 4 :=
  by decide +kernel

theorem run_is_backpropagation : program.Runs run :=
  runs_of_segments data shapes values cotangents

end Trace
`;

describe("an exported file", () => {
  const small = recorded(dot, integer, {
    inputs: [
      ["1", "2"],
      ["3", "-4"],
    ],
  });

  it("is, of a small trace, to the letter this", () => {
    expect(exported(small)).toBe(golden);
  });

  it("says what the trace claims, not what is right", () => {
    const { shape } = present(small.values[2], "a value");
    const wrong = { ...small, values: small.values.with(2, { shape, data: ["3", "8"] }) };
    expect(exported(wrong)).toBe(golden.replace("[3, -8]", "[3, 8]"));
    const fewer = { ...small, cotangents: small.cotangents.with(0, { shape: [2], data: ["3"] }) };
    expect(exported(fewer)).toBe(golden.replace("cotangents := [\n    [3, -4]", "cotangents := [\n    [3]"));
  });

  it("has the shape that the trace claims of a node", () => {
    const misshapen = {
      ...small,
      values: small.values.with(3, { shape: [1], data: ["-5"] }),
      cotangents: small.cotangents.with(3, { shape: [1], data: ["1"] }),
    };
    expect(exported(misshapen)).toBe(golden.replace("[2], []⟩", "[2], [1]⟩"));
  });

  it.each([
    ["x := 1 -/ axiom cheat : False /-"],
    ["a end Trace axiom cheat : False"],
    ['"); #eval IO.println "'],
    ["«x»⟩] sorry"],
    ["-- x"],
  ])("has no name of the trace's in it, such as %j", (name) => {
    const hostile: Graph = {
      ...dot,
      inputs: [{ name, shape: [2] }, present(dot.inputs[1], "an input")],
      environment: [{ name: `${name}2`, kind: "real", shape: [] }],
    };
    const numbers = {
      inputs: [
        ["1", "2"],
        ["3", "-4"],
      ],
      environment: { [`${name}2`]: ["7"] },
    };
    const text = exported(recorded(hostile, integer, numbers));
    expect(text).toBe(
      golden
        .replace("environment := []\n  nodes", "environment := [\n    []]\n  nodes")
        .replace("environment := []\n  seed", "environment := [\n    [7]]\n  seed"),
    );
  });

  it("writes numbers of every algebra as terms, however long", () => {
    const square = graph(({ input }) => {
      const x = input("x");
      x.multiply(x);
    });
    const huge = `-${"9".repeat(400)}`;
    expect(exported(recorded(square, integer, { inputs: [[huge]] }))).toContain(`[${BigInt(huge) ** 2n}]`);
    const third = exported(recorded(square, rational, { inputs: [["-1/3"]] }));
    expect(third).toContain("def run : Run Rat where\n  inputs := [\n    [mkRat (-1) 3]]");
    expect(third).toContain("[mkRat 1 9]");
    const residue = exported(recorded(square, modular, { inputs: [["-1"]] }));
    expect(residue).toContain(`def run : Run Residue where\n  inputs := [\n    [${modulus - 1n}]]`);
  });

  it("writes tensors without elements as empty lists", () => {
    const empty = graph(({ input }) => input("x", [0, 2]).sum({ axes: [0], keepdims: true }));
    const text = exported(recorded(empty, integer, { inputs: [[]], seeds: { 1: ["1", "1"] } }));
    expect(text).toContain("values := [\n    [],\n    [0, 0]]");
    expect(text).toContain("⟨.sum [0] true, [0], [1, 2]⟩");
  });

  it("of a trace without nodes claims the inputs alone", () => {
    const nothing = graph(({ input }) => input("x"));
    const text = exported(recorded(nothing, integer, { inputs: [["5"]], seeds: { 0: ["2"] } }));
    expect(text).toContain("theorem shapes : ShapesAgree program 1 1 :=\n  by decide +kernel");
    expect(text).toContain("theorem values : ValuesAgree program run 0 1 :=\n  value_0");
  });

  it("is fit for being checked, with its claims", () => {
    const screened = screen(golden, ["Adjudge"]);
    const claims = screened.kind === "fit" ? screened.claims : [];
    expect(claims.map(({ name, statement }) => [name, statement])).toContainEqual([
      "value_3",
      "ValuesAgree program run 3 4",
    ]);
    expect(claims.at(-1)).toMatchObject({ name: "run_is_backpropagation", statement: "program.Runs run" });
  });
});

type Scope = Builder & { readonly x: Value };

describe("each operator's instruction", () => {
  const environment = new Map([
    ["i", ["1", "0"]],
    ["w", ["5", "6"]],
    ["key", ["1", "2"]],
  ]);
  /** One node on a 2 × 2 matrix, and what stands in the file. */
  const instructions: [OperatorName, (scope: Scope) => unknown, string][] = [
    ["constant", ({ parameter }) => parameter("w", [2]), "⟨.constant 0, [], [2]⟩"],
    ["full", ({ full }) => full({ shape: [3], value: 2 }), "⟨.constant 0, [], [3]⟩"],
    ["iota", ({ iota }) => iota({ shape: [3], axis: 0 }), "⟨.iota [3] 0, [], [3]⟩"],
    [
      "bernoulli_mask",
      ({ bernoulli_mask, indices }) => bernoulli_mask({ shape: [3], key: indices("key", [2]), rate: 0.5 }),
      "⟨.bernoulli_mask [3] 1 2 1 2, [], [3]⟩",
    ],
    ["stop_gradient", ({ x }) => x.stop_gradient(), "⟨.stop_gradient, [0], [2, 2]⟩"],
    ["negative", ({ x }) => x.negative(), "⟨.negative, [0], [2, 2]⟩"],
    ["add", ({ x }) => x.add(x), "⟨.add, [0, 0], [2, 2]⟩"],
    ["subtract", ({ x }) => x.subtract(x), "⟨.subtract, [0, 0], [2, 2]⟩"],
    ["multiply", ({ x }) => x.multiply(x), "⟨.multiply, [0, 0], [2, 2]⟩"],
    ["divide", ({ x }) => x.divide(x), "⟨.divide, [0, 0], [2, 2]⟩"],
    ["sum", ({ x }) => x.sum({ axes: [1, 0], keepdims: true }), "⟨.sum [1, 0] true, [0], [1, 1]⟩"],
    [
      "broadcast_to",
      ({ x }) => x.broadcast_to({ shape: [3, 2, 2] }),
      "⟨.broadcast_to [3, 2, 2], [0], [3, 2, 2]⟩",
    ],
    ["reshape", ({ x }) => x.reshape({ shape: [4] }), "⟨.reshape [4], [0], [4]⟩"],
    ["permute_dims", ({ x }) => x.permute_dims({ axes: [1, 0] }), "⟨.permute_dims [1, 0], [0], [2, 2]⟩"],
    ["concat", ({ x, concat }) => concat(x, x, { axis: 1 }), "⟨.concat 1, [0, 0], [2, 4]⟩"],
    [
      "take",
      ({ x, indices }) => x.take({ axis: 1, indices: indices("i", [2]) }),
      "⟨.take 1 [1, 0], [0], [2, 2]⟩",
    ],
    [
      "slice",
      ({ x }) => x.slice({ starts: [1, 0], stops: [-3, 1], steps: [-1, 1] }),
      "⟨.slice [1, 0] [-3, 1] [-1, 1], [0], [2, 1]⟩",
    ],
    [
      "pad",
      ({ x }) => x.pad({ low: [0, 1], high: [0, 0], interior: [0, 1] }),
      "⟨.pad [0, 1] [0, 0] [0, 1], [0], [2, 4]⟩",
    ],
    [
      "take_along_axis",
      ({ x, indices }) => x.take_along_axis({ axis: 1, indices: indices("i", [2, 1]) }),
      "⟨.take_along_axis 1 [2, 1] [1, 0], [0], [2, 1]⟩",
    ],
    [
      "gather",
      ({ x, indices }) => x.gather({ indices: indices("i", [2, 1]) }),
      "⟨.gather [2, 1] [1, 0], [0], [2, 2]⟩",
    ],
    [
      "scatter_add",
      ({ x, indices }) => x.scatter_add(x, { indices: indices("i", [2, 1]) }),
      "⟨.scatter_add [2, 1] [1, 0], [0, 0], [2, 2]⟩",
    ],
    ["cumulative_sum", ({ x }) => x.cumulative_sum({ axis: 1 }), "⟨.cumulative_sum 1, [0], [2, 2]⟩"],
    ["matmul", ({ x }) => x.matmul(x), "⟨.matmul, [0, 0], [2, 2]⟩"],
    ["relu", ({ x }) => x.relu(), "⟨.relu, [0], [2, 2]⟩"],
    ["floor", ({ x }) => x.floor(), "⟨.floor, [0], [2, 2]⟩"],
    ["maximum", ({ x }) => x.maximum(x), "⟨.maximum, [0, 0], [2, 2]⟩"],
    ["less", ({ x }) => x.less(x), "⟨.less, [0, 0], [2, 2]⟩"],
    ["equal", ({ x }) => x.equal(x), "⟨.equal, [0, 0], [2, 2]⟩"],
    ["where", ({ x }) => x.where(x, x), "⟨Operator.where, [0, 0, 0], [2, 2]⟩"],
    ["det", ({ x }) => x.det(), "⟨.det, [0], []⟩"],
    ["solve", ({ x }) => x.solve(x), "⟨.solve, [0, 0], [2, 2]⟩"],
  ];

  it("is looked at here", () => {
    expect(new Set(instructions.map(([op]) => op))).toEqual(new Set(exportableOperators));
  });

  test.each(instructions)("is written with its attributes: %s", (_op, write, instruction) => {
    const program = graph((builder) => write({ ...builder, x: builder.input("x", [2, 2]) }));
    const used = Object.fromEntries(
      program.environment.map(({ name }) => [name, environment.get(name) ?? []]),
    );
    const seeds = { 0: ["0", "0", "0", "0"] };
    const text = exported(
      recorded(program, rational, { inputs: [["1", "2", "3", "4"]], environment: used, seeds }),
    );
    expect(text).toContain(instruction);
  });
});

describe("a trace that cannot be exported", () => {
  const small = recorded(dot, rational, {
    inputs: [
      ["1", "2"],
      ["1/3", "-4"],
    ],
  });
  const value = present(small.values[0], "a value");
  const oneThird = { shape: [2], data: ["1/0", "-4"] };
  test.each<[string, object, string, string]>([
    ["of an algebra that Lean does not have", { algebra: "boolean" }, "lean/algebra", "/algebra"],
    ["of a carrier's name that Object has", { algebra: "constructor" }, "lean/algebra", "/algebra"],
    ["with too few values", { values: [value] }, "trace/count", "/values"],
    [
      "with a number that is none",
      { values: small.values.with(0, { shape: [2], data: ["1", "x"] }) },
      "lean/number",
      "/values/0/data/1",
    ],
    [
      "with a number without value",
      { values: small.values.with(1, oneThird) },
      "lean/number",
      "/values/1/data/0",
    ],
    [
      "with a number too long",
      { values: small.values.with(0, { shape: [2], data: ["1", "9".repeat(100_001)] }) },
      "lean/number",
      "/values/0/data/1",
    ],
    [
      "with a number that is Lean text",
      { values: small.values.with(0, { shape: [2], data: ["1] sorry", "2"] }) },
      "lean/number",
      "/values/0/data/0",
    ],
    [
      "with an input of another shape",
      { values: small.values.with(0, { shape: [1, 2], data: ["1", "2"] }) },
      "trace/shape",
      "/values/0/shape",
    ],
    [
      "with a cotangent of another shape",
      { cotangents: small.cotangents.with(2, { shape: [1, 2], data: ["1", "2"] }) },
      "trace/shape",
      "/cotangents/2/shape",
    ],
    ["without an input", { point: { inputs: [value], environment: {} } }, "trace/count", "/point/inputs"],
    [
      "with an entry that is not declared",
      { point: { ...small.point, environment: { w: value } } },
      "trace/entry",
      "/point/environment/w",
    ],
    ["with a seed at no id", { seeds: [{ id: 4, cotangent: value }] }, "trace/seed", "/seeds/0/id"],
    [
      "with two seeds at one",
      {
        seeds: [
          { id: 0, cotangent: value },
          { id: 0, cotangent: value },
        ],
      },
      "trace/seed",
      "/seeds/1/id",
    ],
    [
      "with a seed of another shape",
      { seeds: [{ id: 3, cotangent: value }] },
      "trace/shape",
      "/seeds/0/cotangent/shape",
    ],
  ])("is told what is wrong: %s", (_what, change, code, pointer) => {
    expect(readTraceJson({ ...small, ...change })).toMatchObject({
      ok: false,
      error: expect.arrayContaining([expect.objectContaining({ code, pointer })]),
    });
  });

  it("is told which operator the kernel cannot follow, and which it can", () => {
    const larger = graph(({ input }) => {
      const x = input("x");
      x.multiply(x).maximum(x);
    });
    const trace = recorded(larger, rational, { inputs: [["3"]] });
    const curved = [larger.nodes[0], { op: "hypot", attributes: {}, parents: [1, 0] }];
    expect(readTraceJson({ ...trace, graph: { ...trace.graph, nodes: curved } })).toMatchObject({
      error: [
        { code: "lean/operator", pointer: "/graph/nodes/1/op", hint: expect.stringContaining("divide") },
      ],
    });
  });

  it("is told that there is no division over the integers, even where it comes out even", () => {
    const quotient = graph(({ input }) => {
      const x = input("x");
      x.divide(x);
    });
    const trace = recorded(quotient, rational, { inputs: [["1"]] });
    expect(readTraceJson(trace).ok).toBe(true);
    expect(readTraceJson({ ...trace, algebra: "integer" })).toMatchObject({
      error: [
        { code: "lean/operator", pointer: "/graph/nodes/0/op", hint: expect.not.stringContaining("divide") },
      ],
    });
  });

  it("is told that a quotient by zero is no number", () => {
    const quotient = graph(({ input }) => input("x").divide(input("y")));
    expect(readTraceJson(recorded(quotient, rational, { inputs: [["1"], ["0"]] }))).toMatchObject({
      error: expect.arrayContaining([
        expect.objectContaining({ code: "lean/number", pointer: "/values/2/data/0" }),
      ]),
    });
  });

  it("is told of an index that is on no axis", () => {
    const taken = graph(({ input, indices }) =>
      input("x", [2]).take({ axis: 0, indices: indices("i", [1]) }),
    );
    const trace = recorded(taken, integer, { inputs: [["1", "2"]], environment: { i: ["1"] } });
    const beyond = { ...trace.point, environment: { i: { shape: [1], data: ["2"] } } };
    expect(readTraceJson({ ...trace, point: beyond })).toMatchObject({
      error: [{ code: "take/index", pointer: "/graph/nodes/0" }],
    });
    const half = { ...trace.point, environment: { i: { shape: [1], data: ["1/2"] } } };
    expect(readTraceJson({ ...trace, point: half })).toMatchObject({ error: [{ code: "lean/number" }] });
  });

  it("is told that composites are to be written out", () => {
    const trace = recorded(dot, rational, {
      inputs: [
        ["1", "2"],
        ["3", "4"],
      ],
    });
    const three = { values: trace.values.slice(0, 3), cotangents: trace.cotangents.slice(0, 3), seeds: [] };
    expect(
      readTraceJson({
        ...trace,
        ...three,
        graph: { ...trace.graph, nodes: [{ op: "abs", attributes: {}, parents: [0] }] },
      }),
    ).toMatchObject({
      error: expect.arrayContaining([expect.objectContaining({ code: "trace/composite" })]),
    });
  });

  it("is told where a text is no trace", () => {
    expect(readTrace("{")).toMatchObject({ ok: false, error: [{ code: "json/syntax" }] });
    expect(readTrace("[]")).toMatchObject({ ok: false, error: [{ code: "schema/type" }] });
  });
});
