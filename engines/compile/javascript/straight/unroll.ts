import {
  assertNever,
  at,
  InvariantError,
  present,
  sizeOf,
  stridesOf,
} from "../../../../spec/shapes/index.ts";
import {
  type Access,
  applicationsOf,
  type Body,
  bodiesOf,
  type Expression,
  type Instruction,
  type LoopProgram,
  shapeOfValue,
  type ValueId,
} from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { type ScalarId, Scalars } from "./scalars.ts";

/** Counts applications and rounds in all loops of a program; infinite if loops cannot be unrolled. */
export function scalarOperations(program: LoopProgram): number {
  return program.instructions.reduce((sum, instruction) => sum + operationsOf(instruction), 0);
}

function operationsOf(instruction: Instruction): number {
  if (instruction.kind === "routine") return Infinity;
  if (instruction.kind === "scatter" && instruction.place.indirections.length > 0) return Infinity;
  const bodies = bodiesOf(instruction);
  if (bodies.some(({ body }) => body.reads.some(({ indirections }) => indirections.length > 0)))
    return Infinity;
  return bodies.reduce(
    (sum, { extents, body }) => sum + sizeOf(extents) * (applicationsOf(body.expression).length + 1),
    sizeOf(instruction.shape),
  );
}

/** An unrolled program: its scalars, and which of them are the elements of each value. */
export interface Unrolled {
  readonly scalars: Scalars;
  readonly values: readonly (readonly ScalarId[])[];
}

/** Unrolls a program of finite {@link scalarOperations}; terms keep their order. Cost: linear. */
export function unroll(program: LoopProgram, arithmetic: Arithmetic, isFast: boolean): Unrolled {
  const scalars = new Scalars(arithmetic, isFast);
  const values: (readonly ScalarId[])[] = program.sources.map(({ shape }, source) =>
    Array.from({ length: sizeOf(shape) }, (_, position) => scalars.element(source, position)),
  );
  const unroller = new Unroller(scalars, values);
  for (const [n, instruction] of program.instructions.entries()) {
    const size = sizeOf(shapeOfValue(program, program.sources.length + n));
    values.push(unroller.elementsOf(instruction, size));
  }
  return { scalars, values };
}

class Unroller {
  readonly #scalars: Scalars;
  readonly #values: readonly (readonly ScalarId[])[];

  constructor(scalars: Scalars, values: readonly (readonly ScalarId[])[]) {
    this.#scalars = scalars;
    this.#values = values;
  }

  elementsOf(instruction: Instruction, size: number): readonly ScalarId[] {
    const scalars = this.#scalars;
    const zeros = (): ScalarId[] => new Array<ScalarId>(size).fill(scalars.literal(0));
    switch (instruction.kind) {
      case "map":
        return this.#rounds(instruction.shape, instruction);
      case "fold": {
        const terms = this.#rounds([...instruction.shape, ...instruction.over], instruction);
        const count = sizeOf(instruction.over);
        const [neutral, gather] =
          instruction.operation === "add" ? [0, "add" as const] : [-Infinity, "maximum" as const];
        return zeros().map((_, i) =>
          terms
            .slice(i * count, (i + 1) * count)
            .reduce((total, term) => scalars.apply(gather, total, term), scalars.literal(neutral)),
        );
      }
      case "assemble": {
        const out = zeros();
        for (const piece of instruction.pieces) {
          const places = positions(piece.place, piece.shape);
          for (const [n, term] of this.#rounds(piece.shape, piece).entries()) out[at(places, n)] = term;
        }
        return out;
      }
      case "scatter": {
        const out = instruction.base === undefined ? zeros() : [...this.#valueOf(instruction.base)];
        const places = positions(instruction.place, instruction.over);
        for (const [n, term] of this.#rounds(instruction.over, instruction).entries()) {
          const place = at(places, n);
          out[place] = scalars.apply("add", at(out, place), term);
        }
        return out;
      }
      case "scan":
        return this.#scanned(instruction);
      case "routine":
        throw new InvariantError("a routine is no loop");
      default:
        return assertNever(instruction);
    }
  }

  #scanned(scan: Extract<Instruction, { kind: "scan" }>): readonly ScalarId[] {
    const { shape, axis, direction } = scan;
    const terms = this.#rounds(shape, scan);
    const stride = at(stridesOf(shape), axis);
    const extent = at(shape, axis);
    const out = [...terms];
    for (let n = 0; n < terms.length; n++) {
      const i = direction === 1 ? n : terms.length - 1 - n;
      const place = Math.floor(i / stride) % extent;
      const isFirst = place === (direction === 1 ? 0 : extent - 1);
      const before = isFirst ? this.#scalars.literal(0) : at(out, i - direction * stride);
      out[i] = this.#scalars.apply("add", before, at(terms, i));
    }
    return out;
  }

  #valueOf(value: ValueId): readonly ScalarId[] {
    return at(this.#values, value);
  }

  /** Evaluates the body for every index of a loop nest, row-major. */
  #rounds(extents: readonly number[], { reads, expression }: Body): readonly ScalarId[] {
    const found = reads.map((read) => ({
      elements: this.#valueOf(read.value),
      places: positions(read, extents),
    }));
    const elementOf = (read: number, round: number): ScalarId => {
      const { elements, places } = at(found, read);
      return at(elements, at(places, round));
    };
    const applications = applicationsOf(expression);
    const numbers = new Map<Expression, number>(applications.map((part, n) => [part, n]));
    const made: ScalarId[] = [];
    const scalarOf = (part: Expression, round: number): ScalarId =>
      part.kind === "read"
        ? elementOf(part.read, round)
        : part.kind === "literal"
          ? this.#scalars.literal(part.value)
          : at(made, present(numbers.get(part), "an application"));
    return Array.from({ length: sizeOf(extents) }, (_, round) => {
      for (const [n, { function: name, operands }] of applications.entries()) {
        made[n] = this.#scalars.apply(name, ...operands.map((operand) => scalarOf(operand, round)));
      }
      return scalarOf(expression, round);
    });
  }
}

/** Lists the positions that an access without lookups visits, row-major. */
function positions({ offset, strides }: Access, extents: readonly number[]): readonly number[] {
  let all = [offset];
  for (const [axis, extent] of extents.entries()) {
    const stride = at(strides, axis);
    all = all.flatMap((position) => Array.from({ length: extent }, (_, i) => position + i * stride));
  }
  return all;
}
