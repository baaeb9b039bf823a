import { drawnElements, keyOfDraw } from "../../../engines/memory/index.ts";
import { shapeOfNode } from "../../../spec/composites/index.ts";
import {
  type Block,
  type Index,
  NameScope,
  type Procedure,
  type Program,
  type Statement,
  type StatementOf,
  seesTwice,
  transformed,
} from "../../../spec/programs/index.ts";
import {
  assertNever,
  at,
  InvariantError,
  isSameShape,
  nodeId,
  present,
  quote,
  type Shape,
  sizeOf,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { Unsupported } from "./library.ts";
import { derivativeOf } from "./nested.ts";
import { located, overwrite, type Reference, reshaped, seenIn } from "./program_access.ts";
import type { Workbench } from "./workbench.ts";

/** A value, and the number of values made before it, by which other runs know it; −1 in derivatives. */
interface Value<T> {
  readonly kind: "value";
  readonly tensor: T;
  readonly shape: Shape;
  readonly number: number;
}

type Bound<T> = Value<T> | Reference<T> | { readonly kind: "counter"; readonly turn: number };
type Names<T> = NameScope<Bound<T>>;

/** A run depends on these. */
export interface ProgramSetting<T> {
  readonly program: Program;
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  readonly key: readonly [number, number];
  /** The number of draws from the generator so far. */
  readonly drawn: number;
  /**
   * The conditions that held, in order. A run appends those that are missing; a differentiated run decides as
   * the run for values did, because nobody can look at what a library traces.
   */
  readonly decisions: boolean[];
  /** Taps to add to values, by the values' numbers. */
  readonly taps: ReadonlyMap<number, T>;
}

/** A tensor of a run, and the shape that it should have. */
export interface Shaped<T> {
  readonly tensor: T;
  readonly shape: Shape;
}

/** A run leaves these. Its tensors are the workbench's. */
export interface ProgramLeft<T> {
  readonly results: readonly Shaped<T>[];
  readonly state: readonly Shaped<T>[];
  readonly sent: readonly { readonly channel: string; readonly tensor: T }[];
  /** The value at each execution of `retain`. */
  readonly retained: readonly (Shaped<T> & { readonly number: number })[];
  readonly drawn: number;
}

/** The most statements of one run, and calls inside calls. */
const limits = { statements: 2 ** 20, calls: 256 } as const;

/** A run counts its draws, its decisions and what it has received. */
interface Progress {
  readonly drawn: number;
  readonly decided: number;
  readonly received: ReadonlyMap<string, number>;
}

/**
 * Runs a program, statement by statement, on a library's tensors, with locations that stand for others after
 * writes [SEMANTICS §10.2]. Throws an `Error` where the run has no meaning, {@link Unsupported} where the
 * library lacks it.
 */
export class ProgramRun<T> {
  readonly #bench: Workbench<T>;
  readonly #setting: ProgramSetting<T>;
  readonly #shapes: Map<Statement, Shape> = new Map();
  readonly #sent: { readonly channel: string; readonly tensor: T }[] = [];
  readonly #retained: (Shaped<T> & { readonly number: number })[] = [];
  #progress: Progress;
  #count = 0;
  #steps = 0;
  #depth = 0;
  #isConstant = false;
  #isQuiet = false;

  constructor(bench: Workbench<T>, setting: ProgramSetting<T>) {
    this.#bench = bench;
    this.#setting = setting;
    this.#progress = { drawn: setting.drawn, decided: 0, received: new Map() };
  }

  /** Runs the entry on tensors of the workbench. */
  enter(parameters: readonly Shaped<T>[], state: readonly Shaped<T>[]): ProgramLeft<T> {
    const { program } = this.#setting;
    const entry = at(program.procedures, 0);
    const names: Names<T> = new NameScope();
    const places = program.state.map(({ name }, i) => {
      const { tensor, shape } = at(state, i);
      const reference = located(tensor, shape);
      names.bind(name, reference);
      return reference.location;
    });
    const given = parameters.map(({ tensor, shape }) => this.#made(tensor, shape));
    const results = this.#procedure(entry, given, names);
    const { drawn } = this.#progress;
    return { results, state: places, sent: this.#sent, retained: this.#retained, drawn };
  }

  #procedure({ parameters, body, results }: Procedure, given: readonly Bound<T>[], outer?: Names<T>) {
    const names: Names<T> = new NameScope(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(given, i));
    this.#block(body, names);
    return results.map(({ name }) => this.#copied(name, names));
  }

  #block(block: Block, names: Names<T>): void {
    for (const statement of block) {
      this.#steps += 1;
      if (this.#steps > limits.statements)
        throw new Error(`the run has executed ${limits.statements} statements, and that is the most`);
      this.#statement(statement, names);
    }
  }

  #statement(statement: Statement, names: Names<T>): void {
    switch (statement.do) {
      case "let":
        this.#let(statement, names);
        return;
      case "rebind":
        this.#rebind(statement, names);
        return;
      case "buffer": {
        const { tensor, shape } = this.#read(statement.from, names);
        names.bind(statement.name, located(this.#marked(tensor), shape));
        return;
      }
      case "view":
        names.bind(statement.name, this.#viewed(statement, names));
        return;
      case "write":
        this.#write(statement.to, this.#read(statement.from, names).tensor, names);
        return;
      case "update": {
        const operands = [statement.to, statement.from].map((name) => this.#read(name, names).tensor);
        const updated = this.#bench.applied({ op: statement.op, attributes: {} }, operands);
        this.#write(statement.to, updated, names);
        return;
      }
      case "detach": {
        const bound = this.#found(statement.of, names);
        const detached = (): Bound<T> => {
          const { tensor, shape } = this.#read(statement.of, names);
          return this.#made(this.#constant(tensor), shape);
        };
        names.bind(statement.name, bound.kind === "reference" ? { ...bound, isDetached: true } : detached());
        return;
      }
      case "if": {
        const block = this.#decides(statement.condition, names) ? statement.body : statement.otherwise;
        this.#block(block, new NameScope(names));
        return;
      }
      case "for":
        this.#for(statement, names);
        return;
      case "while":
        this.#while(statement, names);
        return;
      case "call":
        this.#call(statement, names);
        return;
      case "draw":
        this.#draw(statement, names);
        return;
      case "receive": {
        const { name, channel, shape } = statement;
        this.#bind(name, this.#bench.tensor(this.#receivedOn(channel, shape)), shape, names);
        return;
      }
      case "send": {
        const { tensor } = this.#read(statement.from, names);
        this.#sent.push({ channel: statement.channel, tensor });
        return;
      }
      case "no_grad": {
        const before = this.#isConstant;
        this.#isConstant = true;
        this.#block(statement.body, new NameScope(names));
        this.#isConstant = before;
        return;
      }
      case "checkpoint":
        throw new Unsupported("no checkpoint");
      case "retain":
        this.#retain(statement, names);
        return;
      case "release":
        this.#referenceTo(statement.of, names).location.isReleased = true;
        return;
      case "differentiate":
        this.#differentiate(statement, names);
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  #let(statement: StatementOf<"let">, names: Names<T>): void {
    const { do: _, name, operands, ...applied } = statement;
    const read = operands.map((operand) => this.#read(operand, names));
    const tensors = read.map(({ tensor }) => tensor);
    const shape = this.#shapeOf(
      statement,
      read.map((operand) => operand.shape),
    );
    this.#bind(name, this.#bench.applied(applied, tensors), shape, names);
  }

  /** Returns the shape that the value of a `let` should have, which is the same at each execution. */
  #shapeOf(statement: StatementOf<"let">, operands: readonly Shape[]): Shape {
    const known = this.#shapes.get(statement);
    if (known !== undefined) return known;
    const { do: _, name: _name, operands: names, ...applied } = statement;
    const node = { ...applied, parents: names.map((_operand, place) => nodeId(place)) };
    const shape = shapeOfNode(node, operands, this.#setting.program.environment);
    if (!shape.ok) throw new InvariantError(shape.error.message);
    this.#shapes.set(statement, shape.value);
    return shape.value;
  }

  #rebind({ name, to }: StatementOf<"rebind">, names: Names<T>): void {
    names.rebind(name, this.#found(to, names));
  }

  #viewed({ of, how }: StatementOf<"view">, names: Names<T>): Reference<T> {
    const reference = this.#referenceTo(of, names);
    const view = transformed(reference.view, how, (index) => this.#number(index, names));
    if (!view.ok) throw new Error(view.error.message);
    if (view.value !== undefined) return { ...reference, view: view.value };
    // No strides do this reshape.
    const { tensor, shape } = this.#read(of, names);
    const wanted = "shape" in how ? how.shape : shape;
    return located(reshaped(this.#bench, tensor, shape, wanted), wanted);
  }

  #write(to: string, tensor: T, names: Names<T>): void {
    const reference = this.#referenceTo(to, names);
    if (reference.location.isReleased) throw new Error(`${quote(to)} sees a location that was released`);
    if (seesTwice(reference.view)) throw new Error(`${quote(to)} sees an element more than once`);
    const isConstant = this.#isConstant || reference.isDetached;
    overwrite(this.#bench, reference, isConstant ? this.#constant(tensor) : tensor);
  }

  #for({ counter, times, body }: StatementOf<"for">, names: Names<T>): void {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names<T> = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      this.#block(body, inner);
    }
  }

  #while({ condition, fuel, body }: StatementOf<"while">, names: Names<T>): void {
    for (let turn = 0; this.#decides(condition, names); turn++) {
      if (turn >= fuel) throw new Error(`the loop has had its ${fuel} turns, and its condition still holds`);
      this.#block(body, new NameScope(names));
    }
  }

  #call({ names: bound, procedure, operands }: StatementOf<"call">, names: Names<T>): void {
    const called = this.#procedureNamed(procedure);
    const given = called.parameters.map(({ kind }, i) => {
      const name = at(operands, i);
      return kind === "reference" ? this.#referenceTo(name, names) : this.#copied(name, names);
    });
    if (this.#depth >= limits.calls)
      throw new Error(`the call stands within ${limits.calls} others, and that is the most`);
    this.#depth += 1;
    const results = this.#procedure(called, given);
    this.#depth -= 1;
    for (const [i, name] of bound.entries()) names.bind(name, at(results, i));
  }

  #draw({ name, from, shape, key }: StatementOf<"draw">, names: Names<T>): void {
    const words =
      key === undefined
        ? this.#nextKey()
        : ([this.#number(key[0], names), this.#number(key[1], names)] as const);
    const data = drawnElements(from, sizeOf(shape), words);
    this.#bind(name, this.#bench.tensor({ shape, data }), shape, names);
  }

  #nextKey(): readonly [number, number] {
    const { drawn } = this.#progress;
    this.#progress = { ...this.#progress, drawn: drawn + 1 };
    return keyOfDraw(this.#setting.key, drawn);
  }

  #receivedOn(channel: string, shape: Shape): FlatTensor {
    const { received } = this.#progress;
    const count = received.get(channel) ?? 0;
    this.#progress = { ...this.#progress, received: new Map([...received, [channel, count + 1]]) };
    const next = this.#setting.received.get(channel)?.[count];
    if (next === undefined) throw new Error(`nothing more comes on the channel ${quote(channel)}`);
    if (isSameShape(next.shape, shape)) return next;
    throw new Error(`what comes on the channel ${quote(channel)} has another shape`);
  }

  #retain({ of }: StatementOf<"retain">, names: Names<T>): void {
    if (!this.#isQuiet) this.#retained.push(this.#copied(of, names));
  }

  /**
   * Differentiates a procedure as a function of one tensor, by the library. Decisions, draws and what is
   * received are fixed in a run for values, and the same each time that the library runs it.
   */
  #differentiate(statement: StatementOf<"differentiate">, names: Names<T>): void {
    const { procedure, mode, of, wrt } = statement;
    const called = this.#procedureNamed(procedure);
    const operands = statement.operands.map((name) => this.#read(name, names));
    const x = at(operands, wrt);
    const along = at(operands, operands.length - 1);
    const start = this.#progress;
    const inner = (varied: T): T =>
      this.#bench.within(() => {
        this.#progress = start;
        const own = this.#bench.own(varied);
        const given = operands.slice(0, -1).map(({ tensor, shape }, place) => ({
          kind: "value" as const,
          tensor: place === wrt ? own : tensor,
          shape,
          number: -1,
        }));
        return at(this.#quietly(called, given), of).tensor;
      });
    if (this.#setting.decisions.length === start.decided)
      this.#bench.library.ownership?.release(inner(this.#bench.shared(x.tensor)));
    const shape = at(called.results, of).shape;
    const asked = { mode, dtype: this.#bench.dtype, of: shape, wrt: x.shape };
    const derived = derivativeOf(
      this.#bench.library,
      asked,
      inner,
      this.#bench.shared(x.tensor),
      this.#bench.shared(along.tensor),
    );
    this.#bind(statement.name, this.#bench.own(derived), mode === "vjp" ? x.shape : shape, names);
  }

  /** Returns the results of a procedure that is differentiated. */
  #quietly(called: Procedure, given: readonly Bound<T>[]): readonly Value<T>[] {
    const [wasQuiet, sent] = [this.#isQuiet, this.#sent.length];
    this.#isQuiet = true;
    const results = this.#procedure(called, given);
    this.#isQuiet = wasQuiet;
    if (this.#sent.length > sent)
      throw new Error("something is sent from within a procedure that is differentiated");
    return results;
  }

  /** Says whether a scalar is not 0, as was decided before, or as it is. */
  #decides(condition: string, names: Names<T>): boolean {
    const { decisions } = this.#setting;
    const { decided } = this.#progress;
    const known = decisions[decided] ?? this.#bench.isTrue(this.#read(condition, names).tensor);
    if (known === undefined)
      throw new Unsupported("no condition on a value which the library does not tell at once");
    decisions[decided] = known;
    this.#progress = { ...this.#progress, decided: decided + 1 };
    return known;
  }

  /** Reads the present value of a name. */
  #read(name: string, names: Names<T>): Shaped<T> {
    const bound = this.#found(name, names);
    switch (bound.kind) {
      case "value":
        return bound;
      case "counter":
        return { tensor: this.#bench.tensor({ shape: [], data: Float64Array.of(bound.turn) }), shape: [] };
      case "reference": {
        if (bound.location.isReleased) throw new Error(`${quote(name)} sees a location that was released`);
        const tensor = seenIn(this.#bench, bound);
        return { tensor: bound.isDetached ? this.#constant(tensor) : tensor, shape: bound.view.shape };
      }
      default:
        return assertNever(bound);
    }
  }

  #copied(name: string, names: Names<T>): Value<T> {
    const bound = this.#found(name, names);
    if (bound.kind === "value") return bound;
    const { tensor, shape } = this.#read(name, names);
    return this.#made(tensor, shape);
  }

  #bind(name: string, tensor: T, shape: Shape, names: Names<T>): void {
    names.bind(name, this.#made(this.#marked(tensor), shape));
  }

  /** Numbers a new value, and adds its tap. */
  #made(tensor: T, shape: Shape): Value<T> {
    if (this.#isQuiet) return { kind: "value", tensor, shape, number: -1 };
    const number = this.#count++;
    const tap = this.#setting.taps.get(number);
    const tapped =
      tap === undefined ? tensor : this.#bench.applied({ op: "add", attributes: {} }, [tensor, tap]);
    return { kind: "value", tensor: tapped, shape, number };
  }

  #marked(tensor: T): T {
    return this.#isConstant ? this.#constant(tensor) : tensor;
  }

  #constant(tensor: T): T {
    return this.#bench.applied({ op: "stop_gradient", attributes: {} }, [tensor]);
  }

  #found(name: string, names: Names<T>): Bound<T> {
    return present(names.find(name), "a name of a program that was checked");
  }

  #referenceTo(name: string, names: Names<T>): Reference<T> {
    const bound = this.#found(name, names);
    if (bound.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return bound;
  }

  #number(index: Index, names: Names<T>): number {
    if (typeof index === "number") return index;
    const bound = this.#found(index, names);
    if (bound.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return bound.turn;
  }

  #procedureNamed(name: string): Procedure {
    const { procedures } = this.#setting.program;
    return present(
      procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }
}
