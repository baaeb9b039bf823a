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
  const nothing: Inlined = { body, applications, fired: 0 };
  const found = new Map<number, Replacement>();
  for (const [number, access] of body.reads.entries()) {
    const replacement = replacementOf(access);
    if (replacement !== undefined) found.set(number, replacement);
  }
  // The largest comes first: its reads keep their numbers, so that its expression is shared, not copied.
  const order = [...found].sort(([, a], [, b]) => b.applications - a.applications);
  const reads: Read[] = [];
  const inPlace = new Map<number, Expression>();
  let total = applications;
  let kept = body.reads.length;
  for (const [number, { producer, applications: more }] of order) {
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
    inPlace.set(number, renumbered(producer.body.expression, numbers));
  }
  if (inPlace.size === 0) return nothing;
  const expression = substitute(
    body.expression,
    (number) => inPlace.get(number) ?? read(numberedIn(reads, at(body.reads, number))),
  );
  return { body: { reads, expression }, applications: total, fired: inPlace.size };
}

function renumbered(expression: Expression, numbers: readonly number[]): Expression {
  if (numbers.every((number, n) => number === n)) return expression;
  return substitute(expression, (number) => read(at(numbers, number)));
}

/** Returns the number of an equal read, which is appended if there is none. */
function numberedIn(reads: Read[], one: Read): number {
  const known = reads.findIndex((other) => isSameRead(one, other));
  if (known >= 0) return known;
  reads.push(one);
  return reads.length - 1;
}

function isSameRead(a: Read, b: Read): boolean {
  return a.value === b.value && isSameAccess(a, b);
}

function isSameAccess(a: Access, b: Access): boolean {
  return (
    isSamePlace(a, b) &&
    a.indirections.length === b.indirections.length &&
    a.indirections.every((one, n) => {
      const other = at(b.indirections, n);
      return one.index === other.index && one.scale === other.scale && isSamePlace(one, other);
    })
  );
}

function isSamePlace(
  a: { readonly offset: number; readonly strides: readonly number[] },
  b: { readonly offset: number; readonly strides: readonly number[] },
): boolean {
  return a.offset === b.offset && a.strides.every((stride, axis) => stride === b.strides[axis]);
}
