import type { ProgramAnswer, ProgramMode } from "../../spec/contract/index.ts";
import { at, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { type DataType, type FlatTensor, formatFloat64, formats } from "../../spec/wire/index.ts";
import { compareTensor, excusing, type Outcome } from "../hearing/index.ts";
import type { Component, Truth } from "../truth/index.ts";
import type { ProgramQuestion } from "./question.ts";

/** This part of an answer is wrong. */
export type ProgramPart =
  | "result"
  | "state"
  | "sent"
  | "drawn"
  | "draw"
  | "derivative"
  | "retained"
  | "refusal"
  /** The call has asked the world outside more often than the program does. */
  | "received"
  /** The call has written into what it was handed. */
  | "argument";

/** A finding is one number that no honest engine gives, and its place. Numbers are in exact text form. */
export interface ProgramFinding {
  readonly mode: ProgramMode;
  /** If true, the call went on with an earlier call's session. */
  readonly isLater: boolean;
  /** If there, the values were asked for once more, after the derivatives, and were right before. */
  readonly isAgain?: true;
  readonly part: ProgramPart;
  /** This is the place in a list of tensors. */
  readonly place: number;
  readonly element: number;
  /** This is the id in the recorded graph, if the number has one. */
  readonly node?: NodeId;
  readonly answer: string;
  readonly expected: string;
  readonly bound: string;
}

/** Expected of a call that was refused or failed, where an engine answers it in a session of its own. */
export const ANSWER_ANEW = "the answer that it has where no call has failed before";

/** Comparing leads to this. */
export type Compared =
  | Exclude<Outcome, { readonly kind: "differs" }>
  | { readonly kind: "differs"; readonly finding: ProgramFinding };

const agrees: Compared = { kind: "agrees" };

/** This says which call an answer belongs to. */
export type Call = Pick<ProgramFinding, "mode" | "isLater">;

/**
 * Compares all that a call left with the truth about its recorded graph, in the order in which a fault
 * spreads: draws, messages, results, contents, derivatives. Tells nothing if a condition may honestly flip.
 */
export function compareAnswer(
  call: Call,
  { case: question, recording }: ProgramQuestion,
  truth: Truth,
  answer: ProgramAnswer,
  dtype: DataType,
): Compared {
  const { outcome, retained, conditions, places } = recording;
  const all = (part: ProgramPart, of: TruthPart, ids: readonly NodeId[], given: readonly FlatTensor[]) =>
    compareAll({ ...call, part }, ids, given, truth, of);
  const derivatives = {
    evaluate: () => count(call, "derivative", answer.derivative.length, 0),
    jvp: () => all("derivative", "tangent", [...outcome.results, ...outcome.state], answer.derivative),
    vjp: () =>
      all(
        "derivative",
        "cotangent",
        question.graph.inputs.map((_, id) => nodeId(id)),
        answer.derivative,
      ),
  };
  const sent = answer.sent.map(({ value }) => value);
  const sentIds = outcome.sent.map(({ value }) => value);
  const parts: readonly (() => Compared)[] = [
    () => count(call, "drawn", answer.drawn, outcome.generator.drawn),
    () => channels(call, outcome.sent, answer.sent),
    () => all("sent", "value", sentIds, sent),
    () => all("result", "value", outcome.results, answer.results),
    () => all("state", "value", outcome.state, answer.state),
    derivatives[call.mode],
    () => compareRetained(call, retained, truth, answer.retained),
  ];
  let compared: Compared = agrees;
  for (const part of parts) {
    const next = part();
    if (next.kind === "differs") {
      if (conditions.some((id) => mayFlip(truth.value(id), dtype)))
        return {
          kind: "undecided",
          cause: "a condition lies within its bound of 0: the run may be another one",
        };
      return places.some((id) => isRounded(truth.value(id), dtype))
        ? { kind: "undecided", cause: "an index is rounded: it may be another place" }
        : next;
    }
    if (compared.kind === "agrees") compared = next;
  }
  return compared;
}

/**
 * Compares the cotangents of retained values. That of a copy is left out: it is a part of the original's, and
 * only the original's is known.
 */
function compareRetained(
  call: Call,
  retained: ProgramQuestion["recording"]["retained"],
  truth: Truth,
  given: readonly FlatTensor[],
): Compared {
  const isAsked = call.mode === "vjp";
  const counted = count(call, "retained", given.length, isAsked ? retained.length : 0);
  if (counted.kind !== "agrees" || !isAsked) return counted;
  const about = { ...call, part: "retained" } as const;
  for (const [place, { id, isCopy }] of retained.entries()) {
    if (isCopy) continue;
    const compared = compareAll(about, [id], given.slice(place, place + 1), truth, "cotangent");
    if (compared.kind === "differs") return { ...compared, finding: { ...compared.finding, place } };
    if (compared.kind !== "agrees") return compared;
  }
  return agrees;
}

/** The truth about an id has these parts. */
type TruthPart = "value" | "tangent" | "cotangent";

function compareAll(
  call: Call & Pick<ProgramFinding, "part">,
  ids: readonly NodeId[],
  given: readonly FlatTensor[],
  truth: Truth,
  of: TruthPart,
): Compared {
  const counted = count(call, call.part, given.length, ids.length);
  if (counted.kind !== "agrees") return counted;
  let compared: Compared = agrees;
  for (const [place, id] of ids.entries()) {
    const outcome = compareOne(call, id, given[place], truth, of);
    if (outcome.kind === "differs") {
      const { element, answer, expected, bound } = outcome.finding;
      return { kind: "differs", finding: { ...call, place, node: id, element, answer, expected, bound } };
    }
    if (compared.kind === "agrees") compared = outcome;
  }
  return compared;
}

/** Compares one tensor; a NaN that a stored zero may cause accuses nobody, and is looked for only if met. */
function compareOne(
  { mode }: Call,
  id: NodeId,
  given: FlatTensor | undefined,
  truth: Truth,
  of: TruthPart,
): Outcome {
  const shape = at(truth.shapes, id);
  const outcome = compareTensor(mode, id, shape, given, truth[of](id));
  if (of === "value" || outcome.kind !== "differs" || outcome.finding.answer !== "nan") return outcome;
  return compareTensor(mode, id, shape, given, excusing(truth, of)[of](id));
}

function channels(
  call: Call,
  expected: readonly { readonly channel: string }[],
  given: readonly { readonly channel: string }[],
): Compared {
  const place = given.findIndex(({ channel }, i) => channel !== expected[i]?.channel);
  if (place < 0) return agrees;
  const told = { ...call, part: "sent", place, element: 0, bound: "0x0p+0" } as const;
  const [answer, wanted] = [at(given, place).channel, expected[place]?.channel ?? "nothing"];
  return { kind: "differs", finding: { ...told, answer, expected: wanted } };
}

function count(call: Call, part: ProgramPart, given: number, expected: number): Compared {
  if (given === expected) return agrees;
  const told = { ...call, part, place: 0, element: 0, bound: "0x0p+0" };
  return { kind: "differs", finding: { ...told, answer: `${given}`, expected: `${expected}` } };
}

/** An exact 0 is written so: as a fraction, or as a float. */
const zeros: readonly string[] = ["0", formatFloat64(0), formatFloat64(-0)];

/**
 * Tells whether an honest engine may decide a condition otherwise than the reference. An exact 0 whose bound
 * is only underflow is 0 for everybody: rounding makes no subnormal of it.
 */
function mayFlip([component]: readonly Component[], dtype: DataType): boolean {
  if (component === undefined) return false;
  if (!zeros.includes(component.expected)) return component.judge(0) !== "outside";
  return isRounded([component], dtype);
}

/** Tells whether an honest engine may have another number. */
function isRounded([component]: readonly Component[], dtype: DataType): boolean {
  return component !== undefined && (component.isOpen || !(component.bound < formats[dtype].smallestNormal));
}
