import { type AttributesOf, type OperatorName, operatorNames, operators } from "../composites/index.ts";
import { broadcastShape } from "../construction/broadcast.ts";
import { isNode, unwrap } from "../construction/construction.ts";
import { GraphError } from "../graph/index.ts";
import type {
  Distribution,
  Index,
  Parameter,
  Program,
  ResultName,
  Statement,
  StatementOf,
  Transform,
  UpdateOperator,
} from "../programs/index.ts";
import { isSameShape, nodeId, type Shape } from "../shapes/index.ts";
import { ENTRY, type Within, Written } from "./written.ts";

/** A program is written with these: what has a name and a shape, or a number for a scalar constant. */
export type ProgramOperand = ProgramValue | ProgramReference | ProgramCounter | number;

type Arguments<A> = [keyof A] extends [never]
  ? readonly ProgramOperand[]
  : readonly [...operands: readonly ProgramOperand[], attributes: A];

/** Every operator as a method of its first operand: `x.add(y)`. A location is read at that moment. */
export type ProgramMethods = {
  readonly [K in OperatorName]: (...rest: Arguments<AttributesOf[K]>) => ProgramValue;
};

/** A value of a program under construction. */
export interface ProgramValue extends ProgramMethods, ResultName {
  /** From here on the name stands for another value. */
  becomes(other: ProgramValue): void;
  /** Makes the value constant under differentiation. */
  detach(): ProgramValue;
  /** Asks for its cotangent too. */
  retain(): void;
}

/** The counter of a loop, which is a scalar where it is an operand. */
export interface ProgramCounter extends ProgramMethods, ResultName {
  readonly isCounter: true;
}

/** A view of a location of a program under construction. */
export interface ProgramReference extends ProgramMethods, ResultName {
  readonly isReference: true;
  /** Sees it otherwise. */
  view(how: Transform): ProgramReference;
  /** Sees one entry of the first axis, without that axis. */
  at(index: Index | ProgramCounter): ProgramReference;
  /** Reads the present contents as a value. */
  read(): ProgramValue;
  write(value: ProgramOperand): void;
  update(op: UpdateOperator, value: ProgramOperand): void;
  /** Writes, or updates, rows along the first axis, one after the other. */
  writeRows(rows: readonly (Index | ProgramCounter)[], value: ProgramOperand, op?: UpdateOperator): void;
  /** Writes, or updates, where the mask is not 0; a scalar fills. */
  writeWhere(mask: ProgramOperand, value: ProgramOperand, op?: UpdateOperator): void;
  /** Writes, or updates, where the mask is not 0, with the elements of a row in their order. */
  writeScatter(mask: ProgramOperand, values: ProgramOperand, op?: UpdateOperator): void;
  detached(): ProgramReference;
  release(): void;
}

/** A procedure that can be called. */
export interface ProgramProcedure {
  readonly name: string;
  readonly results: readonly Shape[];
}

