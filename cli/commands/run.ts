import { type Command, Option } from "commander";
import { showNode } from "../../conformance/index.ts";
import type { RunTexts } from "../../reference/index.ts";
import {
  checkCase,
  checkGraph,
  encodeCase,
  fail,
  formatShape,
  type Graph,
  type Issue,
  ok,
  parseJson,
  type Result,
  shapesOf,
  type TensorJson,
  type TraceJson,
} from "../../spec/index.ts";
import { algebraNames, runnerOf } from "../algebras.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { readInput, writeOutput } from "../files.ts";
import { collect, report } from "../options.ts";
import type { Terminal } from "../terminal.ts";
import { isCase } from "./check.ts";

interface RunFlags {
  readonly algebra: string;
  readonly input: readonly string[];
  readonly environment: readonly string[];
  readonly seed: readonly string[];
  readonly form: "dense" | "sparse";
  readonly trace?: string;
  readonly json?: boolean;
}

const description = `Runs a graph on the reference over an algebra of your choice, and prints the value and the
cotangent of every id. FILE is a case (adjudge.case.v1), which brings its own numbers, or a graph
(adjudge.graph.v1), whose numbers --input, --environment and --seed give. For example:

  adjudge run square.json --algebra rational --input x=1/3 --seed 1=1

Without --seed a scalar last node is seeded with 1. Dual numbers are written (value;tangent).`;

/** `adjudge run FILE`: values and cotangents by the reference. */
export function runCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("run")
    .summary("evaluate and backpropagate a graph over an algebra")
    .description(description)
    .argument("<file>", "a graph or a case, or - for standard input")
    .option("-a, --algebra <name>", algebraNames.join(", "), "float64")
    .option(
      "-i, --input <name=numbers>",
      "an input's elements, separated by commas; may be repeated",
      collect,
      [],
    )
    .option("--environment <name=numbers>", "the elements of an entry of Δ; may be repeated", collect, [])
    .option("-s, --seed <id=numbers>", "the cotangent put in at an id; may be repeated", collect, [])
    .addOption(
      new Option("--form <form>", "the form of backpropagation [SEMANTICS §3, §4]")
        .choices(["dense", "sparse"])
        .default("dense"),
    )
    .option("--trace <file>", "write the run as a trace (adjudge.trace.v1)")
    .option("--json", "print the trace instead of the table")
    .action(async (file: string, flags: RunFlags) => end(await run(file, flags, terminal)));
}

async function run(file: string, flags: RunFlags, terminal: Terminal): Promise<ExitCode> {
  const runner = runnerOf(flags.algebra);
  if (runner === undefined) {
    terminal.note(`there is no algebra ${flags.algebra}; there are ${algebraNames.join(", ")}`);
    return exitCodes.badInput;
  }
  const read = await readProgram(file, flags);
  const trace = read.ok ? runner(read.value.graph, read.value.texts, flags.form) : read;
  if (!trace.ok) {
    report(terminal, trace.error);
    return exitCodes.badInput;
  }
  const saved = flags.trace === undefined ? undefined : await writeOutput(flags.trace, trace.value);
  if (saved?.ok === false) {
    report(terminal, saved.error);
    return exitCodes.badInput;
  }
  if (flags.json === true) terminal.out(JSON.stringify(trace.value, undefined, 2));
  else printTrace(trace.value, terminal);
  return exitCodes.agrees;
}

interface ReadProgram {
  readonly graph: Graph;
  readonly texts: RunTexts;
}

