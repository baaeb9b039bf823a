import type { Engine } from "../../spec/contract/index.ts";
import { type Call, callText, type DataType, type Mode } from "../../spec/wire/index.ts";
import { changed } from "../calls/index.ts";
import type { Case } from "../case/index.ts";
import type { Wrong } from "../driver/index.ts";
import { ask, type Blame, type Finding, inOrder, isOfNoNode, type Outcome } from "../hearing/index.ts";

/** A wrong answer is wrong because of the calls before it, or by itself, as a question without calls. */
export type Untangled =
  | (Wrong<Case, Finding> & { readonly kind: "of calls"; readonly blame: Blame })
  | (Wrong<Case, Finding> & { readonly kind: "by itself" });

/**
 * Finds out whether what was asked before makes an answer wrong. If the last call is wrong in a case of its
 * own too, that case takes the place of this one. Else the calls are blamed, and no node: the case keeps
 * those up to the wrong one. A case that `needsCalls` is known to be right without. Cost: two questions.
 */
export async function untangle(
  engine: Engine,
  wrong: Wrong<Case, Finding>,
  dtype: DataType,
  needsCalls: boolean = false,
): Promise<Untangled> {
  const { question, finding } = wrong;
  if (question.calls === undefined) return ofModes(engine, wrong, dtype);
  const { call = question.calls.length - 1, ...found } = finding;
  const calls = question.calls.slice(0, call + 1);
  const [last, before] = [calls.at(-1), calls.slice(0, -1)];
  if (last === undefined) return { kind: "by itself", question, finding: found };
  const isOfCalls = needsCalls || last.change === "attribute";
  const plain = changed(question, last.change);
  const outcome = isOfCalls ? undefined : await ask(engine, plain, dtype, []);
  if (outcome?.kind === "differs")
    return ofModes(engine, { question: plain, finding: outcome.finding }, dtype);
  const first = await ask(engine, { ...question, calls: [last] }, dtype, []);
  const sentence =
    before.length === 0 ? sentenceOfFirst(last) : sentenceOf(last, before, first.kind === "agrees");
  const blame = { id: finding.id, op: undefined, part: partOf(last), sentence };
  return { kind: "of calls", question: { ...question, calls }, finding: found, blame };
}

/**
 * Looks for fewest calls after which a mode is wrong that is right as the first call, where the case without
 * calls asks each mode once. Cost: one question; as many more as there are modes if the mode is right first.
 */
async function ofModes(
  engine: Engine,
  { question, finding }: Wrong<Case, Finding>,
  dtype: DataType,
): Promise<Untangled> {
  const itself = { kind: "by itself", question, finding } as const;
  const modes = inOrder(engine.describe().modes);
  const mode = modes.find((one) => one === finding.question);
  if (mode === undefined || mode === modes[0] || isOfNoNode(finding)) return itself;
  const last = { mode };
  const asked = async (before: readonly Call[]): Promise<Outcome> =>
    ask(engine, { ...question, calls: [...before, last] }, dtype, []);
  if ((await asked([])).kind !== "agrees") return itself;
  let before = modes.slice(0, modes.indexOf(mode)).map((one): Call => ({ mode: one }));
  if ((await asked(before)).kind !== "differs") return itself;
  for (const call of before) {
    const fewer = before.filter((one) => one !== call);
    if ((await asked(fewer)).kind === "differs") before = fewer;
  }
  const blame = {
    id: finding.id,
    op: undefined,
    part: partOf(last),
    sentence: sentenceOf(last, before, true),
  };
  return { kind: "of calls", question: { ...question, calls: [...before, last] }, finding, blame };
}

function sentenceOfFirst(last: Call): string {
  return last.change === "attribute"
    ? `${callText(last)} is wrong where the graph that differs from it in that attribute is loaded too.`
    : `${callText(last)} is wrong as the first call; where others came before it is right.`;
}

function sentenceOf(last: Call, before: readonly Call[], isRightFirst: boolean): string {
  const told = callText(last);
  const alone = isRightFirst ? `${told} is right as the first call, and wrong` : `${told} is wrong`;
  return `the answer depends on what was asked before: ${alone} after ${before.map(callText).join(", ")}.`;
}

/** Returns what a mode answers, as the part of a node that is wrong. */
function partOf({ mode }: { readonly mode: Mode }): Blame["part"] {
  if (mode === "evaluate") return "value";
  return mode === "jvp" ? "tangent" : "cotangent";
}
