import { type Command, InvalidArgumentError, Option } from "commander";
import { folded } from "../../conformance/report/index.ts";
import { chooseEngines } from "../../conformance/testees/index.ts";
import type { Case } from "../../oracle/case/index.ts";
import { explain } from "../../oracle/diagnosis/index.ts";
import { mix } from "../../oracle/generate/index.ts";
import type * as forwardGradient from "../../reference/forward_gradient/index.ts";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import { expand, overBudget } from "../../spec/expansion/index.ts";
import { type Graph, idCount } from "../../spec/graph/index.ts";
import {
  at,
  counted,
  fail,
  type Issue,
  type NodeId,
  ok,
  present,
  type Result,
  visible,
} from "../../spec/shapes/index.ts";
import { siBases, undeclared } from "../../spec/units/index.ts";
import { type DataType, dataTypes } from "../../spec/wire/index.ts";
import { estimateCampaign } from "../campaign/estimates.ts";
import { planFor, runCampaign } from "../campaign/run.ts";
import { documentIn } from "../files/documents.ts";
import { askedIds } from "../given/given_ids.ts";
import { readGivenRun } from "../given/given_run.ts";
import { algebraNamed, algebraNames } from "../options/algebras.ts";
import { type ConfigFlags, withConfig } from "../options/config.ts";
import {
  type BudgetFlags,
  budgetOf,
  collect,
  MOST_DIRECTIONS,
  naturalNumber,
  report,
  sampleCount,
  usualSamples,
  withBudget,
} from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface ForwardFlags extends BudgetFlags, ConfigFlags {
  readonly samples: number;
  readonly seed: number;
  readonly engine: readonly string[];
  readonly dtype: DataType;
  readonly algebra: string;
  readonly input: readonly string[];
  readonly environment: readonly string[];
  readonly cotangent: readonly string[];
  readonly wrt?: readonly string[];
  readonly directions: number;
}

const description = `Tells what estimates of a gradient are worth that need no way back: (∇f · v) v along random
directions v, of which one forward sweep gives each. FILE is a case or a vector, which bring their
own numbers, or a graph, whose numbers --input, --environment and --cotangent give, as to run.

Every one of them has the gradient for its mean; the variance is by closed formulas, and where there
are few numbers and the algebra is exact it is counted over all directions. docs/forward-gradients.md
says more.

With --engine it is the estimates of an engine that are judged, at a case or a vector: each number along
directions that it is given, and the means over many seeds along those that it draws.`;

/** Adds `adjudge forward-gradient FILE`, which tells means and variances of estimates by forward mode. */
export function forwardGradientCommand(
  program: Command,
  terminal: Terminal,
  end: (code: ExitCode) => void,
): void {
  withConfig(withBudget(program.command("forward-gradient")), ["maxElements", "maxWork"], terminal)
    .summary("tell what estimates of a gradient by forward mode are worth")
    .description(description)
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .option("-a, --algebra <name>", algebraNames.join(", "), "rational")
    .option("-i, --input <name=numbers>", "an input's elements; may be repeated", collect, [])
    .option("--environment <name=numbers>", "the elements of an entry of Δ; may be repeated", collect, [])
    .option("-c, --cotangent <id=numbers>", "the cotangent put in at an id; may be repeated", collect, [])
    .option("--wrt <ids...>", "whose gradient is estimated: ids, or names of inputs; default: all inputs")
    .option("--directions <number>", "how many directions are averaged", directionCount, 4)
    .option(
      "-e, --engine <name-or-command>",
      "judge the forward gradients of an engine, at a case; may be repeated",
      collect,
      [],
    )
    .addOption(
      new Option("-d, --dtype <precision>", "what engines compute in").choices(dataTypes).default("float64"),
    )
    .option("--samples <number>", "how many seeds an engine is asked of each law", sampleCount, usualSamples)
    .option("--seed <number>", "the first of these seeds", naturalNumber, 1)
    .action(async (file: string, flags: ForwardFlags) =>
      end(
        flags.engine.length > 0
          ? await judgeEstimates(file, flags, terminal)
          : await run(file, flags, terminal),
      ),
    );
}

