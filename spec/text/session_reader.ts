import { checkProgram, checkProgramCase, checkProgramVector } from "../documents/index.ts";
import { type Issue, pointerTo, type Result, type Shape } from "../shapes/index.ts";
import type { TensorJson } from "../wire/index.ts";
import { shapeOf, tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { Places } from "./places.ts";
import { placeNamed } from "./program_calls.ts";
import { ProgramReading, type ProgramText } from "./program_reader.ts";
import type { Clause, Header, TextDocument } from "./question_reader.ts";
import type { Assignment, Place, Word } from "./tree.ts";
import { USUAL_PROGRAM_CLAUSE } from "./usual.ts";

/** Something of a program that has a name and a shape. */
interface Named {
  readonly name: string;
  readonly shape: Shape;
}

/** Something of which a tensor is expected, whose shape is known or that of its lists. */
type Wanted = Pick<Named, "name"> & Partial<Named>;

/** What the clauses say of one call. */
interface CallText {
  readonly place: Place;
  /** Tensors of parameters and locations, and of Δ, by name. */
  readonly inputs: Map<string, Assignment>;
  readonly environment: Map<string, Assignment>;
  readonly seeds: Map<number, Assignment>;
  readonly received: Map<string, Assignment[]>;
  /** What is expected of it, by the word behind `expect`. */
  readonly expected: { readonly [K in Part]: Map<number, Assignment> };
  readonly sent: Assignment[];
  drawn: Word | undefined;
  refused: Word | undefined;
  isExpected: boolean;
}

/** The parts of what a call leaves that have one tensor for each of something. */
type Part = "result" | "state" | "cotangent" | "retained";

/** Clauses that say something of the whole vector, once or in several lines. */
const sayings = ["note", "clause", "defects", "links", "faults", "refuse", "why"];

/** Reads a program with its clauses: a program, a case if it says where a call begins, a vector if it expects. */
export function readProgram(
  header: Header,
  clauses: readonly Clause[],
  faults: Faults,
): TextDocument | undefined {
  const places = new Places(header.place);
  const reading = new ProgramReading(header, faults, places);
  const session = new Session(reading.program, places, faults, header.place);
  for (const clause of clauses) session.read(clause);
  const { end } = (clauses.at(-1) ?? header.body.at(-1) ?? header).place;
  const place = { start: header.place.start, end };
  const rest = { ...(header.name === undefined ? {} : { name: header.name.text }), clauses, place };
  if (faults.all.length > 0) return undefined;
  const json = session.json(header.name);
  if (faults.all.length > 0) return undefined;
  const checked = checkedAs(json);
  if (checked.ok) return { ...rest, json };
  for (const issue of checked.error) faults.addIssue(issue, places.of(pointerIn(json.format, issue.pointer)));
  return undefined;
}

function checkedAs(json: TextDocument["json"]): Result<unknown, Issue[]> {
  if (json.format === "adjudge.program.v1") return checkProgram(json);
  return json.format === "adjudge.program-case.v1" ? checkProgramCase(json) : checkProgramVector(json);
}

/** A pointer as if the program stood in a case, and the case in nothing. */
function pointerIn(format: string, pointer: string): string {
  return format === "adjudge.program.v1" ? `/program${pointer}` : pointer.replace(/^\/case(?=\/|$)/, "");
}

/** What the clauses say about a program. */
class Session {
  readonly #program: ProgramText;
  readonly #places: Places;
  readonly #faults: Faults;
  readonly #parameters: readonly Named[];
  readonly #results: readonly Named[];
  readonly #said: Map<string, Word[]> = new Map();
  readonly #calls: [CallText, ...CallText[]];
  #generator: { readonly key: readonly [number, number]; readonly drawn: number } | undefined;
  #isPlaced = false;

  constructor(program: ProgramText, places: Places, faults: Faults, place: Place) {
    this.#program = program;
    this.#places = places;
    this.#faults = faults;
    const [entry] = program.procedures;
    this.#parameters = entry?.parameters ?? [];
    this.#results = entry?.results ?? [];
    this.#calls = [newCall(place)];
  }

  get #inputs(): readonly Named[] {
    return [...this.#parameters, ...this.#program.state];
  }

  get #call(): CallText {
    return this.#calls.at(-1) ?? this.#calls[0];
  }

  read(clause: Clause): void {
    const { head, words, assignments, place } = clause;
    switch (head.text) {
      case "at":
        this.#isPlaced = true;
        for (const one of assignments) this.#at(one, words[0]?.text === "given");
        return;
      case "seed":
        this.#isPlaced = true;
        for (const one of assignments)
          this.#once(this.#call.seeds, placeNamed(one.name, this.#results, "result", this), one);
        return;
      case "receives":
        this.#isPlaced = true;
        for (const { text } of words) this.#call.received.set(text, this.#call.received.get(text) ?? []);
        for (const one of assignments) {
          const before = this.#call.received.get(one.name.text) ?? [];
          this.#call.received.set(one.name.text, [...before, one]);
        }
        return;
      case "generator":
        this.#isPlaced = true;
        this.#generate(clause);
        return;
      case "again":
        this.#isPlaced = true;
        this.#calls.push(newCall(place));
        return;
      case "expect":
        this.#expect(clause);
        return;
      case "choice":
      case "finding":
        return;
      default:
        if (sayings.includes(head.text)) this.#said.set(head.text, [...this.#wordsOf(head.text), ...words]);
        else
          this.#faults.addUnknown("text/clause", "clause of a program", head, [
            ...["at", "seed", "receives", "generator", "again", "expect"],
            ...sayings,
          ]);
    }
  }

  get faults(): Faults {
    return this.#faults;
  }

  #wordsOf(head: string): readonly Word[] {
    return this.#said.get(head) ?? [];
  }

  #once<K>(all: Map<K, Assignment>, key: K | undefined, one: Assignment): void {
    if (key === undefined) return;
    if (all.has(key))
      this.#faults.add("text/twice", one.name.place, "this has numbers already.", "give them once");
    all.set(key, one);
  }

  /** Parameters and locations come before Δ, unless `given` stands before the name. */
  #at(one: Assignment, isGiven: boolean): void {
    const name = one.name.text;
    const inputs = this.#calls.length === 1 ? this.#inputs : this.#parameters;
    const environment = this.#calls.length === 1 ? this.#program.environment : [];
    const isInput = !isGiven && inputs.some((input) => input.name === name);
    if (isInput) this.#once(this.#call.inputs, name, one);
    else if (environment.some((entry) => entry.name === name)) this.#once(this.#call.environment, name, one);
    else {
      const what = this.#calls.length === 1 ? "parameter, location or entry of Δ" : "parameter";
      const known = [...inputs, ...environment].map((each) => each.name);
      this.#faults.addUnknown("text/name", what, one.name, known);
    }
  }

  /** `generator key 0, 1 drawn 0`. */
  #generate({ words, head }: Clause): void {
    const [key, first, second, drawn, count] = words.map(({ text }) => text);
    const numbers = [first, second, count ?? "0"].map((text) =>
      /^[0-9]+$/.test(text ?? "") ? Number(text) : -1,
    );
    const [a = -1, b = -1, c = -1] = numbers;
    if (key !== "key" || (drawn !== undefined && drawn !== "drawn") || Math.min(a, b, c) < 0)
      this.#faults.add(
        "text/generator",
        head.place,
        "this is no generator.",
        "write generator key 0, 1 drawn 0",
      );
    this.#generator = { key: [a, b], drawn: c };
    this.#places.add("/generator", head.place);
  }

  #expect({ head, words, assignments }: Clause): void {
    const [part, word] = words;
    const call = this.#call;
    call.isExpected = true;
    switch (part?.text) {
      case "result":
      case "cotangent":
      case "state":
      case "retained":
        for (const one of assignments)
          this.#once(call.expected[part.text], this.#placeOf(part.text, one.name), one);
        return;
      case "sent":
        call.sent.push(...assignments);
        return;
      case "drawn":
      case "refused":
        if (word === undefined)
          this.#faults.add(
            "text/expect",
            part.place,
            "the line ends too early.",
            `write expect ${part.text} …`,
          );
        call[part.text] = word;
        return;
      default:
        this.#faults.addUnknown("text/expect", "part of what a call leaves", part ?? { ...head, text: "" }, [
          ...["result", "state", "sent", "drawn", "cotangent", "retained", "refused"],
        ]);
    }
  }

  #placeOf(part: Part, name: Word): number | undefined {
    if (part === "retained") {
      if (/^[0-9]+$/.test(name.text)) return Number(name.text);
      const hint = "the first is expect retained 0 = …";
      this.#faults.add("text/expect", name.place, "retained values are counted from 0.", hint);
      return undefined;
    }
    const [all, what] = {
      result: [this.#results, "result"] as const,
      state: [this.#program.state, "location"] as const,
      cotangent: [this.#inputs, "parameter or location"] as const,
    }[part];
    return placeNamed(name, all, what, this);
  }

  /** The document that is meant, before its check. */
  json(name: Word | undefined): TextDocument["json"] {
    const isVector = this.#calls.some(({ isExpected }) => isExpected);
    const [note, second] = this.#wordsOf("note");
    if (!isVector) {
      const again = this.#calls[1];
      if (again !== undefined)
        this.#faults.add(
          "text/again",
          again.place,
          "nothing is expected of these calls.",
          "say expect … of each",
        );
      return this.#isPlaced ? this.#case(note) : this.#program;
    }
    const calls = this.#calls.slice(1).map((call, i) => this.#callJson(call, `/calls/${i}`));
    const expected = this.#calls.map((call, i) => this.#left(call, `/expected/${i}`));
    return {
      format: "adjudge.program-vector.v1",
      ...this.#head(name),
      ...{
        case: this.#case(second),
        ...(calls.length === 0 ? {} : { calls }),
        expected,
      },
    };
  }

  /** What a vector says of itself. */
  #head(name: Word | undefined): object {
    const list = (head: string): readonly string[] =>
      this.#wordsOf(head).map(({ text, place }, i) => {
        this.#places.add(`/${head}`, place);
        this.#places.add(`/${head}/${i}`, place);
        return text;
      });
    if (name !== undefined) this.#places.add("/name", name.place);
    const isRefused = this.#call.refused !== undefined;
    const [why] = list("why");
    return {
      name: name?.text ?? "f",
      clause: list("clause")[0] ?? USUAL_PROGRAM_CLAUSE,
      note: list("note")[0] ?? "as expected",
      defects: list("defects"),
      links: list("links"),
      faults: list("faults"),
      refuse: list("refuse")[0] ?? (isRefused ? "must" : "may"),
      ...(why === undefined ? {} : { why }),
    };
  }

  #case(note: Word | undefined): TextDocument["json"] {
    const [first] = this.#calls;
    const { parameters, received, seeds } = this.#callJson(first, "");
    const environment = this.#program.environment.map(
      (entry) =>
        [
          entry.name,
          this.#given(first.environment, entry, pointerTo("/environment", entry.name), first),
        ] as const,
    );
    const parts = {
      parameters,
      state: this.#program.state.map((location, i) =>
        this.#given(first.inputs, location, `/state/${i}`, first),
      ),
      environment: Object.fromEntries(environment),
      generator: this.#generator ?? { key: [0, 1], drawn: 0 },
      ...{ received, seeds, ...(note === undefined ? {} : { note: note.text }) },
    };
    return { format: "adjudge.program-case.v1", ...{ program: this.#program, ...parts } };
  }

  #callJson(
    call: CallText,
    pointer: string,
  ): { readonly [K in "parameters" | "received" | "seeds"]: unknown } {
    const seeds = [...call.seeds].map(([id, one], i) => {
      this.#places.add(`${pointer}/seeds/${i}`, one.name.place);
      const cotangent = this.#tensor(one, this.#results[id]?.shape, `${pointer}/seeds/${i}/cotangent`);
      return { id, cotangent };
    });
    const received = [...call.received].map(([channel, all]) => {
      const place = pointerTo(`${pointer}/received`, channel);
      return [channel, all.map((one, i) => this.#tensor(one, undefined, `${place}/${i}`))] as const;
    });
    return {
      parameters: this.#parameters.map((parameter, i) =>
        this.#given(call.inputs, parameter, `${pointer}/parameters/${i}`, call),
      ),
      received: Object.fromEntries(received),
      seeds,
    };
  }

  /** The tensor that `at` gives something; a fault if it gives none. */
  #given(
    all: ReadonlyMap<string, Assignment>,
    { name, shape }: Named,
    pointer: string,
    { place }: CallText,
  ): TensorJson | undefined {
    const one = all.get(name);
    if (one !== undefined) return this.#tensor(one, shape, pointer);
    const hint = `write it behind at: at ${name} = …`;
    this.#faults.add("text/point", place, `the call is given no numbers for ${name}.`, hint);
    return undefined;
  }

  #tensor({ value, shape }: Assignment, due: Shape | undefined, pointer: string): TensorJson | undefined {
    this.#places.add(pointer, value.place);
    return tensorOf(value, shape ?? due ?? shapeOf(value), this.#faults);
  }

  #left(call: CallText, pointer: string): object {
    this.#places.add(pointer, call.place);
    if (call.refused !== undefined) {
      this.#places.add(`${pointer}/code`, call.refused.place);
      return { kind: "refused", code: call.refused.text };
    }
    const list = (
      part: Part,
      property: string,
      wanted: readonly Wanted[],
    ): readonly (TensorJson | undefined)[] =>
      wanted.map(({ name, shape }, i) => {
        const one = call.expected[part].get(i);
        if (one !== undefined) return this.#tensor(one, shape, `${pointer}/${property}/${i}`);
        const hint = `write expect ${part} ${name} = …`;
        this.#faults.add("text/expect", call.place, `nothing is expected of the ${part} ${name}.`, hint);
        return undefined;
      });
    // Places that are left out are faults of their own; those beyond any reason are not counted up to.
    const { retained } = call.expected;
    const kept = Array.from({ length: retained.size }, (_, i) => ({ name: `${i}` }));
    return {
      kind: "left",
      results: list("result", "results", this.#results),
      state: list("state", "state", this.#program.state),
      sent: call.sent.map((one, i) => ({
        channel: one.name.text,
        value: this.#tensor(one, undefined, `${pointer}/sent/${i}`),
      })),
      drawn: call.drawn === undefined ? this.#drawnBefore(call) : Number(call.drawn.text),
      cotangents: list("cotangent", "cotangents", call.seeds.size === 0 ? [] : this.#inputs),
      retained: list("retained", "retained", kept),
    };
  }

  #drawnBefore(call: CallText): number {
    const before = this.#calls
      .slice(0, this.#calls.indexOf(call))
      .findLast(({ drawn }) => drawn !== undefined);
    return before?.drawn === undefined ? (this.#generator?.drawn ?? 0) : Number(before.drawn.text);
  }
}

function newCall(place: Place): CallText {
  return {
    place,
    inputs: new Map(),
    environment: new Map(),
    seeds: new Map(),
    received: new Map(),
    expected: { result: new Map(), state: new Map(), cotangent: new Map(), retained: new Map() },
    sent: [],
    drawn: undefined,
    refused: undefined,
    isExpected: false,
  };
}
