import { describe, expect, test } from "vitest";
import { at, sizeOf } from "../../../spec/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { answerOf, difference, meaningOf, plainLayout, specimen } from "../javascript/specimens.test.kit.ts";
import type { Layout, Numbers, Precision } from "../plan/executable.ts";
import {
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
  scalarFunctions,
} from "../plan/expression.ts";
import type { Body, Instruction, LoopProgram } from "../plan/program.ts";
import type { Regime } from "../plan/rewrite.ts";
import { walk } from "../plan/walk.test.kit.ts";
import { wasmBackend } from "./backend.ts";
import type { Fault } from "./build.ts";
import type { Packed, Scheduled } from "./pack.ts";
import { choiceOf, drawnSources, type Kinds, sampleOf } from "./random.test.kit.ts";

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  -0.3,
  1.7,
  2.5,
  -3.25,
  1e-3,
  7.1,
  -0.9,
  0.5,
  1e10,
  1e-310,
  5e-324,
  1e-40,
  3e38,
  Infinity,
  -Infinity,
  Number.NaN,
  2,
  3,
  0.7,
  0.2,
  -1.3,
  0.33,
];
const TAME = NUMBERS.filter((x) => Math.abs(x) < 10);
const INTEGERS = [-2, -1, 0, 1, 2, 1, 3];

const everyFunction: Kinds = {
  // A fused product and sum is rounded once, not twice.
  functions: namesOf().filter((name) => name !== "multiply_add"),
  literals: [0, -0, 1, 0.1, -2.5, Infinity, Number.NaN],
  instructions: 3,
};
const arithmetic: Kinds = {
  functions: ["add", "subtract", "multiply", "negative", "less", "equal", "select", "floor", "multiply_add"],
  literals: [0, 1, -2, 3],
  instructions: 1,
};
const products: Kinds = { functions: ["multiply", "add"], literals: [1, 0.1], instructions: 2 };

const precisions: readonly Precision[] = ["float64", "float32"];

const seeds = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

test.each(precisions)("in %s a bit-exact module gives the bits that the walk gives", (precision) => {
  for (const seed of sampled(`bits ${precision}`, seeds(250), 60)) {
    expect(differences(seed, everyFunction, precision, "bit_exact", NUMBERS), `seed ${seed}`).toEqual([]);
    expect(differences(seed, products, precision, "bit_exact", TAME), `seed ${seed}`).toEqual([]);
  }
});

test.each(
  precisions,
)("in %s a fast module gives what the walk gives where rounding plays no part", (precision) => {
  for (const seed of sampled(`integers ${precision}`, seeds(500), 120)) {
    expect(differences(seed, arithmetic, precision, "fast", INTEGERS), `seed ${seed}`).toEqual([]);
  }
});

const faults: Readonly<Record<string, Fault>> = {
  "the last element of the last axis is left out": {
    nest: (nest) => ({
      ...nest,
      extents: nest.extents.map((extent, axis) =>
        axis === nest.extents.length - 1 && extent > 8 ? extent - 1 : extent,
      ),
    }),
  },
  "a remainder of one element is not stored": {
    lanes: (lanes) => ({
      ...lanes,
      store: (active, offset, pointer, vector) =>
        lanes.store(active === 1 ? lanes.count : active, offset, pointer, vector),
    }),
  },
  "running values in other lanes than the first are lost": {
    lanes: (lanes) => ({ ...lanes, first: (vector) => lanes.first(vector, 0) }),
  },
  "lanes apart are read side by side": {
    lanes: (lanes) => ({
      ...lanes,
      loadLane: (lane, offset, pointer, _) => lanes.load(1, offset + lane, pointer),
    }),
  },
  "loops run in the reverse order": {
    schedule: (schedule) => ({ ...schedule, order: schedule.order.toReversed() }),
  },
};

test.each(Object.entries(faults))("it would be noticed if %s", (_, fault) => {
  const noticed = precisions.map((precision) =>
    Array.from({ length: 60 }, (_, seed) => seed).some((seed) => {
      const both: readonly [Kinds, Regime, readonly number[]][] = [
        [products, "bit_exact", TAME],
        [arithmetic, "fast", INTEGERS],
      ];
      return both.some(([kinds, regime, numbers]) => isWrong(seed, kinds, precision, regime, numbers, fault));
    }),
  );
  expect(noticed).toEqual([true, true]);
});

