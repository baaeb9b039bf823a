import { withoutNumbers } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { Section } from "./json.ts";

/** Cases that ended alike: their common reason, and the first of them. */
export interface Group {
  /** The reason in the words of the first case. */
  readonly reason: string;
  readonly cases: number;
  readonly first: number | string;
}

/** Groups cases by why they ended so, most frequent first; reasons that differ only in numbers are one. */
export function reasonGroups({ verdicts }: Section, kind: "crashed" | "unsupported" | "undecided"): Group[] {
  const groups = new Map<string, Group>();
  for (const { case: place, verdict } of verdicts) {
    if (verdict.kind !== kind) continue;
    const reason = visible(reasonOf(verdict));
    const key = withoutNumbers(reason);
    const before = groups.get(key) ?? { reason, cases: 0, first: place };
    groups.set(key, { ...before, cases: before.cases + 1 });
  }
  return mostFirst([...groups.values()]);
}

function reasonOf(
  verdict:
    | { readonly kind: "crashed"; readonly message: string }
    | { readonly kind: "unsupported"; readonly reason: string }
    | { readonly kind: "undecided"; readonly cause: string },
): string {
  if (verdict.kind === "crashed") return verdict.message;
  return verdict.kind === "unsupported" ? verdict.reason : verdict.cause;
}

function mostFirst<G extends { readonly cases: number }>(groups: readonly G[]): G[] {
  return groups.toSorted((a, b) => b.cases - a.cases);
}
