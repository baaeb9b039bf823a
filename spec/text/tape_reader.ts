import { checkTapeCase, checkTapeVector } from "../documents/index.ts";
import { type Issue, pointerTo, type Result, type Shape, sizeOf } from "../shapes/index.ts";
import type { TapeStepJson } from "../tapes/index.ts";
import type { ComponentsAt, PointJson, SeedJson, TensorJson } from "../wire/index.ts";
import { setsOf, tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { type GraphReading, numbered, refuseMeasures } from "./graph_reader.ts";
import { Places } from "./places.ts";
import { type Clause, type Header, readGraph, type TextDocument, wholePlace } from "./question_reader.ts";
import { Sayings } from "./sayings.ts";
import type { Assignment, Line, Word } from "./tree.ts";
import { USUAL_TAPE_CLAUSE } from "./usual.ts";

/** Words that stand between the parts of a step, unless they are in quotes. */
export const stepWords: readonly string[] = [
  "once",
  "until",
  "released",
  "from",
  "hooks",
  "at",
  "nothing",
  "beside",
  "may",
  "must",
  "refuse",
];

/** Lines of steps, below which others may stand. */
const stepHeads: ReadonlySet<string> = new Set(["record", "sweep", "release"]);

/** What a sweep owes, before the check. */
interface Owed {
  readonly place: Word["place"];
  readonly reading: GraphReading | undefined;
  readonly mustRefuse: boolean;
  readonly hooks: readonly number[] | undefined;
  readonly cotangents: ComponentsAt[];
  readonly calls: ComponentsAt[];
}

/** A tape that was recorded. */
interface Tape {
  readonly reading: GraphReading | undefined;
  readonly hooks: readonly number[] | undefined;
}

/**
 * Reads tapes: their graphs, what is done with them step by step, and what sweeps owe. It is a case, or a
 * vector if something is expected or a clause of SEMANTICS is named.
 */
export function readTapes(
  header: Header,
  clauses: readonly Clause[],
  faults: Faults,
): TextDocument | undefined {
  const tapes = new Tapes(header, faults);
  for (const line of [...header.body, ...clauses]) tapes.read(line);
  const json = faults.all.length > 0 ? undefined : tapes.json();
  const named = header.name === undefined ? {} : { name: header.name.text };
  return json === undefined ? undefined : { ...named, json, place: wholePlace(header, clauses), clauses };
}

/** What the lines say about tapes, as far as they were read. */
class Tapes {
  readonly #faults: Faults;
  readonly #header: Header;
  readonly #places: Places;
  readonly #said: Sayings;
  readonly #graphs: Map<string, GraphReading> = new Map();
  readonly #tapes: Map<string, Tape> = new Map();
  readonly #steps: TapeStepJson[] = [];
  readonly #owed: Map<number, Owed> = new Map();
  #isVector = false;

  constructor(header: Header, faults: Faults) {
    this.#header = header;
    this.#faults = faults;
    this.#said = new Sayings(faults);
    this.#places = new Places(header.place);
    for (const { place } of [...header.inputs, ...header.given])
      faults.add("text/tapes", place, "tapes have no inputs.", "give them to a graph, on a line below");
  }

  read(line: Line): void {
    if (line.kind === "header" && line.head.text === "graph") this.#addGraph(line);
    else if (line.kind === "clause") this.#readClause(line);
    else
      this.#faults.add(
        "text/statement",
        line.place,
        "the line is no part of tapes.",
        "tapes have graphs, and lines that begin with record, sweep, release or expect",
      );
  }

  #addGraph(header: Header): void {
    const reading = readGraph(header, this.#faults);
    const { name, place, inputs, given, body } = header;
    refuseMeasures([...inputs, ...given, ...body], this.#faults);
    if (name === undefined)
      this.#faults.add("text/graph", place, "the graph has no name.", "recordings need one: graph g(x)");
    else if (this.#graphs.has(name.text))
      this.#faults.add("text/twice", name.place, "there is such a graph already.", "names are unique");
    this.#places.addGraph(pointerTo("/graphs", this.#graphs.size), reading);
    this.#graphs.set(name?.text ?? "", reading);
  }

  #readClause(clause: Clause): void {
    const { head, words } = clause;
    if (!stepHeads.has(head.text)) this.#below(clause, []);
    switch (head.text) {
      case "record":
        this.#record(clause);
        break;
      case "sweep":
        this.#sweep(clause);
        break;
      case "release":
        this.#release(clause);
        break;
      case "expect":
        this.#expectLate(clause);
        break;
      case "note":
      case "clause":
      case "defects":
      case "links":
      case "faults":
        this.#isVector ||= head.text === "clause" || head.text === "faults";
        this.#said.say(head, words);
        break;
      default: {
        const known = [...stepHeads, "expect", "note", "clause", "defects", "links", "faults"];
        this.#faults.addUnknown("text/clause", "line of tapes", head, known);
      }
    }
  }

  /** Returns what lines below a step assign, by their first word; no other lines may stand there. */
  #below({ body, head }: Clause, heads: readonly string[]): (first: string) => readonly Clause[] {
    const clauses = body.flatMap((line) => (line.kind === "clause" ? [line] : []));
    for (const line of body)
      if (line.kind !== "clause" || !heads.includes(line.head.text))
        this.#faults.add(
          "text/statement",
          line.place,
          `the line does not stand below ${head.text}.`,
          heads.length === 0 ? "indent it less" : `lines there begin with ${heads.join(" or ")}`,
        );
    return (first) => clauses.filter((clause) => clause.head.text === first);
  }

  /** Reads `record t of g once from %3 hooks a, b at x = 1`; `at` may stand below it. */
  #record(clause: Clause): void {
    const {
      head,
      words: [name, of, graph, ...rest],
    } = clause;
    const below = this.#below(clause, ["at"])("at");
    const assignments = [clause, ...below].flatMap((one) => one.assignments);
    if (name === undefined || of?.text !== "of" || graph === undefined) {
      this.#wrong(head, "record takes the name of a tape and a graph", "record t of g at x = 1");
      return;
    }
    const reading = this.#graphs.get(graph.text);
    if (reading === undefined)
      this.#faults.addUnknown("text/graph", "graph", graph, [...this.#graphs.keys()]);
    const { life, ids } = this.#terms(rest, reading);
    const pointer = this.#step(name, head);
    const hooks = ids.get("hooks");
    if (!this.#tapes.has(name.text)) this.#tapes.set(name.text, { reading, hooks });
    if (reading === undefined) return;
    const last = reading.shapes.length - 1;
    for (const part of ["of", "hooks"]) this.#places.add(`${pointer}/${part}`, head.place);
    this.#steps.push({
      do: "record",
      tape: name.text,
      graph: [...this.#graphs.keys()].indexOf(graph.text),
      point: this.#point(reading, head, assignments, `${pointer}/point`),
      life,
      of: ids.get("from") ?? [last],
      ...(hooks === undefined ? {} : { hooks }),
    });
  }

  /** Reads for how long a tape lives, and the ids behind `from` and `hooks`. */
  #terms(
    words: readonly Word[],
    reading: GraphReading | undefined,
  ): { readonly life: "once" | "until released"; readonly ids: ReadonlyMap<string, readonly number[]> } {
    const ids = new Map<string, readonly number[]>();
    let isOnce = false;
    let part = "";
    for (const word of words) {
      const sign = word.isQuoted === true ? "" : word.text;
      if (sign === "once") isOnce = true;
      if (sign === "once" || sign === "until" || sign === "at") part = sign;
      else if (sign === "from" || sign === "hooks") {
        part = sign;
        ids.set(sign, ids.get(sign) ?? []);
      } else if (part === "from" || part === "hooks") {
        const id = reading?.idOf(word);
        if (id !== undefined) ids.set(part, [...(ids.get(part) ?? []), id]);
      } else if (part !== "until" || sign !== "released")
        this.#faults.addUnknown("text/step", "part of a recording", word, [
          ...["once", "until released", "from", "hooks", "at"],
        ]);
    }
    return { life: isOnce ? "once" : "until released", ids };
  }

  #point(
    { inputs, environment }: GraphReading,
    head: Word,
    assignments: readonly Assignment[],
    pointer: string,
  ): PointJson {
    const given = new Map<string, Assignment>();
    const known = [...inputs.map(({ name }) => name), ...environment.keys()];
    for (const one of assignments) {
      const { text, place } = one.name;
      if (!known.includes(text)) this.#faults.addUnknown("text/name", "input or entry of Δ", one.name, known);
      else if (given.has(text))
        this.#faults.add("text/twice", place, "this has numbers already.", "give them once");
      given.set(text, one);
    }
    // A number for a name that is none was meant for one that has none.
    const isMistaken = [...given.keys()].some((name) => !known.includes(name));
    const tensor = (name: string, shape: Shape, own: string): readonly TensorJson[] => {
      const one = given.get(name);
      if (one === undefined && isMistaken) return [];
      if (one === undefined) {
        const hint = `write it behind at: at ${name} = …`;
        this.#faults.add("text/point", head.place, `the point gives no numbers for ${name}.`, hint);
        return [];
      }
      this.#places.add(own, one.value.place);
      return [tensorOf(one.value, shape, this.#faults) ?? []].flat();
    };
    const entries = [...environment.values()].flatMap(({ name, shape }) =>
      tensor(name, shape, pointerTo(`${pointer}/environment`, name)).map((one) => [name, one] as const),
    );
    return {
      inputs: inputs.flatMap(({ name, shape }, i) => tensor(name, shape, pointerTo(`${pointer}/inputs`, i))),
      environment: Object.fromEntries(entries),
    };
  }

  /** Reads `sweep t from b = 1 beside may refuse`; seeds and expectations may stand below it. */
  #sweep(clause: Clause): void {
    const {
      head,
      words: [name, ...rest],
    } = clause;
    const below = this.#below(clause, ["seed", "expect"]);
    const assignments = [clause, ...below("seed")].flatMap((one) => one.assignments);
    if (name === undefined) {
      this.#wrong(head, "sweep takes the name of a tape", "sweep t from b = 1");
      return;
    }
    const tape = this.#tapes.get(name.text);
    if (tape === undefined) this.#faults.addUnknown("text/tape", "tape", name, [...this.#tapes.keys()]);
    const said = this.#saidOf(rest);
    if (said.has("nothing") === assignments.length > 0)
      this.#wrong(head, "a sweep begins from a cotangent or from nothing", `sweep ${name.text} from b = 1`);
    const refuse = said.has("must") ? "must" : said.has("may") ? "may" : "never";
    const mustRefuse = refuse === "must";
    const pointer = this.#step(name, head);
    this.#places.add(`${pointer}/refuse`, rest.at(-1)?.place ?? head.place);
    const seeds = assignments.flatMap((one, i): SeedJson[] => {
      this.#places.add(pointerTo(`${pointer}/seeds`, i), one.name.place);
      return this.#seed(tape?.reading, one, mustRefuse);
    });
    const step = this.#steps.length;
    const together = said.has("beside") ? { together: true as const } : {};
    this.#steps.push({ do: "sweep", tape: name.text, seeds, refuse, ...together });
    const { reading, hooks } = tape ?? { reading: undefined, hooks: undefined };
    const owed = { place: head.place, reading, hooks, mustRefuse, cotangents: [], calls: [] };
    this.#owed.set(step, owed);
    for (const one of below("expect")) this.#expect(owed, one.words[0], one.assignments, one.head);
  }

  #saidOf(words: readonly Word[]): ReadonlySet<string> {
    const known = ["from", "nothing", "beside", "may", "must", "refuse"];
    for (const word of words)
      if (!known.includes(word.text)) this.#faults.addUnknown("text/step", "part of a sweep", word, known);
    return new Set(words.map(({ text }) => text));
  }

  /** Reads a cotangent; one that must be refused may stand anywhere, and have any shape. */
  #seed(reading: GraphReading | undefined, { name, value }: Assignment, mustRefuse: boolean): SeedJson[] {
    const far = mustRefuse ? numbered(name) : undefined;
    const id = far ?? reading?.idOf(name);
    if (id === undefined) return [];
    const shape = reading?.shapes[id];
    const isEmpty = value.kind === "list" && value.entries.length === 0 && sizeOf(shape ?? []) === 0;
    const isFree = mustRefuse && !isEmpty && (value.kind === "list" || value.kind === "full");
    const cotangent = tensorOf(value, isFree ? undefined : (shape ?? []), this.#faults);
    return cotangent === undefined ? [] : [{ id, cotangent }];
  }

  #release(clause: Clause): void {
    const {
      head,
      words: [name, more],
      assignments: [given],
    } = clause;
    this.#below(clause, []);
    if (name === undefined || more !== undefined || given !== undefined) {
      this.#wrong(more ?? given?.name ?? head, "release takes the name of one tape", "release t");
      return;
    }
    if (!this.#tapes.has(name.text))
      this.#faults.addUnknown("text/tape", "tape", name, [...this.#tapes.keys()]);
    this.#step(name, head);
    this.#steps.push({ do: "release", tape: name.text });
  }

  /** Reads `expect sweep 2 cotangent x = 6`, which counts steps from 0. */
  #expectLate({ head, words: [sweep, step, part], assignments }: Clause): void {
    const owed = sweep?.text === "sweep" ? this.#owed.get(Number(step?.text)) : undefined;
    if (owed === undefined)
      this.#wrong(step ?? head, "the expectation is of no sweep", "indent it below its sweep");
    else this.#expect(owed, part, assignments, head);
  }

  #expect(owed: Owed, part: Word | undefined, assignments: readonly Assignment[], head: Word): void {
    this.#isVector = true;
    const { reading, mustRefuse } = owed;
    if (mustRefuse)
      this.#wrong(head, "a sweep that must be refused owes nothing", "leave this out, or write may refuse");
    const list = part?.text === "cotangent" ? owed.cotangents : owed.calls;
    if (part !== undefined && part.text !== "cotangent" && part.text !== "hook")
      this.#faults.addUnknown("text/expect", "part of a sweep's answer", part, ["cotangent", "hook"]);
    for (const { name, value } of assignments) {
      const id = reading?.idOf(name);
      const shape = id === undefined ? undefined : reading?.shapes[id];
      if (id === undefined || shape === undefined) continue;
      if (list.some((at) => at.id === id))
        this.#faults.add("text/twice", name.place, "this is expected already.", "say it once");
      const sets = setsOf(value, shape, this.#faults);
      if (sets !== undefined) list.push({ id, sets });
    }
  }

  /** Returns the pointer of the next step, which stands where its first word does. */
  #step(tape: Word, head: Word): string {
    const pointer = pointerTo("/steps", this.#steps.length);
    this.#places.add(pointer, head.place);
    this.#places.add(`${pointer}/tape`, tape.place);
    return pointer;
  }

  #wrong({ place }: { readonly place: Word["place"] }, message: string, hint: string): void {
    this.#faults.add("text/step", place, `${message}.`, hint);
  }

  /** Returns the document, which was checked; `undefined`, and faults, if it is none. */
  json(): TextDocument["json"] | undefined {
    const note = this.#said.first("note")?.text;
    const json = {
      format: "adjudge.tape-case.v1",
      graphs: [...this.#graphs.values()].map(({ graph }) => graph),
      steps: this.#steps,
    };
    if (!this.#isVector)
      return this.#checked({ ...json, ...(note === undefined ? {} : { note }) }, checkTapeCase);
    if (this.#checked(json, checkTapeCase) === undefined) return undefined;
    return this.#checked({ ...this.#vector(), case: json, expected: this.#expected() }, checkTapeVector);
  }

  #checked<J>(json: J, check: (json: unknown) => Result<unknown, Issue[]>): J | undefined {
    const checked = check(json);
    if (checked.ok) return json;
    for (const issue of checked.error) this.#faults.addIssue(issue, this.#places.of(issue.pointer));
    return undefined;
  }

  #vector(): { readonly format: string } {
    const said = (head: string): readonly string[] => this.#said.texts(head, `/${head}`, this.#places);
    const { name, place } = this.#header;
    this.#places.add("/name", name?.place ?? place);
    return {
      format: "adjudge.tape-vector.v1",
      ...{ name: name?.text ?? "", clause: said("clause")[0] ?? USUAL_TAPE_CLAUSE },
      ...{ note: said("note")[0] ?? "as expected", defects: said("defects") },
      ...{ links: said("links"), faults: said("faults") },
    };
  }

  /** Returns what each sweep that need not be refused owes, in the order of inputs and of hooks. */
  #expected(): readonly object[] {
    const owed = [...this.#owed].filter(([, { mustRefuse }]) => !mustRefuse);
    return owed.map(([step, { place, hooks, cotangents, calls }], i) => {
      this.#places.add(pointerTo("/expected", i), place);
      const order = (all: readonly ComponentsAt[], ids: readonly number[]): readonly ComponentsAt[] =>
        all.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
      const called = hooks === undefined && calls.length === 0 ? {} : { hooks: order(calls, hooks ?? []) };
      return { step, cotangents: cotangents.toSorted((a, b) => a.id - b.id), ...called };
    });
  }
}
