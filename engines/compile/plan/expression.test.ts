import { expect, test } from "vitest";
import { type Application, KnownParts, read } from "./expression.ts";

function fresh(): Application {
  return { kind: "apply", function: "exp", operands: [read(0)] };
}

test("parts are told apart by object, few as well as many, and stay in order", () => {
  for (const count of [1, 12, 13, 14, 100]) {
    const parts = Array.from({ length: count }, fresh);
    const known = new KnownParts<Application, number>();
    for (const [n, part] of parts.entries()) {
      expect(known.get(part)).toBeUndefined();
      known.set(part, n);
      expect(known.get(part)).toBe(n);
    }
    expect(parts.map((part) => known.get(part))).toEqual(parts.map((_, n) => n));
    expect(known.get(fresh())).toBeUndefined();
    expect(known.parts).toEqual(parts);
  }
});
