import {
  assertNever,
  at,
  type Block,
  blocksOf,
  type Index,
  InvariantError,
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
import { at as element, type Tensor, tensor } from "../tensor.ts";
import type { Differentiation, Domain, Key, Shaped } from "./domain.ts";
import { StateFault } from "./fault.ts";
import { drawnFrom, receivedOn } from "./outside.ts";

/** What a run may use up. */
export interface Limits {
  /** Statements that are executed, turns of loops among them. */
  readonly statements: number;
  /** Elements of all locations together. */
  readonly elements: number;
  /** Calls within calls. */
  readonly calls: number;
}

/** What is allowed unless more is asked for. */
export const defaultLimits: Limits = { statements: 2 ** 20, elements: 2 ** 24, calls: 256 };

/** The state's generator of random numbers: a key, and how often it was drawn from. */
export interface Generator {
  readonly key: Key;
  readonly drawn: number;
}

/** The world outside, as a run finds it: by channel the tensors that are received, in order. */
export type World<S> = ReadonlyMap<string, readonly Tensor<S>[]>;

/** A value that was sent, and where. */
export interface Sent<V> {
  readonly channel: string;
  readonly value: V;
}

/** What the statements themselves ask of the algebra. */
export interface Literals<S> {
  /** The element that a number denotes. */
  literal(x: number): S;
  /** Whether an element is 0; `undefined` where nobody can tell. */
  isZero(x: S): boolean | undefined;
}

/** How far a run is; the runs within it go on from there. */
export class Progress {
  statements = 0;
  elements = 0;
  drawn: number;
  /** Whether each condition held, in the order in which they were looked at. */
  readonly decisions: boolean[] = [];
  /** By channel, how many tensors were received. */
  readonly received: Map<string, number> = new Map();
  readonly #start: number;

  constructor(drawn: number) {
    this.drawn = drawn;
    this.#start = drawn;
  }

  /** Draws once more: how many draws of the same run came before, wherever the generator began. */
  nextDraw(): number {
    return this.drawn++ - this.#start;
  }
}

/** What is the same for a run and those within it. */
export interface Setting<S> {
  readonly literals: Literals<S>;
  readonly limits: Limits;
  readonly world: World<S>;
  readonly key: Key;
  /** What an engine's own generator has drawn, in its place. */
  readonly draws?: readonly Tensor<S>[] | undefined;
  readonly progress: Progress;
  /** By statement, the node that it applies: a machine knows nodes by identity, and one serves all turns. */
  readonly nodes: Map<Statement, Node>;
}

/** A location: its memory, and what is known of it beside. */
interface Place<M> {
  readonly memory: M;
  isReleased: boolean;
}

/** What a name stands for. */
type Bound<V, M> =
  | { readonly kind: "value"; readonly value: V }
  | Reference<M>
  | { readonly kind: "counter"; readonly turn: number };

/** A location, seen in some way. */
interface Reference<M> {
  readonly kind: "reference";
  readonly place: Place<M>;
  readonly view: View;
  /** Whether what is read and written through it is constant under differentiation. */
  readonly isDetached: boolean;
}

type Names<V, M> = NameScope<Bound<V, M>>;

/** How a block is run: by the procedure around it, and by `no_grad`. */
interface Manner {
  readonly depth: number;
  readonly isConstant: boolean;
}

/** What cuts a derivative off. */
export const stopGradient: Node = { op: "stop_gradient", attributes: {}, parents: [nodeId(0)] };

/**
 * A run of a program on a domain: control flow, names, views, random numbers, the world. Big-step: a block runs to its end, or throws
 * {@link StateFault}.
 */
export class Run<S, V extends Shaped, M> {
  readonly sent: Sent<V>[] = [];
  readonly #domain: Domain<S, V, M>;
  readonly #program: Program;
  readonly #setting: Setting<S>;

  constructor(domain: Domain<S, V, M>, program: Program, setting: Setting<S>) {
    this.#domain = domain;
    this.#program = program;
    this.#setting = setting;
  }

  /** Runs the entry; what the persistent locations hold afterwards is in the order of the program's list. */
  enter(parameters: readonly V[], state: readonly V[]): { readonly results: V[]; readonly state: V[] } {
    const names: Names<V, M> = new NameScope();
    const references = this.#program.state.map(({ name }, i) => {
      const reference = this.#located(at(state, i));
      names.bind(name, reference);
      return reference;
    });
    const values = parameters.map(valued<V, M>);
    const results = this.#procedure(at(this.#program.procedures, 0), values, names, entryManner);
    return { results, state: references.map((reference) => this.#read(reference)) };
  }

  #procedure(
    { parameters, body, results }: Procedure,
    operands: readonly Bound<V, M>[],
    outer: Names<V, M> | undefined,
    manner: Manner,
  ): V[] {
    const names: Names<V, M> = new NameScope(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(operands, i));
    this.#block(body, names, manner);
    return results.map(({ name }) => this.#domain.copied(this.#valueOf(name, names)));
  }

  #block(block: Block, names: Names<V, M>, manner: Manner): void {
    for (const statement of block) {
      try {
        this.#step();
        this.#domain.enter(statement);
        this.#statement(statement, names, manner);
      } catch (fault) {
        if (fault instanceof StateFault) fault.statement ??= statement;
        throw fault;
      }
    }
  }

  #statement(statement: Statement, names: Names<V, M>, manner: Manner): void {
    const bind = (name: string, value: V): void =>
      names.bind(name, valued(manner.isConstant ? this.#detached(value) : value));
    switch (statement.do) {
      case "let":
        bind(
          statement.name,
          this.#domain.apply(
            this.#nodeOf(statement),
            statement.operands.map((name) => this.#valueOf(name, names)),
          ),
        );
        return;
      case "rebind":
        names.rebind(statement.name, this.#found(statement.to, names));
        return;
      case "buffer": {
        const value = this.#valueOf(statement.from, names);
        names.bind(statement.name, this.#located(manner.isConstant ? this.#detached(value) : value));
        return;
      }
      case "view":
        names.bind(statement.name, this.#viewed(statement, names));
        return;
      case "write":
        this.#write(statement, this.#valueOf(statement.from, names), names, manner);
        return;
      case "update": {
        const [old, operand] = [this.#valueOf(statement.to, names), this.#valueOf(statement.from, names)];
        this.#write(statement, this.#domain.apply(this.#nodeOf(statement), [old, operand]), names, manner);
        return;
      }
      case "detach":
        names.bind(statement.name, this.#detachedBound(statement.of, names));
        return;
      case "if": {
        const block = this.#decides(statement.condition, names) ? statement.body : statement.otherwise;
        this.#block(block, new NameScope(names), manner);
        return;
      }
      case "for":
        for (let turn = 0; turn < statement.times; turn++) {
          const inner: Names<V, M> = new NameScope(names);
          inner.bind(statement.counter, { kind: "counter", turn });
          this.#step();
          this.#block(statement.body, inner, manner);
        }
        return;
      case "while":
        this.#while(statement, names, manner);
        return;
      case "call":
        this.#call(statement, names, manner);
        return;
      case "draw":
        bind(statement.name, this.#drawn(statement, names));
        return;
      case "receive":
        bind(statement.name, receivedOn(this.#domain, this.#setting, statement.channel, statement.shape));
        return;
      case "send":
        this.sent.push({ channel: statement.channel, value: this.#valueOf(statement.from, names) });
        return;
      case "no_grad":
      case "checkpoint":
        for (const [, block] of blocksOf(statement)) {
          const isConstant = manner.isConstant || statement.do === "no_grad";
          this.#block(block, new NameScope(names), { ...manner, isConstant });
        }
        return;
      case "retain":
        this.#domain.retain(this.#valueOf(statement.of, names));
        return;
      case "release":
        this.#referenceTo(statement.of, names).place.isReleased = true;
        return;
      case "differentiate":
        bind(statement.name, this.#derivative(statement, names, manner));
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  #while({ condition, fuel, body }: StatementOf<"while">, names: Names<V, M>, manner: Manner): void {
    for (let turn = 0; this.#decides(condition, names); turn++) {
      if (turn >= fuel) {
        throw new StateFault(
          "program/fuel",
          `the loop has had its ${fuel} turns, and its condition still holds.`,
          "give it more fuel, or let its body change the condition",
        );
      }
      this.#step();
      this.#block(body, new NameScope(names), manner);
    }
  }

  #call(
    { names: bound, procedure, operands }: StatementOf<"call">,
    names: Names<V, M>,
    manner: Manner,
  ): void {
    const called = this.#calledProcedure(procedure);
    const given = called.parameters.map(({ kind }, i) => {
      const name = at(operands, i);
      return kind === "value"
        ? valued<V, M>(this.#domain.copied(this.#valueOf(name, names)))
        : this.#referenceTo(name, names);
    });
    const results = this.#procedure(called, given, undefined, this.#deeper(manner));
    for (const [i, name] of bound.entries()) names.bind(name, valued(at(results, i)));
  }

  #derivative(
    { procedure, mode, of, wrt, operands }: StatementOf<"differentiate">,
    names: Names<V, M>,
    manner: Manner,
  ): V {
    const called = this.#calledProcedure(procedure);
    const deeper = this.#deeper(manner);
    const derivative: Differentiation = { mode, wrt };
    const values = operands.map((name) => this.#valueOf(name, names));
    return this.#domain.differentiate(derivative, values, (domain, parameters) => {
      const inner = new Run(domain, this.#program, this.#setting);
      const results = inner.#values(called, parameters, deeper);
      if (inner.sent.length > 0) throw sentFromWithin();
      return at(results, of);
    });
  }

  /** A procedure of values. */
  #values(procedure: Procedure, parameters: readonly V[], manner: Manner): V[] {
    return this.#procedure(procedure, parameters.map(valued<V, M>), undefined, manner);
  }

  #calledProcedure(name: string): Procedure {
    return present(
      this.#program.procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }

  #deeper(manner: Manner): Manner {
    const { calls } = this.#setting.limits;
    if (manner.depth < calls) return { ...manner, depth: manner.depth + 1 };
    throw new StateFault(
      "program/recursion",
      `the call stands within ${calls} others, and that is the most.`,
      "let the recursion end sooner, or write a loop",
    );
  }

  /** Counts a statement, or a turn of a loop. */
  #step(): void {
    const { limits, progress } = this.#setting;
    progress.statements++;
    if (progress.statements <= limits.statements) return;
    throw new StateFault(
      "program/too-long-a-run",
      `the run has executed ${limits.statements} statements, and that is the most.`,
      "let the loops end sooner",
    );
  }

  #found(name: string, names: Names<V, M>): Bound<V, M> {
    return present(names.find(name), "a name of a program that was checked");
  }

  #referenceTo(name: string, names: Names<V, M>): Reference<M> {
    const found = this.#found(name, names);
    if (found.kind !== "reference") throw new InvariantError(`${quote(name)} is no reference`);
    return found;
  }

  /** What is read under a name, at this moment. */
  #valueOf(name: string, names: Names<V, M>): V {
    const found = this.#found(name, names);
    switch (found.kind) {
      case "value":
        return found.value;
      case "counter":
        return this.#domain.constant(this.#scalar(found.turn));
      case "reference":
        return this.#read(found);
      default:
        return assertNever(found);
    }
  }

  #read({ place, view, isDetached }: Reference<M>): V {
    if (place.isReleased) throw released("reads");
    const value = this.#domain.read(place.memory, view);
    return isDetached ? this.#detached(value) : value;
  }

  #write(
    statement: StatementOf<"write"> | StatementOf<"update">,
    value: V,
    names: Names<V, M>,
    manner: Manner,
  ): void {
    const { place, view, isDetached } = this.#referenceTo(statement.to, names);
    if (place.isReleased) throw released("writes");
    if (seesTwice(view)) throw writtenTwice(statement.to);
    const written = isDetached || manner.isConstant ? this.#detached(value) : value;
    this.#domain.write(place.memory, view, written, statement);
  }

  /** A location of its own. It is refused before it is made where there are too many elements. */
  #located(value: V): Reference<M> {
    const { limits, progress } = this.#setting;
    progress.elements += sizeOf(value.shape);
    if (progress.elements > limits.elements) {
      throw new StateFault(
        "program/memory",
        `all locations together would have more than ${limits.elements} elements.`,
        "make fewer or smaller ones",
      );
    }
    const place = { memory: this.#domain.allocate(value), isReleased: false };
    return { kind: "reference", place, view: wholeView(value.shape), isDetached: false };
  }

  /** The location seen otherwise; where no view of it is so, a copy. */
  #viewed({ of, how }: StatementOf<"view">, names: Names<V, M>): Reference<M> {
    const reference = this.#referenceTo(of, names);
    const seen = transformed(reference.view, how, (index) => this.#number(index, names));
    if (!seen.ok) throw new StateFault(seen.error.code, seen.error.message, seen.error.hint);
    if (seen.value !== undefined) return { ...reference, view: seen.value };
    const row = this.#domain.apply(reshapeTo("shape" in how ? how.shape : []), [this.#read(reference)]);
    return this.#located(row);
  }

  #number(index: Index, names: Names<V, M>): number {
    if (typeof index === "number") return index;
    const found = this.#found(index, names);
    if (found.kind !== "counter") throw new InvariantError(`${quote(index)} is no counter`);
    return found.turn;
  }

  #detachedBound(name: string, names: Names<V, M>): Bound<V, M> {
    const found = this.#found(name, names);
    return found.kind === "reference"
      ? { ...found, isDetached: true }
      : valued(this.#detached(this.#valueOf(name, names)));
  }

  #detached(value: V): V {
    return this.#domain.apply(stopGradient, [value]);
  }

  /** Whether a scalar is not 0. */
  #decides(name: string, names: Names<V, M>): boolean {
    const known = this.#domain.condition(this.#valueOf(name, names));
    const isZero = known && this.#setting.literals.isZero(element(known, 0));
    if (isZero !== undefined) {
      this.#setting.progress.decisions.push(!isZero);
      return !isZero;
    }
    throw new StateFault(
      "program/condition",
      `whether ${quote(name)} is 0 is not known.`,
      "run the program at a point, over an algebra that decides",
    );
  }

  #drawn({ from, shape, key }: StatementOf<"draw">, names: Names<V, M>): V {
    const own = key && ([this.#number(key[0], names), this.#number(key[1], names)] as const);
    return drawnFrom(this.#domain, this.#setting, from, shape, own);
  }

  #nodeOf(statement: Let | StatementOf<"update">): Node {
    const { nodes } = this.#setting;
    const node = nodes.get(statement) ?? nodeOf(statement);
    nodes.set(statement, node);
    return node;
  }

  #scalar(x: number): Tensor<S> {
    return tensor([], () => this.#setting.literals.literal(x));
  }
}

const entryManner: Manner = { depth: 0, isConstant: false };

function valued<V, M>(value: V): Bound<V, M> {
  return { kind: "value", value };
}

/** The node that a statement applies. */
export function nodeOf(statement: Let | StatementOf<"update">): Node {
  return statement.do === "let" ? nodeOfLet(statement) : nodeOfUpdate(statement);
}

function nodeOfLet({ do: _, name: _name, operands, ...applied }: Let): Node {
  return { ...applied, parents: operands.map((_operand, place) => nodeId(place)) };
}

function nodeOfUpdate({ op }: StatementOf<"update">): Node {
  return { op, attributes: {}, parents: [nodeId(0), nodeId(1)] };
}

/** A reshape as a node. */
export function reshapeTo(shape: Shape): Node {
  return { op: "reshape", attributes: { shape }, parents: [nodeId(0)] };
}

function released(does: "reads" | "writes"): StateFault {
  return new StateFault(
    "program/released",
    `it ${does} a location that was released.`,
    "release a location when nobody needs it any more",
  );
}

function writtenTwice(name: string): StateFault {
  return new StateFault(
    "program/write",
    `${quote(name)} sees some element more than once.`,
    "write through a view that sees each element once: one that was not broadcast",
  );
}

function sentFromWithin(): StateFault {
  return new StateFault(
    "program/effect",
    "something is sent from within a procedure that is differentiated.",
    "send what the derivative is, behind it",
  );
}
