import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { at, type Shape, sizeOf, stridesOf } from "../../../spec/index.ts";
import type { Numbers, Precision } from "../plan/executable.ts";
import {
  apply,
  type Expression,
  literal,
  read,
  type ScalarFunction,
  scalarFunctions,
} from "../plan/expression.ts";
import type { Access, Body, Instruction, LoopProgram } from "../plan/program.ts";

/** Makes seeded choices. */
export interface Choice {
  /** Returns an integer from 0 to n − 1. */
  below(n: number): number;
  of<T>(list: readonly T[]): T;
}

/** Makes choices from a seed. */
export function choiceOf(seed: number): Choice {
  const generator = xoroshiro128plus(seed);
  const below = (n: number): number => uniformInt(generator, 0, n - 1);
  return {
    below,
    of: (list) => {
      const chosen = list[below(list.length)];
      if (chosen === undefined) throw new RangeError("nothing to choose from");
      return chosen;
    },
  };
}

/** A program with its indices. */
export interface Sample {
  readonly program: LoopProgram;
  readonly indices: readonly Uint32Array[];
}

/** Random programs are made of these. */
export interface Kinds {
  readonly functions: readonly ScalarFunction[];
  readonly literals: readonly number[];
  readonly instructions: number;
}

const EXTENTS = [1, 2, 3, 4, 5, 17, 33, 2, 3, 8];
/** Indices are below this. */
const RANGE = 3;

