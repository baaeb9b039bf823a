import { describe, expect, test } from "vitest";
import { floatTapes, tapeEngine } from "../../conformance/testees/tapes.ts";
import { tapeMutants } from "../../reference/package.ts";
import { present } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { beyondQuestions, plantedEngine, toldBySearch, toldBySuite } from "./told.ts";

const SEED = 1;

/** This many cases and as many scripts are asked; the longest search needs 191 of both. */
const MOST = 150;

describe("a planted tape, asked as an engine", () => {
  test.each(
    sampled(
      "planted tapes",
      tapeMutants.filter(({ name }) => !beyondQuestions.includes(name)),
      12,
    ),
  )("that $says is told by the suites alone and by random search alone: $name", async (mutant) => {
    expect(await toldBySuite(plantedEngine(mutant))).toBeDefined();
    expect(await toldBySearch(plantedEngine(mutant), SEED, MOST)).toBeDefined();
  });

  test.each(
    sampled("beyond questions", beyondQuestions, 1),
  )("is told by neither where only the sign of a zero is wrong: %s", async (name) => {
    const mutant = present(
      tapeMutants.find((one) => one.name === name),
      name,
    );
    expect(await toldBySuite(plantedEngine(mutant))).toBeUndefined();
    expect(await toldBySearch(plantedEngine(mutant), SEED, 20)).toBeUndefined();
  });

  test.each(
    sampled("right tapes", ["dynamic", "persistent", "ephemeral", "compressed-sym8"], 1),
  )("is not told where nothing is planted: %s", async (name) => {
    const right = tapeEngine(
      present(
        floatTapes.find((tape) => tape.name === name),
        name,
      ),
    );
    expect(await toldBySuite(right)).toBeUndefined();
    expect(await toldBySearch(right, SEED, 20)).toBeUndefined();
  });
});
