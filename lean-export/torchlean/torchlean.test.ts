import { describe, expect, it, test } from "vitest";
import { campaign, restrict, tensorProfile } from "../../oracle/index.ts";
import { evaluate, float64, interpret } from "../../reference/index.ts";
import {
  type AttributesOf,
  type EnvironmentEntry,
  expand,
  type Graph,
  graph,
  type NodeOf,
  nodeId,
  type OperatorName,
} from "../../spec/index.ts";
import { meanings, refusals } from "./meanings.ts";
import { readTorchLean, readTorchLeanText } from "./read.ts";
import { writeTorchLean } from "./write.ts";

function node<K extends OperatorName>(op: K, attributes: AttributesOf[K], ...parents: number[]): NodeOf<K> {
  return { op, attributes, parents: parents.map(nodeId) };
}

/** relu(x W + b), its mean, and what else the format has a kind for. */
const network = graph(({ input, parameter, ...scope }) => {
  const x = input("x", [2, 3]);
  const weights = parameter("W", [3, 4]);
  const bias = parameter("b", [4]);
  const hidden = x
    .matmul(weights)
    .add(bias.broadcast_to({ shape: [2, 4] }))
    .relu();
  const permuted = hidden.permute_dims({ axes: [1, 0] }).reshape({ shape: [8] });
  const both = scope.concat(permuted, permuted.stop_gradient(), { axis: 0 });
  both
    .softmax({ axis: 0 })
    .sum({ axes: [0], keepdims: true })
    .mean({ axes: [0], keepdims: false });
});

/** Returns JSON as another program would have written it. */
function document(change: object = {}): object {
  return {
    format: "torchlean.ir.v1",
    input_id: 0,
    output_ids: [1],
    nodes: [
      { id: 0, kind: "input", parents: [], shape: [1, 4] },
      { id: 1, kind: "relu", parents: [0], shape: [1, 4] },
    ],
    ...change,
  };
}

describe("writeTorchLean", () => {
  it("keeps ids, and puts beside each node its shape and what its kind asks for", () => {
    const written = writeTorchLean(
      graph(({ input, parameter }) => {
        const x = input("x", [2]);
        x.multiply(parameter("w", [2])).sum({ axes: [0], keepdims: false });
      }),
    );
    expect(written).toEqual({
      ok: true,
      value: {
        format: "torchlean.ir.v1",
        input_id: 0,
        output_ids: [3],
        nodes: [
          { id: 0, kind: "input", parents: [], shape: [2], name: "x" },
          { id: 1, kind: "const", parents: [], shape: [2], name: "w", value_shape: [2] },
          { id: 2, kind: "mul_elem", parents: [0, 1], shape: [2] },
          { id: 3, kind: "reduce_sum", parents: [2], shape: [], axes: [0], keepdim: false },
        ],
        environment: [{ name: "w", shape: [2], kind: "real" }],
      },
    });
  });

  it("writes the numbers of constants, which are read back, and refuses those that JSON has not", () => {
    const affine = graph(({ input, parameter }) => {
      input("x", [2, 2]).multiply(parameter("w", [2, 2]));
    });
    const w = { shape: [2, 2], data: Float64Array.of(0.1, -0, 2, 5e-324) };
    const written = writeTorchLean(affine, new Map([["w", w]]));
    expect(written).toMatchObject({ value: { nodes: [{}, { values: [0.1, -0, 2, 5e-324] }, {}] } });
    const text = written.ok ? JSON.stringify(written.value) : "";
    expect(readTorchLeanText(text)).toMatchObject({
      value: {
        graph: affine,
        values: new Map([["w", { shape: [2, 2], data: Float64Array.of(0.1, 0, 2, 5e-324) }]]),
      },
    });
    const infinite = new Map([["w", { ...w, data: Float64Array.of(1, 2, 3, Number.NaN) }]]);
    expect(writeTorchLean(affine, infinite)).toMatchObject({
      error: [{ code: "torchlean/number", pointer: "/point/environment/w" }],
    });
  });

  it("says which node has no kind, and that there is one input", () => {
    const divided = graph(({ input }) => {
      const x = input("x");
      x.divide(x);
    });
    expect(writeTorchLean(divided)).toMatchObject({
      error: [
        { code: "torchlean/operator", pointer: "/nodes/0/op", hint: expect.stringContaining("reciprocal") },
      ],
    });
    const two = graph(({ input }) => input("x").add(input("y")));
    expect(writeTorchLean(two)).toMatchObject({ error: [{ code: "torchlean/inputs" }] });
    const single = graph(({ input, concat }) => concat(input("x", [2]), { axis: 0 }));
    expect(writeTorchLean(single)).toMatchObject({ error: [{ code: "torchlean/parents" }] });
  });
});