function directionCount(text: string): number {
  const value = naturalNumber(text);
  if (value < 1 || value > MOST_DIRECTIONS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_DIRECTIONS}.`);
  return value;
}

/** Judges the forward gradients of engines at a case. */
async function judgeEstimates(file: string, flags: ForwardFlags, terminal: Terminal): Promise<ExitCode> {
  const question = await questionIn(file);
  const choices = question.ok ? chooseEngines(flags.engine, flags.named) : question;
  if (!question.ok || !choices.ok) {
    report(terminal, choices.ok ? [] : choices.error);
    return exitCodes.badInput;
  }
  const { samples, seed, dtype } = flags;
  const given = [{ file, case: question.value }];
  const campaign = estimateCampaign({ given, cases: 1, profile: mix, seed, samples }, [dtype]);
  return runCampaign(campaign, planFor(choices.value), terminal);
}

async function questionIn(file: string): Promise<Result<Case, Issue[]>> {
  const json = await documentIn(file);
  if (!json.ok) return json;
  if (!isQuestion(json.value)) return fail([noPoint]);
  const question = checkQuestion(json.value);
  return question.ok ? ok(question.value.case) : question;
}

const noPoint: Issue = {
  code: "forward-gradient/point",
  pointer: "/format",
  message: "engines are asked at a point, and the file has none.",
  hint: "give a case (adjudge.case.v1) or a vector",
};

async function run(file: string, flags: ForwardFlags, terminal: Terminal): Promise<ExitCode> {
  const surveyed = await surveyOn(file, flags);
  if (!surveyed.ok) {
    report(terminal, surveyed.error);
    return exitCodes.badInput;
  }
  for (const line of surveyLines(surveyed.value, terminal.columns)) terminal.out(line);
  return exitCodes.agrees;
}

interface Surveyed {
  readonly algebra: string;
  readonly graph: Graph;
  readonly survey: forwardGradient.SurveyTexts;
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
}

async function surveyOn(file: string, flags: ForwardFlags): Promise<Result<Surveyed, Issue[]>> {
  const algebra = await algebraNamed(flags.algebra);
  if (!algebra.ok) return algebra;
  const read = await readGivenRun(file, flags);
  if (!read.ok) return read;
  const { graph, texts } = read.value;
  const of = [...texts.seeds.keys()].map(String);
  const asked = askedIds(
    graph,
    { of, ...(flags.wrt === undefined ? {} : { wrt: flags.wrt }) },
    "forward-gradient",
  );
  if (!asked.ok) return asked;
  const notInputs = asked.value.wrt.filter((id) => id >= graph.inputs.length);
  if (notInputs.length > 0) return fail(notInputs.map((id) => noInput(id, graph)));
  const excess = overBudget(graph, budgetOf(flags), algebra.value.parts);
  if (excess !== undefined) return fail([excess]);
  const { wrt } = asked.value;
  const survey = algebra.value.survey(graph, texts, { wrt, directions: flags.directions });
  return survey.ok ? ok({ algebra: flags.algebra, graph, survey: survey.value, ...asked.value }) : survey;
}

function noInput(id: NodeId, graph: Graph): Issue {
  return {
    code: "forward-gradient/id",
    pointer: "/wrt",
    message: `${id} is a node of ${idCount(graph)} ids, and inputs are perturbed.`,
    hint: "name inputs",
  };
}

/** A table of 80 columns has these: names, sweeps, biases, variances and parts of ‖∇f‖². */
const [NAME, SWEEPS, NUMBER] = [30, 7, 13];

function surveyLines({ algebra, graph, survey, of, wrt }: Surveyed, columns: number): string[] {
  const { gradient, dimension, squaredNorm, estimates } = survey;
  const rows = estimates.map(({ name, sweeps, bias = "0", variance, relative = "", isCounted }) =>
    [
      `  ${name.padEnd(NAME - 2)}`,
      String(sweeps).padStart(SWEEPS),
      cut(bias, NUMBER - 2).padStart(NUMBER),
      cut(variance, NUMBER - 2).padStart(NUMBER),
      cut(relative, NUMBER - 2).padStart(NUMBER),
      isCounted ? "  =" : "",
    ].join(""),
  );
  return [
    `over ${visible(algebra, 40)}: ${counted(dimension, "number")}, ‖∇f‖² = ${cut(squaredNorm, 30)}`,
    ...gradient.flatMap(({ id, numbers }) =>
      folded(
        `${numbers
          .map((text) => cut(text, 30))
          .slice(0, 8)
          .join(" ")}${numbers.length > 8 ? " …" : ""}`,
        `  gradient of ${visible(graph.inputs[id]?.name ?? "", 20)}: `,
        columns,
      ),
    ),
    "",
    `${"estimate".padEnd(NAME)}${"sweeps".padStart(SWEEPS)}${"bias²".padStart(NUMBER)}${"variance".padStart(NUMBER)}${"of ‖∇f‖²".padStart(NUMBER)}`,
    ...rows,
    ...(estimates.some(({ isCounted }) => isCounted)
      ? ["= counted over all directions, or by their moments: bias² is ‖E g − ∇f‖²"]
      : []),
    "",
    ...memoryLines(graph, of, wrt, columns),
  ];
}

/**
 * Says what forward and reverse mode hold at once, and reverse mode with snapshots: with the fewest nodes
 * computed again of those that hold no more than forward mode, or with the least memory. All is decided from
 * the graph.
 */
function memoryLines(graph: Graph, of: readonly NodeId[], wrt: readonly NodeId[], columns: number): string[] {
  const few = Math.ceil(Math.log2(1 + expand(graph).graph.nodes.length));
  const slots = [...new Set([Math.ceil(few / 2), few, 2 * few, 4 * few])].filter((count) => count > 0);
  const modes = [
    { kind: "forward", tangents: 1 } as const,
    { kind: "reverse" } as const,
    ...slots.map((count) => ({ kind: "checkpointed", slots: count }) as const),
  ];
  const explained = explain(graph, undeclared(siBases), {
    of,
    wrt,
    sheaf: false,
    memory: { modes, hasViews: true },
  });
  if (!explained.ok) return [];
  const [forward, reverse, ...snapshots] = present(explained.value.memory, "what memory is asked for").modes;
  const most = forward?.peak.now ?? 0;
  const [best] = snapshots
    .map((one, place) => ({ ...one, slots: at(slots, place), over: Math.max(one.peak.now - most, 0) }))
    .toSorted((x, y) => x.over - y.over || x.computedAgain.now - y.computedAgain.now);
  return [
    `held at once, in elements: ${most} with one direction, ${reverse?.peak.now} in reverse, of which ${reverse?.kept.now} are kept for the way back`,
    ...(best === undefined
      ? []
      : [
          `in reverse with snapshots, ${best.over === 0 ? "no more than with one direction" : "at least"}: ${best.peak.now}, in ${counted(best.slots, "slot")}, with ${counted(best.computedAgain.now, "node")} computed again`,
        ]),
  ].flatMap((line) => folded(line, "", columns));
}

/** Cuts digits, but not the exponent. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const [exponent = ""] = /[ep][+-]?\d+$/.exec(text) ?? [];
  return `${text.slice(0, width - 1 - exponent.length)}…${exponent}`;
}
