import { describe, expect, test } from "vitest";
import { type Scalar, type ScalarId, Scalars } from "./scalars.ts";

/** Two elements of a source, and a table that they are put together in. */
function made(isFast = false, arithmetic: "float64" | "float32" = "float64") {
  const scalars = new Scalars(arithmetic, isFast);
  const [x, y] = [scalars.element(0, 0), scalars.element(0, 1)];
  const literal = (value: number): ScalarId => scalars.literal(value);
  const shown = (id: ScalarId): Scalar | undefined => scalars.all[id];
  return { scalars, x, y, literal, shown };
}

describe("a table of scalars", () => {
  test("has each scalar once, and sums and products in either order", () => {
    const { scalars, x, y, literal } = made();
    expect(scalars.element(0, 0)).toBe(x);
    expect(scalars.element(1, 0)).not.toBe(x);
    expect(literal(2)).toBe(literal(2));
    expect(literal(0)).not.toBe(literal(-0));
    expect(literal(-0)).toBe(literal(-0));
    for (const name of ["add", "multiply"] as const)
      expect(scalars.apply(name, x, y)).toBe(scalars.apply(name, y, x));
    for (const name of ["subtract", "divide", "pow"] as const) {
      expect(scalars.apply(name, x, y)).toBe(scalars.apply(name, x, y));
      expect(scalars.apply(name, x, y)).not.toBe(scalars.apply(name, y, x));
    }
    expect(scalars.apply("sin", x)).not.toBe(scalars.apply("cos", x));
    const count = scalars.all.length;
    scalars.apply("multiply", y, x);
    expect(scalars.all.length).toBe(count);
  });

  test("leaves units out, and negates where a factor is −1", () => {
    const { scalars, x, literal } = made();
    const minus = scalars.apply("negative", x);
    expect(scalars.apply("multiply", x, literal(1))).toBe(x);
    expect(scalars.apply("multiply", literal(1), x)).toBe(x);
    expect(scalars.apply("multiply", x, literal(-1))).toBe(minus);
    expect(scalars.apply("multiply", literal(-1), x)).toBe(minus);
    expect(scalars.apply("divide", x, literal(1))).toBe(x);
    expect(scalars.apply("subtract", x, literal(0))).toBe(x);
    expect(scalars.apply("add", x, literal(-0))).toBe(x);
    expect(scalars.apply("add", literal(-0), x)).toBe(x);
    expect(scalars.apply("maximum", literal(-Infinity), x)).toBe(x);
    expect(scalars.apply("negative", minus)).toBe(x);
  });

  test("keeps what IEEE arithmetic does not allow to leave out", () => {
    const { scalars, x, literal, shown } = made();
    const isKept = (id: ScalarId): boolean => shown(id)?.kind === "apply";
    expect(isKept(scalars.apply("multiply", x, literal(0)))).toBe(true);
    expect(isKept(scalars.apply("subtract", x, literal(-0)))).toBe(true);
    expect(isKept(scalars.apply("subtract", x, x))).toBe(true);
    expect(isKept(scalars.apply("divide", literal(1), x))).toBe(true);
    expect(isKept(scalars.apply("divide", x, literal(-1)))).toBe(true);
    expect(isKept(scalars.apply("maximum", x, literal(-Infinity)))).toBe(true);
  });

  test("leaves out an added +0 where the other side cannot be −0, and everywhere if it is fast", () => {
    const { scalars, x, y, literal } = made();
    const zero = literal(0);
    for (const id of [x, scalars.apply("multiply", x, y), scalars.apply("negative", x)])
      for (const sum of [scalars.apply("add", zero, id), scalars.apply("add", id, zero)])
        expect(sum).not.toBe(id);
    const never = [
      literal(3),
      scalars.apply("exp", x),
      scalars.apply("cosh", x),
      scalars.apply("less", x, y),
      scalars.apply("equal", x, y),
      scalars.apply("multiply", x, x),
      scalars.apply("add", scalars.apply("exp", x), y),
      scalars.apply("subtract", scalars.apply("exp", x), y),
      scalars.apply("select", x, scalars.apply("exp", x), literal(1)),
      scalars.apply("maximum", scalars.apply("exp", x), scalars.apply("cosh", x)),
      scalars.apply("add", zero, x),
    ];
    for (const id of never)
      for (const sum of [scalars.apply("add", zero, id), scalars.apply("add", id, zero)])
        expect([id, sum]).toEqual([id, id]);
    const maybe = [
      scalars.apply("select", x, scalars.apply("exp", x), y),
      scalars.apply("select", scalars.apply("exp", x), y, literal(1)),
      scalars.apply("maximum", scalars.apply("exp", x), y),
      scalars.apply("subtract", y, scalars.apply("exp", x)),
      literal(-0),
    ];
    for (const id of maybe) expect(scalars.apply("add", zero, id)).not.toBe(id);
    const fast = made(true);
    expect(fast.scalars.apply("add", fast.literal(0), fast.x)).toBe(fast.x);
    expect(fast.scalars.apply("add", fast.x, fast.literal(0))).toBe(fast.x);
  });

  test("writes sums of negatives as differences", () => {
    const { scalars, x, y } = made();
    const [minusX, minusY] = [x, y].map((id) => scalars.apply("negative", id));
    const difference = scalars.apply("subtract", x, y);
    expect(scalars.apply("add", x, minusY ?? -1)).toBe(difference);
    expect(scalars.apply("add", minusY ?? -1, x)).toBe(difference);
    expect(scalars.apply("subtract", x, minusY ?? -1)).toBe(scalars.apply("add", x, y));
    expect(scalars.apply("add", minusX ?? -1, y)).toBe(scalars.apply("subtract", y, x));
  });

  test("computes constants, rounded to its precision", () => {
    const third = Math.fround(1) / Math.fround(3);
    for (const [arithmetic, round] of [
      ["float64", (v: number) => v],
      ["float32", Math.fround],
    ] as const) {
      const { scalars, literal, shown } = made(false, arithmetic);
      const value = (id: ScalarId): number | undefined => {
        const scalar = shown(id);
        return scalar?.kind === "literal" ? scalar.value : undefined;
      };
      const [one, three, tenth] = [literal(1), literal(3), literal(0.1)];
      expect(value(tenth)).toBe(round(0.1));
      expect(value(scalars.apply("divide", one, three))).toBe(round(third));
      expect(value(scalars.apply("multiply", tenth, three))).toBe(round(round(0.1) * 3));
      expect(value(scalars.apply("add", tenth, three))).toBe(round(round(0.1) + 3));
      expect(value(scalars.apply("subtract", tenth, three))).toBe(round(round(0.1) - 3));
      expect(value(scalars.apply("negative", three))).toBe(-3);
      expect(value(scalars.apply("negative", literal(0)))).toBe(-0);
    }
  });
});
