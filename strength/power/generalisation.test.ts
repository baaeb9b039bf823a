import { describe, expect, test } from "vitest";
import { interpreterEngine, type Mutant, mutantFamilies, mutants } from "../../engines/index.ts";
import { type CaseProfile, profileOfCase } from "../../oracle/generate/index.ts";
import { isPrimitiveName, present } from "../../spec/index.ts";
import { generalisationSection } from "./generalisation.ts";
import type { Row } from "./row.ts";
import { type SuiteVector, suiteCases } from "./suite.ts";
import { tried } from "./trial.ts";

const named = (name: string): Mutant =>
  present(
    mutants.find((mutant) => mutant.name === name),
    name,
  );

test("every mutant is in one family", () => {
  const members = mutantFamilies.flatMap((family) => family.members);
  expect(members.map(({ name }) => name).toSorted()).toEqual(mutants.map(({ name }) => name).toSorted());
});

const [anyVector] = suiteCases();
const vector = (name: string, defects: readonly string[] = []): SuiteVector => ({
  ...present(anyVector, "a vector"),
  name,
  defects,
});

/** Makes the row of a mutant that some vectors kill, and random search after this many cases. */
function rowOf(name: string, vectors: readonly string[], cases: number): { mutant: Mutant; row: Row } {
  const row: Row = {
    name,
    suite: { generic: vectors.map((killer) => ({ name: killer, question: "vjp" })), ones: [] },
    random: { generic: { cases, question: "vjp" }, ones: undefined },
    laws: {},
    witness: undefined,
  };
  return { mutant: { ...named(name), engine: () => interpreterEngine() }, row };
}

test("what was made for a family is left out where the family is counted", () => {
  const { source } = named("gather_overwritten");
  const suite = [vector("strength/own"), vector("taken/shown", [source]), vector("other")];
  const rows = [
    rowOf("concat_offset", ["strength/own", "other"], 5),
    rowOf("gather_overwritten", ["strength/own", "taken/shown"], 2000),
    rowOf("relu_leaks", ["strength/own", "taken/shown"], 7),
    rowOf("sum_shared_out", ["strength/own"], 9),
  ];
  const unaided = { cases: 1000, found: new Map([["relu_leaks", 700]]) };
  const text = generalisationSection({ rows, suite }, unaided);
  expect(text).toContain("| moves | 2 | 2 | 2 | 1 | 1 | 0 |");
  expect(text).toContain("| kinks | 1 | 1 | 1 | 1 | 1 | 1 |");
  expect(text).toContain("| sums | 1 | 1 | 0 | 0 | 1 | 1 |");
  expect(text).toContain("| all | 4 | 4 | 3 | 2 | 3 | 2 |");
  expect(text).toContain("that are left: `sum_shared_out`, `gather_overwritten`.");
});

describe("a trial by random search without the profiles of a family", () => {
  const mean = named("mean_by_all_elements");
  const trial = async (withheld: readonly CaseProfile[]): Promise<number | undefined> => {
    const profiles = new Map([[mean.name, withheld.map(({ name }) => name)]]);
    return (await tried(mean, { seed: 1, cases: 60, by: { kind: "withheld", profiles } })).cases;
  };
  const mix = new Set(Array.from({ length: 400 }, (_, index) => profileOfCase(index)));

  test("finds with all of them what it does not find without those that draw composites", async () => {
    expect(await trial([])).toBeLessThanOrEqual(60);
    const others = [...mix].filter(({ operators }) => operators.some((op) => !isPrimitiveName(op)));
    expect(others.length).toBeGreaterThan(2);
    expect(await trial(others)).toBeUndefined();
  });

  test("asks the cases of the others as the whole search asks them", async () => {
    const index = present(await trial([]), "a kill") - 1;
    const telling = profileOfCase(index);
    const earlier = Array.from({ length: index }, (_, i) => profileOfCase(i)).filter(
      (profile) => profile === telling,
    );
    expect(await trial([...mix].filter((profile) => profile !== telling))).toBe(earlier.length + 1);
  });
});
