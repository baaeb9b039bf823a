import { at, integerAt, pair, present } from "../../../../spec/shapes/index.ts";
import type { Arithmetic } from "../emit/arithmetic.ts";
import { applicationText } from "../emit/functions.ts";
import { numberText } from "../emit/number.ts";
import { ARENA, sourceName } from "../loops/memory.ts";
import type { Scalar, ScalarId } from "./scalars.ts";

/** A result: a scalar and its place in the arena. */
export interface Store {
  readonly scalar: ScalarId;
  readonly place: number;
}

/** Expressions are nested at most so deep, because parsers recur into them. */
const deepest = 24;

/** A function whose text is being written. */
interface Part {
  readonly lines: string[];
  /** Names that the function has declared or loaded. */
  readonly names: Map<ScalarId, string>;
  readonly sources: Set<number>;
}

/**
 * Writes scalars as straight-line code, in functions of limited length. They are written in the order in
 * which the results need them, so that few are alive at a time; `W` keeps those that a later function needs.
 */
export class StraightText {
  readonly #all: readonly Scalar[];
  readonly #arithmetic: Arithmetic;
  readonly #length: number;
  readonly #uses: Uint32Array;
  /** The function that each scalar is computed in, and the last one that uses it. */
  readonly #home: Uint32Array;
  readonly #lastUse: Uint32Array;
  /** The text of a scalar that is written into its only user. */
  readonly #inlined = new Map<ScalarId, { readonly text: string; readonly depth: number }>();
  readonly #kept = new Map<ScalarId, number>();

  constructor(all: readonly Scalar[], arithmetic: Arithmetic, length: number) {
    this.#all = all;
    this.#arithmetic = arithmetic;
    this.#length = length;
    this.#uses = new Uint32Array(all.length);
    this.#home = new Uint32Array(all.length);
    this.#lastUse = new Uint32Array(all.length);
  }

  /** Writes `run(S, X)`, which makes these stores. */
  write(stores: readonly Store[]): string {
    const order = this.#ordered(stores);
    const count = Math.max(1, Math.ceil(order.length / this.#length));
    for (const [n, id] of order.entries()) this.#home[id] = Math.floor(n / this.#length);
    for (const id of order) this.#count(id);
    for (const { scalar } of stores) {
      this.#uses[scalar] = integerAt(this.#uses, scalar) + 1;
    }
    const parts = Array.from({ length: count }, (_, n) => {
      const part: Part = { lines: [], names: new Map(), sources: new Set() };
      for (const id of order.slice(n * this.#length, (n + 1) * this.#length)) this.#declare(part, id, n);
      for (const { scalar, place } of stores) {
        if (this.#isHomeOf(scalar, n)) part.lines.push(`${ARENA}[${place}]=${this.#term(part, scalar)};`);
      }
      const opened = [...part.sources].map((source) => `const ${sourceName(source)}=S[${source}];`);
      return [...opened, ...part.lines].join("");
    });
    if (parts.length === 1) return `function run(S,X){${parts[0]}}`;
    const functions = parts.map((part, n) => `function p${n}(S){${part}}`);
    const space = `const W=new Float64Array(new ArrayBuffer(${8 * this.#kept.size}));`;
    return `${space}${functions.join("\n")}\nfunction run(S,X){${parts.map((_, n) => `p${n}(S);`).join("")}}`;
  }

  /** Says whether a function stores a result; the first one stores those that are no applications. */
  #isHomeOf(id: ScalarId, part: number): boolean {
    return this.#home[id] === part;
  }

  /** Lists the applications that the stores need, operands first, without recursion: chains may be long. */
  #ordered(stores: readonly Store[]): readonly ScalarId[] {
    const order: ScalarId[] = [];
    const states = new Uint8Array(this.#all.length);
    for (const { scalar } of stores) {
      const open = [scalar];
      for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
        const found = at(this.#all, id);
        if (found.kind !== "apply" || states[id] === 2) open.pop();
        else if (states[id] === 1) {
          states[id] = 2;
          order.push(id);
          open.pop();
        } else {
          states[id] = 1;
          open.push(...found.operands.toReversed());
        }
      }
    }
    return order;
  }

  #count(id: ScalarId): void {
    const scalar = at(this.#all, id);
    if (scalar.kind !== "apply") return;
    // The text of a maximum repeats its operands, which must therefore be names.
    const times = scalar.function === "maximum" ? 2 : 1;
    const home = integerAt(this.#home, id);
    for (const operand of scalar.operands) {
      this.#uses[operand] = integerAt(this.#uses, operand) + times;
      this.#lastUse[operand] = Math.max(integerAt(this.#lastUse, operand), home);
    }
  }

  #declare(part: Part, id: ScalarId, home: number): void {
    const scalar = at(this.#all, id);
    if (scalar.kind !== "apply") return;
    const operands = scalar.operands.map((operand) => this.#term(part, operand));
    const text = textOf(scalar, operands, this.#arithmetic);
    const inside = scalar.operands.flatMap((operand) => this.#inlined.get(operand)?.depth ?? []);
    const depth = 1 + Math.max(0, ...inside);
    const isKept = integerAt(this.#lastUse, id) > home;
    if (this.#uses[id] === 1 && depth < deepest && !isKept) {
      this.#inlined.set(id, { text, depth });
      return;
    }
    part.lines.push(`const v${id}=${text};`);
    part.names.set(id, `v${id}`);
    if (!isKept) return;
    const slot = this.#kept.size;
    this.#kept.set(id, slot);
    part.lines.push(`W[${slot}]=v${id};`);
  }

  /** Returns a scalar as an operand: a number, a name, or parenthesised text. */
  #term(part: Part, id: ScalarId): string {
    const known = part.names.get(id) ?? this.#inlined.get(id)?.text;
    if (known !== undefined) return known;
    const scalar = at(this.#all, id);
    if (scalar.kind === "literal") return numberText(scalar.value);
    if (scalar.kind === "element") part.sources.add(scalar.source);
    const text =
      scalar.kind === "element"
        ? `${sourceName(scalar.source)}[${scalar.position}]`
        : `W[${present(this.#kept.get(id), "a kept scalar")}]`;
    if (scalar.kind === "element" && this.#uses[id] === 1) return text;
    part.lines.push(`const v${id}=${text};`);
    part.names.set(id, `v${id}`);
    return `v${id}`;
  }
}

function textOf(
  scalar: Extract<Scalar, { kind: "apply" }>,
  operands: readonly string[],
  arithmetic: Arithmetic,
): string {
  if (scalar.function !== "maximum") return applicationText(scalar.function, operands, arithmetic);
  const [x, y] = pair(operands);
  return `(${x}<${y}||${y}!==${y}?${y}:${x})`;
}
