import type { Node } from "../../spec/graph/index.ts";
import {
  type Block,
  type Compound,
  type Let,
  NameScope,
  type ParameterKind,
  type Procedure,
  plainOf,
  type Statement,
  type StatementOf,
} from "../../spec/programs/index.ts";
import {
  assertNever,
  at,
  floatAt,
  formatShape,
  isSameShape,
  nodeId,
  present,
  quote,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { Access } from "./access.ts";
import { drawnElements, keyOfDraw } from "./draws.ts";
import { ProgramFault } from "./fault.ts";
import type { Operation, Surroundings } from "./operation.ts";
import { Recorder } from "./recorder.ts";
import {
  type Leaving,
  limits,
  type Manner,
  type Progress,
  type Returning,
  type Runner,
  type Setting,
  stillManner,
} from "./setting.ts";
import type { Trace } from "./trace.ts";
import { type Bound, type Held, type Names, type Place, type Reference, valued } from "./value.ts";

/**
 * Runs a program, statement by statement, over memory that is overwritten in place [SEMANTICS §10.2]. A block
 * runs to its end, or throws {@link ProgramFault}. A mutant overrides a method.
 */
export class Run extends Access implements Runner {
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

  /** Runs a procedure on its operands, and reads its results. */
  procedure(
    { parameters, body, results }: Procedure,
    operands: readonly Bound[],
    outer: Names | undefined,
    manner: Manner,
  ): Held[] {
    const names = this.scopeWithin(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(operands, i));
    const left = this.block(body, names, manner);
    if (left?.kind === "return") return [...left.results];
    return this.resultsOf(
      results.map(({ name }) => name),
      names,
    );
  }

  /** Reads what a procedure returns. */
  protected resultsOf(results: readonly string[], names: Names): Held[] {
    return results.map((name) => this.copied(this.valueOf(name, names)));
  }

  /** Makes the names of a procedure before it begins. */
  protected scopeWithin(outer: Names | undefined): Names {
    return new NameScope(outer);
  }

  /** Runs the statements of a block, whose names are bound in `names`. */
  block(block: Block, names: Names, manner: Manner): Leaving | undefined {
    for (const statement of block) {
      try {
        this.step();
        const left = this.statement(statement, names, manner);
        if (left !== undefined) return left;
      } catch (fault) {
        if (fault instanceof ProgramFault) fault.statement ??= statement;
        throw fault;
      }
    }
    return undefined;
  }

  protected statement(statement: Statement, names: Names, manner: Manner): Leaving | undefined {
    switch (statement.do) {
      case "let":
        this.bind(statement.name, this.computed(statement, names), names, manner);
        return;
      case "rebind":
        this.rebind(statement, names);
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
      case "write_rows":
      case "write_where":
        this.compound(statement, names, manner);
        return;
      case "index":
        names.bind(statement.name, {
          kind: "counter",
          turn: this.placeOf(this.valueOf(statement.of, names)),
        });
        return;
      case "detach":
        names.bind(statement.name, this.detachedBound(statement.of, names));
        return;
      case "if":
        return this.branch(statement, names, manner);
      case "for":
        return this.loop(statement, names, manner);
      case "while":
        return this.turns(statement, names, manner);
      case "break":
        return { kind: "break" };
      case "call":
        this.call(statement, names, manner);
        return;
      case "return":
        return this.returned(statement, names);
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
        return this.noGrad(statement, names, manner);
      case "checkpoint":
        return this.checkpoint(statement, names, manner);
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

  protected rebind({ name, to }: StatementOf<"rebind">, names: Names): void {
    names.rebind(name, this.found(to, names));
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

  /** Runs the statements that one means, whose names end behind them. */
  protected compound(statement: Compound, names: Names, manner: Manner): void {
    const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
    const inner: Names = new NameScope(names);
    for (const plain of plainOf(statement, to, from)) this.statement(plain, inner, manner);
  }

  /** Returns the place along an axis that a scalar is. */
  protected placeOf({ data }: Held): number {
    const place = floatAt(data, 0);
    if (Number.isSafeInteger(place) && place >= 0) return place + 0;
    throw new ProgramFault("an index is no whole number from 0.");
  }

  protected applied(statement: Statement, node: () => Node, operands: readonly Held[]): Held {
    const { operations, declared, surroundings } = this.setting;
    const shapes = operands.map(({ shape }) => shape);
    return this.operated(operations.of(statement, node, shapes, declared), operands, surroundings);
  }

  /** Returns the value of an operation, its tangent, and its number. */
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

  protected branch(
    { condition, body, otherwise }: StatementOf<"if">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    const block = this.decides(this.valueOf(condition, names)) ? body : otherwise;
    return this.block(block, new NameScope(names), manner);
  }

  protected loop(
    { counter, times, body }: StatementOf<"for">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      this.step();
      const left = this.block(body, inner, manner);
      if (left !== undefined) return this.leftOfLoop(left);
    }
    return undefined;
  }

  /** Returns what goes on behind a loop that was left: nothing, unless its procedure is left too. */
  protected leftOfLoop(left: Leaving): Leaving | undefined {
    return left.kind === "break" ? undefined : left;
  }

  protected returned({ operands }: StatementOf<"return">, names: Names): Returning {
    return { kind: "return", results: this.resultsOf(operands, names) };
  }

  protected turns(
    { condition, fuel, body }: StatementOf<"while">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    for (let turn = 0; this.decides(this.valueOf(condition, names)); turn++) {
      if (turn >= fuel) {
        throw new ProgramFault(`the loop has had its ${fuel} turns, and its condition still holds.`);
      }
      this.step();
      const left = this.block(body, new NameScope(names), manner);
      if (left !== undefined) return this.leftOfLoop(left);
    }
    return undefined;
  }

  /** Says whether a scalar is not 0. */
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

  /** Returns a procedure's argument: a copy, the caller's location, or one that the caller has no more. */
  protected argument(kind: ParameterKind, name: string, names: Names): Bound {
    if (kind === "value") return valued(this.copied(this.valueOf(name, names)));
    const reference = this.referenceTo(name, names);
    return kind === "reference" ? reference : { ...reference, place: this.donated(reference.place) };
  }

  /** Moves a location: the place is released, and another one has its elements and what is saved of them. */
  protected donated(place: Place): Place {
    if (place.isReleased) throw new ProgramFault("it gives away a location that was released.");
    const moved = { ...place };
    place.isReleased = true;
    return moved;
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
      this.mannerOfDerivative(manner),
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
    const operation = operations.ofNode(node, shapes, recorder.declared);
    return this.operated(operation, values, recorder.surroundings);
  }

  /** Returns how a differentiated procedure runs: `no_grad` around the derivative does not reach it. */
  protected mannerOfDerivative(manner: Manner): Manner {
    return { ...this.deeper(manner), isConstant: false };
  }

  /** Makes a run inside this one. */
  protected within(setting: Setting, trace: Trace): Runner {
    return new setting.runOf(setting, trace);
  }

  protected noGrad({ body }: StatementOf<"no_grad">, names: Names, manner: Manner): Leaving | undefined {
    return this.block(body, new NameScope(names), { ...manner, isConstant: true });
  }

  /** Runs the body without keeping it; a sweep runs it again from a snapshot of its start. */
  protected checkpoint(
    { body }: StatementOf<"checkpoint">,
    names: Names,
    manner: Manner,
  ): Leaving | undefined {
    const run = (): Leaving | undefined => this.block(body, new NameScope(names), manner);
    return this.trace.again(run, () => {
      const start = this.snapshot(names);
      const progress = this.progressFrom();
      return (trace) => {
        this.within({ ...this.setting, progress }, trace).block(body, new NameScope(start), manner);
      };
    });
  }

  /** Copies the call's progress for a body that is run again: it draws and receives the same. */
  protected progressFrom(): Progress {
    const { progress } = this.setting;
    return { ...progress, statements: 0, received: new Map(progress.received), sent: [] };
  }

  /** Copies the present meaning of names, with each location. */
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
    const words =
      key === undefined
        ? this.nextKey()
        : ([this.number(key[0], names), this.number(key[1], names)] as const);
    return this.constant({ shape, data: drawnElements(from, sizeOf(shape), words) });
  }

  /** Returns the key of the generator's next draw. */
  protected nextKey(): readonly [number, number] {
    const { key, progress } = this.setting;
    return keyOfDraw(key, progress.drawn++);
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

/** Returns what a location holds, outside of any trace. */
export function contentsOf({ shape, data }: Place): FlatTensor {
  return { shape, data: data.slice() };
}

function nodeOfLet({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}
