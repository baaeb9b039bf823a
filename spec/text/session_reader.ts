import {
  type CallJson,
  checkProgram,
  checkProgramCase,
  checkProgramVector,
  decodeCall,
  type EntryCall,
} from "../documents/index.ts";
import type { Program } from "../programs/index.ts";
import {
  checkAll,
  fail,
  type Issue,
  issuesWithin,
  ok,
  pointerTo,
  type Result,
  type Shape,
} from "../shapes/index.ts";
import type { TensorJson } from "../wire/index.ts";
import { tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { Places } from "./places.ts";
import { ProgramReading } from "./program_reader.ts";
import {
  type Chapter,
  type Clause,
  type Header,
  type TextDocument,
  type WrongProgram,
  wholePlace,
} from "./question_reader.ts";
import { type CallText, type Named, type Part, SessionClauses } from "./session_clauses.ts";
import type { Assignment, Place, Word } from "./tree.ts";
import { USUAL_NOTE, USUAL_PROGRAM_CLAUSE } from "./usual.ts";

/** Something of which a tensor is expected, whose shape is known or that of its lists. */
type Wanted = Pick<Named, "name"> & Partial<Named>;

/**
 * Reads a program with its clauses: a program, a case if it says where a call begins, a vector if it expects.
 */
export function readProgram(chapter: Chapter, faults: Faults): TextDocument | undefined {
  const { header, clauses } = chapter;
  const places = new Places(header.place);
  const reading = new ProgramReading(header, faults, places);
  const said = new SessionClauses(reading.program, faults, header.place);
  for (const clause of clauses) said.read(clause);
  const session = new Session(said, places);
  const wrong = new Map(clauses.flatMap((clause) => wrongIn(clause, header, faults)));
  if (faults.all.length > 0) return undefined;
  const json = session.json(header.name);
  if (faults.all.length > 0) return undefined;
  const checked = checkedAs(json);
  const calls = checked.ok ? session.further(checked.value) : ok([]);
  for (const issue of [checked, calls].flatMap((part) => (part.ok ? [] : part.error)))
    addIssue(issue, places.of(pointerIn(json.format, issue.pointer)), faults);
  if (!checked.ok || !calls.ok) return undefined;
  return {
    ...{ name: header.name?.text, clauses, place: wholePlace(chapter), json },
    places,
    calls: calls.value.length === 0 ? undefined : calls.value,
    wrong: wrong.size === 0 ? undefined : wrong,
  };
}

/** Reads `wrong name` or `wrong name sweep`: below it stands another program for the same calls. */
function wrongIn(clause: Clause, header: Header, faults: Faults): readonly [string, WrongProgram][] {
  const { head, words, body, place } = clause;
  if (head.text !== "wrong") return [];
  const [name, part] = words;
  if (name === undefined || (part !== undefined && part.text !== "sweep")) {
    const hint = "write wrong name, or wrong name sweep where values are right";
    faults.add("text/wrong", part?.place ?? place, "this says no fault.", hint);
    return [];
  }
  const places = new Places(place);
  const reading = new ProgramReading(headerOf(header, body), faults, places);
  const checked = faults.all.length === 0 ? checkProgram(reading.program) : fail([]);
  if (checked.ok)
    return [[name.text, { part: part === undefined ? "all" : "sweep", program: checked.value }]];
  for (const issue of checked.error) addIssue(issue, places.of(`/program${issue.pointer}`), faults);
  return [];
}

/** Adds what a check says, with a hint in signs where documents have words. */
function addIssue(issue: Issue, place: Place, faults: Faults): void {
  const hint = issue.code === "program/name-twice" ? "write := to change what it stands for" : issue.hint;
  faults.addIssue({ ...issue, hint }, place);
}

/** The header of another program, with the parameters, the locations and Δ of this one. */
function headerOf(header: Header, body: Header["body"]): Header {
  const isProcedure = (line: Header["body"][number]): line is Header =>
    line.kind === "header" && line.head.text === "procedure";
  const hasState = body.some(({ kind }) => kind === "state");
  const state = hasState ? [] : header.body.filter(({ kind }) => kind === "state");
  const isLong = body.some(isProcedure) && body.every((line) => isProcedure(line) || line.kind === "state");
  const [first] = header.inputs.length > 0 ? [header] : header.body.filter(isProcedure);
  return { ...header, inputs: isLong ? [] : (first?.inputs ?? []), body: [...state, ...body] };
}

/** Checks a document. Returns the program of a case alone, whose further calls are not in it. */
function checkedAs(json: TextDocument["json"]): Result<Program | undefined, Issue[]> {
  if (json.format === "adjudge.program-case.v1") {
    const checked = checkProgramCase(json);
    return checked.ok ? ok(checked.value.program) : checked;
  }
  const checked = json.format === "adjudge.program.v1" ? checkProgram(json) : checkProgramVector(json);
  return checked.ok ? ok(undefined) : checked;
}

/** A pointer as if the program stood in a case, and the case in nothing. */
function pointerIn(format: string, pointer: string): string {
  return format === "adjudge.program.v1" ? `/program${pointer}` : pointer.replace(/^\/case(?=\/|$)/, "");
}

/** Writes the document that a program and its clauses mean. */
class Session {
  readonly #clauses: SessionClauses;
  readonly #faults: Faults;
  readonly #places: Places;
  /** The calls behind that of a case. */
  #further: readonly CallJson[] = [];

  constructor(clauses: SessionClauses, places: Places) {
    this.#clauses = clauses;
    this.#faults = clauses.faults;
    this.#places = places;
  }

  /** The document that is meant, before its check. */
  json(name: Word | undefined): TextDocument["json"] {
    const isVector = this.#clauses.calls.some(({ isExpected }) => isExpected);
    const [note, second] = this.#clauses.wordsOf("note");
    const calls = this.#clauses.calls.slice(1).map((call, i) => this.#callJson(call, `/calls/${i}`));
    this.#further = isVector ? [] : calls;
    if (!isVector) return this.#clauses.isPlaced ? this.#case(note) : this.#clauses.program;
    const expected = this.#clauses.calls.map((call, i) => this.#left(call, `/expected/${i}`));
    return {
      format: "adjudge.program-vector.v1",
      ...this.#head(name),
      ...{ case: this.#case(second), ...(calls.length === 0 ? {} : { calls }), expected },
    };
  }

  /** The calls behind that of a case, once there is one. */
  further(program: Program | undefined): Result<readonly EntryCall[], Issue[]> {
    if (program === undefined) return ok([]);
    return checkAll(this.#further, (call, i) => {
      const decoded = decodeCall(program, call);
      return decoded.ok ? decoded : fail(issuesWithin(`/calls/${i}`, decoded.error));
    });
  }

  /** What a vector says of itself. */
  #head(name: Word | undefined): object {
    const list = (head: string): readonly string[] =>
      this.#clauses.wordsOf(head).map(({ text, place }, i) => {
        this.#places.add(`/${head}`, place);
        this.#places.add(`/${head}/${i}`, place);
        return text;
      });
    if (name !== undefined) this.#places.add("/name", name.place);
    const isRefused = this.#clauses.last.refused !== undefined;
    const [why] = list("why");
    return {
      name: name?.text ?? "f",
      clause: list("clause")[0] ?? USUAL_PROGRAM_CLAUSE,
      note: list("note")[0] ?? USUAL_NOTE,
      defects: list("defects"),
      links: list("links"),
      faults: list("faults"),
      refuse: list("refuse")[0] ?? (isRefused ? "must" : "may"),
      ...(why === undefined ? {} : { why }),
    };
  }

  #case(note: Word | undefined): TextDocument["json"] {
    const [first] = this.#clauses.calls;
    const { parameters, received, seeds } = this.#callJson(first, "");
    const { program } = this.#clauses;
    const environment = program.environment.map((entry) => {
      const pointer = pointerTo("/environment", entry.name);
      return [entry.name, this.#given(first.environment, entry, pointer, first)] as const;
    });
    const { key, drawn, place } = this.#clauses.generator ?? { key: [0, 1], drawn: 0, place: first.place };
    this.#places.add("/generator", place);
    const parts = {
      parameters,
      state: program.state.map((location, i) => this.#given(first.inputs, location, `/state/${i}`, first)),
      environment: Object.fromEntries(environment),
      generator: { key, drawn },
      ...{ received, seeds, ...(note === undefined ? {} : { note: note.text }) },
    };
    return { format: "adjudge.program-case.v1", ...{ program, ...parts } };
  }

  #callJson(call: CallText, pointer: string): CallJson {
    const seeds = [...call.seeds].flatMap(([id, one], i) => {
      this.#places.add(`${pointer}/seeds/${i}`, one.name.place);
      const due = this.#clauses.results[id]?.shape;
      const cotangent = this.#tensor(one, due, `${pointer}/seeds/${i}/cotangent`);
      return cotangent === undefined ? [] : [{ id, cotangent }];
    });
    const received = [...call.received].map(([channel, all]) => {
      const place = pointerTo(`${pointer}/received`, channel);
      return [channel, all.flatMap((one, i) => this.#tensor(one, undefined, `${place}/${i}`) ?? [])] as const;
    });
    const parameters = this.#clauses.parameters.flatMap(
      (parameter, i) => this.#given(call.inputs, parameter, `${pointer}/parameters/${i}`, call) ?? [],
    );
    return { parameters, received: Object.fromEntries(received), seeds };
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
    this.#faults.addMissing("the call is given", name, place);
    return undefined;
  }

  #tensor(
    { name, value, shape }: Assignment,
    due: Shape | undefined,
    pointer: string,
  ): TensorJson | undefined {
    this.#places.add(pointer, value.place);
    const own = shape ?? due;
    const isShape = own === undefined || this.#faults.acceptsShape(own, name.place);
    return isShape ? tensorOf(value, own, this.#faults) : undefined;
  }

  #left(call: CallText, pointer: string): object {
    this.#places.add(pointer, call.place);
    if (call.refused !== undefined) {
      this.#places.add(`${pointer}/code`, call.refused.place);
      return { kind: "refused", code: call.refused.text };
    }
    const list = (part: Part, property: string, wanted: readonly Wanted[]): readonly unknown[] =>
      wanted.map(({ name, shape }, i) => {
        const one = call.expected[part].get(i);
        if (one !== undefined) return this.#tensor(one, shape, `${pointer}/${property}/${i}`);
        const hint = `write expect ${part} ${name} = …`;
        const message = `nothing is expected of the ${part} ${name}.`;
        this.#faults.add("text/expect", call.place, message, hint);
        return undefined;
      });
    // Places that are left out are faults of their own; those beyond any reason are not counted up to.
    const { retained } = call.expected;
    const kept = Array.from({ length: retained.size }, (_, i) => ({ name: `${i}` }));
    return {
      kind: "left",
      results: list("result", "results", this.#clauses.results),
      state: list("state", "state", this.#clauses.program.state),
      sent: call.sent.map((one, i) => ({
        channel: one.name.text,
        value: this.#tensor(one, undefined, `${pointer}/sent/${i}`),
      })),
      drawn: call.drawn === undefined ? this.#drawnBefore(call) : Number(call.drawn.text),
      cotangents: list("cotangent", "cotangents", call.seeds.size === 0 ? [] : this.#clauses.inputs),
      retained: list("retained", "retained", kept),
    };
  }

  #drawnBefore(call: CallText): number {
    const before = this.#clauses.calls
      .slice(0, this.#clauses.calls.indexOf(call))
      .findLast(({ drawn }) => drawn !== undefined);
    return before?.drawn === undefined ? (this.#clauses.generator?.drawn ?? 0) : Number(before.drawn.text);
  }
}
