import { type Rational, rational, rationalFromNumber } from "../reference/index.ts";
import { checkPositFormat, floatTypes, formats } from "../spec/wire/index.ts";
import { type Arithmetic, arithmeticOf, quireName } from "./emit/arithmetic.ts";
import {
  type Claim as ExportedClaim,
  engineClaims,
  obstructed,
  tabledClaims,
  traceClaims,
} from "./emit/claims.ts";
import type { EnclosedRow } from "./emit/enclosed.ts";
import { isAround, isNearRow, type NamedRow } from "./emit/function_rows.ts";
import type { Interval } from "./emit/interval.ts";
import { type NamedCase, namedCaseIn } from "./emit/obstruction.ts";
import { scalarsByName } from "./emit/scalars.ts";
import { statementAt } from "./emit/statements.ts";
import type { Subject } from "./emit/subject.ts";
import { verdictClaims } from "./emit/verdict_claims.ts";
import { type Claim, claimsNamespace } from "./run/admissible.ts";
import type { Answer } from "./run/answer.ts";
import type {
  Seen,
  SeenArithmetic,
  SeenEngine,
  SeenFunctionRow,
  SeenInterval,
  SeenJudgement,
  SeenRow,
  SeenSystem,
  SeenTrace,
} from "./run/seen.ts";

/** A file is inexact if it differs from what the exporter writes of its trace or system. */
export interface Inexactness {
  readonly claim?: string;
  readonly message: string;
  readonly line: number;
}

type Elaborated = Answer & { readonly kind: "elaborated" };

/** The file is about this. */
export type FileSubject =
  | (Subject & { readonly kind: "run" })
  | (Subject & { readonly kind: "system" } & { readonly named: NamedCase | undefined })
  | (Subject & { readonly kind: "verdict" });

type RunSubject = FileSubject & { readonly kind: "run" };

/** A file's subject, as data, is one of these; a run has the name of its algebra, as traces have it. */
export type SeenSubject =
  | { readonly kind: "run"; readonly algebra: string; readonly trace: SeenTrace }
  /** What the file says of its case, which nobody has checked. */
  | { readonly kind: "system"; readonly system: SeenSystem; readonly named: NamedCase | undefined }
  | { readonly kind: "verdict"; readonly judgement: SeenJudgement };

/** A claim that the file has to make. */
type Wanted = Pick<ExportedClaim, "name" | "proposition">;

/** Reads what an exported file says that it is about. Only Lean's environment can confirm it. */
export function subjectOf(text: string): FileSubject | undefined {
  const carrier = /^def run : Run (Int|Rat|Residue) where$/m.exec(text)?.[1];
  if (/^def system\b/m.test(text)) return { kind: "system", named: namedCaseIn(text) };
  if (/^def given : Given where$/m.test(text)) return { kind: "verdict" };
  const hasEngine = carrier === "Rat" && /^def engine\b/m.test(text);
  const hasTable = carrier === "Rat" && /^def table\b/m.test(text);
  return carrier === undefined ? undefined : { kind: "run", carrier, hasEngine, hasTable };
}

/** Says what the file is about, if everything in Lean's environment is as the exporter would have it. */
export function exactSubject(
  subject: FileSubject,
  claims: readonly Claim[],
  answer: Elaborated,
): SeenSubject | Inexactness {
  if (subject.kind === "run") {
    const trace = exactTrace(subject, claims, answer);
    if ("message" in trace) return trace;
    const rounded = trace.engine && arithmeticIn(trace.engine.arithmetic);
    return { kind: "run", algebra: rounded?.name ?? algebraOver(subject), trace };
  }
  if (subject.kind === "verdict") return exactJudgement(claims, answer);
  const system = answer.seen?.system;
  if (system === undefined) return unread("system", "Adjudge.DimensionSystem");
  const fault = claimsFault(subject, claims, [obstructed], answer);
  const { named } = subject;
  return fault ?? constantsFault(["system"], [obstructed], answer) ?? { kind: "system", system, named };
}

/**
 * A hypothesis about a function, of which Lean is not asked, has to be what the exporter makes of its
 * arguments.
 */
