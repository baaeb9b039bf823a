import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hostUlps } from "../../engines/index.ts";
import { lazily } from "../../oracle/truth/lazily.ts";
import type { Part } from "../../oracle/truth/nodes/bounds.ts";
import { floats } from "../../reference/package.ts";
import { compositeNames } from "../../spec/composites/index.ts";
import type { DataType } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { CEILING, wide } from "./ceilings.ts";
import { regimes } from "./ill_scaled.ts";
import { sweep } from "./sweep.ts";

const SEED = 1;

const parts = ["value", "tangent", "cotangent"] as const satisfies readonly Part[];

const asked = sampled("composites at ill-scaled operands", compositeNames, 12);

describe.each(asked)("the bounds of %s at ill-scaled operands", (op) => {
  const known = lazily(() => sweep(op, SEED));
  const worst = (part: Part): number =>
    Math.max(
      ...known()
        .filter((each) => each.part === part)
        .map(({ median }) => median),
    );

  test("hold a right engine", () => {
    expect(known().filter(({ outside }) => outside > 0)).toEqual([]);
  });

  test.each(parts)("are below their ceiling: %s", (part) => {
    expect(worst(part)).toBeLessThanOrEqual(wide[op]?.[part] ?? CEILING);
  });

  test("have no higher ceiling than they need", () => {
    for (const part of parts) {
      const ceiling = wide[op]?.[part];
      if (ceiling !== undefined)
        expect(worst(part), part).toBeGreaterThan(Math.max(CEILING, Math.min(ceiling, 1e12) / 30));
    }
  });
});

test("a wide bound has a reason that docs/truth.md gives", () => {
  const text = readFileSync(new URL("../../docs/truth.md", import.meta.url), "utf8");
  const reasons = new Set(Object.values(wide).flatMap(({ because }) => because));
  expect([...reasons].filter((reason) => !text.toLowerCase().includes(`**${reason}.**`))).toEqual([]);
});

test("bounds that are too wide are told, and an engine that is outside of them", () => {
  const loose = { accuracy: { ...hostUlps, mean: 500 }, arithmetic: (dtype: DataType) => floats[dtype] };
  const over = sweep("mean", SEED, loose).filter(({ median }) => median > CEILING);
  expect(new Set(over.map(({ regime }) => regime)).size).toBe(regimes.length);
  const narrow = sweep("mean", SEED, { accuracy: hostUlps, arithmetic: () => floats.float32 });
  expect(narrow.filter(({ outside }) => outside > 0).length).toBeGreaterThan(regimes.length);
});
