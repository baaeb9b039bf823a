import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { EngineChoice, ProcessEngine, Section } from "../conformance/index.ts";
import { type DataType, type Engine, referenceConventions } from "../engines/index.ts";
import { campaignOn, type Drawing, emptyTally, type Judged, judge, tallied } from "../oracle/index.ts";
import {
  type Budget,
  checkQuestion,
  type Expected,
  fail,
  type Issue,
  ok,
  parseJson,
  type QuestionData,
  type Result,
  type VectorData,
} from "../spec/index.ts";
import { readInput } from "./files.ts";
import { showIssue } from "./options.ts";
import type { Terminal } from "./terminal.ts";

/** A case of a suite and the file it came from. */
export interface SuiteCase extends QuestionData {
  readonly file: string;
}

/** What every engine is asked. */
export interface RunPlan {
  /** Empty: all that the engine has. */
  readonly dtypes: readonly DataType[];
  readonly profile: Drawing;
  readonly seed: number;
  readonly cases: number;
  readonly seconds: number;
  readonly lawsEvery: number;
  readonly budget: Budget;
  /** Cases from files; random ones if there are none. */
  readonly suite: readonly SuiteCase[];
}

/**
 * The cases in files and folders, in the order of their names. In a folder a document without a format is none of ours:
 * the suite's own folder has a catalogue. Fails: `suite/empty` for a folder without any case, and as reading and
 * checking them does.
 */
export async function readSuite(paths: readonly string[]): Promise<Result<SuiteCase[], Issue[]>> {
  const cases: SuiteCase[] = [];
  const issues: Issue[] = [];
  for (const path of paths) {
    const before = cases.length + issues.length;
    for (const file of await caseFiles(path)) {
      const read = await readQuestion(file, file !== path);
      if (!read.ok) {
        issues.push(...read.error.map((issue) => ({ ...issue, message: `${file}: ${issue.message}` })));
      } else if (read.value !== undefined) cases.push({ file, ...read.value });
    }
    if (cases.length + issues.length === before) issues.push(emptySuite(path));
  }
  return issues.length > 0 ? fail(issues) : ok(cases);
}

/** The question in a file; `undefined` if it need not be one and does not say that it is. */
async function readQuestion(
  file: string,
  mayBeOther: boolean,
): Promise<Result<QuestionData | undefined, Issue[]>> {
  const text = await readInput(file);
  const json = text.ok ? parseJson(text.value) : text;
  if (!json.ok) return json;
  const hasFormat = typeof json.value === "object" && json.value !== null && "format" in json.value;
  return mayBeOther && !hasFormat ? ok(undefined) : checkQuestion(json.value);
}

async function caseFiles(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(path, name));
}

function emptySuite(path: string): Issue {
  return {
    code: "suite/empty",
    pointer: "",
    message: `there is no case in the folder ${path}.`,
    hint: "cases are files that end in .json; adjudge check tells whether they are well-formed",
  };
}

/** What came of asking one engine. */
export interface EngineRun {
  readonly sections: readonly Section[];
  /** It was there and could not be started. */
  readonly isBroken: boolean;
}

/** Asks one engine in each of its precisions. An engine that is not there is told of, and has no section. */
export async function judgeEngine(
  choice: EngineChoice,
  plan: RunPlan,
  terminal: Terminal,
): Promise<EngineRun> {
  terminal.progress(`starting ${choice.label} …`);
  const started = await choice.start({});
  if (started.kind === "missing") {
    terminal.note(
      `${terminal.palette.yellow("–")} ${choice.label} is not installed and was not asked: ${started.reason}`,
    );
    return { sections: [], isBroken: false };
  }
  if (started.kind === "broken") {
    for (const issue of started.issues)
      terminal.note(`${terminal.palette.red("✗")} ${choice.label}: ${showIssue(issue)}`);
    return { sections: [], isBroken: true };
  }
  await using engine = started.engine;
  const dtypes = engine
    .describe()
    .dtypes.filter((dtype) => plan.dtypes.length === 0 || plan.dtypes.includes(dtype));
  const sections: Section[] = [];
  for (const dtype of dtypes)
    sections.push(await judgeSection(engine, started.process, dtype, choice.label, plan, terminal));
  if (started.process !== undefined) await tellLastFaults(started.process, choice.label, terminal);
  return { sections, isBroken: false };
}

