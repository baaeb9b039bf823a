import { expect, test } from "vitest";
import { sizeOf } from "../../spec/core.ts";
import type { Layout, Numbers, Precision } from "../plan/executable.ts";
import { type ScalarFunction, scalarFunctions } from "../plan/expression.ts";
import type { LoopProgram } from "../plan/program.ts";
import type { Profile } from "../plan/rewrite.ts";
import { walk } from "../plan/walk.test.kit.ts";
import { wasmBackend } from "./backend.ts";
import type { Fault } from "./build.ts";
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
  // One rounding is not two.
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

test.each(precisions)("in %s a bit-exact module gives the bits that the walk gives", (precision) => {
  for (let seed = 1; seed <= 250; seed++) {
    expect(differences(seed, everyFunction, precision, "bit_exact", NUMBERS), `seed ${seed}`).toEqual([]);
    expect(differences(seed, products, precision, "bit_exact", TAME), `seed ${seed}`).toEqual([]);
  }
});

test.each(
  precisions,
)("in %s a fast module gives what the walk gives where rounding plays no part", (precision) => {
  for (let seed = 1; seed <= 500; seed++) {
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
      const both: readonly [Kinds, Profile, readonly number[]][] = [
        [products, "bit_exact", TAME],
        [arithmetic, "fast", INTEGERS],
      ];
      return both.some(([kinds, profile, numbers]) =>
        isWrong(seed, kinds, precision, profile, numbers, fault),
      );
    }),
  );
  expect(noticed).toEqual([true, true]);
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
    profile: "fast",
  });
  const [input] = made.inputs;
  const [result] = made.results;
  input?.set([1, 2, 3, 4, 5]);
  made.run(made.inputs, []);
  expect([...(result ?? [])]).toEqual([-1, -2, -3, -4, -5]);
  made.run([Float64Array.of(5, 4, 3, 2, 1)], []);
  expect([...(result ?? [])]).toEqual([-5, -4, -3, -2, -1]);
  expect([...(input ?? [])]).toEqual([5, 4, 3, 2, 1]);
});

function isWrong(
  ...[seed, kinds, precision, profile, numbers, fault]: Parameters<typeof differences>
): boolean {
  try {
    return differences(seed, kinds, precision, profile, numbers, fault).length > 0;
  } catch {
    return true;
  }
}

/** The elements in which a module differs from the walk: value, position, what is right and what came. */
function differences(
  seed: number,
  kinds: Kinds,
  precision: Precision,
  profile: Profile,
  numbers: readonly number[],
  fault: Fault = {},
): readonly (readonly number[])[] {
  const choice = choiceOf(seed);
  const { program, indices } = sampleOf(choice, kinds);
  const sources = drawnSources(choice, program, precision, numbers);
  const right = walk(program, precision, sources, indices).slice(program.sources.length);
  const made = wasmBackend(fault).build({ program, layout: apart(program), precision, profile });
  made.run(sources, indices);
  // Only in IEEE arithmetic are the two zeros two.
  const canonical = (x: number): number => (profile === "fast" && x === 0 ? 0 : x);
  return right.flatMap((wanted, value) => {
    const got: Numbers = made.results[value] ?? new Float64Array();
    return [...wanted].flatMap((x, position) => {
      const y = got[position] ?? Number.NaN;
      return Object.is(canonical(x), canonical(y)) ? [] : [[value, position, x, y]];
    });
  });
}

/** Every value at a place of its own. */
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
