import type { EnvironmentEntry } from "../operators/index.ts";
import type { Location, Parameter } from "../programs/index.ts";
import type { Shape } from "../shapes/index.ts";
import type { Faults } from "./fault.ts";
import type { Places } from "./places.ts";
import {
  Block,
  type Operand,
  type Result,
  type Signature,
  type StatementText,
  type Surroundings,
  type Target,
} from "./program_block.ts";
import { readLines, resultsOf } from "./program_statements.ts";
import { operandOf } from "./program_values.ts";
import type { Declaration, Expression, Line, LineOf, Word } from "./tree.ts";

/** A program as JSON, before its check. */
export interface ProgramText {
  readonly format: "adjudge.program.v1";
  readonly state: readonly Location[];
  readonly aliases?: readonly StatementText[];
  readonly environment: readonly EnvironmentEntry[];
  readonly procedures: readonly ProcedureText[];
}

interface ProcedureText {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: readonly StatementText[];
  readonly results: readonly { readonly name: string; readonly shape: Shape }[];
}

/** A procedure as it is written. */
interface Written {
  readonly name: Word;
  readonly parameters: readonly Parameter[];
  readonly lines: readonly Line[];
  readonly returned: LineOf<"return"> | undefined;
  readonly pointer: string;
  /** What was read of it, once it was. */
  read?: { readonly body: readonly StatementText[]; readonly results: readonly (Result | undefined)[] };
  isBeingRead: boolean;
}

/** Procedures whose results are not said are read within each other so deep at most. */
const MAXIMUM_DEPTH = 64;

/** Reads a program. Its entry is its first procedure, or `main`, which stands in the program's own lines. */
export class ProgramReading implements Surroundings {
  readonly faults: Faults;
  readonly places: Places;
  readonly environment: ReadonlyMap<string, EnvironmentEntry>;
  readonly #state: Location[] = [];
  readonly #stored: Block;
  readonly #procedures: readonly Written[];
  readonly #byName: Map<string, Written> = new Map();
  readonly #taken: ReadonlySet<string>;
  readonly #entries: Set<string> = new Set();
  #fresh = 0;
  #depth = 0;

