import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Engine, interpreterEngine, type Reply, referenceConventions } from "../../../engines/index.ts";
import { type FlatTensor, type Graph, nodeId, type Point, type Seed } from "../../../spec/index.ts";
import { eagerEngine } from "./eager.ts";
import { type EagerLibrary, Unsupported } from "./library.ts";

/** A library's tensor of shape `[2]`: its numbers, their tangent, and how a cotangent is handed on. */
interface Traced {
  readonly data: Float64Array;
  readonly dot: Float64Array;
  readonly pull: readonly (readonly [Traced, (cotangent: Float64Array) => Float64Array])[];
}

const leaf = (data: Float64Array, dot: Float64Array = new Float64Array(2)): Traced => ({
  data,
  dot,
  pull: [],
});

const plus = (a: Float64Array, b: Float64Array): Float64Array => a.map((v, i) => v + (b[i] ?? 0));
const times = (a: Float64Array, b: Float64Array): Float64Array => a.map((v, i) => v * (b[i] ?? 0));
const minus = (a: Float64Array): Float64Array => a.map((v) => -v);

/** This is a tiny library in the manner of HIPS autograd: every tensor remembers its parents. */
const library: EagerLibrary<Traced> = {
  description: {
    name: "tiny",
    version: "1",
    language: "TypeScript",
    links: [],
    dtypes: ["float64"],
    conventions: referenceConventions,
    accuracy: {},
  },
  operators: {
    stop_gradient: (_, [x]) => leaf(x.data),
    negative: (_, [x]) => ({ data: minus(x.data), dot: minus(x.dot), pull: [[x, minus]] }),
    add: (_, [x, y]) => ({
      data: plus(x.data, y.data),
      dot: plus(x.dot, y.dot),
      pull: [
        [x, (c) => c],
        [y, (c) => c],
      ],
    }),
    multiply: (_, [x, y]) => ({
      data: times(x.data, y.data),
      dot: plus(times(x.dot, y.data), times(x.data, y.dot)),
      pull: [
        [x, (c) => times(c, y.data)],
        [y, (c) => times(c, x.data)],
      ],
    }),
    take: (_, [x], indices) => {
      const { data: at } = indices("i");
      const gather = (v: Float64Array) => Float64Array.from(at, (index) => v[index] ?? 0);
      const scatter = (c: Float64Array) => {
        const sums = new Float64Array(2);
        at.forEach((index, i) => {
          sums[index] = (sums[index] ?? 0) + (c[i] ?? 0);
        });
        return sums;
      };
      return { data: gather(x.data), dot: gather(x.dot), pull: [[x, scatter]] };
    },
    relu: () => {
      throw new Unsupported("relu of tiny tensors");
    },
    exp: () => {
      throw new RangeError("exp is broken");
    },
  },
  tensor: ({ data }) => leaf(data),
  read: ({ data }) => ({ shape: [data.length], data }),
  jvp: (f, inputs, tangents) =>
    f(inputs.map(({ data }, i) => leaf(data, tangents[i]?.data))).map(({ dot }) => leaf(dot)),
  vjp(f, inputs, cotangents) {
    const sums = new Map<Traced, Float64Array>();
    const visit = (tensor: Traced, cotangent: Float64Array): void => {
      const sum = sums.get(tensor);
      sums.set(tensor, sum === undefined ? cotangent : plus(sum, cotangent));
      for (const [parent, rule] of tensor.pull) visit(parent, rule(cotangent));
    };
    f(inputs).forEach((result, i) => {
      visit(result, cotangents[i]?.data ?? new Float64Array(2));
    });
    return inputs.map((input) => {
      const sum = sums.get(input);
      return sum && leaf(sum);
    });
  },
};

const pair = (x: number, y: number): FlatTensor => ({ shape: [2], data: Float64Array.of(x, y) });
const small = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }))
  .map(([x, y]) => pair(x, y));

