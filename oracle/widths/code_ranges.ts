import type {
  Body,
  Expression,
  Instruction,
  LoopProgram,
  Piece,
  Source,
  ValueId,
} from "../../engines/compile/plan/index.ts";
import { rationalFromNumber, rationalOf } from "../../reference/index.ts";
import type { Register } from "../../reference/numerics/index.ts";
import { at, InvariantError } from "../../spec/shapes/index.ts";
import type { PositFormat } from "../../spec/wire/index.ts";
import { appliedTo, between } from "./scalar_ranges.ts";
import { anyCode, type CodeRange, type Summands, summandsOf } from "./summands.ts";
import { adds, termsOf } from "./terms.ts";

/** A program's known ranges bound any part of a body. */
export type KnownRanges = (body: Body) => (part: Expression) => CodeRange;

/** Returns the known range of a program's value. */
export function rangeOfId(known: KnownRanges, value: ValueId): CodeRange {
  const read = { kind: "read", read: 0 } as const;
  return known({ reads: [{ value, offset: 0, strides: [], indirections: [] }], expression: read })(read);
}

/** Returns the format whose codes a register adds. Throws {@link InvariantError} for codes with a scale. */
function formatOf({ codes, name }: Register): PositFormat {
  if (codes.kind === "posit") return codes.format;
  throw new InvariantError(`ranges of the codes that ${name} adds`);
}

/** Lets every part be any code, where inputs have no ranges. */
export function nothingKnown(register: Register): KnownRanges {
  const any = anyCode(register);
  return () => () => any;
}

/**
 * Bounds every value of a program by posits, all its elements alike, from the ranges of the sources, by
 * interval arithmetic whose ends are rounded outwards. Law: values lie within whatever is given in the
 * ranges, and whether a step is rounded to posits, exact or contracted. Where an interval is unknown they are
 * any posits but NaR, which is no number. Source: Moore, Kearfott and Cloud, Introduction to Interval
 * Analysis (2009), 5. Cost: linear in the parts of bodies, whatever the shapes are.
 */
export function rangesOver(
  program: LoopProgram,
  register: Register,
  given: (source: Source) => CodeRange,
): KnownRanges {
  const values: CodeRange[] = program.sources.map(given);
  const known: KnownRanges = (body) => {
    const done = new Map<Expression, CodeRange>();
    const visit = (part: Expression): CodeRange => {
      const before = done.get(part);
      if (before !== undefined) return before;
      const range = rangeOfPart(part, body, values, register, visit);
      done.set(part, range);
      return range;
    };
    return visit;
  };
  for (const instruction of program.instructions)
    values.push(rangeOfValue(instruction, values, known, register));
  return known;
}

function rangeOfPart(
  part: Expression,
  { reads }: Body,
  values: readonly CodeRange[],
  register: Register,
  visit: (part: Expression) => CodeRange,
): CodeRange {
  const format = formatOf(register);
  switch (part.kind) {
    case "read":
      return at(values, at(reads, part.read).value);
    case "literal":
      if (!Number.isFinite(part.value)) return anyCode(register);
      return between(rationalFromNumber(part.value), rationalFromNumber(part.value), format);
    case "apply":
      return appliedTo(part.function, part.operands.map(visit), format) ?? anyCode(register);
  }
}

const nothing: CodeRange = { low: 0n, high: 0n };

function hull(ranges: readonly CodeRange[]): CodeRange {
  const [first = nothing, ...others] = ranges;
  return others.reduce(
    (all, { low, high }) => ({
      low: low < all.low ? low : all.low,
      high: high > all.high ? high : all.high,
    }),
    first,
  );
}

function rangeOfValue(
  instruction: Instruction,
  values: readonly CodeRange[],
  known: KnownRanges,
  register: Register,
): CodeRange {
  const whole = ({ expression, ...body }: Body | Piece): CodeRange =>
    known({ expression, ...body })(expression);
  switch (instruction.kind) {
    case "map":
      return whole(instruction);
    case "assemble":
      return hull([...instruction.pieces.map(whole), ...(instruction.isCovered ? [] : [nothing])]);
    case "routine":
      return anyCode(register);
    case "fold":
    case "scan":
    case "scatter": {
      if (!adds(instruction)) return whole(instruction);
      const summands = summandsOf(instruction.expression, known(instruction), register);
      const added = rangeOfSum(summands, termsOf(instruction), instruction.kind === "fold", register);
      if (instruction.kind !== "scatter" || instruction.base === undefined) return added;
      const operands = [at(values, instruction.base), added];
      return appliedTo("add", operands, formatOf(register)) ?? anyCode(register);
    }
  }
}

/** Bounds a sum of exactly, or of up to, this many summands. */
function rangeOfSum(
  { least, greatest }: Summands,
  terms: number,
  isExactly: boolean,
  register: Register,
): CodeRange {
  const count = BigInt(terms);
  const { units, places } = register;
  const last = 1n << BigInt(places);
  const [low, high] = [count * units(least), count * units(greatest)];
  const ends = [low < 0n || isExactly ? low : 0n, high > 0n || isExactly ? high : 0n] as const;
  return between(rationalOf(ends[0], last), rationalOf(ends[1], last), formatOf(register));
}
