import type { OperatorName } from "../../spec/composites/index.ts";
import type { Description } from "../../spec/contract/index.ts";
import type { Mode } from "../../spec/wire/index.ts";
import type { Called, Counts, Tally } from "./tally.ts";

/** An account says what an engine was to be asked, and what came of it. */
export interface Account {
  /** It offers this: what it promises, and composites that it is asked as their expansions. */
  readonly description: Description;
  /** Its handshake promises these operators. */
  readonly promised: readonly OperatorName[];
  readonly tally: Tally;
  readonly extent: Extent;
  /** These failures of the tally are known, and nobody's news; by default none. */
  readonly excused?: Readonly<Pick<Counts, "disagrees" | "crashed">>;
  /** Is true if answers that agree without a right digit are not green. */
  readonly isStrict?: boolean;
}

/** An engine was asked this much of what it was to be asked. */
export interface Extent {
  /** So many cases were asked for. */
  readonly cases: number;
  /** These cases have these operators, as far as they were looked at before the first was asked. */
  readonly operators: ReadonlySet<OperatorName>;
  /** For this reason no more were asked. */
  readonly ended: "all" | "time" | "interrupted";
  readonly seconds: number;
}

/** A run says this of an engine. The names are those of a report's `outcome`. */
export type Standing =
  /** All that was decided agrees, and it was enough to mean something. */
  | { readonly kind: "agrees" }
  | { readonly kind: "disagrees" }
  /** It crashed, and nothing disagrees. */
  | { readonly kind: "crashed" }
  /** It declined a promise in most of the cases that asked for it. */
  | { readonly kind: "broken promises"; readonly broken: readonly BrokenPromise[] }
  /** So many of the cases that agree do so by an accuracy alone that was declared beyond its ceiling. */
  | { readonly kind: "excused"; readonly excused: number; readonly agrees: number }
  /** All that was decided agrees, but it was too little. */
  | { readonly kind: "too little"; readonly decided: number; readonly unanswered: readonly OperatorName[] }
  /** All that was decided agrees, but some numbers have no right digit, and the run is strict. */
  | { readonly kind: "imprecise" }
  /** Every case was answered, and nothing could be decided. */
  | { readonly kind: "undecided" }
  /** No case was of operators that the engine promises. */
  | { readonly kind: "nothing" };

/** A promise, of an operator or of a mode, is broken if it was declined in most cases that called upon it. */
export interface BrokenPromise {
  readonly operator?: OperatorName;
  readonly mode: Mode;
  readonly asked: number;
  readonly declined: number;
}

/**
 * So many cases are enough, however many were asked for: nine in ten of 237 planted faults fall by the 95th
 * (docs/strength.md).
 */
export const ENOUGH_CASES = 100;

/** In fewer cases an operator's promise is not called broken, since the shape may have been odd. */
const ENOUGH_CALLS = 4;

/**
 * Says what a run says of an engine, the worst first. It is `agrees` only if no case agrees by declarations
 * alone, half, or {@link ENOUGH_CASES}, of the cases asked for whose operators it promises were decided, and
 * each of their operators was in a case that was answered; in a strict run, if no answer is imprecise.
 * Excused failures do not count.
 */
export function standingOf(account: Account): Standing {
  const { tally, extent, excused = { disagrees: 0, crashed: 0 }, isStrict = false } = account;
  const { counts } = tally;
  if (counts.disagrees > excused.disagrees) return { kind: "disagrees" };
  if (counts.crashed > excused.crashed) return { kind: "crashed" };
  const broken = brokenPromises(account);
  if (broken.length > 0) return { kind: "broken promises", broken };
  if (tally.excused > 0) return { kind: "excused", excused: tally.excused, agrees: counts.agrees };
  const cases = extent.cases - tally.foreign - excused.disagrees - excused.crashed;
  if (cases === 0) return { kind: "nothing" };
  const decided = counts.agrees;
  if (decided === 0 && counts.undecided === cases) return { kind: "undecided" };
  const unanswered = unansweredOperators(account);
  if (!isEnough(decided, cases) || unanswered.length > 0) return { kind: "too little", decided, unanswered };
  return isStrict && tally.imprecise.size > 0 ? { kind: "imprecise" } : { kind: "agrees" };
}

/** Tells whether so many decided cases, of so many asked for, mean anything. */
export function isEnough(decided: number, cases: number): boolean {
  return decided > 0 && (decided >= ENOUGH_CASES || 2 * decided >= cases);
}

/** Lists operators that the engine offers and the cases have, but no case that was answered has. */
export function unansweredOperators({ description, tally, extent }: Account): OperatorName[] {
  return description.operators.filter((op) => extent.operators.has(op) && !tally.asked.has(op));
}

/** Returns the share of promised questions answered in one mode, counting cases once for each operator. */
export function answeredIn(
  mode: Mode,
  { promises, together }: Tally,
): { readonly asked: number; readonly answered: number } {
  const all = [...promises.values()];
  const asked = all.reduce((sum, call) => sum + call.asked, 0);
  const alone = all.reduce((sum, call) => sum + (call.declined[mode] ?? 0), 0);
  return { asked, answered: asked - alone - (together[mode] ?? 0) };
}

/** Lists the modes that are mostly declined, and for the others the operators that are. */
export function brokenPromises({ description, promised, tally }: Account): BrokenPromise[] {
  return description.modes.flatMap((mode): BrokenPromise[] => {
    const { asked, answered } = answeredIn(mode, tally);
    const whole = { asked, declined: asked - answered };
    if (isBroken(whole)) return [{ mode, ...whole }];
    return promised.flatMap((operator) => {
      const call = callIn(mode, tally.promises.get(operator));
      return isBroken(call) ? [{ operator, mode, ...call }] : [];
    });
  });
}

type Calls = Pick<BrokenPromise, "asked" | "declined">;

function callIn(mode: Mode, called: Called | undefined): Calls {
  return { asked: called?.asked ?? 0, declined: called?.declined[mode] ?? 0 };
}

function isBroken({ asked, declined }: Calls): boolean {
  return asked >= ENOUGH_CALLS && 2 * declined > asked;
}
