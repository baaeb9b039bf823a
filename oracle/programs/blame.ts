import type { Engine } from "../../spec/contract/index.ts";
import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import {
  type Block,
  blocksOf,
  pointerOfStatement,
  type Statement,
  type StatementKind,
  statementsOf,
} from "../../spec/programs/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { judge } from "../judge/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { askProgram, type ProgramTask } from "./ask.ts";
import { questionOf } from "./question.ts";
import { overwritingStatement } from "./refusing.ts";

/** A statement is blamed for a disagreement, and the sentence says how it was found. */
export interface ProgramBlame {
  /** This is its place in the program; `""` if none is named. */
  readonly pointer: string;
  readonly sentence: string;
}

/**
 * Names the statement to blame: the first after which something is wrong, in a program that sends all it
 * makes; or the one whose node in the run's graph is answered wrongly alone; or, if that graph is answered
 * rightly and so memory is to blame, the one that overwrites what the sweep needs, else the first that a tape
 * most likely gets wrong. Meant for a small case that needs all its statements. Cost: a few questions.
 */
export async function blameProgram(
  engine: Engine,
  task: ProgramTask,
  finding: ProgramFinding,
  dtype: DataType,
): Promise<ProgramBlame> {
  const { case: question, tangents } = task;
  const { program } = question;
  const blamed = (statement: Statement | undefined, why: string): ProgramBlame => ({
    pointer: statement === undefined ? "" : pointerOfStatement(program, statement),
    sentence: why,
  });
  if (finding.part === "draw") {
    const drawing = statementsOf(program).find((one) => one.do === "draw");
    return blamed(drawing, "what is told of the draws is wrong, and the run is judged by them.");
  }
  if (finding.part === "argument")
    return blamed(undefined, "what is handed to a call is its caller's, and stays as it is.");
  if (finding.isAgain === true)
    return blamed(
      undefined,
      "before the derivatives were asked for, the same call was right: something is left behind.",
    );
  const first = await firstWrong(engine, question, dtype);
  if (first !== undefined) return blamed(first, "what it leaves is wrong, and all before it is right.");
  const asked = questionOf(question, tangents && { tangents });
  if (!asked.ok) return blamed(undefined, "the reference has no run of it.");
  const alone = await judge(engine, asked.value.case, { dtype, laws: [], shrinkBudget: 0 });
  if (alone.kind === "disagrees") {
    const { id, op, part } = alone.witness.blame;
    const statement = asked.value.recording.statements[id - asked.value.case.graph.inputs.length];
    return blamed(
      statement,
      `the graph of the run alone is answered wrongly: the ${part} of ${op === undefined ? `input ${id}` : `node ${id} (${op})`}.`,
    );
  }
  const beside =
    alone.kind === "agrees"
      ? "the graph of the run alone is answered rightly"
      : "the graph of the run alone was not decided";
  const overwriting = overwritingStatement(asked.value);
  if (overwriting !== undefined && finding.mode === "vjp")
    return blamed(overwriting, `it overwrites what the sweep needs; ${beside}.`);
  const there = statementsOf(program);
  const suspect = suspicious.map((kind) => there.find((one) => one.do === kind)).find(Boolean);
  return blamed(suspect, `${beside}; of the statements here it is what engines get wrong most.`);
}

/** Engines get these statements wrong, the likeliest first. */
const suspicious: readonly StatementKind[] = [
  "checkpoint",
  "update",
  "write",
  "no_grad",
  "detach",
  "draw",
  "differentiate",
  "while",
  "if",
  "for",
  "call",
  "view",
  "retain",
  "buffer",
  "rebind",
  "let",
];

/** Finds the first statement of the entry after which a value that it names is wrong in the run. */
async function firstWrong(
  engine: Engine,
  question: ProgramCase,
  dtype: DataType,
): Promise<Statement | undefined> {
  const { program } = question;
  const told: Statement[] = [];
  const entry = { ...entryOf(program), results: [] };
  const body = telling(entry.body, told);
  const procedures = [{ ...entry, body }, ...program.procedures.slice(1)];
  const talkative = { ...question, program: { ...program, procedures }, seeds: [] };
  const outcome = await askProgram(engine, { case: talkative, calls: [] }, dtype);
  if (outcome.kind !== "differs" || outcome.finding.part !== "sent" || outcome.finding.mode !== "evaluate")
    return undefined;
  const again = questionOf(talkative);
  const channel = again.ok ? again.value.recording.outcome.sent[outcome.finding.place]?.channel : undefined;
  return channel === undefined ? undefined : told[Number(channel.slice(PREFIX.length))];
}

const PREFIX = "told ";

/** Adds sends of what each statement has bound or changed; `told` lists statements by channel number. */
function telling(block: Block, told: Statement[]): Block {
  return block.flatMap((statement): Block => {
    if (statement.do === "return") return [{ ...statement, operands: [] }];
    const entries = blocksOf(statement).map(([property, inner]) => [property, telling(inner, told)]);
    const channel = `${PREFIX}${told.push(statement) - 1}`;
    const sends = namesOf(statement).map((from): Statement => ({ do: "send", channel, from }));
    return [{ ...statement, ...Object.fromEntries(entries) }, ...sends];
  });
}

function namesOf(statement: Statement): readonly string[] {
  if (statement.do === "write" || statement.do === "update") return [statement.to];
  if ("name" in statement) return [statement.name];
  return statement.do === "call" ? statement.names : [];
}
