import { setImmediate } from "node:timers/promises";
import type { EngineChoice, Started } from "../../conformance/testees/index.ts";
import { searchTime } from "../../oracle/driver/index.ts";
import { type Extent, isEnough } from "../../oracle/judge/index.ts";
import { type Budget, defaultBudget } from "../../spec/expansion/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { writeText } from "../files/files.ts";
import { report, showIssue } from "../options/options.ts";
import { type ExitCode, exitCodes, worstOf } from "../terminal/exit.ts";
import { lastWords } from "../terminal/last_words.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Agenda, Campaign, Found, WithVerdict } from "./kind.ts";
import { type Absent, noteAbsent, noteInterrupted, noteOver, noteUnasked } from "./notes.ts";

/** A plan says which engines a campaign asks, and for how long. */
export interface RunPlan<Tally, Verdict> {
  readonly choices: readonly EngineChoice[];
  readonly budget: Budget;
  readonly time: Time;
  /** Returns the time in milliseconds since any fixed moment. */
  readonly now: () => number;
  /** The run ends when so many new findings are known. */
  readonly mostFindings: number;
  /** An earlier run that was interrupted found this; the campaign goes on from there. */
  readonly earlier: readonly Found<Tally, Verdict>[];
}

/** Asks these engines all questions, of files as long as they may take. */
export function planFor(choices: readonly EngineChoice[]): RunPlan<never, never> {
  return {
    choices,
    budget: defaultBudget,
    time: timeOfFiles,
    now: () => performance.now(),
    mostFindings: Number.POSITIVE_INFINITY,
    earlier: [],
  };
}

/** One engine is asked for this long in one precision. */
export interface Time {
  /** After this many seconds no further case is asked. */
  readonly seconds: number;
  /** Until this many seconds it goes on while too few cases were answered to mean anything. */
  readonly patience: number;
  /** The truth about one question may take so many seconds. */
  readonly question: number;
}

/** By default a test takes seconds, or up to two minutes where it would else mean too little. */
export const defaultTime: Time = { seconds: 15, patience: 120, question: Number.POSITIVE_INFINITY };

/** Questions of files are all asked, each for as long as a user may wait without asking for it. */
export const timeOfFiles: Time = { ...timeOf(0), question: 60 };

/** Returns the time limit that a user asked for, which is kept exactly; 0 means no limit. */
export function timeOf(seconds: number): Time {
  const end = seconds > 0 ? seconds : Number.POSITIVE_INFINITY;
  return { seconds: end, patience: end, question: Number.POSITIVE_INFINITY };
}

/**
 * Asks every engine in each precision, tells the findings, and returns the exit code. On a signal it tells
 * what is known and who was not asked. If an engine does not start, a run without disagreement is undecided.
 */
export async function runCampaign<
  Tally,
  Verdict extends { readonly kind: string },
  J extends WithVerdict<Verdict>,
>(
  campaign: Campaign<Tally, Verdict, J>,
  plan: RunPlan<Tally, Verdict>,
  terminal: Terminal,
): Promise<ExitCode> {
  const kept = new Map<string, Found<Tally, Verdict>>();
  const waiting = new Set(plan.choices);
  const interruptible = terminal.atInterrupt?.(() => {
    const found = [...kept.values()];
    const tell = (last: Terminal): void => {
      campaign.print(found, last);
      noteUnasked(waiting, last);
      const commands =
        campaign.resume?.(
          found,
          [...waiting].map(({ label }) => label),
        ) ?? [];
      noteInterrupted(commands, last);
    };
    return lastWords(terminal, tell, campaign.texts(found));
  });
  const programmable: string[] = [];
  const absent: Absent[] = [];
  let isBroken = false;
  const { mostFindings } = plan;
  const isOver = (): boolean =>
    mostFindings < Number.POSITIVE_INFINITY && campaign.findings([...kept.values()]) >= mostFindings;
  try {
    for (const [place, choice] of plan.choices.entries()) {
      waiting.delete(choice);
      const keep: Keep<Tally, Verdict> = (found) => {
        kept.set(`${place} ${found.dtype}`, found);
        interruptible?.news();
      };
      const asked = await askEngine(campaign, choice, plan, terminal, keep, isOver);
      if (typeof asked === "object") absent.push(asked);
      isBroken ||= asked === "broken";
      if (asked === "runs programs") programmable.push(choice.label);
      if (isOver()) break;
    }
  } finally {
    // A signal now ends the process, whatever was thrown.
    interruptible?.over();
  }
  noteAbsent(absent, terminal);
  const found = [...kept.values()];
  if (isOver()) noteOver(mostFindings, waiting, terminal);
  const code = campaign.end?.(found, terminal, programmable) ?? tellPlainly(campaign, found, terminal);
  return orBroken(await code, isBroken);
}

