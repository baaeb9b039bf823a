import { type CaseData, checkCase, checkGraph, checkQuestion, isQuestion } from "../spec/documents/index.ts";
import { overBudget, shapesOf } from "../spec/expansion/index.ts";
import type { Graph } from "../spec/graph/index.ts";
import { fail, type Issue, nodeId, ok, type Result, type Shape, sizeOf } from "../spec/shapes/index.ts";
import { frameOf, readText, type TextDocument, type TextFault } from "../spec/text/index.ts";
import { idText, nameText, nodeLines, tensorText } from "../spec/text/writer.ts";
import { type FlatTensor, parseJson } from "../spec/wire/index.ts";

/** What is wrong with a text, from one offset to another, and how a compiler would show it. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly frame: string;
}

/** A graph of the text, and numbers for all that a run needs, unless it is too large to run here. */
export interface Given {
  readonly names: readonly string[];
  readonly graph: Graph;
  readonly question: Result<CaseData, Issue[]>;
  readonly units?: TextDocument["units"];
  /** The names that ids have in the text, and what is written of each. */
  readonly lines: readonly { readonly name: string; readonly written: string }[];
  readonly notes: readonly string[];
  readonly suggestion?: string;
  readonly hasTangents: boolean;
}

/** The text is shown as a file of this name. */
const FILE = "graph.adj";