test.each(precisions)("in %s the planner's specimens get, bit for bit, what they mean", (precision) => {
  for (const seed of sampled(`specimens ${precision}`, seeds(400), 100)) {
    const subject = specimen(seed);
    const { program } = subject;
    // Machines round a product and a sum as they like, which the fast regime alone allows.
    if (JSON.stringify(program).includes("multiply_add")) continue;
    const order = { program, layout: plainLayout(program), precision, regime: "bit_exact" } as const;
    const answer = answerOf(subject, wasmBackend().build(order), precision);
    expect(difference(answer, meaningOf(subject, precision)), `seed ${seed}`).toBeUndefined();
  }
});

/** Products so large that an operand is packed: plain, with yᵀ, with xᵀ; no block divides them. */
const largeProducts: Readonly<Record<string, LoopProgram>> = {
  "x y": product([133, 257, 35], [257, 0, 1], [0, 1, 35]),
  "x yᵀ": product([133, 17, 141], [17, 0, 1], [0, 17, 1]),
  "xᵀ y": product([133, 257, 35], [1, 0, 133], [0, 1, 35]),
};

describe.each(Object.entries(largeProducts))("a large product %s", (_, program) => {
  const drawn = (precision: Precision, numbers: readonly number[]): readonly Numbers[] =>
    drawnSources(choiceOf(7), program, precision, numbers);
  const walks = new Map<Precision, readonly Numbers[]>();
  /** Lists faults where the numbers round; the walk, which takes a second, is done once. */
  const differencesOfTame = (precision: Precision, fault: Fault = {}): readonly (readonly number[])[] => {
    const sources = drawn(precision, TAME);
    const right = walks.get(precision) ?? walked(program, sources, [], precision);
    walks.set(precision, right);
    return differencesFrom(right, program, sources, [], precision, "bit_exact", fault);
  };

  test.each(precisions)("has in %s the bits that the walk gives", (precision) => {
    expect(differencesOfTame(precision)).toEqual([]);
  });

  test.each(precisions)("is right in %s in the fast regime", (precision) => {
    const sources = drawn(precision, INTEGERS);
    expect(differencesAt(program, sources, [], precision, "fast")).toEqual([]);
  });

  test("would be wrong if what the blocks leave over were left out, or the copy were of something else", () => {
    let count = 0;
    const packed = (found: Packed): Packed => {
      count += 1;
      return { ...found, rest: undefined };
    };
    const moved = (found: Packed): Packed => ({
      ...found,
      copy: { ...found.copy, reads: found.copy.reads.map((place) => ({ ...place, base: 0 })) },
    });
    const wrong = (fault: Fault): boolean => differencesOfTame("float64", fault).length > 0;
    expect([wrong({ packed }), wrong({ packed: moved })]).toEqual([true, true]);
    expect(count).toBeGreaterThan(0);
  });
});