function exactJudgement(claims: readonly Claim[], answer: Elaborated): SeenSubject | Inexactness {
  const judgement = answer.seen?.judgement;
  if (judgement === undefined) return unread("program … answers", "data of a verdict");
  const functions = judgement.functions.map(readFunctionRow);
  const foreign = functions.find((row) => !isNearRow(row) && !isAround(row));
  if (foreign !== undefined)
    return { message: `it supposes of ${foreign.f} what is not known of it`, line: 1 };
  const { program, enclosure } = judgement;
  const wanted = verdictClaims({ program, run: enclosure, functions });
  const defined = ["program", "given", "functions", "enclosure", "answers"];
  const fault = claimsFault({ kind: "verdict" }, claims, wanted, answer);
  return fault ?? constantsFault(defined, wanted, answer) ?? { kind: "verdict", judgement };
}

/** Reads a row's numbers, all of which are written as fractions. */
export function readFunctionRow({ f, arguments: operands, value, slopes }: SeenFunctionRow): NamedRow {
  const read = ([low, high]: SeenInterval): Interval => ({
    low: rational.parse(low) ?? rational.additive.zero,
    high: rational.parse(high) ?? rational.additive.zero,
  });
  return { f, arguments: operands.map(read), value: read(value), slopes: slopes.map(read) };
}

/** Returns the name that traces give the algebra of a carrier, with a table or without. */
function algebraOver({ carrier, hasTable }: RunSubject): string {
  if (hasTable === true) return "tabled";
  return [...scalarsByName.values()].find(({ type }) => type === carrier)?.name ?? carrier;
}

function exactTrace(
  subject: RunSubject,
  claims: readonly Claim[],
  answer: Elaborated,
): SeenTrace | Inexactness {
  const trace = dataOf(subject, answer.seen);
  if ("message" in trace) return trace;
  const { table } = trace;
  const own = table === undefined ? traceClaims(trace) : tabledClaims({ ...trace, table: rowsOf(table) });
  const wanted = [...own, ...(subject.hasEngine ? engineClaims(trace) : [])];
  const parts = [...(subject.hasTable === true ? ["table"] : []), ...(subject.hasEngine ? ["engine"] : [])];
  const defined = ["program", "run", ...parts];
  return claimsFault(subject, claims, wanted, answer) ?? constantsFault(defined, wanted, answer) ?? trace;
}

/** A row that the run does not ask for says something of the functions that has nothing to do with it. */
function strayRow(
  table: readonly SeenRow[],
  { program, run }: Pick<SeenTrace, "program" | "run">,
): Inexactness | undefined {
  const keyOf = (f: unknown, operands: readonly string[]): string =>
    [String(f), ...operands.map((text) => reduced(text))].join(" ");
  const asked = new Set(
    program.nodes.flatMap(({ operator, attributes, parents }, index) =>
      operator !== "elementary"
        ? []
        : (run.values[program.inputs.length + index] ?? []).map((_, position) =>
            keyOf(
              attributes[0],
              parents.map((parent) => run.values[parent]?.[position] ?? ""),
            ),
          ),
    ),
  );
  const stray = table.find(({ f, arguments: operands }) => !asked.has(keyOf(f, operands)));
  return (
    stray && { message: `the run does not ask for ${stray.f}(${stray.arguments}) of its table`, line: 1 }
  );
}

function reduced(text: string): string {
  const x = rational.parse(text);
  return x === undefined ? text : rational.format(x);
}

/** Reads the rows of a table; its numbers are all written as fractions. */
function rowsOf(table: readonly SeenRow[]): readonly EnclosedRow[] {
  const read = (text: string): Rational => rational.parse(text) ?? rational.additive.zero;
  return table.map(({ f, arguments: operands, value }) => ({
    f,
    arguments: operands.map(read),
    value: read(value),
  }));
}

