import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { converse, functionLines } from "../../../conformance/functions/index.ts";
import type { Section } from "../../../conformance/report/index.ts";
import { reportJson } from "../../../conformance/report/index.ts";
import {
  chooseEngine,
  commandOf,
  type NamedEngines,
  type Started,
} from "../../../conformance/testees/index.ts";
import { drawingNamed, sharesOf } from "../../../oracle/generate/index.ts";
import type { Verdict } from "../../../oracle/hearing/index.ts";
import { emptyTally, faultMemory, tallied } from "../../../oracle/judge/index.ts";
import { programMemory } from "../../../oracle/programs/index.ts";
import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Engine } from "../../../spec/contract/index.ts";
import { defaultBudget } from "../../../spec/expansion/index.ts";
import { operatorsWithin } from "../../../spec/graph/index.ts";
import { formatIssue, InvariantError, visible } from "../../../spec/shapes/index.ts";
import { type DataType, dataTypes } from "../../../spec/wire/index.ts";
import { askedNumbers } from "../agenda.ts";
import { programCampaign } from "../programs.ts";
import type { ToldFunction } from "./function_report.ts";
import type { Job, Series } from "./job.ts";
import type { Answered } from "./outcome.ts";

/** The campaign tells a worker this. */
export type Told =
  | { readonly kind: "engines"; readonly folder: string; readonly commands: readonly [string, string][] }
  | { readonly kind: "describe"; readonly label: string }
  | { readonly kind: "ask"; readonly label: string; readonly job: Job; readonly series: Series }
  /** The worker hands in what it has asked so far. */
  | { readonly kind: "drain" };

/** A worker tells the campaign this. */
export type Said =
  | { readonly kind: "described"; readonly label: string; readonly engine: Described }
  | { readonly kind: "absent"; readonly label: string; readonly reason: string }
  | { readonly kind: "broken"; readonly label: string; readonly reason: string }
  /** So many questions of its job are answered. */
  | { readonly kind: "alive"; readonly job: string; readonly asked: number }
  | { readonly kind: "answered"; readonly job: string; readonly asked: number; readonly answered: Answered };

/** An engine is known to the campaign by this. */
export interface Described {
  readonly name: string;
  readonly version: string;
  readonly dtypes: readonly DataType[];
  readonly hasPrograms: boolean;
  readonly hasTapes: boolean;
  /** It has no operators, and brings questions about functions of its own. */
  readonly bringsFunctions: boolean;
  /** All that it offers, as JSON. */
  readonly offer: string;
}

/** The truth about one question may take so many milliseconds. */
const QUESTION = 60_000;

/** A worker gives a sign of life so often, in milliseconds, while questions are answered. */
const SIGN = 500;

/** A process that asks one engine at a time, as it is told. */
class Worker {
  readonly #say: (said: Said) => void;
  #named: NamedEngines | undefined;
  #running: { readonly label: string; readonly started: Started } | undefined;
  /** The faults of a series are known from job to job, so that few of their witnesses are shrunk. */
  readonly #memories = new Map<string, ReturnType<typeof faultMemory>>();
  readonly #programMemories = new Map<string, ReturnType<typeof programMemory>>();
  #isDraining = false;

  constructor(say: (said: Said) => void) {
    this.#say = say;
  }

  drain(): void {
    this.#isDraining = true;
  }

  async hear(told: Exclude<Told, { readonly kind: "drain" }>): Promise<void> {
    if (told.kind === "engines") {
      this.#named = { folder: told.folder, commands: new Map(told.commands) };
      return;
    }
    const { label } = told;
    const started = await this.#start(label);
    if (started.kind === "missing") return this.#say({ kind: "absent", label, reason: started.reason });
    if (started.kind === "broken") {
      this.#running = undefined;
      const reason = started.issues.map(formatIssue).join("\n");
      return this.#say({ kind: "broken", label, reason });
    }
    if (told.kind === "describe") {
      this.#say({ kind: "described", label, engine: describedOf(started, this.#filesOf(label)) });
      return;
    }
    const { job, series } = told;
    const begin = performance.now();
    const outcome =
      series.kind === "functions"
        ? await this.#functions(started, label, job)
        : series.kind === "programs"
          ? await this.#programs(started, label, job, series)
          : await this.#graphs(started, label, job, series);
    if (typeof outcome === "string") return this.#say({ kind: "broken", label, reason: outcome });
    const { asked, ...answered } = outcome;
    const milliseconds = performance.now() - begin;
    this.#say({ kind: "answered", job: job.id, asked, answered: { ...answered, milliseconds } });
  }

