import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { floats } from "../../reference/package.ts";
import { sectionOf } from "../tapes/sections.ts";
import { cancellationTable, heldByDepth, heldTable, trainings, trainingTable } from "./figures.ts";
import { lossesOf } from "./training.ts";

const page = readFileSync(new URL("../../docs/forward-gradients.md", import.meta.url), "utf8");

describe("docs/forward-gradients.md", () => {
  test("has the losses of the trainings", () => {
    const lines = trainingTable(trainings());
    expect(sectionOf(page, "training").slice(0, lines.length)).toEqual(lines);
  });

  test("has what is held, and what cancels", () => {
    expect(sectionOf(page, "held")).toEqual(heldTable(heldByDepth()));
    expect(sectionOf(page, "cancellation")).toEqual(cancellationTable());
  });
});

test("a training has other losses with other directions, and rising ones with the opposite sign", () => {
  const losses = (seed: number, rate: number): number[] =>
    lossesOf(floats.float64, (x) => x, { rate, steps: 20, seed, directions: 1 });
  expect(losses(1, 0.03)).toEqual(losses(1, 0.03));
  expect(losses(1, 0.03)).not.toEqual(losses(2, 0.03));
  const [first = 0, ...rest] = losses(1, -0.03);
  expect(rest.at(-1)).toBeGreaterThan(first);
});
