import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoadedGraph, Reply } from "../../spec/contract/index.ts";
import type { FlatTensor } from "../../spec/index.ts";
import { loaded, node, question, resultOf, scalar, seed, tensor } from "../asking.test.kit.ts";
import { soundParts } from "../interpretation/interpretation.ts";
import type { Kernel } from "../interpretation/kernel.ts";
import { allocate } from "../interpretation/machine.ts";
import { interpreterEngine } from "./engine.ts";

const engine = interpreterEngine();

describe("the reverse sweep", () => {
  test("adds the last reader's contribution first, onto the seed", async () => {
    // From the last it is 0 − 2⁵³ + 2⁵³ + 1; from the first it would be (1 + 2⁵³) − 2⁵³ = 0.
    const factors = [scalar(1), scalar(2 ** 53), scalar(-(2 ** 53))];
    const readers = factors.map((_, n) => node("multiply", {}, 0, n + 1));
    const { graph, point } = question([scalar(1), ...factors], readers);
    const program = await loaded(engine, graph);
    const ones = readers.map((_, n) => seed(4 + n, scalar(1)));
    const [atX] = resultOf(await program.vjp(point, ones));
    expect(atX).toEqual(scalar(1));
    const [seeded] = resultOf(await program.vjp(point, [seed(0, scalar(2 ** 53)), ...ones]));
    expect(seeded).toEqual(scalar(2 ** 53));
  });

  test("sums the contributions of a node that reads an id twice before the slot sees them", async () => {
    // 2⁵³ + (1 + 1) is 2⁵³ + 2; (2⁵³ + 1) + 1 rounds to 2⁵³ twice.
    const { graph, point } = question([scalar(1)], [node("add", {}, 0, 0)]);
    const program = await loaded(engine, graph);
    const seeds = [seed(0, scalar(2 ** 53)), seed(1, scalar(1))];
    expect(resultOf(await program.vjp(point, seeds))).toEqual([scalar(2 ** 53 + 2)]);
  });

  test("keeps a contribution of −0, and gives +0 where nothing arrives", async () => {
    const { graph, point } = question([scalar(1), scalar(1)], [node("negative", {}, 0)]);
    const program = await loaded(engine, graph);
    const cotangents = resultOf(await program.backwardDense(point, [seed(2, scalar(0))]));
    expect(cotangents).toEqual([scalar(-0), scalar(0), scalar(0)]);
    const seedsAlone = resultOf(await program.backwardDense(point, [seed(1, scalar(-0))]));
    expect(seedsAlone).toEqual([scalar(0), scalar(-0), scalar(0)]);
  });

  test("lets a contribution of +0 make +0 of a seed of −0", async () => {
    const { graph, point } = question([scalar(1)], [node("reshape", { shape: [] }, 0)]);
    const program = await loaded(engine, graph);
    const seeds = [seed(0, scalar(-0)), seed(1, scalar(0))];
    expect(resultOf(await program.vjp(point, seeds))).toEqual([scalar(0)]);
  });

  test("does not visit a node that nothing reached: 0 · ∞ would be NaN", async () => {
    const { graph, point } = question([scalar(0)], [node("log", {}, 0), node("negative", {}, 0)]);
    const program = await loaded(engine, graph);
    expect(resultOf(await program.vjp(point, [seed(2, scalar(1))]))).toEqual([scalar(-1)]);
    const seeds = [seed(1, scalar(0)), seed(2, scalar(1))];
    expect(resultOf(await program.vjp(point, seeds))).toEqual([scalar(Number.NaN)]);
  });

  test("pulls several seeds back, each to all it depends on", async () => {
    const nodes = [node("multiply", {}, 0, 1), node("subtract", {}, 2, 0)];
    const { graph, point } = question([scalar(3), scalar(4)], nodes);
    const program = await loaded(engine, graph);
    // The product gets 2 + 10, x gets 4 · 12 − 10 + 1, and y gets 3 · 12.
    const seeds = [seed(3, scalar(10)), seed(0, scalar(1)), seed(2, scalar(2))];
    const cotangents = [39, 36, 12, 10].map(scalar);
    expect(resultOf(await program.backwardDense(point, seeds))).toEqual(cotangents);
    expect(resultOf(await program.vjp(point, seeds))).toEqual(cotangents.slice(0, 2));
    expect(resultOf(await program.vjp(point, []))).toEqual([scalar(0), scalar(0)]);
  });
});

