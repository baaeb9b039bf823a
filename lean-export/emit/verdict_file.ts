import { compareRationals, type Rational, rational } from "../../reference/index.ts";
import { at, fail, type Issue, ok, present, type Result } from "../../spec/shapes/index.ts";
import { arithmeticOf } from "./arithmetic.ts";
import { type Enclosed, enclosedRun } from "./enclose.ts";
import type { FlatTrace, Numbers } from "./flat.ts";
import { flatten, flattenOver } from "./flatten.ts";
import type { FunctionRow } from "./function_rows.ts";
import type { Interval } from "./interval.ts";
import { subtractRationals, upwards } from "./interval.ts";
import { type ExportedFile, fileOf, leanLines, leanProgram, seedsOf } from "./lean_file.ts";
import type { CheckedTrace } from "./read.ts";
import { leanNumber, leanNumbers, tabledRationals } from "./scalars.ts";
import { verdictClaims } from "./verdict_claims.ts";

/**
 * A number that an engine gave for an element of a value or of a cotangent, and how far it may be from the
 * true one.
 */
export interface AnswerGiven {
  readonly part: "value" | "cotangent";
  readonly id: number;
  readonly element: number;
  readonly number: Rational;
  /** Without a bound the file says how far it is. */
  readonly bound?: Rational;
}

/** `Adjudge.Answer`: an answer of which it is known whether it is wrong. */
export interface JudgedAnswer extends AnswerGiven {
  readonly bound: Rational;
  readonly isRefuted: boolean;
}

const field = present(rational.levels.field, "the rational numbers");

/**
 * Returns a file that says of answers about a trace's graph, from its point and seeds, whether each is
 * farther from the true number than its bound. The numbers that the trace computed are no part of it. Fails:
 * as {@link flatten} and {@link enclosedRun} do; `lean/undecided` where the intervals leave it open.
 */
export function verdictFile(
  trace: CheckedTrace,
  answers: readonly AnswerGiven[],
): Result<ExportedFile, readonly Issue[]> {
  return fileAbout(trace, (_, enclosed) => answers.map((answer) => judgedIn(enclosed, answer)));
}

/**
 * Returns a file that says of every number of a trace, exact or rounded, how far it is from the true one at
 * most.
 * Fails: as {@link verdictFile} does.
 */
export function accuracyFile(trace: CheckedTrace): Result<ExportedFile, readonly Issue[]> {
  return fileAbout(trace, ({ run }, { values, cotangents }) =>
    (["value", "cotangent"] as const).flatMap((part) =>
      (part === "value" ? values : cotangents).flatMap((row, id) =>
        row.map((interval, element): JudgedAnswer => {
          const number = at(at(part === "value" ? run.values : run.cotangents, id), element);
          return { part, id, element, number, bound: farthest(number, interval), isRefuted: false };
        }),
      ),
    ),
  );
}

/** A short number that is not less than the distance to any number of an interval. */
function farthest(number: Rational, { low, high }: Interval): Rational {
  const [above, below] = [subtractRationals(high, number), subtractRationals(number, low)];
  return upwards(isLess(above, below) ? below : above, 0n, 12n);
}

function fileAbout(
  trace: CheckedTrace,
  judge: (flat: FlatTrace, enclosed: Enclosed) => readonly (JudgedAnswer | undefined)[],
): Result<ExportedFile, readonly Issue[]> {
  const arithmetic = arithmeticOf(trace.algebra);
  const flat =
    arithmetic === undefined
      ? flatten(trace)
      : flattenOver(trace, { ...tabledRationals, read: arithmetic.read, literal: arithmetic.literal });
  if (!flat.ok) return flat;
  const enclosed = enclosedRun(trace, flat.value);
  if (!enclosed.ok) return enclosed;
  const judged = judge(flat.value, enclosed.value);
  const open = judged.indexOf(undefined);
  if (open >= 0) return fail([undecided(open)]);
  return ok(
    judgementFile(
      flat.value,
      enclosed.value,
      judged.flatMap((answer) => answer ?? []),
    ),
  );
}

/** Judges an answer by the interval of the true number; `undefined` where that leaves it open. */
function judgedIn({ values, cotangents }: Enclosed, answer: AnswerGiven): JudgedAnswer | undefined {
  const { part, id, element, number } = answer;
  const interval = (part === "value" ? values : cotangents)[id]?.[element];
  if (interval === undefined) return undefined;
  const bound = answer.bound ?? farthest(number, interval);
  const [least, most] = [subtractRationals(number, bound), field.add(number, bound)];
  if (isLess(most, interval.low) || isLess(interval.high, least))
    return { ...answer, bound, isRefuted: true };
  const isWithin = !isLess(interval.low, least) && !isLess(most, interval.high);
  return isWithin ? { ...answer, bound, isRefuted: false } : undefined;
}

function isLess(x: Rational, y: Rational): boolean {
  return compareRationals(x, y) === -1;
}

/**
 * Writes such a file. Lean takes it if and only if the intervals are wide enough and decide about each
 * answer.
 */
export function judgementFile(
  { program, run }: FlatTrace,
  { rows, values, cotangents }: Enclosed,
  answers: readonly JudgedAnswer[],
): ExportedFile {
  const numbers = (list: readonly Numbers[]): string => leanLines(list.map(leanNumbers));
  const definitions = [
    leanProgram(program),
    `def given : Given where
  inputs := ${numbers(run.inputs)}
  environment := ${numbers(run.environment)}
  seed := program.seeded ${leanLines(seedsOf(run))}
`,
    `def functions : List FunctionRow := ${leanLines(rows.map(leanRow))}\n`,
    `def enclosure : Enclosure where
  values := ${leanLines(values.map(leanIntervals))}
  cotangents := ${leanLines(cotangents.map(leanIntervals))}
`,
    `def answers : List Answer := ${leanLines(answers.map(leanAnswer))}\n`,
  ];
  return fileOf(
    { kind: "verdict" },
    definitions,
    verdictClaims({ program, run: { values }, functions: rows }),
  );
}

function leanRow({ f, arguments: operands, value, slopes }: FunctionRow): string {
  return `⟨.${f}, ${leanIntervals(operands)}, ${leanInterval(value)}, ${leanIntervals(slopes)}⟩`;
}

function leanIntervals(list: readonly Interval[]): string {
  return `[${list.map(leanInterval).join(", ")}]`;
}

function leanInterval({ low, high }: Interval): string {
  return `.between ${leanArgument(low)} ${leanArgument(high)}`;
}

function leanArgument(x: Rational): string {
  const text = leanNumber(x);
  return /^[0-9]+$/.test(text) ? text : `(${text})`;
}

function leanAnswer({ part, id, element, number, bound, isRefuted }: JudgedAnswer): string {
  return `⟨${part === "cotangent"}, ${id}, ${element}, ${leanNumber(number)}, ${leanNumber(bound)}, ${isRefuted}⟩`;
}

function undecided(index: number): Issue {
  return {
    code: "lean/undecided",
    pointer: `/answers/${index}`,
    message: "the answer is too near to its bound to be decided about by the intervals.",
    hint: "a verdict about it cannot be proved",
  };
}
