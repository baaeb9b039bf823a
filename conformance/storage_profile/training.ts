import {
  type CodeRounding,
  decode,
  encode,
  groupSizeOf,
  type StorageType,
} from "../../reference/numerics/storage/index.ts";
import { at, fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Answered, Asked } from "./dialect.ts";
import type { Kept } from "./words.ts";

/*
 * What training does with kept tensors, by float32 and the codecs of the reference: docs/storage-profile.md
 * has the definitions.
 */

const fround = Math.fround;

function keptLike(tensor: Kept, values: readonly number[], rounding: CodeRounding): Result<Kept, Issue[]> {
  const kept = encode(tensor.type, values, rounding);
  return kept.ok ? ok({ ...kept.value, shape: tensor.shape }) : kept;
}

/** The factors of a step of AdamW, which double precision holds. */
export interface AdamwFactors {
  /** A parameter is multiplied by it: 1 − rate · decay. */
  readonly decayed: number;
  /** The rate, divided by 1 − β₁ᵗ. */
  readonly rate: number;
  /** 1 − β₂ᵗ. */
  readonly correction: number;
}

export function adamwFactors({ rate, decay, betas: [one, two], count }: Asked["adamw"]): AdamwFactors {
  return { decayed: 1 - rate * decay, rate: rate / (1 - one ** count), correction: 1 - two ** count };
}

/** Returns the step of AdamW, whose moments are kept before they move the parameter. */
export function adamwStep(asked: Asked["adamw"], draws: CodeRounding): Result<Answered["adamw"], Issue[]> {
  const { gradient, betas, epsilon, parameter } = asked;
  const g = decode(gradient);
  const mixed = (old: Kept, beta: number, next: (x: number) => number): readonly number[] =>
    decode(old).map((x, i) => fround(fround(beta * x) + fround((1 - beta) * next(at(g, i)))));
  const first = keptLike(
    asked.first,
    mixed(asked.first, betas[0], (x) => x),
    draws,
  );
  const second = keptLike(
    asked.second,
    mixed(asked.second, betas[1], (x) => x * x),
    draws,
  );
  if (!first.ok) return first;
  if (!second.ok) return second;
  const { decayed, rate, correction } = adamwFactors(asked);
  const [m, v] = [decode(first.value), decode(second.value)];
  const moved = decode(parameter).map((x, i) => {
    const size = fround(fround(Math.sqrt(fround(at(v, i) / correction))) + epsilon);
    return fround(fround(decayed * x) - fround(rate * fround(at(m, i) / size)));
  });
  const kept = keptLike(parameter, moved, draws);
  return kept.ok ? ok({ parameter: kept.value, gradient, first: first.value, second: second.value }) : kept;
}

/** Returns the norm of all tensors together, in double precision. */
export function normOf(tensors: readonly Kept[]): number {
  return Math.sqrt(tensors.reduce((sum, one) => sum + decode(one).reduce((s, x) => s + x * x, 0), 0));
}

/** Returns gradients whose norm is nearly at most the limit: scales are multiplied, and codes stay. */
export function clipped({ most, tensors }: Asked["clip"]): Answered["clip"] {
  const norm = normOf(tensors);
  const factor = most / (norm + 1e-6);
  const shrunk = ({ type, codes, grids, shape }: Kept): Kept => ({
    type,
    shape,
    codes: type.kind === "float32" ? codes.map((x) => fround(x * factor)) : codes,
    grids: grids.map(({ scale, zero }) => ({ scale: fround(scale * factor), zero })),
  });
  return { norm: fround(norm), tensors: factor < 1 ? tensors.map(shrunk) : tensors };
}

/** Codes of two blocks with one power of two for their products: how many, their sum, and its scale. */
export interface Segment {
  readonly sum: number;
  readonly scale: number;
}

/** Splits a sum of products into segments, in which both tensors stay in one group. */
export function segmentsOf({ left, right }: Asked["block_dot"]): readonly Segment[] {
  const segments: { sum: number; scale: number; groups: string }[] = [];
  const groupOf = ({ type, codes }: Kept, i: number): number =>
    Math.floor(i / groupSizeOf(type, codes.length));
  for (const [i, code] of left.codes.entries()) {
    const [one, other] = [groupOf(left, i), groupOf(right, i)];
    const product = code * at(right.codes, i);
    const last = segments.at(-1);
    const scale = at(left.grids, one).scale * at(right.grids, other).scale;
    if (last?.groups === `${one} ${other}`) last.sum += product;
    else segments.push({ sum: product, scale, groups: `${one} ${other}` });
  }
  return segments;
}

/** Adds up products of blocks: integers within a segment, float32 from one to the next. */
export function blockDot(asked: Asked["block_dot"]): Result<number, Issue[]> {
  const segments = segmentsOf(asked);
  if (segments.some(({ sum }) => Math.abs(sum) > 2 ** 31 - 1)) return fail([beyondWords]);
  return ok(segments.reduce((total, { sum, scale }) => fround(total + fround(fround(sum) * scale)), 0));
}

const beyondWords: Issue = {
  code: "storage/overflow",
  pointer: "",
  message: "the sum of a segment needs more than 32 bits.",
  hint: "smaller groups, or mantissas of fewer bits",
};

/**
 * Returns the gradient by the weights of a chain of layers, `h ← keep(relu(W h))`, each wire kept in a type.
 * Reverse mode reads the wires, stored or computed again from the first by the same draws: the definition is
 * one for both.
 */
export function chained(
  { wire, depth, width, input, weights, cotangent }: Asked["chain"],
  draws: CodeRounding,
): Result<readonly number[], Issue[]> {
  const wires: (readonly number[])[] = [input];
  for (let layer = 0; layer < depth; layer++) {
    const before = at(wires, layer);
    const values = Array.from({ length: width }, (_, row) =>
      Math.max(0, dot(weights, (layer * width + row) * width, before)),
    );
    const kept = encode(wire, values, draws);
    if (!kept.ok) return kept;
    wires.push(decode(kept.value));
  }
  const gradient = weights.map(() => 0);
  let bar = cotangent;
  for (let layer = depth - 1; layer >= 0; layer--) {
    const masked = bar.map((x, row) => (at(at(wires, layer + 1), row) > 0 ? x : 0));
    const before = at(wires, layer);
    for (let row = 0; row < width; row++)
      for (let column = 0; column < width; column++)
        gradient[(layer * width + row) * width + column] = fround(at(masked, row) * at(before, column));
    bar = before.map((_, column) =>
      masked.reduce(
        (sum, x, row) => fround(sum + fround(x * at(weights, (layer * width + row) * width + column))),
        0,
      ),
    );
  }
  return ok(gradient);
}

function dot(weights: readonly number[], from: number, x: readonly number[]): number {
  return x.reduce((sum, one, i) => fround(sum + fround(at(weights, from + i) * one)), 0);
}

/** Gradients and moments are kept in any of these: blocks of two exponent bits saturate too soon. */
export function isTrained(type: StorageType): boolean {
  return type.kind !== "int32" && (type.kind !== "bfp" || type.exponentBits > 2);
}
