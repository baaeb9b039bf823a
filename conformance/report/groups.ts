import { type Fault, faultOf, withoutNumbers } from "../../oracle/judge/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import type { Section } from "./json.ts";

/** Cases that ended alike: their common reason, and the first of them. */
export interface Group {
  /** The reason in the words of the first case. */
  readonly reason: string;
  readonly cases: number;
  readonly first: number | string;
}

/** Cases that one place is to blame for, grouped by its attributes. */
export interface FaultGroup {
  readonly place: string;
  /** Groups by attributes, the most frequent first. */
  readonly kinds: readonly (Group & Pick<Fault, "attributes">)[];
  readonly cases: number;
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

/** Groups the disagreements by operator, part and attributes to blame. */
export function faultGroups({ verdicts }: Section): FaultGroup[] {
  const places = new Map<string, Map<string, Group & Pick<Fault, "attributes">>>();
  for (const { case: first, verdict } of verdicts) {
    if (verdict.kind !== "disagrees") continue;
    const { place, attributes } = faultOf(verdict.witness);
    const kinds = places.get(place) ?? new Map();
    places.set(place, kinds);
    const before = kinds.get(attributes) ?? { reason: place, attributes, cases: 0, first };
    kinds.set(attributes, { ...before, cases: before.cases + 1 });
  }
  return mostFirst(
    Array.from(places, ([place, kinds]) => {
      const sorted = mostFirst([...kinds.values()]);
      return { place, kinds: sorted, cases: sorted.reduce((sum, { cases }) => sum + cases, 0) };
    }),
  );
}

function mostFirst<G extends { readonly cases: number }>(groups: readonly G[]): G[] {
  return groups.toSorted((a, b) => b.cases - a.cases);
}
