import { describe, expect, test } from "vitest";
import { evaluate, floats, interpret } from "../../reference/index.ts";
import { Arena } from "../../reference/numerics/index.ts";
import {
  at,
  expand,
  type PrimitiveGraph,
  present,
  shapesOf,
  type Value,
  graph as written,
} from "../../spec/index.ts";
import { randomAt } from "../random/index.ts";
import type { Box } from "./box.ts";
import { bundledTargets, representationsOf, storageFormats } from "./index.ts";
import { keptRun, pointIn, trueRun } from "./kept.test.kit.ts";
import { errorsOf } from "./losses.ts";
import { steadyExpansion } from "./steady.ts";

const functions: readonly (readonly [string, (x: Value, y: Value) => Value])[] = [
  ["abs", (x) => x.abs()],
  ["sigmoid", (x) => x.sigmoid()],
  ["silu", (x) => x.silu()],
  ["softplus", (x) => x.softplus()],
  ["logaddexp", (x, y) => x.logaddexp(y)],
  ["leaky_relu", (x) => x.leaky_relu({ slope: 0.125 })],
  ["leaky_relu that is steep", (x) => x.leaky_relu({ slope: 3 })],
  ["leaky_relu that turns", (x) => x.leaky_relu({ slope: -0.5 })],
  ["elu", (x) => x.elu({ alpha: 1.5 })],
];

/** Evaluates a graph's last node in float64. */
function lastOf(graph: PrimitiveGraph, x: number, y: number): number {
  const meaning = interpret(graph, floats.float64);
  const found = present(meaning.ok ? meaning.value : undefined, "a meaning");
  const given = [x, y].map((one) => ({ shape: [], data: [one] }));
  return at(present(evaluate(found, given, new Map()).at(-1), "a value").data, 0);
}

describe.each(functions)("%s, written out without a leap", (_, of) => {
  const asked = written(({ input }) => {
    const [x, y] = [input("x", []), input("y", [])];
    of(x, y);
  });
  const { graph } = steadyExpansion(asked);
  const numbers = [-700, -30, -2.5, -1, -1e-9, -0, 0, 1e-9, 0.3, 1, 4, 50, 700];

  test("is the same number as before", () => {
    for (const x of numbers)
      for (const y of numbers) {
        const [own, usual] = [lastOf(graph, x, y), lastOf(expand(asked).graph, x, y)];
        expect(Math.abs(own - usual)).toBeLessThanOrEqual(2 ** -45 * Math.max(1, Math.abs(usual)));
      }
  });

  test("keeps two digits in sixteen bits, and errs by no more than is certified", () => {
    const ends = { low: [-1], high: [2] };
    const box: Box = { inputs: [ends, ends], environment: new Map(), indices: new Map() };
    const targets = [present(bundledTargets.get("x86_64"), "x86_64")];
    const of = [present(expand(asked).origins.at(-1), "the last")];
    const told = representationsOf(asked, { of, wrt: [], box, digits: 2, targets });
    const [run] = present(told.ok ? told.value.runs : undefined, "formats");
    expect(run?.assignments[0]?.isMet).toBe(true);
    const float16 = present(storageFormats.get("float16"), "float16");
    const formats = shapesOf(graph).map(() => float16);
    using arena = new Arena(64);
    const errors = errorsOf({ graph, box }, formats, arena);
    const random = randomAt(37, 0);
    for (let n = 0; n < 200; n++) {
      const point = pointIn(box, () => random.nextInt(0, 2 ** 30) / 2 ** 30);
      const kept = keptRun(graph, point, formats);
      for (const [id, truths] of trueRun(graph, point).entries()) {
        const [[low, high] = [0, 0]] = truths;
        const x = at(at(kept, id), 0);
        expect(Math.max(low - x, x - high, 0)).toBeLessThanOrEqual(at(at(errors, id), 0));
      }
    }
  });
});
