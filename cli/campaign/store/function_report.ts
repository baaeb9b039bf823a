import { fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";

/** A worker tells this of the functions that a command brought. */
export interface FunctionReport {
  readonly label: string;
  readonly name: string;
  readonly version: string;
  /** So many functions are right. */
  readonly agrees: number;
  /** The others, each with its place among all that were brought. */
  readonly told: readonly ToldFunction[];
}

/** A function that is not right, or of which nothing is known. */
export interface ToldFunction {
  readonly place: number;
  readonly kind: FunctionKind;
  /** The function's name, and what is wrong with it. */
  readonly title: string;
  readonly lines: readonly string[];
}

const kinds = ["disagrees", "differs", "imprecise", "undecided", "unsupported", "crashed"] as const;

type FunctionKind = (typeof kinds)[number];

/** Checks what a worker says of functions. Fails: `outcome/functions`. */
export function checkFunctionReport(json: unknown): Result<FunctionReport, Issue[]> {
  return isReport(json) ? ok(json) : fail([malformed]);
}

/** Reads what the store has of a function. Fails: `outcome/functions`. */
export function checkToldFunction(json: unknown): Result<ToldFunction, Issue[]> {
  return isTold(json) ? ok(json) : fail([malformed]);
}

const malformed: Issue = {
  code: "outcome/functions",
  pointer: "",
  message: "that is no report of functions.",
  hint: "the job is asked again; report this if it stays",
};

function isReport(json: unknown): json is FunctionReport {
  if (typeof json !== "object" || json === null) return false;
  if (!("label" in json && "name" in json && "version" in json && "agrees" in json && "told" in json))
    return false;
  const { label, name, version, agrees, told } = json;
  const isNamed = [label, name, version].every((text) => typeof text === "string");
  return isNamed && isCount(agrees) && Array.isArray(told) && told.every(isTold);
}

function isTold(json: unknown): json is ToldFunction {
  if (typeof json !== "object" || json === null) return false;
  if (!("place" in json && "kind" in json && "title" in json && "lines" in json)) return false;
  const { place, kind, title, lines } = json;
  const isLines = Array.isArray(lines) && lines.every((line) => typeof line === "string");
  return isCount(place) && kinds.some((name) => name === kind) && typeof title === "string" && isLines;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
