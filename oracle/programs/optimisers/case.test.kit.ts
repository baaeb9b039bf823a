import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Named } from "../../../reference/state/optimisers/calls.test.kit.ts";
import type { Program } from "../../../spec/index.ts";

/** A library is asked this: its optimiser by name, and options under the library's own names. */
export interface LibraryQuestion {
  readonly optimiser: string;
  /** Each group has its options. */
  readonly options: Readonly<Record<string, Readonly<Record<string, number | boolean | readonly number[]>>>>;
  readonly clip?: { readonly kind: "value" | "norm"; readonly limit: number };
  readonly schedule?: { readonly kind: string } & Readonly<Record<string, number | string>>;
  /** This many micro-batches make one step, averaged or not; optax gathers them in this type. */
  readonly every?: { readonly calls: number; readonly isMean: boolean; readonly accumulator?: "float64" };
  /** If true, the library computes some of it in float32 though asked in float64 [docs/findings.md]. */
  readonly isNarrow?: boolean;
}

/** A run of so many calls, in three writings: a program, by hand, and as libraries are asked. */
export interface OptimiserCase {
  readonly title: string;
  readonly program: Program;
  /** The parameters, with where they begin. */
  readonly parameters: Named<number>;
  /** Other contents that do not begin empty. */
  readonly contents: Named<number>;
  /** If true, all operations must be correctly rounded: no other bound says so of a product that is 0. */
  readonly isCorrectlyRounded?: boolean;
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly calls: readonly Named<number>[];
  /** The gradients of each call, by parameter; none where a call has none. */
  readonly gradients: readonly Named<number>[];
  /** The parameters after each call, by hand. */
  readonly byHand: readonly Named<number>[];
  readonly torch?: LibraryQuestion;
  readonly optax?: LibraryQuestion;
}

/** Each case has so many calls. */
export const CALLS = 60;

/** Draws numbers between −2 and 2, the same for a seed. */
export function stream(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => generator.next() / 2 ** 30;
}

/** Puts the group's name before the names of what it is given. */
export function prefixed(group: string, given: Readonly<Record<string, number>>): Named<number> {
  return Object.fromEntries(Object.entries(given).map(([name, x]) => [`${group}.${name}`, [x]]));
}

export const [rate, momentum, weight, tau] = [0.1, 0.9, 0.02, 0.25];
const beta1 = 0.9;
export const [beta2, epsilon, epsilonRoot, smoothing] = [0.99, 1e-3, 1e-2, 0.95];
export const adams = { beta1, beta2, epsilon };
export const asAdam = { lr: rate, betas: [beta1, beta2], eps: epsilon };
export const asOptaxAdam = { learning_rate: rate, b1: beta1, b2: beta2, eps: epsilon };
