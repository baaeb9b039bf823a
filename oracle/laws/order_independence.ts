import { agrees, type Law } from "../hearing/index.ts";
import { anotherOf, differenceTo, reorderingBound } from "./another.ts";
import { allAnswered, broken } from "./answers.ts";

/**
 * Checks that any topological order of the nodes gives the same gradient, within twice the bound, since
 * cotangents are added in another order. An engine that depends on how its user wrote the graph down breaks
 * it. A graph with one order always agrees. Cost: none beside {@link anotherOf}.
 */
export const orderIndependence: Law = {
  name: "order independence",
  needs: ["vjp"],
  followsFromTruth: false,
  async check(hearing) {
    const another = await anotherOf(hearing);
    if (another === undefined || !another.isReordered) return agrees;
    const { given } = await hearing.answer("vjp");
    const replies = allAnswered([given, another.after]);
    if ("outcome" in replies) return replies.outcome;
    const [first = [], second = []] = replies.answers;
    if (differenceTo(hearing, another, first, second) === undefined) return agrees;
    // That program was asked another question before; a fresh one leaves only the order as the cause.
    const fresh = allAnswered([await another.afresh()]);
    if ("outcome" in fresh) return fresh.outcome;
    const difference = differenceTo(hearing, another, first, fresh.answers[0] ?? []);
    if (difference === undefined) return agrees;
    const bound = reorderingBound(hearing.truth, difference.id, difference.element);
    return broken("order independence", difference, difference.y, difference.x, bound);
  },
};
