import fc from "fast-check";
import type { StorageType } from "../../../reference/numerics/storage/index.ts";
import type { Asked } from "../dialect.ts";
import { numbersBetween, scaledKinds, typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { answered, asDue, drawnLaw, held, isSame, type Law, shown } from "../law.ts";
import { isTrained } from "../training.ts";

type Chain = Omit<Asked["chain"], "form" | "rounding">;

const wires = (has: readonly StorageKind[]): readonly StorageType[] =>
  typesOf(has, ["float32", ...scaledKinds]).filter(isTrained);

/** Draws a chain of one to three layers of at most three rows, of numbers that `element` draws. */
function chains(types: readonly StorageType[], element: fc.Arbitrary<number>): fc.Arbitrary<Chain> {
  const many = (count: number): fc.Arbitrary<number[]> =>
    fc.array(element, { minLength: count, maxLength: count });
  return fc
    .record({
      wire: fc.constantFrom(...types),
      depth: fc.integer({ min: 1, max: 3 }),
      width: fc.integer({ min: 1, max: 3 }),
    })
    .chain(({ wire, depth, width }) =>
      fc.record({
        wire: fc.constant(wire),
        depth: fc.constant(depth),
        width: fc.constant(width),
        input: many(width),
        weights: many(depth * width * width),
        cotangent: many(width),
      }),
    );
}

const over = (has: readonly StorageKind[]): fc.Arbitrary<Chain> | undefined => {
  const types = wires(has);
  return types.length === 0 ? undefined : chains(types, numbersBetween(-2, 2));
};

/** These laws state point 17: a gradient has the same bits whether wires are kept or computed again. */
export const recomputationLaws: readonly Law[] = [
  ...(["half_away", { seed: 11 }] as const).map((rounding) =>
    drawnLaw(
      rounding === "half_away"
        ? "wires that are computed again give the same gradient, to the bit"
        : "so do wires that are drawn, by the same draws",
      {
        over,
        holds: (framework, chain) =>
          answered(framework, "chain", { ...chain, rounding, form: "stored" }, (stored) =>
            answered(framework, "chain", { ...chain, rounding, form: "recomputed" }, (again, breaks) =>
              isSame(again, stored) ? held : breaks(shown(stored)),
            ),
          ),
      },
    ),
  ),
  drawnLaw("of small whole numbers in float32 the gradient is exact", {
    over: (has) =>
      has.includes("float32") ? chains([{ kind: "float32" }], fc.integer({ min: -3, max: 3 })) : undefined,
    holds: (framework, chain) =>
      asDue(framework, "chain", { ...chain, rounding: "half_away", form: "recomputed" }),
  }),
];
