import { type Case, runReference } from "../../oracle/case/index.ts";
import { type Component, enclosuresOf, type Interval, truthOf } from "../../oracle/truth/index.ts";
import { referenceStandard } from "../../oracle/truth/standard/index.ts";
import { compareRationals, float64, formatRational, rationalFromNumber } from "../../reference/index.ts";
import { membersOf } from "../../spec/documents/index.ts";
import { idCount } from "../../spec/graph/index.ts";
import { InvariantError, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import {
  type ComponentSet,
  type ComponentsAt,
  type Expected,
  type FlatTensor,
  formatFloat64,
  type MemberSet,
} from "../../spec/wire/index.ts";
import { floatAbove, floatBelow } from "./round.ts";

/**
 * Returns the true values and tangents at the seeded ids and the inputs' cotangents, as sets: exact numbers,
 * or enclosures where the truth is irrational. Where it has no bound the set is `undecided`, or for a program
 * that defines a choice the IEEE 754 result (`"ieee"`).
 */
export function expectedOf(question: Case, without: "undecided" | "ieee" = "undecided"): Expected {
  const sets = setsOf(question);
  const run = without === "ieee" ? runReference(question, float64) : undefined;
  const asked = question.seeds.map(({ id }) => id).sort((a, b) => a - b);
  const inputs = question.graph.inputs.map((_, id) => nodeId(id));
  return {
    values: asked.map((id) => setsAt(id, sets.value(id), run?.values[id])),
    tangents: asked.map((id) => setsAt(id, sets.tangent(id), run?.tangents[id])),
    cotangents: inputs.map((id) => setsAt(id, sets.cotangent(id), run?.cotangents.get(id))),
  };
}

/** Returns the true cotangents at ids, inputs or not. */
export function expectedCotangents(question: Case, ids: readonly NodeId[]): ComponentsAt[] {
  const sets = setsOf(question);
  return ids.map((id) => setsAt(id, sets.cotangent(id), undefined));
}

type SetsOf = (id: NodeId) => readonly ComponentSet[];

/** Returns functions from an id to its sets: the exact truth, or enclosures where it is irrational. */
function setsOf(question: Case): {
  readonly value: SetsOf;
  readonly tangent: SetsOf;
  readonly cotangent: SetsOf;
} {
  const standard = referenceStandard("float64");
  const truth = truthOf(question, standard);
  if (truth.isExact) {
    return {
      value: (id) => truth.value(id).map(exactSet),
      tangent: (id) => truth.tangent(id).map(exactSet),
      cotangent: (id) => truth.cotangent(id).map(exactSet),
    };
  }
  const enclosures = enclosuresOf(question, standard);
  return {
    value: (id) => enclosures.value(id).map(enclosedSet),
    tangent: (id) => enclosures.tangent(id).map(enclosedSet),
    cotangent: (id) => enclosures.cotangent(id).map(enclosedSet),
  };
}

function exactSet({ expected, bound }: Component): ComponentSet {
  const isKnown = Number.isFinite(bound) && expected !== "undefined";
  return isKnown ? { kind: "exact", value: expected } : { kind: "undecided" };
}

function enclosedSet({ low, high, bound }: Interval): ComponentSet {
  if (!Number.isFinite(bound)) return { kind: "undecided" };
  if (compareRationals(low, high) === 0) return { kind: "exact", value: formatRational(low) };
  const [from, to] = [floatBelow(low), floatAbove(high)];
  return { kind: "enclosure", low: formatFloat64(from), high: formatFloat64(to) };
}

function setsAt(id: NodeId, known: readonly ComponentSet[], ieee: FlatTensor | undefined): ComponentsAt {
  const sets = known.map((set, element) => {
    const x = set.kind === "undecided" ? ieee?.data[element] : undefined;
    return x === undefined ? set : floatSet(x);
  });
  return { id, sets };
}

/** Returns the set of a float that the reference computed, infinities included. */
function floatSet(x: number): ComponentSet {
  if (Number.isNaN(x)) return { kind: "nan" };
  const value = Number.isFinite(x) ? formatRational(rationalFromNumber(x)) : formatFloat64(x);
  return { kind: "exact", value };
}

/**
 * Joins the truths of a choice's programs, whose last ids stand for the last of `question`: what all agree on
 * stays, elsewhere any of them is right, or anything in their hull.
 */
export function joinExpected(truths: readonly Expected[], join: "one_of" | "hull", question: Case): Expected {
  const [first, ...others] = truths;
  if (first === undefined) throw new InvariantError("a policy without choices");
  if (others.length === 0) return first;
  const last = idCount(question.graph) - 1;
  const joined = (part: keyof Expected, id: (given: number) => number): ComponentsAt[] =>
    first[part].map(({ id: given, sets }, place) => ({
      id: id(given),
      sets: sets.map((set, element) =>
        union([set, ...others.map((other) => other[part][place]?.sets[element] ?? set)], join),
      ),
    }));
  return {
    values: joined("values", () => last),
    tangents: joined("tangents", () => last),
    cotangents: joined("cotangents", (id) => id),
  };
}

function union(sets: readonly ComponentSet[], join: "one_of" | "hull"): ComponentSet {
  const texts = new Map(sets.map((set) => [JSON.stringify(set), set]));
  const [only] = sets;
  if (texts.size === 1 && only !== undefined) return only;
  if (sets.some(({ kind }) => kind === "undecided")) return { kind: "undecided" };
  const members: MemberSet[] = [...texts.values()].flatMap(membersOf);
  return { kind: join, members };
}