  constructor(header: LineOf<"header">, faults: Faults, places: Places) {
    this.faults = faults;
    this.places = places;
    this.#taken = new Set(namesBound([header]));
    this.environment = new Map(header.given.map((entry, i) => this.#entry(entry, i)));
    this.#stored = new Block(this, "/program/aliases");
    for (const line of header.body) if (line.kind === "state") this.#declare(line);
    this.#procedures = proceduresOf(header, faults).map((line, i) => this.#written(line, i));
    for (const procedure of this.#procedures)
      if (!this.#byName.has(procedure.name.text)) this.#byName.set(procedure.name.text, procedure);
    // As the builder makes up names: those of the entry last.
    for (const procedure of this.#procedures.slice(1)) this.#read(procedure);
    for (const procedure of this.#procedures.slice(0, 1)) this.#read(procedure);
  }

  /** The program as far as it was understood. */
  get program(): ProgramText {
    return {
      format: "adjudge.program.v1",
      state: this.#state,
      ...(this.#stored.statements.length === 0 ? {} : { aliases: this.#stored.statements }),
      environment: [...this.environment.values()],
      procedures: this.#procedures.map(({ name, parameters, read }) => ({
        name: name.text,
        parameters,
        body: read?.body ?? [],
        results: (read?.results ?? []).map((result) => ({
          name: result?.name ?? "",
          shape: result?.shape ?? [],
        })),
      })),
    };
  }

  /** Finds a procedure; its results are as its last line declares them, or as its body makes them. */
  procedure(name: Word): Signature | undefined {
    const found = this.#byName.get(name.text);
    if (found === undefined) {
      this.faults.addUnknown("text/procedure", "procedure", name, [...this.#byName.keys()]);
      return undefined;
    }
    const declared = found.returned?.results ?? [];
    if (declared.every(({ shape }) => shape !== undefined)) {
      const results = declared.map(({ value, shape = [] }) => ({
        name: value.kind === "name" ? value.name.text : undefined,
        shape,
      }));
      return { parameters: found.parameters, results };
    }
    if (found.isBeingRead || this.#depth > MAXIMUM_DEPTH) {
      const message = "the shapes of its results are not known here.";
      this.faults.add("text/results", name.place, message, `say them in ${name.text}: return y: [3]`);
      return undefined;
    }
    return { parameters: found.parameters, results: this.#read(found) };
  }

  /** The next of %1, %2, … that the text does not bind. */
  fresh(): string {
    do this.#fresh += 1;
    while (this.#taken.has(`%${this.#fresh}`));
    return `%${this.#fresh}`;
  }

  operand(expression: Expression, block: Block, target?: Target): Operand {
    return operandOf(expression, block, target);
  }

  #declare({ locations, of }: LineOf<"state">): void {
    const [first, second] = locations;
    if (of !== undefined && first !== undefined) {
      if (second === undefined) this.#declareAlias(first, of);
      else this.faults.add("text/state", second.place, "one name stands for a view.", "give each a line");
      return;
    }
    for (const declaration of locations) {
      const { name, shape = [], kind, isIndex, place } = declaration;
      if (kind !== "value" || isIndex)
        this.faults.add("text/state", place, "a location has a name and a shape.", "write state w: [3]");
      checkDeclaration(declaration, this.faults);
      this.places.add(`/program/state/${this.#state.length}`, place);
      this.#state.push({ name: name.text, shape });
      this.#stored.bind(name.text, { kind: "reference", name: name.text, shape, place });
    }
  }

  /** `state tied = w[0:2]` is another name of a location; of all of it, a reshape to its own shape. */
  #declareAlias({ name, shape, place }: Declaration, of: Expression): void {
    const stored = this.#stored;
    const count = stored.statements.length;
    const whole = of.kind === "name" ? stored.find(of.name) : undefined;
    const made =
      whole === undefined ? stored.operand(of, { name: name.text }) : { ...whole, name: name.text };
    if (whole !== undefined) {
      const how = { kind: "reshape", shape: [...whole.shape] };
      stored.push({ do: "view", name: name.text, of: whole.name, how }, place, { of: whole.place });
    }
    stored.locateName(place);
    stored.bind(name.text, made);
    const message = "another name of a location is a view of it.";
    const isView = stored.statements.slice(count).every((one) => one.do === "view");
    if (shape !== undefined || !isView)
      this.faults.add("text/state", of.place, message, "write state tied = w[0:2]");
  }

  #entry(declaration: Declaration, i: number): readonly [string, EnvironmentEntry] {
    const { name, shape = [], isIndex, place } = declaration;
    checkDeclaration(declaration, this.faults);
    this.places.add(`/program/environment/${i}`, place);
    if (this.#entries.has(name.text))
      this.faults.add("text/name-twice", place, "Δ has this name already.", "give it another");
    this.#entries.add(name.text);
    return [name.text, { name: name.text, shape, kind: isIndex ? "index" : "real" }];
  }

  #written({ name, inputs, body, place, given }: LineOf<"header">, i: number): Written {
    const pointer = `/program/procedures/${i}`;
    const last = body.at(-1);
    const returned = last?.kind === "return" ? last : undefined;
    this.places.add(pointer, name?.place ?? place);
    const [entry] = i === 0 ? [] : given;
    if (entry !== undefined)
      this.faults.add("text/given", entry.place, "Δ is the program's.", "declare it behind program");
    if (name === undefined)
      this.faults.add("text/header", place, "the procedure has no name.", "write procedure f(x: [3])");
    const parameters = inputs.map((declaration, place) => {
      const { name: own, shape = [], kind, isIndex } = declaration;
      if (isIndex)
        this.faults.add("text/index", own.place, "a parameter has no indices.", "declare it as given");
      checkDeclaration(declaration, this.faults);
      this.places.add(`${pointer}/parameters/${place}`, own.place);
      return { name: own.text, kind, shape };
    });
    const lines = returned === undefined ? body : body.slice(0, -1);
    return {
      ...{ name: name ?? { text: "", place }, parameters, returned, pointer, isBeingRead: false },
      lines: lines.filter(({ kind }) => kind !== "state"),
    };
  }

  /** Reads a procedure's body, unless it was read before, and returns its results. */
  #read(procedure: Written): readonly (Result | undefined)[] {
    if (procedure.read !== undefined || procedure.isBeingRead) return procedure.read?.results ?? [];
    procedure.isBeingRead = true;
    this.#depth += 1;
    const block = new Block(this, `${procedure.pointer}/body`);
    const place = procedure.name.place;
    if (procedure === this.#procedures[0])
      for (const name of this.#stored.names()) block.bind(name, this.#stored.find({ text: name, place }));
    for (const { name, kind, shape } of procedure.parameters)
      block.bind(name, { kind: kind === "value" ? kind : "reference", name, shape, place });
    readLines(procedure.lines, block);
    const written = procedure.returned?.results ?? [];
    const operands = resultsOf(written, block);
    const results = written.map(({ value, shape }, i) => {
      const result = operands[i];
      this.places.add(`${procedure.pointer}/results/${i}`, value.place);
      // A name that a mistake leaves without a value is that of a result all the same.
      const name = result?.name ?? (value.kind === "name" ? value.name.text : undefined);
      return result === undefined && name === undefined
        ? undefined
        : { name, shape: shape ?? result?.shape ?? [] };
    });
    this.#depth -= 1;
    procedure.isBeingRead = false;
    procedure.read = { body: block.statements, results };
    return results;
  }
}

/** The procedures of a program, as headers; statements of its own are those of `main`. */
function proceduresOf(header: LineOf<"header">, faults: Faults): readonly LineOf<"header">[] {
  const isProcedure = (line: Line): line is LineOf<"header"> =>
    line.kind === "header" && line.head.text === "procedure";
  const procedures = header.body.filter(isProcedure);
  const own = header.body.filter((line) => !isProcedure(line));
  if (procedures.length > 0 && own.every(({ kind }) => kind === "state")) {
    const [input] = header.inputs;
    const hint = "declare them there: procedure main(x: [3])";
    const message = "parameters stand beside the first procedure.";
    if (input !== undefined) faults.add("text/header", input.place, message, hint);
    return procedures;
  }
  const name = { text: "main", place: header.place };
  return [{ ...header, name, body: own }, ...procedures];
}

/** Refuses a shape that is none, and what stands beside the inputs of graphs alone. */
function checkDeclaration(declaration: Declaration, faults: Faults): void {
  const { name, shape = [], range, unit, along, place } = declaration;
  faults.acceptsShape(shape, name.place);
  if (range === undefined && unit === undefined && along === undefined) return;
  const message = "domains and units stand beside the inputs of graphs.";
  faults.add("text/unit", unit?.place ?? place, message, "leave it out");
}

/** All names that lines bind, in any block. */
function namesBound(lines: readonly Line[]): string[] {
  const names: string[] = [];
  const add = (all: readonly { readonly name: Word }[]): void => {
    for (const { name } of all) names.push(name.text);
  };
  const visit = (line: Line): void => {
    if (line.kind === "let") for (const name of line.names) names.push(name.text);
    else if (line.kind === "state") add(line.locations);
    else if (line.kind === "header") add(line.inputs);
    else if (line.kind === "block" && line.counter !== undefined) names.push(line.counter.text);
    if ("body" in line) for (const inner of line.body) visit(inner);
  };
  for (const line of lines) visit(line);
  return names;
}
