import { answeredIn, type BrokenPromise, type Standing, standingOf } from "../../oracle/judge/index.ts";
import { beyondCeiling } from "../../oracle/truth/standard/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import { assertNever, visible } from "../../spec/shapes/index.ts";
import { formats, isCoarse, type Mode, parseFloat64 } from "../../spec/wire/index.ts";
import { declaration } from "./declared.ts";
import { counted, folded, listed } from "./fold.ts";
import { askedCases, type Section } from "./json.ts";
import type { Palette } from "./terminal.ts";

/** An engine's name is cut to so many characters, its version to a third of them. */
const NAME = 48;

/** At most so many broken promises are told singly. */
const PROMISES_TOLD = 6;

/**
 * Says what came of each engine in lines of 80 columns: name and declarations, then for each precision the
 * counts of cases and the share of promises answered, and why it is not green if it is not.
 */
export function engineLines(sections: readonly Section[], palette: Palette): string[] {
  return sections.flatMap((section, place) => {
    const before = sections[place - 1];
    const isNew = before === undefined || before.label !== section.label;
    return [...(isNew ? introduction(section, palette) : []), ...outcome(section, place + 1, palette)];
  });
}

function introduction({ description }: Section, { bold, dim }: Palette): string[] {
  const { name, version } = description;
  const title = `${visible(name, NAME)} ${visible(version, NAME / 3)}`;
  return [bold(title), ...folded(declaration(description), "  ").map(dim)];
}

function outcome(section: Section, number: number, palette: Palette): string[] {
  const standing = standingOf(section);
  const [mark, paint] = markOf(standing, palette);
  const [first = "", ...rest] = folded(
    [...countsTold(section), ...shareTold(section)].join("; "),
    `  [${number}] ${mark} ${section.dtype}: `,
  );
  const why = [...whyNotGreen(section, standing), ...remarks(section)].flatMap((reason) =>
    folded(reason, "      ! "),
  );
  const imprecise = impreciseTold(section).flatMap((told) => folded(told, "      ~ "));
  return [paint(first), ...rest.map(paint), ...imprecise.map(palette.yellow), ...why.map(palette.yellow)];
}

function markOf({ kind }: Standing, { green, red, yellow }: Palette): readonly [string, Palette["red"]] {
  if (kind === "agrees") return ["✓", green];
  return kind === "disagrees" || kind === "crashed" ? ["✗", red] : ["–", yellow];
}

/** Counts the cases by outcome, without outcomes that none has. */
function countsTold(section: Section): string[] {
  const { agrees, disagrees, undecided, unsupported, crashed } = section.tally.counts;
  const { cases } = section.extent;
  const others = [
    [disagrees, `disagree${knownTold(section.excused?.disagrees)}`],
    [crashed, `crashed${knownTold(section.excused?.crashed)}`],
    [undecided, "undecided"],
    [unsupported, "declined"],
  ] as const;
  const told = others.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return [[`${agrees} of ${counted(cases, "case")} agree`, ...told].join(", "), ...endTold(section)];
}

function knownTold(known = 0): string {
  return known > 0 ? ` (${known} known)` : "";
}

/** Says how far the run got where it ended early: `4 of 300 cases, 15 s`. */
function endTold(section: Section): string[] {
  const { cases, ended, seconds } = section.extent;
  const far = `${askedCases(section)} of ${counted(cases, "case")}, ${Math.round(seconds)} s`;
  switch (ended) {
    case "all":
      return [];
    case "time":
      return [`the time was over after ${far}`];
    case "interrupted":
      return [`interrupted after ${far}`];
    default:
      return assertNever(ended);
  }
}

/** Says which operators were offered and answered, and which modes were declined. */
function shareTold({ description, tally }: Section): string[] {
  const { operators, modes } = description;
  const answered = operators.filter((op) => tally.asked.has(op)).length;
  const whole =
    operators.length < operatorNames.length ? ` of the ${operatorNames.length} that there are` : "";
  const shares = modes.map((mode) => [mode, answeredIn(mode, tally)] as const);
  const declined = shares.filter(([, share]) => share.answered < share.asked);
  return [
    `offers ${counted(operators.length, "operator")}${whole}, ${answered} answered`,
    ...(declined.length > 0 ? [`answered of these ${declined.map(percentage).join(", ")}`] : []),
    ...(modes.every((mode) => mode === "evaluate") ? ["no derivative is promised, and none was judged"] : []),
  ];
}

