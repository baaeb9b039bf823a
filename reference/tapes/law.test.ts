import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Algebra, formatFloat64, present } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { formal } from "../algebras/formal.ts";
import { integer } from "../algebras/integer.ts";
import { modular } from "../algebras/modular.ts";
import { lawlessGraphs } from "../lawless.test.kit.ts";
import { binomialTape, onlineTape, optimalTape, segmentTape } from "./checkpoints/index.ts";
import { faultOf, lawless } from "./law.test.kit.ts";
import type { TapeSystem } from "./system.ts";
import { tapeSystems } from "./table.ts";

/** Doubles where a wrong order or a forgotten zero shows. */
const telling: readonly number[] = [
  0, -0, 1, -1, 0.1, 1 / 3, 3, -5, 2 ** 53, 1e308, -1e308, 2 ** -1074,
  Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN,
]; // biome-ignore format: a list

const doubles = fc.array(fc.constantFrom(...telling), { minLength: 7, maxLength: 7 });
const integers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 7, maxLength: 7 });

/** Systems that run the nodes' own functions, whatever these are. */
const onAnything: readonly TapeSystem[] = [
  ...tapeSystems.filter(({ claim }) => claim === "bits"),
  ...[1, 2, 3, 9].flatMap((slots) => [binomialTape(slots), onlineTape(slots), optimalTape(slots)]),
  ...[1, 2, 9].map(segmentTape),
];

function property<S, B>(
  algebra: Algebra<S, B>,
  system: TapeSystem,
  numbers: fc.Arbitrary<number[]>,
): fc.IProperty<unknown> {
  return fc.property(lawlessGraphs, numbers, fc.integer({ min: 1, max: 3 }), (recipe, drawn, every) => {
    const [first, ...rest] = drawn.map((x) =>
      present(algebra.parse(algebra.name === "float64" ? formatFloat64(x) : String(x)), "a number"),
    );
    const subject = lawless(algebra, recipe, [present(first, "a number"), ...rest], every);
    const fault = faultOf(algebra, system, subject);
    return fault === undefined || expect.unreachable(fault);
  });
}

describe("Law T, and manners, on graph data without any law", () => {
  test.each(onAnything)("over float64 the $name tape keeps it to the bit: $summary", (system) => {
    fc.assert(property(float64, system, doubles), { seed: 17, numRuns: 200 });
  });

  test.each(onAnything)("over exact algebras the $name tape keeps it to equality: $summary", (system) => {
    for (const algebra of [integer, modular, formal])
      fc.assert(property(algebra, system, integers), { seed: 18, numRuns: 60 });
  });

  test("at least twelve systems of the table claim bits", () => {
    expect(tapeSystems.filter(({ claim }) => claim === "bits").map(({ name }) => name)).toEqual([
      "dynamic",
      "recomputing",
      "compressed",
      "static",
      "checkpointed",
      "checkpointed-online",
      "checkpointed-segments",
      "checkpointed-optimum",
      "fused",
      "ephemeral",
      "persistent",
      "nested",
    ]);
  });
});
