import { at, present } from "../../../spec/shapes/index.ts";
import {
  type Copy,
  copiesOf,
  type Loop,
  type Nest,
  type Place,
  shifted,
  writeBody,
} from "../javascript/index.ts";
import type { Application, Expression } from "../plan/index.ts";
import type { Scalars, Term } from "./scalars.ts";

/** The value of each round of a nest is used so. */
export type Use =
  /** It is stored at the last place. */
  | { readonly kind: "store" }
  /** It is added to what is stored there. */
  | { readonly kind: "add" }
  /** It is taken into a total for each round of the free loops, which is stored after the others. */
  | {
      readonly kind: "total";
      readonly operation: "add" | "maximum";
      /** The total goes on from what is stored. */
      readonly isContinued: boolean;
      /** It is stored after each round. */
      readonly isRunning: boolean;
      /** Rounds of the last loop have totals of their own, which are joined at the end. */
      readonly isSplit: boolean;
    };

/** A nest whose last loop may be one of lanes: the rounds of a loop that a compiler takes at once. */
export interface Laned {
  readonly nest: Nest;
  readonly hasLanes: boolean;
}

/** Writes a nest as plain counted loops. A term stands outside the loops that it ignores. */
export function nestText(
  { nest, hasLanes }: Laned,
  expression: Expression,
  use: Use,
  scalars: Scalars,
): string {
  return new Writer(nest, hasLanes, scalars).write(expression, use);
}

class Writer {
  readonly #nest: Nest;
  readonly #hasLanes: boolean;
  readonly #scalars: Scalars;
  readonly #before: string[][];
  readonly #after: string[][];
  readonly #names = new Map<string, Term>();

  constructor(nest: Nest, hasLanes: boolean, scalars: Scalars) {
    this.#nest = nest;
    this.#hasLanes = hasLanes;
    this.#scalars = scalars;
    this.#before = [...nest.loops, 0].map(() => []);
    this.#after = [...nest.loops, 0].map(() => []);
  }