/** The graph and its numbers: the case's own, replaced where an option names them. */
async function readProgram(file: string, flags: RunFlags): Promise<Result<ReadProgram, Issue[]>> {
  const text = await readInput(file);
  const json = text.ok ? parseJson(text.value) : text;
  if (!json.ok) return json;
  const start = isCase(json.value) ? fromCase(json.value) : fromGraph(json.value);
  if (!start.ok) return start;
  const { graph, texts } = start.value;
  const options = [flags.input, flags.environment, flags.seed].map((given) => given.map(splitAssignment));
  const [inputs = [], environment = [], seeds = []] = options;
  const unknown = [
    ...inputs.filter(([name]) => !graph.inputs.some((input) => input.name === name)),
    ...environment.filter(([name]) => !graph.environment.some((entry) => entry.name === name)),
    ...seeds.filter(([id]) => !/^[0-9]+$/.test(id)),
  ];
  if (unknown.length > 0) return fail(unknown.map(([name]) => unknownName(name)));
  const given = new Map(inputs);
  const ownSeeds = new Map(seeds.map(([id, numbers]) => [Number(id), numbers]));
  const allSeeds = ownSeeds.size > 0 ? ownSeeds : texts.seeds;
  const seeded = allSeeds.size > 0 ? ok(allSeeds) : defaultSeed(graph);
  if (!seeded.ok) return seeded;
  return ok({
    graph,
    texts: {
      inputs: graph.inputs.map(({ name }, id) => given.get(name) ?? texts.inputs[id] ?? []),
      environment: new Map([...texts.environment, ...environment]),
      seeds: seeded.value,
    },
  });
}

function fromCase(json: unknown): Result<ReadProgram, Issue[]> {
  const checked = checkCase(json);
  if (!checked.ok) return checked;
  const { graph, point, seeds } = encodeCase(checked.value);
  return ok({
    graph,
    texts: {
      inputs: point.inputs.map(textsOf),
      environment: new Map(
        Object.entries(point.environment).map(([name, tensor]) => [name, textsOf(tensor)]),
      ),
      seeds: new Map(seeds.map(({ id, cotangent }) => [id, textsOf(cotangent)])),
    },
  });
}

function fromGraph(json: unknown): Result<ReadProgram, Issue[]> {
  const graph = checkGraph(json);
  if (!graph.ok) return graph;
  return ok({ graph: graph.value, texts: { inputs: [], environment: new Map(), seeds: new Map() } });
}

function textsOf(tensor: TensorJson): string[] {
  return "data" in tensor ? tensor.data.map(String) : [];
}

/** `x=1,2/3` as `["x", ["1", "2/3"]]`. Without elements, `x=`, the list is empty. */
function splitAssignment(text: string): readonly [string, readonly string[]] {
  const middle = text.indexOf("=");
  const [name, numbers] = middle < 0 ? [text, ""] : [text.slice(0, middle), text.slice(middle + 1)];
  return [name, numbers === "" ? [] : numbers.split(",")];
}

function unknownName(name: string): Issue {
  return {
    code: "run/name",
    pointer: "",
    message: `the graph has no ${JSON.stringify(name)} there.`,
    hint: "name an input, an entry of the environment, or for a seed an id",
  };
}

/** The plain gradient: 1 on a scalar last node. What a vector's cotangent is, only the user can say. */
function defaultSeed(graph: Graph): Result<ReadonlyMap<number, readonly string[]>, Issue[]> {
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const shape = shapes[last];
  if (shape !== undefined && shape.length === 0) return ok(new Map([[last, ["1"]]]));
  return fail([
    {
      code: "run/seed",
      pointer: "",
      message:
        shape === undefined
          ? "the graph is empty."
          : `the last value has shape ${formatShape(shape)}, not a scalar's.`,
      hint: `give its cotangent with --seed ${Math.max(0, last)}=…`,
    },
  ]);
}

function printTrace({ graph, values, cotangents, algebra, form }: TraceJson, terminal: Terminal): void {
  const { bold, dim } = terminal.palette;
  terminal.out(dim(`over ${algebra}, ${form} form`));
  for (const [id, value] of values.entries()) {
    const input = graph.inputs[id];
    const node = graph.nodes[id - graph.inputs.length];
    const what = input === undefined ? node && showNode(node) : `input ${input.name}`;
    terminal.out(`${bold(String(id))} ${what} ${formatShape(value.shape)}`);
    terminal.out(`    value      ${value.data.join(" ")}`);
    terminal.out(`    cotangent  ${cotangents[id]?.data.join(" ")}`);
  }
}
