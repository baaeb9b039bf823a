import type { Along, Reply } from "../../spec/contract/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";

/** These options say how an estimator is judged. */
export interface EstimateOptions {
  readonly dtype: DataType;
  /** Each law is asked about this many seeds. */
  readonly samples: number;
  /** This is the first of them; given directions are drawn from it too. */
  readonly seed: number;
  /** A right estimator is accused with at most this probability, over all means and laws. */
  readonly alarm: number;
}

/** An estimate is wrong in a number of it, in a mean, or in the law of the directions that it tells. */
export interface EstimateFault {
  /** The fault is at this element of this input; at all together if they are left out. */
  readonly input?: NodeId;
  readonly element?: number;
  /** This says in words what is compared. */
  readonly of: string;
  readonly found: number;
  readonly expected: string;
  readonly within: number;
}

/** The directions of one law led to this. */
export interface EstimateVerdict {
  readonly law: Along["law"];
  readonly kind: "agrees" | "disagrees" | "undecided" | "unsupported" | "failed";
  /** This many numbers and means were compared. */
  readonly compared: number;
  /** Estimates told so many numbers of directions, which were compared with their law. */
  readonly directions?: number;
  readonly faults: readonly EstimateFault[];
  readonly reason?: string;
}

/** Returns the verdict on a law of which no estimate came. */
export function without(
  law: Along["law"],
  reply: Exclude<Reply<unknown>, { readonly kind: "result" }>,
): EstimateVerdict {
  const reason = "reason" in reply ? reply.reason : reply.message;
  const kind = reply.kind === "unsupported" ? "unsupported" : "failed";
  return { law, kind, compared: 0, faults: [], reason };
}

/** Returns the verdict on a law of which so much was compared, and of that nothing decided. */
export function verdictOf(
  law: Along["law"],
  compared: number,
  undecided: number,
  faults: readonly EstimateFault[],
): EstimateVerdict {
  const kind = faults.length > 0 ? "disagrees" : compared > undecided ? "agrees" : "undecided";
  return { law, kind, compared, faults };
}
