import { at, present } from "../../../../spec/shapes/index.ts";
import {
  type Application,
  type Expression,
  isFlat,
  KnownParts,
  type ScalarFunction,
  scalarFunctions,
} from "../expression.ts";
import { Sequences } from "./sequences.ts";

/** Returns the numbers of the reads that an expression uses. Cost: linear in its parts. */
export function readsIn(expression: Expression): ReadonlySet<number> {
  const reads = new Set<number>();
  eachRead(expression, (read) => reads.add(read));
  return reads;
}

/** Says of each of `count` reads whether an expression uses it. Cost: linear in its parts. */
export function usesOf(expression: Expression, count: number): readonly boolean[] {
  const uses = new Array<boolean>(count).fill(false);
  eachRead(expression, (read) => {
    uses[read] = true;
  });
  return uses;
}

function eachRead(expression: Expression, hear: (read: number) => void): void {
  let seen: KnownParts<Expression, true> | undefined;
  const visit = (part: Expression): void => {
    if (part.kind === "read") hear(part.read);
    if (part.kind !== "apply" || seen?.get(part)) return;
    if (part !== expression) {
      seen ??= new KnownParts();
      seen.set(part, true);
    }
    for (const operand of part.operands) visit(operand);
  };
  visit(expression);
}

/**
 * Says whether an expression uses the reads 0 … `count` − 1, all of them. Cost: linear in its parts; without
 * memory where the expression is small.
 */
export function usesAll(expression: Expression, count: number): boolean {
  if (count === 0) return true;
  const used = count > MOST_BITS ? undefined : readBits(expression, SHALLOW);
  return used === undefined ? !usesOf(expression, count).includes(false) : used === 2 ** count - 1;
}

/** A number has room for so many marks. */
const MOST_BITS = 30;

/** So deep an expression is walked as a tree, whatever its parts share. */
const SHALLOW = 3;

/** Returns a bit for each read of an expression that is no deeper than `depth`; else `undefined`. */
function readBits(expression: Expression, depth: number): number | undefined {
  if (expression.kind === "read") return 1 << expression.read;
  if (expression.kind === "literal") return 0;
  if (depth === 0) return undefined;
  let bits = 0;
  for (const operand of expression.operands) {
    const more = readBits(operand, depth - 1);
    if (more === undefined) return undefined;
    bits |= more;
  }
  return bits;
}

/**
 * Applies `rule` to every application of `expression`, operands first, until nothing changes. Unchanged parts
 * stay the same objects. `rule` returns `undefined` where it does not apply, and else something smaller.
 */
export function simplified(
  expression: Expression,
  rule: (application: Application) => Expression | undefined,
): Expression {
  if (expression.kind !== "apply") return expression;
  if (isFlat(expression)) {
    const after = rule(expression);
    return after === undefined ? expression : simplified(after, rule);
  }
  let done: KnownParts<Expression, Expression> | undefined;
  const visit = (part: Expression): Expression => {
    if (part.kind !== "apply") return part;
    const known = done?.get(part);
    if (known !== undefined) return known;
    const before = changed(part, visit);
    const after = rule(before);
    const result = after === undefined ? before : visit(after);
    if (part !== expression) {
      done ??= new KnownParts();
      done.set(part, result);
    }
    return result;
  };
  return visit(expression);
}

/** Changes each operand of an application. Returns the same object if none changes. */
function changed(part: Application, change: (operand: Expression) => Expression): Application {
  const { operands } = part;
  for (let n = 0; n < operands.length; n++) {
    const operand = at(operands, n);
    const other = change(operand);
    if (other === operand) continue;
    const rest = operands.slice(n + 1).map(change);
    return { kind: "apply", function: part.function, operands: [...operands.slice(0, n), other, ...rest] };
  }
  return part;
}

/** Says whether an expression is this very number; 0 and −0 differ. */
export function isLiteral(expression: Expression | undefined, value: number): boolean {
  return expression?.kind === "literal" && Object.is(expression.value, value);
}

