import type { Engine } from "../../spec/contract/index.ts";
import { pointerOfStatement, statementsIn } from "../../spec/programs/index.ts";
import type { Issue, Result } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { judge } from "../judge/index.ts";
import { ANSWER_ANEW, type ProgramFinding } from "./answer.ts";
import { askProgram } from "./ask.ts";
import { firstWrong } from "./first_wrong.ts";
import { type ProgramQuestion, questionOf, sessionCases } from "./question.ts";
import { overwritingStatement } from "./refusing.ts";
import type { FirstWrong } from "./search.ts";
import type { ProgramTask } from "./task.ts";

/** A statement is blamed for a disagreement, and the sentence says how it was found. */
export interface ProgramBlame {
  /** This is its place in the program; `""` if none is named. */
  readonly pointer: string;
  readonly sentence: string;
}

/**
 * Names the statement to blame: the first after which the engine's own values, tangents or cotangents are
 * wrong, found by asking beginnings of the program, or an earlier one that left something behind. A statement
 * around others is named where those are answered rightly without it; none where the results are wrong
 * together alone, or after a call that has failed alone. Cost: a question for each statement executed up to
 * there, one for each around others and each name there, and one about the graph of the run.
 */
export async function blameProgram(
  engine: Engine,
  task: ProgramTask,
  finding: ProgramFinding,
  dtype: DataType,
): Promise<ProgramBlame> {
  const { case: question, tangents } = task;
  const asked = questionOf(question, tangents && { tangents });
  const end = finding.part === "refusal" ? runThatEnds(task, finding) : undefined;
  if (end !== undefined) return endOf(end);
  if (finding.part === "refusal" && finding.expected === ANSWER_ANEW)
    return {
      pointer: "",
      sentence: "a call of its session has failed before, and without that it is answered.",
    };
  if (finding.isLater && (await isRightWithoutFailure(engine, task, dtype)))
    return {
      pointer: "",
      sentence: "a call of its session has failed before, and without that nothing is wrong.",
    };
  const first = await firstWrong(engine, task, finding, dtype);
  if (first === undefined)
    return {
      pointer: "",
      sentence: "no beginning of the program is answered wrongly, and so none is named.",
    };
  const { statement, how } = first;
  if (how === "together")
    return {
      pointer: "",
      sentence:
        "each result alone has right cotangents, and so has their sum; the results together have wrong ones.",
    };
  if (statement === undefined)
    return { pointer: "", sentence: "the program is answered wrongly without any of its statements too." };
  const pointer = pointerOfStatement(question.program, statement);
  const alone = asked.ok ? await graphAlone(engine, asked.value, dtype) : "";
  return { pointer, sentence: `${reasonFor(first, finding, asked)}${alone}.` };
}

/** Tells whether calls that fail are what makes a later one wrong [SEMANTICS §10.15]. */
async function isRightWithoutFailure(engine: Engine, task: ProgramTask, dtype: DataType): Promise<boolean> {
  const calls = task.calls.filter(({ refuse }) => refuse !== "must");
  if (calls.length === task.calls.length) return false;
  return (await askProgram(engine, { ...task, calls }, dtype)).kind === "agrees";
}

type Ended = Result<ProgramQuestion, Issue[]> & { readonly ok: false };

/** Returns the run that has no meaning: that of the first call or, if one was answered that had none, any. */
function runThatEnds({ case: first, calls }: ProgramTask, { answer }: ProgramFinding): Ended | undefined {
  for (const call of sessionCases(first, answer === "an answer" ? calls : [])) {
    const asked = questionOf(call);
    if (!asked.ok) return asked;
  }
  return undefined;
}

/** Names the statement at which a run ends that an engine has answered. */
function endOf({ error }: Ended): ProgramBlame {
  const [issue] = error;
  return {
    pointer: issue?.pointer.replace(/^\/program/, "") ?? "",
    sentence: `the run ends there: ${issue?.message ?? "it has no meaning."}`,
  };
}

/** Says how the first wrong statement was found. */
function reasonFor(
  { statement, how }: FirstWrong,
  { mode, part, isAgain }: ProgramFinding,
  asked: Result<ProgramQuestion, Issue[]>,
): string {
  const isOverwriting = asked.ok && overwritingStatement(asked.value) === statement;
  const around = how === "around" ? ", and what it does written out is answered rightly" : "";
  if (part === "refusal") return `with it the engine refuses, and without it it answers${around}`;
  if (part === "received") return `with it the world is asked again, and without it once${around}`;
  if (part === "argument") return `with it the call writes into what it was handed${around}`;
  if (part === "draw") return `what is told of the draws is wrong from there on${around}`;
  if (isAgain === true)
    return `with it a derivative leaves something behind, and without it none does${around}`;
  if (mode === "vjp" && isOverwriting)
    return `it overwrites what the sweep needs: with it the cotangents are wrong, and without it right${around}`;
  const numbers = { evaluate: "values", vjp: "cotangents", jvp: "tangents" }[mode];
  const drawing = statement?.do === "checkpoint" ? statementsIn(statement.body) : [];
  const drawn = drawing.some(({ do: kind }) => kind === "draw")
    ? "; what it draws must be the same when it is computed again"
    : "";
  return `with it the ${numbers} are wrong, and without it right${around}${mode === "vjp" ? drawn : ""}`;
}

/** Says whether the engine answers the graph of the run rightly: then memory is to blame. */
async function graphAlone(
  engine: Engine,
  { case: question }: ProgramQuestion,
  dtype: DataType,
): Promise<string> {
  const alone = await judge(engine, question, { dtype, laws: [], shrinkBudget: 0 });
  if (alone.kind === "agrees") return "; the graph of the run alone is answered rightly";
  if (alone.kind !== "disagrees") return "; the graph of the run alone was not decided";
  const { id, op, part } = alone.witness.blame;
  const of = op === undefined ? `input ${id}` : `node ${id} (${op})`;
  return `; the graph of the run alone is answered wrongly: the ${part} of ${of}`;
}
