import { pointerTo, type Shape, sizeOf } from "../shapes/index.ts";
import type { TapeStepJson } from "../tapes/index.ts";
import type { ComponentsAt, PointJson, SeedJson, TensorJson } from "../wire/index.ts";
import { tensorOf } from "./data.ts";
import type { Faults } from "./fault.ts";
import { type GraphReading, numbered } from "./graph_reader.ts";
import type { Places } from "./places.ts";
import type { Clause } from "./question_reader.ts";
import type { Assignment, Word } from "./tree.ts";

/** Words that stand between the parts of a step, unless they are in quotes. */
export const stepWords: readonly string[] = [
  ...["once", "until", "released", "from", "hooks", "at", "nothing", "beside", "may", "must", "refuse"],
];

/** What a sweep owes, before the check. */
export interface Owed {
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

/** Reads what is done with tapes, step by step. */
export class TapeSteps {
  readonly all: TapeStepJson[] = [];
  /** What sweeps owe, by the place of the step. */
  readonly owed: Map<number, Owed> = new Map();
  readonly #graphs: ReadonlyMap<string, GraphReading>;
  readonly #tapes: Map<string, Tape> = new Map();
  readonly #faults: Faults;
  readonly #places: Places;

  constructor(graphs: ReadonlyMap<string, GraphReading>, places: Places, faults: Faults) {
    this.#graphs = graphs;
    this.#places = places;
    this.#faults = faults;
  }

  /** Returns what lines below a step assign, by their first word; no other lines may stand there. */
  below({ body, head }: Clause, heads: readonly string[]): (first: string) => readonly Clause[] {
    const clauses = body.flatMap((line) => (line.kind === "clause" ? [line] : []));
    const message = `the line does not stand below ${head.text}.`;
    const hint = heads.length === 0 ? "indent it less" : `lines there begin with ${heads.join(" or ")}`;
    for (const line of body)
      if (line.kind !== "clause" || !heads.includes(line.head.text))
        this.#faults.add("text/statement", line.place, message, hint);
    return (first) => clauses.filter((clause) => clause.head.text === first);
  }

  /** Reads `record t of g once from %3 hooks a, b at x = 1`; `at` may stand below it. */
  record(clause: Clause): void {
    const { head, words } = clause;
    const [name, of, graph, ...rest] = words;
    const below = this.below(clause, ["at"])("at");
    const assignments = [clause, ...below].flatMap((one) => one.assignments);
    if (name === undefined || of?.text !== "of" || graph === undefined) {
      this.wrong(head, "record takes the name of a tape and a graph", "record t of g at x = 1");
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
    const point = this.#point(reading, head, assignments, `${pointer}/point`);
    const place = [...this.#graphs.keys()].indexOf(graph.text);
    const terms = { life, of: ids.get("from") ?? [last], ...(hooks === undefined ? {} : { hooks }) };
    this.all.push({ do: "record", tape: name.text, graph: place, point, ...terms });
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
      const { name } = one;
      if (known.includes(name.text)) this.#faults.once(given, name.text, one);
      else this.#faults.addUnknown("text/name", "input or entry of Δ", name, known);
    }
    // A number for a name that is none was meant for one that has none.
    const isMistaken = assignments.some(({ name }) => !known.includes(name.text));
    const tensor = (name: string, shape: Shape, own: string): readonly TensorJson[] => {
      const one = given.get(name);
      if (one === undefined && !isMistaken) this.#faults.addMissing("the point gives", name, head.place);
      if (one === undefined) return [];
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
  sweep(clause: Clause): readonly [owed: Owed, expectations: readonly Clause[]] | undefined {
    const { head, words } = clause;
    const [name, ...rest] = words;
    const below = this.below(clause, ["seed", "expect"]);
    const assignments = [clause, ...below("seed")].flatMap((one) => one.assignments);
    if (name === undefined) {
      this.wrong(head, "sweep takes the name of a tape", "sweep t from b = 1");
      return undefined;
    }
    const tape = this.#tapes.get(name.text);
    if (tape === undefined) this.#faults.addUnknown("text/tape", "tape", name, [...this.#tapes.keys()]);
    const said = this.#saidOf(rest);
    if (said.has("nothing") === assignments.length > 0)
      this.wrong(head, "a sweep begins from a cotangent or from nothing", `sweep ${name.text} from b = 1`);
    const refuse = said.has("must") ? "must" : said.has("may") ? "may" : "never";
    const mustRefuse = refuse === "must";
    const pointer = this.#step(name, head);
    this.#places.add(`${pointer}/refuse`, rest.at(-1)?.place ?? head.place);
    const seeds = assignments.flatMap((one, i): SeedJson[] => {
      this.#places.add(pointerTo(`${pointer}/seeds`, i), one.name.place);
      return this.#seed(tape?.reading, one, mustRefuse);
    });
    const step = this.all.length;
    const together = said.has("beside") ? { together: true as const } : {};
    this.all.push({ do: "sweep", tape: name.text, seeds, refuse, ...together });
    const { reading, hooks } = tape ?? { reading: undefined, hooks: undefined };
    const owed: Owed = { place: head.place, reading, hooks, mustRefuse, cotangents: [], calls: [] };
    this.owed.set(step, owed);
    return [owed, below("expect")];
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

  release(clause: Clause): void {
    const { head, words, assignments } = clause;
    const [[name, more], [given]] = [words, assignments];
    this.below(clause, []);
    if (name === undefined || more !== undefined || given !== undefined) {
      this.wrong(more ?? given?.name ?? head, "release takes the name of one tape", "release t");
      return;
    }
    if (!this.#tapes.has(name.text))
      this.#faults.addUnknown("text/tape", "tape", name, [...this.#tapes.keys()]);
    this.#step(name, head);
    this.all.push({ do: "release", tape: name.text });
  }

  /** Returns the pointer of the next step, which stands where its first word does. */
  #step(tape: Word, head: Word): string {
    const pointer = pointerTo("/steps", this.all.length);
    this.#places.add(pointer, head.place);
    this.#places.add(`${pointer}/tape`, tape.place);
    return pointer;
  }

  wrong({ place }: { readonly place: Word["place"] }, message: string, hint: string): void {
    this.#faults.add("text/step", place, `${message}.`, hint);
  }
}
