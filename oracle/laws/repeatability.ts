import type { FlatTensor } from "../../spec/index.ts";
import type { Law } from "../judge/ask.ts";
import { agrees, type Outcome } from "../judge/outcome.ts";
import { allAnswered, broken, firstDifference, moved, scaledSeeds } from "./answers.ts";

/**
 * The same question has the same answer, to the bit, also after another question; and another question has the answer
 * that a program loaded afresh gives it. A program is a function of its arguments: stale buffers, kept values and
 * cotangents, and uninitialised memory break that.
 */
export const repeatability: Law = {
  name: "repeatability",
  needs: ["vjp"],
  async check({ engine, program, standard, question }) {
    const { graph, point, seeds } = question;
    const other = { point: moved(question), seeds: scaledSeeds(seeds, 3) };
    const first = await program.vjp(point, seeds);
    const used = await program.vjp(other.point, other.seeds);
    const second = await program.vjp(point, seeds);
    const repeated = allAnswered([first, second]);
    if ("outcome" in repeated) return repeated.outcome;
    const outcome = areSame(repeated.answers);
    const loaded = await engine.load(graph, standard.dtype);
    if (outcome.kind !== "agrees" || loaded.kind !== "result") return outcome;
    const fresh = await loaded.value.vjp(other.point, other.seeds);
    await loaded.value.unload();
    // Away from its point a case may be one that an engine declines, as long as it always does.
    const moving = allAnswered([used, fresh]);
    return "outcome" in moving ? agrees : areSame(moving.answers);
  },
};

function areSame([before = [], after = []]: readonly (readonly FlatTensor[])[]): Outcome {
  const difference = firstDifference(before, after, (x, y) => Object.is(x, y));
  return difference === undefined
    ? agrees
    : broken("repeatability", difference, difference.y, difference.x, 0);
}
