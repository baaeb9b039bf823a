import { agrees, type Law } from "../hearing/index.ts";
import { type Component, type Truth, truthOf } from "../truth/index.ts";
import { allAnswered, broken, type Difference, firstDifference, isStoredZero } from "./answers.ts";
import { FACTOR, scaledOf } from "./scaled.ts";

/**
 * Checks that pulling back {@link FACTOR} times the cotangent gives that many times the answer, within the
 * bounds of the two answers, each of which is rounded in its own way: an engine may fold a constant cotangent
 * into its formulas, or add in an order that depends on the numbers. An answer without a bound is not judged.
 */
export const linearity: Law = {
  name: "linearity",
  needs: ["vjp"],
  followsFromTruth: false,
  async check(hearing) {
    const { question, standard, truth } = hearing;
    const { held } = await hearing.answer("vjp");
    const { seeds, reply } = await scaledOf(hearing);
    const replies = allAnswered([held, reply]);
    if ("outcome" in replies) return replies.outcome;
    const [plain = [], scaled = []] = replies.answers;
    const expected = plain.map(({ shape, data }) => ({ shape, data: data.map((x) => x * FACTOR) }));
    let truthOfScaled: Truth | undefined;
    let reach = 0;
    const difference = firstDifference(scaled, expected, (x, y, id, element) => {
      if (x === y || Object.is(x, y)) return true;
      const own = truth.cotangent(id)[element];
      // The bound of one answer suffices mostly, and the other takes another evaluation.
      if (own === undefined || Math.abs(x - y) <= Math.abs(FACTOR) * own.bound) return true;
      truthOfScaled ??= truthOf({ ...question, seeds }, standard);
      const other = truthOfScaled.cotangent(id)[element];
      const here: Difference = { id, element, x, y };
      if (other === undefined || [truth, truthOfScaled].some((of) => isStoredZero(of, "cotangent", here)))
        return true;
      reach = reachOf(own, other) + Math.abs(y) * 2 ** -52;
      // A reach that is not finite accuses nobody.
      return !(reach < Number.POSITIVE_INFINITY) || Math.abs(x - y) <= reach;
    });
    return difference === undefined
      ? agrees
      : broken("linearity", difference, difference.x, difference.y, reach);
  },
};

/** Returns how far an answer to scaled seeds may be from the scaled answer: both bounds, and our slack. */
function reachOf(own: Component, other: Component): number {
  const bounds = Math.abs(FACTOR) * own.bound + other.bound;
  const [near, scaled] = [own.near, other.near];
  const apart = Math.abs(scaled.value - FACTOR * near.value) + Math.abs(FACTOR) * near.slack + scaled.slack;
  // The roundings of these sums are less.
  return (bounds + apart) * (1 + 2 ** -20);
}
