import { extname } from "node:path";
import { type Command, Option } from "commander";
import type { ImportedModel, Model } from "../../conformance/models/index.ts";
import { randomAt } from "../../oracle/random/index.ts";
import { type CaseData, checkGivenCase, encodeCase } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph, Input } from "../../spec/graph/index.ts";
import {
  counted,
  fail,
  formatShape,
  type Issue,
  ok,
  quote,
  type Result,
  sizeOf,
  visible,
  visibleJson,
} from "../../spec/shapes/index.ts";
import { caseText, graphText } from "../../spec/text/writer.ts";
import { type FlatTensor, parseFloat64 } from "../../spec/wire/index.ts";
import { checkWritable, readBytes, writeText } from "../files/files.ts";
import { collect, naturalNumber, report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Origin = "onnx" | "torchlean";

interface ImportFlags {
  readonly from?: Origin;
  readonly extent: readonly string[];
  readonly given: readonly string[];
  readonly wrt?: readonly string[];
  readonly seed: number;
}

const description = `Reads a model, and writes it as a case: its graph, its weights as entries of Δ, and numbers for its inputs, which are
drawn unless they are given. OUT ends in .adj for text or .json; without it the text is printed.

Of ONNX the operators of versions 17 to 28 are read that docs/models.md lists. What a graph cannot say exactly is
refused, by the node's name. Data in other files are read from the model's own folder alone.`;

/** Adds `adjudge import MODEL [OUT]`, which makes a case of a model. */
export function importCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("import")
    .summary("read a model of ONNX or TorchLean as a case")
    .description(description)
    .argument("<model>", "a file of ONNX or of torchlean.ir.v1, or - for standard input")
    .argument("[out]", "the file to write, .adj or .json; default: standard output", "-")
    .addOption(
      new Option("--from <format>", "what MODEL is; default: torchlean of .json, else onnx").choices([
        "onnx",
        "torchlean",
      ]),
    )
    .option("--extent <name=number>", "an extent that the model leaves open; repeat it", collect, [])
    .option(
      "--given <name=numbers>",
      "the numbers of an input, row-major, or one for all; repeat it",
      collect,
      [],
    )
    .option("--wrt <names...>", "weights that become inputs, or all: gradients are asked for them too")
    .option("--seed <number>", "draw the inputs that are not given from this", naturalNumber, 1)
    .action(async (from: string, to: string, flags: ImportFlags) =>
      end(await run(from, to, flags, terminal)),
    );
}

async function run(from: string, to: string, flags: ImportFlags, terminal: Terminal): Promise<ExitCode> {
  const writable = to === "-" ? ok(undefined) : await checkWritable(to);
  const read = writable.ok ? await modelIn(from, flags) : writable;
  const written = read.ok ? await deliver(read.value, nameOf(from), to, terminal) : read;
  if (!written.ok) {
    report(terminal, written.error);
    return exitCodes.badInput;
  }
  if (read.ok) for (const line of read.value.told) terminal.note(line);
  return exitCodes.agrees;
}

/** What is written: a case, or a graph whose constants have no numbers; and what is said about it. */
interface Read {
  readonly document: CaseData | Graph;
  readonly told: readonly string[];
}

async function modelIn(from: string, flags: ImportFlags): Promise<Result<Read, Issue[]>> {
  const extents = assignments("--extent", flags.extent);
  if (!extents.ok) return extents;
  const given = assignments("--given", flags.given);
  if (!given.ok) return given;
  const bytes = await readBytes(from);
  if (!bytes.ok) return bytes;
  const random = randomAt(flags.seed, 0);
  const draw = (size: number): Float64Array =>
    Float64Array.from({ length: size }, () => random.nextInt(-16, 16) / 8);
  const origin = flags.from ?? (extname(from) === ".json" ? "torchlean" : "onnx");
  const { caseOfModel, externalBeside, noExternal, readModel } = await import(
    "../../conformance/models/index.ts"
  );
  const asked = (model: Model, told: readonly string[]): Result<Read, Issue[]> => {
    const checked = checkGivenCase(caseOfModel(model, visible(`imported from ${nameOf(from)}`)));
    return checked.ok ? ok({ document: checked.value, told }) : checked;
  };
  if (origin === "torchlean") {
    const { readTorchLeanText } = await import("../../lean-export/index.ts");
    const read = readTorchLeanText(bytes.value.toString("utf8"));
    if (!read.ok) return read;
    const { graph, values, results } = read.value;
    const [input] = graph.inputs;
    const isWhole = graph.environment.every(({ name }) => values.has(name));
    if (input === undefined) return ok({ document: graph, told: [] });
    if (!isWhole) return ok({ document: graph, told: partialNumbers(graph, values) });
    const numbers = givenTo(input, given.value, draw);
    if (!numbers.ok) return numbers;
    return asked({ graph, point: { inputs: [numbers.value], environment: values }, results }, []);
  }
  const read = readModel(bytes.value, {
    extents: new Map([...extents.value].map(([name, numbers]) => [name, numbers[0] ?? Number.NaN])),
    given: given.value,
    ...(flags.wrt === undefined ? {} : { wrt: flags.wrt.includes("all") ? "all" : flags.wrt }),
    draw,
    external: from === "-" ? noExternal : externalBeside(from),
  });
  if (!read.ok) return read;
  const { graph, point, outputs } = read.value;
  const results = outputs.filter(({ isReal }) => isReal).map(({ id }) => id);
  return asked({ graph, point, results }, tellModel(read.value));
}

