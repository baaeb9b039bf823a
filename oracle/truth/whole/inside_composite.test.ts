import { describe, expect, test } from "vitest";
import { graph, isPrimitiveGraph, nodeId, type Value } from "../../../spec/index.ts";
import type { Case } from "../../case/index.ts";
import { truthOf } from "../case_truth.ts";
import { referenceStandard } from "../standard/standard.ts";
import type { Judgement } from "../verdicts/component.ts";
import { singleDifferences } from "./inside_composite.ts";

/** The greatest of the elements along the second axis, of which there is one in each row. */
function greatestOfOne(x: readonly [number, number]): Case {
  const program = graph(({ input }) => input("x", [2, 1]).max({ axes: [1], keepdims: false }));
  return {
    graph: program,
    point: { inputs: [{ shape: [2, 1], data: Float64Array.from(x) }], environment: new Map() },
    tangents: [{ shape: [2, 1], data: Float64Array.of(2, 3) }],
    seeds: [{ id: nodeId(1), cotangent: { shape: [2], data: Float64Array.of(5, 7) } }],
  };
}

/** Returns what is said of a tangent and a cotangent, that of the first element. */
function judged(x: readonly [number, number], tangent: number, cotangent: number): (Judgement | undefined)[] {
  const truth = truthOf(greatestOfOne(x), referenceStandard("float64"));
  return [truth.tangent(nodeId(1))[0]?.judge(tangent), truth.cotangent(nodeId(0))[0]?.judge(cotangent)];
}

describe("an engine that computes a composite whole", () => {
  test("may find the greatest of one NaN equal to none: no derivative, or half of none", () => {
    expect(judged([Number.NaN, 1], 0, 0)).toEqual(["undecided", "undecided"]);
    expect(judged([Number.NaN, 1], Number.NaN, Number.NaN)).toEqual(["undecided", "undecided"]);
  });

  test("is held to the derivative by a number, also beside a NaN", () => {
    expect(judged([4, Number.NaN], 0, 0)).toEqual(["outside", "outside"]);
    expect(judged([4, Number.NaN], 2, 5)).toEqual(["within", "within"]);
  });

  // Slopes by y at y = 0 are nobody's to judge, whether or not x is the same number.
  test("may have no slope of a divergence from 0, from itself too", () => {
    const own = graph(({ input }) => {
      const x = input("x", [1]);
      x.kl_div(x);
    });
    const other = graph(({ input }) => {
      const [x, y] = [input("x", [1]), input("y", [1])];
      x.kl_div(y);
    });
    const zero = { shape: [1], data: Float64Array.of(0) };
    for (const [program, inputs] of [[own, [zero]] as const, [other, [zero, zero]] as const]) {
      const question: Case = {
        graph: program,
        point: { inputs, environment: new Map() },
        tangents: inputs.map(() => ({ shape: [1], data: Float64Array.of(2) })),
        seeds: [{ id: nodeId(inputs.length), cotangent: { shape: [], data: Float64Array.of(3) } }],
      };
      const last = truthOf(question, referenceStandard("float64")).cotangent(nodeId(inputs.length - 1))[0];
      expect(last?.judge(Number.NaN)).toBe("undecided");
    }
  });

  // c y / x, where y and x are infinite.
  test.each([Infinity, Number.NaN])("may have no derivative of a product of the one number %d", (x) => {
    const product = graph(({ input }) => {
      input("x", [2]).cumulative_prod({ axis: 0 });
    });
    const question = (inputs: readonly number[]): Case => ({
      graph: product,
      point: { inputs: [{ shape: [2], data: Float64Array.from(inputs) }], environment: new Map() },
      tangents: [{ shape: [2], data: Float64Array.of(2, 3) }],
      seeds: [{ id: nodeId(1), cotangent: { shape: [2], data: Float64Array.of(5, 0) } }],
    });
    const first = (inputs: readonly number[]) =>
      truthOf(question(inputs), referenceStandard("float64")).tangent(nodeId(1))[0];
    expect(first([x, 1])?.judge(Number.NaN)).toBe("undecided");
    expect([2, Number.NaN].map((answer) => first([7, x])?.judge(answer))).toEqual(["within", "outside"]);
    expect(first([0, 1])?.judge(Number.NaN)).toBe("outside");
  });

  test("loses of a difference what its own size says, unless it is part of a longer sum", () => {
    const program = graph(({ input }) => {
      const [x, y, z] = [input("x"), input("y"), input("z")];
      const difference = x.subtract(y);
      difference.multiply(z);
      difference.add(z);
      x.subtract(z).multiply(y);
    });
    if (!isPrimitiveGraph(program)) throw new Error("it has composites");
    // Ids are 0 to 2 of the inputs, 3 of x − y, which z is added to, and 6 of x − z.
    expect([...singleDifferences(program)]).toEqual([6]);
  });

  test("loses nothing where a mean is moved to each element that it is subtracted from", () => {
    const bound = (build: (x: Value) => Value): number => {
      const program = graph(({ input }) => void build(input("x", [3])));
      const last = nodeId(program.nodes.length);
      const question: Case = {
        graph: program,
        point: { inputs: [{ shape: [3], data: Float64Array.of(999, 1000.5, 1001) }], environment: new Map() },
        tangents: [{ shape: [3], data: Float64Array.of(1, 1, 1) }],
        seeds: [],
      };
      return truthOf(question, referenceStandard("float64")).value(last)[0]?.bound ?? Number.NaN;
    };
    const all = { axes: [0], keepdims: true };
    const apart = bound((x) => {
      const deviation = x.subtract(x.mean(all));
      return deviation.multiply(deviation).sum(all).divide(3);
    });
    expect(bound((x) => x.var({ ...all, correction: 0 })) / apart).toBeLessThan(1.05);
  });

  test("may add what it hands to an operand piece by piece to what other readers have sent", () => {
    const root = graph(({ input }) => input("x", [1, 1]).cholesky({ upper: false }));
    const cotangent = (x: number): Case["seeds"][number]["cotangent"] => ({
      shape: [1, 1],
      data: Float64Array.of(x),
    });
    const question: Case = {
      graph: root,
      point: { inputs: [cotangent(8)], environment: new Map() },
      tangents: [cotangent(1)],
      seeds: [
        { id: nodeId(0), cotangent: cotangent(16) },
        { id: nodeId(1), cotangent: cotangent(0.125) },
      ],
    };
    // x stands in (x + xᵀ)/2 twice, so there are two halves of the slope to be added to the seed.
    const half = 0.125 / 2 / Math.sqrt(8) / 2;
    const [truth] = truthOf(question, referenceStandard("float64")).cotangent(nodeId(0));
    expect(16 + half + half).not.toBe(16 + (half + half));
    expect([16 + half + half, 16 + (half + half)].map((sum) => truth?.judge(sum))).toEqual([
      "within",
      "within",
    ]);
    expect(truth?.judge(16 + 2.001 * half)).toBe("outside");
  });
});