/** Every operator as a function, declarations, and statements. Bodies are functions, run once. */
export interface ProgramBuilder extends ProgramMethods {
  /** Declares the next parameter of the entry. */
  input(name: string, shape?: Shape): ProgramValue;
  /** Declares a persistent location. */
  state(name: string, shape?: Shape): ProgramReference;
  /**
   * Declares another name of a persistent location, which sees it by one view after the other: whole without
   * any. Contents and cotangents are the location's [SEMANTICS §10.18].
   */
  alias(name: string, of: ProgramReference, ...how: readonly Transform[]): ProgramReference;
  /** Declares a real entry of Δ, and returns it as a value. */
  parameter(name: string, shape?: Shape): ProgramValue;
  /** Declares an index entry of Δ, and returns its name. */
  indices(name: string, shape: Shape): string;
  buffer(value: ProgramOperand): ProgramReference;
  if_(condition: ProgramOperand, body: () => void, otherwise?: () => void): void;
  for_(times: number, body: (counter: ProgramCounter) => void): void;
  while_(condition: ProgramOperand, fuel: number, body: () => void): void;
  /** Ends the innermost loop around. */
  break_(): void;
  /** Ends the procedure with these results, from within a block. */
  return_(...results: readonly ProgramOperand[]): void;
  noGrad(body: () => void): void;
  checkpoint(body: () => void): void;
  /** Makes a place of a scalar that is a whole number. */
  index(value: ProgramOperand): ProgramCounter;
  draw(
    from: Distribution,
    shape: Shape,
    key?: readonly [Index | ProgramCounter, Index | ProgramCounter],
  ): ProgramValue;
  receive(channel: string, shape: Shape): ProgramValue;
  send(channel: string, value: ProgramOperand): void;
  /** Writes a procedure; its results' shapes are said where it calls itself. */
  procedure(
    name: string,
    parameters: readonly Parameter[],
    body: (...parameters: readonly (ProgramValue | ProgramReference)[]) => readonly ProgramOperand[],
    results?: readonly Shape[],
  ): ProgramProcedure;
  call(procedure: ProgramProcedure, ...operands: readonly ProgramOperand[]): ProgramValue[];
  /** Calls a procedure whose derivative is that of another one, which gets the same, then what was saved. */
  custom(
    procedure: ProgramProcedure,
    derivative: ProgramProcedure,
    ...operands: readonly ProgramOperand[]
  ): ProgramValue[];
  /** Makes the same value, whose cotangent is changed as the derivative of the procedure does it. */
  hook(value: ProgramOperand, derivative: ProgramProcedure): ProgramValue;
  /** Applies a procedure's derivative of a result by a parameter. The tangent or cotangent comes last. */
  derivative(
    procedure: ProgramProcedure,
    how: { readonly mode: "vjp" | "jvp"; readonly of: number; readonly wrt: number },
    ...operands: readonly ProgramOperand[]
  ): ProgramValue;
  /** Calls a procedure, and differentiates the call: its results, then a derivative for each place asked. */
  derivedCall(
    procedure: ProgramProcedure,
    how: {
      readonly mode: "vjp" | "jvp";
      readonly of: readonly number[];
      readonly wrt: readonly number[];
      readonly along: readonly ProgramOperand[];
    },
    ...operands: readonly ProgramOperand[]
  ): ProgramValue[];
}

/**
 * Writes a program: `program(({ input, buffer }) => { const a = buffer(input("x")); a.update("add", 1);
 * return [a]; })`. Every call appends a statement to the block that is being written; names are made up. What
 * `write` returns are the results of the entry. Throws {@link GraphError} where `checkProgram` would refuse
 * what is written, at the line where it is. Law: `checkProgram` accepts what is returned.
 */
export function program(write: (builder: ProgramBuilder) => readonly ProgramOperand[]): Program {
  return new Writing().program(write);
}

/** A program while it is written: operands become names, and what is written is checked. */
class Writing {
  readonly #written: Written = new Written();

