import {
  type CaseData,
  checkCase,
  checkGraph,
  checkVector,
  encodeCase,
  encodeVector,
} from "../documents/index.ts";
import { pointerTo, type Shape } from "../shapes/index.ts";
import {
  type CaseJson,
  type ComponentsAt,
  dataTypes,
  type Expected,
  type TensorJson,
} from "../wire/index.ts";
import { leavesOf, setsOf, tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { GraphReading, type GraphText } from "./graph_reader.ts";
import { Places } from "./places.ts";
import type { Assignment, LineOf, Place, Word } from "./tree.ts";
import { generic, oddPrimes, USUAL_CLAUSE } from "./usual.ts";

export type Clause = LineOf<"clause">;
export type Header = LineOf<"header">;

/** The clauses that a text may have once, by their first word; their words are kept. */
export type Sayings = ReadonlyMap<string, readonly Word[]>;

/** A document that a text denotes; its JSON was checked. */
export interface TextDocument {
  /** The name behind its first word, if it has one. */
  readonly name?: string;
  readonly json: { readonly format: string };
  /** The clauses are beside the document: `flags`, `choice`, and whatever a suite needs. */
  readonly clauses: readonly Clause[];
  readonly graph?: GraphReading;
  /** Tells where parts of the document are written. */
  readonly places?: Places;
}

/** A case as JSON, before the check of its graph. */
interface CaseText extends Omit<CaseJson, "graph"> {
  readonly graph: GraphText;
}

const parts = { value: "values", tangent: "tangents", cotangent: "cotangents" } as const;

/**
 * Reads a graph with its clauses: a graph document, a case if it has a point, a vector if something is expected.
 * Tangents and cotangents that are not given are numbers that differ from each other and from 1, so that every
 * mistake shows: ±(k + i + ½) for element i of input k, counted from 1; odd primes at the last id.
 */
export function readQuestion(
  header: Header,
  clauses: readonly Clause[],
  faults: Faults,
): TextDocument | undefined {
  const places = new Places(header.place);
  const reading = new GraphReading(faults);
  reading.declare(header.inputs, header.given);
  for (const line of header.body) {
    if (line.kind === "let") reading.read(line);
    else
      faults.add("text/statement", line.place, "a graph has values alone.", "make it a program, or a clause");
  }
  const named = header.name === undefined ? {} : { name: header.name.text };
  const rest = { ...named, clauses, graph: reading, places };
  const question = new Question(reading, faults);
  for (const clause of clauses) question.read(clause);
  // Mistakes in nodes do not hide those in numbers.
  const json = question.isAsked ? question.caseJson(places) : undefined;
  if (faults.all.length > 0) return undefined;
  if (json === undefined) {
    places.addGraph("", reading);
    const checked = checkGraph(reading.graph);
    if (checked.ok) return { ...rest, json: checked.value };
    for (const issue of checked.error) faults.addIssue(issue, places.of(issue.pointer));
    return undefined;
  }
  const checked = checkCase(json);
  if (!checked.ok) {
    places.addGraph("/graph", reading);
    for (const issue of checked.error) faults.addIssue(issue, places.of(issue.pointer));
    return undefined;
  }
  if (!question.isVector) return { ...rest, json: encodeCase(checked.value) };
  const vector = question.vector(checked.value, places);
  const whole = checkVector(vector);
  if (whole.ok) return { ...rest, json: vector };
  for (const issue of whole.error) faults.addIssue(issue, places.of(issue.pointer));
  return undefined;
}

/** It gathers what the clauses say about a graph. */
class Question {
  readonly #reading: GraphReading;
  readonly #faults: Faults;
  readonly #said: Map<string, readonly Word[]> = new Map();
  readonly #at: Map<string, Assignment> = new Map();
  readonly #tangents: Map<number, Assignment> = new Map();
  readonly #seeds: Map<number, Assignment> = new Map();
  #isPlaced = false;
  /** It says `seed none`: every id starts at zero. */
  #isUnseeded = false;
  readonly #expectedAt: Map<string, Place> = new Map();
  readonly #expected: Record<keyof Expected, ComponentsAt[]> = { values: [], tangents: [], cotangents: [] };

  constructor(reading: GraphReading, faults: Faults) {
    this.#reading = reading;
    this.#faults = faults;
  }

  get isAsked(): boolean {
    return this.#isPlaced || this.#tangents.size + this.#seeds.size > 0 || this.#isUnseeded || this.isVector;
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
        for (const one of assignments) this.#once(this.#tangents, this.#reading.idOf(one.name), one);
        break;
      case "seed":
        this.#isUnseeded ||= words[0]?.text === "none";
        for (const one of assignments) this.#once(this.#seeds, this.#reading.idOf(one.name), one);
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
        this.#say(head, words);
        break;
      // A suite reads these.
      case "choice":
      case "finding":
        break;
      default:
        this.#faults.addUnknown("text/clause", "clause of a graph", head, [
          ...["at", "seed", "tangent", "expect", "note", "clause", "defects", "links", "flags"],
          ...["precision", "policy", "choice"],
        ]);
    }
  }

  #say(head: Word, words: readonly Word[]): void {
    if (words.length === 0)
      this.#faults.add("text/clause", head.place, `${head.text} says nothing.`, "add what it is");
    const before = this.#said.get(head.text);
    const isList = head.text === "defects" || head.text === "links" || head.text === "flags";
    if (before !== undefined && !isList)
      this.#faults.add("text/twice", head.place, `${head.text} was said already.`, "say it once");
    this.#said.set(head.text, [...(before ?? []), ...words]);
  }

  #once<K>(all: Map<K, Assignment>, key: K | undefined, one: Assignment): void {
    if (key === undefined) return;
    if (all.has(key))
      this.#faults.add("text/twice", one.name.place, "this has numbers already.", "give them once");
    all.set(key, one);
  }

  #place(one: Assignment): void {
    const { inputs, environment } = this.#reading;
    const name = one.name.text;
    if (environment.has(name) || inputs.some((input) => input.name === name)) {
      this.#once(this.#at, name, one);
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
    const id = this.#reading.idOf(name);
    const shape = id === undefined ? undefined : this.#reading.shapes[id];
    if (id === undefined || shape === undefined) return;
    const sets = setsOf(value, shape, this.#faults);
    const list = this.#expected[parts[key]];
    if (list.some((at) => at.id === id))
      this.#faults.add("text/twice", name.place, "this is expected already.", "say it once");
    if (sets === undefined) return;
    const pointer = `/expected/${parts[key]}/${list.length}`;
    list.push({ id, sets });
    this.#expectedAt.set(pointer, name.place);
    for (const [i, { place }] of leavesOf(value, shape, this.#faults)?.entries() ?? [])
      this.#expectedAt.set(`${pointer}/sets/${i}`, place);
  }

  /** The case as JSON; `undefined`, and faults, if the point lacks something. */
  caseJson(places: Places): CaseText | undefined {
    const { inputs, environment, shapes } = this.#reading;
    const point = inputs.map(({ name, shape }, i) =>
      this.#tensor(this.#at.get(name), shape, `/point/inputs/${i}`, places, name),
    );
    const entries = [...environment.values()].map(
      ({ name, shape }) =>
        [
          name,
          this.#tensor(this.#at.get(name), shape, pointerTo("/point/environment", name), places, name),
        ] as const,
    );
    const tangents = inputs.map(({ name, shape }, i) => {
      const given = this.#tangents.get(i);
      return given === undefined
        ? usualTensor(shape, generic(shape, i + 1))
        : this.#tensor(given, shape, `/tangents/${i}`, places, name);
    });
    const seeds = [...this.#seeds].map(([id, one], i) => {
      const cotangent = this.#tensor(one, shapes[id] ?? [], `/seeds/${i}`, places, one.name.text);
      return { id, cotangent };
    });
    if (this.#faults.all.length > 0) return undefined;
    const last = shapes.length - 1;
    const note = this.#said.get("note")?.[0]?.text;
    const isUnseeded = last < 0 || this.#isUnseeded;
    const usual = isUnseeded
      ? []
      : [{ id: last, cotangent: usualTensor(shapes[last] ?? [], oddPrimes(shapes[last] ?? [])) }];
    return {
      format: "adjudge.case.v1",
      graph: this.#reading.graph,
      point: {
        inputs: point.filter((tensor) => tensor !== undefined),
        environment: Object.fromEntries(
          entries.flatMap(([name, tensor]) => (tensor === undefined ? [] : [[name, tensor]])),
        ),
      },
      tangents: tangents.filter((tensor) => tensor !== undefined),
      seeds:
        this.#seeds.size === 0
          ? usual
          : seeds.flatMap(({ id, cotangent }) => (cotangent === undefined ? [] : [{ id, cotangent }])),
      ...(note === undefined ? {} : { note }),
    };
  }

  #tensor(
    one: Assignment | undefined,
    shape: Shape,
    pointer: string,
    places: Places,
    name: string,
  ): TensorJson | undefined {
    if (one === undefined) {
      const hint = `write it behind at: at ${name} = …`;
      this.#faults.add("text/point", places.of(""), `the point gives no numbers for ${name}.`, hint);
      return undefined;
    }
    places.add(pointer, one.value.place);
    return tensorOf(one.value, shape, this.#faults);
  }

  /** The vector of a case as JSON, before its check. */
  vector(question: CaseData, places: Places): TextDocument["json"] {
    const words = (head: string, pointer: string): readonly string[] =>
      (this.#said.get(head) ?? []).map(({ text, place }, i) => {
        places.add(pointer, place);
        places.add(pointerTo(pointer, i), place);
        return text;
      });
    for (const [pointer, place] of this.#expectedAt) places.add(pointer, place);
    const [precision] = this.#said.get("precision") ?? [];
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
      case: { ...question, note: words("note", "/note")[0] ?? "as expected" },
    });
    const flags = words("flags", "/flags");
    return { ...vector, ...{ flags } };
  }
}

/** A tensor of numbers that a text leaves out. */
function usualTensor(shape: Shape, numbers: readonly number[]): TensorJson {
  return { shape: [...shape], data: numbers.map((x) => (Number.isInteger(x) ? x : String(x))) };
}
