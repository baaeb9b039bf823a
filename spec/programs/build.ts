import { type AttributesOf, type OperatorName, operatorNames, operators } from "../composites/index.ts";
import { broadcastShape } from "../construction/broadcast.ts";
import { isNode, unwrap } from "../construction/construction.ts";
import { shapeOfNode } from "../expansion/index.ts";
import { GraphError } from "../graph/index.ts";
import type { EnvironmentEntry } from "../operators/index.ts";
import { isSameShape, nodeId, type Shape } from "../shapes/index.ts";
import type {
  Distribution,
  Index,
  Location,
  Parameter,
  Procedure,
  Program,
  ResultName,
  Statement,
  Transform,
  UpdateOperator,
} from "./program.ts";
import { shapeSeen } from "./view.ts";

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
  /** Writes where the mask is not 0; a scalar fills. */
  writeWhere(mask: ProgramOperand, value: ProgramOperand): void;
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
  /** Applies a procedure's derivative of a result by a parameter. The tangent or cotangent comes last. */
  derivative(
    procedure: ProgramProcedure,
    how: { readonly mode: "vjp" | "jvp"; readonly of: number; readonly wrt: number },
    ...operands: readonly ProgramOperand[]
  ): ProgramValue;
}

/**
 * Writes a program: `program(({ input, buffer }) => { const a = buffer(input("x")); a.update("add", 1);
 * return [a]; })`. Every call appends a statement to the block that is being written; names are made up. What
 * `write` returns are the results of the entry. Throws {@link GraphError} if something does not fit.
 */
export function program(write: (builder: ProgramBuilder) => readonly ProgramOperand[]): Program {
  return new Writing().program(write);
}

/** A program while it is written. Owns its lists, and the block that statements go to. */
class Writing {
  readonly #parameters: Parameter[] = [];
  readonly #state: Location[] = [];
  readonly #environment: Map<string, EnvironmentEntry> = new Map();
  readonly #procedures: Procedure[] = [];
  #block: Statement[] = [];
  #names = 0;