/** Makes a random program of every instruction but routines, any strides, lookups, and a few extents of 0. */
export function sampleOf(choice: Choice, kinds: Kinds): Sample {
  const shape = (rank: number): Shape =>
    Array.from({ length: rank }, () => (choice.below(25) === 0 ? 0 : choice.of(EXTENTS)));
  const bounded = (rank: number, limit: number): Shape => {
    const drawn = shape(rank);
    return sizeOf(drawn) <= limit ? drawn : bounded(rank, limit);
  };
  const indexSize = 1 + choice.below(40);
  const indices = [Uint32Array.from({ length: indexSize }, () => choice.below(RANGE))];
  const sources = Array.from({ length: 3 }, (_, position) => ({
    origin: { kind: "input", position } as const,
    shape: bounded(choice.below(4), 1200),
  }));
  const sizes = sources.map((source) => sizeOf(source.shape));
  const access = (extents: Shape, size: number): Access | undefined => {
    if (size === 0 && sizeOf(extents) > 0) return undefined;
    if (sizeOf(extents) === 0) return { offset: 0, strides: extents.map(() => 0), indirections: [] };
    for (let attempt = 0; attempt < 8; attempt++) {
      const found = fitting(attempt, extents, size);
      if (found !== undefined) return found;
    }
    return { offset: choice.below(size), strides: extents.map(() => 0), indirections: [] };
  };
  const fitting = (attempt: number, extents: Shape, size: number): Access | undefined => {
    const dense = stridesOf(extents);
    const order = extents.map((_, axis) => axis).toSorted(() => choice.below(2) - 0.5);
    const permuted = extents.map(() => 0);
    let step = 1;
    for (const axis of order) {
      permuted[axis] = step;
      step *= at(extents, axis);
    }
    const kind = attempt === 0 ? choice.below(3) : choice.below(5);
    const strides =
      kind === 0
        ? dense
        : kind === 1
          ? permuted
          : kind === 2
            ? dense.map((stride) => (choice.below(2) === 0 ? 0 : stride))
            : kind === 3
              ? permuted.map((stride) => (choice.below(3) === 0 ? 0 : stride))
              : extents.map(() => choice.below(7) - 2);
    const lookup = choice.below(4) === 0;
    const moved = lookup ? [1 + choice.below(4)] : [];
    const indirections = moved.map((scale) => ({
      index: 0,
      offset: 0,
      strides: withinSize(extents, indexSize),
      scale,
    }));
    const reach = moved.reduce((sum, scale) => sum + scale * (RANGE - 1), 0);
    const ends = strides.map((stride, axis) => stride * (at(extents, axis) - 1));
    const low = ends.reduce((sum, end) => sum + Math.min(0, end), 0);
    const high = ends.reduce((sum, end) => sum + Math.max(0, end), 0);
    const free = size - 1 - (high - low) - reach;
    return free < 0 ? undefined : { offset: choice.below(free + 1) - low, strides, indirections };
  };
  const withinSize = (extents: Shape, size: number): readonly number[] => {
    const strides = extents.map(() => choice.below(3));
    const high = strides.reduce((sum, stride, axis) => sum + stride * (at(extents, axis) - 1), 0);
    return high < size ? strides : extents.map(() => 0);
  };
  const body = (extents: Shape): Body => {
    const reads = Array.from({ length: 1 + choice.below(3) }, () => {
      const value = choice.below(sizes.length);
      const found = access(extents, at(sizes, value));
      return found === undefined ? [] : [{ value, ...found }];
    }).flat();
    const shared: Expression[] = [];
    const leaf = (): Expression =>
      reads.length > 0 && choice.below(4) > 0
        ? read(choice.below(reads.length))
        : literal(choice.of(kinds.literals));
    const grown = (depth: number): Expression => {
      if (depth === 0 || choice.below(5) === 0) return leaf();
      if (shared.length > 0 && choice.below(5) === 0) return choice.of(shared);
      const name = choice.of(kinds.functions);
      const made = apply(name, ...Array.from({ length: scalarFunctions[name] }, () => grown(depth - 1)));
      shared.push(made);
      return made;
    };
    return { reads, expression: grown(choice.below(3)) };
  };
  const drawn = (): Instruction => {
    switch (choice.below(7)) {
      case 0:
      case 1: {
        const extents = bounded(choice.below(4), 1200);
        return { kind: "map", shape: extents, ...body(extents) };
      }
      case 2:
      case 3:
      case 4: {
        const out = bounded(choice.below(3), 300);
        const over = bounded(choice.below(3), 60);
        const operation = choice.below(4) === 0 ? "maximum" : "add";
        return { kind: "fold", operation, shape: out, over, ...body([...out, ...over]) };
      }
      case 5: {
        const out = bounded(1 + choice.below(3), 600);
        const axis = choice.below(out.length);
        return { kind: "scan", shape: out, axis, direction: choice.below(2) === 0 ? 1 : -1, ...body(out) };
      }
      default:
        return choice.below(2) === 0 ? scattered() : assembled();
    }
  };
  const scattered = (): Instruction => {
    const over = bounded(1 + choice.below(3), 300);
    const out = bounded(choice.below(3), 600);
    const place = access(over, sizeOf(out));
    if (place === undefined) return scattered();
    const alike = sizes.flatMap((size, value) => (size === sizeOf(out) ? [value] : []));
    const base = alike.length > 0 && choice.below(2) === 0 ? choice.of(alike) : undefined;
    return { kind: "scatter", shape: out, base, over, place, ...body(over) };
  };
  /** Assembles two pieces side by side, perhaps with a gap, and a transposed one. */
  const assembled = (): Instruction => {
    const [rows, columns] = [1 + choice.below(9), 1 + choice.below(9)];
    const gap = choice.below(2);
    const strides = [2 * columns + gap, 1];
    const shapes = [rows, columns];
    const turned = choice.below(2) === 0;
    const first = turned ? shapes.toReversed() : shapes;
    const place = { offset: 0, strides: turned ? strides.toReversed() : strides, indirections: [] };
    return {
      kind: "assemble",
      shape: [rows, 2 * columns + gap],
      isCovered: gap === 0,
      pieces: [
        { shape: first, place, ...body(first) },
        { shape: shapes, place: { offset: columns + gap, strides, indirections: [] }, ...body(shapes) },
      ],
    };
  };
  const instructions: Instruction[] = [];
  for (let n = 0; n < kinds.instructions; n++) {
    const made = drawn();
    instructions.push(made);
    sizes.push(sizeOf(made.shape));
  }
  return {
    program: {
      sources,
      indexSources: [{ name: "at", size: indexSize }],
      instructions,
      results: instructions.map((_, position) => sources.length + position),
    },
    indices,
  };
}

/** Draws the sources of a program from a list of numbers. */
export function drawnSources(
  choice: Choice,
  program: LoopProgram,
  precision: Precision,
  numbers: readonly number[],
): readonly Numbers[] {
  return program.sources.map(({ shape }) => {
    const drawn = Array.from({ length: sizeOf(shape) }, () => choice.of(numbers));
    return precision === "float32" ? Float32Array.from(drawn) : Float64Array.from(drawn);
  });
}
