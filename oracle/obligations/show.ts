import { counted } from "../../spec/shapes/index.ts";
import { type Decider, deciderOf } from "./decider.ts";
import type { Answer, Obligation } from "./obligation.ts";
import { askedOf, isProved, type MutantRecord, type ProofRecord, showAnswer } from "./prove.ts";
import { type Entry, type Replay, telling } from "./run.ts";
import { goalScript, NEGATED_GOAL } from "./script.ts";

/** Shows obligations in columns: id, answer, time, steps, solver, mutants, second solver. */
export function showEntries(entries: readonly Entry[]): readonly (readonly [Entry, string])[] {
  const width = Math.max(...entries.map(({ obligation }) => obligation.id.length));
  return entries.map((entry) => [entry, showEntry(entry, width)]);
}

function showEntry({ obligation, records, replays, faults }: Entry, width: number): string {
  const [record] = records;
  const shown = record.mutants.filter(({ execution }) => execution?.showsFault === true).length;
  const answer = faults.length === 0 ? "proved" : answerWord(record.goal.reply.answer);
  const parts = [
    obligation.id.padEnd(width),
    answer.padEnd("not proved".length),
    `${Math.ceil(records.reduce((sum, each) => sum + spentTime(each), 0))} ms`.padStart("10000 ms".length),
    `${record.goal.reply.spent ?? "?"} steps`.padStart("100000000 steps".length),
    record.solver,
    `mutants ${shown}/${record.mutants.length}`,
    ...(records.length > 1 ? [`seeds ${records.filter(isProved).length}/${records.length}`] : []),
    ...(replays.length > 0 ? [showReplays(replays)] : []),
  ];
  return parts.join("  ");
}

/** Names the answer of an obligation that is not green: its goal's, unless something else is wrong. */
function answerWord(answer: Answer): string {
  return answer.kind === "proved" ? "not proved" : answer.kind;
}

/** Counts the results of a run. `found` answers were known from earlier runs. */
export function showTotals(entries: readonly Entry[], found: number): string {
  const records = entries.flatMap((entry) => entry.records);
  const mutants = entries.flatMap(({ records: [record] }) => record.mutants);
  const replays = entries.flatMap((entry) => entry.replays);
  const told = telling(replays);
  const proved = entries.filter(({ faults }) => faults.length === 0).length;
  const shown = mutants.filter(({ execution }) => execution?.showsFault === true).length;
  const decided = countDeciders(entries.map(({ obligation }) => obligation));
  const solvers = [...new Set(records.map(({ solver }) => solver))].join(", ");
  const questions = records.flatMap(askedOf).length + replays.length;
  const seconds = (records.reduce((sum, record) => sum + spentTime(record), 0) / 1_000).toFixed(1);
  const count = (outcome: string): number => told.filter((each) => each.outcome === outcome).length;
  return [
    `${counted(entries.length, "obligation")}: ${proved} proved, ${entries.length - proved} not.`,
    `Of their goals ${decided["same term"]} have the same term on both sides, ${decided["normal form"]} are closed by our own normal form; ${decided.solver} are left to ${solvers}.`,
    `${counted(mutants.length, "mutant")}: ${shown} with a model that shows the fault in the real code, ${mutants.length - shown} without.`,
    ...(replays.length === 0
      ? []
      : [
          `${counted(told.length, "script")} replayed: ${count("agrees")} agree, ${count("disagrees")} disagree, ${count("no answer")} without an answer${showUnanswered(told)}. ${replays.length - told.length} more assert nothing, which is no agreement.`,
        ]),
    ...showSeeds(entries),
    `${counted(questions, "question")}, ${found} of them answered in earlier runs; ${seconds} s of solving in all.`,
  ].join("\n");
}

/** Counts the goals that each decider decides. */
export function countDeciders(obligations: readonly Obligation[]): Readonly<Record<Decider, number>> {
  const counts = { "same term": 0, "normal form": 0, solver: 0 };
  for (const obligation of obligations) counts[deciderOf(obligation)] += 1;
  return counts;
}

/** Counts where the second solver had no answer, by the first two words of the scripts' names. */
function showUnanswered(replays: readonly Replay[]): string {
  const left = replays.filter(({ outcome }) => outcome === "no answer");
  const parts = Map.groupBy(left, ({ script }) => script.name.split("/").slice(0, 2).join("/"));
  const counts = [...parts].map(([part, scripts]) => `${part} ${scripts.length}`);
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}

