import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { cacheFolder } from "../../../spec/cache_folder.ts";

/** A C compiler of this machine, and where what it compiled is kept. */
export interface CCompiler {
  /** Compiles a text to a shared library, and returns its path. Throws if the compiler refuses it. */
  compile(text: string): string;
}

/** The flags of the engine: no contraction, because one rounding is written where it is wanted. */
const flags: readonly string[] = [
  ..."-std=c11 -O3 -march=native -ffp-contract=off -fno-math-errno -fno-trapping-math".split(" "),
  ..."-fPIC -shared -pthread -w".split(" "),
];

/** So many libraries are kept. */
const most = 2000;

/** Finds the C compiler, by the name in `CC` or as `cc`; `undefined` where there is none. */
export function findCompiler(environment: Readonly<NodeJS.ProcessEnv> = process.env): CCompiler | undefined {
  const command = environment.CC ?? "cc";
  let version: string;
  try {
    version = execFileSync(command, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
  const folder = join(cacheFolder(environment), "c");
  return {
    compile(text) {
      // Machines may share a folder, and `-march=native` is of one processor.
      const hash = createHash("sha256")
        .update(JSON.stringify([version, cpus()[0]?.model, flags, text]))
        .digest("hex");
      const library = join(folder, `${hash}.so`);
      if (existsSync(library)) return library;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      makeRoom(folder);
      const place = mkdtempSync(join(folder, "new-"));
      try {
        const [source, made] = [join(place, "gradient.c"), join(place, "gradient.so")];
        writeFileSync(source, text);
        execFileSync(command, [...flags, "-o", made, source], { stdio: ["ignore", "ignore", "pipe"] });
        // Two processes may compile the same text; either's library will do.
        renameSync(made, library);
      } finally {
        rmSync(place, { recursive: true, force: true });
      }
      return library;
    },
  };
}

/** Removes the older half of too many libraries. */
function makeRoom(folder: string): void {
  const libraries = readdirSync(folder).filter((name) => name.endsWith(".so"));
  if (libraries.length < most) return;
  const aged = libraries.map((name) => {
    // Another process may have removed it meanwhile.
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return { name, time: found?.mtimeMs ?? 0 };
  });
  for (const { name } of aged.toSorted((a, b) => a.time - b.time).slice(0, most / 2)) {
    rmSync(join(folder, name), { force: true });
  }
}
