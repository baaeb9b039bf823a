import { formatOfFile } from "../../conformance/report/formats/index.ts";
import type { Verdict } from "../../oracle/hearing/index.ts";
import { emptyTally, standingOf, type Tally, tallied } from "../../oracle/judge/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { exitCodeOf } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { agendaOf, type JudgedCase, type Questions } from "./agenda.ts";
import type { Agenda, Campaign } from "./kind.ts";
import { type LastRuns, lastRunText } from "./last_run.ts";
import { newFindings } from "./new_findings.ts";
import { printRun, type RunJson, reportOf, type Telling, tellRun, withAll } from "./telling.ts";

/** What outlives a run, so that it can be resumed, and asked again of what failed. */
export interface Outliving {
  readonly runs: LastRuns;
  /** Returns the command that goes on with this run from a report; `undefined` if none does. */
  resumed(report: string): string | undefined;
}

/** Asks questions about graphs, or tape scripts: a run has reports in all forms, known failures, parts. */
export function graphCampaign(
  questions: Questions,
  dtypes: readonly DataType[],
  run: RunJson,
  telling: Telling,
  hint: (programmable: readonly string[], terminal: Terminal) => void,
  outliving?: Outliving,
): Campaign<Tally, Verdict, JudgedCase> {
  outliving?.runs.begin();
  const given = telling.flags.report.find((path) => formatOfFile(path) === "json");
  const resumable = given ?? outliving?.runs.paths.report;
  return {
    lacking: (engine) =>
      questions.kind === "tapes" && engine.tapes === undefined
        ? "has no tapes and was not asked"
        : withoutFailures(questions, engine),
    dtypesOf: (engine) =>
      engine.describe().dtypes.filter((dtype) => dtypes.length === 0 || dtypes.includes(dtype)),
    agendaOf: (engine) => noted(agendaOf(questions, engine), outliving?.runs),
    noTally: emptyTally,
    tallied,
    countsOf: ({ counts }) => counts,
    foreignOf: ({ foreign }) => foreign,
    isTold: ({ kind }) => kind !== "agrees",
    findings: (found) => newFindings(withAll(run, found, telling.known)),
    resume: () => {
      const command = resumable === undefined ? undefined : outliving?.resumed(resumable);
      return command === undefined ? [] : [command];
    },
    print: (found, terminal) => void printRun(reportOf(run, found, telling.known), telling.flags, terminal),
    texts: (found) => {
      const { summary, sections } = reportOf(run, found, telling.known);
      const reports = telling.reports.map(({ path, format }) => ({ path, text: format(summary) }));
      if (outliving === undefined) return reports;
      const { runs } = outliving;
      const failures = { path: runs.paths.failures, text: lastRunText(runs.after(run, sections)) };
      const whole = { path: runs.paths.report, text: `${JSON.stringify(summary)}\n` };
      return [...reports, failures, ...(resumable === runs.paths.report ? [whole] : [])];
    },
    codeOf: (found) => exitCodeOf([standingOf({ ...found, isStrict: run.strict === true })]),
    async end(found, terminal, programmable) {
      const code = await tellRun(run, found, telling, terminal);
      await outliving?.runs.keep(run, withAll(run, found, telling.known));
      hint(programmable, terminal);
      return code;
    },
  };
}

function withoutFailures({ failed }: Questions, engine: Engine): string | undefined {
  if (failed?.isOnly !== true || failed.of(engine.describe().name).size > 0) return undefined;
  return "had no failure in the last run and was not asked";
}

/** Returns an agenda that has it noted which cases an engine is asked. */
function noted(agenda: Agenda<JudgedCase>, runs: LastRuns | undefined): Agenda<JudgedCase> {
  if (runs === undefined) return agenda;
  return {
    ...agenda,
    async *ask(engine, dtype, limits, first, course) {
      const { name } = engine.describe();
      for await (const asked of agenda.ask(engine, dtype, limits, first, course)) {
        runs.note(name, dtype, asked.place);
        yield asked;
      }
    },
  };
}
