import * as fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { integer, rules } from "../../reference/package.ts";
import {
  type Builder,
  graph,
  present,
  type Shape,
  shapesOf,
  sizeOf,
  type TraceJson,
  type Value,
} from "../../spec/index.ts";
import { checkBatch, type LeanVerdict } from "../index.ts";
import { exported, recorded } from "./recorded.test.kit.ts";

/** Draws a list with a number for each axis. */
const perAxis = (rank: number, number: fc.Arbitrary<number>): fc.Arbitrary<readonly number[]> =>
  fc.array(number, { minLength: rank, maxLength: rank });

const shapes = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
const filled = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });

/** Adds a node to a graph, given an input of a shape, and says what its index entry of Δ holds. */
interface Move {
  readonly shape: Shape;
  readonly indices?: { readonly shape: Shape; readonly data: readonly number[] };
  /** The elements that updates are drawn from. */
  readonly drawn?: readonly number[];
  readonly write: (builder: Builder, x: Value, entry: string) => void;
}

const slices = shapes.chain((shape) =>
  fc
    .tuple(
      perAxis(shape.length, fc.integer({ min: -6, max: 6 })),
      perAxis(shape.length, fc.integer({ min: -6, max: 6 })),
      perAxis(shape.length, fc.constantFrom(-3, -2, -1, 1, 2, 3)),
    )
    .map(
      ([starts, stops, steps]): Move => ({
        shape,
        write: (_, x) => x.slice({ starts, stops, steps }),
      }),
    ),
);

const pads = shapes.chain((shape) => {
  const zeros = perAxis(shape.length, fc.integer({ min: 0, max: 2 }));
  return fc.tuple(zeros, zeros, zeros).map(
    ([low, high, interior]): Move => ({
      shape,
      write: (_, x) => x.pad({ low, high, interior }),
    }),
  );
});

/** Draws rows of indices into the first axes of a shape. */
const blocks = filled.chain((shape) =>
  fc.tuple(fc.integer({ min: 1, max: shape.length }), fc.integer({ min: 0, max: 3 })).chain(([depth, rows]) =>
    fc
      .tuple(
        ...Array.from({ length: rows * depth }, (_, at) =>
          fc.integer({ min: 0, max: present(shape[at % depth], "an extent") - 1 }),
        ),
      )
      .map((data) => ({
        shape,
        updates: [rows, ...shape.slice(depth)],
        indices: { shape: [rows, depth], data },
      })),
  ),
);

const gathers = blocks.map(
  ({ shape, indices }): Move => ({
    shape,
    indices,
    write: (builder, x, i) => x.gather({ indices: builder.indices(i, indices.shape) }),
  }),
);

const scatters = blocks.map(
  ({ shape, updates, indices }): Move => ({
    shape,
    indices,
    write: (builder, x, i) => {
      const size = sizeOf(updates);
      const flat = x.reshape({ shape: [sizeOf(shape)] });
      // As many updates as the rows name are the elements of x, over and over.
      const drawn = flat.take({ axis: 0, indices: builder.indices(`${i}_drawn`, [size]) });
      x.scatter_add(drawn.reshape({ shape: updates }), { indices: builder.indices(i, indices.shape) });
    },
    drawn: Array.from({ length: sizeOf(updates) }, (_, k) => k % sizeOf(shape)),
  }),
);

const along = filled.chain((shape) =>
  fc
    .tuple(fc.integer({ min: 0, max: shape.length - 1 }), fc.integer({ min: 0, max: 3 }))
    .chain(([axis, extent]) => {
      const entry = shape.with(axis, extent);
      const index = fc.integer({ min: 0, max: present(shape[axis], "an extent") - 1 });
      return perAxis(sizeOf(entry), index).map(
        (data): Move => ({
          shape,
          indices: { shape: entry, data },
          write: (builder, x, i) => x.take_along_axis({ axis, indices: builder.indices(i, entry) }),
        }),
      );
    }),
);

const sums = filled.chain((shape) =>
  fc
    .integer({ min: 0, max: shape.length - 1 })
    .map((axis): Move => ({ shape, write: (_, x) => x.cumulative_sum({ axis }) })),
);

const counts = filled.chain((shape) =>
  fc.integer({ min: 0, max: shape.length - 1 }).map(
    (axis): Move => ({
      shape,
      write: ({ iota }, x) => x.multiply(iota({ shape, axis })),
    }),
  ),
);

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const masks = fc.tuple(word, word, fc.double({ min: 0, max: 1, noNaN: true })).map(
  ([k0, k1, rate]): Move => ({
    shape: [5],
    indices: { shape: [2], data: [k0, k1] },
    write: ({ indices, bernoulli_mask }, x, key) =>
      x.multiply(bernoulli_mask({ shape: [5], key: indices(key, [2]), rate })),
  }),
);

/** Records a run of one graph that has all the moves, each of an input of its own, all numbers different. */
function traced(moves: readonly Move[]): TraceJson {
  const program = graph((builder) => {
    const inputs = moves.map(({ shape }, k) => builder.input(`x${k}`, shape));
    for (const [k, { write }] of moves.entries()) write(builder, present(inputs[k], "an input"), `i${k}`);
  });
  const numbers = (count: number, first: number): string[] =>
    Array.from({ length: count }, (_, k) => String(first + k));
  const entries = moves.flatMap(({ indices, drawn }, k) => [
    ...(indices === undefined ? [] : [[`i${k}`, indices.data.map(String)] as const]),
    ...(drawn === undefined ? [] : [[`i${k}_drawn`, drawn.map(String)] as const]),
  ]);
  const shapes = shapesOf(program);
  return recorded(program, integer, {
    inputs: moves.map(({ shape }, k) => numbers(sizeOf(shape), 100 * k + 1)),
    environment: Object.fromEntries(entries),
    seeds: Object.fromEntries(shapes.map((shape, id) => [id, numbers(sizeOf(shape), id + 2)])),
  });
}