  write(expression: Expression, use: Use): string {
    const copies = copiesOf(this.#nest);
    const depth = this.#nest.loops.length;
    if (use.kind === "total") for (const copy of this.#results(copies)) this.#begin(copy, use);
    const terms = copies.map((copy) => this.#taken(expression, copy, use));
    // Everything is read before anything is stored, because a result may lie where its operand lay.
    for (const [n, copy] of copies.entries()) {
      const statement = at(terms, n);
      at(this.#before, depth).push(statement);
      if (use.kind === "total" && use.isRunning) {
        at(this.#before, depth).push(`${this.#out(copy)} = ${this.#total(copy)};`);
      }
    }
    if (use.kind === "total" && !use.isRunning) {
      for (const copy of this.#results(copies)) this.#end(copy, use);
    }
    return this.#text();
  }

  /** Returns the statement that uses the value of a round. */
  #taken(expression: Expression, copy: Copy, use: Use): string {
    const { isFused } = this.#scalars;
    if (use.kind === "total" && use.operation === "add" && isFused && isProduct(expression)) {
      const [x, y] = expression.operands.map((operand) => this.#term(operand, copy).text);
      const total = this.#total(copy);
      return `${total} = multiply_add(${present(x, "x")}, ${present(y, "y")}, ${total});`;
    }
    const { text } = this.#term(expression, copy);
    if (use.kind === "store") return `${this.#out(copy)} = ${text};`;
    if (use.kind === "add") return `${this.#out(copy)} = ${this.#out(copy)} + ${text};`;
    return joined(this.#total(copy), text, use.operation);
  }

  #term(expression: Expression, copy: Copy): Term {
    const scalars = this.#scalars;
    const { places } = this.#nest;
    return writeBody<Term>(expression, scalars.precision, {
      read: (position) => {
        const { text, level } = this.#element(shifted(at(places, position), copy));
        return this.#declare(text, level);
      },
      literal: (number) => ({ text: scalars.literal(Number(number.replace(/[()]/g, ""))), level: 0 }),
      apply: (name, operands) =>
        this.#declare(
          scalars.application(
            name,
            operands.map(({ text }) => text),
          ),
          Math.max(...operands.map(({ level }) => level)),
        ),
    });
  }

  #declare(text: string, level: number): Term {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const term = { text: `t${this.#names.size}`, level };
    this.#names.set(text, term);
    at(this.#before, level).push(`const T ${term.text} = ${text};`);
    return term;
  }

  #element({ array, position, lookups }: Place): Term {
    const found = lookups.map((lookup) => {
      const entry = `(I)${lookup.array}[${this.#sum(lookup.position)}]`;
      const text = lookup.scale === 1 ? entry : `${entry} * ${lookup.scale}`;
      return { text, level: this.#levelOf(lookup.position.strides) };
    });
    const parts = [this.#sum(position), ...found.map(({ text }) => text)];
    const level = Math.max(this.#levelOf(position.strides), ...found.map((lookup) => lookup.level));
    return { text: `${array}[${parts.filter((part) => part !== "0").join(" + ") || "0"}]`, level };
  }

  #sum({ offset, strides }: Place["position"]): string {
    const moved = strides.flatMap((stride, n) => {
      if (stride === 0 || !isWritten(at(this.#nest.loops, n))) return [];
      return [stride === 1 ? `i${n}` : `i${n} * ${stride < 0 ? `(${stride})` : stride}`];
    });
    return offset === 0 && moved.length > 0 ? moved.join(" + ") : [`${offset}`, ...moved].join(" + ");
  }

  #levelOf(strides: readonly number[]): number {
    return strides.findLastIndex((stride, n) => stride !== 0 && isWritten(at(this.#nest.loops, n))) + 1;
  }

  #out(copy: Copy): string {
    return this.#element(shifted(present(this.#nest.places.at(-1), "the result of a nest"), copy)).text;
  }

  // Totals.

  get #free(): number {
    const { loops } = this.#nest;
    const last = this.#hasLanes ? loops.length - 1 : loops.length;
    return loops.slice(0, last).filter(({ isOrdered }) => !isOrdered).length;
  }

  get #lanes(): number {
    return this.#hasLanes ? at(this.#nest.loops, this.#nest.loops.length - 1).extent : 1;
  }

  /** Lists one copy for each result. */
  #results(copies: readonly Copy[]): readonly Copy[] {
    return copies.filter((copy) => copy.slice(this.#free).every((n) => n === 0));
  }

  #name(copy: Copy): string {
    return `a${copy.slice(0, this.#free).join("_")}`;
  }

  #total(copy: Copy): string {
    return this.#hasLanes ? `${this.#name(copy)}[i${this.#nest.loops.length - 1}]` : this.#name(copy);
  }

  #begin(copy: Copy, { operation, isContinued }: Extract<Use, { kind: "total" }>): void {
    const first = isContinued
      ? this.#out(copy)
      : operation === "add"
        ? this.#scalars.literal(0)
        : "(-INFINITE)";
    const lines = at(this.#before, this.#free);
    if (!this.#hasLanes) lines.push(`T ${this.#name(copy)} = ${first};`);
    else
      lines.push(
        `T ${this.#name(copy)}[${this.#lanes}];`,
        this.#overLanes(`${this.#total(copy)} = ${first};`),
      );
  }

  #end(copy: Copy, { operation, isSplit }: Extract<Use, { kind: "total" }>): void {
    const lines = at(this.#after, this.#free);
    const [name, last] = [this.#name(copy), this.#nest.loops.length - 1];
    if (!this.#hasLanes) lines.push(`${this.#out(copy)} = ${name};`);
    else if (!isSplit) lines.push(this.#overLanes(`${this.#out(copy)} = ${this.#total(copy)};`));
    else {
      const others = `for (I i${last} = 1; i${last} < ${this.#lanes}; i${last}++)`;
      lines.push(`${others} {`, joined(`${name}[0]`, this.#total(copy), operation), "}");
      // The lanes are no axis of the result.
      lines.push(`${this.#out(copy)} = ${name}[0];`);
    }
  }

  #overLanes(statement: string): string {
    const last = this.#nest.loops.length - 1;
    return `for (I i${last} = 0; i${last} < ${this.#lanes}; i${last}++) ${statement}`;
  }

  #text(): string {
    const lines: string[] = [];
    const indented = (depth: number, some: readonly string[]): void => {
      for (const line of some) lines.push(`${"  ".repeat(depth + 1)}${line}`);
    };
    let depth = 0;
    const open: boolean[] = [];
    for (const [n, loop] of this.#nest.loops.entries()) {
      indented(depth, at(this.#before, n));
      open.push(isWritten(loop));
      if (!isWritten(loop)) continue;
      const step = loop.width === 1 ? `i${n}++` : `i${n} += ${loop.width}`;
      indented(depth, [`for (I i${n} = 0; i${n} < ${loop.extent}; ${step}) {`]);
      depth += 1;
    }
    indented(depth, at(this.#before, this.#nest.loops.length));
    indented(depth, at(this.#after, this.#nest.loops.length));
    for (let n = open.length - 1; n >= 0; n--) {
      if (open[n] === true) {
        depth -= 1;
        indented(depth, ["}"]);
      }
      indented(depth, at(this.#after, n));
    }
    const text = lines.join("\n");
    // Several nests may follow each other, and each has names of its own.
    return lines[0]?.endsWith("{") ? text : `  {\n${text}\n  }`;
  }
}

/** Says whether a loop is in the text: copies stand for the rounds of any other. */
function isWritten({ extent, width }: Loop): boolean {
  return extent > width;
}

function isProduct(expression: Expression): expression is Application {
  return expression.kind === "apply" && expression.function === "multiply";
}

/** Writes the statement that takes a number into a total; a maximum is the first NaN, if there is one. */
function joined(total: string, next: string, operation: "add" | "maximum"): string {
  if (operation === "add") return `${total} = ${total} + ${next};`;
  return `${total} = ((${next} <= ${total}) | (${total} != ${total})) ? ${total} : ${next};`;
}
