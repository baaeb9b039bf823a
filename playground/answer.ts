import { showExplanation, showGraph } from "../conformance/report/index.ts";
import { hashesOf, leanFile, readTraceJson } from "../lean-export/index.ts";
import { explain } from "../oracle/diagnosis/index.ts";
import { rational, traceOf } from "../reference/index.ts";
import { deriveAgain } from "../spec/derivatives/index.ts";
import { type CaseData, encodeCase } from "../spec/documents/index.ts";
import { derive, shapesOf, tooManyDigits } from "../spec/expansion/index.ts";
import type { Graph } from "../spec/graph/index.ts";
import { fail, type Issue, type NodeId, nodeId, ok, type Result } from "../spec/shapes/index.ts";
import { checkUnits, siBases, undeclared } from "../spec/units/index.ts";
import type { FloatType } from "../spec/wire/index.ts";
import { type Given, givenIn, type Mark } from "./given.ts";
import { type Row, rowsOf } from "./rows.ts";

/** What somebody typed, and what is asked of it. */
export interface Question {
  readonly text: string;
  /** The document of the text, counted from 0. */
  readonly document: number;
  /** Bounds are those of an engine of this precision. */
  readonly dtype: FloatType;
  /** The derived graph pulls cotangents back, or pushes tangents forward. */
  readonly mode: "vjp" | "jvp";
}

/** A part of the answer is there, or it is told why not. */
export type Told<T> =
  | { readonly kind: "told"; readonly value: T }
  | { readonly kind: "none"; readonly why: string };

export interface Answer {
  /** The documents of the text, by name or number. */
  readonly names: readonly string[];
  /** What is wrong, and where it is written. */
  readonly marks: readonly Mark[];
  readonly told?: {
    /** Sentences about what the text left open. */
    readonly notes: readonly string[];
    /** A line that gives the inputs numbers, where the text gives none. */
    readonly suggestion?: string;
    readonly hasTangents: boolean;
    readonly rows: Told<readonly Row[]>;
    readonly derived: Told<string>;
    readonly dimensions: Told<string>;
    readonly lean: Told<string>;
  };
}

/** Answers a text: what is wrong with it, or all that is known of the graph in it. */
export function answerTo({ text, document, dtype, mode }: Question): Answer {
  const given = givenIn(text, document);
  if (!given.ok) return { names: [], marks: given.error };
  const { names, graph, notes, suggestion, hasTangents, question } = given.value;
  return {
    names,
    marks: [],
    told: {
      notes,
      ...(suggestion === undefined ? {} : { suggestion }),
      hasTangents,
      rows: question.ok ? told(rowsOf(question.value, given.value.lines, dtype)) : from(question),
      derived: from(derivedText(graph, mode)),
      dimensions: from(dimensionsText(given.value)),
      lean: question.ok ? from(leanText(question.value)) : from(question),
    },
  };
}

function told<T>(value: T): Told<T> {
  return { kind: "told", value };
}

function from<T>(result: Result<T, readonly Issue[]>): Told<T> {
  if (result.ok) return told(result.value);
  return { kind: "none", why: result.error.map(({ message, hint }) => `${message} (${hint})`).join(" ") };
}

interface Asked {
  readonly of: readonly NodeId[];
  readonly wrt: readonly NodeId[];
}

/** Says what is differentiated: the last value, by all inputs. */
function asked(graph: Graph): Asked {
  const last = shapesOf(graph).length - 1;
  return { of: last < 0 ? [] : [nodeId(last)], wrt: graph.inputs.map((_, id) => nodeId(id)) };
}

function derivedText(graph: Graph, mode: Question["mode"]): Result<string, Issue[]> {
  const derived = deriveAgain(graph, { mode, ...asked(graph) }, [], derive);
  if (!derived.ok) return derived;
  const { graph: made, seeds, results, words } = derived.value;
  const lines = [
    ...showGraph(made, mode),
    ...seeds.map((id) => `# seed ${id}: ${made.inputs[id]?.name}`),
    ...results.map((id, place) => `# result ${id}: ${words[place]}`),
  ];
  return ok(lines.join("\n"));
}

function dimensionsText({ graph, units }: Given): Result<string, Issue[]> {
  const declared = units === undefined ? undefined : checkUnits(units, graph);
  if (declared?.ok === false) return declared;
  const explained = explain(graph, declared?.value.declarations ?? undeclared(siBases), asked(graph));
  return explained.ok ? ok(showExplanation(explained.value).join("\n")) : explained;
}

/** Writes the run over the rationals as a file whose theorems Lean's kernel checks. */
function leanText(question: CaseData): Result<string, Issue[]> {
  const { graph } = question;
  const long = tooManyDigits(graph);
  if (long !== undefined) return fail([long]);
  const { point, seeds } = encodeCase(question);
  const numbers = (tensor: object): string[] =>
    "data" in tensor && Array.isArray(tensor.data) ? tensor.data.map(String) : [];
  const texts = {
    inputs: point.inputs.map(numbers),
    environment: new Map(Object.entries(point.environment).map(([name, tensor]) => [name, numbers(tensor)])),
    seeds: new Map(seeds.map(({ id, cotangent }) => [id, numbers(cotangent)])),
  };
  const ran = traceOf(graph, rational, texts, "dense");
  if (!ran.ok)
    return fail(ran.error.map((issue) => ({ ...issue, hint: "a file is of a run over the rationals" })));
  const trace = readTraceJson({ ...ran.value, hashes: hashesOf(ran.value) });
  return trace.ok ? ok(leanFile(trace.value).text) : trace;
}