type Made = readonly [
  "negative" | "stop_gradient" | "constant" | "add" | "multiply" | "take",
  number,
  number,
];

function graphOf(made: readonly Made[]): Graph {
  const nodes = made.map(([op, first, second], position): Graph["nodes"][number] => {
    const x = nodeId(first % (position + 2));
    const y = nodeId(second % (position + 2));
    switch (op) {
      case "constant":
        return { op, attributes: { name: "c" }, parents: [] };
      case "take":
        return { op, attributes: { axis: 0, indices: "i" }, parents: [x] };
      case "add":
      case "multiply":
        return { op, attributes: {}, parents: [x, y] };
      default:
        return { op, attributes: {}, parents: [x] };
    }
  });
  return {
    format: "adjudge.graph.v1",
    inputs: [
      { name: "x", shape: [2] },
      { name: "y", shape: [2] },
    ],
    environment: [
      { name: "c", shape: [2], kind: "real" },
      { name: "i", shape: [2], kind: "index" },
    ],
    nodes,
  };
}

const made: fc.Arbitrary<Made> = fc.tuple(
  fc.constantFrom("negative", "stop_gradient", "constant", "add", "multiply", "take"),
  fc.nat(20),
  fc.nat(20),
);

/** The integers are small and products few, so that every order of addition gives the same number. */
const cases = fc.record({
  graph: fc.array(made, { minLength: 1, maxLength: 6 }).map(graphOf),
  inputs: fc.tuple(small, small),
  constant: small,
  indices: fc.tuple(fc.nat(1), fc.nat(1)).map(([i, j]) => pair(i, j)),
  cotangents: fc.array(small, { minLength: 8, maxLength: 8 }),
  seeded: fc.subarray([0, 1, 2, 3, 4, 5, 6, 7]),
});

type Answers = readonly Reply<readonly FlatTensor[]>[];

async function answersOf(
  engine: Engine,
  graph: Graph,
  point: Point,
  seeds: readonly Seed[],
): Promise<Answers> {
  const loaded = await engine.load(graph, "float64");
  if (loaded.kind !== "result") return [loaded];
  const { value: program } = loaded;
  const tangents = point.inputs.map(({ data: [x = 0, y = 0] }) => pair(y - 1, x + 2));
  return [
    await program.evaluate(point),
    await program.jvp(point, tangents),
    await program.vjp(point, seeds),
    await program.backwardDense(point, seeds),
  ];
}

/** Makes −0 into 0, because orders of addition may differ in that. */
function unsigned(answers: Answers): Answers {
  return answers.map((answer) =>
    answer.kind === "result"
      ? { ...answer, value: answer.value.map(({ shape, data }) => ({ shape, data: data.map((x) => x + 0) })) }
      : answer,
  );
}

/** Says whether the engine of `some` library agrees with the interpreter on generated graphs. */
async function agrees(some: EagerLibrary<Traced>): Promise<boolean> {
  const engine = eagerEngine(some);
  const details = await fc.check(
    fc.asyncProperty(cases, async ({ graph, inputs, constant, indices, cotangents, seeded }) => {
      const point: Point = {
        inputs,
        environment: new Map([
          ["c", constant],
          ["i", indices],
        ]),
      };
      const ids = seeded.filter((id) => id < 2 + graph.nodes.length);
      const seeds = ids.map((id) => ({ id: nodeId(id), cotangent: cotangents[id] ?? pair(0, 0) }));
      const answers = await answersOf(engine, graph, point, seeds);
      expect(unsigned(answers)).toEqual(unsigned(await answersOf(interpreterEngine(), graph, point, seeds)));
    }),
    { seed: 20260101, numRuns: 300 },
  );
  return !details.failed;
}