/** Prints what was found and writes the reports; the worst exit code. */
async function tellPlainly<Tally, Verdict, J extends WithVerdict<Verdict>>(
  campaign: Campaign<Tally, Verdict, J>,
  found: readonly Found<Tally, Verdict>[],
  terminal: Terminal,
): Promise<ExitCode> {
  campaign.print(found, terminal);
  const written = await Promise.all(campaign.texts(found).map(({ path, text }) => writeText(path, text)));
  const issues = written.flatMap((one) => (one.ok ? [] : one.error));
  report(terminal, issues);
  return issues.length > 0 ? exitCodes.badInput : worstOf(found.map((one) => campaign.codeOf(one)));
}

/** Returns the exit code if an engine did not start. */
export function orBroken(code: ExitCode, isBroken: boolean): ExitCode {
  const isWorse = code === exitCodes.disagrees || code === exitCodes.badInput;
  return isBroken && !isWorse ? exitCodes.undecided : code;
}

/** A keeper hears of a section when it begins, after each question, and at its end; the last word holds. */
type Keep<Tally, Verdict> = (found: Found<Tally, Verdict>) => void;

/** Asks one engine in each precision. One that is absent or has no questions is named and keeps nothing. */
export async function askEngine<
  Tally,
  Verdict extends { readonly kind: string },
  J extends WithVerdict<Verdict>,
>(
  campaign: Campaign<Tally, Verdict, J>,
  choice: EngineChoice,
  plan: RunPlan<Tally, Verdict>,
  terminal: Terminal,
  keep: Keep<Tally, Verdict>,
  isOver: () => boolean = () => false,
): Promise<"asked" | "runs programs" | "has no such questions" | "broken" | Absent> {
  const { palette } = terminal;
  const label = visible(choice.label, choice.label.length);
  terminal.progress(`starting ${label} …`);
  const started = await choice.start({});
  if (started.kind === "missing") return { label, reason: started.reason };
  if (started.kind === "broken") {
    for (const issue of started.issues) terminal.note(`${palette.red("✗")} ${label}: ${showIssue(issue)}`);
    return "broken";
  }
  await using engine = started.engine;
  const lacking = campaign.lacking?.(engine);
  if (lacking !== undefined) {
    terminal.note(`${palette.yellow("–")} ${label} ${lacking}`);
    return "has no such questions";
  }
  const dtypes = campaign.dtypesOf(engine);
  const agenda = dtypes.length === 0 ? undefined : campaign.agendaOf(engine);
  for (const dtype of dtypes) {
    if (agenda !== undefined && !isOver())
      await askSection(campaign, started, choice.label, dtype, { plan, agenda, terminal, keep, isOver });
  }
  // Closing shows what an engine in another process did wrong that no question could show.
  for (const issue of (await started.process?.close()) ?? [])
    terminal.note(`${palette.yellow("!")} ${label}: ${showIssue(issue)}`);
  return engine.programs === undefined ? "asked" : "runs programs";
}

interface Hearing<Tally, Verdict, J> {
  readonly plan: RunPlan<Tally, Verdict>;
  readonly agenda: Agenda<J>;
  readonly terminal: Terminal;
  readonly keep: Keep<Tally, Verdict>;
  /** Says whether enough was found for the run to end. */
  isOver(): boolean;
}

/**
 * Puts the agenda to an engine in one precision until the time is over. A truth being computed then stays as
 * far as it is known, and an engine that is still being asked is ended.
 */
