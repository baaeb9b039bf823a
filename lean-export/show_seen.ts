import { compareRationals, type Rational, rational } from "../reference/index.ts";
import { visible } from "../spec/shapes/index.ts";
import { float64Of } from "./emit/arithmetic.ts";
import { isNearRow, type NamedRow } from "./emit/function_rows.ts";
import type { Interval } from "./emit/interval.ts";
import { magnitudeOf } from "./emit/running_error.ts";
import { readFunctionRow, type SeenSubject } from "./exact.ts";
import type {
  SeenAnswer,
  SeenEngine,
  SeenInstruction,
  SeenJudgement,
  SeenRow,
  SeenTrace,
} from "./run/seen.ts";
import type { SeenFile } from "./verdict.ts";

/** At most so many ids are shown, and so many numbers of each. */
const MAXIMUM_IDS = 16;
const MAXIMUM_NUMBERS = 8;
const MAXIMUM_CHARACTERS = 40;

/**
 * Tells people what an accepted file proves: the statement, and the graph and run or equations as Lean has
 * them, long ones shortened. Of a run that rounds it tells the format, what the engine computed, and the
 * bounds. It says if a seed is zero, since then every gradient is, whatever the graph.
 */
export function showSeen({ statement, about }: SeenFile): readonly string[] {
  return [`proved: ${statement}`, ...showSubject(about)];
}

function showSubject(about: SeenSubject): readonly string[] {
  switch (about.kind) {
    case "run":
      return showTrace(about.trace, about.algebra);
    case "system":
      return showSystem(about);
    case "verdict":
      return showJudgement(about.judgement);
  }
}

/** Tells what was given, where the true numbers are, and which answers are wrong or right. */
function showJudgement({ program, given, functions, enclosure, answers }: SeenJudgement): readonly string[] {
  const ids = Array.from({ length: program.inputs.length + program.nodes.length }, (_, id) => {
    const node = program.nodes[id - program.inputs.length];
    const made = node === undefined ? `input [${program.inputs[id]}]` : showInstruction(node);
    const seed = given.seeds.find((one) => one.id === id);
    const numbers = node === undefined ? `: ${showNumbers(given.inputs[id])}` : "";
    return `  ${id} = ${made}${numbers}${seed === undefined ? "" : `, seed ${showNumbers(seed.numbers)}`}`;
  });
  const environment = given.environment.map((numbers, entry) => `  Δ ${entry}: ${showNumbers(numbers)}`);
  const supposed = functions.map(readFunctionRow).filter((row) => !isNearRow(row));
  return [
    ...shortened(environment, "entries"),
    ...shortened(ids, "ids"),
    ...shortened(supposed.map(showSupposed), "hypotheses"),
    ...answers.map((answer) => showAnswer(answer, enclosure)),
  ];
}

function showSupposed({ f, arguments: operands, value }: NamedRow): string {
  const near = ({ low }: Interval): string => showDecimal(rational.format(low));
  return `  supposed, since Lean has no series of it here: ${f}(${operands.map(near).join(", ")}) is near ${near(value)}`;
}

function showAnswer(
  { isCotangent, id, element, number, bound, isRefuted }: SeenAnswer,
  { values, cotangents }: SeenJudgement["enclosure"],
): string {
  const [low = "", high = ""] = (isCotangent ? cotangents : values)[id]?.[element] ?? [];
  const what = `element ${element} of the ${isCotangent ? "cotangent" : "value"} of ${id}`;
  const truth = `between ${showDecimal(low)} and ${showDecimal(high)}`;
  const verb = isRefuted ? "is farther from it than" : "is within";
  return `  ${what} is ${truth}: the answer ${showDecimal(number)} ${verb} ${showBound(read(bound))}`;
}

function showSystem({
  system: { bases, equations },
  named,
}: SeenSubject & { readonly kind: "system" }): readonly string[] {
  const names = named?.names ?? [];
  const isShared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  const nameOf = (id: number): string => {
    const name = names[id];
    if (name === undefined) return String(id);
    return `${shortText(visible(name))}${isShared(name) ? ` (${id})` : ""}`;
  };
  const lines = equations.map((terms) => {
    const shown = terms.map(({ id, times }) => (times === "1" ? nameOf(id) : `${times}·${nameOf(id)}`));
    return `  0 = ${shown.join(" + ")}`;
  });
  return [
    ...(named === undefined ? [] : [`  of the case ${named.hash}, by the names that the file gives`]),
    `  ${named === undefined ? `ids below ${bases}` : `the first ${bases} of them`} are bases`,
    ...shortened(lines, "equations"),
  ];
}

function showTrace({ program, run, table, engine }: SeenTrace, algebra: string): readonly string[] {
  const count = program.inputs.length + program.nodes.length;
  const ids = Array.from({ length: count }, (_, id) => {
    const node = program.nodes[id - program.inputs.length];
    const made = node === undefined ? `input [${program.inputs[id]}]` : showInstruction(node);
    const seed = run.seeds.find((one) => one.id === id);
    const parts = [
      `  ${id} = ${made}: value ${showNumbers(run.values[id])}`,
      `cotangent ${showNumbers(run.cotangents[id])}`,
      ...(seed === undefined ? [] : [`seed ${showNumbers(seed.numbers)}`]),
    ];
    return [parts.join(", "), ...(engine === undefined ? [] : [showComputed(engine, id)])].join("\n");
  });
  const environment = run.environment.map((numbers, entry) => `  Δ ${entry}: ${showNumbers(numbers)}`);
  const isZero = run.seeds.every(({ numbers }) => numbers.every((text) => text === "0"));
  const rows = (table ?? []).map(showRow);
  const lines = [
    ...shortened(environment, "entries"),
    ...shortened(rows, "rows of the table"),
    ...shortened(ids, "ids"),
  ];
  return [
    ...(engine === undefined ? [] : showEngine(engine, algebra)),
    ...lines.flatMap((line) => line.split("\n")),
    ...(isZero ? ["The seed is zero everywhere: all cotangents are zero, whatever the graph."] : []),
  ];
}

