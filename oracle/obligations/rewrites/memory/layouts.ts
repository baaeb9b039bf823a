import {
  layOutBySome,
  layOutEarly,
  layOutForgettingCopies,
  layOutPermuted,
  layOutWithoutResults,
} from "../../../../engines/compile/mutants/index.ts";
import {
  bodiesOf,
  type Instruction,
  type LaidOut,
  type LayoutOptions,
  type LoopProgram,
  operandsOf,
  soundPasses,
  withBodies,
} from "../../../../engines/compile/plan/index.ts";
import { identity } from "../../../../engines/compile/plan/lower/index.ts";

/** A planner lays out values. */
export type LayOut = (program: LoopProgram, options: LayoutOptions) => LaidOut;

/** This layout has a fault. */
export interface WrongLayout {
  readonly name: string;
  readonly fault: string;
  readonly layOut: LayOut;
}

/** The planner asks for this at float64. */
export const allReuse: LayoutOptions = { reusesBuffers: true, isInPlace: true, alignment: 2 };

/** This puts no value in the place of another. */
export const noReuse: LayoutOptions = { reusesBuffers: false, isInPlace: false, alignment: 2 };

/** The engines use this layout. */
export const soundLayOut: LayOut = soundPasses.layOut;

/** These have wrong lifetimes. */
export const wrongLives: readonly WrongLayout[] = [
  {
    name: "ends_early",
    fault: "a place is given away one instruction before the last that reads it.",
    layOut: layOutEarly,
  },
  {
    name: "results_not_kept",
    fault: "the place of a result is given away after the last instruction that reads it.",
    layOut: layOutWithoutResults,
  },
  {
    name: "first_reader_is_last",
    fault: "a map writes over an operand that another instruction reads later.",
    layOut: layOutAfterFirst,
  },
  {
    name: "copies_read_nothing",
    fault: "a value is computed again from operands whose places were given away in between.",
    layOut: layOutForgettingCopies,
  },
];

/** These write over operands wrongly. */
export const wrongPlaces: readonly WrongLayout[] = [
  {
    name: "permuted",
    fault: "a map writes over an operand that it reads in another order.",
    layOut: layOutPermuted,
  },
  {
    name: "some_read_in_order",
    fault: "a map writes over an operand if one of its reads is in order, although another is not.",
    layOut: layOutBySome,
  },
  {
    name: "any_instruction",
    fault: "any instruction writes over an operand of as many elements.",
    layOut: layOutAnything,
  },
  {
    name: "one_beside",
    fault: "a map is computed one element beside the place of its operand.",
    layOut: layOutBeside,
  },
];

/** Lets only the first reader read every value. */
function layOutAfterFirst(program: LoopProgram, options: LayoutOptions): LaidOut {
  const seen = new Map<number, number>();
  const instructions = program.instructions.map((instruction, n) => {
    for (const value of operandsOf(instruction)) if (!seen.has(value)) seen.set(value, n);
    return withBodies(instruction, (body) => ({
      ...body,
      reads: body.reads.filter(({ value }) => seen.get(value) === n),
    }));
  });
  return soundPasses.layOut({ ...program, instructions }, options);
}

/** Takes every loop nest for a map that reads in order. */
function layOutAnything(program: LoopProgram, options: LayoutOptions): LaidOut {
  const instructions = program.instructions.map((instruction): Instruction => {
    const { shape } = instruction;
    const bodies = bodiesOf(instruction);
    if (bodies.length === 0) return instruction;
    const reads = operandsOf(instruction).map((value) => ({ value, ...identity(shape) }));
    const [first] = bodies;
    const expression = first?.body.expression ?? { kind: "literal", value: 0 };
    return { kind: "map", shape, reads, expression };
  });
  return soundPasses.layOut({ ...program, instructions }, options);
}

/** Starts one element later what starts where an operand starts. */
function layOutBeside(program: LoopProgram, options: LayoutOptions): LaidOut {
  const { layout, fired } = soundPasses.layOut(program, options);
  const { length } = program.sources;
  const places = layout.places.map((place, n) => {
    const instruction = program.instructions[n];
    const isOver =
      instruction !== undefined &&
      operandsOf(instruction).some((value) => value >= length && layout.places[value - length] === place);
    return isOver ? place + 1 : place;
  });
  return { layout: { places, length: layout.length + 1 }, fired };
}
