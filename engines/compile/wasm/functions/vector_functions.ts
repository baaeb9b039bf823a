import type binaryen from "binaryen";
import { type Coefficients, coefficients } from "../../coefficients.ts";
import type { Precision, ScalarFunction } from "../../plan/index.ts";
import { cos, sin } from "./circular.ts";
import { exp, expm1 } from "./exponential.ts";
import { type Format, formats } from "./format.ts";
import { tanh } from "./hyperbolic_tangent.ts";
import { type VectorDefinition, vectorDefinition } from "./lanes.ts";
import { FunctionWriter, Library } from "./library.ts";
import { log, log1p } from "./logarithm.ts";
import { ConstantTable } from "./table.ts";

/** The functions that an engine of vectors computes itself. */
export type VectorFunction = Extract<
  ScalarFunction,
  "exp" | "expm1" | "log" | "log1p" | "sin" | "cos" | "tanh"
>;

const definitions: Readonly<Record<VectorFunction, VectorDefinition>> = {
  exp,
  expm1,
  log,
  log1p,
  sin,
  cos,
  tanh,
};

/** At most this many bytes of constants, for the functions of one precision. */
export const VECTOR_TABLE_BYTES = 1024;

/** Where the constants of a module's functions will lie. */
export interface TablePlace {
  /** The module's own name of the memory. */
  readonly memory: string;
  /** A multiple of 16; the next {@link VECTOR_TABLE_BYTES} bytes are the table's. */
  readonly address: number;
}

/** Code with variables of its own. */
export interface InPlace {
  readonly code: binaryen.ExpressionRef;
  readonly locals: readonly binaryen.Type[];
}

/** Whether there is a vector function of this name. */
export function isVectorFunction(name: ScalarFunction): name is VectorFunction {
  return Object.hasOwn(definitions, name);
}

/**
 * The elementary functions of a module for vectors of one precision (two numbers of float64, four of float32), each written
 * into the module when it is first called. No imports, no fused operations: the same bits on every machine. Any NaN gives a
 * NaN; infinities, signed zeros and subnormal numbers as IEEE 754 recommends. How accurate they are: `vectorAccuracy`.
 * The module must have the memory by the time it is validated, and the bytes of {@link table} must lie there when the functions
 * run.
 */
export class VectorLibrary {
  readonly #library: Library;
  readonly #format: Format;

  constructor(
    module: binaryen.Module,
    precision: Precision,
    { memory, address }: TablePlace,
    terms: Coefficients = coefficients[precision],
  ) {
    this.#library = new Library(module, memory, new ConstantTable(address));
    this.#format = { ...formats[precision], coefficients: terms };
  }

  /** The function of each number of a vector: `v128 → v128`. */
  call(name: VectorFunction, operand: binaryen.ExpressionRef): binaryen.ExpressionRef {
    return this.#library.call(vectorDefinition(this.#format, definitions[name]), operand);
  }

  /**
   * The same written out where it is used, for loops in which a call would count. The operand is a local variable; the code takes as its own the
   * variables from `firstLocal` on, of the types given.
   */
  inPlace(name: VectorFunction, operand: number, firstLocal: number): InPlace {
    const { write, parameter } = vectorDefinition(this.#format, definitions[name]);
    const writer = new FunctionWriter(this.#library, firstLocal);
    const code = writer.body(write(writer, { local: operand, type: parameter }));
    return { code, locals: writer.locals };
  }

  /** The same of one number: a vector of copies, and the first of the results; the same bits as in a vector. */
  callScalar(name: VectorFunction, operand: binaryen.ExpressionRef): binaryen.ExpressionRef {
    const { module } = this.#library;
    const numbers = module[this.#format.suffix];
    return numbers.extract_lane(this.call(name, numbers.splat(operand)), 0);
  }

  /** The constants of the functions called so far, to be put at the address given. */
  get table(): Uint8Array {
    return this.#library.table.bytes;
  }
}
