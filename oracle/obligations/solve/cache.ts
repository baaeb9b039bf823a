import { createHash } from "node:crypto";
import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../spec/cache_folder.ts";
import type { Answer } from "../obligation.ts";
import type { Query, Reply, Solver } from "./solver.ts";

/** All tiers with eight seeds and a second solver need fewer answers; beyond this, the longest unused go. */
const KEPT = 60_000;

/** A core or a model is always kept; time-outs and unknowns only with `all`, for their time limit. */
type Keeping = "decided" | "all";

/** Only such an answer can be kept. */
type Kept = Extract<Answer, { readonly kind: "proved" | "refuted" | "timeout" | "unknown" }>;

/** These are the answers of earlier runs, by what was asked. */
interface Answers {
  /** Answers what it knows, and remembers what `solver` says to the rest. */
  readonly solver: (solver: Solver, keeping?: Keeping) => Solver;
  /** Knows nothing, but remembers what `solver` says. */
  readonly record: (solver: Solver, keeping?: Keeping) => Solver;
  /** Counts the questions that were answered from here. */
  readonly found: () => number;
  /**
   * Writes all answers back, without superseded ones, if anything was asked. Returns why they could not be
   * kept, now or before; `undefined` if they are.
   */
  readonly save: () => Promise<string | undefined>;
}

/**
 * Reads the answers in a file; none if it is missing or not what was written. A question is text, budget,
 * seed, and the solver's name and version, so whatever changes is asked anew. `proved` and `refuted` are
 * always kept; undecided answers only for `all`, and for the same time limit. Runs of real code are never
 * kept. Law: an answer is in the file as soon as it is given, so that a stopped run goes on where it was.
 */
export async function answersIn(path: string): Promise<Answers> {
  const replies = await readReplies(path);
  const count = { found: 0, asked: 0 };
  const append = appending(path, replies.size > 0);
  let trouble: string | undefined;
  // An answer that cannot be kept is an answer all the same.
  const trying = async (writing: () => Promise<void>): Promise<void> => {
    if (trouble !== undefined) return;
    await writing().catch((thrown) => {
      trouble ??= thrown instanceof Error ? thrown.message : String(thrown);
    });
  };
  const asking = (solver: Solver, isKnowing: boolean, keeping: Keeping): Solver => ({
    name: solver.name,
    ask: async (query) => {
      const decided = keyOf(solver.name, query);
      const undecided = keyOf(solver.name, query, query.limits.timeout);
      const key = replies.has(decided) || keeping === "decided" ? decided : undecided;
      const known = isKnowing ? replies.get(key) : undefined;
      const reply = known ?? (await solver.ask(query));
      if (known === undefined) count.asked += 1;
      else count.found += 1;
      const own = isDecided(reply.answer) ? decided : undecided;
      // Setting a key anew moves it to the end of the map, so that it is dropped last.
      replies.delete(own);
      const isKept = isDecided(reply.answer) || (keeping === "all" && isKeepable(reply.answer));
      if (!isKept) return reply;
      replies.set(own, reply);
      if (known === undefined) await trying(() => append([own, toJson(reply)]));
      return reply;
    },
    [Symbol.asyncDispose]: () => solver[Symbol.asyncDispose](),
  });
  return {
    solver: (solver, keeping = "decided") => asking(solver, true, keeping),
    record: (solver, keeping = "decided") => asking(solver, false, keeping),
    found: () => count.found,
    save: async () => {
      if (count.asked === 0) return undefined;
      await trying(writeBack);
      return trouble;
    },
  };

  async function writeBack(): Promise<void> {
    const lines = [...replies].slice(-KEPT).map(([key, reply]) => lineOf([key, toJson(reply)]));
    await makeFolder(dirname(path));
    const temporary = `${path}.${process.pid}`;
    await writeFile(temporary, lineOf({ format: FORMAT }) + lines.join(""));
    await rename(temporary, path);
  }
}

const FORMAT = "adjudge.answers.v2";

function isDecided({ kind }: Answer): boolean {
  return kind === "proved" || kind === "refuted";
}

function isKeepable({ kind }: Answer): boolean {
  return kind === "timeout" || kind === "unknown";
}

function lineOf(json: unknown): string {
  return `${JSON.stringify(json)}\n`;
}

/** Appends entries to a file, one after the other; a file without answers is started anew. */
function appending(path: string, isBegun: boolean): (entry: readonly [string, unknown]) => Promise<void> {
  const begin = async (): Promise<void> => {
    await makeFolder(dirname(path));
    // A stopped run may have left half a line at the end.
    await (isBegun ? appendFile(path, "\n") : writeFile(path, lineOf({ format: FORMAT })));
  };
  const state: { last: Promise<void> | undefined } = { last: undefined };
  return (entry) => {
    const next = (state.last ?? begin()).then(() => appendFile(path, lineOf(entry)));
    state.last = next;
    return next;
  };
}

function keyOf(name: string, { script, limits, seed }: Query, timeout?: number): string {
  const asked = JSON.stringify([name, script.text, script.wanted, limits.rlimit, seed, timeout]);
  return createHash("sha256").update(asked).digest("hex");
}

function toJson({ answer, milliseconds, spent }: Reply): unknown {
  return { ...evidenceOf(answer), milliseconds, spent };
}

function evidenceOf(answer: Answer): Readonly<Record<string, unknown>> {
  switch (answer.kind) {
    case "proved":
      return { core: answer.core };
    case "refuted":
      return { model: [...answer.model] };
    case "unknown":
      return { unknown: answer.reason };
    default:
      return { [answer.kind]: true };
  }
}

async function readReplies(path: string): Promise<Map<string, Reply>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [head, ...lines] = text.split("\n").map(jsonOf);
  const replies = new Map<string, Reply>();
  if (!isRecord(head) || head.format !== FORMAT) return replies;
  for (const entry of lines) {
    const reply = Array.isArray(entry) ? fromJson(entry[1]) : undefined;
    if (reply !== undefined && Array.isArray(entry) && typeof entry[0] === "string")
      replies.set(entry[0], reply);
  }
  return replies;
}

/** Parses a line; returns `undefined` if it is no JSON. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function fromJson(json: unknown): Reply | undefined {
  if (!isRecord(json) || typeof json.milliseconds !== "number") return undefined;
  const answer = answerFrom(json);
  if (answer === undefined) return undefined;
  const spent = typeof json.spent === "number" ? json.spent : undefined;
  return { answer, milliseconds: json.milliseconds, spent };
}

function answerFrom({ core, model, unknown, timeout }: Readonly<Record<string, unknown>>): Kept | undefined {
  if (timeout === true) return { kind: "timeout" };
  if (typeof unknown === "string") return { kind: "unknown", reason: unknown };
  if (isTexts(core)) return { kind: "proved", core };
  if (!Array.isArray(model)) return undefined;
  const pairs: (readonly [string, string])[] = [];
  for (const pair of model) {
    if (!isTexts(pair)) return undefined;
    const [term, value] = pair;
    if (term === undefined || value === undefined) return undefined;
    pairs.push([term, value]);
  }
  return { kind: "refuted", model: new Map(pairs) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
