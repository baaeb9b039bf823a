import { at, InvariantError, isSameShape, type Shape, stridesOf } from "../../../../spec/shapes/index.ts";
import { apply, type Expression, literal, read } from "../expression.ts";
import type { Access, IndexSource, Instruction, LoopProgram, Read, Source, ValueId } from "../program.ts";

/** A loop program while it is written. */
export class Draft {
  readonly #sources: Source[] = [];
  readonly #indexSources: IndexSource[] = [];
  readonly #instructions: Instruction[] = [];
  readonly #shapes: Shape[] = [];

  /** Declares what the caller hands in; before the first instruction. */
  source(source: Source): ValueId {
    if (this.#instructions.length > 0) throw new InvariantError("sources come before instructions");
    this.#sources.push(source);
    return this.#shapes.push(source.shape) - 1;
  }

  /** Declares integers that the caller hands in; their number. */
  indexSource(source: IndexSource): number {
    return this.#indexSources.push(source) - 1;
  }

  /** Appends an instruction; its value. */
  append(instruction: Instruction): ValueId {
    this.#instructions.push(instruction);
    return this.#shapes.push(instruction.shape) - 1;
  }

  /** How many instructions there are. */
  get length(): number {
    return this.#instructions.length;
  }

  shapeOf(value: ValueId): Shape {
    return at(this.#shapes, value);
  }

  /** The elements of the reads, through an expression. */
  map(shape: Shape, reads: readonly Read[], expression: Expression): ValueId {
    return this.append({ kind: "map", shape, reads, expression });
  }

  /** A value's elements, moved. */
  move(value: ValueId, access: Access, shape: Shape): ValueId {
    return this.map(shape, [{ value, ...access }], read(0));
  }

  /** A tensor of one number. */
  fill(shape: Shape, value: number): ValueId {
    return this.map(shape, [], literal(value));
  }

  /** The sum of two values of one shape. */
  add(x: ValueId, y: ValueId): ValueId {
    const shape = this.shapeOf(x);
    if (!isSameShape(shape, this.shapeOf(y))) throw new InvariantError("a sum of two shapes");
    return this.map(shape, [this.whole(x), this.whole(y)], apply("add", read(0), read(1)));
  }

  /** Every element of a value at its own place. */
  whole(value: ValueId): Read {
    return { value, ...identity(this.shapeOf(value)) };
  }

  /** The program that makes the results; a source among them is copied. */
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

/** Row-major, from the first element. */
export function identity(shape: Shape): Access {
  return { offset: 0, strides: stridesOf(shape), indirections: [] };
}

/**
 * An access as seen from a nest with one more loop around it, over `count` values of one shape that lie one after the other; `size` is that
 * of one of them, or 0 where there is one value for all.
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
