import {
  compareRationals,
  type Rational,
  rational,
  rationalFromNumber,
  rationalOf,
} from "../../reference/index.ts";
import { membersOf } from "../../spec/documents/index.ts";
import { assertNever, type NodeId, present } from "../../spec/shapes/index.ts";
import {
  type ComponentSet,
  type ComponentsAt,
  type Expected,
  type MemberSet,
  parseFloat64,
} from "../../spec/wire/index.ts";
import { approximateRational, type Component, judgedBy, type Truth } from "../truth/index.ts";

/**
 * Tells whether `answer` is within `bound` of a number of the set; `undecided` if the set is not known, or
 * the bound is not finite and the answer is no member itself.
 */
export function admit(set: ComponentSet, answer: number, bound: number): ReturnType<Component["judge"]> {
  switch (set.kind) {
    case "any":
      return "within";
    case "undecided":
      return "undecided";
    case "hull":
      return isInHull(set.members, answer, bound) ? "within" : otherwise(bound);
    case "one_of":
      return set.members.some((member) => isMember(member, answer, bound)) ? "within" : otherwise(bound);
    default:
      return isMember(set, answer, bound) ? "within" : otherwise(bound);
  }
}

function otherwise(bound: number): "outside" | "undecided" {
  return Number.isFinite(bound) ? "outside" : "undecided";
}

function isMember(set: MemberSet, answer: number, bound: number): boolean {
  switch (set.kind) {
    case "nan":
      return Number.isNaN(answer);
    case "exact":
    case "enclosure": {
      const { low, high } = endsOf(set);
      return isBetween(low, high, answer, bound);
    }
    default:
      return assertNever(set);
  }
}

/** An end is a number as a set's text, and as a float, which alone tells infinities apart. */
interface End {
  readonly near: number;
  readonly text: string;
}

function endsOf(set: Exclude<MemberSet, { readonly kind: "nan" }>): {
  readonly low: End;
  readonly high: End;
} {
  const [low, high] = set.kind === "exact" ? [set.value, set.value] : [set.low, set.high];
  return { low: end(low), high: end(high) };
}

function end(text: string): End {
  return { near: parseFloat64(text) ?? approximateRational(exactly(text)), text };
}

function exactly(text: string): Rational {
  return present(rational.parse(text), `the number ${text}`);
}

function isBetween(low: End, high: End, answer: number, bound: number): boolean {
  if (Number.isNaN(answer)) return false;
  if (low.near < answer && answer < high.near) return true;
  return [low, high].some(({ near, text }) =>
    Number.isFinite(near)
      ? isNear(answer, exactly(text), Number.isFinite(bound) ? bound : 0)
      : answer === near,
  );
}

/** Decides exactly whether `|answer − q| ≤ bound`, all finite. */
function isNear(answer: number, q: Rational, bound: number): boolean {
  const a = rationalFromNumber(answer);
  const numerator = a.numerator * q.denominator - q.numerator * a.denominator;
  const distance = rationalOf(numerator < 0n ? -numerator : numerator, a.denominator * q.denominator);
  const order = compareRationals(distance, rationalFromNumber(bound));
  return order !== undefined && order <= 0;
}

function isInHull(members: readonly MemberSet[], answer: number, bound: number): boolean {
  if (members.some((member) => isMember(member, answer, bound))) return true;
  const ends = members.flatMap((member) => (member.kind === "nan" ? [] : [endsOf(member)]));
  return ends.some(({ low }) => ends.some(({ high }) => isBetween(low, high, answer, bound)));
}

/**
 * Tells whether a set has no number that an honest engine could answer, and the truth is not in it: then the
 * set is wrong about the question. A set that is not known contradicts nothing.
 */
export function contradicts(set: ComponentSet, component: Component): boolean {
  if (set.kind === "any" || set.kind === "undecided") return false;
  const ends = membersOf(set).flatMap((member) => (member.kind === "nan" ? [Number.NaN] : numbersOf(member)));
  if (ends.some((end) => component.judge(end) !== "outside")) return false;
  return admit(set, component.near.value, 0) !== "within";
}

function numbersOf(member: Exclude<MemberSet, { readonly kind: "nan" }>): readonly number[] {
  const { low, high } = endsOf(member);
  return [low.near, high.near];
}

/**
 * Widens `truth`: what it holds to be outside is within if a set of `allowed` admits it, for a policy's
 * choices, which engines cannot declare.
 */
export function allowing(truth: Truth, allowed: Expected): Truth {
  const relaxed =
    (part: (id: NodeId) => readonly Component[], sets: readonly ComponentsAt[]) =>
    (id: NodeId): readonly Component[] => {
      const here = sets.find((at) => at.id === id)?.sets;
      return here === undefined ? part(id) : part(id).map((component, i) => relax(component, here[i]));
    };
  return {
    ...truth,
    value: relaxed((id) => truth.value(id), allowed.values),
    tangent: relaxed((id) => truth.tangent(id), allowed.tangents),
    cotangent: relaxed((id) => truth.cotangent(id), allowed.cotangents),
  };
}

function relax(component: Component, set: ComponentSet | undefined): Component {
  if (set === undefined) return component;
  return judgedBy(component, (answer) =>
    admit(set, answer, component.bound) === "within" ? "within" : component.judge(answer),
  );
}
