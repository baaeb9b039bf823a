import {
  assertNever,
  at,
  type Block,
  type FlatTensor,
  floatAt,
  formatShape,
  type Index,
  InvariantError,
  isSameShape,
  type Let,
  NameScope,
  type Node,
  nodeId,
  type Procedure,
  type Program,
  present,
  quote,
  type Shape,
  type Statement,
  type StatementOf,
  seesTwice,
  sizeOf,
  transformed,
  type View,
  wholeView,
} from "../../spec/index.ts";
import { randomBits, randomKey } from "../interpreter/kernels/threefry.ts";
import { ProgramFault } from "./fault.ts";
import type { Memory } from "./memory.ts";
import type { Declared, Operation, Operations } from "./operation.ts";
import { Recorder } from "./recorder.ts";
import type { Surroundings, Trace } from "./trace.ts";
import type { Bound, Held, Names, Place, Reference } from "./value.ts";

/** What a call may use up. */
interface Limits {
  /** Statements that are executed, turns of loops among them. */
  readonly statements: number;
  /** Elements of all locations together. */
  readonly elements: number;
  /** Calls within calls. */
  readonly calls: number;
}

/** What is allowed. */
const limits: Limits = { statements: 2 ** 20, elements: 2 ** 24, calls: 256 };

/** How far a call is. */
export interface Progress {
  statements: number;
  elements: number;
  drawn: number;
  /** By channel, how many tensors were received. */
  readonly received: Map<string, number>;
  readonly sent: { readonly channel: string; readonly value: FlatTensor }[];
}

/** What is the same for a run and those within it. */
export interface Setting {
  /** What makes the runs within. */
  readonly runOf: RunOf;
  readonly program: Program;
  readonly operations: Operations;
  readonly memory: Memory;
  readonly isSingle: boolean;
  /** Whether values have tangents. */
  readonly isForward: boolean;
  readonly declared: Declared;
  readonly surroundings: Surroundings;
  readonly received: ReadonlyMap<string, readonly FlatTensor[]>;
  readonly key: readonly [number, number];
  readonly progress: Progress;
}

/** What makes a run: another one than {@link Run} only where a fault is planted. */
export type RunOf = new (setting: Setting, trace: Trace) => Run;

/** How a block is run: by the procedure around it, and by `no_grad`. */
export interface Manner {
  readonly depth: number;
  readonly isConstant: boolean;
}

const stillManner: Manner = { depth: 0, isConstant: false };

/**
 * A run of a program, statement by statement, over memory that is overwritten in place [SEMANTICS §10.2]. A block runs to its end, or throws {@link ProgramFault}.
 * A fault is planted by overriding a method.
 */
export class Run {
  protected readonly setting: Setting;
  protected readonly trace: Trace;

  constructor(setting: Setting, trace: Trace) {
    this.setting = setting;
    this.trace = trace;
  }

  /** Runs the entry; the places are those of the persistent locations. */
  enter(
    parameters: readonly Held[],
    state: readonly Held[],
  ): { readonly results: readonly Held[]; readonly places: readonly Place[] } {
    const { program } = this.setting;
    const names: Names = new NameScope();
    const places = program.state.map(({ name }, i) => {
      const reference = this.located(at(state, i));
      names.bind(name, reference);
      return reference.place;
    });
    const results = this.procedure(at(program.procedures, 0), parameters.map(valued), names, stillManner);
    return { results, places };
  }

  protected procedure(
    { parameters, body, results }: Procedure,
    operands: readonly Bound[],
    outer: Names | undefined,
    manner: Manner,
  ): Held[] {
    const names: Names = new NameScope(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(operands, i));
    this.block(body, names, manner);
    return results.map(({ name }) => this.copied(this.valueOf(name, names)));
  }

  /** Runs the statements of a block, whose names are bound in `names`. */
  block(block: Block, names: Names, manner: Manner): void {
    for (const statement of block) {
      try {
        this.step();
        this.statement(statement, names, manner);
      } catch (fault) {
        if (fault instanceof ProgramFault) fault.statement ??= statement;
        throw fault;
      }
    }
  }

