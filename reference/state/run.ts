import type { Node } from "../../spec/graph/index.ts";
import {
  type Block,
  type Custom,
  customPartsOf,
  derivedCallOf,
  type Let,
  NameScope,
  type Procedure,
  type Program,
  plainOf,
  type Statement,
  type StatementOf,
} from "../../spec/programs/index.ts";
import { assertNever, at, present, quote, sizeOf } from "../../spec/shapes/index.ts";
import { at as element } from "../tensor.ts";
import { Access, type Manner } from "./access.ts";
import { type Bound, type Names, valued } from "./bound.ts";
import type { Differentiation, Domain, Shaped } from "./domain.ts";
import { placed, StateFault } from "./fault.ts";
import { drawnFrom, receivedOn } from "./outside.ts";
import { MOST_INDEX, type Sent, type Setting } from "./setting.ts";
import { nodeOf } from "./statement_nodes.ts";

/**
 * A run of a program on a domain: control flow, names, views, random numbers, the world. Big-step: a block
 * runs to its end, or throws {@link StateFault}.
 */
export class Run<S, V extends Shaped, M> extends Access<S, V, M> {
  readonly sent: Sent<V>[] = [];
  readonly #program: Program;

  constructor(domain: Domain<S, V, M>, program: Program, setting: Setting<S>) {
    super(domain, setting);
    this.#program = program;
  }

