import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, javascriptEngine, mutantFamilies, plant } from "../engines/index.ts";
import { searchedCase } from "./generate/index.ts";
import { ask } from "./hearing/ask.ts";

/** Finds the number of the first of so many searched cases that an engine fails; else `undefined`. */
async function killed(engine: Engine, cases: number): Promise<number | undefined> {
  for (let index = 0; index < cases; index++) {
    const outcome = await ask(engine, searchedCase(1, index), "float64", []);
    if (outcome.kind === "differs") return index;
  }
  return undefined;
}

/** Each family is represented by one fault that shows soon. */
const chosen = new Set([
  "fan_out_overwritten",
  "first_seed_only",
  "operand_dropped",
  "stop_gradient_leaks",
  "broadcast_not_summed",
  "reshape_cotangent_reversed",
  "product_tangent_dropped",
  "subtract_magnitude",
  "input_seed_ignored",
  "sigmoid_slope_is_value",
  "captured_perturbed_too",
]);
const members = mutantFamilies.flatMap(({ members: all }) => all.filter(({ name }) => chosen.has(name)));

describe("plant", () => {
  test("is tried with a fault of each family", () => {
    expect(members).toHaveLength(mutantFamilies.length);
  });

  test.each(members)("makes an engine of another kind as wrong as the mutant: $name", async (mutant) => {
    expect(await killed(plant(mutant, javascriptEngine()), 100)).toBeDefined();
  });

  test("plants nothing where there is no fault", async () => {
    const sound = { name: "none", engine: () => interpreterEngine() };
    const engine = plant(sound, javascriptEngine());
    expect(engine.describe().name).toBe(`${javascriptEngine().describe().name}, mutant: none`);
    expect(await killed(engine, 20)).toBeUndefined();
  });
});
