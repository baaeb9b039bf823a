import { present } from "../../../../spec/shapes/index.ts";
import type { Expression } from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { bodyTerm } from "./map.ts";
import type { Nest, Place } from "./nest.ts";
import { NestText } from "./nest_text.ts";
import { type Copy, copiesOf, shifted } from "./tiles.ts";

/** A nest adds its rounds up into totals at its last place. */
export interface Accumulation {
  readonly expression: Expression;
  readonly operation: "add" | "maximum";
  readonly arithmetic: Arithmetic;
  /** Is true if a total continues from the stored number, not from the neutral one. */
  readonly isContinued: boolean;
  /** Is true if the total is stored after each round, not after the last one. */
  readonly isRunning: boolean;
  /** Is true if each copy of an ordered round has its own total, which are joined at the end. */
  readonly isSplit: boolean;
}

/** A growing total, and where it is stored. */
interface Total {
  readonly name: string;
  readonly place: Place;
}

/** Writes statements that gather a nest. Ordered rounds enter each total in order, unless it is split. */
export function accumulationText(nest: Nest, accumulation: Accumulation): string {
  const { isRunning, isSplit, isContinued, operation, expression, arithmetic } = accumulation;
  const text = new NestText(nest.loops);
  const out = present(nest.places.at(-1), "the result of a nest");
  const free = nest.loops.filter(({ isOrdered }) => !isOrdered).length;
  // Lookups may make the place depend on more loops than its strides do.
  const level = isRunning ? free : Math.max(text.place(out).level, levelOfFree(nest, free));
  const totals = new Map<string, Total>();
  const results = new Map<string, Total[]>();
  const totalOf = (copy: Copy): Total => {
    const result = `${copy.slice(0, free)}`;
    const key = isSplit ? `${copy}` : result;
    const known = totals.get(key);
    if (known !== undefined) return known;
    const total = { name: `a${totals.size}`, place: shifted(out, copy) };
    totals.set(key, total);
    results.set(result, [...(results.get(result) ?? []), total]);
    const isFirst = results.get(result)?.length === 1;
    const neutral = operation === "add" ? "0" : "-Infinity";
    text.write(
      `let ${total.name}=${isContinued && isFirst ? text.place(total.place).text : neutral};`,
      level,
    );
    return total;
  };
  const copies = copiesOf(nest);
  for (const copy of copies) totalOf(copy);
  for (const copy of copies) {
    const { name } = totalOf(copy);
    const term = bodyTerm(text, nest, copy, expression, arithmetic);
    text.write(joined(name, term.text, accumulation), nest.loops.length);
    if (isRunning) text.write(`${text.place(shifted(out, copy)).text}=${name};`, nest.loops.length);
  }
  if (!isRunning) {
    for (const [first, ...others] of results.values()) {
      if (first === undefined) continue;
      for (const other of others) text.writeAfter(joined(first.name, other.name, accumulation), level);
      text.writeAfter(`${text.place(first.place).text}=${first.name};`, level);
    }
  }
  return text.toString();
}

/** Returns how many of the free loops are written, so that a total begins inside all of them. */
function levelOfFree(nest: Nest, free: number): number {
  return nest.loops.slice(0, free).findLastIndex(({ extent, width }) => extent > width) + 1;
}

/** Writes the statement that takes a number into a total. */
function joined(total: string, next: string, { operation, arithmetic }: Accumulation): string {
  // A number that is not at most the total, which is not NaN, is greater, or the first NaN.
  if (operation === "maximum") return `if(!(${next}<=${total})&&${total}===${total})${total}=${next};`;
  return arithmetic === "float32" ? `${total}=fround(${total}+${next});` : `${total}+=${next};`;
}
