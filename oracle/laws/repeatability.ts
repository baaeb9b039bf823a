import { answerIn, type Reply } from "../../spec/contract/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import { type Answer, agrees, type Hearing, type Law, type Outcome } from "../hearing/index.ts";
import { type Another, anotherOf, differenceTo, mainMode, sometimesMode } from "./another.ts";
import { allAnswered, broken, firstDifference } from "./answers.ts";
import { inTurn } from "./in_turn.ts";
import { scaledOf } from "./scaled.ts";

/**
 * Checks that a question has the same answer, to the bit, after other programs were loaded, asked and
 * unloaded, and after another question; that a second program gives it too; and that an answer once given
 * does not change. A program is a function of its arguments: stale or shared buffers, kept values and
 * uninitialised memory break that. Cost: what {@link anotherOf} and {@link scaledOf} ask for several laws,
 * and two or three calls; three waits through a pipe ({@link inTurn}).
 */
export const repeatability: Law = {
  name: "repeatability",
  needs: [],
  followsFromTruth: false,
  async check(hearing) {
    const { engine, program, handed, modes } = hearing;
    const first = new Map<Mode, Answer>();
    for (const mode of modes) first.set(mode, await hearing.answer(mode));
    const [main, sometimes] = [mainMode(hearing), sometimesMode(hearing)];
    if (main === undefined) return agrees;
    const another = await anotherOf(hearing);
    let outcome = whetherKept(hearing, first);
    const turn = inTurn(engine);
    const repeated = (mode: Mode) => ({ mode, reply: turn(() => answerIn(program, mode, handed)) });
    const repeats = modes.filter((mode) => mode === "evaluate" || mode === sometimes).map(repeated);
    const between = main === "vjp" ? turn(() => scaledOf(hearing)) : undefined;
    repeats.push(repeated(main));
    for (const { mode, reply } of repeats) {
      const answer = await reply;
      const given = first.get(mode)?.given;
      if (outcome.kind !== "agrees" || given?.kind !== "result") continue;
      outcome = areSame(hearing, mode, given, answer);
    }
    await between;
    const given = first.get(main)?.given;
    if (outcome.kind !== "agrees" || given?.kind !== "result" || another === undefined) return outcome;
    return sameOfAnother(hearing, main, given, another);
  },
};

/** Compares a second program's answer with the first's, or with a fresh one's if only order may differ. */
async function sameOfAnother(
  hearing: Hearing,
  mode: Mode,
  given: Reply<readonly FlatTensor[]>,
  another: Another,
): Promise<Outcome> {
  if (!another.isReordered) return areSame(hearing, mode, given, another.after);
  const replies = allAnswered([given, another.after]);
  if ("outcome" in replies) return replies.outcome;
  const [first = [], second = []] = replies.answers;
  if (differenceTo(hearing, another, first, second) === undefined) return agrees;
  return areSame(hearing, mode, await another.afresh(), another.after);
}

/** Tells whether every answer kept since is still what was given. */
function whetherKept(hearing: Hearing, answers: ReadonlyMap<Mode, Answer>): Outcome {
  for (const [mode, { given, held }] of answers) {
    if (given.kind !== "result") continue;
    const outcome = areSame(hearing, mode, given, held);
    if (outcome.kind !== "agrees") return outcome;
  }
  return agrees;
}

function areSame(
  { question: { graph } }: Hearing,
  mode: Mode,
  ...replies: readonly Reply<readonly FlatTensor[]>[]
): Outcome {
  const all = allAnswered(replies);
  if ("outcome" in all) return all.outcome;
  const [before = [], after = []] = all.answers;
  const difference = firstDifference(before, after, Object.is);
  if (difference === undefined) return agrees;
  const { id, element, x, y } = difference;
  const start = mode === "evaluate" || mode === "jvp" ? graph.inputs.length : 0;
  return broken("repeatability", { id: nodeId(start + id), element }, y, x, 0);
}
