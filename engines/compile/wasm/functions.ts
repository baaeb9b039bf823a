import binaryen from "binaryen";
import { at } from "../../../spec/shapes/index.ts";
import { type Coefficients, coefficients } from "../coefficients.ts";
import { allows, type Precision, type Regime, scalarFunctions } from "../plan/index.ts";
import { isVectorFunction, type TablePlace, VectorLibrary } from "./functions/index.ts";
import { type HostFunction, importsNamed } from "./host.ts";
import { type Code, type Lanes, lanesOf, type Module } from "./lanes.ts";
import type { Applied } from "./nodes.ts";
import { webAssembly } from "./web_assembly.ts";

/** An instruction on three vectors. */
export type Fused = (x: Code, y: Code, z: Code) => Code;

/** A module computes functions in a precision and regime, and has these imports so far. */
export interface Functions {
  readonly module: Module;
  readonly lanes: Lanes;
  readonly regime: Regime;
  /** The instruction for `x y + z`, if there is one and the regime allows it. */
  readonly fused: Fused | undefined;
  /** The engine's own elementary functions, if the regime allows them. */
  readonly own: VectorLibrary | undefined;
  readonly imported: Set<HostFunction>;
}

/** Makes the functions of a module; `terms` are the constants of its own ones. */
export function functionsOf(
  module: Module,
  precision: Precision,
  regime: Regime,
  table: TablePlace,
  terms: Coefficients = coefficients[precision],
): Functions {
  const lanes = lanesOf(module, precision);
  const isFused = allows(regime, "contraction") && hasRelaxedInstructions();
  return {
    module,
    lanes,
    regime,
    fused: isFused ? (x, y, z) => relaxed(module, lanes, x, y, z) : undefined,
    own: allows(regime, "own_functions") ? new VectorLibrary(module, precision, table, terms) : undefined,
    imported: new Set(),
  };
}

/** Writes `x y + z`, with one rounding where the machine has it, else two. */
export function fusedCode(functions: Functions, x: Code, y: Code, z: Code): Code {
  const { lanes, fused } = functions;
  return fused === undefined ? lanes.arithmetic.add(lanes.arithmetic.mul(x, y), z) : fused(x, y, z);
}

function relaxed(module: Module, lanes: Lanes, x: Code, y: Code, z: Code): Code {
  // binaryen.js cannot construct relaxed instructions, but it can change one of three vectors into another.
  const code = module.v128.bitselect(x, y, z);
  const { RelaxedMaddVecF64x2, RelaxedMaddVecF32x4 } = binaryen;
  if (turnsTernaries(binaryen)) {
    binaryen.SIMDTernary.setOp(code, lanes.count === 2 ? RelaxedMaddVecF64x2 : RelaxedMaddVecF32x4);
  }
  return code;
}

/** Writes a function of vectors, whose first `active` lanes matter. Operands may be asked for repeatedly. */
export function appliedCode(
  functions: Functions,
  name: Applied,
  operands: readonly (() => Code)[],
  active: number,
  isUniform: boolean,
): Code {
  const { lanes } = functions;
  const operand = (position: number): Code => at(operands, position)();
  switch (name) {
    case "negative":
      return lanes.arithmetic.neg(operand(0));
    case "sqrt":
      return lanes.arithmetic.sqrt(operand(0));
    case "floor":
      return lanes.arithmetic.floor(operand(0));
    case "add":
      return lanes.arithmetic.add(operand(0), operand(1));
    case "subtract":
      return lanes.arithmetic.sub(operand(0), operand(1));
    case "multiply":
      return lanes.arithmetic.mul(operand(0), operand(1));
    case "divide":
      return lanes.arithmetic.div(operand(0), operand(1));
    case "multiply_add":
      return fusedCode(functions, operand(0), operand(1), operand(2));
    default:
      if (functions.own !== undefined && isVectorFunction(name)) return functions.own.call(name, operand(0));
      return hostCode(functions, name, operands, active, isUniform);
  }
}

/** Calls the host for each lane, or once if all lanes are equal. */
function hostCode(
  functions: Functions,
  name: HostFunction,
  operands: readonly (() => Code)[],
  active: number,
  isUniform: boolean,
): Code {
  const { module, lanes, imported } = functions;
  if (!imported.has(name)) declare(module, name);
  imported.add(name);
  const lane = (n: number): Code =>
    module.call(
      name,
      operands.map((operand) => lanes.extract(operand(), n)),
      binaryen.f64,
    );
  let code = lanes.splat(lane(0));
  if (!isUniform) for (let n = 1; n < active; n++) code = lanes.replace(code, n, lane(n));
  return code;
}

function declare(module: Module, name: HostFunction): void {
  const operands = Array.from({ length: scalarFunctions[name] }, () => binaryen.f64);
  module.addFunctionImport(name, "host", name, binaryen.createType(operands), binaryen.f64);
}

/** Returns what a module with these functions imports under the name `host`. */
export function hostImports(functions: Functions): Record<string, (x: number, y: number) => number> {
  return importsNamed(functions.imported);
}

/** A module with one function, `relaxed_madd` of its three operands. */
const relaxedProbe: Uint8Array<ArrayBuffer> = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 8, 1, 96, 3, 123, 123, 123, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253, 135, 2, 11],
);

/** Says whether this host runs relaxed vector instructions, and the library can write them. */
function hasRelaxedInstructions(): boolean {
  return turnsTernaries(binaryen) && webAssembly.validate(relaxedProbe);
}

/** Says whether the library can change an instruction on three vectors, which its types do not tell. */
function turnsTernaries(library: object): library is {
  readonly SIMDTernary: { setOp(code: Code, operation: binaryen.Operations): void };
} {
  return "SIMDTernary" in library;
}
