import { createRequire } from "node:module";
import { dirname } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";

/**
 * Started in a process of its own, with everything it may do in its first argument: requires the glue and
 * lets it see the folders that are mounted, nothing else. Lean's own arguments follow.
 */
interface Start {
  readonly glue: string;
  readonly mounts: readonly { readonly real: string; readonly seen: string }[];
  readonly leanPath: string;
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
  readonly ENV: Record<string, string>;
  readonly FS: FileSystem;
  readonly NODEFS: unknown;
}

const [executable = "", , first = "", ...rest] = process.argv;
const start: Start = JSON.parse(first);

// Lean blocks this thread for minutes; another one ends the process when the one that started it has gone.
const watchdog = "setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500)";
new Worker(`const parent = ${process.ppid}; ${watchdog};`, { eval: true }).unref();

// The build tells its progress this way, a dozen lines for each run; Lean itself never uses the console.
console.log = () => {};
process.argv = [executable, "lean", ...rest];
process.env.LEAN_PATH = start.leanPath;

const module: Module = createRequire(start.glue)(start.glue);
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
