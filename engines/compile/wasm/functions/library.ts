import type binaryen from "binaryen";
import type { ConstantTable } from "./table.ts";

/** A local variable of a function under construction; it is set once. */
export interface Value {
  readonly local: number;
  readonly type: binaryen.Type;
}

/** Writes the body of one function as statements that each set a new local. */
export class FunctionWriter {
  readonly library: Library;
  readonly #parameters: number;
  readonly #locals: binaryen.Type[] = [];
  #statements: binaryen.ExpressionRef[] = [];

  constructor(library: Library, parameters: number) {
    this.library = library;
    this.#parameters = parameters;
  }

  /** Returns the types of the locals that are no parameters. */
  get locals(): readonly binaryen.Type[] {
    return this.#locals;
  }

  /** Keeps the result of an expression. */
  keep(type: binaryen.Type, expression: binaryen.ExpressionRef): Value {
    const value = this.#fresh(type);
    this.#set(value, expression);
    return value;
  }

  /** Reads what was kept. */
  get({ local, type }: Value): binaryen.ExpressionRef {
    return this.library.module.local.get(local, type);
  }

  /** Takes `then` where the condition is not 0, else `otherwise`. */
  choose(condition: binaryen.ExpressionRef, then: () => Value, otherwise: () => Value): Value {
    const { module } = this.library;
    const yes = this.#branch(then);
    const no = this.#branch(otherwise);
    const value = this.#fresh(yes.value.type);
    const arm = (branch: Branch): binaryen.ExpressionRef =>
      module.block(null, [...branch.statements, module.local.set(value.local, this.get(branch.value))]);
    this.#statements.push(module.if(condition, arm(yes), arm(no)));
    return value;
  }

  /** Returns the whole body, whose result is `result`. */
  body(result: Value): binaryen.ExpressionRef {
    return this.library.module.block(null, [...this.#statements, this.get(result)], result.type);
  }

  #branch(write: () => Value): Branch {
    const around = this.#statements;
    const statements: binaryen.ExpressionRef[] = [];
    this.#statements = statements;
    const value = write();
    this.#statements = around;
    return { statements, value };
  }

  #fresh(type: binaryen.Type): Value {
    this.#locals.push(type);
    return { local: this.#parameters + this.#locals.length - 1, type };
  }

  #set(value: Value, expression: binaryen.ExpressionRef): void {
    this.#statements.push(this.library.module.local.set(value.local, expression));
  }
}

interface Branch {
  readonly statements: readonly binaryen.ExpressionRef[];
  readonly value: Value;
}

/** A function of one parameter, to be written into a module. */
export interface Definition {
  readonly name: string;
  readonly parameter: binaryen.Type;
  readonly result: binaryen.Type;
  readonly write: (writer: FunctionWriter, parameter: Value) => Value;
}

/** Functions of a module, written when they are first called, and their constants. */
export class Library {
  readonly module: binaryen.Module;
  /** The module's name of the memory that holds the table. */
  readonly memory: string;
  readonly table: ConstantTable;
  readonly #written = new Set<string>();

  constructor(module: binaryen.Module, memory: string, table: ConstantTable) {
    this.module = module;
    this.memory = memory;
    this.table = table;
  }

  /** Calls a function. */
  call(definition: Definition, operand: binaryen.ExpressionRef): binaryen.ExpressionRef {
    this.#write(definition);
    return this.module.call(definition.name, [operand], definition.result);
  }

  #write({ name, parameter, result, write }: Definition): void {
    if (this.#written.has(name)) return;
    this.#written.add(name);
    const writer = new FunctionWriter(this, 1);
    const body = writer.body(write(writer, { local: 0, type: parameter }));
    this.module.addFunction(name, parameter, result, writer.locals, body);
  }
}
