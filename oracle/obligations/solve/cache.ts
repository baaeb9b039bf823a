import { createHash } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Answer } from "../obligation.ts";
import type { Query, Reply, Solver } from "./solver.ts";

/** More answers than all tiers with eight seeds need. Beyond it those that were not asked for longest go. */
const KEPT = 20_000;

/** An answer that stays what it is: a core or a model. */
type Decided = Extract<Answer, { readonly kind: "proved" | "refuted" }>;

/** Decided answers of earlier runs, by what was asked. */
export interface Answers {
  /** Answers what it knows, and remembers what `solver` says to the rest. */
  readonly solver: (solver: Solver) => Solver;
  /** Knows nothing, but remembers what `solver` says. */
  readonly record: (solver: Solver) => Solver;
  /** How many questions were answered from it. */
  readonly found: () => number;
  /** Writes everything back. Fails: as writing does. */
  readonly save: () => Promise<void>;
}

/**
 * The answers in a file; none if it is missing or not what was written. A question is the text, the budget, the seed, and name and version of the solver, so whatever changes is asked anew.
 * Only `proved` and `refuted` are kept; and only a solver's answers: what a model does in the real code is run every time.
 */
export async function answersIn(path: string): Promise<Answers> {
  const replies = await readReplies(path);
  const count = { found: 0 };
  const asking = (solver: Solver, isKnowing: boolean): Solver => ({
    name: solver.name,
    ask: async (query) => {
      const key = keyOf(solver.name, query);
      const known = isKnowing ? replies.get(key) : undefined;
      const reply = known ?? (await solver.ask(query));
      if (known !== undefined) count.found += 1;
      // What is set anew is last in the order of a map, and so the last to go.
      replies.delete(key);
      if (reply.answer.kind === "proved" || reply.answer.kind === "refuted") replies.set(key, reply);
      return reply;
    },
    [Symbol.asyncDispose]: () => solver[Symbol.asyncDispose](),
  });
  return {
    solver: (solver) => asking(solver, true),
    record: (solver) => asking(solver, false),
    found: () => count.found,
    save: async () => {
      const entries = [...replies].slice(-KEPT).map(([key, reply]) => [key, toJson(reply)]);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${process.pid}`;
      await writeFile(temporary, JSON.stringify({ format: FORMAT, entries }));
      await rename(temporary, path);
    },
  };
}

const FORMAT = "adjudge.answers.v1";

function keyOf(name: string, { script, limits, seed }: Query): string {
  const asked = JSON.stringify([name, script.text, script.wanted, limits.rlimit, seed]);
  return createHash("sha256").update(asked).digest("hex");
}

function toJson({ answer, milliseconds, spent }: Reply): unknown {
  const evidence =
    answer.kind === "proved"
      ? { core: answer.core }
      : answer.kind === "refuted"
        ? { model: [...answer.model] }
        : {};
  return { ...evidence, milliseconds, spent };
}

async function readReplies(path: string): Promise<Map<string, Reply>> {
  try {
    const json: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isRecord(json) || json.format !== FORMAT || !Array.isArray(json.entries)) return new Map();
    const replies = new Map<string, Reply>();
    for (const entry of json.entries) {
      const reply = Array.isArray(entry) ? fromJson(entry[1]) : undefined;
      if (reply !== undefined && typeof entry[0] === "string") replies.set(entry[0], reply);
    }
    return replies;
  } catch {
    return new Map();
  }
}

function fromJson(json: unknown): Reply | undefined {
  if (!isRecord(json) || typeof json.milliseconds !== "number") return undefined;
  const answer = decidedFrom(json);
  if (answer === undefined) return undefined;
  const spent = typeof json.spent === "number" ? json.spent : undefined;
  return { answer, milliseconds: json.milliseconds, spent };
}

function decidedFrom({ core, model }: Readonly<Record<string, unknown>>): Decided | undefined {
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
