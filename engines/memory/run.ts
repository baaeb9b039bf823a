import {
  type Block,
  type Compound,
  type Custom,
  type CustomPart,
  customPartsOf,
  derivedCallOf,
  NameScope,
  type PlainDerivedCall,
  plainOf,
  type Statement,
  type StatementOf,
} from "../../spec/programs/index.ts";
import { assertNever, at } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { Control } from "./control.ts";
import { ProgramFault } from "./fault.ts";
import { type Leaving, type Manner, type Progress, type Runner, stillManner } from "./setting.ts";
import { type Held, type Names, type Place, type Reference, valued } from "./value.ts";

/**
 * Runs a program, statement by statement, over memory that is overwritten in place [SEMANTICS §10.2]. A block
 * runs to its end, or throws {@link ProgramFault}. A mutant overrides a method.
 */
export class Run extends Control implements Runner {
  places: readonly Place[] = [];

  /** Runs the entry, and returns its results. */
  enter(parameters: readonly Held[], state: readonly Held[]): readonly Held[] {
    const { program } = this.setting;
    const names: Names = new NameScope();
    this.places = program.state.map(({ name }, i) => {
      const reference = this.located(at(state, i));
      names.bind(name, reference);
      return reference.place;
    });
    for (const alias of program.aliases ?? []) names.bind(alias.name, this.aliased(alias, names));
    return this.procedure(at(program.procedures, 0), parameters.map(valued), names, stillManner);
  }

  /** Returns what another name of a persistent location sees. */
  protected aliased(alias: StatementOf<"view">, names: Names): Reference {
    return this.viewed(alias, names);
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
      case "write_scatter":
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
      case "custom":
      case "hook":
        this.custom(statement, names, manner);
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
      case "differentiate_call":
        this.derivedCall(statement, names, manner);
        return;
      default:
        assertNever(statement);
        return;
    }
  }

  /** Runs the statements that one means, whose names end behind them. */
  protected compound(statement: Compound, names: Names, manner: Manner): void {
    const [to, from] = [this.shapeOf(statement.to, names), this.shapeOf(statement.from, names)];
    const inner: Names = new NameScope(names);
    for (const plain of plainOf(statement, to, from)) this.statement(plain, inner, manner);
  }

  /** Runs what a statement means whose derivative is said; of the names bound its own stay. */
  protected custom(statement: Custom, names: Names, manner: Manner): void {
    const inner: Names = new NameScope(names);
    for (const part of this.partsOf(statement)) this.statement(part, inner, manner);
    const own = statement.do === "hook" ? [statement.name] : statement.names;
    for (const name of own) names.bind(name, this.found(name, inner));
  }

  protected partsOf(statement: Custom): readonly CustomPart[] {
    return customPartsOf(statement, this.setting.program);
  }

  /** Differentiates a call on copies of the locations that it is given, and then calls. */
  protected derivedCall(statement: StatementOf<"differentiate_call">, names: Names, manner: Manner): void {
    const plain = this.plainCall(statement);
    const inner: Names = new NameScope(names);
    for (const one of plain.before) this.statement(one, inner, manner);
    this.checkApart(statement, names);
    const { mode } = statement;
    const within = this.within({ ...this.setting, progress: this.progressOfDerivative() }, this.trace);
    const derivative = within.derived(
      plain.procedure,
      { mode, of: 0, wrt: 0 },
      plain.operands,
      plain.along,
      inner,
      manner,
    );
    inner.bind(plain.derivative, valued(this.constantWithin(manner, derivative)));
    for (const one of plain.after) this.statement(one, inner, manner);
    this.primalCall(plain.call, names, manner);
    for (const name of statement.derivatives) names.bind(name, this.found(name, inner));
  }

  /** The call happens behind its derivative, and draws and receives the same. */
  protected progressOfDerivative(): Progress {
    return this.progressFrom();
  }

  /** Returns the statements that a call with derivatives means. */
  protected plainCall(statement: StatementOf<"differentiate_call">): PlainDerivedCall {
    return derivedCallOf(statement, this.procedureNamed(statement.procedure));
  }

  /** Calls what was differentiated: all that the call does beside its results is done here, once. */
  protected primalCall(statement: StatementOf<"call">, names: Names, manner: Manner): void {
    this.call(statement, names, manner);
  }
}

/** Returns what a location holds, outside of any trace. */
export function contentsOf({ shape, data }: Place): FlatTensor {
  return { shape, data: data.slice() };
}
