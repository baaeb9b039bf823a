import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkGraph } from "../../../spec/documents/index.ts";
import { externalBeside } from "./external.ts";
import { bytesOf, imported, input, messageOf, outputOf, read, type Written } from "./model.test.kit.ts";
import { readMessage, writeMessage } from "./wire/message.ts";
import {
  type AttributeProto,
  elementTypes,
  type GraphProto,
  modelProto,
  type TensorProto,
} from "./wire/model.ts";
import { type Given, tensorOf } from "./writing/nodes.ts";

const x: readonly ReturnType<typeof input>[] = [input("x", [2, 3])];
const weights = tensorOf(elementTypes.float, [3, 2], [1, 2, 3, 4, 5, 6], "W");
const perceptron: Written = {
  inputs: x,
  initializers: [weights, tensorOf(elementTypes.float, [2], [0.5, -0.5], "b")],
  write: (w) => w.node("Relu", [w.node("Gemm", ["x", "W", "b"])]),
};

/** A model of one node. */
function one(op: string, inputs: readonly string[], given: Given = {}, more: Partial<Written> = {}): Written {
  return { inputs: x, write: (w) => w.node(op, inputs, given), ...more };
}

/** Returns the message of the refusal, and its place and hint. */
function refusal(written: Written): string {
  const model = read(bytesOf(written));
  if (model.ok) return "not refused";
  return model.error.map(({ pointer, message, hint }) => `${pointer}: ${message} Hint: ${hint}`).join("\n");
}