/** Lists the operators of which numbers agree without a right digit, with the first of each. */
function impreciseTold({ tally: { imprecise } }: Section): string[] {
  return [...imprecise].map(([op, { numbers, cases, first }]) => {
    const place = typeof first.case === "number" ? `case ${first.case}` : visible(first.case, NAME);
    const [answer, expected] = [first.answer, first.expected].map(shortened);
    const much = `${counted(numbers, "number")} without a right digit in ${counted(cases, "case")}`;
    return `imprecise: ${op}, ${much}, such as ${answer} for ${expected} by ${first.mode} in ${place}`;
  });
}

/** Writes a number in exact text form with three digits. */
function shortened(text: string): string {
  return `${Number(parseFloat64(text)?.toPrecision(3))}`;
}

function percentage([mode, { asked, answered }]: readonly [Mode, ReturnType<typeof answeredIn>]): string {
  return `${mode} ${percent(answered, asked)} %`;
}

function percent(part: number, whole: number): number {
  return Math.floor((100 * part) / whole);
}

/** Says what is remarkable of an engine, green or not: declarations beyond their ceilings, and variation. */
function remarks({
  description: { accuracy, repeatable, saved },
  dtype,
  tally: { varied },
}: Section): string[] {
  const beyond = beyondCeiling(accuracy, dtype).toSorted(([, a], [, b]) => b - a);
  const [worst] = beyond;
  const part = (ulps: number): string => (2 * ulps * formats[dtype].unitRoundoff).toExponential(1);
  const past = `√u, which is ${Math.sqrt(formats[dtype].unitRoundoff).toExponential(1)}`;
  const how = repeatable === undefined ? "; the engine did not say so" : ", as it declares";
  return [
    ...(worst === undefined
      ? []
      : [
          `declares that ${counted(beyond.length, "operator")} may be off by more than ${past}: ${worst[0]} by ${part(worst[1])} of the value`,
        ]),
    ...(saved !== undefined && isCoarse(saved)
      ? [
          `keeps what its sweep reads in ${saved}, so coarsely that cotangents within its bounds prove nothing`,
        ]
      : []),
    ...(varied.cases === 0
      ? []
      : [
          `differs from call to call by at most ${varied.most.toExponential(1)} of the number, in ${counted(varied.cases, "case")}${how}`,
        ]),
  ];
}

/** Says, a sentence each, why a run without disagreements is not green. */
function whyNotGreen({ tally, extent, excused }: Section, standing: Standing): string[] {
  switch (standing.kind) {
    case "agrees":
    case "disagrees":
    case "crashed":
      return [];
    case "broken promises":
      return brokenTold(standing.broken);
    case "excused": {
      const { excused, agrees } = standing;
      const share = `${excused} of ${counted(agrees, "case")} that agree (${percent(excused, agrees)} %)`;
      return [`excused: ${share} do so by what it declares alone`];
    }
    case "too little": {
      const cases = extent.cases - tally.foreign - (excused?.disagrees ?? 0) - (excused?.crashed ?? 0);
      const enough = `${standing.decided} of ${counted(cases, "case")} decided`;
      const { unanswered } = standing;
      const which = `${counted(unanswered.length, "operator")} of these cases never answered: ${listed(unanswered)}`;
      return [
        `too little to mean anything: ${[enough, ...(unanswered.length > 0 ? [which] : [])].join("; ")}`,
      ];
    }
    case "imprecise":
      return ["some numbers have no right digit, and the run is strict"];
    case "undecided":
      return ["nothing could be decided"];
    case "nothing":
      return ["no case is of operators that it promises"];
    default:
      return assertNever(standing);
  }
}

function brokenTold(broken: readonly BrokenPromise[]): string[] {
  const told = broken.slice(0, PROMISES_TOLD).map(({ operator, mode, asked, declined }) => {
    const what = operator === undefined ? `${mode}` : `${operator}, ${mode}`;
    return `the handshake promises ${what}, and it was declined ${declined} of ${counted(asked, "time")}`;
  });
  const more = broken.length - told.length;
  return more > 0 ? [...told, `and ${counted(more, "promise")} more, which the report lists`] : told;
}