describe("readTorchLean", () => {
  it("reads back what is written, to the letter", () => {
    expect(roundTrip(network)).toEqual({ ok: true, value: network });
  });

  it("reads back every random graph that can be written", () => {
    const profile = { ...restrict(tensorProfile, operators), inputs: [1, 1] } as const;
    const written = [...campaign(profile, 7, 300)].filter((drawn) => writeTorchLean(drawn.graph).ok);
    expect(written.length).toBeGreaterThan(200);
    for (const { graph: drawn } of written) expect(roundTrip(drawn)).toEqual({ ok: true, value: drawn });
  });

  it("keeps entries that no node reads, in their order", () => {
    const environment: EnvironmentEntry[] = [
      { name: "unread", shape: [2], kind: "index" },
      { name: "w", shape: [], kind: "real" },
    ];
    const unread: Graph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [] }],
      environment,
      nodes: [node("constant", { name: "w" }), node("constant", { name: "w" }), node("multiply", {}, 1, 2)],
    };
    expect(roundTrip(unread)).toEqual({ ok: true, value: unread });
  });

  it("reads graphs without names, whose input comes later, with kinds that are only read", () => {
    const read = readTorchLean({
      format: "torchlean.ir.v1",
      input_id: 1,
      output_ids: [5],
      nodes: [
        { id: 0, kind: "const", parents: [], shape: [3, 2], origin: "weights" },
        { id: 1, kind: "input", parents: [], shape: [2, 3] },
        { id: 2, kind: "transpose", parents: [1], shape: [3, 2], axis1: 0, axis2: 1 },
        { id: 3, kind: "sub", parents: [2, 0], shape: [3, 2] },
        { id: 4, kind: "flatten", parents: [3], shape: [6], value_shape: [3, 2] },
        { id: 5, kind: "sum", parents: [4], shape: [] },
      ],
    });
    expect(read).toEqual({
      ok: true,
      value: {
        format: "adjudge.graph.v1",
        inputs: [{ name: "input", shape: [2, 3] }],
        environment: [{ name: "constant_0", shape: [3, 2], kind: "real" }],
        nodes: [
          node("constant", { name: "constant_0" }),
          node("permute_dims", { axes: [1, 0] }, 0),
          node("subtract", {}, 2, 1),
          node("reshape", { shape: [6] }, 3),
          node("sum", { axes: [0], keepdims: false }, 4),
        ],
      },
    });
  });

  const bad = { id: 1, kind: "relu", parents: [0], shape: [1, 4] };
  const input = { id: 0, kind: "input", parents: [], shape: [1, 4] };
  test.each([
    ["another format", { format: "torchlean.ir.v2" }, "schema/const", "/format"],
    ["no outputs", { output_ids: [] }, "schema/minItems", "/output_ids"],
    ["an output that is no node", { output_ids: [2] }, "torchlean/id", "/output_ids"],
    ["an id that is no position", { nodes: [input, { ...bad, id: 2 }] }, "torchlean/id", "/nodes/1/id"],
    [
      "a parent that comes later",
      { nodes: [input, { ...bad, parents: [1] }] },
      "torchlean/parents",
      "/nodes/1/parents",
    ],
    ["no input", { output_ids: [0], nodes: [{ ...bad, id: 0, parents: [] }] }, "torchlean/inputs", "/nodes"],
    ["two inputs", { nodes: [input, { ...input, id: 1 }] }, "torchlean/inputs", "/nodes"],
    ["another input", { input_id: 1 }, "torchlean/inputs", "/input_id"],
    ["an unknown kind", { nodes: [input, { ...bad, kind: "fft" }] }, "torchlean/kind", "/nodes/1/kind"],
    [
      "a kind of Object's",
      { nodes: [input, { ...bad, kind: "toString" }] },
      "torchlean/kind",
      "/nodes/1/kind",
    ],
    [
      "a missing attribute",
      { nodes: [input, { ...bad, kind: "permute" }] },
      "torchlean/attribute",
      "/nodes/1",
    ],
    [
      "an operand of another shape",
      { nodes: [input, { ...bad, kind: "reshape", in_shape: [4], out_shape: [4], shape: [4] }] },
      "torchlean/attribute",
      "/nodes/1",
    ],
    ["another shape", { nodes: [input, { ...bad, shape: [4, 1] }] }, "torchlean/shape", "/nodes/1/shape"],
    ["too many parents", { nodes: [input, { ...bad, parents: [0, 0] }] }, "graph/arity", "/nodes/1"],
    ["a tuple", { nodes: [input, { ...bad, value_kind: "tuple" }] }, "schema/const", "/nodes/1/value_kind"],
    ["a negative extent", { nodes: [{ ...input, shape: [-1] }, bad] }, "schema/minimum", "/nodes/0/shape/0"],
    [
      "two constants of one name and two shapes",
      {
        nodes: [
          input,
          { id: 1, kind: "const", parents: [], shape: [2], name: "w" },
          { id: 2, kind: "const", parents: [], shape: [3], name: "w" },
        ],
      },
      "torchlean/name",
      "/nodes/2",
    ],
    [
      "a constant called like the input",
      { nodes: [input, { id: 1, kind: "const", parents: [], shape: [2], name: "input" }] },
      "graph/name-twice",
      "/nodes/1",
    ],
  ])("refuses %s", (_what, change, code, pointer) => {
    const read = readTorchLean(document(change));
    expect(read).toMatchObject({ ok: false, error: [{ code, pointer, hint: expect.stringMatching(/./) }] });
  });

  it("reads text, and says where it is none", () => {
    expect(readTorchLeanText(JSON.stringify(document()))).toMatchObject({ ok: true });
    expect(readTorchLeanText("{")).toMatchObject({ ok: false, error: [{ code: "json/syntax" }] });
    expect(readTorchLeanText("[]")).toMatchObject({ ok: false, error: [{ code: "schema/type" }] });
  });
});

