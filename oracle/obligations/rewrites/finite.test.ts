import { afterAll, describe, expect, test } from "vitest";
import type { Obligation } from "../obligation.ts";
import { prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { type Claim, equalities, withoutLaw } from "./finite.ts";
import { type LawName, laws } from "./laws.ts";
import { Terms } from "./terms.ts";
import { abstract, declarationsIn } from "./theories.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

/** This claims (x + 0) + (y + z) = (x + y) + z. */
const regrouped: Claim = {
  symbols: ["x", "y", "z"],
  sides(arithmetic, [x, y, z]) {
    const add = (a: typeof x, b: typeof x): typeof x =>
      a === undefined || b === undefined ? undefined : arithmetic.apply("add", [a, b]);
    const [left, right] = [add(add(x, arithmetic.literal(0)), add(y, z)), add(add(x, y), z)];
    if (left === undefined || right === undefined) throw new RangeError("three numbers");
    return [[left], [right]];
  },
};

function obligationWith(names: readonly LawName[]): Obligation {
  const terms = new Terms();
  const sides = regrouped.sides(terms, regrouped.symbols);
  return {
    id: "kit/regrouped",
    statement: "A sum with 0 in it may be regrouped.",
    clause: "none",
    logic: "UF",
    scope: { kind: "rewrite", rewrite: "kit", format: "any" },
    tier: "everyday",
    declarations: declarationsIn(abstract, terms, regrouped.symbols),
    hypotheses: names.map((name) => laws[name]),
    goal: equalities(...sides),
    rlimit: 1_000_000,
    requiredCore: names,
    mutants: names.map((name) => withoutLaw(regrouped, names, name)),
    dependsOn: [],
    metaArgument: "",
  };
}

describe("algebras that lack one law", () => {
  test("are found for each law that a claim needs, and shown to lack it and have the others", async () => {
    const { faults, mutants } = await prove(obligationWith(["neutral", "associative"]), solver);
    expect(faults).toEqual([]);
    expect(mutants.map(({ execution }) => execution?.showsFault)).toEqual([true, true]);
    expect(mutants[0]?.execution?.told).toMatch(/add [012]{3} [012]{3} [012]{3}/);
  });

  test("are not found for a law that a claim does not need: the law is reported", async () => {
    const { faults } = await prove(obligationWith(["neutral", "associative", "commutative"]), solver);
    expect(faults.map(({ message }) => message).join()).toContain("not_commutative");
  });

  test("are not taken for such if the law holds in them, or the sides do not differ", () => {
    const mutant = withoutLaw(regrouped, ["neutral", "associative"], "associative");
    const modulo = mutant.ask.map((term): readonly [string, string] => {
      const [, a, b] = /^\(add e(\d) e(\d)\)$/.exec(term) ?? [];
      if (a !== undefined && b !== undefined) return [term, `s${(Number(a) + Number(b)) % 3}`];
      return [term, /^e\d$/.test(term) ? term.replace("e", "s") : term === "zero" ? "s0" : "s1"];
    });
    expect(mutant.execute(new Map(modulo)).showsFault).toBe(false);
  });
});
