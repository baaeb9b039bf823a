import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, floatAt, nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import type { Part, Truth } from "../truth/index.ts";

/** Doubles have no more decimal digits, so this means all. */
export const MOST_DIGITS = 17;

/** A histogram counts numbers by whole digits, from 0 to {@link MOST_DIGITS}; empty entries are left out. */
export type Histogram = Readonly<Record<string, number>>;

/** These are the digits of numbers that agree. */
export interface DigitCounts {
  /** These digits are surely right: {@link MOST_DIGITS} where the answer is the true number. */
  readonly right: Histogram;
  /** An answer to the same numbers must have these digits to be within its bound. */
  readonly asked: Histogram;
}

/** Digits of numbers that agree are counted by operator and by what was asked. */
export type Digits = ReadonlyMap<OperatorName, Partial<Readonly<Record<Mode, DigitCounts>>>>;

/** Every number of this answer agrees. */
export interface AgreedAnswer {
  readonly truth: Truth;
  readonly part: Part;
  /** The numbers of each id count for these operators. */
  readonly owners: Owners;
  /** This is the id of its first tensor; the others follow. */
  readonly first: number;
  readonly answer: readonly FlatTensor[];
}

/**
 * Counts the digits of an answer that agrees, by operator. A value or tangent counts for its node's operator,
 * whatever error its operands brought; a cotangent for each operator that reads its id, whose rules hand it
 * on. Digits are those of the relative error, rounded down, with the reference's own error added. A number
 * that is 0 or has no bound does not count. Cost: two logarithms for each number, and nothing of the truth
 * that judging has not computed.
 */
export function digitsOf({
  truth,
  part,
  owners,
  first,
  answer,
}: AgreedAnswer): Map<OperatorName, DigitCounts> {
  const counts = new Map<OperatorName, Counting>();
  for (const [place, { data }] of answer.entries()) {
    const id = nodeId(first + place);
    const here = at(owners, id);
    if (here.length === 0) continue;
    let rows: readonly Counting[] | undefined;
    truth[part](id).forEach(({ near }, element) => {
      const size = Math.abs(near.value);
      if (size === 0 || !Number.isFinite(size) || !Number.isFinite(near.bound)) return;
      const right = digitsWithin(Math.abs(floatAt(data, element) - near.value) + near.slack, size);
      const asked = digitsWithin(near.bound, size);
      rows ??= here.map((op) => rowOf(counts, op));
      for (const row of rows) {
        row.right[right] = (row.right[right] ?? 0) + 1;
        row.asked[asked] = (row.asked[asked] ?? 0) + 1;
      }
    });
  }
  return counts;
}

/** These counts grow. */
interface Counting {
  readonly right: Record<string, number>;
  readonly asked: Record<string, number>;
}

function rowOf(counts: Map<OperatorName, Counting>, op: OperatorName): Counting {
  const row = counts.get(op) ?? { right: {}, asked: {} };
  counts.set(op, row);
  return row;
}

/** Each id's numbers count for these operators. */
type Owners = readonly (readonly OperatorName[])[];

/** Finds the operator that gives each id, and those that read it, each once. */
export function ownersIn({ inputs, nodes }: Graph): { readonly givers: Owners; readonly readers: Owners } {
  const readers: OperatorName[][] = [...inputs, ...nodes].map(() => []);
  for (const { op, parents } of nodes) {
    for (const id of parents) {
      const here = at(readers, id);
      if (!here.includes(op)) here.push(op);
    }
  }
  return { givers: [...inputs.map(() => []), ...nodes.map(({ op }) => [op])], readers };
}

/** Returns the whole digits that are right of a number of this size with this error. */
function digitsWithin(error: number, size: number): number {
  if (error === 0) return MOST_DIGITS;
  return Math.floor(Math.min(Math.max(-Math.log10(error / size), 0), MOST_DIGITS - 1));
}

/** Adds the digits of both. Cost: a copy of the map, and of the rows of the second. */
export function plusDigits(a: Digits, b: Digits): Digits {
  if (b.size === 0) return a;
  const sum = new Map(a);
  for (const [op, modes] of b) sum.set(op, plusModes(sum.get(op) ?? {}, modes));
  return sum;
}

type ByMode = Partial<Readonly<Record<Mode, DigitCounts>>>;

function plusModes(a: ByMode, b: ByMode): ByMode {
  const sum: Partial<Record<Mode, DigitCounts>> = { ...a };
  let mode: keyof ByMode;
  for (mode in b) {
    const [before, more] = [sum[mode], b[mode]];
    if (more === undefined) continue;
    sum[mode] =
      before === undefined
        ? more
        : { right: plus(before.right, more.right), asked: plus(before.asked, more.asked) };
  }
  return sum;
}

function plus(a: Histogram, b: Histogram): Histogram {
  const sum: Record<string, number> = { ...a };
  for (const digits in b) sum[digits] = (sum[digits] ?? 0) + (b[digits] ?? 0);
  return sum;
}
