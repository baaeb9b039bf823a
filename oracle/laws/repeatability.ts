import { type Asked, answerIn, type Mode, type Reply } from "../../engines/index.ts";
import { type FlatTensor, nodeId } from "../../spec/index.ts";
import type { Law } from "../judge/ask.ts";
import type { Answer, Hearing } from "../judge/hearing.ts";
import { agrees, type Outcome } from "../judge/outcome.ts";
import { allAnswered, broken, firstDifference, moved, scaledSeeds } from "./answers.ts";
import { askBeside } from "./beside.ts";

/**
 * The same question has the same answer, to the bit, also after another question and after other programs were loaded,
 * asked and unloaded; another question has the answer that a program loaded afresh gives it; and an answer once given
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
    const elsewhere: Asked = { ...handed, point: moved(question), seeds: scaledSeeds(question.seeds, 3) };
    const mode = modes.includes("vjp") ? "vjp" : modes[0];
    const used = mode && (await answerIn(program, mode, elsewhere));
    const fresh = mode && (await askOthers(hearing, mode, elsewhere));
    for (const again of modesAskedTwice(hearing)) {
      const given = first.get(again)?.given;
      if (given?.kind !== "result") continue;
      const outcome = areSame(hearing, again, given, await answerIn(program, again, handed));
      if (outcome.kind !== "agrees") return outcome;
    }
    for (const [kept, { given, held }] of first) {
      const outcome = given.kind === "result" ? areSame(hearing, kept, given, held) : agrees;
      if (outcome.kind !== "agrees") return outcome;
    }
    // Away from its point a case may be one that an engine declines, as long as it always does.
    if (mode === undefined || used?.kind !== "result" || fresh?.kind !== "result") return agrees;
    return areSame(hearing, mode, used, fresh);
  },
};

/** Values and gradients always; of the other two modes one, by the number of nodes: every call is dear through a pipe. */
function modesAskedTwice({ modes, question: { graph } }: Hearing): Mode[] {
  const sometimes = graph.nodes.length % 2 === 0 ? "jvp" : "backward_dense";
  const order: readonly Mode[] = ["evaluate", sometimes, "vjp"];
  return order.filter((mode) => modes.includes(mode));
}

/** Asks a small program and then the case's own graph, both loaded afresh; the latter's answer, if there is one. */
async function askOthers(
  { engine, standard: { dtype }, question }: Hearing,
  mode: Mode,
  asked: Asked,
): Promise<Reply<readonly FlatTensor[]> | undefined> {
  await askBeside(engine, dtype);
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return undefined;
  const answer = await answerIn(loaded.value, mode, asked);
  await loaded.value.unload();
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
