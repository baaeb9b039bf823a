import type { Law } from "../ask.ts";
import { agrees } from "../finding.ts";
import { allAnswered, broken, firstDifference, scaledSeeds } from "./answers.ts";

/**
 * The same question has the same answer, to the bit, also after another question: a program is a function of
 * its arguments. Stale buffers, kept cotangents and uninitialised memory break it.
 */
export const repeatability: Law = {
  name: "repeatability",
  needs: ["vjp"],
  async check({ program, question: { point, seeds } }) {
    const first = await program.vjp(point, seeds);
    await program.vjp(point, scaledSeeds(seeds, 3));
    const second = await program.vjp(point, seeds);
    const replies = allAnswered([first, second]);
    if ("outcome" in replies) return replies.outcome;
    const [before = [], after = []] = replies.answers;
    const difference = firstDifference(before, after, (x, y) => Object.is(x, y));
    return difference === undefined
      ? agrees
      : broken("repeatability", difference, difference.y, difference.x, 0);
  },
};
