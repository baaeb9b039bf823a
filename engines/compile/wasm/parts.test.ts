import { describe, expect, test } from "vitest";
import { at, type Shape, sizeOf } from "../../../spec/index.ts";
import type { Numbers, Order, Precision } from "../plan/executable.ts";
import { apply, type Expression, literal, read } from "../plan/expression.ts";
import type { Instruction, LoopProgram, Read } from "../plan/program.ts";
import type { Regime } from "../plan/rewrite.ts";
import { walk } from "../plan/walk.test.kit.ts";
import { wasmBackend } from "./backend.ts";
import { built, type Fault } from "./build.ts";
import { sliced } from "./nest.ts";
import type { Scheduled } from "./pack.ts";
import { areApart } from "./parts.ts";
import { choiceOf, drawnSources } from "./random.test.kit.ts";

const reading = (value: number, ...strides: readonly number[]): Read => ({
  value,
  offset: 0,
  strides,
  indirections: [],
});

const x = read(0);
const square: Expression = apply("add", apply("multiply", x, x), literal(1));

const fold = (
  operation: "add" | "maximum",
  shape: Shape,
  over: Shape,
  ...strides: readonly number[]
): Instruction => ({
  kind: "fold",
  operation,
  shape,
  over,
  reads: [reading(0, ...strides)],
  expression: square,
});

/** Loops over so much that threads share them; no number of parts divides their extents. */
const instructions: Readonly<Record<string, Instruction>> = {
  "a map of one axis": { kind: "map", shape: [70_001], reads: [reading(0, 1)], expression: square },
  "a map that turns": { kind: "map", shape: [259, 261], reads: [reading(0, 1, 259)], expression: square },
  "sums of rows": fold("add", [263], [257], 257, 1),
  "sums of columns": fold("add", [263], [257], 1, 263),
  "one sum": fold("add", [], [70_003], 1),
  "one maximum": fold("maximum", [], [70_003], 1),
  "three sums of two axes": fold("add", [3], [577, 41], 23_657, 41, 1),
  "a scan of rows": {
    kind: "scan",
    shape: [41, 1709],
    axis: 1,
    direction: -1,
    reads: [reading(0, 1709, 1)],
    expression: square,
  },
  "additions at places that meet": {
    kind: "scatter",
    shape: [7],
    base: undefined,
    over: [10_007, 7],
    place: { offset: 0, strides: [0, 1], indirections: [] },
    reads: [reading(0, 7, 1)],
    expression: square,
  },
};

const settings: readonly (readonly [Precision, Regime])[] = [
  ["float64", "bit_exact"],
  ["float64", "fast"],
  ["float32", "bit_exact"],
  ["float32", "fast"],
];

/** The numbers, whose sums are exact. */
const INTEGERS = [-2, -1, 0, 1, 2, 3];

const programOf = (instruction: Instruction): LoopProgram => ({
  sources: [{ origin: { kind: "input", position: 0 }, shape: [71_000] }],
  indexSources: [],
  instructions: [instruction],
  results: [1],
});

const cut = ({ nest, schedule }: Scheduled, axis: number, count: number): Scheduled => ({
  nest: sliced(nest, axis, 0, count),
  schedule,
});

/** Returns the longest axis of a part. */
const longest = ({ nest }: Scheduled): number => nest.extents.indexOf(Math.max(...nest.extents));

const faults: Readonly<Record<string, (parts: readonly Scheduled[]) => readonly Scheduled[]>> = {
  "the last part is left out": (parts) => parts.slice(0, -1),
  "the last part lacks its last element": (parts) =>
    parts.map((part, n) => {
      const axis = longest(part);
      return n < parts.length - 1 ? part : cut(part, axis, at(part.nest.extents, axis) - 1);
    }),
  "a part ends too soon": (parts) =>
    parts.map((part, n) =>
      n === 1 ? cut(part, longest(part), at(part.nest.extents, longest(part)) - 1) : part,
    ),
  "two parts are one": (parts) => parts.map((part, n) => (n === 2 ? at(parts, 1) : part)),
  "a part begins an element too late": (parts) =>
    parts.map((part, n) => {
      if (n !== 3) return part;
      const reads = part.nest.reads.map((place) => ({
        ...place,
        base: place.base + at(place.strides, longest(part)),
      }));
      return { ...part, nest: { ...part.nest, reads } };
    }),
};

