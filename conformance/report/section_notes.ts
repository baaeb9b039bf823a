import { answeredIn, type BrokenPromise, type Standing, standingOf } from "../../oracle/judge/index.ts";
import { beyondCeiling } from "../../oracle/truth/standard/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import { assertNever, visible } from "../../spec/shapes/index.ts";
import { formats, isCoarse, type Mode, parseFloat64 } from "../../spec/wire/index.ts";
import { declaration } from "./declared.ts";
import { counted, listed } from "./fold.ts";
import { reasonGroups } from "./groups.ts";
import { askedCases, type Section } from "./json.ts";

/** A file's name is cut to so many characters. */
const NAME = 48;

/** At most so many broken promises are told singly. */
const PROMISES_TOLD = 6;

/** Notes say of a section what its row of counts does not. */
export interface Notes {
  /** Why a section that is not wrong is not green, and what is remarkable of one that is. */
  readonly warnings: readonly string[];
  /** Numbers that agree without a right digit. */
  readonly imprecise: readonly string[];
}

/** Returns the notes of a section, a sentence each. */
export function notesOf(section: Section): Notes {
  return {
    warnings: [
      ...endTold(section),
      ...whyNotGreen(section, standingOf(section)),
      ...whyOpen(section),
      ...remarks(section),
    ],
    imprecise: impreciseTold(section),
  };
}

/** Says of a section that is neither green nor wrong why most cases were declined, or are undecided. */
function whyOpen(section: Section): string[] {
  const { kind } = standingOf(section);
  if (kind === "agrees" || kind === "disagrees" || kind === "crashed") return [];
  const reasons = [
    ["unsupported", "declined"],
    ["undecided", "undecided"],
  ] as const;
  return reasons.flatMap(([verdict, what]) => {
    const [most] = reasonGroups(section, verdict);
    return most === undefined ? [] : [`${counted(most.cases, "case")} ${what}: ${visible(most.reason, 300)}`];
  });
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

/** Says how many of the operators offered were exercised, and how much of each mode was declined. */
export function coverageTold({ description, tally }: Section): string[] {
  const { operators, modes } = description;
  const left = operators.filter((op) => !tally.asked.has(op)).length;
  const shares = modes.map((mode) => [mode, answeredIn(mode, tally)] as const);
  const declined = shares.filter(([, share]) => share.answered < share.asked);
  return [
    ...(left > 0
      ? [`${left} of ${counted(operators.length, "operator")} not exercised (-v lists them)`]
      : []),
    ...(declined.length > 0 ? [`answered: ${declined.map(percentage).join(", ")}`] : []),
    ...(modes.every((mode) => mode === "evaluate") ? ["no derivative is promised, and none was judged"] : []),
  ];
}

/** Introduces an engine: how many operators it offers, and what it declares. */
export function introduction({ description }: Section): string {
  const { operators } = description;
  const whole = operators.length < operatorNames.length ? ` of ${operatorNames.length}` : "";
  return `offers ${operators.length}${whole} operators; ${declaration(description)}`;
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