  protected statement(statement: Statement, names: Names, manner: Manner): void {
    switch (statement.do) {
      case "let":
        this.bind(statement.name, this.computed(statement, names), names, manner);
        return;
      case "rebind":
        names.rebind(statement.name, this.found(statement.to, names));
        return;
      case "buffer":
        names.bind(
          statement.name,
          this.located(this.constantWithin(manner, this.valueOf(statement.from, names))),
        );
        return;
      case "view":
        names.bind(statement.name, this.viewed(statement, names));
        return;
      case "write":
        this.write(statement.to, this.valueOf(statement.from, names), names, manner);
        return;
      case "update":
        this.write(statement.to, this.updated(statement, names), names, manner);
        return;
      case "detach":
        names.bind(statement.name, this.detachedBound(statement.of, names));
        return;
      case "if":
        this.branch(statement, names, manner);
        return;
      case "for":
        this.loop(statement, names, manner);
        return;
      case "while":
        this.turns(statement, names, manner);
        return;
      case "call":
        this.call(statement, names, manner);
        return;
      case "draw":
        this.bind(statement.name, this.drawn(statement, names), names, manner);
        return;
      case "receive":
        this.bind(statement.name, this.constant(this.receive(statement)), names, manner);
        return;
      case "send":
        this.send(statement, this.valueOf(statement.from, names));
        return;
      case "no_grad":
        this.noGrad(statement, names, manner);
        return;
      case "checkpoint":
        this.checkpoint(statement, names, manner);
        return;
      case "retain":
        this.retain(this.valueOf(statement.of, names));
        return;
      case "release":
        this.release(this.referenceTo(statement.of, names));
        return;
      case "differentiate":
        this.bind(statement.name, this.derivative(statement, names, manner), names, manner);
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  protected bind(name: string, value: Held, names: Names, manner: Manner): void {
    names.bind(name, valued(this.constantWithin(manner, value)));
  }

  protected constantWithin({ isConstant }: Manner, value: Held): Held {
    return isConstant ? this.detached(value) : value;
  }

  protected computed(statement: Let, names: Names): Held {
    const operands = statement.operands.map((name) => this.valueOf(name, names));
    return this.applied(statement, () => nodeOfLet(statement), operands);
  }

  protected updated(statement: StatementOf<"update">, names: Names): Held {
    const operands = [this.valueOf(statement.to, names), this.valueOf(statement.from, names)];
    const { op } = statement;
    return this.applied(statement, () => ({ op, attributes: {}, parents: [nodeId(0), nodeId(1)] }), operands);
  }

  protected applied(statement: Statement, node: () => Node, operands: readonly Held[]): Held {
    const { operations, declared, surroundings } = this.setting;
    const shapes = operands.map(({ shape }) => shape);
    return this.operated(operations.of(statement, node, shapes, declared), operands, surroundings);
  }

  /** The value of an operation, its tangent, and its number. */
  protected operated(operation: Operation, operands: readonly Held[], surroundings: Surroundings): Held {
    const tangents = operands.flatMap(({ shape, tangent }) =>
      tangent === undefined ? [] : [{ shape, data: tangent }],
    );
    return {
      shape: operation.shape,
      data: operation.value(operands, surroundings),
      tangent: this.setting.isForward ? operation.tangent(operands, tangents, surroundings) : undefined,
      slot: this.trace.applied(operation, operands, surroundings),
      seen: undefined,
    };
  }

  protected branch({ condition, body, otherwise }: StatementOf<"if">, names: Names, manner: Manner): void {
    const block = this.decides(this.valueOf(condition, names)) ? body : otherwise;
    this.block(block, new NameScope(names), manner);
  }

  protected loop({ counter, times, body }: StatementOf<"for">, names: Names, manner: Manner): void {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      this.step();
      this.block(body, inner, manner);
    }
  }

  protected turns({ condition, fuel, body }: StatementOf<"while">, names: Names, manner: Manner): void {
    for (let turn = 0; this.decides(this.valueOf(condition, names)); turn++) {
      if (turn >= fuel) {
        throw new ProgramFault(`the loop has had its ${fuel} turns, and its condition still holds.`);
      }
      this.step();
      this.block(body, new NameScope(names), manner);
    }
  }

  /** Whether a scalar is not 0. */
  protected decides({ data }: Held): boolean {
    return floatAt(data, 0) !== 0;
  }

  protected call(
    { names: bound, procedure, operands }: StatementOf<"call">,
    names: Names,
    manner: Manner,
  ): void {
    const called = this.procedureNamed(procedure);
    const given = called.parameters.map(({ kind }, i) => this.argument(kind, at(operands, i), names));
    const results = this.procedure(called, given, undefined, this.deeper(manner));
    for (const [i, name] of bound.entries()) names.bind(name, valued(at(results, i)));
  }

  /** What a procedure is given: a copy, or the caller's location. */
  protected argument(kind: "value" | "reference", name: string, names: Names): Bound {
    return kind === "value" ? valued(this.copied(this.valueOf(name, names))) : this.referenceTo(name, names);
  }

  /** A value that no later write reaches: what was read is a copy already. */
  protected copied(value: Held): Held {
    return { ...value, seen: undefined };
  }

  protected derivative(
    { procedure, mode, of, wrt, operands }: StatementOf<"differentiate">,
    names: Names,
    manner: Manner,
  ): Held {
    const called = this.procedureNamed(procedure);
    const values = operands.map((name) => this.valueOf(name, names));
    const { operations, progress } = this.setting;
    const recorder = new Recorder(this.setting.declared, this.setting.surroundings);
    const setting: Setting = {
      ...this.setting,
      isForward: false,
      declared: recorder.declared,
      surroundings: recorder.surroundings,
    };
    const parameters = values.slice(0, -1).map(({ shape, data }): Bound => {
      const value = { shape, data, tangent: undefined, slot: recorder.input({ shape }), seen: undefined };
      return valued(value);
    });
    const sent = progress.sent.length;
    const results = this.within(setting, recorder).procedure(
      called,
      parameters,
      undefined,
      this.deeper(manner),
    );
    if (progress.sent.length > sent) {
      throw new ProgramFault("something is sent from within a procedure that is differentiated.");
    }
    const node: Node = {
      op: "differentiate",
      attributes: {
        graph: recorder.graph(),
        mode,
        of: nodeId(at(results, of).slot),
        wrt: nodeId(wrt),
      },
      parents: values.map((_, place) => nodeId(place)),
    };
    const shapes = values.map(({ shape }) => shape);
    const operation = operations.made(node, shapes, recorder.declared);
    return this.operated(operation, values, recorder.surroundings);
  }

  /** A run within this one. */
  protected within(setting: Setting, trace: Trace): Run {
    return new setting.runOf(setting, trace);
  }

  protected noGrad({ body }: StatementOf<"no_grad">, names: Names, manner: Manner): void {
    this.block(body, new NameScope(names), { ...manner, isConstant: true });
  }

  /** The body is run, and not kept: its start is, from which a sweep runs it again. */
  protected checkpoint({ body }: StatementOf<"checkpoint">, names: Names, manner: Manner): void {
    const run = (): void => this.block(body, new NameScope(names), manner);
    this.trace.again(run, () => {
      const start = this.snapshot(names);
      const progress = this.progressFrom();
      return (trace) =>
        this.within({ ...this.setting, progress }, trace).block(body, new NameScope(start), manner);
    });
  }

  /** How far the call is now, for a body that is run again: it draws and receives the same, and what it sends goes nowhere. */
  protected progressFrom(): Progress {
    const { progress } = this.setting;
    return { ...progress, statements: 0, received: new Map(progress.received), sent: [] };
  }

  /** What names stand for now, with a copy of each location. */
  protected snapshot(names: Names): Names {
    const copies = new Map<Place, Place>();
    const snapshot: Names = new NameScope();
    for (const name of names.names()) {
      const bound = this.found(name, names);
      if (bound.kind !== "reference") {
        snapshot.bind(name, bound);
        continue;
      }
      const place = copies.get(bound.place) ?? this.setting.memory.again(bound.place);
      copies.set(bound.place, place);
      snapshot.bind(name, { ...bound, place });
    }
    return snapshot;
  }

  protected retain(value: Held): void {
    this.trace.retain(value.slot, value);
  }

  protected release({ place }: Reference): void {
    place.isReleased = true;
  }

  protected send({ channel }: StatementOf<"send">, { shape, data }: Held): void {
    this.setting.progress.sent.push({ channel, value: { shape, data: data.slice() } });
  }

  protected receive({ channel, shape }: StatementOf<"receive">): FlatTensor {
    const { received, progress } = this.setting;
    const count = progress.received.get(channel) ?? 0;
    progress.received.set(channel, count + 1);
    const next = received.get(channel)?.[count];
    if (next === undefined) throw new ProgramFault(`nothing more comes on the channel ${quote(channel)}.`);
    if (isSameShape(next.shape, shape)) return next;
    throw new ProgramFault(
      `what comes on the channel ${quote(channel)} has shape ${formatShape(next.shape)}, and ${formatShape(shape)} is wanted.`,
    );
  }

  protected drawn({ from, shape, key }: StatementOf<"draw">, names: Names): Held {
    const [k0, k1] =
      key === undefined
        ? this.nextKey()
        : ([this.number(key[0], names), this.number(key[1], names)] as const);
    const element = (position: number): number => {
      const bits = randomBits(k0, k1, 0, position) / 2 ** 32;
      if (from.kind === "uniform") return bits;
      return bits >= from.rate ? 1 : 0;
    };
    return this.constant({ shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => element(i)) });
  }

