import {
  bind,
  checkAlias,
  checkBlock,
  checkCount,
  checkerOfSaid,
  checkNext,
  checkPlace,
  checkRead,
  checkShape,
  type Known,
  knownOf,
  nameTwice,
  otherShape,
  readable,
  readEntry,
  readLocation,
  readOutline,
  readProcedure,
  referenceTo,
  type Surroundings,
  unseenName,
} from "../documents/programs/index.ts";
import { GraphError } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import {
  type Block,
  type Location,
  NameScope,
  type Parameter,
  type Procedure,
  type ResultName,
  type Statement,
  type StatementOf,
} from "../programs/index.ts";
import { type Issue, isSameShape, type Result, type Shape, visible } from "../shapes/index.ts";

/** The entry of a program that is written has this name. */
export const ENTRY = "main";

/** A block that is being written, and what is known where its next statement will stand. */
interface Frame {
  readonly block: Statement[];
  readonly scope: NameScope<Known>;
  readonly depth: number;
  readonly isInLoop: boolean;
  readonly procedure: { results: readonly ResultName[] | undefined };
}

/**
 * A program as far as it is written. Every statement is checked as `checkProgram` does, when it is added, so
 * that whoever writes it is told at that line. All methods throw {@link GraphError} if something does not
 * fit.
 */
export class Written {
  readonly state: Location[] = [];
  readonly aliases: StatementOf<"view">[] = [];
  readonly parameters: Parameter[] = [];
  readonly environment: Map<string, EnvironmentEntry> = new Map();
  readonly procedures: Map<string, Procedure> = new Map();
  readonly #entries: NameScope<EnvironmentEntry> = new NameScope();
  readonly #globals: NameScope<Known> = new NameScope();
  readonly #entry: Frame = {
    block: [],
    scope: new NameScope(this.#globals),
    depth: 0,
    isInLoop: false,
    procedure: { results: undefined },
  };
  /** These procedures are being written. */
  readonly #open: Map<string, Frame["procedure"]> = new Map();
  readonly #count = { statements: 0 };
  #frame: Frame = this.#entry;
  #names = 0;

