import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { largerIsAbove, stepStays } from "./obligations.test.kit.ts";
import { goalScript, mutantScript, partScript, scriptsOf, vacuityScript } from "./script.ts";

describe("the scripts of an obligation", () => {
  test("assert the hypotheses by name and the goal negated, and ask for a core", () => {
    expect(
      goalScript(stepStays).text,
    ).toBe(`; A sum of numbers that are not negative stays so with one more. (none)
; expected: unsat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-fun sum (Int) Int)
(declare-const n Int)
(declare-const term Int)
(assert (! (>= (sum n) 0) :named induction))
(assert (! (>= term 0) :named positive))
(assert (! (= (sum (+ n 1)) (+ (sum n) term)) :named definition))
(assert (! (not (>= (sum (+ n 1)) 0)) :named negated-goal))
(check-sat)
(get-unsat-core)
`);
  });

  test("say nothing of the goal in the vacuity check", () => {
    const { text } = vacuityScript(stepStays);
    for (const { formula } of stepStays.hypotheses) expect(text).toContain(formula);
    expect(text).not.toContain("negated-goal");
    expect(text.endsWith("(check-sat)\n")).toBe(true);
  });

  test("assert nothing where there is no hypothesis and no goal", () => {
    const empty = [stepStays, largerIsAbove].flatMap(scriptsOf).filter(({ isEmpty }) => isEmpty);
    expect(empty.map(({ name }) => name)).toEqual(["kit/larger.vacuity"]);
    expect(empty.filter(({ text }) => text.includes("(assert"))).toEqual([]);
  });

  test("leave out and replace what a mutant leaves out and replaces, and ask for its values", () => {
    const [mutant] = stepStays.mutants;
    if (mutant === undefined) throw new Error("the kit's obligation has lost its mutant");
    const instead = [
      { name: "induction", formula: "(> (sum n) 5)" },
      { name: "new", formula: "(= n 2)" },
    ];
    const { text } = mutantScript(stepStays, { ...mutant, instead, goal: "(= 1 2)" });
    expect(text).not.toContain("positive");
    expect(text).not.toContain("(>= (sum n) 0)");
    expect(text).toContain("(! (> (sum n) 5) :named induction)");
    expect(text).toContain("(! (= n 2) :named new)");
    expect(text).toContain("(! (not (= 1 2)) :named negated-goal)");
    expect(text).toContain(":named definition");
    expect(text.endsWith("(check-sat)\n(get-value ((sum n) term))\n")).toBe(true);
    expect(mutantScript(stepStays, { ...mutant, ask: [] }).text).not.toContain("get-value");
    expect(
      mutantScript(largerIsAbove, { ...mutant, without: [], declarations: "(declare-const z Int)" }).text,
    ).not.toContain("larger () Int");
  });

  test("are hashed as they are, the same each time, and differ from each other", () => {
    const scripts = scriptsOf(stepStays);
    expect(scriptsOf(stepStays)).toEqual(scripts);
    for (const { text, hash } of scripts) expect(hash).toBe(createHash("sha256").update(text).digest("hex"));
    expect(new Set(scripts.map(({ hash }) => hash)).size).toBe(scripts.length);
    expect(scripts.map(({ name }) => name)).toEqual([
      "kit/step.vacuity",
      "kit/step",
      "kit/step.mutant.any-term",
    ]);
    expect(partScript(stepStays, stepStays.hypotheses.slice(1)).name).toBe("kit/step.without.induction");
  });

  test("keep a statement of several lines a comment", () => {
    const { text } = goalScript({ ...largerIsAbove, statement: "One.\n(check-sat)" });
    expect(text.match(/^\(check-sat\)$/gm)).toHaveLength(1);
  });
});
