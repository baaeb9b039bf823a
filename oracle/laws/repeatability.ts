import { type Asked, answerIn, type Mode, type Reply } from "../../engines/index.ts";
import { type FlatTensor, nodeId } from "../../spec/index.ts";
import type { Law } from "../judge/ask.ts";
import type { Answer, Hearing } from "../judge/hearing.ts";
import { agrees, type Outcome } from "../judge/outcome.ts";
import { allAnswered, broken, firstDifference, moved, scaledSeeds } from "./answers.ts";
import { askBeside } from "./beside.ts";

/**
 * The same question has the same answer, to the bit, after other programs were loaded, asked and unloaded, and after
 * another question; another question has the answer that a program loaded afresh gives it; and an answer once given
 * stays as it was. A program is a function of its arguments: stale buffers, buffers that programs share, kept values
 * and cotangents, and uninitialised memory break that. Cost beside the modes' answers: five calls of the graph, the
 * loading of a second program of it, and one call of a small third.
 */
export const repeatability: Law = {
  name: "repeatability",
  needs: [],
  followsFromTruth: false,
  async check(hearing) {
    const { program, handed, modes, question } = hearing;
    const first = new Map<Mode, Answer>();
    for (const mode of modes) first.set(mode, await hearing.answer(mode));
    const main = modes.includes("vjp") ? "vjp" : modes[0];
    // Every call is dear through a pipe: beside values and gradients, one mode is asked about, by the number of nodes.
    const sometimes = modes[question.graph.nodes.length % modes.length];
    if (main === undefined || sometimes === undefined) return agrees;
    const repeated = async (mode: Mode): Promise<Outcome> => {
      const given = first.get(mode)?.given;
      if (given?.kind !== "result") return agrees;
      return areSame(hearing, mode, given, await answerIn(program, mode, handed));
    };
    const elsewhere: Asked = { ...handed, point: moved(question), seeds: scaledSeeds(question.seeds, 3) };
    const fresh = await askOthers(hearing, main, elsewhere, sometimes);
    let outcome = whetherKept(hearing, first);
    for (const mode of modes) {
      if (mode !== "evaluate" && mode !== sometimes) continue;
      if (outcome.kind === "agrees") outcome = await repeated(mode);
    }
    if (outcome.kind !== "agrees") return outcome;
    const used = await answerIn(program, main, elsewhere);
    outcome = await repeated(main);
    // Away from its point a case may be one that an engine declines, as long as it always does.
    if (outcome.kind !== "agrees" || used.kind !== "result" || fresh?.kind !== "result") return outcome;
    return areSame(hearing, main, used, fresh);
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

/**
 * Asks the case's own graph, loaded afresh, and then a small one in the mode `beside`: the former's answer, if there is
 * one. Both are unloaded again, which must not touch what else is loaded.
 */
async function askOthers(
  { engine, standard: { dtype }, question }: Hearing,
  mode: Mode,
  asked: Asked,
  beside: Mode,
): Promise<Reply<readonly FlatTensor[]> | undefined> {
  const loaded = await engine.load(question.graph, dtype);
  const answer = loaded.kind === "result" ? await answerIn(loaded.value, mode, asked) : undefined;
  await askBeside(engine, dtype, beside);
  if (loaded.kind === "result") await loaded.value.unload();
  return answer;
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
