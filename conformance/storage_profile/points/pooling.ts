import fc from "fast-check";
import type { Asked } from "../dialect.ts";
import { typesOf } from "../draws.ts";
import type { StorageKind } from "../framework.ts";
import { asDue, drawnLaw, type Law } from "../law.ts";

const kinds: readonly StorageKind[] = ["float32", "sym_int32", "sym", "asym"];

/** Numbers this near share a code in most types, which tells whether codes or numbers were compared. */
const NEAR = 2 ** -20;

/** These laws state point 11: which of a window's elements is its maximum. */
export const poolingLaws: readonly Law[] = [
  drawnLaw("the first of the greatest codes wins, though another's number is greater", {
    over: (has) => {
      const types = typesOf(has, kinds);
      if (types.length === 0) return undefined;
      return fc
        .record({
          type: fc.constantFrom(...types),
          window: fc.integer({ min: 2, max: 4 }),
          elements: fc.array(
            fc.record({ whole: fc.integer({ min: -2, max: 2 }), nudge: fc.integer({ min: -2, max: 2 }) }),
            {
              minLength: 4,
              maxLength: 12,
            },
          ),
        })
        .map(({ type, window, elements }): Asked["max_pool"] => ({
          type,
          window,
          values: elements
            .slice(0, window * Math.floor(elements.length / window))
            .map(({ whole, nudge }) => Math.fround(whole + nudge * NEAR)),
        }));
    },
    holds: (framework, asked) => asDue(framework, "max_pool", asked),
  }),
];
