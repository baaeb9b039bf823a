import {
  type CaseData,
  checkCase,
  checkGraph,
  checkVector,
  type EntryCall,
  encodeCase,
  encodeVector,
} from "../documents/index.ts";
import type { Graph } from "../graph/index.ts";
import type { Program } from "../programs/index.ts";
import { pointerTo, type Shape, sizeOf, wellFormedShape } from "../shapes/index.ts";
import {
  type Call,
  type CaseJson,
  type ComponentsAt,
  callsByText,
  dataTypes,
  type Expected,
  type TensorJson,
} from "../wire/index.ts";
import { leavesOf, tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { GraphReading, type GraphText, refuseMeasures } from "./graph_reader.ts";
import { type Beside, readBeside } from "./measure_reader.ts";
import { Places } from "./places.ts";
import { Sayings } from "./sayings.ts";
import type { Assignment, Line, LineOf, Place, Word } from "./tree.ts";
import { generic, USUAL_CLAUSE, USUAL_NOTE, usualCotangent } from "./usual.ts";

export type Clause = LineOf<"clause">;
export type Header = LineOf<"header">;

/** A header with the clauses behind it. */
export interface Chapter {
  readonly header: Header;
  readonly clauses: readonly Clause[];
}

/** A document that a text denotes; its JSON was checked. */
export interface TextDocument extends Beside {
  /** The name behind its first word, if it has one. */
  readonly name?: string | undefined;
  readonly json: { readonly format: string };
  /** It stands here, from its first line to its last clause. */
  readonly place: Place;
  /** Its clauses, some of which say what a suite alone needs. */
  readonly clauses: readonly Clause[];
  readonly graph?: GraphReading;
  /** Tells where parts of the document are written. */
  readonly places?: Places;
  /** Graphs that choices of a policy stand for, by the choice. */
  readonly choices?: ReadonlyMap<string, Graph> | undefined;
  /** Calls of a program behind that of its case, where nothing is expected of them. */
  readonly calls?: readonly EntryCall[] | undefined;
  /** Steps of tapes, in order, with what stands below each. */
  readonly steps?: readonly Clause[];
  /** Programs that state a fault openly, by its name. */
  readonly wrong?: ReadonlyMap<string, WrongProgram> | undefined;
}

/** A program whose answers are wrong: throughout, or in the sweep alone. */
export interface WrongProgram {
  readonly part: "all" | "sweep";
  readonly program: Program;
}

/** A case as JSON, before the check of its graph. */
interface CaseText extends Omit<CaseJson, "graph"> {
  readonly graph: GraphText;
}

const parts = { value: "values", tangent: "tangents", cotangent: "cotangents" } as const;

/**
 * Reads a graph with its clauses: a graph document, a case if it has a point, a vector if something is
 * expected. Tangents and cotangents that are not given are numbers that differ from each other and from 1, so
 * that every mistake shows: ±(k + i + ½) for element i of input k, counted from 1; odd primes at the last id.
 */
export function readQuestion(chapter: Chapter, faults: Faults): TextDocument | undefined {
  const { header, clauses } = chapter;
  const places = new Places(header.place);
  const reading = readGraph(header, faults);
  const question = new Question(reading, places, faults);
  for (const clause of clauses) question.read(clause);
  const found = choicesOf(chapter, faults);
  const choices = found.size === 0 ? undefined : found;
  if (faults.all.length > 0) {
    // The numbers have mistakes of their own.
    if (question.isAsked) question.caseJson();
    return undefined;
  }
  const whole = (json: TextDocument["json"], graph: Graph, note?: string): TextDocument | undefined => {
    const beside = readBeside({ ...chapter, measured: reading.measured, note }, graph, faults);
    const place = wholePlace(chapter);
    const document = { name: header.name?.text, place, clauses, graph: reading, places, choices, json };
    return faults.all.length === 0 ? { ...document, ...beside } : undefined;
  };
  if (!question.isAsked) {
    places.addGraph("", reading);
    const graph = faults.accept(checkGraph(reading.graph), places);
    return graph && whole(graph, graph, question.note);
  }
  const json = question.caseJson();
  if (json === undefined) return undefined;
  places.addGraph("/graph", reading);
  const checked = faults.accept(checkCase(json), places);
  if (checked === undefined) return undefined;
  if (!question.isVector) return whole(encodeCase(checked), checked.graph);
  const vector = question.vector(checked);
  return faults.accept(checkVector(vector), places) && whole(vector, checked.graph);
}

/** Returns the place from a document's first line to its last one. */
export function wholePlace({ header, clauses }: Chapter): Place {
  return { start: header.place.start, end: endOf(clauses.at(-1) ?? header) };
}

/** Returns where a line ends, or the last one below it. */
function endOf(line: Line): number {
  const last = "body" in line ? line.body.at(-1) : undefined;
  return last === undefined ? line.place.end : endOf(last);
}

/** Reads a graph's first line, and the lines below it. */
export function readGraph(
  { inputs, given, body }: Pick<Header, "inputs" | "given" | "body">,
  faults: Faults,
  [message, hint]: readonly [string, string] = [
    "a graph has values alone.",
    "make it a program, or a clause",
  ],
): GraphReading {
  const reading = new GraphReading(faults);
  reading.declare(inputs, given);
  for (const line of body) {
    if (line.kind === "let") reading.read(line);
    else faults.add("text/statement", line.place, message, hint);
  }
  return reading;
}

/** Reads the graphs of choices, which have the inputs and the Δ of the question. */
function choicesOf({ header, clauses }: Chapter, faults: Faults): ReadonlyMap<string, Graph> {
  const { inputs, given } = header;
  const choices = new Map<string, Graph>();
  for (const { head, words, body, place } of clauses) {
    if (body.length > 0 && head.text !== "choice") {
      const hint = "write what is indented to its left";
      faults.add("text/clause", place, "nothing stands below this line.", hint);
    }
    const [name] = words;
    if (head.text !== "choice" || name === undefined) continue;
    const before = faults.all.length;
    const mistake = ["a choice is a graph.", "it has values alone"] as const;
    const reading = readGraph({ inputs, given, body }, faults, mistake);
    refuseMeasures(body, faults);
    const places = new Places(place);
    places.addGraph("", reading);
    const isClean = faults.all.length === before;
    const graph = isClean ? faults.accept(checkGraph(reading.graph), places) : undefined;
    if (graph !== undefined) choices.set(name.text, graph);
  }
  return choices;
}

/** It gathers what the clauses say about a graph. */
class Question {
  readonly #reading: GraphReading;
  readonly #places: Places;
  readonly #faults: Faults;
  readonly #said: Sayings;
  readonly #at: Map<string, Assignment> = new Map();
  readonly #tangents: Map<number, Assignment> = new Map();
  readonly #seeds: Map<number, Assignment> = new Map();
  readonly #calls: Call[] = [];
  #isPlaced = false;
  #isClean = true;
  /** It says `seed none`: every id starts at zero. */
  #isUnseeded = false;
  readonly #expected: Record<keyof Expected, ComponentsAt[]> = { values: [], tangents: [], cotangents: [] };

  constructor(reading: GraphReading, places: Places, faults: Faults) {
    this.#reading = reading;
    this.#places = places;
    this.#faults = faults;
    this.#said = new Sayings(faults);
  }

  get isAsked(): boolean {
    const isTold = this.#tangents.size + this.#seeds.size + this.#calls.length > 0;
    return this.#isPlaced || isTold || this.#isUnseeded || this.isVector;
  }

  get note(): string | undefined {
    return this.#said.first("note")?.text;
  }

  get isVector(): boolean {
    const { values, tangents, cotangents } = this.#expected;
    return this.#said.has("clause") || values.length + tangents.length + cotangents.length > 0;
  }

  read(clause: Clause): void {
    const { head, words, assignments } = clause;
    switch (head.text) {
      case "at":
        this.#isPlaced = true;
        for (const one of assignments) this.#place(one);
        break;
      case "tangent":
        for (const one of assignments) this.#faults.once(this.#tangents, this.#reading.idOf(one.name), one);
        break;
      case "seed":
        this.#isUnseeded ||= words[0]?.text === "none";
        for (const one of assignments) this.#faults.once(this.#seeds, this.#reading.idOf(one.name), one);
        break;
      case "ask":
        this.#call(clause);
        break;
      case "expect":
        for (const one of assignments) this.#expect(words[0], one);
        break;
      case "note":
      case "clause":
      case "defects":
      case "links":
      case "flags":
      case "precision":
      case "policy":
        this.#said.say(head, words);
        break;
      // A suite reads the first two, and what stands beside the graph the others.
      case "choice":
      case "join":
      case "reported":
      case "finding":
      case "base":
      case "unit":
        break;
      default:
        this.#faults.addUnknown("text/clause", "clause of a graph", head, [
          ...["at", "seed", "tangent", "ask", "expect", "note", "clause", "defects", "links", "flags"],
          ...["precision", "policy", "choice", "base", "unit"],
        ]);
    }
  }

  /** Reads a line that asks: its words are those of a call. */
  #call({ head, words }: Clause): void {
    const text = words.map((word) => word.text).join(" ");
    const call = callsByText.get(text);
    if (call === undefined) {
      const place = { start: head.place.start, end: (words.at(-1) ?? head).place.end };
      this.#faults.addUnknown("text/ask", "call", { text, place }, [...callsByText.keys()]);
      return;
    }
    this.#places.add(`/calls/${this.#calls.length}`, head.place);
    this.#calls.push(call);
  }

  #place(one: Assignment): void {
    const { inputs, environment } = this.#reading;
    const name = one.name.text;
    if (environment.has(name) || inputs.some((input) => input.name === name)) {
      this.#faults.once(this.#at, name, one);
      return;
    }
    const known = [...inputs.map((input) => input.name), ...environment.keys()];
    this.#faults.addUnknown("text/name", "input or entry of Δ", one.name, known);
  }

  #expect(part: Word | undefined, { name, value }: Assignment): void {
    const key = part?.text;
    if (key !== "value" && key !== "tangent" && key !== "cotangent") {
      const word = part ?? { text: "", place: name.place };
      this.#faults.addUnknown("text/expect", "part of an answer", word, Object.keys(parts));
      return;
    }
    const list = this.#expected[parts[key]];
    const pointer = `/expected/${parts[key]}/${list.length}`;
    if (!this.#reading.expect(list, { name, value })) return;
    this.#places.add(pointer, name.place);
    const shape = this.#reading.shapes[list.at(-1)?.id ?? -1] ?? [];
    for (const [i, { place }] of leavesOf(value, shape, this.#faults)?.entries() ?? [])
      this.#places.add(`${pointer}/sets/${i}`, place);
  }

  /** The case as JSON; `undefined`, and faults, if the point lacks something. */
  caseJson(): CaseText | undefined {
    const { inputs, environment, shapes, graph } = this.#reading;
    // What lacks numbers may only be misspelt.
    this.#isClean = this.#faults.all.length === 0;
    const point = inputs.flatMap(({ name }, i) => this.#given(name, shapes[i], `/point/inputs/${i}`) ?? []);
    const entries = [...environment.values()].flatMap(({ name, shape }) => {
      const tensor = this.#given(name, shape, pointerTo("/point/environment", name));
      return tensor === undefined ? [] : [[name, tensor] as const];
    });
    const tangents = inputs.flatMap(({ shape }, i) => {
      const one = this.#tangents.get(i);
      if (one !== undefined) return this.#tensor(one, shapes[i], `/tangents/${i}`) ?? [];
      return this.#usual(shape, () => generic(shape, i + 1)) ?? [];
    });
    const given = [...this.#seeds].flatMap(([id, one], i) => {
      const cotangent = this.#tensor(one, shapes[id], `/seeds/${i}`);
      return cotangent === undefined ? [] : [{ id, cotangent }];
    });
    const last = shapes.length - 1;
    const whole = shapes[last] ?? [];
    const isUnseeded = last < 0 || this.#isUnseeded;
    const cotangent = isUnseeded ? undefined : this.#usual(whole, () => usualCotangent(whole));
    const usual = cotangent === undefined ? [] : [{ id: last, cotangent }];
    const seeds = this.#seeds.size === 0 ? usual : given;
    if (this.#faults.all.length > 0) return undefined;
    const { note } = this;
    return {
      ...{ format: "adjudge.case.v1", graph, tangents, seeds },
      point: { inputs: point, environment: Object.fromEntries(entries) },
      ...(this.#calls.length === 0 ? {} : { calls: this.#calls }),
      ...(note === undefined ? {} : { note }),
    };
  }

  /** Returns the numbers of a tensor that a text leaves out. */
  #usual(shape: Shape, numbers: () => readonly number[]): TensorJson | undefined {
    if (!this.#faults.mayFill(sizeOf(shape), this.#places.of(""))) return undefined;
    return { shape: [...shape], data: numbers().map((x) => (Number.isInteger(x) ? x : String(x))) };
  }

  /** Returns the tensor that the point gives something; `undefined`, and a fault, if it gives none. */
  #given(name: string, shape: Shape | undefined, pointer: string): TensorJson | undefined {
    const one = this.#at.get(name);
    if (one !== undefined) return this.#tensor(one, shape, pointer);
    if (this.#isClean) this.#faults.addMissing("the point gives", name, this.#places.of(""));
    return undefined;
  }

  #tensor({ value }: Assignment, shape: Shape | undefined, pointer: string): TensorJson | undefined {
    this.#places.add(pointer, value.place);
    const isShape = shape !== undefined && wellFormedShape(shape).ok;
    return isShape ? tensorOf(value, shape, this.#faults) : undefined;
  }

  /** The vector of a case as JSON, before its check. */
  vector(question: CaseData): TextDocument["json"] {
    const words = (head: string, pointer: string): readonly string[] =>
      this.#said.texts(head, pointer, this.#places);
    const precision = this.#said.first("precision");
    const dtype = dataTypes.find((known) => known === precision?.text);
    if (precision !== undefined && dtype === undefined)
      this.#faults.addUnknown("text/precision", "precision", precision, dataTypes);
    const [name, ...choices] = words("policy", "/policy");
    const vector = encodeVector({
      clause: words("clause", "/clause")[0] ?? USUAL_CLAUSE,
      defects: words("defects", "/defects"),
      links: words("links", "/links"),
      dtype: dtype ?? "float64",
      flags: [],
      ...(name === undefined ? {} : { policy: { name, choices } }),
      expected: this.#expected,
      case: { ...question, note: words("note", "/note")[0] ?? USUAL_NOTE },
    });
    const flags = words("flags", "/flags");
    return { ...vector, ...{ flags } };
  }
}
