import { extname } from "node:path";
import { type Command, Option } from "commander";
import { checkQuestion, isQuestion } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  counted,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  type Result,
  visibleJson,
} from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { oneDocumentIn } from "../files/documents.ts";
import { checkWritable, writeText } from "../files/files.ts";
import { graphOf } from "../given/given_graph.ts";
import { askedIds } from "../given/given_ids.ts";
import { report } from "../options/options.ts";
import { type ExitCode, exitCodes } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Target = "onnx" | "torchlean";

interface ExportFlags {
  readonly as?: Target;
  readonly dtype: "float32" | "float64";
  readonly of?: readonly string[];
}

const description = `Writes a graph as a model of ONNX (version 21 of the operators), or for TorchLean (torchlean.ir.v1). Of a case the
entries of Δ are stored in the model; of a graph alone they become inputs of ONNX's, or constants without numbers.
Composites that ONNX has stay whole. What adjudge derive writes is a graph too.`;

/** Adds `adjudge export GRAPH OUT`, which makes a model of a graph. */
export function exportCommand(program: Command, terminal: Terminal, end: (code: ExitCode) => void): void {
  program
    .command("export")
    .summary("write a graph as a model of ONNX, or for TorchLean")
    .description(description)
    .argument("<file>", "a graph, a case or a vector, or - for standard input")
    .argument("[out]", "the file to write; default: standard output, for text alone", "-")
    .addOption(
      new Option("--as <format>", "what to write; default: torchlean in .json, else onnx").choices([
        "onnx",
        "torchlean",
      ]),
    )
    .addOption(
      new Option("-d, --dtype <type>", "what the model computes in")
        .choices(["float32", "float64"])
        .default("float32"),
    )
    .option(
      "--of <ids...>",
      "the outputs, by id or name; default: what a case has cotangents of, or what no node reads",
    )
    .action(async (file: string, out: string, flags: ExportFlags) =>
      end(await run(file, out, flags, terminal)),
    );
}

async function run(file: string, out: string, flags: ExportFlags, terminal: Terminal): Promise<ExitCode> {
  const told = await exported(file, out, flags, terminal);
  if (!told.ok) {
    report(terminal, told.error);
    return exitCodes.badInput;
  }
  for (const line of told.value) terminal.note(line);
  return exitCodes.agrees;
}

/** A graph, the numbers of its entries of Δ if there are any, and where a case has cotangents. */
interface Given {
  readonly graph: Graph;
  readonly names: ReadonlyMap<string, number>;
  readonly environment: ReadonlyMap<string, FlatTensor>;
  readonly seeds: readonly NodeId[];
}

async function exported(
  file: string,
  out: string,
  flags: ExportFlags,
  terminal: Terminal,
): Promise<Result<readonly string[], Issue[]>> {
  const target = flags.as ?? (extname(out) === ".json" ? "torchlean" : "onnx");
  if (out === "-" && target === "onnx") return fail([noText]);
  const writable = out === "-" ? ok(undefined) : await checkWritable(out);
  if (!writable.ok) return writable;
  const given = await givenIn(file);
  if (!given.ok) return given;
  const { graph, environment, seeds } = given.value;
  const asked = flags.of === undefined ? ok(seeds) : outputsOf(given.value, flags.of);
  if (!asked.ok) return asked;
  if (target === "torchlean") {
    const { writeTorchLean } = await import("../../lean-export/index.ts");
    const document = writeTorchLean(graph, environment);
    if (!document.ok) return document;
    const text = visibleJson(document.value);
    const written = out === "-" ? ok(terminal.out(text)) : await writeText(out, `${text}\n`);
    return written.ok ? ok([]) : written;
  }
  const { writeOnnx } = await import("../../conformance/models/index.ts");
  const outputs = asked.value.length === 0 ? {} : { outputs: asked.value };
  const model = writeOnnx(graph, { dtype: flags.dtype, environment, ...outputs });
  if (!model.ok) return model;
  const written = await writeText(out, model.value.data);
  if (!written.ok) return written;
  const { nodes, rounded } = model.value;
  const roundings =
    rounded === 0 ? [] : [`${counted(rounded, "constant")} rounded to float32; -d float64 keeps all digits`];
  return ok([`${counted(nodes, "node")} in ${flags.dtype}`, ...roundings]);
}

async function givenIn(file: string): Promise<Result<Given, Issue[]>> {
  const document = await oneDocumentIn(file);
  if (!document.ok) return document;
  const { json, names = new Map() } = document.value;
  if (!isQuestion(json)) {
    const graph = graphOf(json);
    return graph.ok ? ok({ graph: graph.value, names, environment: new Map(), seeds: [] }) : graph;
  }
  const checked = checkQuestion(json);
  if (!checked.ok) return checked;
  const { graph, point, seeds } = checked.value.case;
  return ok({ graph, names, environment: point.environment, seeds: seeds.map(({ id }) => id) });
}

function outputsOf({ graph, names }: Given, of: readonly string[]): Result<readonly NodeId[], Issue[]> {
  const asked = askedIds(graph, { of }, "export", { names });
  return asked.ok ? ok(asked.value.of.map((id) => nodeId(id))) : asked;
}

const noText: Issue = {
  code: "export/text",
  pointer: "",
  message: "a model of ONNX is no text.",
  hint: "name a file to write it to, as in: adjudge export graph.adj model.onnx",
};
