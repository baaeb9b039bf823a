import { readFileSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { familyNames, familyOf, hashesOf } from "./families.ts";
import { roomOf } from "./rooms.ts";

/** Characters of a file, and whether they run. */
type Range = readonly [start: number, end: number, count: number];

/** What the obligations of the right code are, and the code that runs while they are made. */
export interface Spoken {
  /** By family, the hashes of all scripts. */
  readonly hashes: Readonly<Record<string, readonly string[]>>;
  /** By family and file, ranges that lie within each other. */
  readonly ranges: Readonly<Record<string, Readonly<Record<string, readonly Range[]>>>>;
}

/** Reads what {@link measure} wrote. */
export function readSpoken(path: string): Spoken {
  const { hashes, ranges }: Spoken = JSON.parse(readFileSync(path, "utf8"));
  return { hashes, ranges };
}

/** Lists the families that have a place of a file run while their obligations are made. */
export function familiesAt({ ranges }: Spoken, file: string, place: number): readonly string[] {
  return Object.entries(ranges).flatMap(([family, files]) =>
    isRun(files[file] ?? [], place) ? [family] : [],
  );
}

/** Lists the families that have anything of a file run. */
export function familiesOf({ ranges }: Spoken, file: string): readonly string[] {
  return Object.entries(ranges).flatMap(([family, files]) => (files[file] === undefined ? [] : [family]));
}

/** The innermost range around a place says whether it runs. */
function isRun(ranges: readonly Range[], place: number): boolean {
  const around = ranges.filter(([start, end]) => start <= place && place < end);
  const [inner] = around.toSorted((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return inner !== undefined && inner[2] > 0;
}

/** Makes all obligations of the everyday tier, family by family, and writes which code each of them runs. */
async function measure(root: string, path: string): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const hashes: Record<string, readonly string[]> = {};
  const ranges: Record<string, Record<string, readonly Range[]>> = {};
  for (const family of await familyNames()) {
    const make = await familyOf(family);
    // What ran until here has loaded modules, and is no part of an obligation.
    await session.post("Profiler.takePreciseCoverage");
    hashes[family] = make().flatMap(hashesOf);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    ranges[family] = Object.fromEntries(
      result.flatMap(({ url, functions }) => {
        if (!url.startsWith("file:")) return [];
        const file = fileURLToPath(url)
          .slice(root.length + 1)
          .replaceAll("\\", "/");
        if (roomOf(file) === undefined) return [];
        const own = functions.flatMap((one) =>
          one.ranges.map((range): Range => [range.startOffset, range.endOffset, range.count]),
        );
        return own.some(([, , count]) => count > 0) ? [[file, own]] : [];
      }),
    );
    process.stdout.write(`${family}\n`);
  }
  writeFileSync(path, JSON.stringify({ hashes, ranges } satisfies Spoken));
}

const [, script, root, path] = process.argv;
if (script === fileURLToPath(import.meta.url) && root !== undefined && path !== undefined)
  await measure(root, path);