/** It has a value with two readers, a node with a repeated operand, a kink and an index entry. */
const everyday = question(
  [tensor([1, -2]), tensor([3, 0.5])],
  [
    node("multiply", {}, 0, 1),
    node("multiply", {}, 2, 2),
    node("maximum", {}, 2, 0),
    node("take", { axis: 0, indices: "i" }, 4),
    node("divide", {}, 3, 5),
  ],
  { i: ["index", tensor([1, 0])] },
);

/** Returns every answer to `everyday`, with other numbers if asked. */
async function answersOf(
  program: LoadedGraph,
  data: readonly number[] = [1, -2, 3, 0.5],
): Promise<readonly FlatTensor[][]> {
  const tensors = [tensor(data.slice(0, 2)), tensor(data.slice(2))];
  const [, second = scalar(0)] = tensors;
  const point = { ...everyday.point, inputs: tensors };
  const replies = [
    await program.evaluate(point),
    await program.jvp(point, tensors),
    await program.vjp(point, [seed(6, second)]),
    await program.backwardDense(point, [seed(6, second), seed(2, second)]),
  ];
  return replies.map((reply) => [...resultOf(reply)]);
}

describe("a loaded program", () => {
  test("answers alike to the bit whatever was asked in between", async () => {
    const program = await loaded(engine, everyday.graph);
    const first = await answersOf(program);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double(), { minLength: 4, maxLength: 4 }), async (data) => {
        const other = await answersOf(program, data);
        await program.vjp(everyday.point, [seed(99, scalar(1))]);
        expect(await answersOf(program)).toEqual(first);
        expect(await answersOf(program, data)).toEqual(other);
      }),
      { seed: 20260102, numRuns: 100 },
    );
  });

  test("gives answers that are the caller's to keep and to change", async () => {
    const program = await loaded(engine, everyday.graph);
    const first = await answersOf(program);
    const kept = structuredClone(first);
    await answersOf(program, [5, 6, 7, 8]);
    expect(first).toEqual(kept);
    for (const { data } of first.flat()) data.fill(Number.NaN);
    expect(await answersOf(program)).toEqual(kept);
  });

  test("leaves what it was given as it was", async () => {
    const program = await loaded(engine, everyday.graph, "float32");
    const inputs = [tensor([0.1, 0.2]), tensor([0.3, 0.4])];
    const point = { ...everyday.point, inputs };
    const before = structuredClone(point);
    await program.backwardDense(point, [seed(6, tensor([0.5, 0.6]))]);
    expect(point).toEqual(before);
  });

  test("shares nothing with another one, even of the same graph", async () => {
    const alone = await answersOf(await loaded(engine, everyday.graph));
    const one = await loaded(engine, everyday.graph);
    const two = await loaded(engine, everyday.graph);
    const twoAlone = await answersOf(two, [5, 6, 7, 8]);
    // The calls interleave, without waiting: neither may see the other's numbers.
    const [ofOne, ofTwo] = await Promise.all([answersOf(one), answersOf(two, [5, 6, 7, 8])]);
    expect([ofOne, ofTwo]).toEqual([alone, twoAlone]);
    await one.unload();
    expect(await answersOf(two, [5, 6, 7, 8])).toEqual(twoAlone);
  });

  test("answers every request with an error once it is unloaded, again and again", async () => {
    const program = await loaded(engine, everyday.graph);
    await program.unload();
    await program.unload();
    const { point } = everyday;
    const replies = [
      await program.evaluate(point),
      await program.jvp(point, point.inputs),
      await program.vjp(point, []),
      await program.backwardDense(point, []),
    ];
    expect(replies).toEqual(Array(4).fill({ kind: "error", message: "the program was unloaded." }));
  });
});

