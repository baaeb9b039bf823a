import type { Command } from "commander";
import { showExplanation } from "../../conformance/index.ts";
import { explain, MAXIMUM_SHEAF } from "../../oracle/index.ts";
import {
  checkUnits,
  type Declarations,
  fail,
  type Graph,
  type Issue,
  isUnits,
  ok,
  parseJson,
  type Result,
  siBases,
  undeclared,
  visibleJson,
} from "../../spec/index.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { readInput } from "../files.ts";
import { graphOf } from "../given_graph.ts";
import { askedIds, type IdFlags } from "../given_ids.ts";
import { report } from "../options.ts";
import type { Terminal } from "../terminal.ts";

interface ExplainFlags extends IdFlags {
  readonly units?: string;
  readonly sheaf?: boolean;
  readonly json?: boolean;
}

const description = `Tells what a graph says before it runs: what its inputs, results and gradients are
measured in, or why nothing fits. FILE is a graph, a case or a vector, or a file of
units (adjudge.units.v1) with its graph in it. Nothing is run, and nothing guessed;
what is refused comes with the equations that cannot all hold, and of which none can
be left out. docs/units.md says more.

The exit code is 1 where dimensions or scales cannot agree.`;

/** `adjudge explain FILE`: what the values of a graph are measured in. */
export function explainCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("explain")
    .summary("tell what the values of a graph are measured in, or why nothing fits")
    .description(description)
    .argument("<file>", "a graph, a case, a vector or a file of units, or - for standard input")
    .option("-u, --units <file>", "what values are measured in (adjudge.units.v1)")
    .option("--of <ids...>", "the results, by id; default: the last id")
    .option("--wrt <ids...>", "whose gradients are told: ids, or names of inputs; default: all inputs")
    .option("--sheaf", `tell the equations as a sheaf too, if they are at most ${MAXIMUM_SHEAF}`)
    .option("--json", "print everything as JSON (explanation.schema.json)")
    .action(async (file: string, flags: ExplainFlags) => end(await run(file, flags, terminal)));
}

async function run(file: string, flags: ExplainFlags, terminal: Terminal): Promise<ExitCode> {
  const given = await measuredIn(file, flags.units);
  const asked = given.ok ? askedIds(given.value.graph, flags, "explain") : given;
  if (!given.ok || !asked.ok) {
    report(terminal, given.ok ? (asked.ok ? [] : asked.error) : given.error);
    return exitCodes.badInput;
  }
  const { graph, declarations } = given.value;
  const explained = explain(graph, declarations, { ...asked.value, sheaf: flags.sheaf === true });
  if (!explained.ok) {
    report(terminal, explained.error);
    return exitCodes.badInput;
  }
  const explanation = explained.value;
  if (flags.json === true) terminal.out(visibleJson(explanation));
  else for (const line of showExplanation(explanation)) terminal.out(line);
  if (flags.sheaf === true && explanation.sheaf === undefined) terminal.note(tooLarge);
  const { dimensions } = explanation;
  const agrees = dimensions.kind === "assigned" && dimensions.scales === undefined;
  return agrees ? exitCodes.agrees : exitCodes.disagrees;
}

const tooLarge = `The system is not told as a sheaf: it has over ${MAXIMUM_SHEAF} unknowns or equations.`;

interface Given {
  readonly graph: Graph;
  readonly declarations: Declarations;
}

/** The graph of a file, and what is declared of it: there, in a second file, or nothing. */
async function measuredIn(file: string, units: string | undefined): Promise<Result<Given, Issue[]>> {
  if (units === "-" && file === "-") return fail([oneStandardInput]);
  const json = await jsonIn(file);
  if (!json.ok) return json;
  if (isUnits(json.value)) return units === undefined ? checkUnits(json.value) : fail([twoUnits]);
  const graph = graphOf(json.value);
  if (!graph.ok || units === undefined) {
    return graph.ok ? ok({ graph: graph.value, declarations: undeclared(siBases) }) : graph;
  }
  const beside = await jsonIn(units);
  return beside.ok ? checkUnits(beside.value, graph.value) : beside;
}

async function jsonIn(file: string): Promise<Result<unknown, Issue[]>> {
  const text = await readInput(file);
  return text.ok ? parseJson(text.value) : text;
}

const twoUnits: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "--units is given, and the file is one of units itself.",
  hint: "give a graph with --units, or the file of units with its graph alone",
};

const oneStandardInput: Issue = {
  code: "flag/inapplicable",
  pointer: "",
  message: "standard input cannot be two files.",
  hint: "give one of them by its path",
};
