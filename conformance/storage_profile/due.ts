import {
  accumulate,
  type CodeRounding,
  checkStorageType,
  checkStored,
  codeBits,
  convert,
  decode,
  encode,
  halfAway,
  isComputeType,
  pack,
  packedBytes,
  type StorageType,
  type Stored,
  stochastic,
  unpack,
  zeros,
} from "../../reference/numerics/storage/index.ts";
import { at, counted, fail, type Issue, ok, type Result, type Shape } from "../../spec/shapes/index.ts";
import type { Answered, Ask, Asked, Stepped } from "./dialect.ts";
import { adamwStep, blockDot, chained, clipped } from "./training.ts";
import type { AskedRounding, Kept } from "./words.ts";

const fround = Math.fround;

/** Answers as the reference does, by its codecs and float32. Fails: where a framework has to refuse. */
export const due: { readonly [K in Ask]: (asked: Asked[K]) => Result<Answered[K], Issue[]> } = {
  encode: ({ type, rounding, shape, values }) => shaped(shape, checked(type, values, roundingOf(rounding))),
  decode: ({ tensor }) => then(checkStored(tensor), (stored) => ok(decode(stored))),
  pack: ({ tensor: { type, codes } }) => pack(codes, codeBits(type), type.kind !== "asym"),
  unpack: ({ type, count, packed }) =>
    packed.length === packedBytes(count, codeBits(type))
      ? ok(unpack(packed, count, codeBits(type), type.kind !== "asym"))
      : fail([wrongLength(packed.length, packedBytes(count, codeBits(type)))]),
  convert: converted,
  requantise: ({ type, rounding, tensor }) =>
    then(checkStored(tensor), (stored) =>
      shaped(tensor.shape, checked(type, decode(stored), roundingOf(rounding))),
    ),
  zero: ({ tensor: { type, shape, codes } }) => ok({ ...zeros(type, codes.length), shape }),
  accumulate: ({ mode, rounding, tensor, increments }) =>
    shaped(tensor.shape, accumulate(tensor, increments, mode, roundingOf(rounding))),
  dot: ({ left, right }) => {
    const sum = left.codes.reduce((total, code, i) => total + code * at(right.codes, i), 0);
    return ok({ code: sum, scale: fround(at(left.grids, 0).scale * at(right.grids, 0).scale) });
  },
  float_dot: ({ left, right }) =>
    ok(left.reduce((total, x, i) => fround(total + fround(x * at(right, i))), 0)),
  step: stepped,
  adamw: (asked) => adamwStep(asked, roundingOf(asked.rounding)),
  clip: (asked) => ok(clipped(asked)),
  block_dot: blockDot,
  chain: (asked) => chained(asked, roundingOf(asked.rounding)),
  loss: ({ kind, form, samples, features, outputs, targets }) => {
    const raw = outputs.map((x, i) => fround((kind === "mse" ? 2 : 1) * fround(x - at(targets, i))));
    const divisor = kind === "mse" ? samples * features : samples;
    return ok(form === "raw" ? raw : raw.map((x) => fround(x / divisor)));
  },
  max_pool: ({ type, window, values }) =>
    then(checked(type, values, halfAway), ({ codes }) =>
      ok(
        Array.from({ length: Math.floor(codes.length / window) }, (_, n) => {
          const own = codes.slice(n * window, (n + 1) * window);
          return n * window + own.indexOf(own.reduce((a, b) => Math.max(a, b)));
        }),
      ),
    ),
  gradient_type: ({ parameter, asked }) =>
    ok(asked ?? (isComputeType(parameter) ? { kind: "float32" } : parameter)),
  hand_back: ({ producer, shape, cotangent }) => shaped(shape, checked(producer, cotangent, halfAway)),
};

/** Returns the reference's rounding for that of a question. */
function roundingOf(rounding: AskedRounding): CodeRounding {
  return rounding === "half_away" ? halfAway : stochastic(rounding.seed);
}

function then<T, U>(result: Result<T, Issue[]>, next: (value: T) => Result<U, Issue[]>): Result<U, Issue[]> {
  return result.ok ? next(result.value) : result;
}

function checked(
  type: StorageType,
  values: readonly number[],
  rounding: CodeRounding,
): Result<Stored, Issue[]> {
  return then(checkStorageType(type), () => encode(type, values, rounding));
}

function shaped(shape: Shape, stored: Result<Stored, Issue[]>): Result<Kept, Issue[]> {
  return then(stored, (value) => ok({ ...value, shape }));
}

function converted({ type, rounding, tensor }: Asked["convert"]): Result<Kept, Issue[]> {
  return then(checkStored(tensor), (stored) =>
    shaped(tensor.shape, convert(stored, type, roundingOf(rounding))),
  );
}

function stepped({
  rate,
  decay,
  rounding,
  parameter,
  gradient,
  momentum,
}: Asked["step"]): Result<Stepped, Issue[]> {
  if (gradient.type.kind === "int32") return fail([noGradient]);
  const draws = roundingOf(rounding);
  const [p, g] = [decode(parameter), decode(gradient)];
  const decayed = g.map((x, i) => fround(x + fround(decay * at(p, i))));
  const v = momentum === undefined ? undefined : decode(momentum.velocity);
  const velocity = decayed.map((x, i) =>
    v === undefined || momentum === undefined ? x : fround(fround(momentum.factor * at(v, i)) + x),
  );
  const next = p.map((x, i) => fround(x - fround(rate * at(velocity, i))));
  return then(encode(parameter.type, next, draws), (kept) => {
    const written = { parameter: { ...kept, shape: parameter.shape }, gradient };
    if (momentum === undefined) return ok(written);
    const { type, shape } = momentum.velocity;
    return then(shaped(shape, encode(type, velocity, draws)), (one) => ok({ ...written, velocity: one }));
  });
}

const noGradient: Issue = {
  code: "storage/gradient",
  pointer: "/gradient",
  message: "integers are no gradient.",
  hint: "keep gradients as float32, or as codes with a scale",
};

function wrongLength(given: number, due: number): Issue {
  return {
    code: "storage/length",
    pointer: "/packed",
    message: `${counted(given, "byte")} given, and the codes take ${due}.`,
    hint: "codes lie one after the other, and the last byte is filled with zeros",
  };
}
