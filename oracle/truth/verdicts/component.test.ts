import { describe, expect, test } from "vitest";
import { type Graph, graph, nodeId, parseFloat64, present } from "../../../spec/index.ts";
import { compareTensor } from "../../hearing/outcome.ts";
import { type Component, referenceStandard, truthOf } from "../index.ts";

const float64 = referenceStandard("float64");

function lastOf(program: Graph, x: number): Component {
  const data = Float64Array.of(x);
  const truth = truthOf(
    {
      graph: program,
      point: { inputs: [{ shape: [], data }], environment: new Map() },
      tangents: [{ shape: [], data }],
      seeds: [],
    },
    float64,
  );
  return present(truth.value(nodeId(truth.shapes.length - 1))[0], "a component");
}

describe("a number at the end of a long computation", () => {
  // 3x − 2x is x: carried forward, errors grow fivefold at every step.
  const still = graph(({ input }) => {
    let x = input("x", []);
    for (let step = 0; step < 20; step++) {
      const y = x.tanh().atanh();
      x = y.add(y).add(y).subtract(y.add(y));
    }
  });

  test("is judged by how errors reach it, where those that cancel are left out", () => {
    const component = lastOf(still, 0.5);
    expect(component.bound).toBeLessThan(1e-12);
    expect(component.judge(0.5)).toBe("within");
    expect(component.judge(0.5 + 1e-9)).toBe("outside");
  });

  test("is told with the bound by which it was judged", () => {
    const component = lastOf(still, 0.5);
    const outcome = compareTensor("evaluate", nodeId(1), [], { shape: [], data: Float64Array.of(0.6) }, [
      component,
    ]);
    expect(outcome.kind).toBe("differs");
    if (outcome.kind !== "differs") return;
    expect(parseFloat64(outcome.finding.bound)).toBe(component.boundFor(0.6));
    expect(component.boundFor(0.6)).toBeLessThan(1e-12);
  });

  // The logistic map doubles every error at every step.
  const chaos = (times: number): Graph =>
    graph(({ input }) => {
      let x = input("x", []);
      for (let step = 0; step < times; step++) x = x.multiply(4).multiply(x.negative().add(1));
    });

  test("is undecided where errors may have grown beyond a thousandth of it, unless it is the reference's", () => {
    const [early, late] = [lastOf(chaos(15), 0.3), lastOf(chaos(45), 0.3)];
    expect(early.judge(Number(early.expected) || present(parseFloat64(early.expected), "a number"))).toBe(
      "within",
    );
    const reference = present(parseFloat64(late.expected), "a number");
    expect(late.bound).toBeGreaterThan(1e-3 * Math.abs(reference));
    expect(late.judge(reference)).toBe("within");
    expect(late.judge(reference * (1 + 1e-12))).toBe("undecided");
    expect(late.judge(reference + 4 * late.bound)).toBe("outside");
  });
});
