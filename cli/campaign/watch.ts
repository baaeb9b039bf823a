import { createHash } from "node:crypto";
import { type FSWatcher, readdirSync, readFileSync, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type NamedEngines, splitWords } from "../../conformance/testees/index.ts";
import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import type { ExitCode } from "../terminal/exit.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Runs again at each change, which names what has changed, and returns the exit code of the last run. */
export async function watching(
  run: () => Promise<ExitCode>,
  changes: AsyncIterable<readonly string[]>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { yellow } = terminal.palette;
  const wait = (): void => terminal.note(`${yellow("…")} waiting for changes; Ctrl-C ends`);
  let code = await run();
  wait();
  for await (const paths of changes) {
    const [first = "", ...others] = paths.map((path) => visible(path, 200));
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    terminal.note(`${yellow("!")} ${first}${more} changed: asking again, what failed first`);
    code = await run();
    wait();
  }
  return code;
}

/** What is watched: files, folders whose own files count, and those of which everything below counts. */
export interface Watched {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  readonly trees: readonly string[];
  /** A run writes these itself. */
  readonly written: readonly string[];
}

/** The flags that say what is watched. */
interface WatchFlags {
  readonly engine: readonly string[];
  readonly named?: NamedEngines;
  readonly watchPath: readonly string[];
  readonly report: readonly string[];
  readonly html?: string;
  readonly known?: string;
}

/**
 * Returns the changes of what a run asks: the files that the commands of its engines name, the folders around
 * them, and what `--watch-path` names. Fails: `watch/nothing`.
 */
export function changesOf({
  engine,
  named,
  watchPath,
  report,
  html,
  known,
}: WatchFlags): Result<AsyncIterable<readonly string[]>, Issue[]> {
  const files = engine.flatMap((name) => {
    const own = named?.commands.get(name);
    const words = splitWords(own ?? name);
    return (own === undefined ? words : words.map((word) => resolve(named?.folder ?? "", word))).filter(
      isFile,
    );
  });
  const missing = watchPath.filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined);
  if (missing.length > 0) return fail(missing.map(noSuchPath));
  if (files.length + watchPath.length === 0) return fail([nothingToWatch]);
  const written = [...report, ...[html, known].filter((path) => path !== undefined)];
  const watched = { files, folders: files.map((path) => dirname(path)), trees: watchPath, written };
  return ok(fileChanges(watched, contentsOf(watched)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

const nothingToWatch: Issue = {
  code: "watch/nothing",
  pointer: "",
  message: "no engine is a command that names a file, so that there is nothing to watch.",
  hint: 'give the adapter, as in -e "python3 my_adapter.py", or --watch-path with the library\'s folder',
};

function noSuchPath(path: string): Issue {
  const message = `--watch-path: there is no ${visible(path, 200)}.`;
  return { code: "watch/path", pointer: "", message, hint: "give a file or a folder that exists" };
}

/** These folders hold what is built or fetched, and no sources. */
const SKIPPED = new Set(["node_modules", "__pycache__", "target", "dist"]);

/** The content of files, by path, as hashes. */
type Contents = ReadonlyMap<string, string>;

/** Reads what is watched as it is now. What cannot be read is not there. */
export function contentsOf({ files, folders, trees, written }: Watched): Contents {
  const own = new Set(written.map((path) => resolve(path)));
  const paths = [
    ...files,
    ...folders.flatMap((folder) => filesIn(folder, false)),
    ...trees.flatMap((path) => (isFile(path) ? [path] : filesIn(path, true))),
  ];
  const counted = [...new Set(paths)].filter((path) => !own.has(resolve(path)));
  return new Map(counted.flatMap((path) => hashed(path)));
}

function hashed(path: string): (readonly [string, string])[] {
  try {
    return [[path, createHash("sha256").update(readFileSync(path)).digest("hex")]];
  } catch {
    return [];
  }
}

function filesIn(folder: string, isDeep: boolean): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      // Editors keep their own beside what they edit.
      if (/^\.|~$/.test(entry.name) || SKIPPED.has(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isDeep ? filesIn(path, true) : [];
      return entry.isFile() ? [path] : [];
    });
  } catch {
    return [];
  }
}

/** Returns the paths at which two states differ. */
export function differing(before: Contents, now: Contents): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path)).sort();
}

/**
 * Yields what has changed in files, whenever their content does: touching or saving them unchanged is none. A
 * change during a run is yielded after it.
 */
async function* fileChanges(watched: Watched, begin: Contents): AsyncGenerator<readonly string[]> {
  const { folders, trees } = watched;
  let signal = Promise.withResolvers<void>();
  const hear = (): void => signal.resolve();
  const watchers: FSWatcher[] = [
    ...folders.map((folder) => watch(folder, hear)),
    ...trees.map((path) => watch(path, { recursive: true }, hear)),
  ];
  try {
    for (let before = begin; ; ) {
      const now = await settled(watched);
      const changed = differing(before, now);
      if (changed.length === 0) {
        await signal.promise;
        signal = Promise.withResolvers();
        continue;
      }
      before = now;
      yield changed.map((path) => basename(path));
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

/** Reads what is watched until it stays the same, since a file is written in steps. */
async function settled(watched: Watched): Promise<Contents> {
  for (let before = contentsOf(watched); ; ) {
    await setImmediate();
    const now = contentsOf(watched);
    if (differing(before, now).length === 0) return now;
    before = now;
  }
}
