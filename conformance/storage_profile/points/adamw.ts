import fc from "fast-check";
import { decode, type StorageType } from "../../../reference/numerics/storage/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import type { Answered, Asked } from "../dialect.ts";
import { numbersBetween, scaledKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { answered, drawnLaw, held, isSame, type Law, shown } from "../law.ts";
import { keptOf, strayed } from "../nearness.ts";
import { adamwFactors, isTrained } from "../training.ts";

type Step = Asked["adamw"];

const fround = Math.fround;

const learnt = (has: readonly StorageKind[]): readonly StorageType[] =>
  typesOf(has, ["float32", ...scaledKinds]).filter(isTrained);

const numbers = (count: number, least: number): fc.Arbitrary<number[]> =>
  fc.array(numbersBetween(least, 4), {
    minLength: count,
    maxLength: count,
  });

const steps = (types: readonly StorageType[]): fc.Arbitrary<Step> =>
  fc
    .record({
      types: fc.tuple(...Array.from({ length: 3 }, () => fc.constantFrom(...types))),
      tensors: fc
        .integer({ min: 1, max: 6 })
        .chain((count) =>
          fc.tuple(numbers(count, -4), numbers(count, -4), numbers(count, -4), numbers(count, 0)),
        ),
      rate: fc.constantFrom(0.5, fround(0.1), fround(0.001)),
      decay: fc.constantFrom(0, 0.25, fround(0.01)),
      betas: fc.constantFrom<[number, number]>([0.5, 0.75], [fround(0.9), fround(0.999)]),
      epsilon: fc.constantFrom(0.5, fround(0.01), fround(1e-8)),
      count: fc.constantFrom(1, 2, 10, 1000),
    })
    .map(({ types: [own = types[0], other, moments], tensors: [p, g, m, v], ...rest }) => ({
      ...rest,
      rounding: "half_away",
      parameter: keptOf(own ?? { kind: "float32" }, p),
      gradient: keptOf(other ?? { kind: "float32" }, g),
      first: keptOf(moments ?? { kind: "float32" }, m),
      second: keptOf(moments ?? { kind: "float32" }, v),
    }));

/** An element goes through at most so many float32 roundings, decoding and the factors included. */
const ROUNDINGS = 16;

const far = (size: number): number => ROUNDINGS * 2 ** -24 * size + 2 ** -126;

/** Says where a moment is not `β · old + (1 − β) · next`, but for half a step of its own grid. */
function wrongMoment(step: Step, kept: Answered["adamw"], which: "first" | "second"): string | undefined {
  const beta = step.betas[which === "first" ? 0 : 1];
  const old = decode(step[which]);
  const terms = decode(step.gradient).map((g, i) => [
    beta * at(old, i),
    (1 - beta) * (which === "first" ? g : g * g),
  ]);
  const right = terms.map(([x = 0, y = 0]) => x + y);
  const allowed = terms.map(([x = 0, y = 0]) => far(Math.abs(x) + Math.abs(y)));
  const wrong = strayed(kept[which], right, allowed);
  return wrong === undefined ? undefined : `a ${which} moment of ${wrong}`;
}

/** Says where a parameter is not what the moments, as they were answered, move it to. */
function wrongParameter(step: Step, kept: Answered["adamw"]): string | undefined {
  const { decayed, rate, correction } = adamwFactors(step);
  const [m, v] = [decode(kept.first), decode(kept.second)];
  const terms = decode(step.parameter).map((p, i) => [
    decayed * p,
    (rate * at(m, i)) / (Math.sqrt(at(v, i) / correction) + step.epsilon),
  ]);
  const right = terms.map(([p = 0, by = 0]) => p - by);
  const allowed = terms.map(([p = 0, by = 0]) => far(Math.abs(p) + Math.abs(by)));
  const wrong = strayed(kept.parameter, right, allowed);
  return wrong === undefined ? undefined : `a parameter of ${wrong}`;
}

/** These laws state point 14: AdamW, whose moments are kept as codes too. */
export const adamwLaws: readonly Law[] = [
  drawnLaw("moments are within half a step of their grids, and the parameter by the moments that are kept", {
    over: (has) => {
      const types = learnt(has);
      return types.length === 0 ? undefined : steps(types);
    },
    holds: (framework, step) =>
      answered(framework, "adamw", step, (kept, breaks) => {
        const wrong =
          wrongMoment(step, kept, "first") ?? wrongMoment(step, kept, "second") ?? wrongParameter(step, kept);
        if (wrong !== undefined) return breaks(wrong);
        return isSame(kept.gradient, step.gradient)
          ? held
          : breaks(`the gradient as it was: ${shown(step.gradient)}`);
      }),
  }),
];
