import type { Shape } from "../shapes/index.ts";
import type { Faults } from "./fault.ts";
import { placeNamed } from "./program_calls.ts";
import type { ProgramText } from "./program_reader.ts";
import type { Clause } from "./question_reader.ts";
import type { Assignment, Place, Word } from "./tree.ts";

/** Something of a program that has a name and a shape. */
export interface Named {
  readonly name: string;
  readonly shape: Shape;
}

/** What the clauses say of one call. */
export class CallText {
  readonly place: Place;
  /** Tensors of parameters and locations, and of Δ, by name. */
  readonly inputs: Map<string, Assignment> = new Map();
  readonly environment: Map<string, Assignment> = new Map();
  readonly seeds: Map<number, Assignment> = new Map();
  readonly received: Map<string, Assignment[]> = new Map();
  /** What is expected of it, by the word behind `expect`. */
  readonly expected: { readonly [K in Part]: Map<number, Assignment> } = {
    ...{ result: new Map(), state: new Map(), cotangent: new Map(), retained: new Map() },
  };
  readonly sent: Assignment[] = [];
  drawn: Word | undefined;
  refused: Word | undefined;
  isExpected = false;

  constructor(place: Place) {
    this.place = place;
  }
}

/** The parts of what a call leaves that have one tensor for each of something. */
export type Part = "result" | "state" | "cotangent" | "retained";

/** Clauses that say something of the whole vector, once or in several lines. */
const sayings = ["note", "clause", "defects", "links", "faults", "refuse", "why"];

/** What the clauses of a program say, call by call. */
export class SessionClauses {
  readonly faults: Faults;
  readonly program: ProgramText;
  readonly calls: [CallText, ...CallText[]];
  readonly #said: Map<string, Word[]> = new Map();
  generator:
    | { readonly key: readonly [number, number]; readonly drawn: number; readonly place: Place }
    | undefined;
  /** It says where a call begins. */
  isPlaced = false;

  constructor(program: ProgramText, faults: Faults, place: Place) {
    this.program = program;
    this.faults = faults;
    this.calls = [new CallText(place)];
  }

  get parameters(): readonly Named[] {
    return this.program.procedures[0]?.parameters ?? [];
  }

  get results(): readonly Named[] {
    return this.program.procedures[0]?.results ?? [];
  }

  /** The parameters, then the persistent locations. */
  get inputs(): readonly Named[] {
    return [...this.parameters, ...this.program.state];
  }

  /** The call that is spoken of last. */
  get last(): CallText {
    return this.calls.at(-1) ?? this.calls[0];
  }

  read(clause: Clause): void {
    const { head, words, assignments, place, body } = clause;
    if (body.length > 0 && head.text !== "wrong") {
      const hint = "write what is indented to its left";
      this.faults.add("text/clause", place, "nothing stands below this line.", hint);
    }
    this.isPlaced ||= ["at", "seed", "receives", "generator", "again"].includes(head.text);
    switch (head.text) {
      case "at":
        for (const one of assignments) this.#at(one, words[0]?.text === "given");
        return;
      case "seed":
        for (const one of assignments)
          this.faults.once(this.last.seeds, placeNamed(one.name, this.results, "result", this), one);
        return;
      case "receives":
        for (const { text } of words) this.last.received.set(text, this.last.received.get(text) ?? []);
        for (const one of assignments) {
          const before = this.last.received.get(one.name.text) ?? [];
          this.last.received.set(one.name.text, [...before, one]);
        }
        return;
      case "generator":
        this.#generate(clause);
        return;
      case "again":
        this.calls.push(new CallText(place));
        return;
      case "expect":
        this.#expect(clause);
        return;
      // These stand for programs of their own, or a suite reads them.
      case "wrong":
      case "reported":
      case "finding":
        return;
      default:
        if (sayings.includes(head.text)) this.#said.set(head.text, [...this.wordsOf(head.text), ...words]);
        else
          this.faults.addUnknown("text/clause", "clause of a program", head, [
            ...["at", "seed", "receives", "generator", "again", "expect"],
            ...sayings,
          ]);
    }
  }

  /** The words behind all clauses with this head. */
  wordsOf(head: string): readonly Word[] {
    return this.#said.get(head) ?? [];
  }

  /** Parameters and locations come before Δ, unless `given` stands before the name. */
  #at(one: Assignment, isGiven: boolean): void {
    const name = one.name.text;
    const inputs = this.calls.length === 1 ? this.inputs : this.parameters;
    const environment = this.calls.length === 1 ? this.program.environment : [];
    const isInput = !isGiven && inputs.some((input) => input.name === name);
    if (isInput) this.faults.once(this.last.inputs, name, one);
    else if (environment.some((entry) => entry.name === name))
      this.faults.once(this.last.environment, name, one);
    else {
      const what = this.calls.length === 1 ? "parameter, location or entry of Δ" : "parameter";
      const known = [...inputs, ...environment].map((each) => each.name);
      this.faults.addUnknown("text/name", what, one.name, known);
    }
  }

  /** `generator key 0, 1 drawn 0`. */
  #generate({ words, head }: Clause): void {
    const [key, first, second, drawn, count] = words.map(({ text }) => text);
    const numbers = [first, second, count ?? "0"].map((text) =>
      /^[0-9]+$/.test(text ?? "") ? Number(text) : -1,
    );
    const [a = -1, b = -1, c = -1] = numbers;
    const hint = "write generator key 0, 1 drawn 0";
    if (key !== "key" || (drawn !== undefined && drawn !== "drawn") || Math.min(a, b, c) < 0)
      this.faults.add("text/generator", head.place, "this is no generator.", hint);
    this.generator = { key: [a, b], drawn: c, place: head.place };
  }

  #expect({ head, words, assignments }: Clause): void {
    const [part, word] = words;
    const call = this.last;
    call.isExpected = true;
    switch (part?.text) {
      case "result":
      case "cotangent":
      case "state":
      case "retained":
        for (const one of assignments)
          this.faults.once(call.expected[part.text], this.#placeOf(part.text, one.name), one);
        return;
      case "sent":
        call.sent.push(...assignments);
        return;
      case "drawn":
      case "refused":
        call[part.text] = word;
        if (word !== undefined) return;
        this.faults.add("text/expect", part.place, "the line ends too early.", `write expect ${part.text} …`);
        return;
      default:
        this.faults.addUnknown("text/expect", "part of what a call leaves", part ?? { ...head, text: "" }, [
          ...["result", "state", "sent", "drawn", "cotangent", "retained", "refused"],
        ]);
    }
  }

  #placeOf(part: Part, name: Word): number | undefined {
    if (part === "retained") {
      if (/^[0-9]+$/.test(name.text)) return Number(name.text);
      const hint = "the first is expect retained 0 = …";
      this.faults.add("text/expect", name.place, "retained values are counted from 0.", hint);
      return undefined;
    }
    const [all, what] = {
      result: [this.results, "result"] as const,
      state: [this.program.state, "location"] as const,
      cotangent: [this.inputs, "parameter or location"] as const,
    }[part];
    return placeNamed(name, all, what, this);
  }
}