const operators = { slices, pads, gathers, scatters, along, sums, counts, masks };
const drawn = Object.entries(operators).map(([name, moves]) => {
  const trace = traced(fc.sample(moves, { seed: 7, numRuns: 12 }));
  return [name, trace] as const;
});

/** Changes a number of the value of the last node, and what it is read as. */
function withValue(trace: TraceJson, change: (data: readonly string[]) => readonly string[]): TraceJson {
  const last = present(trace.values.at(-1), "a value");
  return { ...trace, values: trace.values.with(-1, { ...last, data: change(last.data) }) };
}

const ones = (count: number): string[] => new Array<string>(count).fill("1");

function everyStepTakenForOne(): TraceJson {
  const sliced = graph(({ input }) => input("x", [4]).slice({ starts: [0], stops: [4], steps: [2] }));
  const right = rules.slice.forward;
  const spy = vi
    .spyOn(rules.slice, "forward")
    .mockImplementation((application) =>
      right({ ...application, attributes: { starts: [0], stops: [2], steps: [1] } }),
    );
  const trace = recorded(sliced, integer, { inputs: [["1", "2", "3", "4"]], seeds: { 1: ones(2) } });
  spy.mockRestore();
  return trace;
}

const scattered = recorded(
  graph(({ input, indices }) => {
    input("x", [3]).scatter_add(input("y", [2]), { indices: indices("i", [2, 1]) });
  }),
  integer,
  {
    inputs: [
      ["1", "2", "3"],
      ["10", "20"],
    ],
    environment: { i: ["2", "2"] },
    seeds: { 2: ones(3) },
  },
);
const masked = recorded(
  graph(({ bernoulli_mask, indices }) =>
    bernoulli_mask({ shape: [40], key: indices("key", [2]), rate: 0.3 }),
  ),
  integer,
  { inputs: [], environment: { key: ["7", "11"] }, seeds: { 0: ones(40) } },
);
const counted = recorded(
  graph(({ iota }) => iota({ shape: [3], axis: 0 })),
  integer,
  { inputs: [], seeds: { 0: ones(3) } },
);

/** Traces of wrong operators, and the claim that is refused. */
const wrong: readonly (readonly [what: string, trace: TraceJson, claim: string])[] = [
  ["a slice that takes every step for 1", everyStepTakenForOne(), "value_1"],
  ["a scatter that adds an update twice", withValue(scattered, () => ["1", "2", "43"]), "value_2"],
  ["a scatter that keeps the last update alone", withValue(scattered, () => ["1", "2", "23"]), "value_2"],
  [
    "a mask with another word",
    withValue(masked, (data) => data.with(17, data[17] === "1" ? "0" : "1")),
    "value_0",
  ],
  ["an iota that counts from 1", withValue(counted, () => ["1", "2", "3"]), "value_0"],
];

const held: { verdicts: ReadonlyMap<string, LeanVerdict> } = { verdicts: new Map() };

beforeAll(async () => {
  const files = [
    ...drawn.map(([name, trace]) => ({ name, text: exported(trace) })),
    ...wrong.map(([name, trace]) => ({ name, text: exported(trace) })),
    { name: "a mask", text: exported(masked) },
    {
      name: "a mask of a key that is no word",
      text: exported(masked).replace("[40] 7 11", `[40] ${2 ** 32} 11`),
    },
    {
      name: "a mask with the rate 0/0",
      text: exported(masked).replace(/\[40\] 7 11 \d+ \d+/, "[40] 7 11 0 0"),
    },
    { name: "a scatter", text: exported(scattered) },
    { name: "an index beyond its axis", text: exported(scattered).replace("[2, 1] [2, 2]", "[2, 1] [2, 3]") },
    { name: "an index too few", text: exported(scattered).replace("[2, 1] [2, 2]", "[2, 1] [2]") },
  ];
  const verdicts = await checkBatch(files);
  held.verdicts = new Map(files.map(({ name }, k) => [name, present(verdicts[k], "a verdict")]));
}, 600_000);

const verdictOn = (name: string): LeanVerdict => present(held.verdicts.get(name), name);

describe("Lean's own index maps and random words", () => {
  test.each(drawn.map(([name]) => name))("are those of the reference, for drawn %s", (name) => {
    expect(verdictOn(name)).toMatchObject({ kind: "accepted" });
  });

  test.each(wrong.map(([what, , claim]) => [what, claim] as const))("refuse %s", (what, claim) => {
    expect(verdictOn(what)).toMatchObject({ kind: "rejected", claim });
  });

  test.each(["a mask of a key that is no word", "a mask with the rate 0/0"])("refuse %s", (name) => {
    expect(verdictOn("a mask")).toMatchObject({ kind: "accepted" });
    expect(verdictOn(name)).toMatchObject({ kind: "rejected", claim: "shape_0" });
  });

  test.each(["an index beyond its axis", "an index too few"])("refuse %s", (name) => {
    expect(verdictOn("a scatter")).toMatchObject({ kind: "accepted" });
    expect(verdictOn(name)).toMatchObject({ kind: "rejected", claim: "shape_2" });
  });
});