/** Says that a graph has no place for the numbers of some constants, where others have none. */
function partialNumbers(
  { environment }: Pick<Graph, "environment">,
  values: ReadonlyMap<string, FlatTensor>,
): readonly string[] {
  const missing = environment.flatMap(({ name }) => (values.has(name) ? [] : [quote(name)]));
  const left = counted(values.size, "constant");
  if (values.size === 0) return [];
  return [`a graph without numbers: ${missing.join(", ")} has none, and those of ${left} are left out`];
}

/** Returns the numbers of TorchLean's one input. */
function givenTo(
  { name, shape }: Input,
  given: ReadonlyMap<string, readonly number[]>,
  draw: (size: number) => Float64Array,
): Result<FlatTensor, Issue[]> {
  const size = sizeOf(shape);
  const numbers = given.get(name);
  const odd = [...given.keys()].find((one) => one !== name);
  if (odd !== undefined)
    return fail([notGiven(`the graph has no input ${quote(odd)}.`, `its input is ${quote(name)}`)]);
  if (numbers === undefined) return ok({ shape, data: draw(size) });
  const [first = 0] = numbers;
  if (numbers.length === 1) return ok({ shape, data: new Float64Array(size).fill(first) });
  if (numbers.length === size) return ok({ shape, data: Float64Array.from(numbers) });
  return fail([notGiven(`${quote(name)} gets ${numbers.length} numbers.`, `give ${size}, or one for all`)]);
}

function notGiven(message: string, hint: string): Issue {
  return { code: "import/given", pointer: "", message, hint };
}

/** Says what a model is, in a line for each of its outputs. */
function tellModel({ graph, outputs, precisions, version, producer }: ImportedModel): readonly string[] {
  const shapes = shapesOf(graph);
  const by = producer === "" ? "" : `, by ${producer}`;
  return [
    `operators of version ${version}${by}; it computes in ${precisions.join(" and ") || "no floats"}`,
    `${counted(graph.inputs.length, "input")}, ${counted(graph.environment.length, "constant")}, ${counted(graph.nodes.length, "node")}`,
    ...outputs.map(({ name, id }) => `output ${quote(name)}: id ${id}, ${formatShape(shapes[id] ?? [])}`),
  ].map((line) => visible(line));
}

/** Reads `x=1,2` as `["x", [1, 2]]`. */
function assignments(
  flag: string,
  texts: readonly string[],
): Result<ReadonlyMap<string, readonly number[]>, Issue[]> {
  const read = new Map<string, readonly number[]>();
  for (const text of texts) {
    const middle = text.lastIndexOf("=");
    const numbers = text
      .slice(middle + 1)
      .split(",")
      .map((word) => parseFloat64(word.trim()));
    if (middle < 1 || numbers.includes(undefined)) {
      const message = `${flag}: ${quote(text)} gives no name numbers.`;
      return fail([{ code: "flag/assignment", pointer: "", message, hint: `write ${flag} x=1,2.5` }]);
    }
    read.set(
      text.slice(0, middle),
      numbers.map((x) => x ?? 0),
    );
  }
  return ok(read);
}

/** A case is named after its file. */
function nameOf(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? "";
  return name.replace(/\.[^.]*$/, "").replaceAll(/\W/g, "_") || "model";
}

/** So many numbers are written as text; more stand in base64. */
const MOST_AS_TEXT = 10_000;

async function deliver(
  { document }: Read,
  name: string,
  to: string,
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  const text = to.endsWith(".json") ? `${visibleJson(jsonOf(document))}\n` : adjOf(document, name);
  return to === "-" ? ok(terminal.out(text.trimEnd())) : writeText(to, text);
}

function adjOf(document: CaseData | Graph, name: string): string {
  return "nodes" in document ? graphText(document, name) : caseText(document, name, "nested");
}

function jsonOf(document: CaseData | Graph): unknown {
  if ("nodes" in document) return document;
  const { inputs, environment } = document.point;
  const numbers = [...inputs, ...environment.values()].reduce((sum, tensor) => sum + tensor.data.length, 0);
  return encodeCase(document, numbers > MOST_AS_TEXT ? "base64" : "text");
}
