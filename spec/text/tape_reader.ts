import { checkTapeCase, checkTapeVector } from "../documents/index.ts";
import { type Issue, pointerTo, type Result } from "../shapes/index.ts";
import type { ComponentsAt } from "../wire/index.ts";
import type { Faults } from "./fault.ts";
import { type GraphReading, refuseMeasures } from "./graph_reader.ts";
import { Places } from "./places.ts";
import {
  type Chapter,
  type Clause,
  type Header,
  readGraph,
  type TextDocument,
  wholePlace,
} from "./question_reader.ts";
import { Sayings } from "./sayings.ts";
import { type Owed, TapeSteps } from "./tape_steps.ts";
import type { Assignment, Line, Word } from "./tree.ts";
import { USUAL_NOTE, USUAL_TAPE_CLAUSE } from "./usual.ts";

/** Lines of steps, below which others may stand. */
const stepHeads: ReadonlySet<string> = new Set(["record", "sweep", "release"]);

/**
 * Reads tapes: their graphs, what is done with them step by step, and what sweeps owe. It is a case, or a
 * vector if something is expected or a clause of SEMANTICS is named.
 */
export function readTapes(chapter: Chapter, faults: Faults): TextDocument | undefined {
  const { header, clauses } = chapter;
  const tapes = new Tapes(header, faults);
  for (const line of [...header.body, ...clauses]) tapes.read(line);
  const json = faults.all.length > 0 ? undefined : tapes.json();
  if (json === undefined) return undefined;
  const steps = header.body.flatMap((line) =>
    line.kind === "clause" && stepHeads.has(line.head.text) ? [line] : [],
  );
  return { name: header.name?.text, json, place: wholePlace(chapter), places: tapes.places, clauses, steps };
}

/** What the lines say about tapes, as far as they were read. */
class Tapes {
  readonly #faults: Faults;
  readonly #header: Header;
  readonly places: Places;
  readonly #said: Sayings;
  readonly #graphs: Map<string, GraphReading> = new Map();
  readonly #steps: TapeSteps;
  #isVector = false;

  constructor(header: Header, faults: Faults) {
    this.#header = header;
    this.#faults = faults;
    this.#said = new Sayings(faults);
    this.places = new Places(header.place);
    this.#steps = new TapeSteps(this.#graphs, this.places, faults);
    for (const { place } of [...header.inputs, ...header.given])
      faults.add("text/tapes", place, "tapes have no inputs.", "give them to a graph, on a line below");
  }

  read(line: Line): void {
    if (line.kind === "header" && line.head.text === "graph") this.#addGraph(line);
    else if (line.kind === "clause") this.#readClause(line);
    else {
      const hint = "tapes have graphs, and lines that begin with record, sweep, release or expect";
      this.#faults.add("text/statement", line.place, "the line is no part of tapes.", hint);
    }
  }

  #addGraph(header: Header): void {
    const reading = readGraph(header, this.#faults);
    const { name, place, inputs, given, body } = header;
    refuseMeasures([...inputs, ...given, ...body], this.#faults);
    if (name === undefined)
      this.#faults.add("text/graph", place, "the graph has no name.", "recordings need one: graph g(x)");
    else if (this.#graphs.has(name.text))
      this.#faults.add("text/twice", name.place, "there is such a graph already.", "names are unique");
    this.places.addGraph(pointerTo("/graphs", this.#graphs.size), reading);
    this.#graphs.set(name?.text ?? "", reading);
  }

  #readClause(clause: Clause): void {
    const { head, words } = clause;
    if (!stepHeads.has(head.text)) this.#steps.below(clause, []);
    switch (head.text) {
      case "record":
        this.#steps.record(clause);
        break;
      case "sweep":
        this.#sweep(clause);
        break;
      case "release":
        this.#steps.release(clause);
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

  #sweep(clause: Clause): void {
    const [owed, below = []] = this.#steps.sweep(clause) ?? [];
    if (owed === undefined) return;
    for (const { head, words, assignments } of below) this.#expect(owed, words[0], assignments, head);
  }

  /** Reads `expect sweep 2 cotangent x = 6`, which counts steps from 0. */
  #expectLate({ head, words: [sweep, step, part], assignments }: Clause): void {
    const owed = sweep?.text === "sweep" ? this.#steps.owed.get(Number(step?.text)) : undefined;
    if (owed === undefined)
      this.#steps.wrong(step ?? head, "the expectation is of no sweep", "indent it below its sweep");
    else this.#expect(owed, part, assignments, head);
  }

  #expect(owed: Owed, part: Word | undefined, assignments: readonly Assignment[], head: Word): void {
    this.#isVector = true;
    const { reading, mustRefuse } = owed;
    const hint = "leave this out, or write may refuse";
    if (mustRefuse) this.#steps.wrong(head, "a sweep that must be refused owes nothing", hint);
    const list = part?.text === "cotangent" ? owed.cotangents : owed.calls;
    if (part !== undefined && part.text !== "cotangent" && part.text !== "hook")
      this.#faults.addUnknown("text/expect", "part of a sweep's answer", part, ["cotangent", "hook"]);
    for (const one of assignments) reading?.expect(list, one);
  }

  /** Returns the document, which was checked; `undefined`, and faults, if it is none. */
  json(): TextDocument["json"] | undefined {
    const note = this.#said.first("note")?.text;
    const json = {
      format: "adjudge.tape-case.v1",
      graphs: [...this.#graphs.values()].map(({ graph }) => graph),
      steps: this.#steps.all,
    };
    if (!this.#isVector)
      return this.#checked({ ...json, ...(note === undefined ? {} : { note }) }, checkTapeCase);
    if (this.#checked(json, checkTapeCase) === undefined) return undefined;
    return this.#checked({ ...this.#vector(), case: json, expected: this.#expected() }, checkTapeVector);
  }

  #checked<J>(json: J, check: (json: unknown) => Result<unknown, Issue[]>): J | undefined {
    return this.#faults.accept(check(json), this.places) === undefined ? undefined : json;
  }

  #vector(): { readonly format: string } {
    const said = (head: string): readonly string[] => this.#said.texts(head, `/${head}`, this.places);
    const { name, place } = this.#header;
    this.places.add("/name", name?.place ?? place);
    return {
      format: "adjudge.tape-vector.v1",
      ...{ name: name?.text ?? "", clause: said("clause")[0] ?? USUAL_TAPE_CLAUSE },
      ...{ note: said("note")[0] ?? USUAL_NOTE, defects: said("defects") },
      ...{ links: said("links"), faults: said("faults") },
    };
  }

  /** Returns what each sweep that need not be refused owes, in the order of inputs and of hooks. */
  #expected(): readonly object[] {
    const owed = [...this.#steps.owed].filter(([, { mustRefuse }]) => !mustRefuse);
    return owed.map(([step, { place, hooks, cotangents, calls }], i) => {
      this.places.add(pointerTo("/expected", i), place);
      const order = (all: readonly ComponentsAt[], ids: readonly number[]): readonly ComponentsAt[] =>
        all.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
      const called = hooks === undefined && calls.length === 0 ? {} : { hooks: order(calls, hooks ?? []) };
      return { step, cotangents: cotangents.toSorted((a, b) => a.id - b.id), ...called };
    });
  }
}
