import { describe, expect, test } from "vitest";
import { graph } from "../../../spec/builder/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import { truthOf } from "../case_truth.ts";
import { referenceStandard } from "../standard/index.ts";

const product = graph(({ input }) => input("x", [3]).prod({ axes: [0], keepdims: false }));
const running = graph(({ input }) => input("x", [3]).cumulative_prod({ axis: 0 }));

/** Returns what is said of an answer as the last number of a product. */
function judged(of: typeof product, data: readonly number[], answer: number): string | undefined {
  const tensor = { shape: [3], data: Float64Array.from(data) };
  const question = {
    graph: of,
    point: { inputs: [tensor], environment: new Map() },
    tangents: [tensor],
    seeds: [],
  };
  return truthOf(question, referenceStandard("float64")).value(nodeId(1)).at(-1)?.judge(answer);
}

describe.each([
  ["prod", product],
  ["cumulative_prod", running],
])("%s in an order of the engine's own", (_, of) => {
  test.each([
    [[1e200, 1e200, 1e-250], Number.POSITIVE_INFINITY],
    [[1e-250, 1e200, 1e200], Number.POSITIVE_INFINITY],
    [[1e200, 1e-250, 1e200], Number.POSITIVE_INFINITY],
    [[1e200, 1e200, 0], Number.NaN],
    [[1e-200, 1e-200, 1e250], 0],
    [[1e250, 1e-200, 1e-200], 0],
  ])("of %j may be %d, as a part of it overflows or underflows", (data, answer) => {
    expect(judged(of, data, answer)).not.toBe("outside");
  });

  test("is told where no part does", () => {
    expect(judged(of, [1e100, 1e100, 1e-150], 1e50)).toBe("within");
    expect(judged(of, [1e100, 1e100, 1e-150], Number.POSITIVE_INFINITY)).toBe("outside");
    expect(judged(of, [1e100, 1e100, 1e-150], 1.0000001e50)).toBe("outside");
    expect(judged(of, [2, 3, 0], 1e-300)).toBe("outside");
    expect(judged(of, [2, 3, 5], 30.000000000001)).toBe("outside");
  });
});

test("runs along one axis, whatever the others", () => {
  const x = { shape: [2, 2], data: Float64Array.of(1e200, 2, 1e200, 3) };
  const along = (axis: number) => graph(({ input }) => input("x", [2, 2]).cumulative_prod({ axis }));
  const bounds = (axis: number): boolean[] => {
    const question = {
      graph: along(axis),
      point: { inputs: [x], environment: new Map() },
      tangents: [x],
      seeds: [],
    };
    return truthOf(question, referenceStandard("float64"))
      .value(nodeId(1))
      .map(({ bound }) => Number.isFinite(bound));
  };
  expect(bounds(0)).toEqual([true, true, false, true]);
  expect(bounds(1)).toEqual([true, true, true, true]);
});
