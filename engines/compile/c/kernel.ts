import { at, present } from "../../../spec/shapes/index.ts";
import { type Copy, copiesOf, type Nest, type Place, shifted, writeBody } from "../javascript/index.ts";
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

/** A nest whose last loop may be one of lanes: the rounds of a loop that are taken at once. */
export interface Laned {
  readonly nest: Nest;
  /** The file names vectors of lanes, or has a loop that a compiler takes at once; or there are no lanes. */
  readonly lanes: "vectors" | "loop" | "none";
  /**
   * The loop whose rounds take these neighbouring lanes, so many vectors at a time: the vectors of a machine
   * decide how many rounds there are. Without it a total keeps all lanes.
   */
  readonly block?: { readonly loop: number; readonly vectors: number };
  /** Threads share the rounds of the outermost loop, or the first of them does all. */
  readonly isShared: boolean;
}

/** Writes a nest as plain counted loops. A term stands outside the loops that it ignores. */
export function nestText(laned: Laned, expression: Expression, use: Use, scalars: Scalars): string {
  return new Writer(laned, scalars).write(expression, use);
}

class Writer {
  readonly #nest: Nest;
  readonly #lanes: Laned["lanes"];
  readonly #block: Laned["block"];
  readonly #isShared: boolean;
  #isStore = false;
  readonly #scalars: Scalars;
  readonly #before: string[][];
  readonly #after: string[][];
  readonly #names = new Map<string, Term>();
  /** Names of vectors. */
  readonly #vectors = new Set<string>();

  constructor({ nest, lanes, block, isShared }: Laned, scalars: Scalars) {
    this.#nest = nest;
    this.#lanes = lanes;
    this.#scalars = scalars;
    this.#before = [...nest.loops, 0].map(() => []);
    this.#after = [...nest.loops, 0].map(() => []);
    this.#block = block;
    this.#isShared = isShared;
  }