test.each(
  precisions,
)("in %s own functions have the same bits in long loops and in short ones", (precision) => {
  const names = ["exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "erf"] as const;
  const mapped = (size: number): LoopProgram => ({
    sources: [{ origin: { kind: "input", position: 0 }, shape: [size] }],
    indexSources: [],
    instructions: names.map((name) => ({
      kind: "map",
      shape: [size],
      reads: [{ value: 0, offset: 0, strides: [1], indirections: [] }],
      expression: apply(name, read(0)),
    })),
    results: names.map((_, position) => 1 + position),
  });
  const run = (numbers: readonly number[]): readonly Numbers[] => {
    const program = mapped(numbers.length);
    const made = wasmBackend().build({ program, layout: apart(program), precision, regime: "fast" });
    made.inputs[0]?.set(numbers);
    made.run(made.inputs, []);
    return made.results;
  };
  const short = run(NUMBERS);
  const long = run(Array.from({ length: 4099 }, (_, position) => at(NUMBERS, position % NUMBERS.length)));
  for (const [result, numbers] of long.entries()) {
    const wrong = [...numbers].filter(
      (x, position) => !Object.is(x, short[result]?.[position % NUMBERS.length]),
    );
    expect(wrong, names[result]).toEqual([]);
  }
  expect(short[0]?.[2]).toBeCloseTo(Math.E, 5);
});

test("a routine reads its operands and writes its result in the module's memory", () => {
  const program: LoopProgram = {
    sources: [{ origin: { kind: "input", position: 0 }, shape: [2, 2] }],
    indexSources: [],
    instructions: [
      { kind: "routine", shape: [], routine: { kind: "determinant", n: 2 }, operands: [0] },
      {
        kind: "map",
        shape: [],
        reads: [{ value: 1, offset: 0, strides: [], indirections: [] }],
        expression: apply("negative", read(0)),
      },
    ],
    results: [2],
  };
  const made = wasmBackend().build({
    program,
    layout: apart(program),
    precision: "float64",
    regime: "fast",
  });
  made.run([Float64Array.of(1, 2, 3, 4)], []);
  expect(made.results.map((numbers) => [...numbers])).toEqual([[2]]);
});

describe("nests that differ in their places alone are one function", () => {
  /** Lists differences of a program that occurs twice, each time with its own sources. */
  const twice = (seed: number, precision: Precision, fault: Fault = {}): readonly (readonly number[])[] => {
    const choice = choiceOf(seed);
    const { program, indices } = sampleOf(choice, everyFunction);
    const both = doubled(program);
    return differencesAt(
      both,
      drawnSources(choice, both, precision, NUMBERS),
      indices,
      precision,
      "bit_exact",
      fault,
    );
  };

  test.each(precisions)("and compute in %s what each is to compute", (precision) => {
    for (const seed of sampled(`twice ${precision}`, seeds(250), 60))
      expect(twice(seed, precision), `seed ${seed}`).toEqual([]);
  });

  test("and would not if strides, literals or functions were no difference", () => {
    const one = (strides: readonly number[], expression: Expression): Instruction => ({
      kind: "map",
      shape: [4, 5],
      reads: [{ value: 0, offset: 0, strides, indirections: [] }],
      expression,
    });
    const instructions = [
      one([5, 1], apply("add", read(0), literal(1))),
      one([1, 4], apply("add", read(0), literal(1))),
      one([5, 1], apply("add", read(0), literal(2))),
      one([5, 1], apply("multiply", read(0), literal(1))),
      one([1, 1], apply("add", read(0), literal(1))),
    ];
    const seenAs = (pair: readonly number[], seen: NonNullable<Fault["seen"]> | undefined): number => {
      const program: LoopProgram = {
        sources: [{ origin: { kind: "input", position: 0 }, shape: [20] }],
        indexSources: [],
        instructions: pair.flatMap((position) => at(instructions, position)),
        results: [1, 2],
      };
      const sources = [Float64Array.from({ length: 20 }, (_, position) => position)];
      const fault = seen === undefined ? {} : { seen };
      return differencesAt(program, sources, [], "float64", "bit_exact", fault).length;
    };
    const blindTo = {
      strides: ({ nest }: Scheduled): Scheduled => ({
        nest: { ...nest, reads: nest.reads.map((place) => ({ ...place, strides: [8, 8] })) },
        schedule: { order: [], vector: undefined, copies: [], isOrdered: false },
      }),
      expressions: ({ nest, schedule }: Scheduled): Scheduled => ({
        nest: { ...nest, expression: read(0) },
        schedule,
      }),
    };
    const pairs: readonly (readonly [readonly number[], NonNullable<Fault["seen"]>])[] = [
      [[1, 4], blindTo.strides],
      [[0, 2], blindTo.expressions],
      [[0, 3], blindTo.expressions],
    ];
    expect(pairs.map(([pair]) => seenAs(pair, undefined))).toEqual([0, 0, 0]);
    for (const [pair, seen] of pairs) expect(seenAs(pair, seen)).toBeGreaterThan(0);
  });
});

test("folds with several running values are no bit-exact folds", () => {
  const fault = { schedule: (schedule) => ({ ...schedule, isOrdered: false }) } satisfies Fault;
  const noticed = Array.from({ length: 60 }, (_, seed) => seed).some((seed) =>
    isWrong(seed, products, "float64", "bit_exact", TAME, fault),
  );
  expect(noticed).toBe(true);
});

test("a source that is written in place is read from there, and one that is handed in is copied", () => {
  const program: LoopProgram = {
    sources: [{ origin: { kind: "input", position: 0 }, shape: [5] }],
    indexSources: [],
    instructions: [
      {
        kind: "map",
        shape: [5],
        reads: [{ value: 0, offset: 0, strides: [1], indirections: [] }],
        expression: { kind: "apply", function: "negative", operands: [{ kind: "read", read: 0 }] },
      },
    ],
    results: [1],
  };
  const made = wasmBackend().build({
    program,
    layout: apart(program),
    precision: "float64",
    regime: "fast",
  });
  const input = at(made.inputs, 0);
  const result = at(made.results, 0);
  input.set([1, 2, 3, 4, 5]);
  made.run(made.inputs, []);
  expect([...result]).toEqual([-1, -2, -3, -4, -5]);
  made.run([Float64Array.of(5, 4, 3, 2, 1)], []);
  expect([...result]).toEqual([-5, -4, -3, -2, -1]);
  expect([...input]).toEqual([5, 4, 3, 2, 1]);
});

function isWrong(
  ...[seed, kinds, precision, regime, numbers, fault]: Parameters<typeof differences>
): boolean {
  try {
    return differences(seed, kinds, precision, regime, numbers, fault).length > 0;
  } catch {
    return true;
  }
}

/** Lists where a module differs from the walk: value, position, what is right and what came. */
function differences(
  seed: number,
  kinds: Kinds,
  precision: Precision,
  regime: Regime,
  numbers: readonly number[],
  fault: Fault = {},
): readonly (readonly number[])[] {
  const choice = choiceOf(seed);
  const { program, indices } = sampleOf(choice, kinds);
  const sources = drawnSources(choice, program, precision, numbers);
  return differencesAt(program, sources, indices, precision, regime, fault);
}

function differencesAt(
  program: LoopProgram,
  sources: readonly Numbers[],
  indices: readonly Uint32Array[],
  precision: Precision,
  regime: Regime,
  fault: Fault = {},
): readonly (readonly number[])[] {
  const right = walked(program, sources, indices, precision);
  return differencesFrom(right, program, sources, indices, precision, regime, fault);
}

/** Returns the right values of a program's instructions. */
function walked(
  program: LoopProgram,
  sources: readonly Numbers[],
  indices: readonly Uint32Array[],
  precision: Precision,
): readonly Numbers[] {
  return walk(program, precision, sources, indices).slice(program.sources.length);
}

function differencesFrom(
  right: readonly Numbers[],
  program: LoopProgram,
  sources: readonly Numbers[],
  indices: readonly Uint32Array[],
  precision: Precision,
  regime: Regime,
  fault: Fault = {},
): readonly (readonly number[])[] {
  const made = wasmBackend(fault).build({ program, layout: apart(program), precision, regime });
  made.run(sources, indices);
  // The two zeros differ only in IEEE arithmetic.
  const canonical = (x: number): number => (regime === "fast" && x === 0 ? 0 : x);
  return right.flatMap((wanted, value) => {
    const got: Numbers = at(made.results, value);
    return [...wanted].flatMap((x, position) => {
      const y = got[position] ?? Number.NaN;
      return Object.is(canonical(x), canonical(y)) ? [] : [[value, position, x, y]];
    });
  });
}

/** Repeats a program on sources of its own. */
function doubled(program: LoopProgram): LoopProgram {
  const { sources, instructions } = program;
  const moved = (value: number, copy: number): number =>
    value < sources.length
      ? copy * sources.length + value
      : 2 * sources.length + copy * instructions.length + value - sources.length;
  const body = <B extends Body>(found: B, copy: number): B => ({
    ...found,
    reads: found.reads.map((one) => ({ ...one, value: moved(one.value, copy) })),
  });
  const again = (instruction: Instruction, copy: number): Instruction => {
    switch (instruction.kind) {
      case "map":
      case "fold":
      case "scan":
        return body(instruction, copy);
      case "scatter": {
        const { base } = instruction;
        return { ...body(instruction, copy), base: base === undefined ? undefined : moved(base, copy) };
      }
      case "assemble":
        return { ...instruction, pieces: instruction.pieces.map((piece) => body(piece, copy)) };
      case "routine":
        return { ...instruction, operands: instruction.operands.map((value) => moved(value, copy)) };
    }
  };
  const all = [0, 1].flatMap((copy) => instructions.map((instruction) => again(instruction, copy)));
  return {
    ...program,
    sources: [...sources, ...sources],
    instructions: all,
    results: all.map((_, position) => 2 * sources.length + position),
  };
}

/** Makes `Σₖ x y` of rows × columns over `inner`, with these strides along rows, columns and the sum. */
function product(
  [rows, inner, columns]: readonly [number, number, number],
  left: readonly number[],
  right: readonly number[],
): LoopProgram {
  return {
    sources: [rows, columns].map((size, position) => ({
      origin: { kind: "input", position },
      shape: [size * inner],
    })),
    indexSources: [],
    instructions: [
      {
        kind: "fold",
        operation: "add",
        shape: [rows, columns],
        over: [inner],
        reads: [left, right].map((strides, value) => ({ value, offset: 0, strides, indirections: [] })),
        expression: apply("multiply", read(0), read(1)),
      },
    ],
    results: [2],
  };
}

/** Places every value apart. */
function apart(program: LoopProgram): Layout {
  let length = 0;
  const places = program.instructions.map(({ shape }) => {
    const place = length;
    length += sizeOf(shape);
    return place;
  });
  return { places, length };
}

function namesOf(): ScalarFunction[] {
  const isName = (name: string): name is ScalarFunction => name in scalarFunctions;
  return Object.keys(scalarFunctions).filter(isName);
}
