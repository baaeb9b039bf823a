import { Arbitrary, type Random, Stream, Value } from "fast-check";
import { withShapes } from "../../spec/expansion/index.ts";
import { sizeOf } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import { drawFrom, genericSource, wildSource } from "../random/index.ts";
import { candidates } from "../shrink/index.ts";
import { strewn } from "./edges.ts";
import { growGraph } from "./graph.ts";
import type { CaseProfile, Mix } from "./profile.ts";
import { reached } from "./reaching.ts";
import { drawSeeds } from "./seeds.ts";

/** Draws one case of `profile`: equal states of `random` and equal `index` give equal cases. */
export function drawCase(profile: CaseProfile, random: Random, index = 0): Case {
  const draft = growGraph(profile, random, index);
  const { inputs, environment, nodes, shapes, points, entries } = draft;
  const { plants, replacements } = profile;
  const point = { inputs: points, environment: entries };
  const generic = genericSource(random);
  const { seeds } = profile;
  const sourceOf = (): (() => number) =>
    seeds === "generic" ? generic : wildSource(random, generic, seeds === "any");
  const source = sourceOf();
  return {
    graph: withShapes({ format: "adjudge.graph.v1", inputs, environment, nodes }, shapes),
    point:
      plants === "readers"
        ? reached(point, draft, random)
        : replacements === undefined
          ? point
          : strewn(point, environment, replacements, random),
    tangents: inputs.map(({ shape }) => ({ shape, data: drawFrom(source, sizeOf(shape)) })),
    seeds: drawSeeds(random, draft, sourceOf()),
  };
}

/**
 * Draws and shrinks cases for fast-check. It is not chained from built-in arbitraries, because each node
 * depends on the shapes before it and the shrinks of a long `chain` know nothing of graphs.
 */
class CaseArbitrary extends Arbitrary<Case> {
  readonly #drawing: CaseProfile | Mix;

  constructor(drawing: CaseProfile | Mix) {
    super();
    this.#drawing = drawing;
  }

  override generate(random: Random): Value<Case> {
    const drawing = this.#drawing;
    const profile =
      "profileAt" in drawing ? drawing.profileAt(random.nextInt(0, drawing.period - 1)) : drawing;
    return new Value(drawCase(profile, random), undefined);
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
 * Makes cases of a profile or the mix: a well-typed graph, a point mostly in its domain, tangents,
 * cotangents. Shrinking goes along the graph: to few nodes, then to small shapes, then to plain numbers.
 */
export function caseArbitrary(drawing: CaseProfile | Mix): Arbitrary<Case> {
  return new CaseArbitrary(drawing);
}
