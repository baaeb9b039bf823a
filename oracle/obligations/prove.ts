import { findCoreWith } from "./core_search.ts";
import { faultsOfForm } from "./form.ts";
import type { Answer, Execution, Obligation, ObligationMutant } from "./obligation.ts";
import { goalScript, mutantScript, type Script, vacuityScript } from "./script.ts";
import type { Asked, Limits, Reply, Solver } from "./solve/index.ts";

/** An obligation is not green for this reason. */
export interface Fault {
  readonly code:
    | "crash"
    | "form"
    | "vacuous"
    | "goal"
    | "core/required"
    | "core/dead"
    | "mutant/answer"
    | "mutant/execution"
    | "seed"
    | "second"
    | "depends";
  readonly message: string;
}

/** This mutant was asked about, and run if there was a model. */
export interface MutantRecord extends Asked {
  readonly mutant: ObligationMutant;
  readonly execution: Execution | undefined;
}

/** A record has all questions and answers about one obligation. */
export interface ProofRecord {
  readonly obligation: Obligation;
  readonly solver: string;
  readonly vacuity: Asked;
  readonly goal: Asked;
  readonly mutants: readonly MutantRecord[];
  /** These queries searched for cores. */
  readonly further: readonly Asked[];
  /** This is empty if and only if the obligation is green. */
  readonly faults: readonly Fault[];
}

/** These options apply where the obligation says nothing itself. */
export interface ProveOptions {
  readonly seed?: number;
  /** Each question may take this many milliseconds; the obligation's `rlimit` is the budget that counts. */
  readonly timeout?: number;
}

/** Each question has ten times the milliseconds that it is expected to take. */
const timeouts: Readonly<Record<Obligation["tier"], number>> = { everyday: 60_000, long: 600_000 };

/**
 * Asks `solver` everything about an obligation. It is proved if the hypotheses are satisfiable, no model of
 * them contradicts the goal, the required hypotheses are in the unsat core, every hypothesis is in some core,
 * and each mutant has a model that shows the fault in real code. Never rejects; all else is a fault.
 */
export async function prove(
  obligation: Obligation,
  solver: Solver,
  options: ProveOptions = {},
): Promise<ProofRecord> {
  if (obligation.crash !== undefined) return unmade(obligation, obligation.crash, solver);
  const limits: Limits = {
    rlimit: obligation.rlimit,
    timeout: options.timeout ?? timeouts[obligation.tier],
  };
  const ask = async (script: Script): Promise<Asked> => ({
    script,
    reply: await solver.ask({ script, limits, seed: options.seed ?? 0 }).catch(failed),
  });
  const vacuity = vacuityScript(obligation).isEmpty
    ? { script: vacuityScript(obligation), reply: nothingAssumed }
    : await ask(vacuityScript(obligation));
  const goal = await ask(goalScript(obligation));
  const { faults: coreFaults, further } = await judgeCore(obligation, goal.reply.answer, ask);
  const mutants: MutantRecord[] = [];
  for (const mutant of obligation.mutants) {
    const asked = await ask(mutantScript(obligation, mutant));
    mutants.push({ mutant, ...asked, execution: executed(mutant, asked.reply.answer) });
  }
  const faults = [
    ...faultsOfForm(obligation).map((message): Fault => ({ code: "form", message })),
    ...faultsOfVacuity(vacuity.reply.answer),
    ...coreFaults,
    ...mutants.flatMap(faultsOfMutant),
  ];
  return { obligation, solver: solver.name, vacuity, goal, mutants, further, faults };
}

/** Where nothing is assumed, nothing is asked: everything is a model of no assumptions. */
const nothingAssumed: Reply = {
  answer: { kind: "refuted", model: new Map() },
  milliseconds: 0,
  spent: undefined,
};

/** Records an obligation whose code threw while it was made. */
function unmade(obligation: Obligation, crash: string, solver: Solver): ProofRecord {
  const unasked = (script: Script): Asked => ({
    script,
    reply: { answer: { kind: "crashed", message: crash }, milliseconds: 0, spent: undefined },
  });
  return {
    obligation,
    solver: solver.name,
    vacuity: unasked(vacuityScript(obligation)),
    goal: unasked(goalScript(obligation)),
    mutants: [],
    further: [],
    faults: [{ code: "crash", message: `the code that it is about threw: ${crash}` }],
  };
}

