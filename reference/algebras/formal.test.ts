import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { present, unaryNames } from "../../spec/index.ts";
import { formal } from "./formal.ts";
import { residues } from "./scalars.test.kit.ts";

describe("formal numbers", () => {
  const real = present(formal.levels.orderedReal, "the reals");
  const { cos, exp, hypot, atan2, log, pow, sin, sqrt } = real;
  const functions = unaryNames.map((name) => real[name]);

  it("have elementary functions that differ wherever they are asked", () => {
    fc.assert(
      fc.property(residues, (x) => new Set(functions.map((f) => f(x))).size === functions.length),
      { seed: 21 },
    );
    fc.assert(
      fc.property(residues, residues, (x, y) => new Set([hypot(x, y), atan2(x, y), pow(x, y)]).size === 3),
      { seed: 21 },
    );
  });

  it("obey none of the equations by which a wrong rule could pass", () => {
    const { add, multiply, one } = present(formal.levels.field, "a field");
    const accidents = fc.property(residues, residues, (x, y) => {
      expect(exp(add(x, y))).not.toBe(multiply(exp(x), exp(y)));
      expect(add(multiply(sin(x), sin(x)), multiply(cos(x), cos(x)))).not.toBe(one);
      expect(multiply(sqrt(x), sqrt(x))).not.toBe(x);
      expect(log(exp(x))).not.toBe(x);
      if (x !== y) expect(hypot(x, y)).not.toBe(hypot(y, x));
      expect(multiply(hypot(x, y), hypot(x, y))).not.toBe(add(multiply(x, x), multiply(y, y)));
      expect(multiply(pow(x, y), x)).not.toBe(pow(x, add(y, one)));
    });
    fc.assert(accidents, { seed: 21 });
  });
});