type Ask = (program: LoadedGraph) => Promise<Reply<readonly FlatTensor[]>>;

const { point } = everyday;
const noIndices = new Map([["i", tensor([1, 2])]]);

/** Requests that do not fit `everyday`: the fault, the request, and what the answer must name. */
const misfits: readonly (readonly [title: string, ask: Ask, message: RegExp])[] = [
  [
    "too few inputs",
    (p) => p.evaluate({ ...point, inputs: [tensor([1, 2])] }),
    /2 inputs, and 1 input given/,
  ],
  [
    "an input of another shape",
    (p) => p.evaluate({ ...point, inputs: [tensor([1, 2]), tensor([1, 2], [2, 1])] }),
    /input 1 \("x1"\) has shape \[2,1\], the graph says \[2\]/,
  ],
  [
    "an input with elements missing",
    (p) => p.evaluate({ ...point, inputs: [tensor([1, 2]), tensor([1], [2])] }),
    /input 1 \("x1"\) has 1 element, its shape \[2\] has 2/,
  ],
  [
    "a missing entry of the environment",
    (p) => p.evaluate({ ...point, environment: new Map() }),
    /no entry "i"/,
  ],
  [
    "an entry of another shape",
    (p) => p.evaluate({ ...point, environment: new Map([["i", scalar(0)]]) }),
    /"i" has shape \[\], the graph says \[2\]/,
  ],
  [
    "an index beyond the axis",
    (p) => p.evaluate({ ...point, environment: noIndices }),
    /index 2 at position 1/,
  ],
  ...[-1, 0.5, Number.NaN, Infinity].map((index): readonly [string, Ask, RegExp] => [
    `the index ${index}`,
    (p) => p.evaluate({ ...point, environment: new Map([["i", tensor([0, index])]]) }),
    new RegExp(`index ${index} at position 1 of "i" is out of range: it must be an integer from 0 to 1`),
  ]),
  ["too many tangents", (p) => p.jvp(point, [...point.inputs, scalar(1)]), /3 tangents/],
  [
    "a tangent of another shape",
    (p) => p.jvp(point, [tensor([1, 2]), scalar(1)]),
    /tangent 1 \("x1"\) has shape \[\]/,
  ],
  ["a seed at an id behind the last", (p) => p.vjp(point, [seed(7, scalar(1))]), /no id 7 .* 6/],
  ["a seed at a negative id", (p) => p.vjp(point, [seed(-1, scalar(1))]), /no id -1/],
  [
    "a seed of another shape",
    (p) => p.backwardDense(point, [seed(6, scalar(1))]),
    /the seed at id 6 has shape \[\]/,
  ],
  [
    "two seeds at one id",
    (p) => p.vjp(point, [seed(6, tensor([1, 2])), seed(6, tensor([1, 2]))]),
    /id 6 is seeded twice/,
  ],
];

describe("a request that does not fit", () => {
  test.each(misfits)("%s is an error that says so, and leaves no trace", async (_title, ask, message) => {
    const program = await loaded(engine, everyday.graph);
    const before = await answersOf(program);
    const reply = await ask(program);
    expect(reply).toEqual({ kind: "error", message: expect.stringMatching(message) });
    expect(await answersOf(program)).toEqual(before);
  });

  test("an index into an empty axis is an error that says the axis is empty", async () => {
    const { graph, point } = question([tensor([])], [node("take", { axis: 0, indices: "i" }, 0)], {
      i: ["index", tensor([0])],
    });
    const program = await loaded(engine, graph);
    const message = expect.stringMatching(/out of range: the axis is empty/);
    expect(await program.evaluate(point)).toEqual({ kind: "error", message });
  });

  test("an entry that two nodes take along different axes must fit the shorter one", async () => {
    const nodes = [node("take", { axis: 0, indices: "i" }, 0), node("take", { axis: 1, indices: "i" }, 0)];
    const wide = (index: number) =>
      question([tensor([1, 2, 3, 4, 5, 6], [2, 3])], nodes, { i: ["index", tensor([index])] });
    const program = await loaded(engine, wide(1).graph);
    expect(resultOf(await program.evaluate(wide(1).point))).toEqual([
      tensor([4, 5, 6], [1, 3]),
      tensor([2, 5], [2, 1]),
    ]);
    expect(await program.evaluate(wide(2).point)).toMatchObject({ kind: "error" });
  });
});