/** Says whether seeds agree, and how near a question came to its budget; nothing if there was one seed. */
function showSeeds(entries: readonly Entry[]): readonly string[] {
  const seeds = Math.max(0, ...entries.map(({ records }) => records.length));
  if (seeds < 2) return [];
  const differing = entries.filter(({ faults }) => faults.some(({ code }) => code === "seed")).length;
  const shares = entries.flatMap(({ obligation, records }) =>
    records.flatMap((record, seed) =>
      askedOf(record).map(({ script, reply }) => ({
        what: `${script.name}, seed ${seed}`,
        share: (reply.spent ?? 0) / obligation.rlimit,
      })),
    ),
  );
  const most = shares.reduce((a, b) => (b.share > a.share ? b : a), { what: "", share: 0 });
  return [
    `${counted(seeds, "seed")}: ${entries.length - differing} obligations with the same answers, ${differing} without; no question spent more than ${Math.ceil(100 * most.share)} % of its budget (${most.what}).`,
  ];
}

/** Explains one obligation: statement, script, what the proof used or what refutes it, and each mutant. */
export function explainEntry({ obligation, records, replays }: Entry): readonly string[] {
  const [record] = records;
  return [
    "",
    obligation.statement,
    `${obligation.clause}; ${showScope(obligation)}; ${obligation.logic}.`,
    ...(obligation.metaArgument === ""
      ? []
      : [`From the formula to the statement: ${obligation.metaArgument}`]),
    ...(obligation.dependsOn.length === 0 ? [] : [`It rests on ${obligation.dependsOn.join(", ")}.`]),
    "",
    ...goalScript(obligation).text.trimEnd().split("\n"),
    "",
    ...explainAnswer(obligation, record.goal.reply.answer),
    ...record.mutants.flatMap((mutant) => ["", ...explainMutant(mutant)]),
    ...(replays.length === 0
      ? []
      : ["", ...replays.map(({ script, outcome }) => `second solver, ${script.name}: ${outcome}`)]),
    "",
  ];
}

function explainAnswer(obligation: Obligation, answer: Answer): readonly string[] {
  switch (answer.kind) {
    case "proved":
      return [
        "Proved. The proof uses:",
        ...answer.core.map((name) => `  ${name}: ${formulaOf(obligation, name)}`),
      ];
    case "refuted":
      return ["It does not hold. A model of the hypotheses without the goal:", ...explainModel(answer.model)];
    default:
      return [`Not proved: ${showAnswer(answer)}.`];
  }
}

function formulaOf({ hypotheses, goal }: Obligation, name: string): string {
  if (name === NEGATED_GOAL) return `not ${goal}`;
  return hypotheses.find((hypothesis) => hypothesis.name === name)?.formula ?? "?";
}

function explainMutant({ mutant, reply, execution }: MutantRecord): readonly string[] {
  const head = `Mutant ${mutant.name}: ${mutant.fault}.`;
  if (reply.answer.kind !== "refuted") return [head, `  It has no model: ${showAnswer(reply.answer)}.`];
  return [
    head,
    ...explainModel(reply.answer.model),
    `  Run in the real code, this ${execution?.showsFault === true ? "shows the fault" : "shows no fault"}: ${execution?.told ?? "nothing was run"}`,
  ];
}

function explainModel(model: ReadonlyMap<string, string>): readonly string[] {
  return model.size === 0
    ? ["  (nothing was asked)"]
    : [...model].map(([term, value]) => `  ${term} = ${value}`);
}

/** Adds the milliseconds of all questions. */
export function spentTime(record: ProofRecord): number {
  return askedOf(record).reduce((sum, { reply }) => sum + reply.milliseconds, 0);
}

/** Says in a few words for what an obligation holds. */
export function showScope({ scope }: Obligation): string {
  switch (scope.kind) {
    case "all_graphs":
      return "all graphs";
    case "operator":
      return `${scope.operator}, ${scope.shapes}`;
    case "graph":
      return scope.graph;
    case "rewrite":
      return `${scope.rewrite}, ${scope.format}`;
    case "accumulator":
      return scope.accumulator;
  }
}

/** Says how the second solver's answers compare, if any. Scripts that assert nothing do not count. */
export function showReplays(replays: readonly Replay[]): string {
  const told = telling(replays);
  const count = (outcome: Replay["outcome"]): number =>
    told.filter((each) => each.outcome === outcome).length;
  if (replays.length === 0) return "";
  const parts = [`agrees ${count("agrees")}/${told.length}`];
  if (count("disagrees") > 0) parts.push(`DISAGREES ${count("disagrees")}`);
  return parts.join(", ");
}