async function askSection<Tally, Verdict extends { readonly kind: string }, J extends WithVerdict<Verdict>>(
  campaign: Campaign<Tally, Verdict, J>,
  { engine, process }: Started & { readonly kind: "started" },
  label: string,
  dtype: DataType,
  { plan, agenda, terminal, keep, isOver }: Hearing<Tally, Verdict, J>,
): Promise<void> {
  const description = engine.describe();
  const before = plan.earlier.find((section) => {
    const { name, version } = section.description;
    const isSame = name === description.name && version === description.version;
    return isSame && section.label === label && section.dtype === dtype;
  });
  const verdicts = [...(before?.verdicts ?? [])];
  const promised = (process ?? engine).describe().operators;
  // A label may be a whole command line.
  const name = visible(description.name, 48);
  const { budget, time, now } = plan;
  let { cases } = agenda;
  const begin = now();
  const elapsed = (): number => (now() - begin) / 1000;
  const spent = before?.extent.seconds ?? 0;
  let isLittle = true;
  const left = (): number => (isLittle ? time.patience : time.seconds) - elapsed();
  let tally = before?.tally ?? campaign.noTally;
  const first = Object.values(campaign.countsOf(tally)).reduce((sum, count) => sum + count, 0);
  let asked = first;
  const kept = (ended: Extent["ended"]): void => {
    const extent = { cases, operators: agenda.operators, ended, seconds: spent + elapsed() };
    keep({ label, description, promised, dtype, tally, extent, verdicts });
  };
  // A section counts as interrupted until it reaches its end.
  kept("interrupted");
  let put = begin;
  const isLong = (): boolean => (now() - put) / 1000 > time.question;
  const limits = {
    budget,
    isOver: () => left() < 0 || isLong(),
    // What goes on searching for a small question of one fault finds no others.
    search: searchTime(now, () => 500 * Math.max(time.seconds, elapsed())),
  };
  /** Ends the section when its time is over; what was asked ahead is waited for no longer. */
  const over = async (): Promise<void> => {
    if ((await within(0, answers.return(undefined))) === undefined) await process?.interrupt();
    kept("time");
  };
  const answers = agenda.ask(engine, dtype, limits, first, {
    earlier: verdicts.slice(),
    postponed: (operators) => terminal.note(postponedNote(label, dtype, operators, terminal)),
  });
  for (;;) {
    put = now();
    const next = await within(left(), answers.next());
    if (next === undefined) {
      await process?.interrupt();
      return kept("time");
    }
    if (next.done === true) {
      cases = asked;
      return kept("all");
    }
    const { place, judged } = next.value;
    const { verdict } = judged;
    // A question that the time cut short counts as not asked: a resumed run asks it again.
    if (asked + 1 < cases && verdict.kind === "undecided" && left() < 0) return over();
    if (verdict.kind === "undecided" && isLong()) terminal.note(tooLong(label, dtype, place, time, terminal));
    asked += 1;
    tally = campaign.tallied(tally, judged, place);
    if (campaign.isTold(verdict)) verdicts.push({ case: place, verdict });
    kept("interrupted");
    if (isFault(verdict) && isOver()) return void (await answers.return(undefined));
    const { agrees, disagrees, crashed } = campaign.countsOf(tally);
    const pace = paceOf(asked - first, elapsed(), left(), cases - asked);
    terminal.progress(
      `${name} ${dtype}: case ${asked} of ${cases}, ${agrees} agree, ${disagrees} disagree${pace}`,
    );
    // A single fault already means something.
    const isMeant = disagrees + crashed > 0 || isEnough(agrees, cases - (campaign.foreignOf?.(tally) ?? 0));
    isLittle = asked < agenda.covering || !isMeant;
    if (asked < cases && left() < 0) return over();
    // Node hears signals only between turns of the event loop, and an engine in this process ends none.
    await setImmediate();
  }
}

/** Tells whether a verdict may be a finding. */
function isFault({ kind }: { readonly kind: string }): boolean {
  return kind === "disagrees" || kind === "crashed";
}

function postponedNote(
  label: string,
  dtype: DataType,
  operators: readonly string[],
  { palette }: Terminal,
): string {
  const what = operators.length === 1 ? "its questions come" : "their questions come";
  return `${palette.yellow("!")} ${visible(label)} ${dtype} crashed or hung over ${operators.join(", ")}: ${what} last`;
}

function tooLong(
  label: string,
  dtype: DataType,
  place: number | string,
  { question }: Time,
  { palette }: Terminal,
): string {
  const where = typeof place === "number" ? `case ${place}` : visible(place, place.length);
  return `${palette.yellow("?")} ${visible(label)} ${dtype}, ${where}: ${question} s were over before the truth was known (--seconds 0 waits)`;
}

/** Tells the pace, and how long it takes until all are asked or the time is over. */
function paceOf(asked: number, seconds: number, left: number, cases: number): string {
  if (seconds < 1) return "";
  const rate = asked / seconds;
  const rest = Math.max(0, Math.min(left, cases / rate));
  return `; ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)} a second, ${rest.toFixed(0)} s left`;
}

/** Resolves as the promise does, or to `undefined` after so many seconds; a later result is dropped. */
async function within<T>(seconds: number, promise: Promise<T>): Promise<T | undefined> {
  if (seconds === Number.POSITIVE_INFINITY) return promise;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // Timers take 31 bits of milliseconds. The grace lets the judge notice by itself and say what it knows.
  const milliseconds = Math.min(2 ** 31 - 1, Math.max(0, 1000 * seconds) + GRACE_MILLISECONDS);
  const timer = setTimeout(() => resolve(undefined), milliseconds);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** A case may still say what it knows this long after its time. */
const GRACE_MILLISECONDS = 200;
