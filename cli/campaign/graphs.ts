import type { Verdict } from "../../oracle/hearing/index.ts";
import { emptyTally, standingOf, type Tally, tallied } from "../../oracle/judge/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import type { DataType } from "../../spec/wire/index.ts";
import { exitCodeOf } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { agendaOf, type JudgedCase, type Questions } from "./agenda.ts";
import type { Campaign } from "./kind.ts";
import { printRun, type RunJson, reportOf, type Telling, tellRun } from "./telling.ts";

/** Asks questions about graphs, or tape scripts: a run has reports in all forms, known failures, parts. */
export function graphCampaign(
  questions: Questions,
  dtypes: readonly DataType[],
  run: RunJson,
  telling: Telling,
  hint: (programmable: readonly string[], terminal: Terminal) => void,
): Campaign<Tally, Verdict, JudgedCase> {
  return {
    ...(questions.kind === "tapes" ? { lacking: withoutTapes } : {}),
    dtypesOf: (engine) =>
      engine.describe().dtypes.filter((dtype) => dtypes.length === 0 || dtypes.includes(dtype)),
    agendaOf: (engine) => agendaOf(questions, engine),
    noTally: emptyTally,
    tallied,
    countsOf: ({ counts }) => counts,
    foreignOf: ({ foreign }) => foreign,
    isTold: ({ kind }) => kind !== "agrees",
    print: (found, terminal) => void printRun(reportOf(run, found, telling.known), telling.flags, terminal),
    texts: (found) => {
      const { summary } = reportOf(run, found, telling.known);
      return telling.reports.map(({ path, format }) => ({ path, text: format(summary) }));
    },
    codeOf: (found) => exitCodeOf([standingOf({ ...found, isStrict: run.strict === true })]),
    async end(found, terminal, programmable) {
      const code = await tellRun(run, found, telling, terminal);
      hint(programmable, terminal);
      return code;
    },
  };
}

function withoutTapes({ tapes }: Engine): string | undefined {
  return tapes === undefined ? "has no tapes and was not asked" : undefined;
}