  /** The key of the generator's next draw. */
  protected nextKey(): readonly [number, number] {
    const { key, progress } = this.setting;
    return randomKey(key[0], key[1], 0, progress.drawn++);
  }

  /** A value that depends on nothing, in the precision computed in. */
  protected constant({ shape, data }: FlatTensor): Held {
    const rounded = this.setting.isSingle ? data.map(Math.fround) : data;
    const tangent = this.setting.isForward ? new Float64Array(data.length) : undefined;
    return {
      shape,
      data: rounded,
      tangent,
      slot: this.trace.constant({ shape, data: rounded }),
      seen: undefined,
    };
  }

  protected detached(value: Held): Held {
    const tangent = value.tangent && new Float64Array(value.data.length);
    return { ...value, tangent, slot: this.trace.detached(value.slot), seen: undefined };
  }

  protected detachedBound(name: string, names: Names): Bound {
    const found = this.found(name, names);
    return found.kind === "reference"
      ? { ...found, isDetached: true }
      : valued(this.detached(this.valueOf(name, names)));
  }

  protected found(name: string, names: Names): Bound {
    return present(names.find(name), "a name of a program that was checked");
  }

  protected referenceTo(name: string, names: Names): Reference {
    const found = this.found(name, names);
    if (found.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return found;
  }

  /** What is read under a name, at this moment. */
  protected valueOf(name: string, names: Names): Held {
    const found = this.found(name, names);
    switch (found.kind) {
      case "value":
        return found.value;
      case "counter":
        return this.constant({ shape: [], data: Float64Array.of(found.turn) });
      case "reference":
        return this.read(found);
      default:
        return assertNever(found);
    }
  }

  protected read({ place, view, isDetached }: Reference): Held {
    if (place.isReleased) throw new ProgramFault("it reads a location that was released.");
    const value = this.setting.memory.read(place, view, this.trace);
    return isDetached ? this.detached(value) : value;
  }

  protected write(to: string, value: Held, names: Names, manner: Manner): void {
    const { place, view, isDetached } = this.referenceTo(to, names);
    if (place.isReleased) throw new ProgramFault("it writes a location that was released.");
    if (seesTwice(view)) throw new ProgramFault(`${quote(to)} sees some element more than once.`);
    const written = this.constantWithin({ ...manner, isConstant: manner.isConstant || isDetached }, value);
    this.setting.memory.write(place, view, written, this.trace);
  }

  /** A location of its own. It is refused before it is made where there are too many elements. */
  protected located(value: Held): Reference {
    const { progress, memory } = this.setting;
    progress.elements += sizeOf(value.shape);
    if (progress.elements > limits.elements) {
      throw new ProgramFault(`all locations together would have more than ${limits.elements} elements.`);
    }
    const place = memory.located(value);
    return { kind: "reference", place, view: wholeView(value.shape), isDetached: false };
  }

  /** The location seen otherwise; where no view of it is so, a copy. */
  protected viewed({ of, how }: StatementOf<"view">, names: Names): Reference {
    const reference = this.referenceTo(of, names);
    const seen = transformed(reference.view, how, (index) => this.number(index, names));
    if (!seen.ok) throw new ProgramFault(seen.error.message);
    if (seen.value !== undefined) return this.seenAs(reference, seen.value);
    const shape: Shape = "shape" in how ? how.shape : [];
    return this.reshapedCopy(this.read(reference), shape);
  }

  protected seenAs(reference: Reference, view: View): Reference {
    return { ...reference, view };
  }

  protected reshapedCopy({ data, tangent, slot, shape: from }: Held, shape: Shape): Reference {
    return this.located({
      shape,
      data,
      tangent,
      slot: this.trace.reshaped(slot, from, shape),
      seen: undefined,
    });
  }

  protected number(index: Index, names: Names): number {
    if (typeof index === "number") return index;
    const found = this.found(index, names);
    if (found.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return found.turn;
  }

  protected procedureNamed(name: string): Procedure {
    return present(
      this.setting.program.procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }

  protected deeper(manner: Manner): Manner {
    if (manner.depth < limits.calls) return { ...manner, depth: manner.depth + 1 };
    throw new ProgramFault(`the call stands within ${limits.calls} others, and that is the most.`);
  }

  /** Counts a statement, or a turn of a loop. */
  protected step(): void {
    const { progress } = this.setting;
    progress.statements++;
    if (progress.statements <= limits.statements) return;
    throw new ProgramFault(`the run has executed ${limits.statements} statements, and that is the most.`);
  }
}

/** What a location holds, outside of any trace. */
export function contentsOf({ shape, data }: Place): FlatTensor {
  return { shape, data: data.slice() };
}

function valued(value: Held): Bound {
  return { kind: "value", value };
}

function nodeOfLet({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}
