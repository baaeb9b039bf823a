import type { Verdict } from "../../oracle/hearing/index.ts";
import { faultOf, withoutNumbers } from "../../oracle/judge/index.ts";
import type { KnownCrash, KnownDisagreement, KnownFailure } from "../../spec/wire/index.ts";

/** A failed verdict is known by this: what a list of known failures may say of it. */
export type Fingerprint =
  | Required<Pick<KnownDisagreement, "kind" | "operator" | "part" | "attributes" | "question">>
  | Pick<KnownCrash, "kind" | "message">;

/** The part of a fingerprint that names its fault, whatever the cases that show it. */
export function faultIn(
  found: Fingerprint,
): Pick<KnownDisagreement, "kind" | "operator" | "part"> | KnownFault {
  if (found.kind === "crashed") return found;
  const { kind, operator, part } = found;
  return { kind, operator, part };
}

type KnownFault = Pick<KnownCrash, "kind" | "message">;

/** Returns the fingerprint of a failed verdict; `undefined` for any other. */
export function fingerprintOf(verdict: Verdict): Fingerprint | undefined {
  if (verdict.kind === "crashed") return { kind: "crashed", message: withoutNumbers(verdict.message) };
  if (verdict.kind !== "disagrees") return undefined;
  const { witness } = verdict;
  const { op = "input", part } = witness.blame;
  const { attributes } = faultOf(witness);
  return { kind: "disagrees", operator: op, part, attributes, question: witness.question };
}

/** Tells whether a known failure has the fingerprint; what it leaves out matches anything. */
export function isOf(failure: KnownFailure, found: Fingerprint): boolean {
  if (failure.kind === "crashed") return found.kind === "crashed" && failure.message === found.message;
  return (
    found.kind === "disagrees" &&
    failure.operator === found.operator &&
    failure.part === found.part &&
    (failure.attributes ?? found.attributes) === found.attributes &&
    (failure.question ?? found.question) === found.question
  );
}
