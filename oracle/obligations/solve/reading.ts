import type { Answer, Model } from "../obligation.ts";
import type { Script } from "../script.ts";
import { readSExpressions, type SExpression, showSExpression } from "./s_expression.ts";

/** A solver printed this for one script, piece by piece. */
export interface Printed {
  /** It printed this after `(check-sat)`. */
  readonly verdict: string;
  /** This followed `(get-unsat-core)`, `(get-value …)` or `(get-model)`, if one was asked. */
  readonly evidence: string;
  /** It printed this after `(get-info :reason-unknown)`. */
  readonly reason: string;
}

/**
 * Reads an answer strictly: all but one verdict with the evidence that belongs to it is `crashed`. Law: what
 * contains an `(error`, lacks a verdict, or names what was not asserted, is neither `proved` nor `refuted`.
 */
export function readAnswer(script: Script, printed: Printed): Answer {
  const verdict = readSExpressions(printed.verdict);
  if (!verdict.ok) return crashed(verdict.error);
  const [said, ...more] = verdict.value;
  if (more.length > 0 || typeof said !== "string") return crashed(`not a verdict: ${clip(printed.verdict)}`);
  switch (said) {
    case "unsat":
      return readCore(printed.evidence);
    case "sat":
      return readModel(script, printed.evidence);
    case "unknown":
      return { kind: "unknown", reason: reasonOf(printed.reason) };
    default:
      return crashed(`not a verdict: ${clip(printed.verdict)}`);
  }
}

function readCore(text: string): Answer {
  const [list, ...more] = expressionsOf(text);
  if (more.length > 0 || list === undefined || typeof list === "string")
    return crashed(`not an unsat core: ${clip(text)}`);
  const core = list.filter((name) => typeof name === "string");
  return core.length === list.length
    ? { kind: "proved", core: core.map(unquoted) }
    : crashed(`not an unsat core: ${clip(text)}`);
}

function readModel(script: Script, text: string): Answer {
  switch (script.wanted.kind) {
    case "nothing":
      return { kind: "refuted", model: new Map() };
    case "values": {
      const model = readValues(script.wanted.terms, text);
      return model === undefined ? crashed(`not the values: ${clip(text)}`) : { kind: "refuted", model };
    }
    case "model": {
      const model = readDefinitions(script.wanted.hidden, text);
      return model === undefined ? crashed(`not a model: ${clip(text)}`) : { kind: "refuted", model };
    }
  }
}

/** Reads the values of `terms` by position, since a solver may print a term in another form. */
function readValues(terms: readonly string[], text: string): Model | undefined {
  const [list, ...more] = expressionsOf(text);
  if (more.length > 0 || list === undefined || typeof list === "string") return undefined;
  const values = list.map((pair) => (typeof pair === "string" || pair.length !== 2 ? undefined : pair[1]));
  const isWhole = values.length === terms.length && values.every((value) => value !== undefined);
  if (!isWhole) return undefined;
  return new Map(terms.map((term, index) => [term, showSExpression(values[index] ?? "")]));
}

/** Reads a model's values of all names but `hidden` ones; a function's are parameters and body. */
function readDefinitions(hidden: readonly string[], text: string): Model | undefined {
  const [list, ...more] = expressionsOf(text);
  if (more.length > 0 || list === undefined || typeof list === "string") return undefined;
  const entries: [string, string][] = [];
  for (const definition of list) {
    // A model declares the sorts it made up; quantified cardinality constraints appear as `forall`.
    if (typeof definition === "string" || definition[0] !== "define-fun") continue;
    const [, name, parameters, , body] = definition;
    if (typeof name !== "string" || parameters === undefined || body === undefined) return undefined;
    if (hidden.includes(unquoted(name))) continue;
    const value = showSExpression(body);
    entries.push([
      unquoted(name),
      parameters.length === 0 ? value : `${showSExpression(parameters)} ↦ ${value}`,
    ]);
  }
  return new Map(entries);
}

function reasonOf(text: string): string {
  const [list] = expressionsOf(text);
  const reason = list === undefined || typeof list === "string" ? undefined : list[1];
  return reason === undefined ? "no reason given" : showSExpression(reason).replaceAll('"', "");
}

/** Reads the expressions of a text; none if it is not SMT-LIB or contains an error. */
function expressionsOf(text: string): readonly SExpression[] {
  const read = readSExpressions(text);
  if (!read.ok) return [];
  const isError = (expression: SExpression): boolean =>
    typeof expression !== "string" && expression[0] === "error";
  return read.value.some(isError) ? [] : read.value;
}

function unquoted(symbol: string): string {
  return symbol.startsWith("|") ? symbol.slice(1, -1) : symbol;
}

function crashed(message: string): Answer {
  return { kind: "crashed", message };
}

const CLIPPED = 300;

function clip(text: string): string {
  const line = text.trim();
  return line.length > CLIPPED ? `${line.slice(0, CLIPPED)}…` : line === "" ? "nothing was said" : line;
}
