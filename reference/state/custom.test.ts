import { expect, test } from "vitest";
import { type Program, program } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { execute, record } from "./execute.ts";
import { type PolicyOrNone, policies, sweepUnder } from "./policies.ts";
import { exactly, left, shown, startAt, wellFormed } from "./state.test.kit.ts";

const value = (name: string) => ({ name, kind: "value", shape: [2] }) as const;
const reference = (name: string) => ({ name, kind: "reference", shape: [2] }) as const;

/** Returns what a program leaves at x = [3, 4], and its cotangent of x along [1, 10], or who refuses. */
function told(given: Program, policy: PolicyOrNone = "copy"): string {
  const start = startAt([exactly([2], 3, 4)]);
  const swept = sweepUnder(policy, rational, wellFormed(given), start, new Map([[0, exactly([2], 1, 10)]]));
  if (!swept.ok) throw new Error(JSON.stringify(swept.error));
  if (swept.value.kind === "refused") return `refused at the ${swept.value.by}`;
  const [bar] = swept.value.cotangents;
  return `${left(given, start).join(", ")}; ${bar === undefined ? "nothing" : shown(bar)}`;
}

/** The value is 2·u rounded to tens, the derivative that of u. */
const straightThrough = program(({ input, procedure, custom }) => {
  const rounded = procedure("rounded", [value("u")], (u) => [u.multiply(0.2).floor().multiply(10)]);
  const straight = procedure("straight", [value("u")], (u) => [u]);
  return custom(rounded, straight, input("x", [2]));
});

/** A mask that was computed is saved, and scales the cotangent; the value has no mask. */
const masked = program(({ input, procedure, custom }) => {
  const saving = procedure("saving", [value("u")], (u) => [u.multiply(u), u.less(3.5)]);
  const scaled = procedure("scaled", [value("u"), value("m")], (u, m) => [u.multiply(u).multiply(m)]);
  return custom(saving, scaled, input("x", [2]));
});

/** The cotangent of x that passes the hook is reversed, that which does not is as it was. */
const reversed = program(({ input, procedure, hook }) => {
  const x = input("x", [2]);
  const negated = procedure("negated", [value("u")], (u) => [u.negative()]);
  return [hook(x, negated).add(x.multiply(3))];
});

/** Of a location that is overwritten by its square the derivative is said to be that of 5·u. */
const marked = program(({ input, buffer, procedure, custom }) => {
  const b = buffer(input("x", [2]));
  const squared = procedure("squared", [reference("v")], (v) => {
    if ("isReference" in v) v.update("multiply", v);
    return [v.multiply(2)];
  });
  const five = procedure("five", [value("u")], (u) => [u.multiply(7), u.multiply(5)]);
  const [doubled = 0] = custom(squared, five, b);
  return [b.add(doubled)];
});

/** What a derivative reads in place is overwritten afterwards. */
const overwritten = (read: "value" | "reference") =>
  program(({ input, buffer, procedure, custom }) => {
    const b = buffer(input("x", [2]));
    const cube = procedure("cube", [value("u")], (u) => [u.multiply(u).multiply(u)]);
    const square = procedure("square", [{ ...value("u"), kind: read }], (u) => [u.multiply(u)]);
    const [y = 0] = custom(cube, square, b);
    b.update("add", 1);
    return [b.multiply(0).add(y)];
  });

test.each([
  ["a value is that of the procedure, its derivative what is said", straightThrough, "0 0; 1 10"],
  ["what was saved scales the cotangent", masked, "9 16; 6 0"],
  ["a hook changes the cotangent that passes it alone", reversed, "12 16; 2 20"],
  ["what a procedure overwrites has the derivative that is said", marked, "27 48; 12 120"],
])("%s", (_, given, expected) => {
  for (const policy of policies) expect(told(given, policy)).toBe(expected);
});

test("what a derivative reads in place is a hazard where it is overwritten, and a copy is none", () => {
  const right = "27 64; 6 80";
  expect(told(overwritten("reference"))).toBe(right);
  expect(told(overwritten("reference"), "recompute")).toBe(right);
  expect(told(overwritten("reference"), "version")).toBe("refused at the sweep");
  expect(told(overwritten("reference"), "forbid")).toBe("refused at the write");
  expect(told(overwritten("reference"), "none")).toBe("27 64; 8 100");
  for (const policy of [...policies, "none" as const]) expect(told(overwritten("value"), policy)).toBe(right);
});

test("a derivative of a derivative is that of what was said, and no_grad around makes all constant", () => {
  const twice = program(({ input, procedure, custom, derivative, noGrad }) => {
    const x = input("x", [2]);
    const zero = procedure("zero", [value("u")], (u) => [u.multiply(0)]);
    const cube = procedure("cube", [value("u")], (u) => [u.multiply(u).multiply(u)]);
    const own = procedure("own", [value("u")], (u) => custom(zero, cube, u));
    const slope = derivative(own, { mode: "vjp", of: 0, wrt: 0 }, x, x.multiply(0).add(1));
    noGrad(() => slope.becomes(slope.add(custom(zero, cube, x)[0] ?? 0)));
    return [slope];
  });
  // The slope is 3·x² at 3 and 4, which under no_grad has no derivative.
  expect(told(twice)).toBe("27 48; nothing");
});

test("nothing is said where the derivative's procedure is not finite", () => {
  const { generator } = startAt([]);
  const parameters = [{ shape: [2], data: [0, 2] }];
  const start = { parameters, state: [], environment: new Map(), generator, world: new Map() };
  const inverse = program(({ input, procedure, hook }) => [
    hook(
      input("x", [2]),
      procedure("inverse", [value("u")], (u) => [u.reciprocal()]),
    ),
  ]);
  for (const run of [execute, record]) {
    const ran = run(float64, inverse, start);
    expect(ran.ok ? "left" : ran.error[0]?.code).toBe("program/derivative");
  }
});

test("the sign of a zero is the value's own", () => {
  const { generator } = startAt([]);
  const parameters = [{ shape: [2], data: [-0, 0] }];
  const start = { parameters, state: [], environment: new Map(), generator, world: new Map() };
  const same = program(({ input, procedure, hook }) => [
    hook(
      input("x", [2]),
      procedure("negated", [value("u")], (u) => [u.negative()]),
    ),
  ]);
  const executed = execute(float64, same, start);
  expect(executed.ok && executed.value.results[0]?.data).toEqual([-0, 0]);
});
