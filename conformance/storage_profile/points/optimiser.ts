import fc from "fast-check";
import { codeBits, codeLimits, decode, type StorageType } from "../../../reference/numerics/storage/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { Asked } from "../dialect.ts";
import { numbersBetween, scaledKinds, typesOf } from "../draws.ts";
import type { StorageFramework, StorageKind } from "../framework.ts";
import { answered, drawnLaw, type Held, held, isSame, type Law, listedLaw } from "../law.ts";
import { keptOf, strayed } from "../nearness.ts";
import type { Kept } from "../words.ts";

const learnt: readonly StorageKind[] = ["float32", ...scaledKinds];

type Step = Asked["step"];

const fround = Math.fround;

const numbers = (count: number): fc.Arbitrary<number[]> =>
  fc.array(numbersBetween(-4, 4), { minLength: count, maxLength: count });

const steps = (types: readonly StorageType[]): fc.Arbitrary<Step> =>
  fc
    .record({
      types: fc.tuple(fc.constantFrom(...types), fc.constantFrom(...types)),
      tensors: fc
        .integer({ min: 1, max: 6 })
        .chain((count) => fc.tuple(numbers(count), numbers(count), numbers(count))),
      rate: fc.constantFrom(0.5, 0.125, fround(0.1), fround(0.01)),
      decay: fc.constantFrom(0, 0.25, fround(0.01)),
      factor: fc.option(fc.constantFrom(0.5, fround(0.9)), { nil: undefined }),
    })
    .map(({ types: [type, other], tensors: [p, g, v], rate, decay, factor }) => ({
      rate,
      decay,
      rounding: "half_away",
      parameter: keptOf(type, p),
      gradient: keptOf(other, g),
      ...(factor === undefined ? {} : { momentum: { factor, velocity: keptOf(type, v) } }),
    }));

/** A step moves each element to this in float64; `far` bounds float32's error, fused or not. */
interface Moved {
  readonly parameter: readonly number[];
  readonly velocity: readonly number[];
  readonly far: readonly number[];
}

/** An element goes through at most so many float32 roundings, decoding included. */
const ROUNDINGS = 12;

function moved({ rate, decay, parameter, gradient, momentum }: Step): Moved {
  const [p, g] = [decode(parameter), decode(gradient)];
  const v = momentum === undefined ? [] : decode(momentum.velocity);
  const factor = momentum?.factor ?? 0;
  const velocity = p.map((x, i) => factor * (v[i] ?? 0) + at(g, i) + decay * x);
  const sizes = p.map((x, i) => Math.abs(factor * (v[i] ?? 0)) + Math.abs(at(g, i)) + Math.abs(decay * x));
  return {
    velocity,
    parameter: p.map((x, i) => x - rate * at(velocity, i)),
    far: p.map((x, i) => ROUNDINGS * 2 ** -24 * (Math.abs(x) + Math.max(rate, 1) * at(sizes, i)) + 2 ** -140),
  };
}

function isRight(framework: StorageFramework, step: Step): Promise<Held> {
  const { parameter, velocity, far } = moved(step);
  return answered(framework, "step", step, (stepped, breaks) => {
    const wrong = strayed(stepped.parameter, parameter, far);
    if (wrong !== undefined) return breaks(`a parameter of ${wrong}`);
    const other = stepped.velocity === undefined ? undefined : strayed(stepped.velocity, velocity, far);
    return other === undefined ? held : breaks(`a velocity of ${other}`);
  });
}

const half: Kept = { type: { kind: "float32" }, shape: [3], codes: [0, 0.3, -0.2], grids: [] };

/** Makes a step of 0.3 and −0.2 on a grid whose step is 1. */
function dead(type: StorageType): Step {
  const [, greatest] = codeLimits(codeBits(type), true);
  const parameter = { type, shape: [3], codes: [greatest, 3, -2], grids: [{ scale: 1, zero: 0 }] };
  return { rate: 1, decay: 0, rounding: "half_away", parameter, gradient: half };
}

const narrow = (has: readonly StorageKind[]): readonly StorageType[] =>
  typesOf(has, ["sym", "sym_int32"]).filter(
    (type) => codeBits(type) >= 4 && codeBits(type) <= 12 && !("groupSize" in type),
  );

/** Means are taken over so many seeds. */
const SEEDS = 400;

/** These laws state point 9: optimiser steps of parameters that are stored as codes. */
export const optimiserLaws: readonly Law[] = [
  drawnLaw("a step is within half a step of the grid from the exact one", {
    over: (has) => {
      const types = typesOf(has, learnt);
      return types.length === 0 ? undefined : steps(types);
    },
    holds: isRight,
  }),
  listedLaw("an update of less than half a step of the grid does nothing", narrow, (framework, type) => {
    const step = dead(type);
    return answered(framework, "step", step, (stepped, breaks) =>
      isSame(stepped.parameter, step.parameter) ? held : breaks("the parameter as it was"),
    );
  }),
  listedLaw(
    "drawn steps have the exact one for their mean, and are the same for the same seed",
    narrow,
    async (framework, type) => {
      const step = dead(type);
      const sums = [0, 0, 0];
      for (let seed = 1; seed <= SEEDS; seed++) {
        const one = await answered(framework, "step", { ...step, rounding: { seed } }, (stepped) => {
          for (const [i, x] of decode(stepped.parameter).entries()) sums[i] = at(sums, i) + x;
          return held;
        });
        if (one.kind !== "held") return one;
      }
      const rounding = { seed: 9 };
      return answered(framework, "step", { ...step, rounding }, (once) =>
        answered(framework, "step", { ...step, rounding }, (twice, breaks) => {
          if (!isSame(once, twice)) return breaks("the same step for the same seed");
          const exact = decode(step.parameter).map((x, i) => x - at(half.codes, i));
          // Allows four standard errors. Element 0 is left out: rounding it may change the scale.
          const place = [1, 2].find(
            (i) => !(Math.abs(at(sums, i) / SEEDS - at(exact, i)) <= (4 * 0.5) / Math.sqrt(SEEDS)),
          );
          return place === undefined
            ? held
            : breaks(
                `a mean of ${at(exact, place)} at element ${place}, over ${SEEDS} seeds, and it is ${at(sums, place) / SEEDS}`,
              );
        }),
      );
    },
  ),
];
