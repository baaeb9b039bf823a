import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { present } from "../../spec/index.ts";
import { formal } from "./formal.ts";
import { residues } from "./scalars.test.kit.ts";

describe("formal numbers", () => {
  const { exp, log, sin, cos, tanh, sqrt } = present(formal.levels.real, "the reals");
  const functions = [exp, log, sin, cos, tanh, sqrt];

  it("have elementary functions that differ wherever they are asked", () => {
    fc.assert(
      fc.property(residues, (x) => new Set(functions.map((f) => f(x))).size === functions.length),
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
    });
    fc.assert(accidents, { seed: 21 });
  });
});
