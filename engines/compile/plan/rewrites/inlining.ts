import { at, type Shape } from "../../../../spec/shapes/index.ts";
import { type Expression, read, substitute } from "../expression.ts";
import type { Access, Body, Read } from "../program.ts";
import { type Producer, readsThrough } from "./composition.ts";

/** A body may grow to these limits, so that its code stays reasonable. */
export interface BodyLimits {
  readonly reads: number;
  readonly applications: number;
}

/** A read may be replaced by this. */
export interface Replacement {
  readonly producer: Producer;
  /** The number of applications in the producer's expression. */
  readonly applications: number;
}

/** A body after inlining. */
export interface Inlined {
  readonly body: Body;
  /** The most applications that it may have. */
  readonly applications: number;
  /** The number of reads that are gone. */
  readonly fired: number;
}

/**
 * Computes the producers that `replacementOf` names inside `body`, a loop over `extents` with so many
 * `applications`, within the limits, where their elements are found in that loop. Equal reads are merged.
 */
export function inlined(
  body: Body,
  extents: Shape,
  applications: number,
  replacementOf: (read: Read) => Replacement | undefined,
  limits: BodyLimits,
): Inlined {
  const found: (Replacement & { readonly number: number })[] = [];
  for (let number = 0; number < body.reads.length; number++) {
    const replacement = replacementOf(at(body.reads, number));
    if (replacement !== undefined) found.push({ ...replacement, number });
  }
  const nothing: Inlined = { body, applications, fired: 0 };
  if (found.length === 0) return nothing;
  // The largest comes first: its reads keep their numbers, so that its expression is shared, not copied.
  if (found.length > 1) found.sort((a, b) => b.applications - a.applications);
  const reads: Read[] = [];
  /** What stands for the reads of the body, by number; one object for each. */
  const parts = new Array<Expression | undefined>(body.reads.length);
  let fired = 0;
  let total = applications;
  let kept = body.reads.length;
  for (const { number, producer, applications: more } of found) {
    const through = readsThrough(producer, at(body.reads, number), extents);
    if (through === undefined || total + more > limits.applications) continue;
    const before = reads.length;
    const numbers = through.map((one) => numberedIn(reads, one));
    // The reads that are not replaced come after these, and need room too.
    if (reads.length + kept - 1 > Math.max(limits.reads, body.reads.length)) {
      reads.length = before;
      continue;
    }
    kept -= 1;
    total += more;
    parts[number] = renumbered(producer.body.expression, numbers);
    fired += 1;
  }
  if (fired === 0) return nothing;
  const expression = substitute(body.expression, (number) => {
    const part = parts[number] ?? read(numberedIn(reads, at(body.reads, number)));
    parts[number] = part;
    return part;
  });
  return { body: { reads, expression }, applications: total, fired };
}

function renumbered(expression: Expression, numbers: readonly number[]): Expression {
  if (numbers.every((number, n) => number === n)) return expression;
  const parts = numbers.map(read);
  return substitute(expression, (number) => at(parts, number));
}

/** Returns the number of an equal read, which is appended if there is none. */
function numberedIn(reads: Read[], one: Read): number {
  for (let number = 0; number < reads.length; number++) if (isSameRead(one, at(reads, number))) return number;
  return reads.push(one) - 1;
}

/** Says whether two reads find the same elements of one value. */
export function isSameRead(a: Read, b: Read): boolean {
  return a.value === b.value && isSameAccess(a, b);
}

function isSameAccess(a: Access, b: Access): boolean {
  if (!isSamePlace(a, b) || a.indirections.length !== b.indirections.length) return false;
  return a.indirections.every((one, n) => {
    const other = at(b.indirections, n);
    return one.index === other.index && one.scale === other.scale && isSamePlace(one, other);
  });
}

function isSamePlace(
  a: { readonly offset: number; readonly strides: readonly number[] },
  b: { readonly offset: number; readonly strides: readonly number[] },
): boolean {
  if (a.offset !== b.offset) return false;
  for (let axis = 0; axis < a.strides.length; axis++) if (a.strides[axis] !== b.strides[axis]) return false;
  return true;
}
