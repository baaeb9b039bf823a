import { describe, expect, test } from "vitest";
import { admit } from "../../oracle/index.ts";
import { type CaseData, type ComponentSet, checkCase, type Expected, type Result } from "../../spec/index.ts";
import { readText } from "../../spec/text/index.ts";
import { expectedOf, joinExpected } from "./expected.ts";

/** Reads a case of scalars with the usual tangents and cotangents. */
function caseOf(text: string): CaseData {
  const [document] = unwrapped(readText(text));
  return unwrapped(checkCase(document?.json));
}

function unwrapped<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const reciprocal = (x: number, y: number): CaseData =>
  caseOf(`graph reciprocal(x, y)\n  y / x\nat x = ${x}, y = ${y}`);
const logarithm = (x: number): CaseData => caseOf(`graph logarithm(x)\n  log(x)\nat x = ${x}`);

function kinds({ values, tangents, cotangents }: Expected): string[] {
  return [values, tangents, cotangents].flatMap((part) =>
    part.flatMap(({ sets }) => sets.map((s) => s.kind)),
  );
}

describe("expectedOf", () => {
  test("is exact over the field operations", () => {
    const { values, cotangents } = expectedOf(reciprocal(3, 1));
    expect(values).toEqual([{ id: 2, sets: [{ kind: "exact", value: "1/3" }] }]);
    expect(cotangents.map(({ sets }) => sets)).toEqual([
      [{ kind: "exact", value: "-1/3" }],
      [{ kind: "exact", value: "1" }],
    ]);
  });

  test("encloses what is not rational, tightly enough to tell a relative error of 1e-13", () => {
    const [set] = expectedOf(logarithm(2)).values[0]?.sets ?? [];
    expect(set?.kind).toBe("enclosure");
    if (set === undefined) return;
    expect(admit(set, Math.LN2, 0)).toBe("within");
    expect(admit(set, Math.LN2 * (1 + 1e-13), 0)).toBe("outside");
    expect(admit(set, Math.LN2 * (1 - 1e-13), 0)).toBe("outside");
  });

  test("is undecided at a singular point, or for a choice what IEEE 754 gives", () => {
    expect(kinds(expectedOf(logarithm(0)))).toEqual(["undecided", "undecided", "undecided"]);
    expect(expectedOf(logarithm(0), "ieee").values[0]?.sets).toEqual([{ kind: "exact", value: "-inf" }]);
    expect(kinds(expectedOf(logarithm(-1), "ieee"))[0]).toBe("nan");
  });
});

describe("joinExpected", () => {
  const programs = [2, 3].map((x) => reciprocal(x, 6));
  const truths = programs.map((question) => expectedOf(question));
  const question = reciprocal(3, 1);
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
