import { answerIn, type Reply } from "../../spec/contract/index.ts";
import { type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import { type Answer, agrees, type Hearing, type Law, type Outcome, partOf } from "../hearing/index.ts";
import { type Another, anotherOf, differenceTo, mainMode, sometimesMode } from "./another.ts";
import { allAnswered, broken, firstDifference, isStoredZero } from "./answers.ts";
import { inTurn } from "./in_turn.ts";
import { scaledOf } from "./scaled.ts";

/**
 * Checks that a question has the same answer after other programs were loaded, asked and unloaded, and after
 * another question; that a second program gives it too; and that an answer once given does not change. A
 * program is a function of its arguments: stale or shared buffers, kept values and uninitialised memory break
 * that. The same answer is the same bits from an engine that declares so. Others may add in an order that
 * changes from call to call: what differs is told, and breaks the law where an answer is out of its bounds.
 * Cost: what {@link anotherOf} and {@link scaledOf} ask for several laws,
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
      outcome = areAlike(hearing, mode, given, answer);
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
  if (!another.isReordered) return areAlike(hearing, mode, given, another.after);
  const replies = allAnswered([given, another.after]);
  if ("outcome" in replies) return replies.outcome;
  const [first = [], second = []] = replies.answers;
  if (differenceTo(hearing, another, first, second) === undefined) return agrees;
  return areAlike(hearing, mode, await another.afresh(), another.after);
}

/** Tells whether every answer kept since is still what was given. */
function whetherKept(hearing: Hearing, answers: ReadonlyMap<Mode, Answer>): Outcome {
  for (const [mode, { given, held }] of answers) {
    if (given.kind !== "result") continue;
    const outcome = compared(hearing, mode, [given, held], Object.is);
    if (outcome.kind !== "agrees") return outcome;
  }
  return agrees;
}

/** Compares two answers to one question: by bits if the engine promises that, else by the truth of both. */
function areAlike(
  hearing: Hearing,
  mode: Mode,
  ...replies: readonly [Reply<readonly FlatTensor[]>, Reply<readonly FlatTensor[]>]
): Outcome {
  if (hearing.engine.describe().repeatable === true) return compared(hearing, mode, replies, Object.is);
  const { truth, varied } = hearing;
  const part = partOf[mode];
  let [most, isVaried] = [0, false];
  const outcome = compared(hearing, mode, replies, (x, y, id, element) => {
    if (Object.is(x, y)) return true;
    const component = truth[part](id)[element];
    const isHonest = [x, y].every((answer) => component?.judge(answer) !== "outside");
    if (!isHonest && !isStoredZero(truth, part, { id, element, x, y })) return false;
    isVaried = true;
    const apart = Math.abs(x - y) / Math.max(Math.abs(x), Math.abs(y));
    if (Number.isFinite(apart)) most = Math.max(most, apart);
    return true;
  });
  if (isVaried && outcome.kind === "agrees") varied?.(most);
  return outcome;
}

/** Finds where two answers are not `isSame`, by the id that the difference stands at. */
function compared(
  { question: { graph } }: Hearing,
  mode: Mode,
  replies: readonly Reply<readonly FlatTensor[]>[],
  isSame: (x: number, y: number, id: NodeId, element: number) => boolean,
): Outcome {
  const all = allAnswered(replies);
  if ("outcome" in all) return all.outcome;
  const [before = [], after = []] = all.answers;
  const first = mode === "evaluate" || mode === "jvp" ? graph.inputs.length : 0;
  const place = (position: NodeId): NodeId => nodeId(first + position);
  const difference = firstDifference(before, after, (x, y, position, element) =>
    isSame(x, y, place(position), element),
  );
  if (difference === undefined) return agrees;
  const { id, element, x, y } = difference;
  return broken("repeatability", { id: place(id), element }, y, x, 0);
}
