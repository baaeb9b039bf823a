import { extname } from "node:path";
import { type Command, Option } from "commander";
import type { ImportedModel, Model } from "../../conformance/models/index.ts";
import { randomAt } from "../../oracle/random/index.ts";
import { type CaseData, checkGivenCase, encodeCase } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import {
  counted,
  fail,
  formatShape,
  type Issue,
  ok,
  quote,
  type Result,
  visible,
  visibleJson,
} from "../../spec/shapes/index.ts";
import { caseText } from "../../spec/text/writer.ts";
import { parseFloat64 } from "../../spec/wire/index.ts";
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
  const read = writable.ok ? await caseIn(from, flags) : writable;
  const checked = read.ok ? checkGivenCase(read.value.case) : read;
  const written = read.ok && checked.ok ? await deliver(checked.value, nameOf(from), to, terminal) : checked;
  if (!written.ok) {
    report(terminal, written.error);
    return exitCodes.badInput;
  }
  if (read.ok) for (const line of read.value.told) terminal.note(line);
  return exitCodes.agrees;
}

/** What is written, and what is said about it. */
interface Read {
  readonly case: CaseData;
  readonly told: readonly string[];
}

async function caseIn(from: string, flags: ImportFlags): Promise<Result<Read, Issue[]>> {
  const origin = flags.from ?? (extname(from) === ".json" ? "torchlean" : "onnx");
  const extents = assignments("--extent", flags.extent);
  const given = assignments("--given", flags.given);
  if (!extents.ok) return extents;
  if (!given.ok) return given;
  const bytes = await readBytes(from);
  if (!bytes.ok) return bytes;
  const { caseOfModel, externalBeside, noExternal, readModel } = await import(
    "../../conformance/models/index.ts"
  );
  const random = randomAt(flags.seed, 0);
  const draw = (size: number): Float64Array =>
    Float64Array.from({ length: size }, () => random.nextInt(-16, 16) / 8);
  const note = visible(`imported from ${nameOf(from)}`);
  if (origin === "torchlean") return fail([]);
  const open: readonly (readonly [string, readonly number[]])[] = [...extents.value];
  const model = readModel(bytes.value, {
    extents: new Map(open.map(([name, numbers]) => [name, numbers[0] ?? Number.NaN])),
    given: given.value,
    ...(flags.wrt === undefined ? {} : { wrt: flags.wrt.includes("all") ? "all" : flags.wrt }),
    draw,
    external: from === "-" ? noExternal : externalBeside(from),
  });
  if (!model.ok) return model;
  const { graph, point, outputs } = model.value;
  const real = outputs.filter(({ isReal }) => isReal).map(({ id }) => id);
  const read: Model = { graph, point, results: real };
  return ok({ case: caseOfModel(read, note), told: tellModel(model.value) });
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
  data: CaseData,
  name: string,
  to: string,
  terminal: Terminal,
): Promise<Result<void, Issue[]>> {
  const { inputs, environment } = data.point;
  const numbers = [...inputs, ...environment.values()].reduce((sum, tensor) => sum + tensor.data.length, 0);
  const form = numbers > MOST_AS_TEXT ? "base64" : "text";
  const text = to.endsWith(".json")
    ? `${visibleJson(encodeCase(data, form))}\n`
    : caseText(data, name, "nested");
  return to === "-" ? ok(terminal.out(text.trimEnd())) : writeText(to, text);
}
