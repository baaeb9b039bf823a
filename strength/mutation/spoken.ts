import { readFileSync, writeFileSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Program } from "../../oracle/obligations/execution/index.ts";
import { REWRITTEN } from "../../oracle/obligations/truth/code.ts";
import { familyNames, familyOf, hashesOf } from "./families.ts";
import { namedIn } from "./mutators.ts";
import { roomOf } from "./rooms.ts";

/** Characters of a file, and whether they run. */
type Range = readonly [start: number, end: number, count: number];

/** What the obligations of the right code are, and the code that runs while they are made. */
export interface Spoken {
  /** By family, the hashes of all scripts. */
  readonly hashes: Readonly<Record<string, readonly string[]>>;
  /** By family and file, ranges that lie within each other. */
  readonly ranges: Ranges;
  /** The same of code that obligations read, and run on unknowns themselves: whole functions. */
  readonly read: Ranges;
}

type Ranges = Readonly<Record<string, Readonly<Record<string, readonly Range[]>>>>;

/** Reads what {@link measure} wrote. */
export function readSpoken(path: string): Spoken {
  const { hashes, ranges, read }: Spoken = JSON.parse(readFileSync(path, "utf8"));
  return { hashes, ranges, read };
}

/** Lists the families that have a place of a file run while their obligations are made. */
export function familiesAt({ ranges, read }: Spoken, file: string, place: number): readonly string[] {
  return familiesOf({ ranges, read }, file).filter((family) =>
    [ranges, read].some((all) => isRun(all[family]?.[file] ?? [], place)),
  );
}

/** Lists the families that have anything of a file run. */
export function familiesOf(
  { ranges, read }: Pick<Spoken, "ranges" | "read">,
  file: string,
): readonly string[] {
  const families = new Set([ranges, read].flatMap(Object.keys));
  return [...families].filter((family) => [ranges, read].some((all) => all[family]?.[file] !== undefined));
}

/** The innermost range around a place says whether it runs. */
function isRun(ranges: readonly Range[], place: number): boolean {
  const around = ranges.filter(([start, end]) => start <= place && place < end);
  const [inner] = around.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return inner !== undefined && inner[2] > 0;
}

type Asked = Map<string, Set<string>>;

function note(asked: Asked, file: string, name: string): void {
  const names = asked.get(file) ?? new Set();
  asked.set(file, names.add(name));
}

/**
 * Notes from now on, by file, what is asked for by its name of the programs that obligations run themselves.
 */
function watched(): Asked {
  const asked: Asked = new Map();
  const { declared, method } = Program.prototype;
  Program.prototype.declared = function (this: Program, name, module) {
    const found = declared.call(this, name, module);
    if (found !== undefined) note(asked, `${found.module}.ts`, name);
    return found;
  };
  Program.prototype.method = function (this: Program, name, module) {
    note(asked, `${module}.ts`, name);
    return method.call(this, name, module);
  };
  return asked;
}

/**
 * Returns what of a file has one of these names: functions, and constants outside them. Of the functions in
 * others it is known only in rewritten code whether they run; elsewhere they go with what they are in.
 */
function rangesOf(file: string, text: string, names: ReadonlySet<string>): readonly Range[] {
  return namedIn(file, text)
    .filter(({ isInner }) => !isInner || file.startsWith("oracle/truth/"))
    .map(({ start, end, name }) => [start, end, names.has(name) ? 1 : 0]);
}

/** Lists the names of functions that have run. */
function namesRun(functions: readonly Profiler.FunctionCoverage[]): readonly string[] {
  return functions.flatMap(({ functionName, ranges: [whole] }) =>
    functionName !== "" && (whole?.count ?? 0) > 0 ? [functionName] : [],
  );
}

/** Makes all obligations of the everyday tier, family by family, and writes which code each of them runs. */
async function measure(root: string, path: string): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const hashes: Record<string, readonly string[]> = {};
  const ranges: Record<string, Record<string, readonly Range[]>> = {};
  const read: Record<string, Record<string, readonly Range[]>> = {};
  const asked = watched();
  for (const family of await familyNames()) {
    const make = await familyOf(family);
    // What ran until here has loaded modules, and is no part of an obligation.
    await session.post("Profiler.takePreciseCoverage");
    asked.clear();
    hashes[family] = make().flatMap(hashesOf);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const pathOf = (url: string): string =>
      fileURLToPath(url)
        .slice(root.length + 1)
        .replaceAll("\\", "/");
    for (const { url, functions } of result.filter((one) => one.url.endsWith(REWRITTEN)))
      for (const name of namesRun(functions)) note(asked, pathOf(url.slice(0, -REWRITTEN.length)), name);
    read[family] = Object.fromEntries(
      [...asked].flatMap(([file, names]) =>
        roomOf(file) === undefined
          ? []
          : [[file, rangesOf(file, readFileSync(`${root}/${file}`, "utf8"), names)] as const],
      ),
    );
    ranges[family] = Object.fromEntries(
      result.flatMap(({ url, functions }) => {
        if (!url.startsWith("file:") || url.endsWith(REWRITTEN)) return [];
        const file = pathOf(url);
        if (roomOf(file) === undefined) return [];
        const own = functions.flatMap((one) =>
          one.ranges.map((range): Range => [range.startOffset, range.endOffset, range.count]),
        );
        return own.some(([, , count]) => count > 0) ? [[file, own]] : [];
      }),
    );
    process.stdout.write(`${family}\n`);
  }
  writeFileSync(path, JSON.stringify({ hashes, ranges, read } satisfies Spoken));
}

const [, script, root, path] = process.argv;
if (script === fileURLToPath(import.meta.url) && root !== undefined && path !== undefined)
  await measure(root, path);
