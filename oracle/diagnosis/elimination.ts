import type { UnknownTerm } from "../../reference/units/index.ts";
import { at, InvariantError, integerAt } from "../../spec/shapes/index.ts";
import { type Exponent, exponentOf, greatestCommonDivisor } from "../../spec/units/index.ts";
import { Heap } from "./heap.ts";

/** A row comes from one equation, or from a combination of rows divided by `over`. */
export type Cause =
  | { readonly kind: "equation"; readonly serial: number; readonly equation: number }
  | {
      readonly kind: "combination";
      readonly serial: number;
      readonly parts: readonly (readonly [cause: Cause, times: bigint])[];
      readonly over: bigint;
    }
  | undefined;

/** A row is a zero combination of unknowns, by place: the last place first, without a common divisor. */
interface Row {
  readonly unknowns: readonly number[];
  readonly coefficients: readonly bigint[];
  readonly cause: Cause;
}

/** A form expresses an unknown by bases and free unknowns. */
export type Form = ReadonlyMap<number, Exponent>;

/** An equation adds something new, or nothing, or that two things are equal that are not. */
export type Outcome =
  | { readonly kind: "new" }
  | { readonly kind: "follows" }
  | { readonly kind: "contradicts"; readonly cause: Cause };

/** Rows up to this length are kept reduced; longer ones stay as written, so that memory is linear. */
const SHORT = 8;

/** Rows with larger coefficients stay as written too. */
const LARGE: bigint = 2n ** 128n;

/**
 * Eliminates over the rationals without fractions: every row has integers without a common divisor. Unknowns
 * below `bases` are independent symbols, which never go. Unknowns are ordered as they are first met, and an
 * equation defines the last of its own that is still free, by earlier ones: so the system is triangular but
 * for equations between known unknowns. Rows are shortened when they are used, as paths in union-find are.
 * Cost: linear in the equations, plus for each between known unknowns what its two sides are made of.
 */
export class Elimination {
  readonly #bases: number;
  /** Rows are indexed by place in the order, as everything inside is. */
  readonly #rows: (Row | undefined)[] = [];
  /** Each unknown has its place in the order; −1 before it is met. */
  readonly #places: Int32Array;
  readonly #met: number[] = [];
  readonly #records: boolean;
  /** One combination holds a row in progress, the other a row shortened meanwhile; both are reused. */
  readonly #sum: Combination;
  readonly #shortening: Combination;
  readonly #heap = new Heap();
  #serial = 0;
  #rank = 0;

  /** If `records` is true, rows remember which equations they come from. */
  constructor(bases: number, unknowns: number, records = false) {
    this.#bases = bases;
    this.#places = new Int32Array(unknowns).fill(-1);
    this.#records = records;
    this.#sum = new Combination(records);
    this.#shortening = new Combination(records);
    for (let base = 0; base < bases; base++) this.#place(base);
  }

  /** Counts the equations that said something new. */
  get rank(): number {
    return this.#rank;
  }

  /** Tells whether no equation defines an unknown, so that it is a dimension of its own. */
  isFree(unknown: number): boolean {
    return unknown >= this.#bases && this.#rows[this.#place(unknown)] === undefined;
  }