/** A row of the table: what the run takes a function to be. */
function showRow({ f, arguments: operands, value, slopes }: SeenRow): string {
  const near = (text: string): string => shortText(showDecimal(text));
  return `  ${f}(${operands.map(near).join(", ")}) is taken for ${near(value)}, its slopes for ${slopes.map(near).join(", ")}`;
}

/** A fraction of whose decimal digits so many are shown. */
const DIGITS = 20;

/** A fraction that is short, or its first digits. */
function showDecimal(text: string): string {
  if (text.length <= DIGITS) return text;
  const { numerator, denominator } = read(text);
  const magnitude = numerator < 0n ? -numerator : numerator;
  const digits = (magnitude * 10n ** BigInt(DIGITS)) / denominator;
  const whole = digits.toString().padStart(DIGITS + 1, "0");
  return `${numerator < 0n ? "-" : ""}${whole.slice(0, -DIGITS)}.${whole.slice(-DIGITS)}…`;
}

/** Tells in what an engine computes, and how much its bounds leave open. */
function showEngine(engine: SeenEngine, algebra: string): readonly string[] {
  const { arithmetic, values, valueBounds, cotangents, cotangentBounds } = engine;
  const by =
    arithmetic.kind === "float"
      ? `each operation is off by ${arithmetic.unit} of it at most`
      : "each sum is rounded once";
  const pairs = [...pairsOf(values, valueBounds), ...pairsOf(cotangents, cotangentBounds)];
  const isOpen = ([x, bound]: Pair): boolean =>
    compareRationals(bound, zero) === 1 && compareRationals(magnitudeOf(x), bound) !== 1;
  const open = pairs.filter(isOpen).length;
  return [
    `  the engine computes in ${algebra}: ${by}`,
    `  its bounds are derived: of values ${largestOf(valueBounds)} at most, of cotangents ${largestOf(cotangentBounds)}`,
    ...(open === 0
      ? []
      : [
          `  ${open} of its ${pairs.length} numbers are no larger than their bounds, which say little of them`,
        ]),
  ];
}

/** A number of an engine's, and how far it may be from the true one. */
type Pair = readonly [number: Rational, bound: Rational];

const zero = rational.additive.zero;

function pairsOf(numbers: SeenEngine["values"], bounds: SeenEngine["values"]): readonly Pair[] {
  return numbers.flatMap((row, id) => row.map((text, at): Pair => [read(text), read(bounds[id]?.[at])]));
}

function read(text = "0"): Rational {
  return rational.parse(text) ?? zero;
}

function largestOf(bounds: SeenEngine["values"]): string {
  const larger = (x: Rational, y: Rational): Rational => (compareRationals(x, y) === 1 ? x : y);
  return showBound(bounds.flat().map(read).reduce(larger, zero));
}

/** What an engine computed for an id, each number with its bound. */
function showComputed({ values, valueBounds, cotangents, cotangentBounds }: SeenEngine, id: number): string {
  const list = (numbers: readonly string[] = [], bounds: readonly string[] = []): string =>
    showNumbers(
      numbers
        .slice(0, MAXIMUM_NUMBERS + 1)
        .map((text, at) => `${showFloat(text)}±${showBound(read(bounds[at]))}`),
      numbers.length,
    );
  return `      the engine: value ${list(values[id], valueBounds[id])}, cotangent ${list(cotangents[id], cotangentBounds[id])}`;
}

/** A float in decimal, which says exactly which one it is; what is none stays a fraction. */
function showFloat(text: string): string {
  return String(float64Of(read(text)) ?? text);
}

/** A bound in three digits, rounded up. */
function showBound(bound: Rational): string {
  const own = float64Of(bound);
  if (own === undefined) return rational.format(bound);
  const [digits = "0", power = "0"] = own.toExponential(2).split("e");
  const nearest = Number(`${digits}e${power}`);
  return String(
    nearest < own ? Number(`${Math.round(100 * Number(digits)) + 1}e${Number(power) - 2}`) : nearest,
  );
}

function showInstruction({ operator, attributes, parents, shape }: SeenInstruction): string {
  const own = attributes.map((attribute) => shortText(showAttribute(attribute)));
  return `${operator}(${[...parents, ...own].join(", ")}) [${shape}]`;
}

function showAttribute(attribute: unknown): string {
  return Array.isArray(attribute) ? `[${attribute.join(" ")}]` : String(attribute);
}

function showNumbers(numbers: readonly string[] = [], count: number = numbers.length): string {
  const shown = numbers.slice(0, MAXIMUM_NUMBERS).map(shortText);
  return `[${shown.join(" ")}${count > MAXIMUM_NUMBERS ? ` … ${count} in all` : ""}]`;
}

function shortText(text: string): string {
  return text.length <= MAXIMUM_CHARACTERS ? text : `${text.slice(0, MAXIMUM_CHARACTERS)}…`;
}

function shortened(lines: readonly string[], what: string): readonly string[] {
  if (lines.length <= MAXIMUM_IDS) return lines;
  const half = MAXIMUM_IDS / 2;
  const left = `  … ${lines.length - MAXIMUM_IDS} ${what} more`;
  return [...lines.slice(0, half), left, ...lines.slice(-half)];
}
