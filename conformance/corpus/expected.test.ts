import { describe, expect, test } from "vitest";
import { admit } from "../../oracle/index.ts";
import type { ComponentSet, Expected } from "../../spec/index.ts";
import { array, type CaseText, caseFrom } from "./case_text.ts";
import { expectedOf, joinExpected } from "./expected.ts";

const reciprocal: CaseText = {
  name: "reciprocal",
  note: "y/x",
  inputs: { x: array(3), y: array(1) },
  nodes: [["divide", [1, 0]]],
};

const logarithm = (x: number): CaseText => ({
  name: "logarithm",
  note: "log x",
  inputs: { x: array(x) },
  nodes: [["log", [0]]],
});

function kinds({ values, tangents, cotangents }: Expected): string[] {
  return [values, tangents, cotangents].flatMap((part) =>
    part.flatMap(({ sets }) => sets.map((s) => s.kind)),
  );
}

describe("expectedOf", () => {
  test("is exact over the field operations", () => {
    const { values, cotangents } = expectedOf(caseFrom(reciprocal));
    expect(values).toEqual([{ id: 2, sets: [{ kind: "exact", value: "1/3" }] }]);
    expect(cotangents.map(({ sets }) => sets)).toEqual([
      [{ kind: "exact", value: "-1/3" }],
      [{ kind: "exact", value: "1" }],
    ]);
  });

  test("encloses what is not rational, tightly enough to tell a relative error of 1e-13", () => {
    const [set] = expectedOf(caseFrom(logarithm(2))).values[0]?.sets ?? [];
    expect(set?.kind).toBe("enclosure");
    if (set === undefined) return;
    expect(admit(set, Math.LN2, 0)).toBe("within");
    expect(admit(set, Math.LN2 * (1 + 1e-13), 0)).toBe("outside");
    expect(admit(set, Math.LN2 * (1 - 1e-13), 0)).toBe("outside");
  });

  test("is undecided at a singular point, or for a choice what IEEE 754 gives", () => {
    expect(kinds(expectedOf(caseFrom(logarithm(0))))).toEqual(["undecided", "undecided", "undecided"]);
    expect(expectedOf(caseFrom(logarithm(0)), "ieee").values[0]?.sets).toEqual([
      { kind: "exact", value: "-inf" },
    ]);
    expect(kinds(expectedOf(caseFrom(logarithm(-1)), "ieee"))[0]).toBe("nan");
  });
});

describe("joinExpected", () => {
  const programs = [2, 3].map((x) => caseFrom({ ...reciprocal, inputs: { x: array(x), y: array(6) } }));
  const truths = programs.map((question) => expectedOf(question));
  const question = caseFrom(reciprocal);
  const six: ComponentSet = {
    kind: "one_of",
    members: [
      { kind: "exact", value: "3" },
      { kind: "exact", value: "2" },
    ],
  };

  test("is a choice between truths that differ", () => {
    expect(joinExpected(truths, "one_of", question).values).toEqual([{ id: 2, sets: [six] }]);
    expect(joinExpected(truths, "hull", question).values).toEqual([
      { id: 2, sets: [{ ...six, kind: "hull" }] },
    ]);
  });

  test("is the common truth where all agree, and undecided where one is undecided", () => {
    const [first] = truths;
    if (first === undefined) throw new Error("no truth");
    expect(joinExpected([first, first], "one_of", question)).toEqual(first);
    const open: Expected = { ...first, values: [{ id: 2, sets: [{ kind: "undecided" }] }] };
    expect(kinds(joinExpected([first, open], "one_of", question))[0]).toBe("undecided");
  });
});