  write(expression: Expression, use: Use): string {
    const copies = copiesOf(this.#nest);
    const depth = this.#nest.loops.length;
    this.#isStore = use.kind === "store";
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
      const callee = this.#lanes === "vectors" ? "multiply_add_V" : "multiply_add";
      return `${total} = ${callee}(${present(x, "x")}, ${present(y, "y")}, ${total});`;
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
        const place = shifted(at(places, position), copy);
        const { text, level } = this.#element(place);
        return this.#declare(text, level, this.#isVector(place));
      },
      literal: (number) => ({ text: scalars.literal(Number(number.replace(/[()]/g, ""))), level: 0 }),
      apply: (name, operands) =>
        this.#declare(
          scalars.application(
            name,
            operands.map(({ text }) => text),
          ),
          Math.max(...operands.map(({ level }) => level)),
          operands.some(({ text }) => this.#vectors.has(text)),
        ),
    });
  }

  /** Says whether lanes are neighbours at a place, so that it is read and written as vectors. */
  #isVector({ position: { strides } }: Place): boolean {
    return this.#lanes === "vectors" && strides.at(-1) === 1;
  }

  #declare(text: string, level: number, isVector: boolean): Term {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const term = { text: `t${this.#names.size}`, level };
    this.#names.set(text, term);
    if (isVector) this.#vectors.add(term.text);
    at(this.#before, level).push(`const ${isVector ? "V" : "T"} ${term.text} = ${text};`);
    return term;
  }

  #element(place: Place): Term {
    const { array, position, lookups } = place;
    const found = lookups.map((lookup) => {
      const entry = `(I)${lookup.array}[${this.#sum(lookup.position)}]`;
      const text = lookup.scale === 1 ? entry : `${entry} * ${lookup.scale}`;
      return { text, level: this.#levelOf(lookup.position.strides) };
    });
    const parts = [this.#sum(position), ...found.map(({ text }) => text)];
    const level = Math.max(this.#levelOf(position.strides), ...found.map((lookup) => lookup.level));
    const text = `${array}[${parts.filter((part) => part !== "0").join(" + ") || "0"}]`;
    return { text: this.#isVector(place) ? `VECTOR(${text})` : text, level };
  }

  #sum({ offset, strides }: Place["position"]): string {
    const moved = strides.flatMap((stride, n) => {
      if (stride === 0 || !this.#isWritten(n)) return [];
      if (n === this.#block?.loop) return [`i${n} * ${this.#block.vectors} * W`];
      if (stride === 1 && this.#lanes === "vectors" && n === strides.length - 1) return [`i${n} * W`];
      return [stride === 1 ? `i${n}` : `i${n} * ${stride < 0 ? `(${stride})` : stride}`];
    });
    return offset === 0 && moved.length > 0 ? moved.join(" + ") : [`${offset}`, ...moved].join(" + ");
  }

  #levelOf(strides: readonly number[]): number {
    return strides.findLastIndex((stride, n) => stride !== 0 && this.#isWritten(n)) + 1;
  }

  #out(copy: Copy): string {
    return this.#element(shifted(present(this.#nest.places.at(-1), "the result of a nest"), copy)).text;
  }

  // Totals.

  get #free(): number {
    const { loops } = this.#nest;
    const last = this.#lanes === "none" ? loops.length : loops.length - 1;
    return loops.slice(0, last).filter(({ isOrdered }) => !isOrdered).length;
  }

  /** Says whether a loop is in the text: copies stand for the rounds of any other. */
  #isWritten(n: number): boolean {
    const { extent, width } = at(this.#nest.loops, n);
    return extent > width || n === this.#block?.loop;
  }

  /** Writes how often a loop's index grows by its width. */
  #rounds(n: number): string {
    const { loops } = this.#nest;
    const { extent, width } = at(loops, n);
    if (this.#lanes === "vectors" && n === loops.length - 1)
      return this.#block === undefined ? `${extent} / W` : `${this.#block.vectors}`;
    if (n !== this.#block?.loop) return `${extent / width}`;
    return `${extent * at(loops, loops.length - 1).extent} / (${this.#block.vectors} * W)`;
  }

  get #laneRounds(): string {
    return this.#rounds(this.#nest.loops.length - 1);
  }

  /** Lists one copy for each result. */
  #results(copies: readonly Copy[]): readonly Copy[] {
    return copies.filter((copy) => copy.slice(this.#free).every((n) => n === 0));
  }

  #name(copy: Copy): string {
    return `a${copy.slice(0, this.#free).join("_")}`;
  }

  #total(copy: Copy): string {
    return this.#lanes === "none" ? this.#name(copy) : `${this.#name(copy)}[i${this.#nest.loops.length - 1}]`;
  }

  #begin(copy: Copy, { operation, isContinued }: Extract<Use, { kind: "total" }>): void {
    const first = isContinued
      ? this.#out(copy)
      : operation === "add"
        ? this.#scalars.literal(0)
        : "(-INFINITE)";
    const lines = at(this.#before, this.#free);
    const type = this.#lanes === "vectors" ? "V" : "T";
    if (this.#lanes === "none") lines.push(`T ${this.#name(copy)} = ${first};`);
    else {
      lines.push(`${type} ${this.#name(copy)}[${this.#laneRounds}];`);
      const isWhole = type === "V" && !isContinued;
      lines.push(this.#overLanes(`${this.#total(copy)} = ${isWhole ? "(V){0}" : first};`));
    }
  }

  #end(copy: Copy, { operation, isSplit }: Extract<Use, { kind: "total" }>): void {
    const lines = at(this.#after, this.#free);
    const [name, last] = [this.#name(copy), this.#nest.loops.length - 1];
    if (this.#lanes === "none") lines.push(`${this.#out(copy)} = ${name};`);
    else if (!isSplit) lines.push(this.#overLanes(`${this.#out(copy)} = ${this.#total(copy)};`));
    else if (this.#lanes === "vectors") {
      // The lanes are halved again and again, so that the bits are those of vectors of any length.
      lines.push(`FEW for (I n = ${this.#laneRounds} / 2; n > 0; n /= 2)`);
      lines.push(`  FEW for (I v = 0; v < n; v++) ${name}[v] = ${name}[v] + ${name}[v + n];`);
      lines.push(`${this.#out(copy)} = total_V(${name}[0]);`);
    } else {
      const others = `for (I i${last} = 1; i${last} < ${this.#laneRounds}; i${last}++)`;
      lines.push(`${others} {`, joined(`${name}[0]`, this.#total(copy), operation), "}");
      // The lanes are no axis of the result.
      lines.push(`${this.#out(copy)} = ${name}[0];`);
    }
  }

  #overLanes(statement: string): string {
    return `${this.#head(this.#nest.loops.length - 1)} ${statement}`;
  }

  /** Begins a loop. */
  #head(n: number): string {
    const { width } = at(this.#nest.loops, n);
    const [rounds, times] = [this.#rounds(n), width === 1 ? "" : ` * ${width}`];
    const step = width === 1 ? `i${n}++` : `i${n} += ${width}`;
    if (n === this.#sharedLoop)
      return `for (I i${n} = FIRST(${rounds})${times}; i${n} < END(${rounds})${times}; ${step})`;
    const isLanes = n === this.#nest.loops.length - 1 && this.#lanes !== "none";
    const pragma = isLanes && this.#lanes === "vectors" ? "FEW " : isLanes || this.#isRow(n) ? "LANES " : "";
    const end = width === 1 ? rounds : `${at(this.#nest.loops, n).extent}`;
    return `${pragma}for (I i${n} = 0; i${n} < ${end}; ${step})`;
  }

  /** Says whether a loop stores neighbours: a compiler makes vectors if it does not write them out. */
  #isRow(n: number): boolean {
    const { loops, places } = this.#nest;
    return (
      this.#isStore &&
      n === loops.length - 1 &&
      at(loops, n).extent >= 8 &&
      places.at(-1)?.position.strides[n] === 1
    );
  }

  /** The loop whose rounds threads share; −1 if there is none. */
  get #sharedLoop(): number {
    const { loops } = this.#nest;
    const first = loops.findIndex((_, n) => this.#isWritten(n));
    const isLanes = this.#lanes !== "none" && first === loops.length - 1;
    return this.#isShared && !isLanes && loops[first]?.isOrdered === false ? first : -1;
  }

  #text(): string {
    const lines: string[] = [];
    const indented = (depth: number, some: readonly string[]): void => {
      for (const line of some) lines.push(`${"  ".repeat(depth + 1)}${line}`);
    };
    let depth = 0;
    const open: boolean[] = [];
    for (const n of this.#nest.loops.keys()) {
      indented(depth, at(this.#before, n));
      open.push(this.#isWritten(n));
      if (!this.#isWritten(n)) continue;
      indented(depth, [`${this.#head(n)} {`]);
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
    if (this.#isShared && this.#sharedLoop < 0) return `  if (t == 0) {\n${text}\n  }`;
    // Several nests may follow each other, and each has names of its own.
    return lines[0]?.endsWith("{") ? text : `  {\n${text}\n  }`;
  }
}

function isProduct(expression: Expression): expression is Application {
  return expression.kind === "apply" && expression.function === "multiply";
}

/** Writes the statement that takes a number into a total; a maximum is the first NaN, if there is one. */
function joined(total: string, next: string, operation: "add" | "maximum"): string {
  if (operation === "add") return `${total} = ${total} + ${next};`;
  return `${total} = ((${next} <= ${total}) | (${total} != ${total})) ? ${total} : ${next};`;
}