describe("eagerEngine", () => {
  it("gives what the interpreter gives: values, tangents, cotangents of inputs and of every id", async () => {
    expect(await agrees(library)).toBe(true);
  });

  it("shows the library's own faults: a cotangent that is not handed on", async () => {
    const add = library.operators.add;
    const dropping: EagerLibrary<Traced> = {
      ...library,
      operators: {
        ...library.operators,
        add: (attributes, [x, y], indices, dtype) => {
          const sum = add?.(attributes, [x, y], indices, dtype) ?? leaf(x.data);
          return { ...sum, pull: sum.pull.slice(0, 1) };
        },
      },
    };
    expect(await agrees(dropping)).toBe(false);
  });

  it("taps values without changing a bit, not even the sign of a zero", async () => {
    const graph = graphOf([
      ["negative", 0, 0],
      ["multiply", 2, 1],
    ]);
    const point: Point = {
      inputs: [pair(0, -0), pair(1, 1)],
      environment: new Map([
        ["c", pair(0, 0)],
        ["i", pair(0, 0)],
      ]),
    };
    const seeds = [{ id: nodeId(3), cotangent: pair(1, 1) }];
    const dense = (await answersOf(eagerEngine(library), graph, point, seeds))[3];
    // The cotangent of y is the node's value −x, tapped.
    expect(dense?.kind === "result" && [...(dense.value[1]?.data ?? [])]).toEqual([-0, 0]);
  });

  it("makes values without operands itself, such as a mask from its key", async () => {
    const nodes: Graph["nodes"] = [
      { op: "full", attributes: { shape: [2], value: 0.1 }, parents: [] },
      { op: "iota", attributes: { shape: [2], axis: 0 }, parents: [] },
      { op: "bernoulli_mask", attributes: { shape: [2], key: "i", rate: 0.5 }, parents: [] },
      { op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(3)] },
    ];
    const graph: Graph = { ...graphOf([]), nodes };
    const point: Point = {
      inputs: [pair(3, 5), pair(0, 0)],
      environment: new Map([
        ["c", pair(0, 0)],
        ["i", pair(2 ** 32 - 1, 7)],
      ]),
    };
    const seeds = [{ id: nodeId(5), cotangent: pair(1, 2) }];
    const answers = await answersOf(eagerEngine(library), graph, point, seeds);
    expect(unsigned(answers)).toEqual(unsigned(await answersOf(interpreterEngine(), graph, point, seeds)));
    expect(answers[0]).toMatchObject({ kind: "result", value: { 0: pair(0.1, 0.1), 1: pair(0, 1) } });
  });

  it("promises the operators that the library has, and no more", () => {
    const { operators, modes } = eagerEngine(library).describe();
    expect(operators).toEqual([
      "constant",
      "full",
      "iota",
      "bernoulli_mask",
      "stop_gradient",
      "negative",
      "add",
      "multiply",
      "take",
      "relu",
      "exp",
    ]);
    expect(modes).toEqual(["evaluate", "jvp", "vjp", "backward_dense"]);
    expect(eagerEngine({ ...library, exactTaps: false }).describe().modes).toEqual([
      "evaluate",
      "jvp",
      "vjp",
    ]);
    const { jvp: _, ...backwards } = library;
    expect(eagerEngine(backwards).describe().modes).toEqual(["evaluate", "vjp", "backward_dense"]);
  });

  it("declines operators that the library lacks, and reports where it fails", async () => {
    const one = (op: "relu" | "exp" | "sin"): Graph => ({
      ...graphOf([]),
      nodes: [{ op, attributes: {}, parents: [nodeId(0)] }],
    });
    const point: Point = { inputs: [pair(1, 2), pair(3, 4)], environment: new Map() };
    const answer = async (graph: Graph) => (await answersOf(eagerEngine(library), graph, point, []))[0];
    expect(await answer(one("sin"))).toEqual({ kind: "unsupported", reason: "no operator sin" });
    expect(await answer(one("relu"))).toEqual({ kind: "unsupported", reason: "relu of tiny tensors" });
    expect(await answer(one("exp"))).toEqual({ kind: "error", message: "exp is broken" });
    const loaded = await eagerEngine(library).load(one("sin"), "float32");
    expect(loaded).toEqual({ kind: "unsupported", reason: "no float32" });
  });

  it("releases each of its claims on tensors, and none twice", async () => {
    const claims = new Map<Traced, number>();
    const claim = (tensor: Traced, by: number): Traced => {
      const count = (claims.get(tensor) ?? 0) + by;
      if (count < 0) throw new Error("released twice");
      claims.set(tensor, count);
      return tensor;
    };
    const counting: EagerLibrary<Traced> = {
      ...library,
      operators: {
        multiply: (attributes, [x, y], indices, dtype) => {
          const product = library.operators.multiply?.(attributes, [x, y], indices, dtype) ?? x;
          claim(x, -1);
          claim(y, -1);
          return claim(product, 1);
        },
        stop_gradient: (_, [x]) => x,
      },
      tensor: ({ data }) => claim(leaf(data), 1),
      read: (tensor) => library.read(claim(tensor, -1)),
      ownership: { share: (tensor) => claim(tensor, 1), release: (tensor) => claim(tensor, -1) },
    };
    const graph = graphOf([
      ["multiply", 0, 0],
      ["stop_gradient", 2, 0],
      ["constant", 0, 0],
      ["multiply", 3, 4],
    ]);
    const point: Point = { inputs: [pair(2, 3), pair(5, 7)], environment: new Map([["c", pair(1, 1)]]) };
    const loaded = await eagerEngine(counting).load(graph, "float64");
    const reply = loaded.kind === "result" ? await loaded.value.evaluate(point) : loaded;
    expect(reply).toMatchObject({ kind: "result" });
    expect([...claims.values()].filter((count) => count !== 0)).toEqual([]);
  });

  /** Makes the derivative of x · y by x, times a perturbation, for libraries that answer at once or later. */
  const derivative = (mode: "jvp" | "vjp"): Graph => ({
    ...graphOf([]),
    nodes: [
      {
        op: "differentiate",
        attributes: { graph: graphOf([["multiply", 0, 1]]), mode, of: nodeId(2), wrt: nodeId(0) },
        parents: [nodeId(0), nodeId(1), nodeId(1)],
      },
    ],
  });
  const nestedPoint: Point = { inputs: [pair(2, 3), pair(5, 7)], environment: new Map() };
  const nestedAnswer = async (nesting: EagerLibrary<Traced>, mode: "jvp" | "vjp" = "vjp") =>
    (await answersOf(eagerEngine(nesting), derivative(mode), nestedPoint, []))[0];

  it("has derivatives of inner graphs only for a library that nests", async () => {
    expect(eagerEngine({ ...library, nests: true }).describe().operators).toContain("differentiate");
    expect(eagerEngine(library).describe().operators).not.toContain("differentiate");
    expect(await nestedAnswer(library)).toEqual({
      kind: "unsupported",
      reason: "no operator differentiate",
    });
    for (const mode of ["jvp", "vjp"] as const) {
      const answer = await nestedAnswer({ ...library, nests: true }, mode);
      expect(answer).toMatchObject({ kind: "result", value: [pair(25, 49)] });
    }
  });

  it("declines a derivative whose inner graph has an operator that the library has not, by its name", async () => {
    const { multiply: _, ...operators } = library.operators;
    expect(await nestedAnswer({ ...library, operators, nests: true })).toEqual({
      kind: "unsupported",
      reason: "no operator multiply",
    });
  });

  it("declines a derivative within a function where the library answers only later", async () => {
    const later: EagerLibrary<Traced> = {
      ...library,
      nests: true,
      vjp: async (...asked) => (await library.vjp?.(...asked)) ?? [],
    };
    expect(await nestedAnswer(later)).toEqual({
      kind: "unsupported",
      reason: "tiny has no vjp within a function",
    });
  });
});
