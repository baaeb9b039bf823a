import fs, { readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { compiledFolders } from "./own_files.ts";

/**
 * Started in a process of its own, with everything it may do in its first argument: requires the glue and
 * lets it see the folders that are mounted, nothing else. Lean's own arguments follow.
 */
interface Start {
  readonly glue: string;
  readonly mounts: readonly { readonly real: string; readonly seen: string }[];
  /** Compiled modules are seen in these folders. */
  readonly compiled: readonly string[];
  readonly folder: string;
}

interface FileSystem {
  readonly mkdirTree: (path: string) => void;
  readonly mount: (type: unknown, options: { readonly root: string }, path: string) => void;
  readonly writeFile: (path: string, text: string) => void;
  readonly chdir: (path: string) => void;
}

interface Module {
  preRun?: () => void;
  stdin?: () => number | null;
  readonly ENV: Record<string, string>;
  readonly FS: FileSystem;
  readonly NODEFS: unknown;
}

const [executable = "", , first = "", ...rest] = process.argv;
const start: Start = JSON.parse(first);

// Lean blocks this thread for minutes; another one ends the process when the one that started it has gone.
const watchdog =
  "setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500)";
new Worker(`const parent = ${process.ppid}; ${watchdog};`, { eval: true }).unref();

// Of 147,000 functions a run calls a tenth, most of them briefly: each is validated when it is first called,
// and compiled well only when it is called very often.
setFlagsFromString("--wasm-lazy-validation");
setFlagsFromString("--wasm-tiering-budget=200000000");

// The build tells its progress this way, a dozen lines for each run; Lean itself never uses the console.
console.log = () => {};

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Runs `task` once its pipe is ready: a full or empty pipe throws instead of waiting. */
function whenReady(task: () => number): number {
  for (;;) {
    try {
      return task();
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

// The glue writes each line by this function, and does not look at how much of it was written.
const writeSome = fs.writeSync;
function writeAll(file: number, text: string): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += whenReady(() => writeSome(file, bytes, written));
  return written;
}

// NODEFS writes bytes to files by the same function.
Object.assign(fs, {
  writeSync: (file: number, ...rest: [string] | [Uint8Array, number, number, number?]) =>
    typeof rest[0] === "string" ? writeAll(file, rest[0]) : Reflect.apply(writeSome, fs, [file, ...rest]),
});

process.argv = [executable, "lean", ...rest];
process.env.LEAN_PATH = start.compiled.join(":");
const compiled = start.mounts.filter(({ seen }) => start.compiled.includes(seen));
process.env[compiledFolders] = JSON.stringify(compiled.map(({ seen, real }) => [seen, real]));

const module: Module = createRequire(start.glue)(start.glue);
/**
 * Standard input, byte by byte; the glue's own way opens the stream, which then does not wait. After each
 * line a read ends, so that Lean gets what there is. Lines are shorter than the buffer of a read.
 */
const chunk = Buffer.alloc(4_096);
let read = 0;
let length = 0;
let isLineEnd = false;
module.stdin = () => {
  if (isLineEnd) {
    isLineEnd = false;
    return null;
  }
  if (read === length) {
    read = 0;
    length = whenReady(() => readSync(0, chunk));
  }
  if (length === 0) return null;
  const byte = chunk[read] ?? null;
  read += 1;
  isLineEnd = byte === 10;
  return byte;
};
module.preRun = () => {
  for (const { real, seen } of start.mounts) {
    module.FS.mkdirTree(seen);
    module.FS.mount(module.NODEFS, { root: real }, seen);
  }
  // Lean asks where its own program lies.
  module.FS.mkdirTree(dirname(start.glue));
  module.FS.writeFile(start.glue, "");
  module.FS.chdir(start.folder);
  // The build writes a coverage profile when it ends. Into a folder it may not write to, it tries for ever.
  module.ENV.LLVM_PROFILE_FILE = "/profile";
};
