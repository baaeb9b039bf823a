import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { integer, rational, rules } from "../../reference/package.ts";
import { type Graph, graph, present, sizeOf, type TraceJson } from "../../spec/index.ts";
import { readTraceJson } from "./export.ts";
import { exported, recorded } from "./recorded.test.kit.ts";

afterEach(() => vi.restoreAllMocks());

const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
const index = fc.integer({ min: -6, max: 6 });
const step = fc.constantFrom(-3, -2, -1, 1, 2, 3);

const movers: readonly [string, fc.Arbitrary<Graph>][] = [
  [
    "slice",
    shapes.chain((shape) =>
      fc
        .tuple(
          ...["starts", "stops"].map(() =>
            fc.array(index, { minLength: shape.length, maxLength: shape.length }),
          ),
          fc.array(step, { minLength: shape.length, maxLength: shape.length }),
        )
        .map(([starts = [], stops = [], steps = []]) =>
          graph(({ input }) => input("x", shape).slice({ starts, stops, steps })),
        ),
    ),
  ],
  [
    "pad",
    shapes.chain((shape) => {
      const zeros = fc.array(fc.integer({ min: 0, max: 2 }), {
        minLength: shape.length,
        maxLength: shape.length,
      });
      return fc
        .tuple(zeros, zeros, zeros)
        .map(([low, high, interior]) => graph(({ input }) => input("x", shape).pad({ low, high, interior })));
    }),
  ],
  [
    "iota",
    shapes.map((shape) =>
      graph(({ input, iota }) => input("x", shape).add(iota({ shape, axis: shape.length - 1 }))),
    ),
  ],
];

/** Returns the trace of a graph of one input, its numbers all different. */
function traced(program: Graph): TraceJson {
  const size = sizeOf(present(program.inputs[0], "an input").shape);
  const numbers = Array.from({ length: size }, (_, k) => String(k + 1));
  return recorded(program, integer, { inputs: [numbers], seeds: { 0: numbers } });
}

/** Evaluates what the file says of the last instruction on the numbers of the trace. */
function replayed(trace: TraceJson): readonly string[] {
  const read = readTraceJson(trace);
  if (!read.ok || "engine" in read.value) throw new Error("no exact trace");
  const { program, run } = read.value;
  const text = (x: { readonly numerator: bigint }): string => String(x.numerator);
  const [x = []] = run.values.map((numbers) => numbers.map(text));
  const { operator, shape } = present(program.nodes.at(0), "a node");
  if (operator.kind === "constant") return present(run.environment[operator.entry], "an entry").map(text);
  if (operator.kind === "gather") return operator.sources.map((source) => present(x[source], "an element"));
  if (operator.kind !== "scatter") throw new Error(operator.kind);
  const result = new Array<string>(sizeOf(shape)).fill("0");
  for (const [place, target] of operator.targets.entries()) result[target] = present(x[place], "an element");
  return result;
}

describe("the exporter's own index maps are those of the reference", () => {
  test.each(movers)("for %s", (_name, graphs) => {
    fc.assert(
      fc.property(graphs, (program) => {
        const trace = traced(program);
        expect(replayed(trace)).toEqual(trace.values[1]?.data);
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test("for bernoulli_mask, whatever the key", () => {
    const masked = graph(({ bernoulli_mask, indices }) =>
      bernoulli_mask({ shape: [40], key: indices("key", [2]), rate: 0.3 }),
    );
    const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(word, word, (k0, k1) => {
        const seed = Array.from({ length: 40 }, () => "1");
        const environment = { key: [String(k0), String(k1)] };
        const trace = recorded(masked, integer, { inputs: [], environment, seeds: { 0: seed } });
        expect(replayed(trace)).toEqual(trace.values[0]?.data);
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  const numbers = Array.from({ length: 12 }, (_, k) => String(k + 1));
  const zeros = numbers.map(() => "0");
  const blocks = ["1", "0", "0", "2", "1", "1"];
  const places = ["2", "0", "1", "1", "0", "2", "2", "1"];
  test.each<[string, Graph, readonly (readonly string[])[], readonly string[]]>([
    [
      "gather",
      graph(({ input, indices }) => input("x", [2, 3, 2]).gather({ indices: indices("i", [3, 2]) })),
      [numbers],
      blocks,
    ],
    [
      "take_along_axis",
      graph(({ input, indices }) =>
        input("x", [2, 3, 2]).take_along_axis({ axis: 1, indices: indices("i", [2, 2, 2]) }),
      ),
      [numbers],
      places,
    ],
    [
      "scatter_add to zeros",
      graph(({ input, indices }) => {
        const updates = input("updates", [3, 2]);
        input("x", [2, 3, 2]).scatter_add(updates, { indices: indices("i", [3, 2]) });
      }),
      [numbers.slice(0, 6), zeros],
      blocks,
    ],
  ])("for %s, with indices of more than one axis", (_name, program, inputs, i) => {
    const seeds = { 0: present(inputs[0], "an input") };
    const trace = recorded(program, integer, { inputs, environment: { i }, seeds });
    expect(replayed(trace)).toEqual(trace.values.at(-1)?.data);
  });
});

test("a reference that takes every step for 1 does not say what its own trace is compared with", () => {
  const sliced = graph(({ input }) => input("x", [4]).slice({ starts: [0], stops: [4], steps: [2] }));
  const right = rules.slice.forward;
  vi.spyOn(rules.slice, "forward").mockImplementation((application) =>
    right({ ...application, attributes: { starts: [0], stops: [2], steps: [1] } }),
  );
  const trace = recorded(sliced, rational, { inputs: [["1", "2", "3", "4"]], seeds: { 1: ["1", "1"] } });
  expect(trace.values[1]?.data).toEqual(["1", "2"]);
  expect(exported(trace)).toContain("⟨.gather [2] [0, 2], [0], [2]⟩");
});
