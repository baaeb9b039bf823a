import { setImmediate } from "node:timers/promises";
import type { Section } from "../conformance/report/index.ts";
import type { ProcessEngine } from "../conformance/runner/index.ts";
import type { EngineChoice, Started } from "../conformance/testees/index.ts";
import { type Extent, emptyTally, isEnough, tallied } from "../oracle/judge/index.ts";
import type { Budget } from "../spec/graph/index.ts";
import type { DataType } from "../spec/wire/index.ts";
import { type Agenda, agendaOf, type Questions } from "./agenda.ts";
import { showIssue } from "./options.ts";
import type { Terminal } from "./terminal.ts";

/** What every engine is asked, and for how long. */
export interface RunPlan extends Questions {
  /** Empty: all that the engine has. */
  readonly dtypes: readonly DataType[];
  readonly budget: Budget;
  readonly time: Time;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
  /** What an earlier run, which did not come to its end, has found: it goes on from there. */
  readonly earlier: readonly Section[];
}

/** How long one engine is asked in one precision. */
export interface Time {
  /** After so many seconds no further case is asked. */
  readonly seconds: number;
  /** But until so many it goes on while what was asked is too little to mean anything. */
  readonly patience: number;
}

/** Of an engine that a test of a minute or two is worth. */
export const defaultTime: Time = { seconds: 15, patience: 120 };

/** The time that somebody asks for, which is kept to; 0 is no end. */
export function timeOf(seconds: number): Time {
  const end = seconds > 0 ? seconds : Number.POSITIVE_INFINITY;
  return { seconds: end, patience: end };
}

/** What came of asking one engine. */
export interface EngineRun {
  /** It was there and could not be started. */
  readonly isBroken: boolean;
  /** Whether it runs programs with memory itself. */
  readonly runsPrograms: boolean;
}

/** Hears of a section when it begins, after each case, and when it is complete; the last word on it holds. */
export type Keep = (section: Section) => void;

/** Asks one engine in each of its precisions. An engine that is not there is told of, and has no section. */
export async function judgeEngine(
  choice: EngineChoice,
  plan: RunPlan,
  terminal: Terminal,
  keep: Keep,
): Promise<EngineRun> {
  terminal.progress(`starting ${choice.label} …`);
  const started = await choice.start({});
  if (started.kind === "missing") {
    terminal.note(
      `${terminal.palette.yellow("–")} ${choice.label} is not installed and was not asked: ${started.reason}`,
    );
    return { isBroken: false, runsPrograms: false };
  }
  if (started.kind === "broken") {
    for (const issue of started.issues)
      terminal.note(`${terminal.palette.red("✗")} ${choice.label}: ${showIssue(issue)}`);
    return { isBroken: true, runsPrograms: false };
  }
  await using engine = started.engine;
  const { dtypes, operators } = engine.describe();
  const asked = dtypes.filter((dtype) => plan.dtypes.length === 0 || plan.dtypes.includes(dtype));
  const agenda = asked.length === 0 ? undefined : agendaOf(plan, operators);
  for (const dtype of asked) {
    if (agenda !== undefined)
      await judgeSection(started, choice.label, dtype, { plan, agenda, terminal, keep });
  }
  if (started.process !== undefined) await tellLastFaults(started.process, choice.label, terminal);
  return { isBroken: false, runsPrograms: engine.programs !== undefined };
}

interface Hearing {
  readonly plan: RunPlan;
  readonly agenda: Agenda;
  readonly terminal: Terminal;
  readonly keep: Keep;
}

/**
 * Puts the agenda to an engine in one precision, until the time is over: that of a case too, whose truth is then left as far
 * as it is known, and an engine that is still being asked is ended.
 */
async function judgeSection(
  { engine, process }: Started & { readonly kind: "started" },
  label: string,
  dtype: DataType,
  { plan, agenda, terminal, keep }: Hearing,
): Promise<void> {
  const description = engine.describe();
  const before = plan.earlier.find((section) => {
    const { name, version } = section.description;
    const isSame = name === description.name && version === description.version;
    return isSame && section.label === label && section.dtype === dtype;
  });
  const verdicts: Section["verdicts"][number][] = [...(before?.verdicts ?? [])];
  const promised = (process ?? engine).describe().operators;
  const { budget, time, now } = plan;
  const { cases } = agenda;
  const begin = now();
  const elapsed = (): number => (now() - begin) / 1000;
  const spent = before?.extent.seconds ?? 0;
  let isLittle = true;
  const left = (): number => (isLittle ? time.patience : time.seconds) - elapsed();
  let tally = before?.tally ?? emptyTally;
  const first = Object.values(tally.counts).reduce((sum, count) => sum + count, 0);
  let asked = first;
  const kept = (ended: Extent["ended"]): void => {
    const extent = { cases, operators: agenda.operators, ended, seconds: spent + elapsed() };
    keep({ label, description, promised, dtype, tally, extent, verdicts });
  };
  // Until it has come to its end, it has been interrupted.
  kept("interrupted");
  const answers = agenda.ask(engine, dtype, { budget, isOver: () => left() < 0 }, first);
  for (;;) {
    const next = await within(left(), answers.next());
    if (next === undefined) {
      await process?.interrupt();
      return kept("time");
    }
    if (next.done === true) return kept("all");
    const { place, judged } = next.value;
    // What the time cut short was not asked: whoever goes on from here asks it again.
    if (asked + 1 < cases && judged.verdict.kind === "undecided" && left() < 0) return kept("time");
    asked += 1;
    tally = tallied(tally, judged);
    if (judged.verdict.kind !== "agrees") verdicts.push({ case: place, verdict: judged.verdict });
    kept("interrupted");
    const { agrees, disagrees, crashed } = tally.counts;
    const pace = paceOf(asked - first, elapsed(), left(), cases - asked);
    terminal.progress(
      `${label} ${dtype}: case ${asked} of ${cases}, ${agrees} agree, ${disagrees} disagree${pace}`,
    );
    // A fault means something by itself.
    const isMeant = disagrees + crashed > 0 || isEnough(agrees, cases - tally.foreign);
    isLittle = asked < agenda.covering || !isMeant;
    if (asked < cases && left() < 0) return kept("time");
    // Signals are heard between turns of the event loop only, and an engine in this process never ends one.
    await setImmediate();
  }
}

/** How fast it goes, and how long it takes until all are asked or the time is over. */
function paceOf(asked: number, seconds: number, left: number, cases: number): string {
  if (seconds < 1) return "";
  const rate = asked / seconds;
  const rest = Math.max(0, Math.min(left, cases / rate));
  return `; ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)} a second, ${rest.toFixed(0)} s left`;
}

/** What a promise gives; `undefined` where so many seconds are over first. What it gives later is nobody's. */
async function within<T>(seconds: number, promise: Promise<T>): Promise<T | undefined> {
  if (seconds === Number.POSITIVE_INFINITY) return promise;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // Timers take 31 bits of milliseconds. The grace leaves it to the judge to notice by itself, and to say what it knows.
  const milliseconds = Math.min(2 ** 31 - 1, Math.max(0, 1000 * seconds) + GRACE_MILLISECONDS);
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** How long after its time a case may still say what it knows. */
const GRACE_MILLISECONDS = 200;

/** What an engine in another process did wrong that no case could show. */
async function tellLastFaults(engine: ProcessEngine, label: string, terminal: Terminal): Promise<void> {
  for (const issue of await engine.close())
    terminal.note(`${terminal.palette.yellow("!")} ${label}: ${showIssue(issue)}`);
}
