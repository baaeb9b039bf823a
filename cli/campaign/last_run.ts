import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Section } from "../../conformance/report/index.ts";
import { cacheFolder, makeFolder } from "../../spec/cache_folder.ts";
import type { Issue } from "../../spec/shapes/index.ts";
import type { ReportJson } from "../../spec/wire/index.ts";
import { writeWhole } from "../files/whole_file.ts";

/** A case that failed is named by its index, or its file. */
export type Place = number | string;

/** A run draws the same cases as another if these are alike. */
type Questions = Pick<ReportJson, "adjudge" | "kind" | "seed" | "profile">;

/** What failed in a folder's last run: the cases of each engine in each precision. */
export interface LastRun {
  readonly run: Questions;
  readonly failed: ReadonlyMap<string, readonly Place[]>;
}

/**
 * Returns the paths of what is kept of the last run in this working folder: its failures, and the report of
 * one that was interrupted. They lie where all lies that is kept between runs.
 */
export function lastRunPaths(
  environment: NodeJS.ProcessEnv = process.env,
  folder: string = process.cwd(),
): { readonly failures: string; readonly report: string } {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const base = join(cacheFolder(environment), "last-run", name);
  return { failures: `${base}.failed.json`, report: `${base}.report.json` };
}

/** Reads what failed in the last run; `undefined` where nothing that can be read is kept. */
export function readLastRun(path: string): LastRun | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(path, "utf8"));
    return lastRunOf(json);
  } catch {
    return undefined;
  }
}

function lastRunOf(json: unknown): LastRun | undefined {
  if (!isRecord(json) || !isRecord(json.run) || !isRecord(json.failed)) return undefined;
  const { adjudge, kind, seed, profile } = json.run;
  if (typeof adjudge !== "string" || typeof seed !== "number" || typeof profile !== "string")
    return undefined;
  if (kind !== undefined && kind !== "tapes") return undefined;
  const failed = Object.entries(json.failed).map(([name, places]) => [name, placesOf(places)] as const);
  return {
    run: { adjudge, seed, profile, ...(kind === undefined ? {} : { kind }) },
    failed: new Map(failed),
  };
}

function placesOf(json: unknown): readonly Place[] {
  return Array.isArray(json)
    ? json.filter((one) => typeof one === "string" || Number.isSafeInteger(one))
    : [];
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null;
}

const alike = ["adjudge", "kind", "seed", "profile"] as const;

/** Returns the first field in which the last run drew other cases than this one does. */
function otherField(last: LastRun, run: Questions): (typeof alike)[number] | undefined {
  return alike.find((name) => last.run[name] !== run[name]);
}

/** Returns the issue of `--last-failed` where nothing is kept, or the last run drew other cases. */
export function lastRunIssue(last: LastRun | undefined, run: Questions): Issue | undefined {
  if (last === undefined) {
    const hint = "judge without --last-failed first, in this folder";
    return { code: "last/none", pointer: "", message: "no last run is known here.", hint };
  }
  const field = otherField(last, run);
  if (field === undefined) return undefined;
  const message = `the last run here had ${field} ${last.run[field] ?? "graphs"}, and so other cases.`;
  const hint = "give the seed, profile and kind of that run, or leave --last-failed out";
  return { code: "last/different", pointer: "", message, hint };
}

/** Lists what failed of an engine by name, in any precision. */
export function failedOf(last: LastRun, engine: string): ReadonlySet<Place> {
  // A precision has no blank.
  const own = [...last.failed].filter(([key]) => key.slice(key.indexOf(" ") + 1) === engine);
  return new Set(own.flatMap(([, places]) => places));
}

/** Keeps what fails in a folder from run to run: in a file, and for a process that runs again. */
export class LastRuns {
  /** The last run, as far as it is known. */
  last: LastRun | undefined;
  readonly paths: ReturnType<typeof lastRunPaths>;
  readonly #asked = new Map<string, Set<Place>>();

  private constructor(paths: ReturnType<typeof lastRunPaths>) {
    this.paths = paths;
    this.last = readLastRun(paths.failures);
  }

  /** Opens what is kept; `undefined` where nothing can be. */
  static async open(paths: ReturnType<typeof lastRunPaths> = lastRunPaths()): Promise<LastRuns | undefined> {
    return makeFolder(dirname(paths.failures)).then(
      () => new LastRuns(paths),
      () => undefined,
    );
  }

  /** Begins a run. */
  begin(): void {
    this.#asked.clear();
  }

  /** Says that an engine was asked a case. */
  note(engine: string, dtype: string, place: Place): void {
    const key = sectionKey(engine, dtype);
    this.#asked.set(key, (this.#asked.get(key) ?? new Set()).add(place));
  }

  /**
   * Returns what has failed after a run. What failed before and was not asked now has still failed, if the
   * runs draw the same cases; a known failure is none.
   */
  after(run: Questions, sections: readonly Section[]): LastRun {
    const { last } = this;
    const isSame = last !== undefined && otherField(last, run) === undefined;
    const failed = new Map<string, readonly Place[]>(isSame ? last.failed : []);
    for (const { description, dtype, verdicts } of sections) {
      const key = sectionKey(description.name, dtype);
      const still = (failed.get(key) ?? []).filter((place) => this.#asked.get(key)?.has(place) !== true);
      const news = verdicts.flatMap(({ case: place, verdict: { kind }, known }) =>
        (kind === "disagrees" || kind === "crashed") && known === undefined ? [place] : [],
      );
      failed.set(key, [...new Set([...still, ...news])]);
    }
    const { adjudge, kind, seed, profile } = run;
    return { run: { adjudge, seed, profile, ...(kind === undefined ? {} : { kind }) }, failed };
  }

  /** Keeps what has failed; a disk that is full is no fault of the run. */
  async keep(run: Questions, sections: readonly Section[]): Promise<void> {
    this.last = this.after(run, sections);
    await writeWhole(this.paths.failures, lastRunText(this.last)).catch(() => {});
  }
}

/** Names the cases of an engine in a precision. */
function sectionKey(engine: string, dtype: string): string {
  return `${dtype} ${engine}`;
}

/** Returns the text of the file of failures. */
export function lastRunText({ run, failed }: LastRun): string {
  return `${JSON.stringify({ run, failed: Object.fromEntries(failed) })}\n`;
}
