import { readFileSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";
import { type PositCode, type PositEngine, positEngine } from "../../engines/posit/index.ts";
import type { Engine } from "../../spec/contract/index.ts";
import { type PositFormat, type PositType, positFormats } from "../../spec/wire/index.ts";
import { serve } from "./kit/serve.ts";
import { judgedPosits, type PositEngines } from "./posits.ts";

/** The crates whose arithmetic is judged, as cargo's build names them. */
export const positCrates = ["fast_posit", "softposit"] as const;
export type PositCrate = (typeof positCrates)[number];

/** A function of a module, from numbers to a number. */
type OfNumbers = (...operands: readonly number[]) => number;

/** The part of the WebAssembly API that is used; the loaded type libraries do not declare it. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> };
}

/** Returns the functions of both crates by name, from what cargo built. Throws if the file is not that. */
export function positFunctions(file: string): ReadonlyMap<string, OfNumbers> {
  const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
    .WebAssembly;
  const { exports } = new Instance(new Module(Uint8Array.from(readFileSync(file))));
  return new Map(
    Object.entries(exports).flatMap(([name, value]): [string, OfNumbers][] =>
      typeof value === "function" ? [[name, (...operands) => Number(value(...operands))]] : [],
    ),
  );
}

/** Returns the arithmetic of a crate for one width; `floor`, which softposit lacks, is the right one. */
export function positsOfCrate(
  functions: ReadonlyMap<string, OfNumbers>,
  crate: PositCrate,
  format: PositFormat,
): PositEngine {
  const right = positEngine(format);
  const { width } = format;
  const named = (name: string): OfNumbers => {
    const found = functions.get(`${crate}_${width}_${name}`);
    if (found === undefined) throw new TypeError(`${crate} has no ${name} of ${width} bits`);
    return found;
  };
  const [clear, enter, leave] = [named("clear"), named("enter"), named("leave")];
  return {
    format,
    notReal: right.notReal,
    toNumber: named("to_number"),
    fromNumber: named("from_number"),
    add: named("add"),
    subtract: named("subtract"),
    multiply: named("multiply"),
    divide: named("divide"),
    sqrt: named("sqrt"),
    negative: named("negative"),
    floor: functions.get(`${crate}_${width}_floor`) ?? right.floor,
    dot: (xs: readonly PositCode[], ys: readonly PositCode[]) => {
      clear();
      for (const [place, x] of xs.entries()) enter(x, ys[place] ?? 0);
      return leave();
    },
  };
}

const versions: Readonly<Record<PositCrate, string>> = { fast_posit: "0.2.0", softposit: "0.4.0" };

/** Makes an engine of a crate's arithmetic and quire; other functions are those of {@link judgedPosits}. */
export function positCrateEngine(file: string, crate: PositCrate): Engine {
  const engine = judgedPosits("quire", enginesOfCrate(positFunctions(file), crate), crate);
  const description = { ...engine.describe(), version: versions[crate], language: "Rust" };
  return { ...engine, describe: () => description };
}

/** The module has functions for these; they have the exponent bits of the standard. */
const ofStandard = ["posit32", "posit16", "posit8"] as const satisfies readonly PositType[];

function enginesOfCrate(functions: ReadonlyMap<string, OfNumbers>, crate: PositCrate): PositEngines {
  return Object.fromEntries(
    ofStandard.map((dtype): [PositType, PositEngine] => [
      dtype,
      positsOfCrate(functions, crate, positFormats[dtype]),
    ]),
  );
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file = "", name] = positionals;
  const crate = positCrates.find((one) => one === name);
  if (crate === undefined) {
    process.stderr.write("usage: posit_crates.ts FILE.wasm fast_posit|softposit\n");
    process.exitCode = 2;
  } else await serve(() => positCrateEngine(file, crate));
}
