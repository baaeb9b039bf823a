import { describe, expect, test } from "vitest";
import {
  dataTypes,
  formats,
  type GridName,
  graph,
  gridNames,
  isPrimitiveGraph,
  nodeId,
  type PrimitiveGraph,
} from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { type Context, dense } from "../context.ts";
import { isSameContext, noEnvironment } from "../hand.test.kit.ts";
import { decode, encode, gridTypes, halfAway } from "../numerics/storage/index.ts";
import { backpropAllCtx } from "../sweep.ts";
import { map, type Tensor } from "../tensor.ts";
import { compressed, inFormat, inRuns } from "./compressed.ts";
import { keptIn } from "./encoded.ts";
import { type Subject, subjectOf } from "./subject.ts";

const written: PrimitiveGraph = primitive(({ input }) => {
  const [x, y] = [input("x", [3]), input("y", [3])];
  return x.multiply(y).sin().multiply(x).exp();
});

function primitive(build: Parameters<typeof graph>[0]): PrimitiveGraph {
  const built = graph(build);
  return isPrimitiveGraph(built) ? built : expect.unreachable("only primitives are used");
}

const x: Context<number> = [
  { shape: [3], data: [0.1, -1 / 3, 1.7] },
  { shape: [3], data: [1.1, 0.7, -0.3] },
];
const point = { x, environment: noEnvironment };
const seed = new Map([[nodeId(5), { shape: [3], data: [1, -0.1, 3] }]]);

function subject(): Subject<number> {
  const made = subjectOf(written, float64, { keeping: keptIn });
  return made.ok ? made.value : expect.unreachable(JSON.stringify(made.error));
}

/** Returns the reference's sweep with other values where rules read some. */
function readingThrough(decode: (value: Tensor<number>) => Tensor<number>): Context<number> {
  const { additive, data, shapes } = subject();
  const nodes = data.nodes.map((node) => ({
    ...node,
    vjp: (context: Context<number>, environment: typeof noEnvironment, c: Tensor<number>) =>
      node.vjp(context.map(decode), environment, c),
  }));
  return backpropAllCtx(additive, { ...data, nodes }, x, noEnvironment, dense(additive, shapes, seed));
}

describe("a compressed tape", () => {
  test.each([
    ["float32", 32],
    ["float16", 16],
    ["bfloat16", 16],
    ["posit32", 32],
    ["posit16", 16],
    ["posit8", 8],
  ] as const)("in %s is the reference's sweep, to the bit, where rules read what is decoded", (format, bits) => {
    const tape = compressed(inFormat(format)).record(subject(), point);
    if (!tape.ok) return expect.unreachable(JSON.stringify(tape.error));
    const swept = tape.value.backward(seed);
    const through = (other: keyof typeof formats): Context<number> =>
      readingThrough((value) => map(value, formats[other].round));
    expect(swept.ok && isSameContext(float64, swept.value, through(format))).toBe(true);
    for (const other of dataTypes)
      if (other !== format)
        expect(swept.ok && isSameContext(float64, swept.value, through(other))).toBe(false);
    // Of six ids of three elements the rules read five.
    expect(tape.value.measure()).toMatchObject({ savedElements: 15, bytes: (15 * bits) / 8 });
  });

  test.each([
    // Codes, and of each of five tensors what is beside them.
    ["sym16", 5 * (6 + 4)],
    ["sym8", 5 * (3 + 4)],
    ["sym4", 5 * (2 + 4)],
    ["asym8", 5 * (3 + 6)],
  ] as const)("in codes of %s is that of the values that the codes stand for", (format, bytes) => {
    const tape = compressed(inFormat(format)).record(subject(), point);
    if (!tape.ok) return expect.unreachable(JSON.stringify(tape.error));
    const swept = tape.value.backward(seed);
    const through = (name: GridName): Context<number> =>
      readingThrough(({ shape, data }) => {
        const stored = encode(gridTypes[name], data, halfAway);
        return { shape, data: stored.ok ? decode(stored.value) : expect.unreachable("all are finite") };
      });
    for (const name of gridNames)
      expect(swept.ok && isSameContext(float64, swept.value, through(name))).toBe(name === format);
    expect(tape.value.measure()).toMatchObject({ savedElements: 15, bytes });
  });

  test("in codes keeps in float32 what has no code", () => {
    const root = primitive(({ input }) => input("x", [2]).sqrt());
    const made = subjectOf(root, float64, { keeping: keptIn });
    const of = made.ok ? made.value : expect.unreachable("floats have roots");
    const tape = compressed(inFormat("sym8")).record(of, {
      x: [{ shape: [2], data: [Number.POSITIVE_INFINITY, 4.000_000_001] }],
      environment: noEnvironment,
    });
    const swept = tape.ok && tape.value.backward(new Map([[nodeId(1), { shape: [2], data: [1, 1] }]]));
    expect(swept !== false && swept.ok && swept.value[0]?.data).toEqual([0, 0.25]);
    expect(tape.ok && tape.value.measure().bytes).toBe(8);
  });

  test("in runs takes little where elements are alike, and loses nothing", () => {
    const alike = [
      { shape: [3], data: [0, 0, 0] },
      { shape: [3], data: [-0, 0, 0] },
    ];
    const tape = compressed(inRuns).record(subject(), { ...point, x: alike });
    if (!tape.ok) return expect.unreachable("it records");
    const swept = tape.value.backward(seed);
    const { additive, data, shapes } = subject();
    const owed = backpropAllCtx(additive, data, alike, noEnvironment, dense(additive, shapes, seed));
    expect(swept.ok && isSameContext(float64, swept.value, owed)).toBe(true);
    expect(tape.value.measure().bytes).toBeLessThan(15 * 8);
  });

  test("in a format of floats is refused where elements are none", () => {
    const exact = subjectOf(
      primitive(({ input }) => input("x", []).negative()),
      rational,
    );
    const made = exact.ok ? exact.value : expect.unreachable("rationals have a negation");
    const zero = { shape: [], data: [made.additive.zero] };
    const refused = compressed(inFormat("float16")).record(made, { x: [zero], environment: noEnvironment });
    expect(refused.ok ? [] : refused.error.map(({ code }) => code)).toEqual(["tape/codec"]);
  });
});
