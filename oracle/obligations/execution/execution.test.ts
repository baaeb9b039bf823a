import { parseExpressionAt } from "acorn";
import { describe, expect, test } from "vitest";
import { edition, withoutTypes } from "../source.ts";
import { Machine } from "./machine.ts";
import { pathsOf } from "./paths.ts";
import { Program } from "./program.ts";
import { Reading } from "./reading.ts";
import { bitsFor, Terms } from "./terms.ts";
import { Unknown } from "./values.ts";

const parsed = (text: string) => {
  const plain = withoutTypes(`_ = ${text}`).slice("_ = ".length);
  return new Reading(plain).expression(parseExpressionAt(plain, 0, edition));
};

describe("the reader of functions", () => {
  test("binds as JavaScript does", () => {
    expect(parsed("a + b * c ** d ** e")).toEqual(parsed("a + (b * (c ** (d ** e)))"));
    expect(parsed("a & 1 === 0 || b << 2 > c && !d")).toEqual(
      parsed("(a & (1 === 0)) || (((b << 2) > c) && (!d))"),
    );
    expect(parsed("x === 0 ? y : (z) => z + 1")).toEqual(parsed("(x === 0) ? y : ((z) => (z + 1))"));
    expect(parsed("(x: number, y: readonly Map<string, number>[]): boolean => x < 0")).toEqual(
      parsed("(x, y) => x < 0"),
    );
  });

  test("refuses what it does not know", () => {
    for (const text of ["a instanceof b", "async () => 1", "a = /b/", "++a", "a?.()", "class {}", "a ||= b"])
      expect(() => parsed(`[${text}]`), text).toThrow(/is not read/);
  });

  test("finds a function and a constant in a module, and plants a fault in one place alone", () => {
    const module = "reference/algebras/posit_format";
    const program = Program.of([module]);
    expect(program.declared("truncated", module)?.kind).toBe("function");
    expect(program.declared("nothing", module)).toBeUndefined();
    for (const from of ["width - 9", "return"])
      expect(program.planted({ module, from, to: "" })).toEqual({
        ok: false,
        error: expect.stringMatching(/in \d+ places, and not in one$/),
      });
    expect(program.planted({ module, from: "lower % 2n !== 0n", to: "true" }).ok).toBe(true);
  });
});

describe("a run on unknowns", () => {
  const module = "reference/numerics/integer_step";
  const program = Program.of([module]);

  test("takes each way through a function once, and its ways say what they are of", () => {
    const terms = new Terms();
    const word = terms.unknown("x", 8, -128n, 127n);
    const paths = pathsOf(terms, (way) => {
      const machine = new Machine(program, way);
      return machine.call(module, "half", [machine.operate("&", new Unknown("number", word), 3)]);
    });
    // Half of 2^shift for shifts 0 to 3.
    expect(paths.map(({ result }) => result).toSorted()).toEqual([0, 1, 2, 4]);
    expect(new Set(paths.map(({ conditions }) => conditions.join())).size).toBe(4);
  });

  test("keeps words as wide as their numbers", () => {
    expect([bitsFor(0n, 0n), bitsFor(-1n, 0n), bitsFor(0n, 127n), bitsFor(-129n, 5n)]).toEqual([1, 1, 8, 9]);
    const terms = new Terms();
    const [x, y] = ["x", "y"].map((name) => new Unknown("bigint", terms.unknown(name, 8, -128n, 127n)));
    pathsOf(terms, (way) => {
      const machine = new Machine(program, way);
      const product = machine.operate("*", x, y);
      expect(product instanceof Unknown && [product.word.low, product.word.high, product.word.bits]).toEqual([
        -128n * 127n,
        128n * 128n,
        16,
      ]);
    });
  });

  test("refuses to round a double whose binade is not known", () => {
    const terms = new Terms();
    const word = terms.unknown("x", 60, -(1n << 59n), (1n << 59n) - 1n);
    const run = () =>
      pathsOf(terms, (way) => new Machine(program, way).operate("+", new Unknown("number", word), 0.5));
    expect(run).toThrow(/binade is not known/);
  });
});
