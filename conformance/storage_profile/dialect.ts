import {
  type AccumulationMode,
  formatStorageType,
  type StorageType,
} from "../../reference/numerics/storage/index.ts";
import type { Shape } from "../../spec/shapes/index.ts";
import {
  type AskedRounding,
  byteWord,
  floatWord,
  floatWords,
  type Kept,
  keptWords,
  roundingWord,
  shapeWords,
  type Words,
} from "./words.ts";

/** The questions of the dialect, by their first word. */
export interface Asked {
  /** Quantises numbers on a fresh grid. */
  readonly encode: {
    readonly type: StorageType;
    readonly rounding: AskedRounding;
    readonly shape: Shape;
    readonly values: readonly number[];
  };
  /** Returns the numbers that the codes stand for. */
  readonly decode: { readonly tensor: Kept };
  readonly pack: { readonly tensor: Kept };
  readonly unpack: { readonly type: StorageType; readonly count: number; readonly packed: Uint8Array };
  /** Converts the tensor to another type, into new memory. */
  readonly convert: { readonly type: StorageType; readonly rounding: AskedRounding; readonly tensor: Kept };
  /** Requantises the tensor in place, in a type of the same kind. */
  readonly requantise: {
    readonly type: StorageType;
    readonly rounding: AskedRounding;
    readonly tensor: Kept;
  };
  /** Resets a gradient to zero. */
  readonly zero: { readonly tensor: Kept };
  readonly accumulate: {
    readonly mode: AccumulationMode;
    readonly rounding: AskedRounding;
    readonly tensor: Kept;
    readonly increments: readonly (readonly number[])[];
  };
  /** Returns ∑ xᵢyᵢ of two `sym_int32` tensors, in integer arithmetic. */
  readonly dot: { readonly left: Kept; readonly right: Kept };
  /** Returns ∑ xᵢyᵢ of float32 numbers. */
  readonly float_dot: { readonly left: readonly number[]; readonly right: readonly number[] };
  /** Steps: g′ = g + decay · p; v ← momentum · v + g′, p ← p − rate · v, or without it p ← p − rate · g′. */
  readonly step: {
    readonly rate: number;
    readonly decay: number;
    readonly rounding: AskedRounding;
    readonly parameter: Kept;
    readonly gradient: Kept;
    readonly momentum?: { readonly factor: number; readonly velocity: Kept };
  };
  /** Steps by AdamW, the `count`-th time; the moments are kept, and then move the parameter. */
  readonly adamw: {
    readonly rate: number;
    readonly decay: number;
    readonly betas: readonly [number, number];
    readonly epsilon: number;
    readonly count: number;
    readonly rounding: AskedRounding;
    readonly parameter: Kept;
    readonly gradient: Kept;
    readonly first: Kept;
    readonly second: Kept;
  };
  /** Shrinks gradients whose norm, all together, is above `most`, by most / (norm + 10⁻⁶). */
  readonly clip: { readonly most: number; readonly tensors: readonly Kept[] };
  /** Returns ∑ xᵢyᵢ of two `bfp` tensors: products of codes as integers, float32 from group to group. */
  readonly block_dot: { readonly left: Kept; readonly right: Kept };
  /**
   * Returns the gradient by the weights of a chain of layers `h ← keep(relu(W h))`, whose wires are stored
   * for the way back, or computed again.
   */
  readonly chain: {
    readonly form: "stored" | "recomputed";
    readonly wire: StorageType;
    readonly rounding: AskedRounding;
    readonly depth: number;
    readonly width: number;
    readonly input: readonly number[];
    readonly weights: readonly number[];
    readonly cotangent: readonly number[];
  };
  /** Returns the gradient of a loss by its outputs, undivided (`raw`) or of the mean. */
  readonly loss: {
    readonly kind: "mse" | "cross_entropy";
    readonly form: "raw" | "mean";
    readonly samples: number;
    readonly features: number;
    readonly outputs: readonly number[];
    readonly targets: readonly number[];
  };
  /** Returns the index of the greatest code in each window of the quantised values. */
  readonly max_pool: {
    readonly type: StorageType;
    readonly window: number;
    readonly values: readonly number[];
  };
  /** Returns the type of a parameter's gradient, by default or where a type is asked for. */
  readonly gradient_type: { readonly parameter: StorageType; readonly asked?: StorageType };
  /** Hands a cotangent from a layer, the consumer, back to the one before, the producer, in its type. */
  readonly hand_back: {
    readonly producer: StorageType;
    readonly consumer: StorageType;
    readonly shape: Shape;
    readonly cotangent: readonly number[];
  };
}

/** The first word of a question. */
export type Ask = keyof Asked;

/** The tensors after a step. */
export interface Stepped {
  readonly parameter: Kept;
  readonly gradient: Kept;
  readonly velocity?: Kept;
}

/** The answers, by the first word of their question. */
export interface Answered {
  readonly encode: Kept;
  readonly decode: readonly number[];
  readonly pack: Uint8Array;
  readonly unpack: readonly number[];
  readonly convert: Kept;
  readonly requantise: Kept;
  readonly zero: Kept;
  readonly accumulate: Kept;
  /** The sum of products of codes, and the scale of one unit of it. */
  readonly dot: { readonly code: number; readonly scale: number };
  readonly float_dot: number;
  readonly step: Stepped;
  readonly adamw: {
    readonly parameter: Kept;
    readonly gradient: Kept;
    readonly first: Kept;
    readonly second: Kept;
  };
  /** The norm before, and the tensors after. */
  readonly clip: { readonly norm: number; readonly tensors: readonly Kept[] };
  readonly block_dot: number;
  readonly chain: readonly number[];
  readonly loss: readonly number[];
  readonly max_pool: readonly number[];
  readonly gradient_type: StorageType;
  readonly hand_back: Kept;
}