describe("a model of ONNX", () => {
  test("becomes a graph whose weights are entries of Δ, named as in the file", () => {
    const { graph, point, outputs, precisions } = imported(perceptron);
    expect(checkGraph(graph)).toMatchObject({ ok: true });
    expect(graph.inputs).toEqual([{ name: "x", shape: [2, 3] }]);
    expect(graph.environment.map(({ name }) => name)).toEqual(["W", "b"]);
    expect(graph.nodes.map(({ op }) => op)).toEqual([
      "constant",
      "matmul",
      "constant",
      "broadcast_to",
      "add",
      "relu",
    ]);
    expect(Array.from(point.environment.get("W")?.data ?? [])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(outputs).toEqual([{ name: expect.any(String), id: 6, isReal: true }]);
    expect(precisions).toEqual(["float"]);
    expect(outputOf(perceptron)).toEqual([22.5, 27.5, 49.5, 63.5]);
  });

  test("has weights as inputs where they are named, or all are", () => {
    const some = imported(perceptron, { wrt: ["b"] });
    expect(some.graph.inputs.map(({ name }) => name)).toEqual(["x", "b"]);
    expect(some.point.inputs.map(({ data }) => data.length)).toEqual([6, 2]);
    const all = imported(perceptron, { wrt: "all" });
    expect(all.graph.inputs.map(({ name }) => name)).toEqual(["x", "W", "b"]);
    expect(all.graph.environment).toEqual([]);
    expect(outputOf(perceptron, { wrt: "all" })).toEqual([22.5, 27.5, 49.5, 63.5]);
    const model = read(bytesOf(perceptron), { wrt: ["w"] });
    expect(model).toMatchObject({ error: [{ hint: "it has W, b" }] });
  });

  test("takes open extents and numbers by name", () => {
    const open: Written = { inputs: [input("x", ["batch", 2])], write: (w) => w.node("Neg", ["x"]) };
    expect(refusal(open)).toContain('has an open extent "batch". Hint: give it with --extent batch=…');
    const extents = new Map([["batch", 2]]);
    expect(outputOf(open, { extents })).toEqual([-1, -2, -3, -4]);
    expect(outputOf(open, { extents, given: new Map([["x", [7]]]) })).toEqual([-7, -7, -7, -7]);
    const given = new Map([["x", [1, 2, 3]]]);
    expect(read(bytesOf(open), { extents, given })).toMatchObject({
      error: [{ hint: "give 4, row-major, or one for all" }],
    });
    expect(read(bytesOf(open), { extents, given: new Map([["y", [1]]]) })).toMatchObject({ ok: false });
    expect(read(bytesOf(open), { extents: new Map([["batch", -2]]) })).toMatchObject({ ok: false });
  });

  test("has integers as data alone, which are then constants", () => {
    const embedding: Written = {
      inputs: [input("ids", [3], elementTypes.int64)],
      initializers: [weights],
      write: (w) => w.node("Gather", ["W", "ids"]),
    };
    expect(refusal(embedding)).toContain("give its 3 numbers with --given ids=…");
    const given = new Map([["ids", [2, 0, -1]]]);
    expect(outputOf(embedding, { given })).toEqual([5, 6, 1, 2, 5, 6]);
    expect(imported(embedding, { given, wrt: "all" }).graph.nodes.map(({ op }) => op)).toEqual([
      "take",
      "reshape",
    ]);
    expect(read(bytesOf(embedding), { given: new Map([["ids", [3, 0, 0]]]) })).toMatchObject({
      error: [{ pointer: "/graph/node/0", message: expect.stringContaining("the index 3 is outside") }],
    });
  });

  test("follows shapes without a node", () => {
    const flattening: Written = {
      inputs: x,
      write: (w) => {
        const first = w.node("Gather", [w.node("Shape", ["x"]), w.integer(0)]);
        const half = w.node("Div", [w.node("Mul", [first, w.integer(3)]), w.integer(2)]);
        const rows = w.node("Unsqueeze", [half, w.integers([0])]);
        return w.node("Reshape", ["x", w.node("Concat", [rows, w.integers([-1])], { ints: { axis: 0 } })]);
      },
    };
    expect(imported(flattening).graph.nodes).toEqual([
      { op: "reshape", attributes: { shape: [3, 2] }, parents: [0] },
    ]);
  });

  test("moves constants now, and computes with them later, since that would round", () => {
    const moving: Written = {
      inputs: x,
      initializers: [weights],
      write: (w) => w.node("Add", ["x", w.node("Transpose", ["W"])]),
    };
    expect(imported(moving).graph.nodes.map(({ op }) => op)).toEqual(["constant", "add"]);
    expect(outputOf(moving)).toEqual([2, 5, 8, 6, 9, 12]);
    const computing = {
      ...moving,
      write: (w: Parameters<NonNullable<Written["write"]>>[0]) => w.node("Exp", ["W"]),
    };
    expect(imported(computing).graph.nodes.map(({ op }) => op)).toEqual(["constant", "exp"]);
  });

  test("has one number everywhere as such, but weights as weights, though they be zeros", () => {
    const zeros: Written = {
      inputs: x,
      initializers: [tensorOf(elementTypes.float, [3], [0, 0, 0], "zeros")],
      write: (w) => w.node("Add", [w.node("Add", ["x", "zeros"]), w.full([2, 3], 0.5)]),
    };
    const { graph } = imported(zeros);
    expect(graph.environment.map(({ name }) => name)).toEqual(["zeros"]);
    expect(graph.nodes.map(({ op }) => op)).toEqual(["constant", "broadcast_to", "add", "full", "add"]);
  });

  test("has no nodes on which no output depends", () => {
    const dead: Written = {
      inputs: x,
      write: (w) => (w.node("Exp", ["x"]) === "" ? "" : w.node("Neg", ["x"])),
    };
    expect(imported(dead).graph.nodes.map(({ op }) => op)).toEqual(["negative"]);
  });

  test.each<[string, number, Uint8Array | readonly number[], readonly number[]]>([
    ["float16", elementTypes.float16, Uint8Array.of(0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00), [1, -2, 2 ** -24]],
    ["bfloat16", elementTypes.bfloat16, Uint8Array.of(0x80, 0x3f, 0x00, 0xc0, 0x49, 0x40), [1, -2, 3.140625]],
    ["float16 in a list", elementTypes.float16, [0x3c00, 0xc000, 0x0001], [1, -2, 2 ** -24]],
    ["bfloat16 in a list", elementTypes.bfloat16, [0x3f80, 0xc000, 0x4049], [1, -2, 3.140625]],
    ["int8", elementTypes.int8, Uint8Array.of(1, 0xfe, 3), [1, -2, 3]],
    ["uint16", elementTypes.uint16, Uint8Array.of(1, 0, 0xfe, 0xff, 3, 0), [1, 65534, 3]],
  ])("stores weights of %s exactly", (_name, dataType, data, expected) => {
    const tensor: TensorProto = {
      ...tensorOf(elementTypes.float, [3], [], "W"),
      dataType,
      rawData: data instanceof Uint8Array ? data : undefined,
      int32Data: data instanceof Uint8Array ? [] : data,
    };
    const model: Written = {
      inputs: [input("x", [3])],
      initializers: [tensor],
      write: (w) => w.node("Sub", [w.node("Cast", ["W"], { ints: { to: elementTypes.float } }), w.number(0)]),
    };
    expect(outputOf(model)).toEqual(expected);
  });
});

describe("data in another file", () => {
  const folder = mkdtempSync(join(tmpdir(), "adjudge-external-"));
  afterAll(() => {
    for (const one of [folder, secret]) rmSync(one, { recursive: true });
  });
  writeFileSync(join(folder, "weights.bin"), Uint8Array.of(9, 9, 0, 0, 128, 63, 0, 0, 0, 64));
  const secret = mkdtempSync(join(tmpdir(), "adjudge-secret-"));
  writeFileSync(join(secret, "secret.bin"), new Uint8Array(8));
  symlinkSync(join(secret, "secret.bin"), join(folder, "link.bin"));

  function stored(location: string, offset = "2", length = "8"): Written {
    const external = [
      { key: "location", value: location },
      { key: "offset", value: offset },
      { key: "length", value: length },
    ];
    const tensor: TensorProto = {
      ...tensorOf(elementTypes.float, [2], [], "W"),
      rawData: undefined,
      dataLocation: 1,
      externalData: external,
    };
    return { inputs: [input("x", [2])], initializers: [tensor], write: (w) => w.node("Mul", ["x", "W"]) };
  }
  const options = { external: externalBeside(join(folder, "model.onnx")) };

  test("is read from the model's folder", () => {
    expect(outputOf(stored("weights.bin"), options)).toEqual([1, 4]);
  });

  test.each([
    [join(secret, "secret.bin"), "0", "8", "outside of the model's folder"],
    ["../secret.bin", "0", "8", "outside of the model's folder"],
    ["a/../../secret.bin", "0", "8", "outside of the model's folder"],
    ["link.bin", "0", "8", "a link out of the model's folder"],
    ["none.bin", "0", "8", "cannot be read"],
    [".", "0", "8", "end too early"],
    ["", "0", "8", "outside of the model's folder"],
    ["weights.bin", "4", "8", "end too early"],
    ["weights.bin", "-1", "8", "of another length"],
    ["weights.bin", "0", "80", "of another length"],
  ])("is refused: %s from %s, %s bytes", (location, offset, length, words) => {
    const model = read(bytesOf(stored(location, offset, length)), options);
    expect(model).toMatchObject({ ok: false, error: [{ message: expect.stringContaining(words) }] });
  });
});

describe("conditions and loops", () => {
  const attribute = (name: string, g: GraphProto): AttributeProto => ({
    ...{ name, f: undefined, i: undefined, s: undefined, t: undefined, g, floats: [], ints: [], strings: [] },
    ...{ type: 5, reference: undefined },
  });
  const bodyOf = (written: Written): GraphProto => {
    const { graph } = messageOf(written);
    if (graph === undefined) throw new Error("no graph");
    return graph;
  };
  /** A model whose last node has bodies. */
  function withBodies(
    op: string,
    inputs: readonly string[],
    results: readonly string[],
    bodies: readonly AttributeProto[],
    more: Partial<Written>,
  ): Uint8Array {
    const model = messageOf({ inputs: [input("x", [2])], outputs: results.slice(-1), ...more });
    const node = { inputs, outputs: results, name: "the body", op, attributes: bodies, domain: undefined };
    const { graph } = model;
    if (graph === undefined) throw new Error("no graph");
    return writeMessage(modelProto, { ...model, graph: { ...graph, nodes: [...graph.nodes, node] } });
  }
  const chosen = (truth: number): Uint8Array =>
    withBodies(
      "If",
      ["c"],
      ["y"],
      [
        attribute("then_branch", bodyOf({ write: (w) => w.node("Neg", ["x"]) })),
        attribute("else_branch", bodyOf({ write: (w) => w.node("Exp", ["x"]) })),
      ],
      {
        initializers: [
          {
            ...tensorOf(elementTypes.int64, [], [], "c"),
            dataType: elementTypes.bool,
            rawData: Uint8Array.of(truth),
          },
        ],
      },
    );

  test("take the branch that a constant chooses, which reads values around it", () => {
    const ops = [1, 0].map((truth) => {
      const model = read(chosen(truth));
      return model.ok ? model.value.graph.nodes.map(({ op }) => op) : model.error;
    });
    expect(ops).toEqual([["negative"], ["exp"]]);
  });

  const looping = (count: readonly number[], condition = "go"): Uint8Array => {
    const body = bodyOf({
      inputs: [input("turn", [], elementTypes.int64), input("go", [], elementTypes.bool), input("s", [2])],
      outputs: [condition, "v0", "v0"],
      write: (w) => w.node("Add", ["s", "x"]),
    });
    return withBodies("Loop", ["n", "", "x"], ["last", "all"], [attribute("body", body)], {
      outputs: ["all"],
      initializers: [tensorOf(elementTypes.int64, [], count, "n")],
    });
  };

  test("turn as often as a constant says, and pile up what each turn gives", () => {
    const model = read(looping([3]));
    expect(model.ok && model.value.graph.nodes.map(({ op }) => op)).toEqual(["add", "add", "add", "stack"]);
    const endless = read(looping([100_000]));
    expect(endless).toMatchObject({
      error: [{ pointer: "/graph/node/0", message: 'the node "the body" (Loop): it turns over 1000 times.' }],
    });
    expect(read(looping([0]))).toMatchObject({
      error: [{ message: expect.stringContaining("it never turns") }],
    });
    expect(read(looping([2], "v0"))).toMatchObject({
      error: [{ message: expect.stringContaining("depends on the inputs") }],
    });
  });

  test("are refused where the inputs decide", () => {
    const bodies = [attribute("then_branch", bodyOf({ write: (w) => w.node("Neg", ["x"]) }))];
    const model = read(withBodies("If", ["x"], ["y"], bodies, {}));
    expect(model).toMatchObject({
      error: [{ message: expect.stringContaining("its condition depends on the inputs' numbers") }],
    });
  });
});

describe("refused by the node's name and operator, with a hint, is", () => {
  const unnamed = (op: string) => `the node "${op}_0" (${op}): `;
  test.each<[string, Written, string]>([
    [
      "an operator that is not there",
      one("GridSample", ["x", "x"]),
      `/graph/node/0: ${unnamed("GridSample")}"GridSample" is not read.`,
    ],
    [
      "another domain",
      { inputs: x, write: (w) => w.node("FusedGemm", ["x"], {}, "com.microsoft") },
      'of the domain "com.microsoft"',
    ],
    [
      "an attribute without a meaning",
      one("Relu", ["x"], { floats: { alpha: 1 } }),
      'its attribute "alpha" has no meaning here',
    ],
    ["too many operands", one("Relu", ["x", "x"]), "it has 2 operands."],
    ["too few", one("Add", ["x"]), "it has 1 operands."],
    [
      "a name that nothing computes",
      one("Add", ["x", "X"]),
      'nothing before it computes "X". Hint: did you mean "x"?',
    ],
    ["an empty name where a value is needed", one("Add", ["x", ""]), "operand 1 is missing."],
    ["shapes that do not fit", one("MatMul", ["x", "x"]), "/graph/node/0: the node"],
    [
      "a lower precision",
      one("Cast", ["x"], { ints: { to: elementTypes.float16 } }),
      "it rounds float to float16",
    ],
    [
      "an index that depends on inputs",
      { inputs: x, write: (w) => w.node("Gather", ["x", w.node("ArgMax", ["x"])]) },
      "its indices depends on the inputs' numbers",
    ],
    [
      "random numbers",
      one(
        "Dropout",
        ["x", "r", "t"],
        {},
        {
          initializers: [
            tensorOf(elementTypes.float, [], [0.5], "r"),
            {
              ...tensorOf(elementTypes.int64, [], [], "t"),
              dataType: elementTypes.bool,
              rawData: Uint8Array.of(1),
            },
          ],
        },
      ),
      "it draws random numbers.",
    ],
    ["a recurrence that clips", one("RNN", ["x", "x", "x"], { floats: { clip: 1 } }), "it clips its gates"],
    [
      "a shape that depends on inputs",
      {
        inputs: [input("x", [1])],
        write: (w) => w.node("Expand", ["x", w.node("Cast", ["x"], { ints: { to: elementTypes.int64 } })]),
      },
      "its shape depends on the inputs' numbers",
    ],
    [
      "a size beyond all memory",
      { inputs: x, write: (w) => w.node("ConstantOfShape", [w.integers([2 ** 40, 2 ** 40])]) },
      "elements",
    ],
    [
      "a negative extent",
      { inputs: x, write: (w) => w.node("ConstantOfShape", [w.integers([-1])]) },
      "an extent is not a non-negative integer",
    ],
    [
      "parts without number",
      one("Split", ["x"], { ints: { num_outputs: 2 ** 50 } }),
      "it has 1 of 1125899906842624 results",
    ],
    [
      "a resized axis without end",
      { inputs: x, write: (w) => w.node("Resize", ["x", "", "", w.integers([2, 2 ** 26])]) },
      "it needs 67108864 indices",
    ],
    [
      "repeated padding without end",
      {
        inputs: x,
        write: (w) => w.node("Pad", ["x", w.integers([0, 0, 0, 2 ** 25])], { texts: { mode: "edge" } }),
      },
      "it needs 33554435 indices",
    ],
    [
      "an output that nobody keeps",
      { inputs: x, write: (w) => w.node("Expand", ["x", w.integers([2 ** 24, 2, 3])]) },
      "6000000 elements are the most",
    ],
    [
      "constants without end",
      {
        inputs: x,
        write: (w) => {
          const many = Array.from({ length: 300 }, () => w.node("ConstantOfShape", [w.integers([2 ** 16])]));
          return w.node("Add", [many[0] ?? "", w.node("Concat", many, { ints: { axis: 0 } })]);
        },
      },
      "too",
    ],
    [
      "axes without end",
      {
        inputs: x,
        write: (w) => w.node("Unsqueeze", ["x", w.integers(Array.from({ length: 5000 }, (_, i) => i))]),
      },
      "it names too many axes",
    ],
    [
      "an older version",
      { ...perceptron, version: 13 },
      "/opset_import: the model uses version 13 of the operators. Hint: versions 17 to 28 are read",
    ],
    ["a later one", { ...perceptron, version: 99 }, "uses version 99"],
    [
      "an operator of a later version",
      one("Gelu", ["x"], {}, { version: 17 }),
      "there is no Gelu in version 17.",
    ],
    [
      "the indices of TopK",
      {
        inputs: x,
        write: (w) =>
          w.node("Cast", [w.several("TopK", ["x", w.integers([1])], 2)[1] ?? ""], { ints: { to: 1 } }),
      },
      "the indices of TopK depend on the inputs' numbers",
    ],
    ["an input twice", { inputs: [...x, ...x], write: (w) => w.node("Neg", ["x"]) }, '"x" is there twice.'],
    [
      "weights twice",
      { inputs: x, initializers: [weights, weights], write: (w) => w.node("Neg", ["x"]) },
      '"W" is there twice.',
    ],
    ["an output that nothing computes", { inputs: x, outputs: ["z"] }, 'nothing computes the output "z"'],
    ["a model without outputs", { inputs: x, outputs: [] }, "the model has no outputs."],
    [
      "an input of texts",
      { inputs: [input("x", [1], 8)], write: (w) => w.node("Identity", ["x"]) },
      "is of type 8",
    ],
    [
      "weights of complex numbers",
      { inputs: x, initializers: [{ ...weights, dataType: 14 }], write: (w) => w.node("Neg", ["x"]) },
      "its elements are of type 14",
    ],
    [
      "weights that lack bytes",
      {
        inputs: x,
        initializers: [{ ...weights, rawData: new Uint8Array(23) }],
        write: (w) => w.node("Neg", ["x"]),
      },
      "it has 23 bytes, not 24.",
    ],
    [
      "weights with a negative extent",
      { inputs: x, initializers: [{ ...weights, dims: [-1] }], write: (w) => w.node("Neg", ["x"]) },
      "an extent is not",
    ],
    [
      "weights of too many elements",
      { inputs: x, initializers: [{ ...weights, dims: [2 ** 30] }], write: (w) => w.node("Neg", ["x"]) },
      "elements",
    ],
  ])("%s", (_what, written, words) => {
    const told = refusal(written);
    expect(told).toContain(words);
    expect(told).toMatch(/Hint: \S/);
  });

  test("a cycle, and nodes in another order", () => {
    const { graph, ...model } = messageOf({ inputs: x, outputs: ["a"] });
    const node = (inputs: string[], outputs: string[]) => ({
      inputs,
      outputs,
      name: "n",
      op: "Add",
      attributes: [],
      domain: undefined,
    });
    for (const nodes of [
      [node(["x", "a"], ["a"])],
      [node(["x", "b"], ["a"]), node(["x", "a"], ["b"])],
      [node(["x", "b"], ["a"]), node(["x", "x"], ["b"])],
    ]) {
      const cyclic = graph && { ...graph, nodes };
      const told = read(writeMessage(modelProto, { ...model, graph: cyclic }));
      expect(told).toMatchObject({
        error: [{ pointer: "/graph/node/0", message: expect.stringContaining("nothing before it computes") }],
      });
    }
  });
});

describe("bytes that are no model", () => {
  const sound = bytesOf(perceptron);

  test("are told so", () => {
    for (const data of [
      new Uint8Array(),
      Uint8Array.of(1),
      new TextEncoder().encode("<html></html>"),
      new Uint8Array(100).fill(255),
    ])
      expect(read(data)).toMatchObject({
        ok: false,
        error: [{ code: expect.stringMatching(/^onnx\//), hint: expect.stringMatching(/./) }],
      });
  });

  test("are refused at whatever byte they end", () => {
    for (let length = 0; length < sound.length; length++) {
      const model = read(sound.subarray(0, length));
      if (!model.ok) expect(model.error[0]?.hint).toMatch(/./);
    }
    expect(read(sound).ok).toBe(true);
  });

  test("never crash, whatever byte is changed", () => {
    for (let place = 0; place < sound.length; place++) {
      for (const bit of [1, 8, 128]) {
        const changed = Uint8Array.from(sound);
        changed[place] = (changed[place] ?? 0) ^ bit;
        const model = read(changed);
        if (model.ok) expect(checkGraph(model.value.graph).ok).toBe(true);
        else expect(model.error[0]?.hint).toMatch(/./);
      }
    }
  });

  test("are refused where they nest too deep", () => {
    let graph: GraphProto | undefined = messageOf({ inputs: x, outputs: ["x"] }).graph;
    for (let depth = 0; depth < 60 && graph !== undefined; depth++) {
      const body = {
        ...{ name: "then_branch", f: undefined, i: undefined, s: undefined, t: undefined, g: graph },
        floats: [],
        ints: [],
        strings: [],
        type: 5,
        reference: undefined,
      };
      graph = {
        ...graph,
        nodes: [{ inputs: [], outputs: ["y"], name: "n", op: "If", attributes: [body], domain: undefined }],
      };
    }
    const model = read(writeMessage(modelProto, { ...messageOf(perceptron), graph }));
    expect(model).toMatchObject({ error: [{ message: expect.stringContaining("nested over 40 deep") }] });
  });

  test("read as they were written where they are one", () => {
    const model = readMessage(modelProto, sound);
    expect("wrong" in model ? model : writeMessage(modelProto, model)).toEqual(sound);
  });
});
