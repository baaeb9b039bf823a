import { agrees, type Law } from "../hearing/index.ts";
import { type Truth, truthOf } from "../truth/index.ts";
import { allAnswered, broken, firstDifference } from "./answers.ts";
import { FACTOR, scaledOf } from "./scaled.ts";

/**
 * Checks that pulling back −2 times the cotangent gives exactly −2 times the answer: every operation of a
 * sweep is linear in the cotangent, and scaling by 2 commutes with rounding, save for posits. Overflow and
 * underflow may break it, by what error analysis with `u = 0` leaves.
 */
export const linearity: Law = {
  name: "linearity",
  needs: ["vjp"],
  followsFromTruth: false,
  async check(hearing) {
    const { question, standard } = hearing;
    // Where precision tapers off, a number twice as large keeps other digits.
    if (standard.taper !== undefined) return agrees;
    const { held } = await hearing.answer("vjp");
    const { seeds, reply } = await scaledOf(hearing);
    const replies = allAnswered([held, reply]);
    if ("outcome" in replies) return replies.outcome;
    const [plain = [], scaled = []] = replies.answers;
    const expected = plain.map(({ shape, data }) => ({ shape, data: data.map((x) => x * FACTOR) }));
    let underflow: Truth | undefined;
    const difference = firstDifference(scaled, expected, (x, y, id, element) => {
      if (x === y || Object.is(x, y)) return true;
      underflow ??= truthOf({ ...question, seeds }, { ...standard, unitRoundoff: 0 }, "float");
      const bound = underflow.cotangent(id)[element]?.bound ?? 0;
      // The comparison is negated, so that a bound that is not finite accuses nobody.
      return !(Math.abs(x - y) > 4 * bound) && !(bound < Number.POSITIVE_INFINITY && Number.isNaN(x - y));
    });
    return difference === undefined ? agrees : broken("linearity", difference, difference.x, difference.y, 0);
  },
};
