import type { Engine } from "../../spec/contract/index.ts";
import { entryOf, type ProgramCase } from "../../spec/documents/index.ts";
import { operatorsOfProgram, type Program } from "../../spec/programs/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import { exhausted, type JudgingOptions, judgeBy, type Kind, type Wrong } from "../driver/index.ts";
import type { ProgramFinding } from "./answer.ts";
import { askProgram, type ProgramOutcome } from "./ask.ts";
import { blameProgram, type ProgramBlame } from "./blame.ts";
import { shrinkCase } from "./shrink_case.ts";
import type { ProgramTask, TaskCall } from "./task.ts";

/** A witness is all it takes to see a program's disagreement again: finding, case, and who is to blame. */
export interface ProgramWitness extends ProgramFinding {
  readonly case: ProgramCase;
  /** The engine was sent this in place of the program, with composites expanded that it lacks. */
  readonly sent?: Program;
  readonly blame: ProgramBlame;
}

/** Judging a program leads to this. An allowed refusal accuses nobody. */
export type ProgramVerdict =
  | Exclude<ProgramOutcome, { readonly kind: "differs" }>
  | { readonly kind: "disagrees"; readonly witness: ProgramWitness };

/** These options say how a program is judged. */
export type JudgeProgramOptions = JudgingOptions<ProgramVerdict>;

/**
 * Judges a program by an engine that runs programs: its calls' results and derivatives, beside the truth
 * about the graphs of the runs [SEMANTICS §10.4]. A disagreement has the smallest case found, unless a
 * refusal is what is wrong, and the statement to blame. Never rejects for what an engine does. Cost: a call
 * of the engine for each call and mode, and the truth about a graph for each call.
 */
export async function judgeProgram(
  engine: Engine,
  task: ProgramTask,
  options: JudgeProgramOptions,
): Promise<ProgramVerdict> {
  return judgeBy(programs, engine, task, options);
}

/** This kind of question asks engines to run programs with memory. */
const programs: Kind<ProgramTask, ProgramFinding, ProgramVerdict, JudgeProgramOptions> = {
  shrinkBudget: 600,
  // The graph of a run is looked at when it has been recorded.
  graphsOf: () => [],
  async ask(engine, task, { dtype }) {
    const outcome = await askProgram(engine, task, dtype).catch(exhausted);
    if (outcome.kind === "differs") return outcome;
    return { verdict: outcome };
  },
  async shrink(task, fails, budget) {
    // What is wrong without the later calls is made smaller without them.
    const alone = { ...task, calls: [] };
    const whole = task.calls.length > 0 && (await fails(alone)) ? alone : task;
    return withCase(
      whole,
      await shrinkCase(whole.case, (smaller) => fails(withCase(whole, smaller)), budget),
    );
  },
  async blame(engine, wrong, { dtype }) {
    const blame = await blameProgram(engine, wrong.question, wrong.finding, dtype);
    return accusation(wrong, blame, (program) => engine.programs?.sent?.(program) ?? program);
  },
  blameHastily: (wrong, exhausted) =>
    accusation(wrong, {
      pointer: "",
      sentence: `the ${exhausted} was used up before a smaller program and the statement to blame were found.`,
    }),
  // Whether to refuse is said of this very program.
  isKept: ({ finding }) => finding.part === "refusal",
};

function accusation(
  { question: { case: question }, finding }: Wrong<ProgramTask, ProgramFinding>,
  blame: ProgramBlame,
  sentOf: (program: Program) => Program = (program) => program,
): ProgramVerdict {
  const witness = { ...finding, case: question, blame };
  const sent = sentOf(question.program);
  if (sent === question.program) return { kind: "disagrees", witness };
  const sentence = `${blame.sentence} ${writtenOut(question.program, sent)}`;
  return { kind: "disagrees", witness: { ...witness, sent, blame: { ...blame, sentence } } };
}

/** Names the operators of a program that were expanded in what was sent. */
function writtenOut(program: Program, sent: Program): string {
  const left = operatorsOfProgram(sent);
  const missing = operatorsOfProgram(program).filter((op) => !left.includes(op));
  return `The engine was sent the expansion of ${missing.join(", ")}.`;
}

/** Returns the task for another case, which may be refused, without what belonged to inputs that are gone. */
function withCase(given: ProgramTask, candidate: ProgramCase): ProgramTask {
  if (candidate === given.case) return given;
  const { refuse: _, tangents, ...task } = given;
  const isSame = candidate.point.inputs.length === task.case.point.inputs.length;
  const calls = task.calls.map((call) => callOf(task.case.program, candidate.program, call));
  return { ...task, case: candidate, calls, ...(isSame && tangents !== undefined ? { tangents } : {}) };
}

/** Returns a later call with what is left of its parameters, and of the seeds of results. */
function callOf(whole: Program, candidate: Program, call: TaskCall): TaskCall {
  const [before, after] = [entryOf(whole), entryOf(candidate)];
  const parameters = after.parameters.flatMap(
    ({ name }) => call.parameters[before.parameters.findIndex((parameter) => parameter.name === name)] ?? [],
  );
  const seeds = call.seeds.flatMap(({ id, cotangent }) => {
    const result = before.results[id];
    const place = result === undefined ? -1 : after.results.indexOf(result);
    return place < 0 ? [] : [{ id: nodeId(place), cotangent }];
  });
  return { ...call, parameters, seeds };
}
