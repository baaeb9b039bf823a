import type { Reply } from "../../spec/contract/index.ts";
import { at, formatShape, isSameShape, type NodeId, type Shape } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64 } from "../../spec/wire/index.ts";
import type { Component } from "../truth/index.ts";
import type { Finding, Probe } from "./finding.ts";
import type { Verdict } from "./verdict.ts";

/** Asking leads to an outcome: a verdict, save that a difference is not yet shrunk and blamed on a node. */
export type Outcome =
  | Exclude<Verdict, { readonly kind: "disagrees" | "crashed" }>
  | Crash
  | { readonly kind: "differs"; readonly finding: Finding };

/** No answer came; `lost` says that the engine ended, while it owed this answer or another one. */
interface Crash {
  readonly kind: "crashed";
  readonly message: string;
  readonly lost?: "due" | "in passing";
}

/** The answer agrees. */
export const agrees: Outcome = { kind: "agrees" };

/** Compares one tensor of an answer with the truth about it, component by component. */
export function compareTensor(
  question: Probe,
  id: NodeId,
  shape: Shape,
  answer: FlatTensor | undefined,
  truth: readonly Component[],
): Outcome {
  if (answer === undefined || !isSameShape(answer.shape, shape) || answer.data.length !== truth.length) {
    return { kind: "differs", finding: shapeFinding(question, id, shape, answer) };
  }
  let open: { readonly element: number; readonly hasBound: boolean } | undefined;
  for (let element = 0; element < truth.length; element++) {
    const component = at(truth, element);
    const value = answer.data[element] ?? Number.NaN;
    const judged = component.judge(value);
    if (judged === "undecided") open ??= { element, hasBound: Number.isFinite(component.bound) };
    if (judged === "outside") {
      const bound = formatFloat64(component.boundFor(value));
      const finding = {
        question,
        id,
        element,
        answer: formatFloat64(value),
        expected: component.allowed,
        bound,
      };
      return { kind: "differs", finding };
    }
  }
  if (open === undefined) return agrees;
  const why = open.hasBound
    ? "the answer is too close to the bound, or the bound too wide, to tell"
    : "no bound (singular, overflowing or ill-conditioned)";
  return { kind: "undecided", cause: `${question}: ${why} at id ${id}, element ${open.element}` };
}

function shapeFinding(question: Probe, id: NodeId, shape: Shape, answer: FlatTensor | undefined): Finding {
  return {
    question,
    id,
    element: 0,
    answer: answer === undefined ? "nothing" : `a tensor of shape ${formatShape(answer.shape)}`,
    expected: `a tensor of shape ${formatShape(shape)}`,
    bound: "0x0p+0",
  };
}

/** Returns the worse outcome: a disagreement, then no answer, then an open question, then agreement. */
export function worse(a: Outcome, b: Outcome): Outcome {
  return severities[b.kind] > severities[a.kind] ? b : a;
}

const severities: Readonly<Record<Outcome["kind"], number>> = {
  agrees: 0,
  undecided: 1,
  unsupported: 2,
  crashed: 3,
  differs: 4,
};

/** The message of an engine that lives on begins so. */
export const ERROR_PREFIX = "error: ";

/** Tells whether an engine without an answer said so itself and lives on, so asking again is cheap. */
export function isErrorReply(
  outcome: Outcome | Verdict,
): outcome is Extract<Verdict, { readonly kind: "crashed" }> {
  return outcome.kind === "crashed" && outcome.message.startsWith(ERROR_PREFIX);
}

/** Splits an outcome without a difference into the verdict, and how the answer was lost, if it was. */
export function asVerdict(outcome: Exclude<Outcome, { readonly kind: "differs" }>): {
  readonly verdict: Exclude<Verdict, { readonly kind: "disagrees" }>;
  readonly lost?: "due" | "in passing";
} {
  if (outcome.kind !== "crashed" || outcome.lost === undefined) return { verdict: outcome };
  const { lost, ...verdict } = outcome;
  return { verdict, lost };
}

/** Turns a reply without an answer into an outcome; an error of the engine counts as a crash. */
export function fromReply(reply: Exclude<Reply<unknown>, { readonly kind: "result" }>): Outcome {
  switch (reply.kind) {
    case "unsupported":
      return { kind: "unsupported", reason: reply.reason };
    case "error":
      return { kind: "crashed", message: `${ERROR_PREFIX}${reply.message}` };
    case "crashed":
      return {
        kind: "crashed",
        message: reply.message,
        lost: reply.isBystander === true ? "in passing" : "due",
      };
  }
}
