import { describe, expect, test } from "vitest";
import { referenceConventions } from "../../../spec/contract/index.ts";
import { type FlatTensor, graph, nodeId } from "../../../spec/index.ts";
import { truthOf } from "../case_truth.ts";
import { standardOf } from "../standard/index.ts";

const flat = (...data: readonly number[]): FlatTensor => ({
  shape: [data.length],
  data: Float64Array.from(data),
});

const total = graph(({ input }) => input("x", [3]).sum({ axes: [0], keepdims: false }));
const spread = graph(({ input }) => input("x", []).broadcast_to({ shape: [3] }));

/** These add up to 0.6000000000000001 from the left, and to 0.6 from the right. */
const terms = flat(0.1, 0.2, 0.3);
const [fromLeft, fromRight] = [0.1 + 0.2 + 0.3, 0.1 + (0.2 + 0.3)];
const one: FlatTensor = { shape: [], data: Float64Array.of(1) };

/** Returns what an engine may answer that adds up so: a sum, its tangent, and a cotangent that is one. */
function sums(order: "sequential" | "any") {
  const accumulation = { sum: { order }, broadcast_to: { order } } as const;
  const standard = standardOf({ conventions: referenceConventions, accuracy: {}, accumulation }, "float64");
  const at = (x: FlatTensor) => ({ point: { inputs: [x], environment: new Map() }, tangents: [x] });
  const seeds = [{ id: nodeId(1), cotangent: terms }];
  const forward = truthOf({ graph: total, ...at(terms), seeds: [] }, standard);
  const reverse = truthOf({ graph: spread, ...at(one), seeds }, standard);
  return [forward.value(nodeId(1))[0], forward.tangent(nodeId(1))[0], reverse.cotangent(nodeId(0))[0]];
}

describe("a sum of given numbers", () => {
  test("is one number where the order is declared, whatever is as near to the truth", () => {
    expect(fromLeft).not.toBe(fromRight);
    for (const sum of sums("sequential")) {
      expect(sum?.judge(fromLeft)).toBe("within");
      expect(sum?.judge(fromRight)).toBe("outside");
      expect(sum?.allowed).toBe("0x1.3333333333334p-1");
    }
  });

  test("is within a bound where no order is declared", () => {
    for (const sum of sums("any")) {
      expect([fromLeft, fromRight].map((answer) => sum?.judge(answer))).toEqual(["within", "within"]);
    }
  });
});
