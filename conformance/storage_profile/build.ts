import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import type { Command } from "../runner/index.ts";

/** Finds the sources in C from here or from the compiled files. */
function sources(): string {
  const here = fileURLToPath(new URL("../testees/storage/", import.meta.url));
  return existsSync(join(here, "main.c"))
    ? here
    : fileURLToPath(new URL("../../../conformance/testees/storage/", import.meta.url));
}

/** A framework is built from one of these. */
export type FrameworkSource =
  /** Our own sources, with one of the faults of `faults.h` or none. */
  | { readonly kind: "own"; readonly fault?: string }
  /** A checkout of es-ude/OnDeviceTraining. */
  | { readonly kind: "odt"; readonly checkout: string };

/** Products and sums are not fused, since some laws ask for bits that fusing changes. */
const flags = ["-std=gnu11", "-O0", "-ffp-contract=off", "-w"] as const;

/** Folders of es-ude/OnDeviceTraining with its tensors, steps and losses, and those with needed headers. */
const parts = ["tensor", "arithmetic", "optimizer", "loss_functions"] as const;
const headers = [...parts, "common", "layer"] as const;

/** Returns our faults by name, each with the point that `faults.h` says exposes it. */
export function faultsIn(header: string): ReadonlyMap<string, number> {
  const faults = new Map<string, number>();
  let point = 0;
  for (const line of header.split("\n")) {
    point = Number(/^ {4}\/\* (\d+) \*\/$/.exec(line)?.[1] ?? point);
    const name = /^ {4}([A-Z\d_]+), +\/\*|^ {4}([A-Z\d_]+), \/\*/.exec(line);
    const found = name?.[1] ?? name?.[2];
    if (found !== undefined) faults.set(found, point);
  }
  return faults;
}

/** Builds a framework with `CC`, or `cc`. Fails: `storage/compiler` without one, `storage/build`. */
export function buildFramework(source: FrameworkSource, file: string): Result<Command, Issue[]> {
  const { CC: compiler = "cc" } = process.env;
  const own = sources();
  const main = join(own, "main.c");
  const words =
    source.kind === "own"
      ? [`-DFAULT=${source.fault ?? "NONE"}`, main, join(own, "engine.c")]
      : [`-I${own}`, main, join(own, "odt", "adapter.c"), ...checkedOut(source.checkout)];
  const { error, status, stderr } = spawnSync(compiler, [...flags, ...words, "-lm", "-o", file], {
    encoding: "utf8",
    maxBuffer: 2 ** 24,
  });
  if (error !== undefined) return fail([noCompiler(compiler, error.message)]);
  return status === 0 ? ok({ argv: [file] }) : fail([notBuilt(source, stderr)]);
}

/** Lists the sources of a checkout, and where its headers are. */
function checkedOut(folder: string): string[] {
  const of = (part: string): string => join(folder, "src", part);
  const files = parts
    .filter((part) => existsSync(of(part)))
    .flatMap((part) =>
      readdirSync(of(part))
        .filter((name) => name.endsWith(".c"))
        .map((name) => join(of(part), name)),
    );
  return [...headers.map((part) => `-I${join(of(part), "include")}`), ...files];
}

function noCompiler(compiler: string, why: string): Issue {
  return {
    code: "storage/compiler",
    pointer: "",
    message: `there is no C compiler: ${visible(compiler)}: ${visible(why)}.`,
    hint: "install one, or name it in CC; a framework of your own needs none: adjudge storage-profile -- COMMAND",
  };
}

/** A compiler's message is cut to so many characters. */
const LONGEST = 2000;

function notBuilt(source: FrameworkSource, said: string): Issue {
  const what = source.kind === "own" ? "the engine" : visible(source.checkout);
  return {
    code: "storage/build",
    pointer: "",
    message: `${what} could not be built: ${visible(said.slice(0, LONGEST))}`,
    hint:
      source.kind === "own"
        ? "the compiler has to know C11"
        : "the adapter is written for the snapshot 55d204a of es-ude/OnDeviceTraining; the folder is that which has src/tensor in it",
  };
}
