import type { Law } from "../judge/ask.ts";
import { agrees } from "../judge/outcome.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { allAnswered, broken, firstDifference, scaledSeeds } from "./answers.ts";

/** A power of two: scaling by it is exact in binary arithmetic. The sign is turned too. */
const FACTOR = -2;

/**
 * Pulling back −2 times the cotangent gives exactly −2 times the answer: every operation of a sweep is linear
 * in the cotangent, and scaling by a power of two commutes with rounding. Only overflow and underflow can part
 * them: by what running error analysis of the scaled question leaves over with `u = 0`.
 */
export const linearity: Law = {
  name: "linearity",
  needs: ["vjp"],
  followsFromTruth: false,
  async check({ program, question, handed, standard, answer }) {
    const seeds = scaledSeeds(question.seeds, FACTOR);
    const replies = allAnswered([(await answer("vjp")).held, await program.vjp(handed.point, seeds)]);
    if ("outcome" in replies) return replies.outcome;
    const [plain = [], scaled = []] = replies.answers;
    const expected = plain.map(({ shape, data }) => ({ shape, data: data.map((x) => x * FACTOR) }));
    let underflow: Truth | undefined;
    const difference = firstDifference(scaled, expected, (x, y, id, element) => {
      if (x === y || Object.is(x, y)) return true;
      underflow ??= truthOf({ ...question, seeds }, { ...standard, unitRoundoff: 0 }, "float");
      const bound = underflow.cotangent(id)[element]?.bound ?? 0;
      // Written so that a bound that is not finite accuses nobody.
      return !(Math.abs(x - y) > 4 * bound) && !(bound < Number.POSITIVE_INFINITY && Number.isNaN(x - y));
    });
    return difference === undefined ? agrees : broken("linearity", difference, difference.x, difference.y, 0);
  },
};
