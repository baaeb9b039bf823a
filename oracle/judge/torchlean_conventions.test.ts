import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import type { Conventions } from "../../spec/index.ts";
import { answering, casesOf, declaring } from "./asked_text.test.kit.ts";
import { survey } from "./survey.ts";

/** What an engine declares that chooses as TorchLean's tape does: ties are split, and kinks are its own. */
const torchLean: Partial<Conventions> = {
  maximumAtTie: "split",
  compositeKinks: "own",
  singularPoints: "own",
};

/** Each case with the slopes of TorchLean's tape there, by element; every tangent and seed is 1. */
const slopes = {
  root_at_and_below_zero: [0, 0, 0.25],
  maximum_at_a_tie: [0.5, 0, 1],
  minimum_at_a_tie: [0.5, 1, 0],
  clamp_at_its_ends: [0, 0, 1],
  absolute_value_at_zero: [0, 1, -1],
  relu_at_zero: [0, 1, 0],
} as const;

const cases = casesOf(`
graph root_at_and_below_zero(x: [3])
  y = sqrt(x)
at x = [0, -1, 4]
tangent x = 1
seed y = [1, 1, 1]

graph maximum_at_a_tie(x: [3]) given (c: [3])
  y = maximum(x, c)
at x = [1, 1, 2], c = [1, 2, 1]
tangent x = 1
seed y = [1, 1, 1]

graph minimum_at_a_tie(x: [3]) given (c: [3])
  y = minimum(x, c)
at x = [1, 1, 2], c = [1, 2, 1]
tangent x = 1
seed y = [1, 1, 1]

graph clamp_at_its_ends(x: [3])
  y = clip(x, -1, 1)
at x = [-1, 1, 0.5]
tangent x = 1
seed y = [1, 1, 1]

graph absolute_value_at_zero(x: [3])
  y = abs(x)
at x = [0, 2, -2]
tangent x = 1
seed y = [1, 1, 1]

graph relu_at_zero(x: [3])
  y = relu(x)
at x = [0, 2, -2]
tangent x = 1
seed y = [1, 1, 1]
`);

async function outsideOf(
  name: string,
  own: readonly number[],
  conventions: Partial<Conventions>,
): Promise<readonly unknown[]> {
  const question = cases.find(([one]) => one === name)?.[1];
  if (question === undefined) throw new Error(name);
  const last = question.graph.nodes.length;
  const engine = answering(declaring(interpreterEngine(), conventions), "TorchLean", (x, place) =>
    place.mode !== "evaluate" && place.tensor === (place.mode === "jvp" ? last : 0)
      ? (own[place.element] ?? x)
      : x,
  );
  const found = await survey(engine, question, "float64", []);
  if (found.kind !== "surveyed") throw new Error(found.kind);
  return found.outside;
}

describe("TorchLean's conventions", () => {
  test.each(Object.entries(slopes))("are right when they are declared: %s", async (name, own) => {
    expect(await outsideOf(name, own, torchLean)).toEqual([]);
  });

  test.each(Object.entries(slopes))("are no leave for another slope: %s", async (name, own) => {
    const wrong = own.map((slope) => slope + 2);
    expect((await outsideOf(name, wrong, torchLean)).length).toBeGreaterThan(0);
  });

  test.each([
    "maximum_at_a_tie",
    "minimum_at_a_tie",
    "clamp_at_its_ends",
  ] as const)("are wrong when they are not declared: %s", async (name) => {
    expect((await outsideOf(name, slopes[name], {})).length).toBeGreaterThan(0);
  });
});
