import type binaryen from "binaryen";
import { type Coefficients, coefficients } from "../../coefficients.ts";
import type { Precision, ScalarFunction } from "../../plan/index.ts";
import { cos, sin } from "./circular.ts";
import { erf } from "./error_function.ts";
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
  "exp" | "expm1" | "log" | "log1p" | "sin" | "cos" | "tanh" | "erf"
>;

const definitions: Readonly<Record<VectorFunction, VectorDefinition>> = {
  exp,
  expm1,
  log,
  log1p,
  sin,
  cos,
  tanh,
  erf,
};

/** The functions of one precision have at most so many bytes of constants. */
export const VECTOR_TABLE_BYTES = 1024;

/** The constants of a module's functions will lie here. */
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

/** Says whether there is a vector function of this name. */
export function isVectorFunction(name: ScalarFunction): name is VectorFunction {
  return Object.hasOwn(definitions, name);
}

/**
 * The elementary functions of a module for vectors of one precision (two float64 or four float32 numbers),
 * each written when it is first called. They import nothing and fuse nothing, so that their bits are the same
 * on every machine. NaN gives NaN; infinities, signed zeros and subnormal numbers are as IEEE 754 recommends;
 * errors are within `vectorAccuracy`. The module must have the memory when it is validated, and {@link table}
 * when it runs.
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

  /** Calls the function on each number of a vector: `v128 → v128`. */
  call(name: VectorFunction, operand: binaryen.ExpressionRef): binaryen.ExpressionRef {
    return this.#library.call(vectorDefinition(this.#format, definitions[name]), operand);
  }

  /**
   * Writes the function into a loop in which a call would count. The operand is a local variable; the code's
   * own variables have the numbers from `firstLocal` on, and the types returned.
   */
  inPlace(name: VectorFunction, operand: number, firstLocal: number): InPlace {
    const { write, parameter } = vectorDefinition(this.#format, definitions[name]);
    const writer = new FunctionWriter(this.#library, firstLocal);
    const code = writer.body(write(writer, { local: operand, type: parameter }));
    return { code, locals: writer.locals };
  }

  /** Calls the function on one number, with the bits that it has in a vector. */
  callScalar(name: VectorFunction, operand: binaryen.ExpressionRef): binaryen.ExpressionRef {
    const { module } = this.#library;
    const numbers = module[this.#format.suffix];
    return numbers.extract_lane(this.call(name, numbers.splat(operand)), 0);
  }

  /** The constants of the functions called so far, to be put at the given address. */
  get table(): Uint8Array {
    return this.#library.table.bytes;
  }
}