  /** Runs the entry; what the persistent locations hold afterwards is in the order of the program's list. */
  enter(parameters: readonly V[], state: readonly V[]): { readonly results: V[]; readonly state: V[] } {
    const names: Names<V, M> = new NameScope();
    const references = this.#program.state.map(({ name }, i) => {
      const reference = this.located(at(state, i));
      names.bind(name, reference);
      return reference;
    });
    for (const alias of this.#program.aliases ?? []) names.bind(alias.name, this.viewed(alias, names));
    const values = parameters.map(valued<V, M>);
    const results = this.#procedure(at(this.#program.procedures, 0), values, names, entryManner);
    const left = references.map((reference, i) => placed(`/state/${i}`, () => this.read(reference)));
    return { results, state: left };
  }

  #procedure(
    procedure: Procedure,
    operands: readonly Bound<V, M>[],
    outer: Names<V, M> | undefined,
    manner: Manner,
  ): V[] {
    const { parameters, body, results } = procedure;
    const names: Names<V, M> = new NameScope(outer);
    for (const [i, { name }] of parameters.entries()) names.bind(name, at(operands, i));
    const left = this.#block(body, names, manner);
    if (left?.kind === "return") return [...left.results];
    const place = `/procedures/${this.#program.procedures.indexOf(procedure)}/results`;
    return results.map(({ name }, i) => placed(`${place}/${i}`, () => this.#result(name, names)));
  }

  #block(block: Block, names: Names<V, M>, manner: Manner): Leaving<V> | undefined {
    for (const statement of block) {
      try {
        this.#step();
        this.domain.enter(statement);
        const left = this.#statement(statement, names, manner);
        if (left !== undefined) return left;
      } catch (fault) {
        if (fault instanceof StateFault) fault.statement ??= statement;
        throw fault;
      }
    }
    return undefined;
  }

  #statement(statement: Statement, names: Names<V, M>, manner: Manner): Leaving<V> | undefined {
    const bind = (name: string, value: V): void =>
      names.bind(name, valued(manner.isConstant ? this.detached(value) : value));
    switch (statement.do) {
      case "let":
        bind(
          statement.name,
          this.domain.apply(
            this.#nodeOf(statement),
            statement.operands.map((name) => this.valueOf(name, names)),
          ),
        );
        return;
      case "rebind":
        names.rebind(statement.name, this.found(statement.to, names));
        return;
      case "buffer": {
        const value = this.valueOf(statement.from, names);
        names.bind(statement.name, this.located(manner.isConstant ? this.detached(value) : value));
        return;
      }
      case "view":
        names.bind(statement.name, this.viewed(statement, names));
        return;
      case "write":
        this.write(statement, this.valueOf(statement.from, names), names, manner);
        return;
      case "update": {
        const [old, operand] = [this.valueOf(statement.to, names), this.valueOf(statement.from, names)];
        this.write(statement, this.domain.apply(this.#nodeOf(statement), [old, operand]), names, manner);
        return;
      }
      case "write_rows":
      case "write_where":
      case "write_scatter": {
        const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
        if (statement.do === "write_scatter") this.#countable(sizeOf(to));
        const inner: Names<V, M> = new NameScope(names);
        for (const plain of plainOf(statement, to, from)) this.#statement(plain, inner, manner);
        return;
      }
      case "index":
        names.bind(statement.name, { kind: "counter", turn: this.#index(statement.of, names) });
        return;
      case "detach":
        names.bind(statement.name, this.detachedBound(statement.of, names));
        return;
      case "if": {
        const block = this.#decides(statement.condition, names) ? statement.body : statement.otherwise;
        return this.#block(block, new NameScope(names), manner);
      }
      case "for":
        return this.#for(statement, names, manner);
      case "while":
        return this.#while(statement, names, manner);
      case "break":
        return { kind: "break" };
      case "call":
        this.#call(statement, names, manner);
        return;
      case "custom":
      case "hook":
        this.#custom(statement, names, manner);
        return;
      case "return":
        return { kind: "return", results: statement.operands.map((name) => this.#result(name, names)) };
      case "draw":
        bind(statement.name, this.#drawn(statement, names));
        return;
      case "receive":
        bind(statement.name, receivedOn(this.domain, this.setting, statement.channel, statement.shape));
        return;
      case "send":
        this.sent.push({ channel: statement.channel, value: this.valueOf(statement.from, names) });
        return;
      case "no_grad":
        return this.#block(statement.body, new NameScope(names), { ...manner, isConstant: true });
      case "checkpoint":
        return this.#block(statement.body, new NameScope(names), manner);
      case "retain":
        this.domain.retain(this.valueOf(statement.of, names));
        return;
      case "release":
        this.referenceTo(statement.of, names).place.isReleased = true;
        return;
      case "differentiate":
        bind(statement.name, this.#derivative(statement, names, manner));
        return;
      case "differentiate_call":
        this.#derivedCall(statement, names, manner);
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  #for(
    { counter, times, body }: StatementOf<"for">,
    names: Names<V, M>,
    manner: Manner,
  ): Leaving<V> | undefined {
    for (let turn = 0; turn < times; turn++) {
      const inner: Names<V, M> = new NameScope(names);
      inner.bind(counter, { kind: "counter", turn });
      this.#step();
      const left = this.#block(body, inner, manner);
      if (left !== undefined) return leftOfLoop(left);
    }
    return undefined;
  }

  #while(
    { condition, fuel, body }: StatementOf<"while">,
    names: Names<V, M>,
    manner: Manner,
  ): Leaving<V> | undefined {
    for (let turn = 0; this.#decides(condition, names); turn++) {
      if (turn >= fuel) {
        throw new StateFault(
          "program/fuel",
          `the loop has had its ${fuel} turns, and its condition still holds.`,
          "give it more fuel, or let its body change the condition",
        );
      }
      this.#step();
      const left = this.#block(body, new NameScope(names), manner);
      if (left !== undefined) return leftOfLoop(left);
    }
    return undefined;
  }

  /** Reads a result of a procedure, as a copy. */
  #result(name: string, names: Names<V, M>): V {
    return this.domain.copied(this.valueOf(name, names));
  }

  #call(
    { names: bound, procedure, operands }: StatementOf<"call">,
    names: Names<V, M>,
    manner: Manner,
  ): void {
    const called = this.#calledProcedure(procedure);
    const given = called.parameters.map(({ kind }, i) => this.argument(kind, at(operands, i), names));
    const results = this.#procedure(called, given, undefined, this.#deeper(manner));
    for (const [i, name] of bound.entries()) names.bind(name, valued(at(results, i)));
  }

  /** Executes what a statement means whose derivative is said; of the names bound its own stay. */
  #custom(statement: Custom, names: Names<V, M>, manner: Manner): void {
    const inner: Names<V, M> = new NameScope(names);
    const constants = new Set<string>();
    for (const part of customPartsOf(statement, this.#program)) {
      this.domain.enter(statement);
      this.#statement(part, inner, manner);
      if (part.do !== "let") continue;
      if (part.op === "stop_gradient") constants.add(part.name);
      else if (constants.has(part.operands[0] ?? "")) this.#vanishing(part.name, statement.derivative, inner);
    }
    const own = statement.do === "hook" ? [statement.name] : statement.names;
    for (const name of own) names.bind(name, this.found(name, inner));
  }

  /** A number less itself is 0, unless it is not finite: then nothing is said of its derivative. */
  #vanishing(name: string, derivative: string, names: Names<V, M>): void {
    const known = this.domain.known(this.valueOf(name, names));
    if (known?.data.some((x) => this.setting.literals.isZero(x) === false) !== true) return;
    throw new StateFault(
      "program/derivative",
      `${quote(derivative)} is not finite here, and says no derivative.`,
      "say one that is finite wherever the value is",
    );
  }

  #derivative(
    { procedure, operands, ...asked }: StatementOf<"differentiate">,
    names: Names<V, M>,
    manner: Manner,
  ): V {
    const called = this.#calledProcedure(procedure);
    const along = at(operands, operands.length - 1);
    return this.#derived(called, asked, operands, along, names, manner, ({ sent }) => {
      if (sent.length > 0) throw sentFromWithin();
    });
  }

  /** Takes the derivative of a call where it finds everything; then the call happens [SEMANTICS §10.17]. */
  #derivedCall(statement: StatementOf<"differentiate_call">, names: Names<V, M>, manner: Manner): void {
    const { procedure, mode, wrt, operands, derivatives } = statement;
    const plain = derivedCallOf(statement, this.#calledProcedure(procedure));
    const inner: Names<V, M> = new NameScope(names);
    for (const one of plain.before) this.#statement(one, inner, manner);
    this.checkApart(
      wrt.map((place) => at(operands, place)),
      names,
    );
    // The world hears of the call alone, which draws and receives what its derivative does.
    const derivative = this.setting.progress.twice(() =>
      this.#derived(plain.procedure, { mode, of: 0, wrt: 0 }, plain.operands, plain.along, inner, manner),
    );
    inner.bind(plain.derivative, valued(manner.isConstant ? this.detached(derivative) : derivative));
    for (const one of plain.after) this.#statement(one, inner, manner);
    this.#call(plain.call, names, manner);
    for (const name of derivatives) names.bind(name, this.found(name, inner));
  }

  /**
   * Derives a procedure at values, and at copies of the locations that it is given, which are shared as these
   * are. What is around it, such as `no_grad`, does not reach into the inner graph.
   */
  #derived(
    called: Procedure,
    { mode, of, wrt }: Pick<StatementOf<"differentiate">, "mode" | "of" | "wrt">,
    operands: readonly string[],
    along: string,
    names: Names<V, M>,
    manner: Manner,
    ended: (inner: { readonly sent: readonly unknown[] }) => void = () => {},
  ): V {
    const deeper = { ...this.#deeper(manner), isConstant: false };
    const derivative: Differentiation = { mode, wrt };
    const given = called.parameters.map(({ kind }, i) =>
      kind === "value"
        ? valued<V, M>(this.valueOf(at(operands, i), names))
        : this.referenceTo(at(operands, i), names),
    );
    const values = given.flatMap((one) => (one.kind === "value" ? [one.value] : []));
    const places = [...new Set(given.flatMap((one) => (one.kind === "reference" ? [one.place] : [])))];
    const all = [...values, ...places.map((place) => this.contentsOf(place)), this.valueOf(along, names)];
    return this.domain.differentiate(derivative, all, (domain, parameters) => {
      const inner = new Run(domain, this.#program, this.setting);
      const copies = parameters.slice(values.length).map((contents) => inner.located(contents).place);
      let next = 0;
      const results = inner.#procedure(
        called,
        given.map((one) =>
          one.kind === "reference"
            ? { ...one, place: at(copies, places.indexOf(one.place)) }
            : valued(at(parameters, next++)),
        ),
        undefined,
        deeper,
      );
      ended(inner);
      return at(results, of);
    });
  }

  #calledProcedure(name: string): Procedure {
    return present(
      this.#program.procedures.find((procedure) => procedure.name === name),
      "a procedure of a program that was checked",
    );
  }

  #deeper(manner: Manner): Manner {
    const { calls } = this.setting.limits;
    if (manner.depth < calls) return { ...manner, depth: manner.depth + 1 };
    throw new StateFault(
      "program/recursion",
      `the call stands within ${calls} others, and that is the most.`,
      "let the recursion end sooner, or write a loop",
    );
  }

  /** Counts a statement, or a turn of a loop. */
  #step(): void {
    const { limits, progress } = this.setting;
    progress.statements++;
    if (progress.statements <= limits.statements) return;
    throw new StateFault(
      "program/too-long-a-run",
      `the run has executed ${limits.statements} statements, and that is the most.`,
      "let the loops end sooner",
    );
  }

  /** Decides a condition: a scalar that is not 0 holds. */
  #decides(name: string, names: Names<V, M>): boolean {
    const known = this.domain.condition(this.valueOf(name, names));
    const isZero = known && this.setting.literals.isZero(element(known, 0));
    if (isZero !== undefined) {
      this.setting.progress.decisions.push(!isZero);
      return !isZero;
    }
    throw new StateFault(
      "program/condition",
      `whether ${quote(name)} is 0 is not known.`,
      "run the program at a point, over an algebra that decides",
    );
  }

  /** Finds the whole number that a scalar is. */
  #index(name: string, names: Names<V, M>): number {
    const known = this.domain.index(this.valueOf(name, names));
    if (known === undefined)
      throw new StateFault(
        "program/condition",
        `which place ${quote(name)} is is not known.`,
        "run the program at a point, over an algebra that decides",
      );
    const place = this.setting.literals.wholeOf(element(known, 0));
    if (place === undefined)
      throw new StateFault(
        "program/index",
        `${quote(name)} is no whole number from 0 to ${MOST_INDEX}.`,
        "round it, and keep it within its axis",
      );
    this.setting.progress.decisions.push(place);
    return place;
  }

  /** The places under a mask are counted in the algebra [SEMANTICS §10.20]. */
  #countable(most: number): void {
    const { literal, wholeOf } = this.setting.literals;
    // Of numbers with p bits either of the two is the first that is rounded, if one is.
    for (const count of [most - 1, most]) {
      const whole = count > 0 ? wholeOf(literal(count)) : undefined;
      if (whole !== undefined && whole !== count)
        throw new StateFault(
          "program/index",
          `${most} places are not counted exactly in these numbers.`,
          "write fewer places at once, or run the program in numbers with more digits",
        );
    }
  }

  #drawn({ from, shape, key }: StatementOf<"draw">, names: Names<V, M>): V {
    const own = key && ([this.number(key[0], names), this.number(key[1], names)] as const);
    return drawnFrom(this.domain, this.setting, from, shape, own);
  }

  #nodeOf(statement: Let | StatementOf<"update">): Node {
    const { nodes } = this.setting;
    const node = nodes.get(statement) ?? nodeOf(statement);
    nodes.set(statement, node);
    return node;
  }
}

/** A block that ends early leaves a loop, or a procedure with these results [SEMANTICS §10.12]. */
type Leaving<V> = { readonly kind: "break" } | { readonly kind: "return"; readonly results: readonly V[] };

/** A loop that was left has ended; a procedure has not ended yet. */
function leftOfLoop<V>(left: Leaving<V>): Leaving<V> | undefined {
  return left.kind === "break" ? undefined : left;
}

const entryManner: Manner = { depth: 0, isConstant: false };

function sentFromWithin(): StateFault {
  return new StateFault(
    "program/effect",
    "something is sent from within a procedure that is differentiated.",
    "send what the derivative is, behind it",
  );
}