/** What a promise gives; `undefined` where the deadline comes first. What it gives later is nobody's. */
async function before<T>(deadline: number, promise: Promise<T>): Promise<T | undefined> {
  if (deadline === Number.POSITIVE_INFINITY) return promise;
  const { promise: over, resolve } = Promise.withResolvers<undefined>();
  // Timers take 31 bits of milliseconds. The grace leaves it to the judge to notice by itself, and to say what it knows.
  const left = Math.min(2 ** 31 - 1, Math.max(0, deadline - performance.now()) + GRACE_MILLISECONDS);
  const timer = setTimeout(() => resolve(undefined), left);
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}

/** How long after its time a case may still say what it knows. */
const GRACE_MILLISECONDS = 200;

async function judgeSection(
  engine: Engine,
  child: ProcessEngine | undefined,
  dtype: DataType,
  label: string,
  plan: RunPlan,
  terminal: Terminal,
): Promise<Section> {
  const verdicts: Section["verdicts"][number][] = [];
  let tally = emptyTally;
  const deadline = plan.seconds > 0 ? performance.now() + plan.seconds * 1000 : Number.POSITIVE_INFINITY;
  const isOver = (): boolean => performance.now() > deadline;
  const cases = casesOf(engine, dtype, plan, isOver);
  for (;;) {
    const next = await before(deadline, cases.next());
    if (next === undefined) await child?.interrupt();
    if (next === undefined || next.done === true) break;
    const { place, judged } = next.value;
    tally = tallied(tally, judged.case, judged.verdict);
    if (judged.verdict.kind !== "agrees") verdicts.push({ case: place, verdict: judged.verdict });
    const { agrees, disagrees } = tally.counts;
    terminal.progress(
      `${label} ${dtype}: case ${judged.index + 1} of ${plan.cases}, ${agrees} agree, ${disagrees} disagree`,
    );
    if (isOver()) break;
    // Signals are heard between turns of the event loop only, and an engine in this process never ends one.
    await setImmediate();
  }
  return { label, description: engine.describe(), dtype, tally, verdicts };
}

async function* casesOf(
  engine: Engine,
  dtype: DataType,
  plan: RunPlan,
  isOver: () => boolean,
): AsyncGenerator<{ readonly place: number | string; readonly judged: Judged }> {
  const { budget } = plan;
  if (plan.suite.length === 0) {
    for await (const judged of campaignOn(engine, { ...plan, dtype, isOver }))
      yield { place: judged.index, judged };
    return;
  }
  for (const [index, { file, case: question, vector }] of plan.suite.entries()) {
    const verdict = await judge(engine, question, { dtype, budget, isOver, ...choicesOf(vector) });
    yield { place: file, judged: { index, case: question, verdict } };
  }
}

/** The choices that a vector leaves and engines cannot declare; one that they can is judged as declared. */
export function choicesOf(vector: VectorData | undefined): { readonly allowed?: Expected } {
  if (vector?.policy === undefined || Object.hasOwn(referenceConventions, vector.policy.name)) return {};
  return { allowed: vector.expected };
}

/** What an engine in another process did wrong that no case could show. */
async function tellLastFaults(engine: ProcessEngine, label: string, terminal: Terminal): Promise<void> {
  const faults = [...engine.brokenPromises(), ...(await engine.close())];
  for (const issue of faults) terminal.note(`${terminal.palette.yellow("!")} ${label}: ${showIssue(issue)}`);
}
