import { at } from "../../../spec/shapes/index.ts";
import {
  type Expression,
  type Instruction,
  type LoopProgram,
  type ValueId,
  withOperands,
} from "../plan/index.ts";

/** A faulty key does not distinguish these. */
export interface Blindness {
  /** Replaces a number with this name; by default it stays. */
  readonly number?: (name: string, value: number) => number;
  /** The function whose operands have no order. */
  readonly unordered?: string;
}

/**
 * Makes readers of an instruction read an earlier one of the same key instead. The key is the whole
 * instruction but for what the fault is blind to. The instructions themselves stay.
 */
export function mergedBlindly(program: LoopProgram, blindness: Blindness): LoopProgram {
  const { instructions, names } = leadersOf(program, blindness);
  return { ...program, instructions, results: program.results.map((value) => at(names, value)) };
}

/** Returns the numbers of the instructions that compute what an earlier one computed. */
export function repetitionsIn(program: LoopProgram): ReadonlySet<number> {
  const { names } = leadersOf(program, {});
  const numbers = program.instructions.map((_, n) => n);
  return new Set(numbers.filter((n) => names[program.sources.length + n] !== program.sources.length + n));
}

/** Returns the instructions with operands renamed, and by value the first one of its key. */
function leadersOf(
  program: LoopProgram,
  blindness: Blindness,
): { readonly instructions: readonly Instruction[]; readonly names: readonly ValueId[] } {
  const first = new Map<string, ValueId>();
  const names: ValueId[] = program.sources.map((_, id) => id);
  const keys = new Keys(blindness);
  const instructions = program.instructions.map((before) => {
    const instruction = withOperands(before, (value) => at(names, value));
    const key = keys.of(instruction);
    const id = names.length;
    if (!first.has(key)) first.set(key, id);
    names.push(first.get(key) ?? id);
    return instruction;
  });
  return { instructions, names };
}

class Keys {
  readonly #blindness: Blindness;
  readonly #numbers = new Map<string, number>();

  constructor(blindness: Blindness) {
    this.#blindness = blindness;
  }

  of(instruction: Instruction): string {
    return JSON.stringify(instruction, (name, value) => {
      if (name === "expression") return this.#expression(value);
      return typeof value === "number" ? this.#text(name, value) : value;
    });
  }

  #text(name: string, value: number): string {
    const { number = (_, same) => same } = this.#blindness;
    const seen = number(name, value);
    return Object.is(seen, -0) ? "-0" : `${seen}`;
  }

  /** Numbers each structure, however often parts of it occur. */
  #expression(expression: Expression): number {
    const done = new Map<Expression, number>();
    const visit = (part: Expression): number => {
      const known = done.get(part);
      if (known !== undefined) return known;
      const number = this.#numbered(this.#keyOfPart(part, visit));
      done.set(part, number);
      return number;
    };
    return visit(expression);
  }

  #keyOfPart(part: Expression, visit: (part: Expression) => number): string {
    if (part.kind === "read") return `read ${part.read}`;
    if (part.kind === "literal") return `literal ${this.#text("literal", part.value)}`;
    const operands = part.operands.map(visit);
    if (part.function === this.#blindness.unordered) operands.sort((a, b) => a - b);
    return `${part.function} ${operands}`;
  }

  #numbered(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}