/** Says how each question is written and its answer read. */
type Dialect = {
  readonly [K in Ask]: {
    readonly write: (asked: Asked[K]) => readonly string[];
    readonly read: (words: Words, asked: Asked[K]) => Answered[K];
  };
};

const kept = (words: Words): Kept => words.kept();

const dialect: Dialect = {
  encode: {
    write: ({ type, rounding, shape, values }) => [
      formatStorageType(type),
      roundingWord(rounding),
      ...shapeWords(shape),
      ...values.map(floatWord),
    ],
    read: kept,
  },
  decode: { write: ({ tensor }) => keptWords(tensor), read: (words) => words.floats() },
  pack: { write: ({ tensor }) => keptWords(tensor), read: (words) => words.bytes() },
  unpack: {
    write: ({ type, count, packed }) => [formatStorageType(type), String(count), byteWord(packed)],
    read: (words) => words.integers(),
  },
  convert: { write: converted, read: kept },
  requantise: { write: converted, read: kept },
  zero: { write: ({ tensor }) => keptWords(tensor), read: kept },
  accumulate: {
    write: ({ mode, rounding, tensor, increments }) => [
      mode,
      roundingWord(rounding),
      ...keptWords(tensor),
      String(increments.length),
      ...increments.flatMap((increment) => increment.map(floatWord)),
    ],
    read: kept,
  },
  dot: {
    write: ({ left, right }) => [...keptWords(left), ...keptWords(right)],
    read: (words) => ({ code: words.integer("the sum"), scale: words.float("the scale") }),
  },
  float_dot: {
    write: ({ left, right }) => [...floatWords(left), ...floatWords(right)],
    read: (words) => words.float("the sum"),
  },
  step: {
    write: ({ rate, decay, rounding, parameter, gradient, momentum }) => [
      momentum === undefined ? "descent" : "momentum",
      floatWord(rate),
      floatWord(decay),
      ...(momentum === undefined ? [] : [floatWord(momentum.factor)]),
      roundingWord(rounding),
      ...keptWords(parameter),
      ...keptWords(gradient),
      ...(momentum === undefined ? [] : keptWords(momentum.velocity)),
    ],
    read: (words, { momentum }) => ({
      parameter: words.kept(),
      gradient: words.kept(),
      ...(momentum === undefined ? {} : { velocity: words.kept() }),
    }),
  },
  adamw: {
    write: ({ rate, decay, betas, epsilon, count, rounding, parameter, gradient, first, second }) => [
      ...[rate, decay, ...betas, epsilon].map(floatWord),
      String(count),
      roundingWord(rounding),
      ...[parameter, gradient, first, second].flatMap(keptWords),
    ],
    read: (words) => ({
      parameter: words.kept(),
      gradient: words.kept(),
      first: words.kept(),
      second: words.kept(),
    }),
  },
  clip: {
    write: ({ most, tensors }) => [floatWord(most), String(tensors.length), ...tensors.flatMap(keptWords)],
    read: (words, { tensors }) => ({
      norm: words.float("the norm"),
      tensors: tensors.map(() => words.kept()),
    }),
  },
  block_dot: {
    write: ({ left, right }) => [...keptWords(left), ...keptWords(right)],
    read: (words) => words.float("the sum"),
  },
  chain: {
    write: ({ form, wire, rounding, depth, width, input, weights, cotangent }) => [
      form,
      formatStorageType(wire),
      roundingWord(rounding),
      String(depth),
      String(width),
      ...[...input, ...weights, ...cotangent].map(floatWord),
    ],
    read: (words) => words.floats(),
  },
  loss: {
    write: ({ kind, form, samples, features, outputs, targets }) => [
      kind,
      form,
      String(samples),
      String(features),
      ...outputs.map(floatWord),
      ...targets.map(floatWord),
    ],
    read: (words) => words.floats(),
  },
  max_pool: {
    write: ({ type, window, values }) => [formatStorageType(type), String(window), ...floatWords(values)],
    read: (words) => words.integers(),
  },
  gradient_type: {
    write: ({ parameter, asked }) => [
      formatStorageType(parameter),
      asked === undefined ? "-" : formatStorageType(asked),
    ],
    read: (words) => words.type(),
  },
  hand_back: {
    write: ({ producer, consumer, shape, cotangent }) => [
      formatStorageType(producer),
      formatStorageType(consumer),
      ...shapeWords(shape),
      ...cotangent.map(floatWord),
    ],
    read: kept,
  },
};

function converted({ type, rounding, tensor }: Asked["convert"]): readonly string[] {
  return [formatStorageType(type), roundingWord(rounding), ...keptWords(tensor)];
}

/** Returns the line that asks. */
export function questionLine<K extends Ask>(ask: K, asked: Asked[K]): string {
  return [ask, ...dialect[ask].write(asked)].join(" ");
}

/** Reads an answer from the words after `ok`; {@link Words.fault} says whether they fit. */
export function readAnswer<K extends Ask>(ask: K, words: Words, asked: Asked[K]): Answered[K] {
  return dialect[ask].read(words, asked);
}