  /** Starts an engine, unless it is running, and ends the one before it. */
  async #start(label: string): Promise<Started> {
    if (this.#running?.label === label) return this.#running.started;
    if (this.#running?.started.kind === "started") await this.#running.started.engine[Symbol.asyncDispose]();
    const choice = chooseEngine(label, this.#named);
    if (!choice.ok) return { kind: "broken", issues: choice.error };
    const started = await choice.value.start({});
    this.#running = { label, started };
    return started;
  }

  async #graphs(
    { engine, process: child }: Started & { readonly kind: "started" },
    label: string,
    job: Job,
    series: Series,
  ): Promise<Asked> {
    const { kind, profile, seed, dtype, lawsEvery, adjudge } = series;
    const drawing = drawingNamed(profile);
    if (drawing === undefined) throw new InvariantError("a series has a profile");
    const memory = remembered(this.#memories, job.series, faultMemory);
    const questions = { profile: drawing, seed, lawsEvery, ...(kind === "tapes" ? { kind } : {}) };
    const description = engine.describe();
    const verdicts: { readonly case: number; readonly verdict: Verdict }[] = [];
    const operators = new Set<OperatorName>();
    const signs = this.#signs(job);
    let tally = emptyTally;
    const limits = { budget: defaultBudget, isOver: signs.isLong, memory };
    for await (const { place, judged } of askedNumbers(questions, numbersOf(job), engine, dtype, limits)) {
      tally = tallied(tally, judged, place);
      for (const op of operatorsWithin(judged.case.graph)) operators.add(op);
      if (judged.verdict.kind !== "agrees") verdicts.push({ case: Number(place), verdict: judged.verdict });
      if (await signs.isEnough()) break;
    }
    const { asked } = signs;
    const section: Section = {
      ...{ label, description, dtype, tally, verdicts },
      promised: (child ?? engine).describe().operators,
      extent: { cases: asked, operators, ended: "all", seconds: signs.seconds() },
    };
    const run = { adjudge, seed, cases: asked, profile, lawsEvery, shares: sharesOf(drawing) };
    return { asked, report: reportJson({ ...run, ...(kind === "tapes" ? { kind } : {}) }, [section]) };
  }

  async #programs(
    { engine }: Started & { readonly kind: "started" },
    label: string,
    { id, series, first, count }: Job,
    { seed, dtype }: Series,
  ): Promise<Asked> {
    const memory = remembered(this.#programMemories, series, programMemory);
    const drawn = { seed, first, programs: count, without: [], report: ["of the job"], memory };
    const campaign = programCampaign([], drawn, [dtype], () => "");
    const agenda = campaign.agendaOf(engine);
    const description = engine.describe();
    const signs = this.#signs({ id });
    let tally = campaign.noTally;
    type Told = (typeof found)["verdicts"][number];
    const verdicts: Told[] = [];
    const found: Parameters<typeof campaign.texts>[0][number] = {
      ...{ label, description, dtype, tally, verdicts },
      promised: description.operators,
      extent: { cases: count, operators: agenda.operators, ended: "all", seconds: 0 },
    };
    const limits = { budget: defaultBudget, isOver: signs.isLong };
    for await (const { place, judged } of agenda.ask(engine, dtype, limits, 0)) {
      tally = campaign.tallied(tally, judged, place);
      if (campaign.isTold(judged.verdict)) verdicts.push({ case: place, verdict: judged.verdict });
      if (await signs.isEnough()) break;
    }
    const [text] = campaign.texts([{ ...found, tally }]);
    const statements = { called: [...tally.called], answered: [...tally.answered] };
    return { asked: signs.asked, report: JSON.parse(text?.text ?? "null"), statements };
  }

  /**
   * Has a command bring its functions from the first on; those before the
   * job were counted by an earlier run. Returns what is wrong with a command that breaks off.
   */
  async #functions(
    { engine }: Started & { readonly kind: "started" },
    label: string,
    job: Job,
  ): Promise<Asked | string> {
    const command = commandOf(label, this.#named);
    if (!command.ok) throw new InvariantError("the command has been started");
    const { first, count } = job;
    const signs = this.#signs(job);
    const told: ToldFunction[] = [];
    let [place, agrees, isAll] = [0, 0, true];
    for await (const judged of converse(command.value, { budget: defaultBudget, isOver: signs.isLong })) {
      if (!judged.ok) return judged.error.map(formatIssue).join("\n");
      if (place === first + count) {
        isAll = false;
        break;
      }
      place += 1;
      if (place <= first) continue;
      const { question, verdict, owner } = judged.value;
      const { kind } = verdict;
      if (kind === "agrees") agrees += 1;
      else {
        const lines = functionLines(question, verdict, owner, {});
        told.push({ place: place - 1, kind, title: `${visible(question.name, 80)}: ${kind}`, lines });
      }
      if (await signs.isEnough()) {
        isAll = false;
        break;
      }
    }
    const { name, version } = engine.describe();
    return { asked: signs.asked, report: { label, name, version, agrees, told }, isAll };
  }

  /** Returns the hash of the files that a command names: functions that were changed are others. */
  #filesOf(label: string): string {
    const command = commandOf(label, this.#named);
    const { cwd = "." } = command.ok ? command.value : {};
    const hash = createHash("sha256");
    for (const word of command.ok ? command.value.argv.slice(1) : []) {
      const path = resolve(cwd, word);
      if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) hash.update(readFileSync(path));
    }
    return hash.digest("hex");
  }

  /** Counts the questions of a job, gives signs of life, and tells when a question takes too long. */
  #signs({ id }: Pick<Job, "id">): Signs {
    const begin = performance.now();
    let put = begin;
    let said = begin;
    const signs: Signs = {
      asked: 0,
      seconds: () => (performance.now() - begin) / 1000,
      isLong: () => performance.now() - put > QUESTION,
      isEnough: async () => {
        signs.asked += 1;
        put = performance.now();
        if (put - said > SIGN) {
          said = put;
          this.#say({ kind: "alive", job: id, asked: signs.asked });
        }
        // What the campaign says is heard between turns of the event loop only.
        await new Promise((resolve) => setImmediate(resolve));
        return this.#isDraining;
      },
    };
    return signs;
  }
}

