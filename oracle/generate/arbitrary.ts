import { Arbitrary, type Random, Stream, Value } from "fast-check";
import { sizeOf } from "../../spec/index.ts";
import type { Case } from "../case.ts";
import { candidates } from "../shrink/candidates.ts";
import { growGraph } from "./graph.ts";
import type { CaseProfile } from "./profile.ts";
import { drawSeeds } from "./seeds.ts";
import { drawFrom, genericSource } from "./values.ts";

/** Draws one case of the profile; the same state of `random` and the same place in a campaign give the same case. */
export function drawCase(profile: CaseProfile, random: Random, index = 0): Case {
  const draft = growGraph(profile, random, index);
  const { inputs, environment, nodes, points, entries } = draft;
  const source = genericSource(random);
  return {
    graph: { format: "adjudge.graph.v1", inputs, environment, nodes },
    point: { inputs: points, environment: entries },
    tangents: inputs.map(({ shape }) => ({ shape, data: drawFrom(source, sizeOf(shape)) })),
    seeds: drawSeeds(random, draft, source),
  };
}

/**
 * Cases as fast-check draws and shrinks them. Not chained from built-in arbitraries: each node depends on the shapes
 * before it, and the shrinks of a long `chain` know nothing of graphs.
 */
class CaseArbitrary extends Arbitrary<Case> {
  readonly #profile: CaseProfile;

  constructor(profile: CaseProfile) {
    super();
    this.#profile = profile;
  }

  override generate(random: Random): Value<Case> {
    return new Value(drawCase(this.#profile, random), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Case {
    const parts = ["graph", "point", "tangents", "seeds"];
    return typeof value === "object" && value !== null && parts.every((part) => part in value);
  }

  override shrink(value: Case): Stream<Value<Case>> {
    return new Stream(candidates(value)).map((smaller) => new Value(smaller, undefined));
  }
}

/**
 * Cases of a profile: a well-typed graph, a point in its domain as a rule, generic tangents and cotangents.
 * Shrinks along the graph, to few nodes, then small shapes, then plain numbers.
 */
export function caseArbitrary(profile: CaseProfile): Arbitrary<Case> {
  return new CaseArbitrary(profile);
}
