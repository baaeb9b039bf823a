import type {
  AssignmentJson,
  KeptResultJson,
  RangedJson,
  RangeJson,
  RepresentationsJson,
  RepresentedRunJson,
} from "../../spec/explained/index.ts";
import { counted } from "../../spec/shapes/index.ts";
import { folded, indented, labelled, WIDTH } from "./folded.ts";

/** At most so many values of a run are shown; `--json` has all. */
const MOST_SHOWN = 60;

/** The widths of columns for names, ranges and formats. */
const [NAME, RANGE, FORMAT] = [26, 22, 13];

/** So many targets fit side by side. */
const MOST_TARGETS = Math.floor((WIDTH - 2 - NAME - RANGE) / FORMAT);

/** Shows which formats values may be stored in, in lines of 80 columns. */
export function representationLines({ digits, seen, runs, step }: RepresentationsJson): string[] {
  const title = `formats in which results keep ${digits} ${digits === 1 ? "digit" : "digits"}`;
  return [
    ...folded(title),
    ...seenLines(seen),
    ...runs.flatMap((run) => runLines(run, digits)),
    ...stepLines(step),
  ];
}

/** Says that ranges which were seen bound nothing. */
function seenLines(seen: RepresentationsJson["seen"]): string[] {
  if (seen === undefined) return [];
  const part = seen.share === 1 ? "all" : `at least ${percent(seen.share)}`;
  return folded(
    `where values are as in ${counted(seen.calls, "call")}: ranges have ${part} of each value's numbers, and are no bounds; what is certified holds of runs whose values stay within them`,
  );
}

function percent(part: number): string {
  return `${short(100 * part)} %`;
}

/** Names the values of which some numbers were outside the ranges. */
function outsideLines(values: readonly RangedJson[]): string[] {
  if (values.every(({ outside }) => outside === undefined)) return [];
  const some = values.filter(({ outside = 0 }) => outside > 0);
  const told = some.slice(0, MOST_SHOWN).map(({ name, outside = 0 }) => `${name} ${percent(outside)}`);
  return labelled("seen outside", told.length === 0 ? "none" : told.join(", "), NAME);
}

/** Says what a step asks of gradients that are kept as codes. */
function stepLines(step: RepresentationsJson["step"]): string[] {
  if (step === undefined) return [];
  const { rate, calls, parameters } = step;
  const sum = calls === 1 ? "a gradient" : `a sum of ${calls} gradients, kept after each`;
  const told = parameters.map(({ parameter, target, format, moved, sym, asym, integer }) => {
    const each = calls === 1 ? "" : " a call";
    const exact = `moves by up to ${short(moved)} codes${each}; within half a code by gradients in sym${sym} or asym${asym}`;
    const shift =
      integer === undefined
        ? "no step in 32-bit integers"
        : `in 32-bit integers with a shift of ${integer.shift}, off by ${short(integer.off)} codes`;
    return [`${parameter}, ${target}`, `${format} ${exact}; ${shift}`] as const;
  });
  const none = "no target keeps what is stepped as codes";
  return [
    "",
    ...folded(`a step by ${rate} times ${sum}`),
    ...(told.length === 0 ? [`  ${none}`] : told.flatMap(([name, text]) => labelled(name, text, NAME))),
  ];
}

function runLines({ run, values, assignments }: RepresentedRunJson, digits: number): string[] {
  const rest = values.length - MOST_SHOWN;
  // Targets that do not fit beside the first ones have tables of their own below.
  const tables = Array.from({ length: Math.ceil(assignments.length / MOST_TARGETS) }, (_, n) =>
    assignments.slice(n * MOST_TARGETS, (n + 1) * MOST_TARGETS),
  );
  return [
    "",
    run,
    ...tables.flatMap((shown, place) => [...(place === 0 ? [] : [""]), ...table(values, shown)]),
    ...(rest > 0 ? [`  … and ${rest} more, which --json has`] : []),
    ...outsideLines(values),
    ...assignments.flatMap((assignment) => ["", ...assignmentLines(assignment, values, digits)]),
  ];
}

function table(values: readonly RangedJson[], shown: readonly AssignmentJson[]): string[] {
  const head = [
    "value".padEnd(NAME),
    "range".padEnd(RANGE),
    ...shown.map(({ target }) => cell(target, FORMAT)),
  ];
  const rows = values.slice(0, MOST_SHOWN).map((value, place) => row(value, shown, place));
  return [`  ${head.join("")}`.trimEnd(), ...rows];
}

const cell = (text: string, width: number): string =>
  (text.length < width ? text : `${text.slice(0, width - 2)}…`).padEnd(width);

function row({ name, range }: RangedJson, assignments: readonly AssignmentJson[], place: number): string {
  const formats = assignments.map(({ formats: all }) => cell(all[place] ?? "", FORMAT));
  return `  ${cell(name, NAME)}${cell(showRange(range), RANGE)}${formats.join("")}`.trimEnd();
}

function showRange(range: RangeJson | undefined): string {
  return range === undefined ? "not bounded" : `[${short(range[0])}, ${short(range[1])}]`;
}

/** Writes a number rounded to three significant digits. */
export function short(x: number): string {
  return `${Number(x.toPrecision(3))}`;
}

function assignmentLines(
  { target, isMet, isNarrowest, bits, results, accumulators, quire }: AssignmentJson,
  values: readonly RangedJson[],
  digits: number,
): string[] {
  const elements = values.reduce((sum, value) => sum + value.elements, 0);
  const [rounded, exact] = [true, false].map((isFloat) =>
    accumulators.filter(({ accumulator }) => isFloat === (accumulator === "float64")),
  );
  const size = `${counted(bits, "bit")} for ${counted(elements, "element")}`;
  const least = isNarrowest ? ", and no value could be narrower alone" : "";
  const missed = `nothing among its formats is certified to keep ${counted(digits, "digit")}; what keeps most takes ${size}`;
  return [
    ...folded(isMet ? `✓ ${target}: ${size}${least}` : `✗ ${target}: ${missed}`),
    ...results.slice(0, MOST_SHOWN).flatMap((result) => labelled(result.name, kept(result), NAME)),
    ...sumLines("sums are exact in", exact),
    ...sumLines("sums are rounded in", rounded),
    ...quireLines(quire),
  ];
}

/** Counts sums by what adds them. */
function sumLines(label: string, sums: AssignmentJson["accumulators"] = []): string[] {
  const kinds = Map.groupBy(sums, ({ accumulator }) => accumulator);
  const told = [...kinds].map(([accumulator, all]) => `${accumulator} (${all.length})`);
  return told.length === 0 ? [] : labelled(label, told.join(", "), NAME);
}

function kept({ range, error, digits }: KeptResultJson): string {
  return range === undefined ? lost(error, digits) : `in ${showRange(range)}, ${lost(error, digits)}`;
}

function lost(error: number | undefined, digits: number | undefined): string {
  if (error === undefined) return "no error is certified";
  if (digits === undefined) return `errs by at most ${short(error)}`;
  return error === 0 ? "exact" : `errs by at most ${short(error)}, ${short(digits)} digits`;
}

function quireLines({ kind, multiplyAdds, nanoseconds, figures }: AssignmentJson["quire"]): string[] {
  if (kind === "none") return [];
  const time = nanoseconds === undefined ? "" : `, about ${short(nanoseconds / 1000)} µs`;
  return [
    ...labelled(`a quire in ${kind}`, `${multiplyAdds} multiply-adds${time}`, NAME),
    ...figures.flatMap(({ says, source }) => indented(`${says} [${source}]`, 4)),
  ];
}
