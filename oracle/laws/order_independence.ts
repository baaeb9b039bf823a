import { agrees, type Law } from "../hearing/index.ts";
import { anotherOf, differenceTo, reorderingBound } from "./another.ts";
import { allAnswered, broken } from "./answers.ts";

/**
 * Any topological order of the same nodes gives the same gradient, up to the order in which cotangents are
 * added: twice the bound. An engine that depends on how its user happened to write the graph down breaks it. Says
 * nothing of a graph that has one order. Cost: none of its own beside {@link anotherOf}.
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
    // It was asked another question before. Without that, what is left is the order.
    const fresh = allAnswered([await another.afresh()]);
    if ("outcome" in fresh) return fresh.outcome;
    const difference = differenceTo(hearing, another, first, fresh.answers[0] ?? []);
    if (difference === undefined) return agrees;
    const bound = reorderingBound(hearing.truth, difference.id, difference.element);
    return broken("order independence", difference, difference.y, difference.x, bound);
  },
};