/** Returns the memory of a series, which is made when it is first asked for. */
function remembered<T>(memories: Map<string, T>, series: string, make: () => T): T {
  const memory = memories.get(series) ?? make();
  memories.set(series, memory);
  return memory;
}

interface Signs {
  asked: number;
  seconds(): number;
  isLong(): boolean;
  /** Counts a question, and tells whether it was the last one. */
  isEnough(): Promise<boolean>;
}

/** A worker has asked so many questions of a job. */
interface Asked extends Omit<Answered, "milliseconds"> {
  readonly asked: number;
}

function* numbersOf({ first, count }: Job): Generator<number> {
  for (let number = first; number < first + count; number++) yield number;
}

function describedOf(
  { engine, process: child }: Started & { readonly kind: "started" },
  files: string,
): Described {
  const description = engine.describe();
  const { name, version } = description;
  const programs = engine.programs?.describePrograms();
  const promised = (child ?? engine).describe().operators;
  const bringsFunctions = promised.length === 0;
  const offer = {
    description,
    promised,
    programs,
    tapes: engine.tapes,
    ...(bringsFunctions ? { files } : {}),
  };
  return {
    ...{ name, version },
    dtypes: dataTypes.filter((dtype) => description.dtypes.includes(dtype)),
    bringsFunctions,
    hasPrograms: programs !== undefined,
    hasTapes: (engine satisfies Engine).tapes !== undefined,
    offer: JSON.stringify(offer),
  };
}

const worker = new Worker((said) => process.send?.(said));
let work: Promise<void> = Promise.resolve();
process.on("message", (told: Told) => {
  if (told.kind === "drain") worker.drain();
  else work = work.then(() => worker.hear(told));
});
// A worker without a campaign has nobody to tell.
process.on("disconnect", () => process.exit());