const operators: OperatorName[] = [
  "constant",
  "add",
  "subtract",
  "multiply",
  "stop_gradient",
  "maximum",
  "sqrt",
  "relu",
  "tanh",
  "exp",
  "log",
  "sin",
  "cos",
  "matmul",
  "sum",
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "abs",
  "minimum",
  "reciprocal",
  "sigmoid",
  "softplus",
  "softmax",
  "mean",
  "mse",
];

function roundTrip(original: Graph): ReturnType<typeof readTorchLean> {
  const written = writeTorchLean(original);
  return written.ok ? readTorchLean(JSON.parse(JSON.stringify(written.value))) : written;
}

/** Numbers that differ, and are short in binary. */
function numbers(...shape: readonly number[]): number[] {
  const size = shape.reduce((product, extent) => product * extent, 1);
  return Array.from({ length: size }, (_, i) => (((i * 7) % 11) - 5) / 4);
}

/** Computes the output of a file with an input and one node behind it, and constants. */
function outputOf(
  shape: readonly number[],
  x: readonly number[],
  ...nodes: readonly object[]
): readonly number[] {
  const all = [{ kind: "input", parents: [], shape }, ...nodes].map((one, id) => ({ id, ...one }));
  const json = { format: "torchlean.ir.v1", input_id: 0, output_ids: [nodes.length], nodes: all };
  const read = readTorchLeanText(JSON.stringify(json));
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const { graph: own, values, results } = read.value;
  const meaning = interpret(expand(own).graph, float64);
  if (!meaning.ok) throw new Error(JSON.stringify(meaning.error));
  const environment = new Map(
    [...values].map(([name, one]) => [
      name,
      { kind: "real" as const, tensor: { shape: one.shape, data: [...one.data] } },
    ]),
  );
  const context = evaluate(meaning.value, [{ shape, data: x }], environment);
  return context[expand(own).ids[results[0] ?? 0] ?? 0]?.data ?? [];
}

