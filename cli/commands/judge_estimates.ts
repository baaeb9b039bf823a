import { counted, folded } from "../../conformance/report/index.ts";
import { chooseEngine, type EngineChoice } from "../../conformance/testees/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import { type EstimateVerdict, judgeEstimates } from "../../oracle/forward_gradient/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import { type DataType, parseJson } from "../../spec/wire/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { readInput } from "../files.ts";
import { report, showIssue } from "../options.ts";
import type { Terminal } from "../terminal.ts";

/** Which engines are asked for estimates, and how many. */
export interface EstimateFlags {
  readonly engine: readonly string[];
  readonly dtype: DataType;
  readonly samples: number;
  readonly draw: number;
}

/** The greatest probability with which a right engine is accused. */
const ALARM = 1e-6;

/** Judges the forward gradients of engines at a case. */
export async function judgeEstimatesOf(
  file: string,
  flags: EstimateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const asked = await askedIn(file, flags);
  if (!asked.ok) {
    report(terminal, asked.error);
    return exitCodes.badInput;
  }
  const { question, choices } = asked.value;
  const codes: ExitCode[] = [];
  for (const choice of choices) codes.push(await judgeOne(choice, question, flags, terminal));
  const worst = [exitCodes.disagrees, exitCodes.undecided, exitCodes.agrees].find((code) =>
    codes.includes(code),
  );
  return worst ?? exitCodes.nothingRun;
}

interface Asked {
  readonly question: Case;
  readonly choices: readonly EngineChoice[];
}

async function askedIn(file: string, { engine }: EstimateFlags): Promise<Result<Asked, Issue[]>> {
  const text = await readInput(file);
  const json = text.ok ? parseJson(text.value) : text;
  if (!json.ok) return json;
  if (!isQuestion(json.value)) return fail([noPoint]);
  const question = checkQuestion(json.value);
  if (!question.ok) return question;
  const choices: EngineChoice[] = [];
  for (const name of engine) {
    const choice = chooseEngine(name);
    if (!choice.ok) return choice;
    choices.push(choice.value);
  }
  return ok({ question: question.value.case, choices });
}

async function judgeOne(
  choice: EngineChoice,
  question: Case,
  { dtype, samples, draw }: EstimateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const started = await choice.start({});
  if (started.kind === "missing") {
    terminal.note(`– ${visible(choice.label)} is not installed and was not asked: ${started.reason}`);
    return exitCodes.nothingRun;
  }
  if (started.kind === "broken") {
    for (const issue of started.issues) terminal.note(`✗ ${visible(choice.label)}: ${showIssue(issue)}`);
    return exitCodes.undecided;
  }
  await using engine: Engine = started.engine;
  const { name, version } = engine.describe();
  terminal.out(`${visible(name)} ${visible(version)}, ${dtype}`);
  if (engine.estimates === undefined) {
    terminal.out("– promises no forward gradients (estimates)");
    return exitCodes.nothingRun;
  }
  const verdicts = await judgeEstimates(engine, question, { dtype, samples, seed: draw, alarm: ALARM });
  for (const verdict of verdicts) for (const line of linesOf(verdict, question, samples)) terminal.out(line);
  if (verdicts.some(({ kind }) => kind === "disagrees")) return exitCodes.disagrees;
  return verdicts.some(({ kind }) => kind === "agrees") ? exitCodes.agrees : exitCodes.undecided;
}

const marks = { agrees: "✓", disagrees: "✗", undecided: "?", unsupported: "–", failed: "!" } as const;

/** The most faults that are written out. */
const MOST_SHOWN = 4;

function linesOf(verdict: EstimateVerdict, { graph }: Case, samples: number): string[] {
  const { law, kind, compared, faults, reason } = verdict;
  const what =
    law === "given"
      ? `${counted(compared, "number")} along given directions`
      : `${counted(compared, "mean")} of estimates and their squares, over ${samples} seeds`;
  const said = reason === undefined ? (kind === "undecided" ? `${what}: none has a bound` : what) : reason;
  return [
    ...folded(visible(said), `${marks[kind]} ${law}: `),
    ...faults.slice(0, MOST_SHOWN).flatMap(({ input, element, of, found, expected, within }) => {
      const place = `${visible(graph.inputs[input]?.name ?? "")}, element ${element}`;
      return folded(
        `${of} is ${found}, expected ${expected} within ${within.toPrecision(3)}`,
        `    ${place}: `,
      );
    }),
    ...(faults.length > MOST_SHOWN ? [`    … and ${faults.length - MOST_SHOWN} more`] : []),
  ];
}

const noPoint: Issue = {
  code: "forward-gradient/point",
  pointer: "/format",
  message: "engines are asked at a point, and the file has none.",
  hint: "give a case (adjudge.case.v1) or a vector",
};
