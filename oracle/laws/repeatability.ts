import { type Asked, answerIn, type Mode, type Reply } from "../../engines/index.ts";
import { type FlatTensor, nodeId } from "../../spec/index.ts";
import type { Law } from "../judge/ask.ts";
import type { Answer, Hearing } from "../judge/hearing.ts";
import { agrees, type Outcome } from "../judge/outcome.ts";
import { allAnswered, broken, firstDifference, moved, scaledSeeds } from "./answers.ts";
import { loadBeside } from "./beside.ts";
import { inTurn } from "./in_turn.ts";

/**
 * The same question has the same answer, to the bit, after other programs were loaded, asked and unloaded, and after
 * another question; another question has the answer that a program loaded afresh gives it; and an answer once given
 * stays as it was. A program is a function of its arguments: stale buffers, buffers that programs share, kept values
 * and cotangents, and uninitialised memory break that. Cost beside the modes' answers: five calls of the graph, the
 * loading of a second program of it, and one call of a small third; they are sent {@link inTurn}, so that through a pipe
 * there are three waits.
 */
export const repeatability: Law = {
  name: "repeatability",
  needs: [],
  followsFromTruth: false,
  async check(hearing) {
    const { engine, program, handed, modes, question, standard } = hearing;
    const first = new Map<Mode, Answer>();
    for (const mode of modes) first.set(mode, await hearing.answer(mode));
    const main = modes.includes("vjp") ? "vjp" : modes[0];
    // Every call is dear through a pipe: beside values and gradients, one mode is asked about, by the number of nodes.
    const sometimes = modes[question.graph.nodes.length % modes.length];
    if (main === undefined || sometimes === undefined) return agrees;
    const elsewhere: Asked = { ...handed, point: moved(question), seeds: scaledSeeds(question.seeds, 3) };
    const turn = inTurn(engine);
    const [another, beside] = await Promise.all([
      turn(() => engine.load(question.graph, standard.dtype)),
      turn(() => loadBeside(engine, standard.dtype)),
    ]);
    const alike = another.kind === "result" ? another.value : undefined;
    const again = modes.filter((mode) => mode === "evaluate" || mode === sometimes);
    const fresh = alike && turn(() => answerIn(alike, main, elsewhere));
    // The unloading must not touch what else is loaded.
    await Promise.all([fresh, beside?.askAndUnload(sometimes, turn), alike && turn(() => alike.unload())]);
    let outcome = whetherKept(hearing, first);
    const repeats = again.map((mode) => ({ mode, reply: turn(() => answerIn(program, mode, handed)) }));
    const used = turn(() => answerIn(program, main, elsewhere));
    repeats.push({ mode: main, reply: turn(() => answerIn(program, main, handed)) });
    for (const { mode, reply } of repeats) {
      const answer = await reply;
      const given = first.get(mode)?.given;
      if (outcome.kind !== "agrees" || given?.kind !== "result") continue;
      outcome = areSame(hearing, mode, given, answer);
    }
    const [there, here] = [await fresh, await used];
    // Away from its point a case may be one that an engine declines, as long as it always does.
    if (outcome.kind !== "agrees" || here.kind !== "result" || there?.kind !== "result") return outcome;
    return areSame(hearing, main, here, there);
  },
};

/** Whether every answer is still what was given. */
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
  const difference = firstDifference(before, after, (x, y) => Object.is(x, y));
  if (difference === undefined) return agrees;
  const { id, element, x, y } = difference;
  const start = mode === "evaluate" || mode === "jvp" ? graph.inputs.length : 0;
  return broken("repeatability", { id: nodeId(start + id), element }, y, x, 0);
}
