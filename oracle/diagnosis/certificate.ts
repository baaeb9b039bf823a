import type { Equation } from "../../reference/units/index.ts";
import { at } from "../../spec/shapes/index.ts";
import {
  addExponents,
  type Exponent,
  exponentOf,
  greatestCommonDivisor,
  multiplyExponents,
} from "../../spec/units/index.ts";
import type { Cause } from "./elimination.ts";

/** A certificate is a combination of equations whose sum says that a product of bases other than 1 is 1. */
export type Certificate = readonly {
  readonly equation: number;
  readonly times: bigint;
}[];

/**
 * Tells whether the equations cannot all hold: the combination leaves bases, and nothing else. All the
 * checking is here; how the certificate was found does not matter.
 */
export function certifies(
  certificate: Certificate,
  equations: readonly Pick<Equation, "terms">[],
  bases: number,
): boolean {
  const sum = new Map<number, bigint>();
  for (const { equation, times } of certificate) {
    for (const [unknown, coefficient] of equations[equation]?.terms ?? []) {
      sum.set(unknown, (sum.get(unknown) ?? 0n) + times * coefficient);
    }
  }
  const left = [...sum].filter(([, coefficient]) => coefficient !== 0n);
  return left.length > 0 && left.every(([unknown]) => unknown < bases);
}

/**
 * Computes how many times each equation goes into a row. Rows are made of independent equations only, so none
 * can be left out. Cost: linear in the rows that it is made of.
 */
export function certificateOf(root: Cause): Certificate {
  const weights = new Map<NonNullable<Cause>, Exponent>();
  if (root !== undefined) weights.set(root, exponentOf(1n));
  const times = new Map<number, Exponent>();
  for (const cause of causesBehind(root)) {
    const weight = weights.get(cause) ?? exponentOf(0n);
    if (cause.kind === "equation") {
      times.set(cause.equation, addExponents(times.get(cause.equation) ?? exponentOf(0n), weight));
      continue;
    }
    for (const [part, share] of cause.parts) {
      if (part === undefined) continue;
      const own = multiplyExponents(weight, exponentOf(share, cause.over));
      weights.set(part, addExponents(weights.get(part) ?? exponentOf(0n), own));
    }
  }
  return inIntegers([...times].filter(([, { numerator }]) => numerator !== 0n));
}

/** Lists everything a row is made of, the latest first. */
function causesBehind(root: Cause): NonNullable<Cause>[] {
  const found = new Set<NonNullable<Cause>>();
  const waiting = root === undefined ? [] : [root];
  for (let cause = waiting.pop(); cause !== undefined; cause = waiting.pop()) {
    if (found.has(cause)) continue;
    found.add(cause);
    if (cause.kind === "combination") {
      for (const [part] of cause.parts) if (part !== undefined) waiting.push(part);
    }
  }
  return [...found].sort((a, b) => b.serial - a.serial);
}

function inIntegers(times: readonly (readonly [equation: number, Exponent])[]): Certificate {
  const common = times.reduce(
    (multiple, [, { denominator }]) =>
      (multiple * denominator) / greatestCommonDivisor(multiple, denominator),
    1n,
  );
  const whole = times.map(([equation, { numerator, denominator }]) => ({
    equation,
    times: (numerator * common) / denominator,
  }));
  const divisor = whole.reduce((known, part) => greatestCommonDivisor(known, part.times), 0n);
  const sorted = whole.sort((a, b) => a.equation - b.equation);
  const sign = sorted.length > 0 && at(sorted, sorted.length - 1).times < 0n ? -1n : 1n;
  return sorted.map((part) => ({ ...part, times: (sign * part.times) / divisor }));
}