/** Answers for a solver that breaks its word and rejects. */
function failed(thrown: unknown): Reply {
  return { answer: { kind: "crashed", message: String(thrown) }, milliseconds: 0, spent: undefined };
}

/** Tells whether a record is green. */
export function isProved({ goal, faults }: ProofRecord): boolean {
  return goal.reply.answer.kind === "proved" && faults.length === 0;
}

/** Lists every script that was asked, also those in search of cores. */
export function askedOf({ vacuity, goal, mutants, further }: ProofRecord): readonly Asked[] {
  return [...(vacuity.script.isEmpty ? [] : [vacuity]), goal, ...mutants, ...further];
}

/** Shows an answer in a few words. */
export function showAnswer(answer: Answer): string {
  switch (answer.kind) {
    case "proved":
      return `proved from ${answer.core.join(", ")}`;
    case "refuted":
      return answer.model.size === 0 ? "a model" : `a model with ${showModel(answer.model)}`;
    case "unknown":
      return `unknown (${answer.reason})`;
    case "timeout":
      return "no answer in time";
    case "resource":
      return "no answer within its budget";
    case "crashed":
      return `no answer, the solver failed: ${answer.message}`;
  }
}

function showModel(model: ReadonlyMap<string, string>): string {
  return [...model].map(([term, value]) => `${term} = ${value}`).join(", ");
}

function faultsOfVacuity(answer: Answer): readonly Fault[] {
  if (answer.kind === "refuted") return [];
  const what =
    answer.kind === "proved"
      ? `the hypotheses contradict each other (${answer.core.join(", ")}), so the obligation says nothing`
      : `whether the hypotheses can hold: ${showAnswer(answer)}`;
  return [{ code: "vacuous", message: what }];
}

interface CoreJudgement {
  readonly faults: readonly Fault[];
  readonly further: readonly Asked[];
}

/** Checks the goal's verdict and the required core, and finds hypotheses that are in no core. */
async function judgeCore(
  obligation: Obligation,
  answer: Answer,
  ask: (script: Script) => Promise<Asked>,
): Promise<CoreJudgement> {
  if (answer.kind !== "proved")
    return { faults: [{ code: "goal", message: showAnswer(answer) }], further: [] };
  const faults: Fault[] = [];
  const further: Asked[] = [];
  for (const name of obligation.requiredCore)
    if (!answer.core.includes(name))
      faults.push({
        code: "core/required",
        message: `${name} is not in the core: ${answer.core.join(", ")}`,
      });
  for (const { name } of obligation.hypotheses) {
    if (answer.core.includes(name) || obligation.requiredCore.includes(name)) continue;
    const search = await findCoreWith(obligation, name, answer.core, ask);
    further.push(...search.asked);
    if (!search.isFound)
      faults.push({
        code: "core/dead",
        message: `${name} is a dead assumption: it is in no core (${search.asked.length + 1} looked at)`,
      });
  }
  return { faults, further };
}

/** Runs a mutant on its model; a run that throws shows no fault. */
function executed(mutant: ObligationMutant, answer: Answer): Execution | undefined {
  if (answer.kind !== "refuted") return undefined;
  try {
    return mutant.execute(answer.model);
  } catch (thrown) {
    return { showsFault: false, told: `the run threw: ${String(thrown)}` };
  }
}

function faultsOfMutant({ mutant, reply, execution }: MutantRecord): readonly Fault[] {
  if (execution === undefined)
    return [
      {
        code: "mutant/answer",
        message: `the mutant ${mutant.name} (${mutant.fault}) should have a model: ${showAnswer(reply.answer)}`,
      },
    ];
  if (execution.showsFault) return [];
  const message = `the model of the mutant ${mutant.name} shows no fault when it is run: ${execution.told}`;
  return [{ code: "mutant/execution", message }];
}
