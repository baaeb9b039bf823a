import { describe, expect, test } from "vitest";
import { sizeOf } from "../../../../spec/index.ts";
import { apply, read } from "../expression.ts";
import type { LoopProgram, MapInstruction } from "../program.ts";
import { specimen } from "../programs.test.kit.ts";
import { type LaidOut, type LayoutOptions, layOut } from "./layout.ts";
import { overlapsOf } from "./overlaps.test.kit.ts";

type LayOut = (program: LoopProgram, options: LayoutOptions) => LaidOut;

const allOptions: readonly LayoutOptions[] = [true, false].flatMap((reusesBuffers) =>
  [true, false].flatMap((isInPlace) => [2, 4].map((alignment) => ({ reusesBuffers, isInPlace, alignment }))),
);
const all: LayoutOptions = { reusesBuffers: true, isInPlace: true, alignment: 2 };

/** Lists the faults of the layouts of random programs. */
function faultsOf(layout: LayOut): readonly string[] {
  const faults: string[] = [];
  for (let seed = 0; seed < 100; seed++)
    for (const instructions of [5, 30]) {
      const { program } = specimen(seed, { integers: false, instructions });
      for (const options of allOptions) {
        const found = overlapsOf(program, layout(program, options).layout, options.alignment);
        if (found[0] !== undefined) faults.push(`seed ${seed}, ${instructions} instructions: ${found[0]}`);
      }
    }
  return faults;
}

describe("a layout", () => {
  test("lets no two values share a place while both are needed", () => {
    expect(faultsOf(layOut)).toEqual([]);
  });

  test.each<readonly [string, LayOut]>([
    ["frees what a routine reads", (program, options) => layOut(blind(program, "routine"), options)],
    ["frees what a scatter starts from", (program, options) => layOut(withoutBases(program), options)],
    ["frees results", (program, options) => layOut({ ...program, results: [] }, options)],
    ["writes over what is read elsewhere", (program, options) => layOut(straight(program), options)],
    ["forgets the alignment", (program, options) => layOut(program, { ...options, alignment: 1 })],
    ["is one element short", (program, options) => shortened(layOut(program, options))],
  ])("that %s is found out", (_, mutant) => {
    expect(faultsOf(mutant)).not.toEqual([]);
  });

  test("of a chain of maps takes one place; without the rewrites two, or as many as there are maps", () => {
    const program = chain(10);
    const lengthWith = (options: Partial<LayoutOptions>): number =>
      layOut(program, { ...all, ...options }).layout.length;
    expect(lengthWith({})).toBe(4);
    expect(lengthWith({ isInPlace: false })).toBe(8);
    expect(lengthWith({ isInPlace: false, reusesBuffers: false })).toBe(40);
    expect(layOut(program, all).fired).toEqual({ buffer_reuse: 0, in_place: 9 });
    expect(layOut(program, { ...all, isInPlace: false }).fired).toEqual({ buffer_reuse: 8, in_place: 0 });
  });

  test("gives what has no element the place 0, and no other's", () => {
    const before = chain(4);
    const whole = { value: 3, offset: 0, strides: [1], indirections: [] };
    const none = (value: number): MapInstruction => ({
      kind: "map",
      shape: [0],
      reads: [{ ...whole, value }],
      expression: read(0),
    });
    const instructions = [...before.instructions, none(3), none(5)];
    const program = { ...before, instructions, results: [4, 5, 6] };
    const { layout, fired } = layOut(program, { ...all, isInPlace: false });
    expect(layout).toEqual({ places: [0, 4, 0, 4, 0, 0], length: 8 });
    expect(fired).toEqual({ buffer_reuse: 2, in_place: 0 });
    expect(layOut({ ...program, results: [4, 6] }, all).fired).toEqual({ buffer_reuse: 0, in_place: 2 });
  });

  test("never takes more than a place for each value", () => {
    for (let seed = 0; seed < 100; seed++) {
      const { program } = specimen(seed, { integers: false, instructions: 30 });
      const apart = program.instructions.reduce(
        (sum, { shape }) => sum + 2 * Math.ceil(sizeOf(shape) / 2),
        0,
      );
      expect(layOut(program, all).layout.length).toBeLessThanOrEqual(apart);
      expect(layOut(program, { ...all, reusesBuffers: false, isInPlace: false }).layout.length).toBe(apart);
    }
  });
});

/** Makes a chain of maps of three elements. */
function chain(length: number): LoopProgram {
  const instructions = Array.from(
    { length },
    (_, value): MapInstruction => ({
      kind: "map",
      shape: [3],
      reads: [{ value, offset: 0, strides: [1], indirections: [] }],
      expression: apply("exp", read(0)),
    }),
  );
  return {
    sources: [{ origin: { kind: "input", position: 0 }, shape: [3] }],
    indexSources: [],
    instructions,
    results: [length],
  };
}

function blind(program: LoopProgram, kind: "routine"): LoopProgram {
  const instructions = program.instructions.map((one) =>
    one.kind === kind ? { ...one, operands: [] } : one,
  );
  return { ...program, instructions };
}

function withoutBases(program: LoopProgram): LoopProgram {
  const instructions = program.instructions.map((one) =>
    one.kind === "scatter" ? { ...one, base: undefined } : one,
  );
  return { ...program, instructions };
}

/** Turns every read of a map into a forward one from the first element. */
function straight(program: LoopProgram): LoopProgram {
  const instructions = program.instructions.map((one) => {
    if (one.kind !== "map") return one;
    const strides = one.shape.map((_, axis) => sizeOf(one.shape.slice(axis + 1)));
    return { ...one, reads: one.reads.map((each) => ({ ...each, offset: 0, strides, indirections: [] })) };
  });
  return { ...program, instructions };
}

function shortened(laidOut: LaidOut): LaidOut {
  return { ...laidOut, layout: { ...laidOut.layout, length: Math.max(0, laidOut.layout.length - 4) } };
}
