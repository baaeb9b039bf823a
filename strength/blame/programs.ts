import { isDeepStrictEqual } from "node:util";
import { type Engine, interpreterEngine, programMutants } from "../../engines/index.ts";
import { askProgram } from "../../oracle/programs/ask.ts";
import { floatPrograms, taskAt } from "../../oracle/programs/draw.ts";
import { judgeProgram, type ProgramWitness } from "../../oracle/programs/judge.ts";
import { replies } from "../../oracle/programs/replies.test.kit.ts";
import type { ProgramTask } from "../../oracle/programs/task.ts";
import { sharingOf } from "../../reference/state/index.ts";
import { type Program, pointerOfStatement, type Statement, statementsOf } from "../../spec/index.ts";
import { isRightlyBlamed } from "./program_kinds.ts";

/** At least this share of the statements that are named is right. */
export const LEAST_SHARE_OF_PROGRAMS = 0.95;

/** An engine with a known fault was told by a program, and this statement was named. */
export interface NamedStatement {
  readonly fault: string;
  /** This random program told it. */
  readonly index: number;
  /** `undefined` if no statement is named. */
  readonly statement: Statement | undefined;
  readonly isRight: boolean;
  /** This share of the statements of the smallest program would be right. */
  readonly chance: number;
  readonly sentence: string;
}

/** These random programs are asked, each fault in the first `each` that tell it. */
export interface AskedPrograms {
  readonly seed: number;
  readonly first: number;
  readonly end: number;
  readonly each: number;
}

/** Returns the statement that is named in a witness. */
function statementNamed({ case: { program }, blame }: ProgramWitness): Statement | undefined {
  return statementsOf(program).find((one) => pointerOfStatement(program, one) === blame.pointer);
}

/** Judges a program by an engine with this fault; `undefined` where it does not disagree. */
async function named(
  fault: string,
  engine: Engine,
  index: number,
  task: ProgramTask,
  isRight: (statement: Statement | undefined, program: Program) => boolean,
): Promise<NamedStatement | undefined> {
  if ((await askProgram(engine, task, "float64")).kind !== "differs") return undefined;
  const verdict = await judgeProgram(engine, task, { dtype: "float64" });
  if (verdict.kind !== "disagrees") return undefined;
  const { witness } = verdict;
  const statement = statementNamed(witness);
  const { program } = witness.case;
  const there = statementsOf(program);
  const chance = there.filter((one) => isRight(one, program)).length / Math.max(1, there.length);
  const { sentence } = witness.blame;
  return { fault, index, statement, isRight: isRight(statement, program), chance, sentence };
}

/** Yields what is named for each of these mutants. Programs that it runs as it should are not judged. */
export async function* namedProgramMutants(
  names: readonly string[],
  { seed, first, end, each }: AskedPrograms,
): AsyncGenerator<NamedStatement> {
  const interpreter = interpreterEngine();
  let waiting = programMutants
    .filter(({ name }) => names.includes(name))
    .map(({ name, engine }) => ({ name, engine: engine(), left: each }));
  for (let index = first; index < end && waiting.length > 0; index++) {
    const task = taskAt(floatPrograms, seed, index);
    const right = await replies(interpreter, task);
    for (const mutant of waiting) {
      const { name, engine } = mutant;
      if (isDeepStrictEqual(await replies(engine, task), right)) continue;
      const found = await named(name, engine, index, task, (one) => isRightlyBlamed(name, one));
      if (found === undefined) continue;
      mutant.left -= 1;
      yield found;
    }
    waiting = waiting.filter(({ left }) => left > 0);
  }
}

/** Tells whether a statement updates a location by what is in that location itself, under any names. */
function isUpdateByItself(statement: Statement | undefined, program: Program): boolean {
  if (statement?.do !== "update") return false;
  if (statement.to === statement.from) return true;
  const { overwritings, aliasing } = sharingOf(program);
  return overwritings.some(
    ({ statement: one, target, sources }) =>
      one === statement && sources.some((source) => aliasing(target, source) === "must"),
  );
}

/**
 * Yields what is named for an engine whose forward mode is wrong after a location was updated by itself, as
 * PyTorch's is.
 */
export async function* namedSelfUpdates(
  engine: Engine,
  { seed, first, end, each }: AskedPrograms,
): AsyncGenerator<NamedStatement> {
  let left = each;
  for (let index = first; index < end && left > 0; index++) {
    const task = taskAt(floatPrograms, seed, index);
    const found = await named("an update by itself", engine, index, task, isUpdateByItself);
    if (found === undefined) continue;
    left -= 1;
    yield found;
  }
}
