import { at, InvariantError, isSameShape, type Shape, stridesOf } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, literal, read } from "../expression.ts";
import type { Access, IndexSource, Instruction, LoopProgram, Read, Source, ValueId } from "../program.ts";

/** Writes a loop program, one instruction after the other. */
export class Draft {
  readonly #sources: Source[] = [];
  readonly #indexSources: IndexSource[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #shapes: Shape[] = [];

  /** Declares a tensor of the caller's, before the first instruction. */
  source(source: Source): ValueId {
    if (this.#instructions.length > 0) throw new InvariantError("sources come before instructions");
    this.#sources.push(source);
    return this.#shapes.push(source.shape) - 1;
  }

  /** Declares integers of the caller's, and returns their number. */
  indexSource(source: IndexSource): number {
    return this.#indexSources.push(source) - 1;
  }

  /** Appends an instruction, and returns the id of its value. */
  append(instruction: Instruction): ValueId {
    this.#instructions.push(instruction);
    return this.#shapes.push(instruction.shape) - 1;
  }

  /** Counts the instructions so far. */
  get length(): number {
    return this.#instructions.length;
  }

  shapeOf(value: ValueId): Shape {
    return at(this.#shapes, value);
  }

  /** Appends a map. */
  map(shape: Shape, reads: readonly Read[], expression: Expression): ValueId {
    return this.append({ kind: "map", shape, reads, expression });
  }

  /** Appends a map that moves the elements of a value. */
  move(value: ValueId, access: Access, shape: Shape): ValueId {
    return this.map(shape, [{ value, ...access }], read(0));
  }

  /** Appends a tensor whose elements are all one number. */
  fill(shape: Shape, value: number): ValueId {
    return this.map(shape, [], literal(value));
  }

  /** Appends the sum of two values of one shape. */
  add(x: ValueId, y: ValueId): ValueId {
    const shape = this.shapeOf(x);
    if (!isSameShape(shape, this.shapeOf(y))) throw new InvariantError("a sum of two shapes");
    return this.map(shape, [this.whole(x), this.whole(y)], apply("add", read(0), read(1)));
  }

  /** Makes a read of every element of a value at its own place. */
  whole(value: ValueId): Read {
    return { value, ...identity(this.shapeOf(value)) };
  }

  /** Returns the program with these results; a source among them is copied. */
  finish(results: readonly ValueId[]): LoopProgram {
    const made = results.map((value) =>
      value < this.#sources.length
        ? this.move(value, identity(this.shapeOf(value)), this.shapeOf(value))
        : value,
    );
    return {
      sources: this.#sources,
      indexSources: this.#indexSources,
      instructions: this.#instructions,
      results: made,
    };
  }
}

/** Makes the access that finds a tensor's elements in row-major order. */
export function identity(shape: Shape): Access {
  return { offset: 0, strides: stridesOf(shape), indirections: [] };
}

/**
 * Extends an access to a nest with one more outer loop, over values that lie one after the other. `size` is
 * the size of one of them, or 0 where one value serves every turn of that loop.
 */
export function stacked(access: Access, size: number): Access {
  return {
    offset: access.offset,
    strides: [size, ...access.strides],
    indirections: access.indirections.map((indirection) => ({
      ...indirection,
      strides: [0, ...indirection.strides],
    })),
  };
}
