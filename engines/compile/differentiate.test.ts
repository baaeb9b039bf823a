import { expect, test } from "vitest";
import { graph, nodeId } from "../../spec/index.ts";
import { compile } from "./browser_wasm.ts";

/** This is the derivative by x of x · d/dy (x + y), at y = x. */
const levels = graph(({ input, differentiate }) => {
  const [x, c] = [input("x"), input("c")];
  const sum = graph((within) => {
    const [a, b] = [within.input("a"), within.input("b")];
    a.add(b);
  });
  const middle = graph((within) => {
    const y = within.input("x");
    const one = within.full({ shape: [], value: 1 });
    y.multiply(within.differentiate(y, y, one, { graph: sum, mode: "jvp", of: nodeId(2), wrt: nodeId(1) }));
  });
  differentiate(x, c, { graph: middle, mode: "vjp", of: nodeId(3), wrt: nodeId(0) });
});

/** This is the second derivative of sin, through its first. */
const curvature = graph(({ input, differentiate }) => {
  const [x, one] = [input("x"), input("one")];
  const sine = graph((within) => within.input("x").sin());
  const slope = graph((within) => {
    const [y, c] = [within.input("x"), within.input("c")];
    within.differentiate(y, c, { graph: sine, mode: "vjp", of: nodeId(1), wrt: nodeId(0) });
  });
  differentiate(x, one, one, { graph: slope, mode: "vjp", of: nodeId(2), wrt: nodeId(0) });
});

test.each([
  "javascript",
  "wasm",
] as const)("%s compiles derivatives of derivatives, and differentiates them", (engine) => {
  const numbers = (x: number): Float64Array => Float64Array.of(x);
  expect([...compile(levels, { engine }).value(numbers(3), numbers(1))]).toEqual([1]);
  const compiled = compile(curvature, { engine });
  expect(compiled.value(numbers(0.5), numbers(1))[0]).toBeCloseTo(-Math.sin(0.5), 14);
  expect(compiled.gradient(numbers(0.5), numbers(1))[0]?.[0]).toBeCloseTo(-Math.cos(0.5), 14);
});
