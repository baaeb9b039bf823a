import { expect, it } from "vitest";
import { Scalars } from "./scalars.ts";
import { StraightText } from "./text.ts";

/** Returns how deep the parentheses of a text are nested. */
function nesting(text: string): number {
  let [open, most] = [0, 0];
  for (const letter of text) {
    open += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    most = Math.max(most, open);
  }
  return most;
}

it.each([
  10, 100, 1000,
])("expressions stay shallow in a chain of %d, and are written into their user", (length) => {
  const scalars = new Scalars("float64", false);
  let scalar = scalars.element(0, 0);
  for (let n = 0; n < length; n++) scalar = scalars.apply("sin", scalar);
  const text = new StraightText(scalars.all, "float64", 500).write([{ scalar, place: 0 }]);
  expect(nesting(text)).toBeLessThanOrEqual(30);
  // One name in every few applications is enough.
  expect(text.split("const v").length).toBeLessThanOrEqual(2 + length / 20);
});
