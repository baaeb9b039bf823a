import type { LoadedGraph, Reply } from "../../../spec/contract/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type Mutant, mutantTable, survivor, withKernel } from "../mutant.ts";
import { binaryForward, unaryForward } from "../rules.ts";

/** Changes the numbers of a call before it returns them. */
type Finish = (x: number) => number;

async function finished(
  reply: Promise<Reply<readonly FlatTensor[]>>,
  finish: Finish,
): Promise<Reply<readonly FlatTensor[]>> {
  const answer = await reply;
  if (answer.kind !== "result") return answer;
  return {
    kind: "result",
    value: answer.value.map(({ shape, data }) => ({ shape, data: data.map(finish) })),
  };
}

/** Passes every number of a sound program through `finish`. */
function finishing(finish: Finish): {
  around(loaded: { readonly program: LoadedGraph }): Partial<LoadedGraph>;
} {
  return {
    around: ({ program }) => ({
      evaluate: (point) => finished(program.evaluate(point), finish),
      jvp: (point, tangents) => finished(program.jvp(point, tangents), finish),
      vjp: (point, seeds) => finished(program.vjp(point, seeds), finish),
      backwardDense: (point, seeds) => finished(program.backwardDense(point, seeds), finish),
    }),
  };
}

/** Says whether a number is below all normal ones, and not 0. */
function isSubnormal(x: number): boolean {
  return x !== 0 && Math.abs(x) < 2 ** -1022;
}

/** These faults concern NaN, infinities, both zeros and subnormal numbers. */
export const edgeMutants: readonly Mutant[] = mutantTable({
  nan_to_zero: {
    fault: "Every NaN in an answer is replaced by 0.",
    source: survivor,
    ...finishing((x) => (Number.isNaN(x) ? 0 : x)),
  },
  infinity_to_largest: {
    fault: "Every infinity in an answer is replaced by the largest number of its sign.",
    source: survivor,
    ...finishing((x) => Math.min(Math.max(x, -Number.MAX_VALUE), Number.MAX_VALUE)),
  },
  infinity_sign_lost: {
    fault: "Every infinity in an answer is positive.",
    source: survivor,
    ...finishing((x) => (x === Number.NEGATIVE_INFINITY ? -x : x)),
  },
  zero_sign_lost: {
    fault: "Every zero in an answer is positive.",
    source: survivor,
    ...finishing((x) => x + 0),
  },
  subnormals_flushed: {
    fault: "Every subnormal number in an answer is 0.",
    source: survivor,
    ...finishing((x) => (isSubnormal(x) ? 0 : x)),
  },
  subnormals_doubled: {
    fault: "Every subnormal number in an answer is twice what it should be.",
    source: "https://github.com/JuliaMath/Float8s.jl/issues/22",
    ...finishing((x) => (isSubnormal(x) ? 2 * x : x)),
  },
  large_numbers_zeroed: {
    fault: "Cotangents above 10²⁰⁰ are reported as 0.",
    source: survivor,
    around: ({ program }) => {
      const finish: Finish = (x) => (Math.abs(x) > 1e200 ? 0 : x);
      return {
        vjp: (point, seeds) => finished(program.vjp(point, seeds), finish),
        backwardDense: (point, seeds) => finished(program.backwardDense(point, seeds), finish),
      };
    },
  },
  negative_as_difference: {
    fault: "negative is computed as 0 − x, which makes +0 of +0.",
    source: "https://github.com/staalmannen/APExp/pull/392",
    change: withKernel("negative", { forward: unaryForward((x) => 0 - x) }),
  },
  difference_of_equals_negative: {
    fault: "The difference of a number and itself is −0.",
    source: "https://github.com/dawsonjon/fpu/pull/16",
    change: withKernel("subtract", { forward: binaryForward((x, y) => (x === y ? -0 : x - y)) }),
  },
  atan2_zero_sign_lost: {
    fault: "atan2 takes a negative zero for a positive one, and comes out on the other side of the cut.",
    source: survivor,
    change: withKernel("atan2", { forward: binaryForward((y, x) => Math.atan2(y + 0, x)) }),
  },
});