describe.each(Object.entries(instructions))("%s in parts", (name, instruction) => {
  const program = programOf(instruction);
  const layout = { places: [0], length: sizeOf(instruction.shape) };
  const isMaximum = name === "one maximum";
  const sources = (precision: Precision): readonly Numbers[] => {
    const drawn = drawnSources(choiceOf(5), program, precision, INTEGERS);
    // Only the last element tells of a maximum.
    if (isMaximum) at(drawn, 0)[70_002] = 4;
    return drawn;
  };
  const isRight = (precision: Precision, regime: Regime, fault: Fault): boolean => {
    const given = sources(precision);
    const made = wasmBackend(fault).build({ program, layout, precision, regime });
    made.run(given, []);
    const wanted = at(walk(program, precision, given, []), 1);
    return at(made.results, 0).every((number, position) => number === wanted[position]);
  };

  test.each(settings)("gets in %s, %s, what it means", (precision, regime) => {
    expect(isRight(precision, regime, {})).toBe(true);
  });

  test("would be wrong with any fault of the parts, if it has any", () => {
    let count = 0;
    const noticed = Object.entries(faults).map(([, spoiled]) => {
      const parts = (right: readonly Scheduled[]): readonly Scheduled[] => {
        count += 1;
        return spoiled(right);
      };
      return !isRight("float64", "fast", { parts });
    });
    const isAlone = name === "additions at places that meet";
    const ofLast = [true, true, false, false, false];
    expect(noticed).toEqual(isMaximum ? ofLast : Object.keys(faults).map(() => !isAlone));
    expect(count > 0).toBe(!isAlone);
  });
});

test("a long total is joined from parts in the fast regime alone", () => {
  const counted = (regime: Regime): number => {
    let most = 0;
    const parts = (right: readonly Scheduled[]): readonly Scheduled[] => {
      most = right.length;
      return right;
    };
    const program = programOf(at(Object.values(instructions), 4));
    wasmBackend({ parts }).build({
      program,
      layout: { places: [0], length: 1 },
      precision: "float64",
      regime,
    });
    return most;
  };
  expect([counted("fast"), counted("bit_exact")]).toEqual([16, 0]);
});

describe("parts that follow each other", () => {
  const layers = (second: Read, third: readonly number[]): LoopProgram => ({
    sources: [{ origin: { kind: "input", position: 0 }, shape: [320, 256] }],
    indexSources: [],
    instructions: [
      { kind: "map", shape: [320, 256], reads: [reading(0, 256, 1)], expression: square },
      { kind: "fold", operation: "add", shape: [320], over: [256], reads: [second], expression: x },
      {
        kind: "map",
        shape: [320, 256],
        reads: [reading(1, 256, 1), reading(2, ...third)],
        expression: apply("subtract", x, read(1)),
      },
    ],
    results: [1, 2, 3],
  });
  /** Sums of rows, which are subtracted from their row. */
  const rows = layers(reading(1, 256, 1), [1, 0]);
  /** Sums of every 320th number, which are subtracted from rows counted from the last. */
  const others = layers(reading(1, 1, 320), [1, 0]);
  const layout = { places: [0, 81_920, 82_240], length: 164_160 };
  const order = (program: LoopProgram): Order => ({ program, layout, precision: "float64", regime: "fast" });
  const answered = (program: LoopProgram, fault: Fault): readonly boolean[] => {
    const given = drawnSources(choiceOf(5), program, "float64", INTEGERS);
    const made = wasmBackend(fault).build(order(program));
    made.run(given, []);
    const wanted = walk(program, "float64", given, []).slice(1);
    return made.results.map((result, n) => result.every((number, place) => number === wanted[n]?.[place]));
  };

  test("are computed together where they read no other part, and else one after the other", () => {
    expect([rows, others].map((program) => built(order(program), {}, false).stages)).toEqual([
      [16],
      [16, 16, 16],
    ]);
    expect([rows, others].map((program) => answered(program, {}))).toEqual([
      [true, true, true],
      [true, true, true],
    ]);
  });

  test("would be wrong if they did not wait for what they read", () => {
    expect(answered(others, { areApart: () => true })).toEqual([true, false, false]);
  });

  test.each([
    ["another part reads what is written", [[0, 8]], [[8, 16]], [[0, 8]], [], false],
    ["another part writes what is written", [[0, 8]], [[8, 16]], [], [[7, 9]], false],
    ["the same part reads it", [[0, 8]], [[8, 16]], [[8, 16]], [], true],
    ["it only touches its end", [[0, 8]], [[16, 24]], [[8, 16]], [], true],
  ] as const)("are apart or not if %s", (_, first, second, reads, writes, isApart) => {
    const none = { reads: [], writes: [] };
    const before = [
      { reads: [], writes: first },
      { reads: [], writes: second },
    ];
    expect(areApart(before, [none, { reads, writes }])).toBe(isApart);
    const swapped = before.map((touched) => ({ reads: touched.writes, writes: [] }));
    expect(areApart(swapped, [none, { reads: [], writes: reads }])).toBe(isApart || writes.length > 0);
  });
});