  program(write: (builder: ProgramBuilder) => readonly ProgramOperand[]): Program {
    const results = write(this.#builder()).map((result) => this.named(result));
    const entry = { name: "main", parameters: this.#parameters, body: this.#block, results };
    return {
      format: "adjudge.program.v1",
      state: this.#state,
      environment: [...this.#environment.values()],
      procedures: [entry, ...this.#procedures],
    };
  }

  /** Appends a statement. */
  push(statement: Statement): void {
    this.#block.push(statement);
  }

  /** Returns the next name that is made up: `%` stands in no name that a person would choose. */
  fresh(): string {
    this.#names++;
    return `%${this.#names}`;
  }

  /** Returns name and shape of an operand; a number becomes a scalar. */
  named(operand: ProgramOperand, shape: Shape = []): ResultName {
    if (typeof operand !== "number") return { name: operand.name, shape: operand.shape };
    const name = this.fresh();
    this.push({ do: "let", name, op: "full", attributes: { shape, value: operand }, operands: [] });
    return { name, shape };
  }

  /** Returns the name of an operand in this shape: broadcast to it, as a statement that one can see. */
  shaped(operand: ProgramOperand, shape: Shape): string {
    const own = this.named(operand, shape);
    if (isSameShape(own.shape, shape)) return own.name;
    return this.call("broadcast_to", [this.value(own.name, own.shape), { shape }]).name;
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
    const given = (hasAttributes ? all.slice(0, -1) : all).filter(isOperand);
    const attributes: unknown = hasAttributes ? all.at(-1) : {};
    const shapes = given.flatMap((operand) => (typeof operand === "number" ? [] : [operand.shape]));
    const common = isElementwise ? unwrap(op, broadcastShape(shapes)) : [];
    const operands = given.map((operand) =>
      isElementwise ? { name: this.shaped(operand, common), shape: common } : this.named(operand, common),
    );
    const node = { op, attributes, parents: operands.map((_, place) => nodeId(place)) };
    if (!isNode(node)) {
      throw new GraphError(op, {
        code: "graph/attributes",
        message: "its last argument must be an object with its attributes.",
        hint: "see docs/operators.md",
      });
    }
    const operandShapes = operands.map((operand) => operand.shape);
    const shape = unwrap(op, shapeOfNode(node, operandShapes, [...this.#environment.values()]));
    const { parents: _, ...applied } = node;
    const name = this.fresh();
    this.push({ do: "let", name, ...applied, operands: operands.map((operand) => operand.name) });
    return this.value(name, shape);
  }

  #counter(name: string): ProgramCounter {
    return Object.assign(Object.create(valueMethods), { writing: this, name, shape: [], isCounter: true });
  }

  /** Returns the statements that `write` appends. */
  #within(write: () => void): Statement[] {
    const around = this.#block;
    const block: Statement[] = [];
    this.#block = block;
    write();
    this.#block = around;
    return block;
  }

  #builder(): ProgramBuilder {
    const functions = Object.fromEntries(
      operatorNames.map((op) => [op, (...all: readonly unknown[]) => this.call(op, all)]),
    );
    return Object.assign(Object.create(null), functions, this.#declarations(), this.#statements());
  }

  #declarations(): Pick<ProgramBuilder, "input" | "state" | "parameter" | "indices" | "procedure"> {
    return {
      input: (name, shape = []) => {
        this.#parameters.push({ name, kind: "value", shape });
        return this.value(name, shape);
      },
      state: (name, shape = []) => {
        this.#state.push({ name, shape });
        return this.reference(name, shape);
      },
      parameter: (name, shape = []) => {
        this.#environment.set(name, { name, shape, kind: "real" });
        return this.call("constant", [{ name }]);
      },
      indices: (name, shape) => {
        this.#environment.set(name, { name, shape, kind: "index" });
        return name;
      },
      procedure: (name, parameters, write, results) => {
        const own: { name: string; results: readonly Shape[] } = { name, results: results ?? [] };
        let given: readonly ResultName[] = [];
        const body = this.#within(() => {
          const operands = parameters.map(({ name: parameter, kind, shape }) =>
            kind === "value" ? this.value(parameter, shape) : this.reference(parameter, shape),
          );
          given = write(...operands).map((result) => this.named(result));
        });
        this.#procedures.push({ name, parameters, body, results: given });
        own.results = given.map(({ shape }) => shape);
        return own;
      },
    };
  }

  #statements(): Omit<
    ProgramBuilder,
    OperatorName | "input" | "state" | "parameter" | "indices" | "procedure"
  > {
    return {
      buffer: (value) => {
        const { name: from, shape } = this.named(value);
        const name = this.fresh();
        this.push({ do: "buffer", name, from });
        return this.reference(name, shape);
      },
      if_: (condition, body, otherwise = () => {}) => {
        const { name } = this.named(condition);
        this.push({
          do: "if",
          condition: name,
          body: this.#within(body),
          otherwise: this.#within(otherwise),
        });
      },
      for_: (times, body) => {
        const own = this.#counter(this.fresh());
        this.push({ do: "for", counter: own.name, times, body: this.#within(() => body(own)) });
      },
      index: (value) => {
        const { name: of } = this.named(value);
        const own = this.#counter(this.fresh());
        this.push({ do: "index", name: own.name, of });
        return own;
      },
      while_: (condition, fuel, body) => {
        const { name } = this.named(condition);
        this.push({ do: "while", condition: name, fuel, body: this.#within(body) });
      },
      break_: () => this.push({ do: "break" }),
      return_: (...results) => {
        const operands = results.map((result) => this.named(result).name);
        this.push({ do: "return", operands });
      },
      noGrad: (body) => this.push({ do: "no_grad", body: this.#within(body) }),
      checkpoint: (body) => this.push({ do: "checkpoint", body: this.#within(body) }),
      draw: (from, shape, key) => {
        const name = this.fresh();
        const words = key && ([indexOf(key[0]), indexOf(key[1])] as const);
        this.push({ do: "draw", name, from, shape, ...(words === undefined ? {} : { key: words }) });
        return this.value(name, shape);
      },
      receive: (channel, shape) => {
        const name = this.fresh();
        this.push({ do: "receive", name, channel, shape });
        return this.value(name, shape);
      },
      send: (channel, value) => this.push({ do: "send", channel, from: this.named(value).name }),
      call: (procedure, ...operands) => {
        const given = operands.map((operand) => this.named(operand).name);
        const bound = procedure.results.map((shape) => this.value(this.fresh(), shape));
        const names = bound.map(({ name }) => name);
        this.push({ do: "call", names, procedure: procedure.name, operands: given });
        return bound;
      },
      derivative: (procedure, how, ...operands) => {
        const given = operands.map((operand) => this.named(operand));
        const shape = how.mode === "vjp" ? given[how.wrt]?.shape : procedure.results[how.of];
        const name = this.fresh();
        const names = given.map((operand) => operand.name);
        this.push({ do: "differentiate", name, procedure: procedure.name, ...how, operands: names });
        return this.value(name, shape ?? []);
      },
    };
  }
}

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
    this.writing.push({ do: "rebind", name: this.name, to: other.name });
  },
  detach(this: Owned): ProgramValue {
    const name = this.writing.fresh();
    this.writing.push({ do: "detach", name, of: this.name });
    return this.writing.value(name, this.shape);
  },
  retain(this: Owned): void {
    this.writing.push({ do: "retain", of: this.name });
  },
});

const referenceMethods: object = Object.assign(Object.create(null), operatorMethods, {
  view(this: Owned, how: Transform): ProgramReference {
    const name = this.writing.fresh();
    this.writing.push({ do: "view", name, of: this.name, how });
    return this.writing.reference(name, unwrap(how.kind, shapeSeen(this.shape, how)));
  },
  at(this: Owned & ProgramReference, index: Index | ProgramCounter): ProgramReference {
    const [, ...rest] = this.shape;
    const starts = [indexOf(index), ...rest.map(() => 0)];
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
    this.writing.push({ do: "write_rows", to: this.name, rows: rows.map(indexOf), ...how, from });
  },
  writeWhere(this: Owned, mask: ProgramOperand, value: ProgramOperand): void {
    const [where, from] = [this.writing.shaped(mask, this.shape), this.writing.named(value).name];
    this.writing.push({ do: "write_where", to: this.name, mask: where, from });
  },
  detached(this: Owned): ProgramReference {
    const name = this.writing.fresh();
    this.writing.push({ do: "detach", name, of: this.name });
    return this.writing.reference(name, this.shape);
  },
  release(this: Owned): void {
    this.writing.push({ do: "release", of: this.name });
  },
});

function indexOf(index: Index | ProgramCounter): Index {
  return typeof index === "object" ? index.name : index;
}

function isOperand(x: unknown): x is ProgramOperand {
  return typeof x === "number" || (typeof x === "object" && x !== null && "writing" in x);
}
