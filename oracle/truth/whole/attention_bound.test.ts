import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { expect, test } from "vitest";
import { type FlatTensor, graph, nodeId, sizeOf } from "../../../spec/index.ts";
import { truthOf } from "../case_truth.ts";
import { referenceStandard } from "../standard/index.ts";

/** Returns the bounds of the attention that queries pay to keys. */
function boundsOf(operands: readonly FlatTensor[], causal: boolean): readonly number[] {
  const [q, k, v] = operands.map(({ shape }) => shape);
  const subject = graph(({ input, apply }) =>
    apply("scaled_dot_product_attention", { causal }, [input("q", q), input("k", k), input("v", v)]),
  );
  const question = {
    graph: subject,
    point: { inputs: operands, environment: new Map() },
    tangents: operands,
    seeds: [],
  };
  return truthOf(question, referenceStandard("float64"))
    .value(nodeId(3))
    .map(({ bound }) => bound);
}

test.each([
  false,
  true,
])("each attention of a batch has the bounds that it has alone (causal: %s)", (causal) => {
  const random = new Random(xoroshiro128plus(11));
  const [batch, queries, keys, depth, width] = [2, 4, 5, 3, 2];
  const drawn = (shape: readonly number[]): FlatTensor => ({
    shape,
    data: Float64Array.from({ length: sizeOf(shape) }, () => 2 * random.nextDouble() - 1),
  });
  const together = [drawn([batch, queries, depth]), drawn([batch, keys, depth]), drawn([batch, keys, width])];
  const alone = Array.from({ length: batch }, (_, i) =>
    together.map(({ shape: [, ...shape], data }) => {
      const size = sizeOf(shape);
      return { shape, data: data.slice(i * size, (i + 1) * size) };
    }),
  );
  const bounds = boundsOf(together, causal);
  expect(bounds).toEqual(alone.flatMap((operands) => boundsOf(operands, causal)));
  expect(Math.max(...bounds)).toBeLessThan(2 ** -43);
});
