import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Algebra, formatFloat64, present } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { formal } from "../algebras/formal.ts";
import { integer } from "../algebras/integer.ts";
import { modular } from "../algebras/modular.ts";
import { lawlessGraphs } from "../lawless.test.kit.ts";
import { binomialTape, onlineTape, optimalTape, segmentTape } from "./checkpoints/index.ts";
import { keepOperands } from "./dynamic.ts";
import { faultOf, lawless } from "./law.test.kit.ts";
import {
  type RunTape,
  type Settled,
  type Sweep,
  type SystemParts,
  type TapeSystem,
  tapeSystem,
} from "./system.ts";
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

/** The function says what a sweep tells in the place of an id that it comes by, and of the one before. */
type Telling = <S>(told: Settled<S>, before: Settled<S> | undefined) => readonly Settled<S>[];

/** Returns a tape whose sweeps tell otherwise, and answer alike. */
function toldAs<S>(tape: RunTape<S>, change: Telling): RunTape<S> {
  function* changed(sweep: Sweep<S>): Sweep<S> {
    let before: Settled<S> | undefined;
    for (;;) {
      const step = sweep.next();
      if (step.done === true) return step.value;
      yield* change(step.value, before);
      before = step.value;
    }
  }
  return {
    system: tape.system,
    entries: tape.entries,
    backward: (seed) => tape.backward(seed),
    begin: (seed) => {
      const begun = tape.begin(seed);
      return begun.ok ? { ok: true, value: changed(begun.value) } : begun;
    },
    release: () => tape.release(),
    measure: () => tape.measure(),
  };
}

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

  test("tell a sweep that says an id twice, or with another's cotangent, or not at all", () => {
    const wrong: readonly Telling[] = [
      (told) => [told, told],
      (told, before) => [{ ...told, cotangent: (before ?? told).cotangent }],
      (told) => (told.id === 0 ? [] : [told]),
    ];
    for (const change of wrong) {
      const tapeOf: SystemParts["tapeOf"] = (tape) => toldAs(tape, change);
      const system = tapeSystem({ name: "tells", summary: "", keep: keepOperands, tapeOf });
      const { errorInstance } = fc.check(property(float64, system, doubles), { seed: 17, numRuns: 200 });
      expect(String(errorInstance)).toContain("an id that a sweep comes by");
    }
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