describe("the layers of a file, with their numbers,", () => {
  const window = { kernel: [3], stride: [2], padding: [1], spatial_rank: 1 };
  const factors = { gamma: [1, 2, 0.5], beta: [0, 1, -1], eps: 1e-3 };
  // PyTorch 2.15 in float64 gives what is expected.
  test.each<[string, readonly number[], readonly number[], readonly object[], readonly number[]]>([
    [
      "linear",
      [2, 3],
      numbers(2, 3),
      [
        {
          kind: "linear",
          parents: [0],
          shape: [2, 2],
          out_dim: 2,
          in_dim: 3,
          weight: numbers(2, 3).map((w) => w + 0.5),
          bias: numbers(2),
        },
      ],
      [0.1875, -1.1875, -1.9375, 3.0625],
    ],
    [
      "conv",
      [1, 2, 3, 4],
      numbers(1, 2, 3, 4),
      [
        {
          kind: "conv",
          parents: [0],
          shape: [1, 2, 2, 3],
          spatial_rank: 2,
          kernel: [2, 3],
          stride: [2, 1],
          padding: [0, 1],
          padding_after: [2, 0],
          dilation: [1, 1],
          groups: 1,
          channel_axis: 1,
          in_channels: 2,
          out_channels: 2,
          input_spatial: [3, 4],
          weight: numbers(2, 2, 2, 3).map((w) => w - 0.25),
          bias: numbers(2),
        },
      ],
      [-1.8125, -1.5625, -2.8125, -1.9375, 2.8125, -2, 1.625, 0.8125, -0.8125, 0.9375, -1.0625, 1.5],
    ],
    [
      "max_pool",
      [2, 4],
      numbers(2, 4).map((x) => -x - 3),
      [{ kind: "max_pool", parents: [0], shape: [2, 2], ...window }],
      [-1.75, -2.5, -2.25, -2.25],
    ],
    [
      "avg_pool",
      [2, 4],
      numbers(2, 4).map((x) => -x - 3),
      [{ kind: "avg_pool", parents: [0], shape: [2, 2], ...window }],
      [-1.75, -3.4166666666666665, -1.8333333333333333, -3.0833333333333335],
    ],
    [
      "layernorm",
      [2, 3],
      numbers(2, 3),
      [{ kind: "layernorm", parents: [0], shape: [2, 3], axis: 1, ...factors }],
      [
        -1.161346977392634, 3.554963350263795, -1.0580673488696317, 1.2238273448265007, 1,
        -1.6119136724132503,
      ],
    ],
    [
      "batch_norm_eval",
      [2, 3],
      numbers(2, 3),
      [
        {
          kind: "batch_norm_eval",
          parents: [0],
          shape: [2, 3],
          channel_axis: 1,
          channels: 3,
          ...factors,
          gamma: [1, 2, 3],
          mean: [0.5, 0, 1],
          var: [1, 2, 4],
        },
      ],
      [
        -1.749125655703603, 1.7069300707549022, -3.249718802723391, 0.7496252810158299, 1.353465035377451,
        -3.624671936510623,
      ],
    ],
    [
      "safe_log",
      [3],
      numbers(3),
      [
        { kind: "const", parents: [], shape: [], values: [0.25] },
        { kind: "safe_log", parents: [0, 1], shape: [3] },
      ],
      [-0.6892964414906405, 0.20218707768427338, -0.32285756050876063],
    ],
    [
      // Seed 0 at counter 2 draws 0.062, 0.197, 0.339, 0.676; splitmix64 in Python gives the same.
      "bernoulli_mask",
      [4],
      [1, 2, 3, 4],
      [
        { kind: "const", parents: [], shape: [], values: [0.25] },
        { kind: "bernoulli_mask", parents: [1], shape: [4], seed: 0 },
        { kind: "mul_elem", parents: [0, 2], shape: [4] },
      ],
      [1, 2, 0, 0],
    ],
    [
      "matmul of a stack and a vector",
      [2, 2, 3],
      numbers(2, 2, 3),
      [
        { kind: "const", parents: [], shape: [3], values: numbers(3) },
        { kind: "matmul", parents: [0, 1], shape: [2, 2] },
      ],
      [2.0625, -1.0625, -0.75, -0.4375],
    ],
  ])("mean what they mean in PyTorch: %s", (_kind, shape, x, nodes, expected) => {
    const found = outputOf(shape, x, ...nodes);
    expect(found).toHaveLength(expected.length);
    for (const [place, wanted] of expected.entries()) expect(found[place]).toBeCloseTo(wanted, 12);
    // Other weights give other numbers.
    const changed = nodes.map((one) =>
      JSON.parse(
        JSON.stringify(one).replaceAll("0.25", "0.5").replaceAll("[3]", "[2]").replaceAll("1,2,", "1,3,"),
      ),
    );
    expect(() => expect(outputOf(shape, x, ...changed)).toEqual(found)).toThrow();
  });

  test("are refused where numbers are missing in part, are no numbers, or nothing says what they mean", () => {
    const layer = { kind: "linear", parents: [0], shape: [2], out_dim: 2, in_dim: 3 };
    expect(() => outputOf([3], [1, 2, 3], { ...layer, weight: [1, 2], bias: [0, 0] })).toThrow(
      "torchlean/attribute",
    );
    expect(() => outputOf([3], [1, 2, 3], { ...layer, weight: ["a"], bias: [0, 0] })).toThrow(
      "torchlean/attribute",
    );
    for (const kind of Object.keys(refusals)) {
      const node = { kind, parents: [0], shape: [3] };
      expect(() => outputOf([3], [1, 2, 3], node)).toThrow(`${kind} is not read`);
    }
  });

  test("are of all kinds but those that are refused", () => {
    const kinds = ["input", ...Object.keys(meanings), ...Object.keys(refusals)];
    const listed =
      "input const permute transpose detach rand_uniform bernoulli_mask add sub mul_elem abs sqrt inv max_elem min_elem max_pool avg_pool broadcast_to reduce_sum reduce_mean sum matmul linear conv batch_norm_eval relu tanh sigmoid softplus safe_log exp log sin cos softmax hard_masked_softmax layernorm reshape flatten concat mse_loss";
    expect(kinds).toEqual(expect.arrayContaining(listed.split(" ")));
    expect(listed.split(" ")).toHaveLength(41);
  });
});
