import { describe, expect, test } from "vitest";
import { at, type FlatTensor, floatAt, operatorNames, present } from "../../../spec/index.ts";
import { interpreterEngine } from "../../interpreter/index.ts";
import { mutants } from "../index.ts";
import { unseenMutants } from "./index.ts";
import { pairs } from "./unseen.test.cases.ts";

/** Says whether two numbers differ by more than rounding may; the two zeros do. */
function isOther(x: number, y: number): boolean {
  if (Object.is(x, y)) return false;
  if (!Number.isFinite(x) || !Number.isFinite(y) || x === y) return true;
  return Math.abs(x - y) > 1e-12 * Math.max(Math.abs(x), Math.abs(y));
}

function differ(a: readonly FlatTensor[], b: readonly FlatTensor[]): boolean {
  expect(a.map(({ shape }) => shape)).toEqual(b.map(({ shape }) => shape));
  return a.some(({ data }, n) => data.some((x, i) => isOther(x, floatAt(at(b, n).data, i))));
}

test("numbers are told apart by more than rounding, by their zeros, and by what is no number", () => {
  const differing = [
    [1, 1 + 1e-9],
    [0, -0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, Number.MAX_VALUE],
    [5e-324, 1e-323],
  ] as const;
  expect(differing.filter(([x, y]) => !isOther(x, y))).toEqual([]);
  expect([isOther(1, 1 + 1e-15), isOther(Number.NaN, Number.NaN)]).toEqual([false, false]);
});

test("the second set has 60 mutants and more, each with a name and a fault of its own", () => {
  expect(unseenMutants.length).toBeGreaterThanOrEqual(60);
  const all = [...mutants, ...unseenMutants];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(new Set(all.map(({ fault }) => fault)).size).toBe(all.length);
  expect(Object.keys(pairs).toSorted()).toEqual(unseenMutants.map(({ name }) => name).toSorted());
});

describe.each(unseenMutants)("$name", ({ name, fault, source, operator, engine }) => {
  const { tells, passes } = present(pairs[name], name);

  test("answers otherwise than the interpreter to one question", async () => {
    expect(differ(await tells(engine()), await tells(interpreterEngine()))).toBe(true);
  });

  test("answers like the interpreter to another", async () => {
    expect(differ(await passes(engine()), await passes(interpreterEngine()))).toBe(false);
  });

  test("says what is wrong in one sentence, where that comes from, and that it is a mutant", () => {
    expect(fault).toMatch(/^\S.*\.$/);
    expect(fault).not.toMatch(/[.!?] /);
    expect(source).not.toBe("");
    expect(engine().describe()).toEqual({ ...interpreterEngine().describe(), name: `mutant: ${name}` });
    if (operator !== undefined) expect(operatorNames).toContain(operator);
  });
});
