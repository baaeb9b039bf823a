import {
  type Access,
  type Body,
  type Instruction,
  type LoopProgram,
  shapeOfValue,
} from "../../../engines/compile/plan/index.ts";
import { type Shape, sizeOf, stridesOf } from "../../../spec/shapes/index.ts";
import { type Arithmetic, larger, valueIn } from "./arithmetic.ts";

/** A program runs on these; index entries are numbers. */
export interface Arguments<T> {
  readonly sources: readonly (readonly T[])[];
  readonly indices?: readonly (readonly number[])[];
}

/**
 * Evaluates a loop program over any scalars, as program.ts defines it: every element of every result, in
 * order. Throws `RangeError` for a position out of bounds, and for a routine.
 */
export function resultsOver<T>(
  program: LoopProgram,
  arithmetic: Arithmetic<T>,
  { sources, indices = [] }: Arguments<T>,
): readonly T[] {
  const values: (readonly T[])[] = [...sources];
  for (const instruction of program.instructions) {
    values.push(run(instruction, { program, arithmetic, values, indices }));
  }
  return program.results.flatMap((id) => elementsOf(values, id));
}

/** A run has this state. */
interface Setting<T> {
  readonly program: LoopProgram;
  readonly arithmetic: Arithmetic<T>;
  readonly values: readonly (readonly T[])[];
  readonly indices: readonly (readonly number[])[];
}

function elementsOf<T>(values: readonly (readonly T[])[], id: number): readonly T[] {
  const elements = values[id];
  if (elements === undefined) throw new RangeError(`no value ${id}`);
  return elements;
}

function run<T>(instruction: Instruction, setting: Setting<T>): readonly T[] {
  const { arithmetic, values, indices } = setting;
  const add = (x: T, y: T): T => arithmetic.apply("add", [x, y]);
  const zeros = (shape: Shape): T[] => Array.from({ length: sizeOf(shape) }, () => arithmetic.literal(0));
  switch (instruction.kind) {
    case "map":
      return indicesOf(instruction.shape).map((index) => bodyAt(instruction, index, setting));
    case "fold": {
      const { operation, shape, over } = instruction;
      const inner = indicesOf(over);
      const isSum = operation === "add";
      return indicesOf(shape).map((index) =>
        inner
          .map((along) => bodyAt(instruction, [...index, ...along], setting))
          .reduce(
            (total, next) => (isSum ? add(total, next) : larger(arithmetic, total, next)),
            arithmetic.literal(isSum ? 0 : Number.NEGATIVE_INFINITY),
          ),
      );
    }
    case "assemble": {
      const out = zeros(instruction.shape);
      for (const piece of instruction.pieces) {
        for (const index of indicesOf(piece.shape)) {
          const place = positionIn(piece.place, index, indices);
          elementAt(out, place);
          out[place] = bodyAt(piece, index, setting);
        }
      }
      return out;
    }
    case "scatter": {
      const { base, over, place, shape } = instruction;
      const out = base === undefined ? zeros(shape) : [...elementsOf(values, base)];
      for (const index of indicesOf(over)) {
        const position = positionIn(place, index, indices);
        out[position] = add(elementAt(out, position), bodyAt(instruction, index, setting));
      }
      return out;
    }
    case "scan": {
      const { shape, axis, direction } = instruction;
      const step = direction * (stridesOf(shape)[axis] ?? 0);
      const first = direction === 1 ? 0 : (shape[axis] ?? 0) - 1;
      const out = zeros(shape);
      const all = [...indicesOf(shape).entries()];
      for (const [i, index] of direction === 1 ? all : all.toReversed()) {
        const before = index[axis] === first ? arithmetic.literal(0) : elementAt(out, i - step);
        out[i] = add(before, bodyAt(instruction, index, setting));
      }
      return out;
    }
    case "routine":
      throw new RangeError("a routine is no loop nest");
  }
}

function bodyAt<T>(body: Body, index: readonly number[], setting: Setting<T>): T {
  const { arithmetic, values, indices } = setting;
  const elements = body.reads.map((read) =>
    elementAt(elementsOf(values, read.value), positionIn(read, index, indices)),
  );
  return valueIn(arithmetic, body.expression, elements);
}

function elementAt<T>(elements: readonly T[], position: number): T {
  const element = elements[position];
  if (element === undefined) throw new RangeError(`no element ${position}`);
  return element;
}

/** Finds an access's position at loop indices, with lookups. Throws `RangeError` beyond an index source. */
export function positionIn(
  access: Access,
  index: readonly number[],
  indices: readonly (readonly number[])[],
): number {
  return access.indirections.reduce(
    (sum, { index: source, offset, strides, scale }) =>
      sum + scale * elementAt(indices[source] ?? [], offset + along(strides, index)),
    access.offset + along(access.strides, index),
  );
}

function along(strides: readonly number[], index: readonly number[]): number {
  return strides.reduce((sum, stride, axis) => sum + stride * (index[axis] ?? 0), 0);
}

/** Lists all indices of a shape, row-major. */
function indicesOf(shape: Shape): readonly (readonly number[])[] {
  return shape.reduce<readonly (readonly number[])[]>(
    (before, extent) => before.flatMap((index) => Array.from({ length: extent }, (_, i) => [...index, i])),
    [[]],
  );
}

/** Names each element of each source of a program. */
export function symbolsOf(program: LoopProgram): readonly (readonly string[])[] {
  return program.sources.map((_, id) => {
    const size = sizeOf(shapeOfValue(program, id));
    const letter = "xyzuvw"[id] ?? `v${id}`;
    return size === 1 ? [letter] : Array.from({ length: size }, (_, n) => `${letter}${n}`);
  });
}