  /** Returns a name that is made up: `%` stands in no name that a person would choose. */
  fresh(): string {
    do this.#names++;
    while (this.#frame.scope.find(`%${this.#names}`) !== undefined);
    return `%${this.#names}`;
  }

  declareParameter(name: string, shape: Shape): void {
    const parameters: readonly Parameter[] = [...this.parameters, { name, kind: "value", shape }];
    read("input", readProcedure({ name: ENTRY, parameters, body: [], results: [] }));
    this.#declare("input", name, shape, this.#entry.scope, { kind: "value", shape });
    this.parameters.push({ name, kind: "value", shape });
  }

  declareLocation(name: string, shape: Shape): void {
    read("state", readLocation({ name, shape }));
    this.#readCounts("state", "state");
    this.#declare("state", name, shape, this.#globals, referenceTo(shape));
    this.state.push({ name, shape });
  }

  /** Declares another name of a persistent location. Returns the shape that it sees. */
  declareAlias(alias: StatementOf<"view">): Shape {
    this.#readCounts("alias", "aliases");
    const issues: Issue[] = [];
    if (this.#entry.scope.find(alias.name) !== undefined) issues.push(nameTwice(alias.name, ""));
    else checkAlias(alias, "", this.#globals, issues);
    refuse("alias", issues);
    this.aliases.push(alias);
    return readable(alias.name, "", this.#globals, issues) ?? [];
  }

  declareEntry(entry: EnvironmentEntry): void {
    read("environment", readEntry(entry));
    this.#readCounts("environment", "environment");
    const issues: Issue[] = [];
    checkShape(entry.shape, "", issues);
    bind(this.#entries, entry.name, entry, "", issues);
    refuse("environment", issues);
    this.environment.set(entry.name, entry);
  }

  /** With one more of these the program is still no longer than its schema allows. */
  #readCounts(what: string, more: "state" | "aliases" | "environment" | "procedures"): void {
    const counted = { state: this.state.length, aliases: this.aliases.length };
    // The entry is a procedure too.
    const counts = { ...counted, environment: this.environment.size, procedures: this.procedures.size + 1 };
    const lists = Object.entries(counts).map(([list, count]) => [
      list,
      Array.from({ length: list === more ? count + 1 : count }),
    ]);
    read(what, readOutline({ format: "adjudge.program.v1", ...Object.fromEntries(lists) }));
  }

  #declare(what: string, name: string, shape: Shape, scope: NameScope<Known>, known: Known): void {
    const issues: Issue[] = [];
    checkShape(shape, "", issues);
    // A location stands around the entry's own names.
    if (scope === this.#globals && this.#entry.scope.find(name) !== undefined)
      issues.push(nameTwice(name, ""));
    if (issues.length === 0) bind(scope, name, known, "", issues);
    refuse(what, issues);
  }

  /** Appends a statement whose blocks, if it has some, were written `within` it. */
  add(statement: Statement, isChecked: "checked" | "unchecked" = "unchecked"): void {
    if (isChecked === "unchecked") this.check(statement);
    this.#frame.block.push(statement);
  }

  /** Checks the next statement; of one with blocks all but these. */
  check(statement: Statement): void {
    const { block, scope, depth } = this.#frame;
    const issues: Issue[] = [];
    const surroundings = this.#surroundings(issues);
    const before = block.at(-1);
    if (before !== undefined) checkPlace(before, "", false, depth, surroundings);
    // What is the user's own in a let, its attributes, is checked with its operator.
    const checkOne = statement.do === "let" ? checkRead : checkNext;
    if (issues.length === 0) checkOne(statement, "", true, scope, depth, surroundings);
    if (issues.length === 0) checkerOfSaid(this.procedures, issues)(statement, "");
    refuse(statement.do === "let" ? statement.op : statement.do, issues);
  }

  /** Returns the shape of what a name stands for here. */
  shapeOf(name: string): Shape {
    const issues: Issue[] = [];
    const shape = readable(name, "", this.#frame.scope, issues);
    refuse("result", issues);
    return shape ?? [];
  }

  /** Notes the results of a return within a block: the others, and the end, must be like the first. */
  returned(results: readonly ResultName[]): void {
    this.#frame.procedure.results ??= results;
  }

  /** Returns the statements that `write` appends within the next statement. A loop has a counter. */
  within(write: () => void, { counter, isLoop = false }: Within = {}): Block {
    const { scope, depth, isInLoop, procedure } = this.#frame;
    const frame: Frame = {
      block: [],
      scope: new NameScope(scope),
      depth: depth + 1,
      isInLoop: isInLoop || isLoop,
      procedure,
    };
    if (counter !== undefined)
      frame.scope.bind(counter.name, { kind: "counter", shape: [], times: counter.times });
    return this.#framed(frame, write);
  }

  /** Writes a procedure of its own. Returns its results. */
  procedure(
    name: string,
    parameters: readonly Parameter[],
    results: readonly Shape[] | undefined,
    write: () => readonly ResultName[],
  ): readonly ResultName[] {
    const scope = new NameScope<Known>();
    this.#signature(name, parameters, results ?? [], scope);
    this.procedures.set(name, { name, parameters, body: [], results: [] });
    const procedure: Frame["procedure"] = { results: undefined };
    this.#open.set(name, procedure);
    if (results !== undefined) this.expect(name, results);
    let given: readonly ResultName[] = [];
    const body = this.#framed({ block: [], scope, depth: 0, isInLoop: false, procedure }, () => {
      given = write();
      this.#end(given);
    });
    this.#open.delete(name);
    // Procedures stand in the order in which they end.
    this.procedures.delete(name);
    this.procedures.set(name, { name, parameters, body, results: given });
    return given;
  }

  /** A procedure that is being written calls itself for results of these shapes, unless others were said. */
  expect(name: string, shapes: readonly Shape[]): void {
    const [procedure, known] = [this.#open.get(name), this.procedures.get(name)];
    if (procedure === undefined || known === undefined) return;
    procedure.results ??= shapes.map(saidResult);
    this.procedures.set(name, { ...known, results: procedure.results });
  }

  #signature(
    name: string,
    parameters: readonly Parameter[],
    results: readonly Shape[],
    scope: NameScope<Known>,
  ): void {
    read("procedure", readProcedure({ name, parameters, body: [], results: results.map(saidResult) }));
    this.#readCounts("procedure", "procedures");
    const issues: Issue[] = [];
    if (visible(name) !== name) issues.push(unseenName(name, ""));
    if (name === ENTRY || this.procedures.has(name)) issues.push(nameTwice(name, ""));
    for (const shape of results) checkShape(shape, "", issues);
    for (const parameter of parameters) {
      checkShape(parameter.shape, "", issues);
      bind(scope, parameter.name, knownOf(parameter), "", issues);
    }
    refuse("procedure", issues);
  }

  /** Ends the entry. Returns its body. */
  end(results: readonly ResultName[]): Block {
    this.#end(results);
    return this.#entry.block;
  }

  /** The results are bound where a procedure ends, and are like those that it returns elsewhere. */
  #end(results: readonly ResultName[]): void {
    const { block, scope, depth, procedure } = this.#frame;
    const issues: Issue[] = [];
    const before = block.at(-1);
    if (before !== undefined) checkPlace(before, "", true, depth, this.#surroundings(issues));
    read("results", readProcedure({ name: ENTRY, parameters: [], body: [], results }));
    for (const { name } of results) readable(name, "", scope, issues);
    const wanted = procedure.results;
    if (wanted !== undefined) {
      checkCount("result", results.length, wanted.length, "", issues);
      for (const [i, { name, shape }] of results.entries()) {
        const other = wanted[i]?.shape;
        if (other !== undefined && !isSameShape(shape, other))
          issues.push(otherShape(name, shape, other, ""));
      }
    }
    refuse("results", issues);
  }

  #framed(frame: Frame, write: () => void): Block {
    const around = this.#frame;
    const issues: Issue[] = [];
    checkBlock([], "", frame.scope, frame.depth, this.#surroundings(issues));
    refuse("block", issues);
    this.#frame = frame;
    try {
      write();
    } finally {
      this.#frame = around;
    }
    return frame.block;
  }

  #surroundings(issues: Issue[]): Surroundings {
    const { isInLoop, procedure } = this.#frame;
    return {
      environment: this.environment,
      isEnvironmentPartial: false,
      procedures: this.procedures,
      uncalled: undefined,
      results: procedure.results ?? [],
      isInLoop,
      issues,
      count: this.#count,
    };
  }
}

/** A block is the body of a loop, or of another statement. */
export interface Within {
  readonly counter?: { readonly name: string; readonly times: number };
  readonly isLoop?: boolean;
}

/** A result whose shape alone is said has this name. */
function saidResult(shape: Shape, place: number): ResultName {
  return { name: `result ${place}`, shape };
}

/** Throws what is wrong with a part of a program whose names and numbers have not their kinds. */
function read(what: string, result: Result<unknown, Issue[]>): void {
  if (!result.ok) refuse(what, result.error);
}

/** Throws the first issue, if there is one. */
function refuse(what: string, [issue]: readonly Issue[]): void {
  if (issue !== undefined) throw new GraphError(what, issue);
}
