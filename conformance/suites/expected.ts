import {
  type Case,
  type Component,
  referenceProfile,
  runReference,
  type Truth,
  truthOf,
} from "../../oracle/index.ts";
import { float64, formatRational, rationalFromNumber } from "../../reference/index.ts";
import {
  type ComponentSet,
  type ComponentsAt,
  type Expected,
  type FlatTensor,
  formatFloat64,
  InvariantError,
  idCount,
  type MemberSet,
  membersOf,
  type NodeId,
  nodeId,
  parseFloat64,
} from "../../spec/index.ts";

/**
 * What is true of a case, as sets: the values and tangents at the ids that have a seed, and the cotangents of the
 * inputs. Exact where the truth is, an enclosure where it is enclosed. Where it has no bound, `undecided`; or, for a
 * program that defines a choice, the NaN or infinity that IEEE 754 arithmetic gives (`"ieee"`).
 */
export function expectedOf(question: Case, without: "undecided" | "ieee" = "undecided"): Expected {
  const truth = truthOf(question, referenceProfile("float64"));
  const run = without === "ieee" ? runReference(question, float64) : undefined;
  const asked = question.seeds.map(({ id }) => id).sort((a, b) => a - b);
  const inputs = question.graph.inputs.map((_, id) => nodeId(id));
  return {
    values: asked.map((id) => setsAt(id, truth, truth.value(id), run?.values[id])),
    tangents: asked.map((id) => setsAt(id, truth, truth.tangent(id), run?.tangents[id])),
    cotangents: inputs.map((id) => setsAt(id, truth, truth.cotangent(id), run?.cotangents.get(id))),
  };
}

function setsAt(
  id: NodeId,
  { isExact }: Truth,
  components: readonly Component[],
  ieee: FlatTensor | undefined,
): ComponentsAt {
  const sets = components.map((component, element) => {
    const set = setOf(component, isExact);
    const special = set.kind === "undecided" ? specialSet(ieee?.data[element]) : undefined;
    return special ?? set;
  });
  return { id, sets };
}

/** The set of a float that is not finite. */
function specialSet(x: number | undefined): ComponentSet | undefined {
  if (x === undefined || Number.isFinite(x)) return undefined;
  return Number.isNaN(x) ? { kind: "nan" } : { kind: "exact", value: formatFloat64(x) };
}

function setOf({ expected, bound }: Component, isExact: boolean): ComponentSet {
  if (!Number.isFinite(bound) || expected === "undefined") return { kind: "undecided" };
  if (isExact) return { kind: "exact", value: expected };
  const centre = parseFloat64(expected) ?? Number.NaN;
  if (!Number.isFinite(centre)) return { kind: "undecided" };
  if (bound === 0) return { kind: "exact", value: formatRational(rationalFromNumber(centre)) };
  const [low, high] = [downwards(centre - bound), upwards(centre + bound)];
  return { kind: "enclosure", low: formatFloat64(low), high: formatFloat64(high) };
}

/** At least the real number that `x` was rounded from. */
function upwards(x: number): number {
  return x + Math.abs(x) * 2 ** -52 + Number.MIN_VALUE;
}

function downwards(x: number): number {
  return -upwards(-x);
}

/**
 * The truths of several programs as one: `question` names the ids, and the last id of each program stands for its
 * last. Where they say the same it is that, elsewhere one of them, or their hull.
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
