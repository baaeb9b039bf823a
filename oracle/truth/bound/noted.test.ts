import { double, assert as holds, property } from "fast-check";
import { expect, test } from "vitest";
import { exactCentre } from "../centre/index.ts";
import { referenceStandard } from "../standard/standard.ts";
import { History } from "./history.ts";
import { settledSum } from "./noted.ts";

const ROUND_UP = 2 ** -48;

test("a sum whose additions are done adds what they err, and no more than its roundings up", () => {
  const part = double({ min: 2 ** -40, max: 1, noNaN: true });
  holds(
    property(part, part, (error, additions) => {
      const history = new History();
      const origin = { history, step: history.append(0, 0, []), isNegated: false };
      const one = { centre: exactCentre.field.one, magnitude: 1, grain: 0 };
      const settled = { ...one, error: error + additions, terms: 1 };
      const standard = referenceStandard("float32");
      const noted = settledSum(exactCentre, standard, settled, { ...one, error, terms: 2, origin });
      const { engine } = history.deviation(noted.origin?.step ?? expect.unreachable("it is noted"));
      // The size of the slope, the product with it, its place in the history and the sum are each rounded up.
      const roundings = (engine / (settled.error - error) - 1) / ROUND_UP;
      expect(Math.round(roundings)).toBe(4);
    }),
    { seed: 57, numRuns: 200 },
  );
});