/** Reads a document of a text or of JSON. Fails with what is wrong, where that is written. */
export function givenIn(text: string, document: number): Result<Given, Mark[]> {
  if (/^\s*[[{]/.test(text)) {
    const json = parseJson(text);
    const given = json.ok ? fromJson(json.value, undefined) : json;
    return given.ok ? given : fail(given.error.map((issue) => markOf(text, framed(issue, text))));
  }
  const documents = readText(text);
  if (!documents.ok) return fail(documents.error.map((fault) => markOf(text, fault)));
  const all = documents.value;
  const one = all[document] ?? all[0];
  if (one === undefined) return fail([]);
  const given = fromJson(one.json, { document: one, text });
  if (!given.ok) return fail(given.error.map((issue) => markOf(text, { ...issue, place: one.place })));
  return ok({ ...given.value, names: all.map(({ name }, place) => name ?? `${place + 1}`) });
}

function markOf(text: string, fault: TextFault): Mark {
  return { ...fault.place, frame: frameOf(FILE, text, fault).join("\n") };
}

/** JSON has no places, so that an issue stands at its first character, with its pointer. */
function framed({ code, pointer, message, hint }: Issue, text: string): TextFault {
  const where = pointer === "" ? "" : `${pointer}: `;
  const start = Math.max(0, text.search(/\S/));
  return { code, place: { start, end: start + 1 }, message: `${where}${message}`, hint };
}

/** Where a document stands in a text, with the text. */
interface Written {
  readonly document: TextDocument;
  readonly text: string;
}

/** A run may take this much here, where somebody waits for each key. */
const budget = { elements: 2 ** 14, work: 2 ** 21 };

function fromJson(json: unknown, written: Written | undefined): Result<Given, Issue[]> {
  if (isQuestion(json)) {
    const question = checkQuestion(json);
    return question.ok ? ok(asked(question.value.case, written)) : question;
  }
  if (isOther(json)) return fail([noGraph]);
  const graph = checkGraph(json);
  if (!graph.ok) return graph;
  if (overBudget(graph.value, budget) !== undefined) return ok(unasked(graph.value, written));
  const question = checkCase(filled(graph.value));
  if (!question.ok) return question;
  const given = { ...asked(question.value, written), hasTangents: false };
  if (graph.value.inputs.length + graph.value.environment.length === 0) return ok(given);
  return ok({
    ...given,
    notes: ["No line gives numbers, so these are made up.", ...given.notes],
    ...(written === undefined ? {} : { suggestion: suggested(question.value) }),
  });
}

function isOther(json: unknown): boolean {
  const format = typeof json === "object" && json !== null && "format" in json ? json.format : undefined;
  return typeof format === "string" && format !== "adjudge.graph.v1";
}

const noGraph: Issue = {
  code: "playground/graph",
  pointer: "",
  message: "this page shows graphs, and this is another document.",
  hint: "adjudge record FILE writes the run of a program as a graph",
};

/** Returns a case of a graph with numbers that differ, are positive and have few digits; indices are 0. */
function filled(graph: Graph): object {
  const tensor = (shape: Shape, kind: "real" | "index", offset: number): object => ({
    shape,
    data: Array.from({ length: sizeOf(shape) }, (_, k) =>
      kind === "index" ? "0" : `${(((7 * k + 3 * offset + 2) % 11) + 1) / 4}`,
    ),
  });
  const { inputs, environment } = graph;
  const entries = environment.map(({ name, shape, kind }, place) => [name, tensor(shape, kind, place + 1)]);
  return {
    format: "adjudge.case.v1",
    graph,
    point: {
      inputs: inputs.map(({ shape }, place) => tensor(shape, "real", place)),
      environment: Object.fromEntries(entries),
    },
    tangents: inputs.map(({ shape }, place) => tensor(shape, "real", place)),
    seeds: [],
  };
}

/** A line with more numbers than these is none that somebody would change. */
const MOST_SUGGESTED = 64;

/** Writes the line that says the numbers of a case; one number stands for all, where they are many. */
function suggested({ graph, point }: CaseData): string {
  const { inputs, environment } = graph;
  const all = [
    ...inputs.map(({ name }, place) => [name, point.inputs[place]] as const),
    ...environment.map(({ name }) => [name, point.environment.get(name)] as const),
  ];
  const count = all.reduce((sum, [, tensor]) => sum + (tensor?.data.length ?? 0), 0);
  const numbers = (tensor: FlatTensor | undefined): string =>
    tensor === undefined || count > MOST_SUGGESTED ? `${tensor?.data[0] ?? 0}` : tensorText(tensor);
  return `at ${all.map(([name, tensor]) => `${nameText(name)} = ${numbers(tensor)}`).join(", ")}`;
}

/** Adds what a text leaves open: without a seed, the gradient is that of the last value, or of its sum. */
function asked(question: CaseData, written: Written | undefined): Given {
  const { graph, seeds, tangents } = question;
  const excess = overBudget(graph, budget);
  const given = unasked(graph, written);
  if (excess !== undefined) return given;
  const has = (clause: string): boolean =>
    written?.document.clauses.some(({ head }) => head.text === clause) ?? true;
  const hasTangents = has("tangent") && tangents.length > 0;
  const shapes = shapesOf(graph);
  const last = shapes.length - 1;
  const shape = shapes[last];
  if (shape === undefined || (has("seed") && seeds.length > 0))
    return { ...given, question: ok(question), hasTangents };
  const ones = Float64Array.from({ length: sizeOf(shape) }, () => 1);
  const name = given.lines[last]?.name ?? "";
  const of = shape.length === 0 ? name : `the sum of ${name}`;
  return {
    ...given,
    question: ok({ ...question, seeds: [{ id: nodeId(last), cotangent: { shape, data: ones } }] }),
    notes: [`The gradient is that of ${of}: a line “seed ${name} = …” asks for another.`],
    hasTangents,
  };
}

/** A graph without its run. */
function unasked(graph: Graph, written: Written | undefined): Given {
  const units = written?.document.units;
  return {
    names: [],
    graph,
    question: fail([tooLarge]),
    ...(units === undefined ? {} : { units }),
    lines: linesOf(graph, written),
    notes: [],
    hasTangents: false,
  };
}

const tooLarge: Issue = {
  code: "playground/budget",
  pointer: "",
  message: "the run is too large for this page.",
  hint: "adjudge run FILE takes larger ones",
};

/** Returns the name and the words of each id: as the text has them, or as its writer would. */
function linesOf(graph: Graph, written: Written | undefined): Given["lines"] {
  const { names = new Map<string, undefined>(), places } = written?.document.graph ?? {};
  const named = new Map([...names].flatMap(([name, id]) => (id === undefined ? [] : [[id, name]])));
  // An expression and the numbers in it have one place; the expression comes last.
  const last = new Map(places?.nodes.map(({ start, end }, node) => [`${start} ${end}`, node]));
  const nodes = nodeLines(graph, "");
  return shapesOf(graph).map((_, id) => {
    const node = id - graph.inputs.length;
    const { start = 0, end = 0 } = places?.nodes[node] ?? {};
    const line = nodes[node]?.replace(/^.*? = /s, "") ?? "";
    const own = last.get(`${start} ${end}`) === node ? written?.text.slice(start, end) : undefined;
    return {
      name: named.get(id) ?? idText(graph, id),
      written: node < 0 ? "input" : (own ?? line).replace(/\s+/g, " "),
    };
  });
}
