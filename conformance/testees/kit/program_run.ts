import { drawnElements, keyOfDraw } from "../../../engines/memory/index.ts";
import { shapeOfNode } from "../../../spec/expansion/index.ts";
import {
  type Block,
  customPartsOf,
  derivedCallOf,
  NameScope,
  type Procedure,
  plainOf,
  type Statement,
  type StatementOf,
} from "../../../spec/programs/index.ts";
import {
  assertNever,
  at,
  InvariantError,
  isSameShape,
  nodeId,
  quote,
  type Shape,
  sizeOf,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { Unsupported } from "./library.ts";
import { derivativeOf } from "./nested.ts";
import {
  type Bound,
  located,
  type Names,
  ProgramAccess,
  type ProgramSetting,
  type Shaped,
  type Value,
} from "./program_access.ts";
import type { Workbench } from "./workbench.ts";

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

/** A block that does not run to its end leaves the loop around, or the procedure with these results. */
type Leaving<T> =
  | { readonly kind: "break" }
  | { readonly kind: "return"; readonly results: readonly Value<T>[] };

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
export class ProgramRun<T> extends ProgramAccess<T> {
  readonly #shapes: Map<Statement, Shape> = new Map();
  readonly #sent: { readonly channel: string; readonly tensor: T }[] = [];
  readonly #retained: (Shaped<T> & { readonly number: number })[] = [];
  #progress: Progress;
  #steps = 0;
  #depth = 0;

  constructor(bench: Workbench<T>, setting: ProgramSetting<T>) {
    super(bench, setting);
    this.#progress = { drawn: setting.drawn, decided: 0, received: new Map() };
  }

  /** Runs the entry on tensors of the workbench. */
  enter(parameters: readonly Shaped<T>[], state: readonly Shaped<T>[]): ProgramLeft<T> {
    const { program } = this.setting;
    const entry = at(program.procedures, 0);
    const names: Names<T> = new NameScope();
    const places = program.state.map(({ name }, i) => {
      const { tensor, shape } = at(state, i);
      const reference = located(tensor, shape);
      names.bind(name, reference);
      return reference.location;
    });
    for (const alias of program.aliases ?? []) names.bind(alias.name, this.viewed(alias, names));
    const given = parameters.map(({ tensor, shape }) => this.made(tensor, shape));
    const results = this.#procedure(entry, given, names);
    const { drawn } = this.#progress;
    return { results, state: places, sent: this.#sent, retained: this.#retained, drawn };
  }

  #procedure({ parameters, body, results }: Procedure, given: readonly Bound<T>[], outer?: Names<T>) {
    const names: Names<T> = new NameScope(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(given, i));
    const left = this.#block(body, names);
    if (left?.kind === "return") return left.results;
    return results.map(({ name }) => this.copied(name, names));
  }

  #block(block: Block, names: Names<T>): Leaving<T> | undefined {
    for (const statement of block) {
      this.#steps += 1;
      if (this.#steps > limits.statements)
        throw new Error(`the run has executed ${limits.statements} statements, and that is the most`);
      const left = this.#statement(statement, names);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  #statement(statement: Statement, names: Names<T>): Leaving<T> | undefined {
    switch (statement.do) {
      case "let":
        this.#let(statement, names);
        return;
      case "rebind":
        this.#rebind(statement, names);
        return;
      case "buffer": {
        const { tensor, shape } = this.read(statement.from, names);
        names.bind(statement.name, located(this.marked(tensor), shape));
        return;
      }
      case "view":
        names.bind(statement.name, this.viewed(statement, names));
        return;
      case "write":
        this.write(statement.to, this.read(statement.from, names).tensor, names);
        return;
      case "update": {
        const operands = [statement.to, statement.from].map((name) => this.read(name, names).tensor);
        const updated = this.bench.applied({ op: statement.op, attributes: {} }, operands);
        this.write(statement.to, updated, names);
        return;
      }
      case "detach":
        names.bind(statement.name, this.detached(statement.of, names));
        return;
      case "if": {
        const block = this.#decides(statement.condition, names) ? statement.body : statement.otherwise;
        return this.#block(block, new NameScope(names));
      }
      case "for":
        return this.#for(statement, names);
      case "while":
        return this.#while(statement, names);
      case "break":
        return { kind: "break" };
      case "call":
        this.#call(statement, names);
        return;
      case "return":
        return { kind: "return", results: statement.operands.map((name) => this.copied(name, names)) };
      case "write_rows":
      case "write_where":
      case "write_scatter": {
        const inner: Names<T> = new NameScope(names);
        const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
        for (const plain of plainOf(statement, to, from)) this.#statement(plain, inner);
        return;
      }
      case "custom":
      case "hook": {
        // Users of such libraries write the parts: a value, less what is 0 and has a derivative.
        const inner: Names<T> = new NameScope(names);
        for (const part of customPartsOf(statement, this.setting.program)) this.#statement(part, inner);
        const own = statement.do === "hook" ? [statement.name] : statement.names;
        for (const name of own) names.bind(name, this.found(name, inner));
        return;
      }
      case "index":
        names.bind(statement.name, { kind: "counter", turn: this.#place(statement.of, names) });
        return;
      case "draw":
        this.#draw(statement, names);
        return;
      case "receive": {
        const { name, channel, shape } = statement;
        this.bind(name, this.bench.tensor(this.#receivedOn(channel, shape)), shape, names);
        return;
      }
      case "send": {
        const { tensor } = this.read(statement.from, names);
        this.#sent.push({ channel: statement.channel, tensor });
        return;
      }
      case "no_grad": {
        const before = this.isConstant;
        this.isConstant = true;
        const left = this.#block(statement.body, new NameScope(names));
        this.isConstant = before;
        return left;
      }
      case "checkpoint":
        throw new Unsupported("no checkpoint");
      case "retain":
        this.#retain(statement, names);
        return;
      case "release":
        this.referenceTo(statement.of, names).location.isReleased = true;
        return;
      case "differentiate":
        this.#differentiate(statement, names);
        return;
      case "differentiate_call":
        this.#derivedCall(statement, names);
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  #let(statement: StatementOf<"let">, names: Names<T>): void {
    const { do: _, name, operands, ...applied } = statement;
    const read = operands.map((operand) => this.read(operand, names));
    const tensors = read.map(({ tensor }) => tensor);
    const shape = this.#shapeOf(
      statement,
      read.map((operand) => operand.shape),
    );
    this.bind(name, this.bench.applied(applied, tensors), shape, names);
  }

  /** Returns the shape that the value of a `let` should have, which is the same at each execution. */
  #shapeOf(statement: StatementOf<"let">, operands: readonly Shape[]): Shape {
    const known = this.#shapes.get(statement);
    if (known !== undefined) return known;
    const { do: _, name: _name, operands: names, ...applied } = statement;
    const node = { ...applied, parents: names.map((_operand, place) => nodeId(place)) };
    const shape = shapeOfNode(node, operands, this.setting.program.environment);
    if (!shape.ok) throw new InvariantError(shape.error.message);
    this.#shapes.set(statement, shape.value);
    return shape.value;
  }

  #rebind({ name, to }: StatementOf<"rebind">, names: Names<T>): void {
    names.rebind(name, this.found(to, names));
  }

  #for({ counter, times, body }: StatementOf<"for">, names: Names<T>): Leaving<T> | undefined {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names<T> = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      const left = this.#block(body, inner);
      if (left !== undefined) return left.kind === "break" ? undefined : left;
    }
    return undefined;
  }

  #while({ condition, fuel, body }: StatementOf<"while">, names: Names<T>): Leaving<T> | undefined {
    for (let turn = 0; this.#decides(condition, names); turn++) {
      if (turn >= fuel) throw new Error(`the loop has had its ${fuel} turns, and its condition still holds`);
      const left = this.#block(body, new NameScope(names));
      if (left !== undefined) return left.kind === "break" ? undefined : left;
    }
    return undefined;
  }

  #call({ names: bound, procedure, operands }: StatementOf<"call">, names: Names<T>): void {
    const called = this.procedureNamed(procedure);
    const given = called.parameters.map(({ kind }, i) => {
      const name = at(operands, i);
      if (kind === "value") return this.copied(name, names);
      return kind === "reference" ? this.referenceTo(name, names) : this.donated(name, names);
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
        : ([this.number(key[0], names), this.number(key[1], names)] as const);
    const data = drawnElements(from, sizeOf(shape), words);
    this.bind(name, this.bench.tensor({ shape, data }), shape, names);
  }

  #nextKey(): readonly [number, number] {
    const { drawn } = this.#progress;
    this.#progress = { ...this.#progress, drawn: drawn + 1 };
    return keyOfDraw(this.setting.key, drawn);
  }

  #receivedOn(channel: string, shape: Shape): FlatTensor {
    const { received } = this.#progress;
    const count = received.get(channel) ?? 0;
    this.#progress = { ...this.#progress, received: new Map([...received, [channel, count + 1]]) };
    const next = this.setting.received.get(channel)?.[count];
    if (next === undefined) throw new Error(`nothing more comes on the channel ${quote(channel)}`);
    if (isSameShape(next.shape, shape)) return next;
    throw new Error(`what comes on the channel ${quote(channel)} has another shape`);
  }

  #retain({ of }: StatementOf<"retain">, names: Names<T>): void {
    if (!this.isQuiet) this.#retained.push(this.copied(of, names));
  }

  #differentiate(statement: StatementOf<"differentiate">, names: Names<T>): void {
    const { name, procedure, operands, ...asked } = statement;
    const along = at(operands, operands.length - 1);
    const sent = this.#sent.length;
    const derived = this.#derived(this.procedureNamed(procedure), asked, operands, along, names);
    if (this.#sent.length > sent)
      throw new Error("something is sent from within a procedure that is differentiated");
    this.bind(name, derived.tensor, derived.shape, names);
  }

  /** Differentiates a call, and then calls: what that draws, receives and sends happened nowhere before. */
  #derivedCall(statement: StatementOf<"differentiate_call">, names: Names<T>): void {
    const { procedure, mode, derivatives } = statement;
    const plain = derivedCallOf(statement, this.procedureNamed(procedure));
    const inner: Names<T> = new NameScope(names);
    for (const one of plain.before) this.#statement(one, inner);
    this.checkApart(statement, names);
    const [start, sent] = [this.#progress, this.#sent.length];
    const asked = { mode, of: 0, wrt: 0 };
    const derived = this.#derived(plain.procedure, asked, plain.operands, plain.along, inner);
    this.#sent.length = sent;
    this.#progress = { ...start, decided: this.#progress.decided };
    this.bind(plain.derivative, derived.tensor, derived.shape, inner);
    for (const one of plain.after) this.#statement(one, inner);
    this.#call(plain.call, names);
    for (const name of derivatives) names.bind(name, this.found(name, inner));
  }

  /**
   * Differentiates a procedure as a function of one tensor, by the library, on copies of locations.
   * Decisions, draws and what is received are fixed in a run for values, and the same each time that the
   * library runs it.
   */
  #derived(
    called: Procedure,
    { mode, of, wrt }: Pick<StatementOf<"differentiate">, "mode" | "of" | "wrt">,
    operands: readonly string[],
    direction: string,
    names: Names<T>,
  ): Shaped<T> {
    const given = called.parameters.map(({ kind }, i): Bound<T> => {
      const name = at(operands, i);
      if (kind !== "value") return this.referenceTo(name, names);
      return { kind: "value", ...this.read(name, names), number: -1 };
    });
    const x = this.read(at(operands, wrt), names);
    const along = this.read(direction, names);
    const start = this.#progress;
    const inner = (varied: T): T =>
      this.bench.within(() => {
        this.#progress = start;
        const own = this.bench.own(varied);
        const bound = this.again(given).map((one, place) =>
          place === wrt && one.kind === "value" ? { ...one, tensor: own } : one,
        );
        return at(this.#quietly(called, bound), of).tensor;
      });
    if (this.setting.decisions.length === start.decided)
      this.bench.library.ownership?.release(inner(this.bench.shared(x.tensor)));
    const shape = at(called.results, of).shape;
    const asked = { mode, dtype: this.bench.dtype, of: shape, wrt: x.shape };
    const derived = derivativeOf(
      this.bench.library,
      asked,
      inner,
      this.bench.shared(x.tensor),
      this.bench.shared(along.tensor),
    );
    return { tensor: this.bench.own(derived), shape: mode === "vjp" ? x.shape : shape };
  }

  /** Returns the results of a differentiated procedure, into which `no_grad` around it does not reach. */
  #quietly(called: Procedure, given: readonly Bound<T>[]): readonly Value<T>[] {
    const [wasQuiet, wasConstant] = [this.isQuiet, this.isConstant];
    this.isQuiet = true;
    this.isConstant = false;
    const results = this.#procedure(called, given);
    this.isQuiet = wasQuiet;
    this.isConstant = wasConstant;
    return results;
  }

  /** Says whether a scalar is not 0, as was decided before, or as it is. */
  #decides(condition: string, names: Names<T>): boolean {
    return this.#looked(condition, names) !== 0;
  }

  #place(index: string, names: Names<T>): number {
    const place = this.#looked(index, names);
    if (Number.isSafeInteger(place) && place >= 0) return place;
    throw new Error("an index is no whole number from 0");
  }

  /** Looks at a scalar that decides what is executed. */
  #looked(name: string, names: Names<T>): number {
    const { decisions } = this.setting;
    const { decided } = this.#progress;
    const known = decisions[decided] ?? this.bench.number(this.read(name, names).tensor);
    if (known === undefined)
      throw new Unsupported("no condition on a value which the library does not tell at once");
    decisions[decided] = known;
    this.#progress = { ...this.#progress, decided: decided + 1 };
    return known;
  }
}
