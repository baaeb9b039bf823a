import type { LoadedGraph } from "../../spec/contract/index.ts";
import type { Call, CallChange, Mode } from "../../spec/wire/index.ts";
import { changed } from "../calls/index.ts";
import { truthOf } from "../truth/index.ts";
import type { Listener } from "./heard.ts";
import { answersOf, type Hearing, lent, release } from "./hearing.ts";
import { agrees, fromReply, type Outcome, worse } from "./outcome.ts";

/** Compares an answer with the truth. */
type Judge = (hearing: Hearing, mode: Mode) => Promise<Outcome>;

/**
 * Asks the calls of a case in order, each compared with its own truth: what came before must not matter.
 * Stops at the first that is wrong. What a changed case leaves open, or is declined there, is passed over.
 * Cost: a truth for each change.
 */
export async function askCalls(
  first: Hearing,
  calls: readonly Call[],
  judge: Judge,
  listener: Listener | undefined,
): Promise<Outcome> {
  const { question, engine, standard, modes } = first;
  const known = new Map<CallChange | undefined, Pick<Hearing, "question" | "truth">>([[undefined, first]]);
  const about = (change: CallChange | undefined): Pick<Hearing, "question" | "truth"> => {
    const found = known.get(change);
    if (found !== undefined) return found;
    const asked = changed(question, change);
    const other = { question: asked, truth: truthOf(asked, standard) };
    known.set(change, other);
    return other;
  };
  let [program, sibling]: [LoadedGraph, LoadedGraph?] = [first.program];
  const loaded: LoadedGraph[] = [];
  let outcome: Outcome = agrees;
  try {
    for (const [call, { mode, change }] of calls.entries()) {
      if (!modes.includes(mode)) continue;
      const isAnew = change === "load";
      const asked = about(isAnew ? undefined : change);
      if (isAnew || (change === "attribute" && sibling === undefined)) {
        const reply = await engine.load(asked.question.graph, standard.dtype);
        if (reply.kind === "unsupported" && !isAnew) continue;
        if (reply.kind !== "result") return fromReply(reply);
        loaded.push(reply.value);
        if (isAnew) program = reply.value;
        else sibling = reply.value;
      }
      const handed = lent(asked.question);
      const own = (change === "attribute" && sibling) || program;
      const answer = answersOf(own, handed);
      const hearing: Hearing = { ...first, ...asked, program: own, handed, answer };
      const said = await judge(hearing, mode);
      if (said.kind === "differs") return { ...said, finding: { ...said.finding, call } };
      if (said.kind === "crashed") return said;
      const isItself = change === undefined || isAnew;
      if (isItself) outcome = worse(outcome, said);
      if (isItself && said.kind === "agrees") await listener?.agreed(hearing, mode);
    }
    return outcome;
  } finally {
    for (const one of loaded) await release(engine, one);
  }
}