describe("a graph that cannot be loaded", () => {
  test("is unsupported where it needs too much memory", async () => {
    const extents = { ids: 1, slots: 2 ** 31, reals: 0, indices: 0, work: 0 };
    expect(() => allocate(extents, "float32")).toThrow(RangeError);
    const small = interpreterEngine("small", { allocate: () => allocate(extents, "float32") });
    expect(await small.load(everyday.graph, "float64")).toEqual({
      kind: "unsupported",
      reason: "the graph needs too much memory: an arena of 2147483648 elements",
    });
  });

  test("is a crash that is told, not thrown, where the interpreter itself is broken", async () => {
    const allocateNothing = (): never => {
      throw new TypeError("no such thing as memory");
    };
    const broken = interpreterEngine("broken", { allocate: allocateNothing });
    expect(await broken.load(everyday.graph, "float64")).toEqual({
      kind: "crashed",
      message: "TypeError: no such thing as memory",
    });
    const illFormed = question([scalar(1)], [node("take", { axis: 3, indices: "none" }, 0)]);
    expect(await engine.load(illFormed.graph, "float64")).toMatchObject({ kind: "crashed" });
  });
});

/** Moves a rule's operands and contributions to where no arena reaches. */
function behind(rule: Kernel<"multiply">["forward"]): Kernel<"multiply">["forward"] {
  return (machine, step) =>
    rule(machine, { ...step, x: machine.values.length, xBar: machine.cotangents.length });
}

describe("a kernel that breaks while it computes", () => {
  test("is a crash that is told: no answer rejects, and the program can be asked again", async () => {
    const { divide } = soundParts.kernels;
    const breaking: typeof divide = {
      ...divide,
      vjp() {
        throw new RangeError("no such thing as a quotient");
      },
    };
    const kernels = { ...soundParts.kernels, divide: breaking };
    const program = await loaded(interpreterEngine("breaking", { kernels }), everyday.graph);
    const seeds = [seed(6, tensor([1, 2]))];
    const crash = { kind: "crashed", message: "RangeError: no such thing as a quotient" };
    expect(await program.vjp(point, seeds)).toEqual(crash);
    expect(await program.backwardDense(point, seeds)).toEqual(crash);
    const values = await (await loaded(engine, everyday.graph)).evaluate(point);
    expect(await program.evaluate(point)).toEqual(values);
  });

  const { add, multiply, negative } = soundParts.kernels;
  const astray: readonly (readonly [string, Partial<typeof soundParts.kernels>])[] = [
    ["reads an operand that is not there", { negative: { ...negative, forward: add.forward } }],
    ["contributes to an operand that is not there", { negative: { ...negative, vjp: add.vjp } }],
    ["reads behind the end", { multiply: { ...multiply, forward: behind(multiply.forward) } }],
    ["contributes behind the end", { multiply: { ...multiply, vjp: behind(multiply.vjp) } }],
  ];

  test.each(astray)("is a crash too where it %s: there is no number to go on with", async (_title, wrong) => {
    const nodes = [node("negative", {}, 0), node("multiply", {}, 0, 1)];
    const { graph, point } = question([tensor([1, 2])], nodes);
    const kernels = { ...soundParts.kernels, ...wrong };
    const program = await loaded(interpreterEngine("astray", { kernels }), graph);
    const reply = await program.vjp(point, [seed(2, tensor([1, 1]))]);
    expect(reply).toEqual({
      kind: "crashed",
      message: expect.stringMatching(/an element outside of its array/),
    });
  });
});