/** Data alone: an unknown function, however it comes out, would show other numbers than are proved. */
function dataOf(
  { carrier, hasEngine, hasTable }: RunSubject,
  seen: Seen | undefined,
): SeenTrace | Inexactness {
  if (seen?.program === undefined) return unread("program", "Adjudge.Program");
  const { program, run, engine, table } = seen;
  if (run === undefined) return unread("run", `Adjudge.Run ${carrier}`);
  if (hasTable === true) {
    if (hasEngine) return { message: "it has a table and an engine", line: 1 };
    if (table === undefined) return unread("table", `List (Adjudge.TableRow ${carrier})`);
    return strayRow(table, { program, run }) ?? { program, run, table, engine: undefined };
  }
  if (!hasEngine) return { program, run, table: undefined, engine: undefined };
  if (engine === undefined) return unread("engine", "Adjudge.Engine");
  const arithmetic = arithmeticIn(engine.arithmetic);
  if (arithmetic === undefined)
    return {
      message: `the engine rounds to ${showArithmetic(engine.arithmetic)}, as no format does`,
      line: 1,
    };
  return foreignNumber(arithmetic, run, engine) ?? { program, run, table: undefined, engine };
}

function unread(name: string, type: string): Inexactness {
  return { message: `${claimsNamespace}.${name} is no ${type} that is written out as data`, line: 1 };
}

function showArithmetic(arithmetic: SeenArithmetic): string {
  return arithmetic.kind === "float" ? arithmetic.unit : `posits of ${arithmetic.format.width} bits`;
}

/** Returns what an engine computes in, by the numbers that Lean has for it, if a format has them. */
export function arithmeticIn(arithmetic: SeenArithmetic): Arithmetic | undefined {
  if (arithmetic.kind === "posit") {
    const { format } = arithmetic;
    return checkPositFormat(format).ok ? arithmeticOf(quireName(format)) : undefined;
  }
  const { unit, smallest } = arithmetic;
  const same = (text: string, x: number): boolean => text === rational.format(rationalFromNumber(x));
  const name = floatTypes.find(
    (type) => same(unit, formats[type].unitRoundoff) && same(smallest, formats[type].smallest),
  );
  return name === undefined ? undefined : arithmeticOf(name);
}

/** An engine is given numbers of its own format, and has no others: else the run is one of another format. */
function foreignNumber(
  { name, has }: Arithmetic,
  { inputs, environment, seeds }: SeenTrace["run"],
  { values, cotangents }: SeenEngine,
): Inexactness | undefined {
  const lists = { inputs, environment, seeds: seeds.map(({ numbers }) => numbers), values, cotangents };
  for (const [noun, rows] of Object.entries(lists)) {
    for (const text of rows.flat()) {
      const x = rational.parse(text);
      if (x === undefined || !has(x))
        return {
          message: `among the engine's ${noun} is ${text.slice(0, 40)}, which is no ${name}`,
          line: 1,
        };
    }
  }
  return undefined;
}

function claimsFault(
  subject: Subject,
  claims: readonly Claim[],
  wanted: readonly Wanted[],
  answer: Elaborated,
): Inexactness | undefined {
  const listed = new Set(claims.map(({ name }) => name));
  const missing = wanted.find(({ name }) => !listed.has(name));
  if (missing !== undefined) return { message: `it does not claim ${missing.name}`, line: 2 };
  for (const [index, claim] of claims.entries()) {
    const { name, line } = claim;
    const own = wanted[index];
    if (own?.name !== name)
      return { claim: name, message: `it claims ${name} where ${own?.name ?? "nothing"} belongs`, line };
    const facts = answer.claims.find((other) => other.name === `${claimsNamespace}.${name}`);
    const states = facts?.states && statementAt(subject, facts.states);
    if (states !== own.proposition)
      return { claim: name, message: `it states ${facts?.shown ?? "nothing"}, not ${own.proposition}`, line };
  }
  return undefined;
}

/** Nothing stands beside what is proved, lest it be taken for it. */
function constantsFault(
  defined: readonly string[],
  wanted: readonly Wanted[],
  { constants }: Elaborated,
): Inexactness | undefined {
  const own = new Set(
    [...defined, ...wanted.map(({ name }) => name)].map((name) => `${claimsNamespace}.${name}`),
  );
  const other = constants.find((name) => !own.has(name));
  return other === undefined
    ? undefined
    : { message: `it defines ${other}, which is no part of what it proves`, line: 1 };
}
