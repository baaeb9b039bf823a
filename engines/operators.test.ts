import { describe, expect, test } from "vitest";
import type { Engine } from "../spec/contract/index.ts";
import { type FlatTensor, primitiveNames } from "../spec/index.ts";
import { loaded, node, question, resultOf, scalar, seed, tensor } from "./asking.test.kit.ts";
import { javascriptEngine } from "./compile/javascript_engine.ts";
import { wasmEngine } from "./compile/wasm_engine.ts";
import { interpreterEngine } from "./interpreter/index.ts";
import { byHand, knownSlopes } from "./operators.test.cases.ts";

/** These engines owe every bit; the others round as they like. */
const exactEngines = [interpreterEngine(), javascriptEngine("bit_exact"), wasmEngine("bit_exact")];
const fastEngines = [javascriptEngine(), wasmEngine()];
const named = (engine: Engine) => ({ name: engine.describe().name, engine });

const inEachPrecision = [...exactEngines, ...fastEngines].flatMap((engine) =>
  (["float64", "float32"] as const).map((dtype) => ({ ...named(engine), dtype })),
);

describe.each(inEachPrecision)("$name in $dtype", ({ engine, dtype }) => {
  test.each(primitiveNames)("%s has the value, tangent and cotangents worked out by hand", async (name) => {
    const { graph, point, value, tangents, tangent, cotangent, pulled } = byHand[name];
    expect(graph.nodes.map(({ op }) => op)).toEqual([name]);
    const seeds = [seed(graph.inputs.length, cotangent)];
    const program = await loaded(engine, graph, dtype);
    expect(resultOf(await program.evaluate(point))).toEqual([value]);
    expect(resultOf(await program.jvp(point, tangents))).toEqual([tangent]);
    expect(resultOf(await program.vjp(point, seeds))).toEqual(pulled);
    expect(resultOf(await program.backwardDense(point, seeds))).toEqual([...pulled, cotangent]);
  });

  test.each(knownSlopes)("$node.op is the function of its name", async ({ node, x, value, slope }) => {
    const { graph, point } = question([scalar(x)], [node]);
    const program = await loaded(engine, graph, dtype);
    const answers = [
      ...resultOf(await program.evaluate(point)),
      ...resultOf(await program.jvp(point, [scalar(-4)])),
      ...resultOf(await program.vjp(point, [seed(1, scalar(-4))])),
    ].map(({ data }) => data[0]);
    const digits = dtype === "float64" ? 14 : 6;
    expect(answers).toEqual([value, -4 * slope, -4 * slope].map((wanted) => expect.closeTo(wanted, digits)));
  });

  test("an extent of 0 gives empty sums, empty tensors and zeros", async () => {
    const { graph, point } = question(
      [tensor([], [2, 0]), tensor([], [0, 3])],
      [node("matmul", {}, 0, 1), node("sum", { axes: [1], keepdims: false }, 0), node("multiply", {}, 1, 1)],
    );
    const program = await loaded(engine, graph, dtype);
    const values = [tensor([0, 0, 0, 0, 0, 0], [2, 3]), tensor([0, 0]), tensor([], [0, 3])];
    expect(resultOf(await program.evaluate(point))).toEqual(values);
    expect(resultOf(await program.jvp(point, point.inputs))).toEqual(values);
    const seeds = [seed(2, tensor([1, 2, 3, 4, 5, 6], [2, 3])), seed(3, tensor([1, 2]))];
    expect(resultOf(await program.vjp(point, seeds))).toEqual(point.inputs);
  });
});

describe.each([...exactEngines, ...fastEngines].map(named))("$name", ({ engine }) => {
  test("a graph without nodes answers with the seeds", async () => {
    const { graph, point } = question([scalar(3), tensor([1, 2])], []);
    const program = await loaded(engine, graph);
    expect(resultOf(await program.evaluate(point))).toEqual([]);
    expect(resultOf(await program.jvp(point, point.inputs))).toEqual([]);
    expect(resultOf(await program.backwardDense(point, [seed(1, tensor([5, 6]))]))).toEqual([
      scalar(0),
      tensor([5, 6]),
    ]);
  });
});

describe.each(exactEngines.map(named))("$name in float32", ({ engine }) => {
  /** Returns the first element of each tensor. */
  const firsts = (tensors: readonly FlatTensor[]): (number | undefined)[] =>
    tensors.map(({ data }) => data[0]);

  test("adds 0.1 and 0.2 to 0x3e99999a", async () => {
    const { graph, point } = question([scalar(0.1), scalar(0.2)], [node("add", {}, 0, 1)]);
    const program = await loaded(engine, graph, "float32");
    const [value = scalar(0)] = resultOf(await program.evaluate(point));
    expect(new Uint32Array(Float32Array.from(value.data).buffer)).toEqual(Uint32Array.of(0x3e99999a));
  });

  // (1 + 2⁻¹²)² = 1 + 2⁻¹¹ + 2⁻²⁴ lies between two float32 and goes to the even one, 1 + 2⁻¹¹.
  const x = 1 + 2 ** -12;
  const factors = question([scalar(x), scalar(x)], [node("multiply", {}, 0, 1)]);

  test("rounds each product before two are added", async () => {
    const program = await loaded(engine, factors.graph, "float32");
    expect(firsts(resultOf(await program.jvp(factors.point, [scalar(x), scalar(-1)])))).toEqual([2 ** -12]);
    const double = await loaded(engine, factors.graph, "float64");
    expect(firsts(resultOf(await double.jvp(factors.point, [scalar(x), scalar(-1)])))).toEqual([
      2 ** -12 + 2 ** -24,
    ]);
  });

  test("rounds a contribution before it is added to a slot", async () => {
    const program = await loaded(engine, factors.graph, "float32");
    const seeds = [seed(0, scalar(-1)), seed(2, scalar(x))];
    expect(firsts(resultOf(await program.vjp(factors.point, seeds)))).toEqual([2 ** -11, 1 + 2 ** -11]);
  });

  test("rounds every partial sum of a matrix product", async () => {
    // 1 + 2⁻²⁴ + 2⁻²⁴ is 1 when rounded twice, 1 + 2⁻²³ when rounded once.
    const row = tensor([1, 2 ** -24, 2 ** -24], [1, 3]);
    const { graph, point } = question([row, tensor([1, 1, 1], [3, 1])], [node("matmul", {}, 0, 1)]);
    const program = await loaded(engine, graph, "float32");
    expect(firsts(resultOf(await program.evaluate(point)))).toEqual([1]);
    expect(firsts(resultOf(await program.jvp(point, [row, tensor([0, 0, 0], [3, 1])])))).toEqual([1]);
  });

  test("rounds inputs and seeds that are no float32, and overflows where float64 does not", async () => {
    const { graph, point } = question([scalar(2 ** 127)], [node("add", {}, 0, 0)]);
    const program = await loaded(engine, graph, "float32");
    expect(firsts(resultOf(await program.evaluate(point)))).toEqual([Infinity]);
    expect(firsts(resultOf(await program.vjp(point, [seed(0, scalar(0.1))])))).toEqual([Math.fround(0.1)]);
  });
});
