import { fail, type Issue, ok, type Result } from "../../../../spec/shapes/index.ts";
import { dataTypes, parseJson } from "../../../../spec/wire/index.ts";
import { type Job, jobOf, type Series, seriesId, seriesKinds, subjectId } from "../job.ts";
import type { Answered } from "../outcome.ts";
import type { Described } from "../worker.ts";

/** A job as it waits in a queue. */
export interface Task {
  readonly series: Series;
  readonly first: number;
  readonly count: number;
}

/** What a machine hands in of a job. */
export interface HandedIn {
  readonly asked: number;
  readonly answered: Answered;
}

/** A machine announces an engine, which it asks. */
export interface Announced {
  readonly label: string;
  readonly engine: Described;
}

/** A machine, or the coordinator, says so from time to time that it is there. */
export interface Sign {
  /** The host and the process, as `host:pid`. */
  readonly name: string;
  readonly adjudge: string;
  /** The moment at which it came, in milliseconds since 1970. */
  readonly since: number;
  /** The ids of the subjects that it asks. */
  readonly subjects: readonly string[];
  /** It has counted so many of something, such as its jobs. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Writes a sign, as {@link readSign} reads it. */
export function signText({ counts, ...sign }: Sign): string {
  return JSON.stringify({ ...sign, counts: Object.fromEntries(counts) });
}

/** So many characters of what somebody hands in are read, and of what somebody announces. */
export const longest = { handedIn: 67_108_864, announced: 1_048_576, sign: 65_536 } as const;

/** No job has more questions than this. */
const MOST = 10_000;

type Fields = ReadonlyMap<string, unknown>;

/**
 * Reads a job of a queue, of which nothing is believed. Law: it is a job of the subject and of this adjudge,
 * under its content id. Fails: `queue/job`.
 */
export function readTask(
  data: unknown,
  id: string,
  subject: string,
  adjudge: string,
): Result<{ readonly job: Job; readonly series: Series }, Issue[]> {
  const bad = fail([malformed("job")]);
  const task = fieldsOf(data);
  const given = fieldsOf(task.get("series"));
  const kind = seriesKinds.find((name) => name === given.get("kind"));
  const dtype = dataTypes.find((name) => name === given.get("dtype"));
  const profile = given.get("profile");
  const [seed, lawsEvery] = [given.get("seed"), given.get("lawsEvery")];
  const [first, count] = [task.get("first"), task.get("count")];
  if (kind === undefined || dtype === undefined || typeof profile !== "string") return bad;
  if (!(isCount(seed) && isCount(lawsEvery) && isCount(first) && isCount(count))) return bad;
  if (given.get("subject") !== subject || given.get("adjudge") !== adjudge || count < 1 || count > MOST)
    return bad;
  const series: Series = { subject, kind, profile, seed, dtype, lawsEvery, adjudge };
  const job = jobOf(seriesId(series), first, count);
  return job.id === id ? ok({ job, series }) : bad;
}

/** Reads what was handed in of a job; its report is checked where it is counted. Fails: `queue/handed-in`. */
export function readHandedIn(text: string): Result<HandedIn, Issue[]> {
  const bad = fail([malformed("handed-in")]);
  const json = parseJson(text);
  const said = fieldsOf(json.ok ? json.value : undefined);
  const given = fieldsOf(said.get("answered"));
  const asked = said.get("asked");
  const [milliseconds, isAll, statements] = ["milliseconds", "isAll", "statements"].map((name) =>
    given.get(name),
  );
  if (!(isCount(asked) && isTime(milliseconds)) || !(isAll === undefined || typeof isAll === "boolean"))
    return bad;
  const names = fieldsOf(statements);
  const [called, answered] = [names.get("called"), names.get("answered")];
  if (statements !== undefined && !(isTexts(called) && isTexts(answered))) return bad;
  return ok({
    asked,
    answered: {
      ...{ report: given.get("report"), milliseconds },
      ...(isTexts(called) && isTexts(answered) ? { statements: { called, answered } } : {}),
      ...(isAll === undefined ? {} : { isAll }),
    },
  });
}

/** Reads an announcement. Law: it has the content id under which it was found. Fails: `queue/engine`. */
export function readAnnounced(text: string, id: string): Result<Announced, Issue[]> {
  const bad = fail([malformed("engine")]);
  const json = text.length > longest.announced ? undefined : parseJson(text);
  const said = fieldsOf(json?.ok === true ? json.value : undefined);
  const given = fieldsOf(said.get("engine"));
  const [label, name, version, offer] = [
    said.get("label"),
    ...["name", "version", "offer"].map((key) => given.get(key)),
  ];
  const [hasPrograms, hasTapes, bringsFunctions] = ["hasPrograms", "hasTapes", "bringsFunctions"].map((key) =>
    given.get(key),
  );
  if (!(isText(label) && isText(name) && isText(version) && isText(offer))) return bad;
  if (typeof hasPrograms !== "boolean" || typeof hasTapes !== "boolean") return bad;
  const types = given.get("dtypes");
  if (typeof bringsFunctions !== "boolean" || !Array.isArray(types)) return bad;
  const dtypes = dataTypes.filter((dtype) => types.includes(dtype));
  if (subjectId({ label, name, version, offer }) !== id) return bad;
  return ok({ label, engine: { name, version, dtypes, hasPrograms, hasTapes, bringsFunctions, offer } });
}

/** Reads a sign. Fails: `queue/sign`. */
export function readSign(text: string): Result<Sign, Issue[]> {
  const json = text.length > longest.sign ? undefined : parseJson(text);
  const said = fieldsOf(json?.ok === true ? json.value : undefined);
  const [name, adjudge, subjects] = ["name", "adjudge", "subjects"].map((key) => said.get(key));
  const since = said.get("since");
  const counts = new Map<string, number>();
  for (const [key, count] of fieldsOf(said.get("counts"))) if (isCount(count)) counts.set(key, count);
  return isText(name) && isText(adjudge) && isTexts(subjects) && isCount(since)
    ? ok({ name, adjudge, since, subjects, counts })
    : fail([malformed("sign")]);
}

function fieldsOf(value: unknown): Fields {
  return new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function malformed(what: "job" | "handed-in" | "engine" | "sign"): Issue {
  const message = {
    job: "that is no job of this engine and this adjudge.",
    "handed-in": "what was handed in is no outcome of a job.",
    engine: "that is no announcement of an engine.",
    sign: "that is no sign of a machine.",
  }[what];
  const hint = "somebody else writes to this Redis; give the campaign a database of its own";
  return { code: `queue/${what}`, pointer: "", message, hint };
}