  program(write: (builder: ProgramBuilder) => readonly ProgramOperand[]): Program {
    const results = write(this.#builder()).map((result) => this.named(result));
    const body = this.#written.end(results);
    const { state, aliases, parameters, environment, procedures } = this.#written;
    return {
      format: "adjudge.program.v1",
      state,
      ...(aliases.length === 0 ? {} : { aliases }),
      environment: [...environment.values()],
      procedures: [{ name: ENTRY, parameters, body, results }, ...procedures.values()],
    };
  }

  /** Appends a statement. */
  push(statement: Statement): void {
    this.#written.add(statement);
  }

  fresh(): string {
    return this.#written.fresh();
  }

  /** Appends a statement, and returns the value that it binds. */
  bound(statement: Statement & { readonly name: string }): ProgramValue {
    this.push(statement);
    return this.value(statement.name, this.#written.shapeOf(statement.name));
  }

  /** Appends a statement, and returns the reference that it binds. */
  located(statement: Statement & { readonly name: string }): ProgramReference {
    this.push(statement);
    return this.reference(statement.name, this.#written.shapeOf(statement.name));
  }

  /** Returns name and shape of an operand of this program; a number becomes a scalar. */
  named(operand: unknown, shape: Shape = []): ResultName {
    if (typeof operand !== "number") return this.#own(operand);
    const name = this.fresh();
    this.push({ do: "let", name, op: "full", attributes: { shape, value: operand }, operands: [] });
    return { name, shape };
  }

  #own(operand: unknown): ResultName {
    if (isOwned(operand) && operand.writing === this) return { name: operand.name, shape: operand.shape };
    throw new GraphError("operand", {
      code: "program/name",
      message: isOwned(operand) ? `${operand.name} is of another program.` : "this is no operand.",
      hint: "give a number, or a value, location or counter of this program",
    });
  }

  /** Returns the name of an operand in this shape: broadcast to it, as a statement that one can see. */
  shaped(operand: unknown, shape: Shape): string {
    const own = this.named(operand, shape);
    if (isSameShape(own.shape, shape)) return own.name;
    return this.call("broadcast_to", [this.value(own.name, own.shape), { shape }]).name;
  }

  /** Returns a place along an axis: a number, or the counter of a loop of this program. */
  place(index: Index | ProgramCounter): Index {
    return typeof index === "object" ? this.#own(index).name : index;
  }

  value(name: string, shape: Shape): ProgramValue {
    return Object.assign(Object.create(valueMethods), { writing: this, name, shape });
  }

  reference(name: string, shape: Shape): ProgramReference {
    return Object.assign(Object.create(referenceMethods), { writing: this, name, shape, isReference: true });
  }

  /** Calls an operator; attributes stand behind the operands. Elementwise operands get one shape. */
  call(op: OperatorName, all: readonly unknown[]): ProgramValue {
    const { attributes: known, isElementwise = false } = operators[op];
    const hasAttributes = Object.keys(known).length > 0;
    const given = hasAttributes ? all.slice(0, -1) : all;
    const attributes: unknown = hasAttributes ? all.at(-1) : {};
    const shapes = given.flatMap((operand) =>
      typeof operand === "number" ? [] : [this.#own(operand).shape],
    );
    const common = isElementwise ? unwrap(op, broadcastShape(shapes)) : [];
    const operands = given.map((operand) =>
      isElementwise ? this.shaped(operand, common) : this.named(operand, common).name,
    );
    const node = { op, attributes, parents: operands.map((_, place) => nodeId(place)) };
    if (!isNode(node)) {
      throw new GraphError(op, {
        code: "graph/attributes",
        message: "its last argument must be an object with its attributes.",
        hint: "see docs/operators.md",
      });
    }
    const { parents: _, ...applied } = node;
    return this.bound({ do: "let", name: this.fresh(), ...applied, operands });
  }

  #counter(name: string): ProgramCounter {
    return Object.assign(Object.create(valueMethods), { writing: this, name, shape: [], isCounter: true });
  }

  #builder(): ProgramBuilder {
    const functions = Object.fromEntries(
      operatorNames.map((op) => [op, (...all: readonly unknown[]) => this.call(op, all)]),
    );
    return Object.assign(Object.create(null), functions, this.#declarations(), this.#statements());
  }

  #declarations(): Pick<ProgramBuilder, Declaring> {
    return {
      input: (name, shape = []) => {
        this.#written.declareParameter(name, shape);
        return this.value(name, shape);
      },
      state: (name, shape = []) => {
        this.#written.declareLocation(name, shape);
        return this.reference(name, shape);
      },
      alias: (name, of, ...how) => {
        const all: readonly Transform[] = how.length > 0 ? how : [{ kind: "reshape", shape: of.shape }];
        let seen = this.#own(of);
        for (const [i, one] of all.entries()) {
          const own = i === all.length - 1 ? name : this.fresh();
          seen = {
            name: own,
            shape: this.#written.declareAlias({ do: "view", name: own, of: seen.name, how: one }),
          };
        }
        return this.reference(seen.name, seen.shape);
      },
      parameter: (name, shape = []) => {
        this.#written.declareEntry({ name, shape, kind: "real" });
        return this.call("constant", [{ name }]);
      },
      indices: (name, shape) => {
        this.#written.declareEntry({ name, shape, kind: "index" });
        return name;
      },
      procedure: (name, parameters, write, results) => {
        const own: { name: string; results: readonly Shape[] } = { name, results: results ?? [] };
        const given = this.#written.procedure(name, parameters, results, () => {
          const operands = parameters.map(({ name: parameter, kind, shape }) =>
            kind === "value" ? this.value(parameter, shape) : this.reference(parameter, shape),
          );
          return write(...operands).map((result) => this.named(result));
        });
        own.results = given.map(({ shape }) => shape);
        return own;
      },
    };
  }

  #statements(): Omit<ProgramBuilder, OperatorName | Declaring> {
    return {
      buffer: (value) => {
        const { name: from } = this.named(value);
        return this.located({ do: "buffer", name: this.fresh(), from });
      },
      if_: (condition, body, otherwise = () => {}) => {
        const { name } = this.named(condition);
        const statement = { do: "if", condition: name, body: [], otherwise: [] } as const;
        this.#written.check(statement);
        const blocks = { body: this.#written.within(body), otherwise: this.#written.within(otherwise) };
        this.#written.add({ ...statement, ...blocks }, "checked");
      },
      for_: (times, body) => {
        const own = this.#counter(this.fresh());
        const counter = { name: own.name, times };
        this.#enclose({ do: "for", counter: own.name, times, body: [] }, () => body(own), {
          counter,
          isLoop: true,
        });
      },
      index: (value) => {
        const { name: of } = this.named(value);
        const own = this.#counter(this.fresh());
        this.push({ do: "index", name: own.name, of });
        return own;
      },
      while_: (condition, fuel, body) => {
        const { name } = this.named(condition);
        this.#enclose({ do: "while", condition: name, fuel, body: [] }, body, { isLoop: true });
      },
      break_: () => this.push({ do: "break" }),
      return_: (...results) => {
        const given = results.map((result) => this.named(result));
        this.#written.returned(given);
        this.push({ do: "return", operands: given.map(({ name }) => name) });
      },
      noGrad: (body) => this.#enclose({ do: "no_grad", body: [] }, body),
      checkpoint: (body) => this.#enclose({ do: "checkpoint", body: [] }, body),
      draw: (from, shape, key) => {
        const words = key && ([this.place(key[0]), this.place(key[1])] as const);
        const own = words === undefined ? {} : { key: words };
        return this.bound({ do: "draw", name: this.fresh(), from, shape, ...own });
      },
      receive: (channel, shape) => this.bound({ do: "receive", name: this.fresh(), channel, shape }),
      send: (channel, value) => this.push({ do: "send", channel, from: this.named(value).name }),
      call: ({ name: procedure, results }, ...all) => {
        const operands = all.map((operand) => this.named(operand).name);
        const names = results.map(() => this.fresh());
        this.#written.expect(procedure, results);
        this.push({ do: "call", names, procedure, operands });
        return names.map((name) => this.value(name, this.#written.shapeOf(name)));
      },
      custom: ({ name: procedure }, { name: derivative, results }, ...all) => {
        const operands = all.map((operand) => this.named(operand).name);
        // What the procedure overwrites has results of the derivative, and no names.
        const parameters = this.#written.procedures.get(procedure)?.parameters ?? [];
        const marked = parameters.filter(({ kind }) => kind === "reference").length;
        const names = results.slice(0, results.length - marked).map(() => this.fresh());
        this.push({ do: "custom", names, procedure, derivative, operands });
        return names.map((name) => this.value(name, this.#written.shapeOf(name)));
      },
      hook: (value, { name: derivative }) => {
        const { name: of } = this.named(value);
        return this.bound({ do: "hook", name: this.fresh(), of, derivative });
      },
      derivative: ({ name: procedure }, how, ...all) => {
        const operands = all.map((operand) => this.named(operand).name);
        return this.bound({ do: "differentiate", name: this.fresh(), procedure, ...how, operands });
      },
      derivedCall: ({ name: procedure, results }, how, ...all) => {
        const { mode, of, wrt } = how;
        const operands = all.map((operand) => this.named(operand).name);
        const along = how.along.map((direction) => this.named(direction).name);
        const names = results.map(() => this.fresh());
        const derivatives = (mode === "vjp" ? wrt : of).map(() => this.fresh());
        const asked = { procedure, mode, of, wrt, operands, along };
        this.#written.expect(procedure, results);
        this.push({ do: "differentiate_call", names, derivatives, ...asked });
        return [...names, ...derivatives].map((name) => this.value(name, this.#written.shapeOf(name)));
      },
    };
  }

  /** Appends a statement with the block that `write` appends. */
  #enclose(
    statement: StatementOf<"for" | "while" | "no_grad" | "checkpoint">,
    write: () => void,
    within: Within = {},
  ): void {
    this.#written.check(statement);
    this.#written.add({ ...statement, body: this.#written.within(write, within) }, "checked");
  }
}

/** These of the builder's functions declare something. */
type Declaring = "input" | "state" | "alias" | "parameter" | "indices" | "procedure";

/** A value or a reference keeps these beside its public members. */
interface Owned extends ResultName {
  readonly writing: Writing;
}

const operatorMethods: object = Object.fromEntries(
  operatorNames.map((op) => [
    op,
    function (this: Owned, ...rest: readonly unknown[]): ProgramValue {
      return this.writing.call(op, [this, ...rest]);
    },
  ]),
);

const valueMethods: object = Object.assign(Object.create(null), operatorMethods, {
  becomes(this: Owned, other: ResultName): void {
    this.writing.push({ do: "rebind", name: this.name, to: this.writing.named(other).name });
  },
  detach(this: Owned): ProgramValue {
    return this.writing.bound({ do: "detach", name: this.writing.fresh(), of: this.name });
  },
  retain(this: Owned): void {
    this.writing.push({ do: "retain", of: this.name });
  },
});

const referenceMethods: object = Object.assign(Object.create(null), operatorMethods, {
  view(this: Owned, how: Transform): ProgramReference {
    return this.writing.located({ do: "view", name: this.writing.fresh(), of: this.name, how });
  },
  at(this: Owned & ProgramReference, index: Index | ProgramCounter): ProgramReference {
    const [, ...rest] = this.shape;
    const starts = [this.writing.place(index), ...rest.map(() => 0)];
    const steps = this.shape.map(() => 1);
    return this.view({ kind: "slice", starts, sizes: [1, ...rest], steps }).view({
      kind: "reshape",
      shape: rest,
    });
  },
  read(this: Owned): ProgramValue {
    return this.writing.call("reshape", [this, { shape: this.shape }]);
  },
  write(this: Owned, value: ProgramOperand): void {
    const from = this.writing.shaped(value, this.shape);
    this.writing.push({ do: "write", to: this.name, from });
  },
  update(this: Owned, op: UpdateOperator, value: ProgramOperand): void {
    const from = this.writing.shaped(value, this.shape);
    this.writing.push({ do: "update", to: this.name, op, from });
  },
  writeRows(
    this: Owned,
    rows: readonly (Index | ProgramCounter)[],
    value: ProgramOperand,
    op?: UpdateOperator,
  ): void {
    const from = this.writing.shaped(value, [rows.length, ...this.shape.slice(1)]);
    const how = op === undefined ? {} : { op };
    this.writing.push({
      do: "write_rows",
      to: this.name,
      rows: rows.map((row) => this.writing.place(row)),
      ...how,
      from,
    });
  },
  writeWhere(this: Owned, mask: ProgramOperand, value: ProgramOperand, op?: UpdateOperator): void {
    const [where, from] = [this.writing.shaped(mask, this.shape), this.writing.named(value).name];
    const how = op === undefined ? {} : { op };
    this.writing.push({ do: "write_where", to: this.name, mask: where, ...how, from });
  },
  writeScatter(this: Owned, mask: ProgramOperand, values: ProgramOperand, op?: UpdateOperator): void {
    const [where, from] = [this.writing.shaped(mask, this.shape), this.writing.named(values).name];
    const how = op === undefined ? {} : { op };
    this.writing.push({ do: "write_scatter", to: this.name, mask: where, ...how, from });
  },
  detached(this: Owned): ProgramReference {
    return this.writing.located({ do: "detach", name: this.writing.fresh(), of: this.name });
  },
  release(this: Owned): void {
    this.writing.push({ do: "release", of: this.name });
  },
});

function isOwned(x: unknown): x is Owned {
  return typeof x === "object" && x !== null && "writing" in x;
}
