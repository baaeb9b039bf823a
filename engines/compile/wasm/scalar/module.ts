import binaryen from "binaryen";
import type { Precision, Regime } from "../../plan/index.ts";
import type { Variant } from "../../plan/scalar/index.ts";
import { VECTOR_TABLE_BYTES } from "../functions/index.ts";
import { type Functions, functionsOf, hostImports } from "../functions.ts";
import type { Code } from "../lanes.ts";
import { webAssembly } from "../web_assembly.ts";
import { Kernels } from "./kernels.ts";
import { tableGlobals } from "./loop.ts";
import { addDriver } from "./steps.ts";

/** Code is made for a recipe. Plans of equal recipes share a module: the graph is data in its memory. */
export interface Recipe {
  readonly precision: Precision;
  readonly regime: Regime;
  readonly isStaged: boolean;
  readonly variants: readonly Variant[];
}

/** A module that has not been started, and its imports from the host besides memory. */
export interface ScalarModule {
  readonly module: object;
  readonly imports: Readonly<Record<string, (x: number, y: number) => number>>;
  /** The bytes that must lie at {@link CONSTANTS}. */
  readonly constants: Uint8Array;
}

/** The address of the constants of own functions. */
export const CONSTANTS = 64;

/** The address of the values. */
export const VALUES: number = CONSTANTS + VECTOR_TABLE_BYTES;

/**
 * Makes the code of a recipe: `bind(cotangents, pairs, thirds, pairBars, thirdBars)`, of addresses, and
 * `forward`, `tangent` and `reverse` of `(row, end)`, over rows of a variant and its slots from … to.
 */
export function scalarModule(recipe: Recipe): ScalarModule {
  const { precision, regime, isStaged, variants } = recipe;
  const module = new binaryen.Module();
  const { Features } = binaryen;
  module.setFeatures(
    Features.SIMD128 | Features.RelaxedSIMD | Features.SignExt | Features.NontrappingFPToInt,
  );
  module.setMemory(1, 65_536, null, [], false, false, "memory");
  module.addMemoryImport("memory", "host", "memory");
  const functions = functionsOf(module, precision, regime, { memory: "memory", address: CONSTANTS });
  addBinding(functions);
  const kernels = new Kernels(functions, { values: VALUES, isStaged });
  for (const name of new Set(
    variants.flatMap((variant) => (variant.name === undefined ? [] : [variant.name])),
  )) {
    kernels.forward(`forward ${name}`, name);
    kernels.tangent(`tangent ${name}`, name);
  }
  for (const [n, variant] of variants.entries())
    if (variant.receives !== 0) kernels.reverse(`reverse ${n}`, variant);
  addSums(functions);
  for (const sweep of ["forward", "tangent"] as const) {
    addDriver(
      functions,
      sweep,
      variants.map(({ name }) => (name === undefined ? undefined : `${sweep} ${name}`)),
    );
  }
  const backwards = variants.map(({ receives }, n) => (receives === 0 ? undefined : `reverse ${n}`));
  addDriver(functions, "reverse", [...backwards, "sums"]);
  if (module.validate() === 0) throw new TypeError("the module is not valid");
  const binary = Uint8Array.from(module.emitBinary());
  module.dispose();
  return {
    module: new webAssembly.Module(binary),
    imports: hostImports(functions),
    constants: functions.own?.table ?? new Uint8Array(0),
  };
}

function addBinding({ module }: Functions): void {
  for (const name of tableGlobals) module.addGlobal(name, binaryen.i32, true, module.i32.const(0));
  module.addFunction(
    "bind",
    binaryen.createType(tableGlobals.map(() => binaryen.i32)),
    binaryen.none,
    [],
    module.block(
      null,
      tableGlobals.map((name, n) => module.global.set(name, module.local.get(n, binaryen.i32))),
    ),
  );
  module.addFunctionExport("bind", "bind");
}

/**
 * Adds `sums(row, end)`, over rows of three addresses: a cotangent, and the cotangents from … to that are
 * added to it from the left.
 */
function addSums({ module, lanes }: Functions): void {
  const { i32, local } = module;
  const get = (variable: number): Code => local.get(variable, binaryen.i32);
  const sum = (): Code => local.get(4, binaryen.v128);
  const word = (n: number): Code => i32.load(4 * n, 4, get(0));
  const add = module.block("added", [
    module.loop(
      "add",
      module.block(null, [
        module.br_if("added", i32.ge_u(get(2), get(3))),
        local.set(4, lanes.arithmetic.add(sum(), lanes.load(1, 0, get(2)))),
        local.set(2, i32.add(get(2), i32.const(lanes.bytes))),
        module.br("add"),
      ]),
    ),
  ]);
  const loop = module.block("end", [
    module.loop(
      "next",
      module.block(null, [
        module.br_if("end", i32.ge_u(get(0), get(1))),
        local.set(4, lanes.load(1, 0, word(0))),
        local.set(2, word(1)),
        local.set(3, word(2)),
        add,
        lanes.store(1, 0, word(0), sum()),
        local.set(0, i32.add(get(0), i32.const(12))),
        module.br("next"),
      ]),
    ),
  ]);
  const parameters = binaryen.createType([binaryen.i32, binaryen.i32]);
  module.addFunction("sums", parameters, binaryen.none, [binaryen.i32, binaryen.i32, binaryen.v128], loop);
}
