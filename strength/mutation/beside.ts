import { posix } from "node:path";

/** What is loaded when a program comes to it, and the modules of threads. */
const LATER = /\b(?:import|new URL)\(\s*"(\.[^"]+\.ts)"/g;
const FROM = /^(?:import|export)\b(\s+type\b)?(?:[^;"'`]*?\bfrom)?\s*"(\.[^"]+)"/gm;

/** The tests of a project, by how near they are to a file. */
export interface Tests {
  /** Lists the tests that load a file and stand in its room or are called alike: the nearest first. */
  readonly beside: (file: string) => readonly string[];
  /** Lists all others that load it, the nearest first. */
  readonly others: (file: string) => readonly string[];
}

/** More tests than these are not beside a file. */
const BESIDE = 6;

/** These tests start interpreters, browsers and Lean, which load nothing of a mutant, or take minutes. */
const APART = /^(?:lean-export|python|playground|bench)\/|\.slow\.test\.ts$/;

/** A test whose path has a word of the file's path is likelier to be about it. */
const WORD = 3;

/** Reads from the sources which test loads which file, and over how many imports. */
export function testsOf(sources: ReadonlyMap<string, string>): Tests {
  const readers = new Map<string, string[]>();
  for (const [file, text] of sources)
    for (const name of loadedBy(text)) {
      const target = posix.join(posix.dirname(file), name);
      readers.set(target, [...(readers.get(target) ?? []), file]);
    }
  const near = (file: string): { readonly beside: readonly string[]; readonly others: readonly string[] } => {
    const steps = new Map([[file, 0]]);
    for (const [reached, count] of steps)
      for (const reader of readers.get(reached) ?? []) if (!steps.has(reader)) steps.set(reader, count + 1);
    const distances = new Map(
      [...steps].flatMap(([test, count]) =>
        test.endsWith(".test.ts") && !APART.test(test)
          ? [[test, count + foldersBetween(file, test) - WORD * wordsBetween(file, test)] as const]
          : [],
      ),
    );
    const tests = [...distances]
      .toSorted(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
      .map(([test]) => test);
    const isBeside = (test: string): boolean =>
      test.split("/")[0] === file.split("/")[0] || wordsBetween(file, test) > 0;
    const beside = tests.filter(isBeside).slice(0, BESIDE);
    return { beside, others: tests.filter((test) => !beside.includes(test)) };
  };
  const known = new Map<string, ReturnType<typeof near>>();
  const found = (file: string): ReturnType<typeof near> => {
    const answer = known.get(file) ?? near(file);
    known.set(file, answer);
    return answer;
  };
  return { beside: (file) => found(file).beside, others: (file) => found(file).others };
}

/** Lists what a module loads, as it calls it; types are gone when it runs. */
function loadedBy(text: string): readonly string[] {
  return [
    ...[...text.matchAll(FROM)].flatMap(([, type, name]) => (type === undefined ? (name ?? []) : [])),
    ...[...text.matchAll(LATER)].flatMap(([, name]) => name ?? []),
  ];
}

/** Counts the words of a file's own name and folder that are in a test's path; its very name counts twice. */
function wordsBetween(file: string, test: string): number {
  const words = (path: string): ReadonlySet<string> =>
    new Set(path.replace(/(\.test)?\.ts$/, "").split(/[/_.]/));
  const other = words(test);
  const own = [...words(file.split("/").slice(-2).join("/"))].filter((word) => other.has(word)).length;
  return own + (posix.basename(test) === `${posix.basename(file, ".ts")}.test.ts` ? 1 : 0);
}

/** Counts the folders that lead from one file to another. */
function foldersBetween(one: string, other: string): number {
  const [a, b] = [one, other].map((path) => path.split("/").slice(0, -1));
  if (a === undefined || b === undefined) return 0;
  const common = a.findIndex((part, place) => part !== b[place]);
  const shared = common === -1 ? a.length : common;
  return a.length + b.length - 2 * shared;
}
