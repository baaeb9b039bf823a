import { at, present } from "../../../../spec/shapes/index.ts";
import { applicationsOf, type Expression } from "../../plan/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { writeBody } from "../emit/body.ts";
import { applicationText, selectText } from "../emit/functions.ts";
import { type Nest, simplify } from "./nest.ts";
import { NestText, type Term } from "./nest_text.ts";
import { type Copy, copiesOf, shifted, tile } from "./tiles.ts";

/** Writes what one copy of a nest computes, and returns its term. */
export function bodyTerm(
  text: NestText,
  nest: Nest,
  copy: Copy,
  expression: Expression,
  arithmetic: Arithmetic,
): Term {
  return writeBody<Term>(expression, arithmetic, {
    read: (position) => text.read(shifted(at(nest.places, position), copy)),
    literal: (number) => ({ text: number, level: 0 }),
    apply(name, operands) {
      const texts = operands.map((operand) => operand.text);
      const application =
        name === "select"
          ? selectText(at(texts, 0), at(texts, 1), at(texts, 2))
          : applicationText(name, texts, arithmetic);
      return text.declare(application, Math.max(...operands.map((operand) => operand.level)));
    },
  });
}

/** A last loop this short is unrolled, because its counter would cost as much as the work. */
const shortest = 4;

/** Writes statements that store the expression at a nest's last place. All loops are free. */
export function mapText(whole: Nest, expression: Expression, arithmetic: Arithmetic): string {
  const nest = simplify(whole);
  const widths = mapWidths(nest, applicationsOf(expression).length);
  return tile(nest, widths)
    .map((part) => writeMap(part, expression, arithmetic))
    .join("");
}

/**
 * Unrolls a short last loop. If a read runs along a loop further out, as in a transposition, eight rounds of
 * that loop are taken at a time, because one fetch from memory brings so many numbers.
 */
function mapWidths({ loops, places }: Nest, applications: number): readonly number[] {
  if (loops.length === 0) return [];
  const last = loops.length - 1;
  const { extent } = at(loops, last);
  const across = loops.findLastIndex((_, n) =>
    places.some(({ position: { strides } }) => strides[n] === 1 && Math.abs(at(strides, last)) > 8),
  );
  if (across >= 0 && across < last && applications <= 4) {
    return loops.map((_, n) => (n === across ? 8 : 1));
  }
  const width = extent <= shortest && applications <= 16 ? extent : applications <= 2 ? 2 : 1;
  return loops.map((_, n) => (n === last ? width : 1));
}

function writeMap(nest: Nest, expression: Expression, arithmetic: Arithmetic): string {
  const text = new NestText(nest.loops);
  const out = present(nest.places.at(-1), "the result of a nest");
  const copies = copiesOf(nest);
  const terms = copies.map((copy) => bodyTerm(text, nest, copy, expression, arithmetic));
  // Everything is read before anything is stored, because a result may lie where its operand lay.
  for (const [n, copy] of copies.entries()) {
    text.write(`${text.place(shifted(out, copy)).text}=${at(terms, n).text};`, nest.loops.length);
  }
  return text.toString();
}