/** Says whether an expression is +0 or −0. */
export function isZero(expression: Expression | undefined): boolean {
  return expression?.kind === "literal" && expression.value === 0;
}

/**
 * Makes equal expressions the same object. Literals are equal if their bits are (there is one NaN). The
 * operands of sums, products and equalities have no order, which is exact in IEEE arithmetic with one NaN.
 */
export class ExpressionTable {
  /** Numbers are those of sequences: a kind of expression, and what distinguishes it within its kind. */
  readonly #sequences = new Sequences();
  readonly #expressions: Expression[] = [];
  readonly #literals = new Map<number, number>();
  readonly #reads: number[] = [];
  /** Each number has here the last call of {@link unique} in which it stood for an application. */
  readonly #calls: number[] = [];
  #call = 0;

  /**
   * Returns the one object for `expression`, with renumbered reads if `readNumber` is there; the number that
   * stands for it; and how many of its applications were equal to others of it. Cost: linear in its parts.
   */
  unique(expression: Expression, readNumber?: readonly number[]): Unique {
    let done: KnownParts<Expression, number> | undefined;
    let merged = 0;
    const call = ++this.#call;
    const visit = (part: Expression): number => {
      if (part.kind === "literal") return this.#literal(part);
      if (part.kind === "read")
        return this.#read(readNumber === undefined ? part.read : at(readNumber, part.read));
      const known = done?.get(part);
      if (known !== undefined) return known;
      const found = this.#application(part, part.operands.map(visit));
      if (part !== expression) {
        done ??= new KnownParts();
        done.set(part, found);
      }
      if (this.#calls[found] === call) merged += 1;
      this.#calls[found] = call;
      return found;
    };
    const number = visit(expression);
    return { expression: at(this.#expressions, number), number, merged };
  }

  #literal(part: Extract<Expression, { kind: "literal" }>): number {
    // A Map has one entry for 0 and −0, and its numbers begin with 1.
    const known = this.#literals.get(part.value) ?? this.#literals.size + 1;
    this.#literals.set(part.value, known);
    return this.#leaf(kinds.literal, Object.is(part.value, -0) ? 0 : known, part);
  }

  #read(read: number): number {
    const known = this.#reads[read] ?? this.#leaf(kinds.read, read, { kind: "read", read });
    this.#reads[read] = known;
    return known;
  }

  #application(part: Application, operands: readonly number[]): number {
    const { function: name } = part;
    const code = present(codes.get(name), name);
    const [x = 0, y = 0] = operands;
    this.#sequences.write(code);
    if (isCommutative(name) && y < x) {
      this.#sequences.write(y);
      this.#sequences.write(x);
    } else for (let n = 0; n < operands.length; n++) this.#sequences.write(at(operands, n));
    const number = this.#sequences.close();
    if (number === this.#expressions.length) this.#add(withParts(part, operands, this.#expressions));
    return number;
  }

  #leaf(kind: number, value: number, part: Expression): number {
    this.#sequences.write(kind);
    this.#sequences.write(value);
    const number = this.#sequences.close();
    if (number === this.#expressions.length) this.#add(part);
    return number;
  }

  #add(expression: Expression): void {
    this.#expressions.push(expression);
    this.#calls.push(0);
  }
}

/** What a table has for an expression. */
export interface Unique {
  readonly expression: Expression;
  readonly number: number;
  readonly merged: number;
}

/** Returns an application of the expressions that stand for `operands`; the same object if it is that. */
function withParts(
  part: Application,
  operands: readonly number[],
  known: readonly Expression[],
): Application {
  const isSame = operands.every((operand, n) => known[operand] === part.operands[n]);
  return isSame ? part : { ...part, operands: operands.map((operand) => at(known, operand)) };
}

/** Sequences of expressions begin with these, or with the code of a function. */
const kinds = { literal: 0, read: 1, function: 2 } as const;

const codes: ReadonlyMap<string, number> = new Map(
  Object.keys(scalarFunctions).map((name, n) => [name, kinds.function + n]),
);

function isCommutative(name: ScalarFunction): boolean {
  return name === "add" || name === "multiply" || name === "equal";
}
