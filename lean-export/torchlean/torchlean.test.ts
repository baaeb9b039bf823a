import { describe, expect, it, test } from "vitest";
import { campaign, restrict, tensorProfile } from "../../oracle/index.ts";
import {
  type AttributesOf,
  type EnvironmentEntry,
  type Graph,
  graph,
  type NodeOf,
  nodeId,
  type OperatorName,
} from "../../spec/index.ts";
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
    ["an unknown kind", { nodes: [input, { ...bad, kind: "conv" }] }, "torchlean/kind", "/nodes/1/kind"],
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
    ["too many parents", { nodes: [input, { ...bad, parents: [0, 0] }] }, "graph/arity", "/nodes/0/parents"],
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
      "/nodes/2/name",
    ],
    [
      "a constant called like the input",
      { nodes: [input, { id: 1, kind: "const", parents: [], shape: [2], name: "input" }] },
      "graph/name-twice",
      "/environment/0/name",
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
  return written.ok ? readTorchLeanText(JSON.stringify(written.value)) : written;
}