  /** Adds an equation under this number. After a contradiction the rest is as before. */
  add(equation: number, terms: readonly UnknownTerm[]): Outcome {
    const cause: Cause = this.#records ? { kind: "equation", serial: this.#serial++, equation } : undefined;
    const sum = this.#sum;
    const placed = this.#placed(terms);
    sum.clear();
    sum.addTerms(placed, cause);
    const last = sum.last();
    const isDefinition = last >= this.#bases && this.#rows[last] === undefined;
    const isReduced = placed.every(([place]) => this.#rows[place] === undefined);
    if (!isReduced && this.#expand(sum, isDefinition ? SHORT : Number.POSITIVE_INFINITY) === undefined) {
      sum.clear();
      sum.addTerms(placed, cause);
    }
    const reduced = sum.row(() => this.#serial++);
    const pivot = reduced.unknowns[0];
    if (pivot === undefined) return { kind: "follows" };
    if (pivot < this.#bases) return { kind: "contradicts", cause: reduced.cause };
    this.#rows[pivot] = reduced;
    this.#rank += 1;
    return { kind: "new" };
  }

  /** Expresses a combination of unknowns by bases and free unknowns. Law: linear in `terms`. */
  formOf(terms: readonly UnknownTerm[]): Form {
    const combination = new Combination(false);
    combination.addTerms(this.#placed(terms), undefined);
    const scale = this.#expand(combination, Number.POSITIVE_INFINITY);
    if (scale === undefined) throw new InvariantError("an expansion without a limit stopped");
    return new Map(
      combination
        .entries()
        .map(([place, coefficient]) => [at(this.#met, place), exponentOf(coefficient, scale)]),
    );
  }

  /** Returns the place of an unknown in the order; one that is met for the first time gets the next. */
  #place(unknown: number): number {
    const known = integerAt(this.#places, unknown);
    if (known >= 0) return known;
    this.#places[unknown] = this.#met.length;
    this.#rows.push(undefined);
    return this.#met.push(unknown) - 1;
  }

  /** Indexes terms by places. Of several new unknowns the greatest is met last. */
  #placed(terms: readonly UnknownTerm[]): UnknownTerm[] {
    let greatest = -1;
    for (const [unknown] of terms) {
      if (unknown > greatest && integerAt(this.#places, unknown) < 0) greatest = unknown;
    }
    for (const [unknown] of terms) if (unknown !== greatest) this.#place(unknown);
    return terms.map(([unknown, coefficient]) => [this.#place(unknown), coefficient]);
  }

  /** Replaces unknowns by their rows. Returns the factor it multiplied by; `undefined` beyond the limit. */
  #expand(combination: Combination, limit: number): bigint | undefined {
    const heap = this.#heap;
    heap.clear();
    combination.pushTo(heap);
    let scale = 1n;
    for (let unknown = heap.pop(); unknown !== undefined; unknown = heap.pop()) {
      const coefficient = combination.coefficientOf(unknown);
      const row = this.#shortened(unknown);
      if (coefficient === 0n || row === undefined) continue;
      const pivot = at(row.coefficients, 0);
      const divisor = greatestCommonDivisor(coefficient, pivot);
      const times = pivot / divisor;
      combination.scale(times);
      scale *= times;
      combination.addRow(row, -coefficient / divisor, heap);
      if (combination.size > limit || (limit === SHORT && combination.isLarge)) return undefined;
    }
    return scale;
  }

  /** Returns the row of an unknown, reduced by one more step where it stays short. */
  #shortened(unknown: number): Row | undefined {
    const row = this.#rows[unknown];
    if (row === undefined || row.unknowns.length > SHORT) return row;
    const isDone = row.unknowns.every((other) => other === unknown || this.#rows[other] === undefined);
    if (isDone) return row;
    const combination = this.#shortening;
    combination.clear();
    combination.addRow(row, 1n);
    for (const other of row.unknowns) {
      const next = other === unknown ? undefined : this.#rows[other];
      const coefficient = combination.coefficientOf(other);
      if (next === undefined || coefficient === 0n) continue;
      const pivot = at(next.coefficients, 0);
      const divisor = greatestCommonDivisor(coefficient, pivot);
      combination.scale(pivot / divisor);
      combination.addRow(next, -coefficient / divisor);
      if (combination.size > SHORT || combination.isLarge) return row;
    }
    const shorter = combination.row(() => this.#serial++);
    this.#rows[unknown] = shorter;
    return shorter;
  }
}

/** This is a sum of rows in progress. */
class Combination {
  readonly #coefficients = new Map<number, bigint>();
  #parts: [Cause, bigint][] = [];
  readonly #records: boolean;

  constructor(records: boolean) {
    this.#records = records;
  }

  get size(): number {
    return this.#coefficients.size;
  }

  /** Makes the sum empty. */
  clear(): void {
    this.#coefficients.clear();
    if (this.#records) this.#parts = [];
  }

  /** Tells whether some coefficient is too large to keep: a chain of squares doubles it at each step. */
  get isLarge(): boolean {
    for (const coefficient of this.#coefficients.values()) {
      if (coefficient > LARGE || coefficient < -LARGE) return true;
    }
    return false;
  }

  /** Returns the last place in the sum; −1 where it is empty. */
  last(): number {
    let last = -1;
    for (const place of this.#coefficients.keys()) if (place > last) last = place;
    return last;
  }

  pushTo(heap: Heap): void {
    for (const unknown of this.#coefficients.keys()) heap.push(unknown);
  }

  entries(): (readonly [unknown: number, coefficient: bigint])[] {
    return [...this.#coefficients];
  }

  coefficientOf(unknown: number): bigint {
    return this.#coefficients.get(unknown) ?? 0n;
  }

  scale(times: bigint): void {
    if (times === 1n) return;
    for (const [unknown, coefficient] of this.#coefficients)
      this.#coefficients.set(unknown, coefficient * times);
    for (const part of this.#parts) part[1] *= times;
  }

  addTerms(terms: readonly UnknownTerm[], cause: Cause): void {
    for (const [unknown, coefficient] of terms) this.#add(unknown, coefficient);
    if (this.#records) this.#parts.push([cause, 1n]);
  }

  addRow({ unknowns, coefficients, cause }: Row, times: bigint, heap?: Heap): void {
    for (let i = 0; i < unknowns.length; i++) {
      const isNew = this.#add(at(unknowns, i), at(coefficients, i) * times);
      if (isNew) heap?.push(at(unknowns, i));
    }
    if (this.#records) this.#parts.push([cause, times]);
  }

  /** Returns the sum as a row, without a common divisor, its first coefficient positive. */
  row(serial: () => number): Row {
    const unknowns = [...this.#coefficients.keys()].sort((a, b) => b - a);
    let divisor = 0n;
    for (const coefficient of this.#coefficients.values()) {
      divisor = greatestCommonDivisor(coefficient, divisor);
      if (divisor === 1n) break;
    }
    const first = this.coefficientOf(unknowns[0] ?? 0);
    const over = divisor === 0n ? 1n : first < 0n ? -divisor : divisor;
    const coefficients = unknowns.map((unknown) => this.coefficientOf(unknown) / over);
    return { unknowns, coefficients, cause: this.#cause(over, serial) };
  }

  #cause(over: bigint, serial: () => number): Cause {
    if (!this.#records) return undefined;
    const [[cause, times] = [undefined, 0n]] = this.#parts;
    if (this.#parts.length === 1 && times === over) return cause;
    return { kind: "combination", serial: serial(), parts: this.#parts, over };
  }

  #add(unknown: number, coefficient: bigint): boolean {
    const before = this.#coefficients.get(unknown);
    const sum = (before ?? 0n) + coefficient;
    if (sum === 0n) this.#coefficients.delete(unknown);
    else this.#coefficients.set(unknown, sum);
    return before === undefined && sum !== 0n;
  }
}
