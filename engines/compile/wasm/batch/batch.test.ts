import { expect, test } from "vitest";
import { at } from "../../../../spec/index.ts";
import type { Numbers, Order } from "../../plan/executable.ts";
import { apply, literal, read } from "../../plan/expression.ts";
import type { LoopProgram, Read } from "../../plan/program.ts";
import { wasm } from "../index.ts";
import { choiceOf, drawnSources } from "../random.test.kit.ts";
import { startBatch } from "./batch.ts";

const reading = (value: number, ...strides: readonly number[]): Read => ({
  value,
  offset: 0,
  strides,
  indirections: [],
});

/** This is `Σⱼ erf(Σₖ wⱼₖ xₖ)`, the determinant of the first four of `x`, and `xₖ` for an index `k`. */
const program: LoopProgram = {
  sources: [[33], [5, 33], [2, 2]].map((shape, position) => ({ origin: { kind: "input", position }, shape })),
  indexSources: [{ name: "k", size: 1 }],
  instructions: [
    {
      kind: "fold",
      operation: "add",
      shape: [5],
      over: [33],
      reads: [reading(1, 33, 1), reading(0, 0, 1)],
      expression: apply("multiply", read(0), read(1)),
    },
    {
      kind: "fold",
      operation: "add",
      shape: [],
      over: [5],
      reads: [reading(3, 1)],
      expression: apply("erf", read(0)),
    },
    { kind: "routine", shape: [], routine: { kind: "determinant", n: 2 }, operands: [2] },
    {
      kind: "map",
      shape: [2],
      reads: [{ ...reading(0, 1), indirections: [{ index: 0, offset: 0, strides: [0], scale: 1 }] }],
      expression: apply("exp", apply("add", read(0), literal(0.5))),
    },
  ],
  results: [4, 5, 6],
};
const layout = { places: [0, 5, 6, 7], length: 9 };

const orders: readonly Order[] = (["float64", "float32"] as const).flatMap((precision) =>
  (["bit_exact", "fast"] as const).map((regime): Order => ({ program, layout, precision, regime })),
);

/** Returns the results of items in a batch, and one after the other; all share the matrix `w`. */
async function bothWays(order: Order, count: number, threads: number): Promise<readonly number[][][][]> {
  const items = Array.from({ length: count }, (_, item) =>
    drawnSources(choiceOf(item), program, order.precision, [0.1, -0.7, 1.3, 0.33, 2.9, -1e-3, 7]),
  );
  const weights = at(at(items, 0), 1);
  const one = wasm.build(order);
  const wanted = items.map((sources): Numbers[] => {
    one.run(sources.with(1, weights), [Uint32Array.of(7)]);
    return one.results.map((result) => result.slice());
  });
  using batch = startBatch(order, { capacity: count + 3, threads, common: [1] });
  at(batch.inputs, 1).set(weights);
  at(batch.indexInputs, 0).set([7]);
  for (const [item, sources] of items.entries()) {
    for (const position of [0, 2]) {
      const numbers = at(sources, position);
      at(batch.inputs, position).set(numbers, item * numbers.length);
    }
  }
  await batch.run(count);
  const size = (result: number): number => at(one.results, result).length;
  const got = items.map((_, item) =>
    batch.results.map((numbers, result) => [
      ...numbers.slice(item * size(result), (item + 1) * size(result)),
    ]),
  );
  return [wanted.map((results) => results.map((numbers) => [...numbers])), got];
}

test.each(
  orders,
)("in $precision, $regime, items computed in three threads have the bits of one after the other", async (order) => {
  const [wanted, got] = await bothWays(order, 41, 3);
  expect(got).toEqual(wanted);
  expect(new Set(got?.map(String)).size).toBeGreaterThan(30);
});

test("a batch runs again, with fewer items than it has threads, and leaves the others alone", async () => {
  const order = at(orders, 0);
  using batch = startBatch(order, { capacity: 4, threads: 2, common: [] });
  for (const input of batch.inputs) input.fill(1);
  await batch.run(4);
  const before = [...at(batch.results, 0)];
  for (const input of batch.inputs) input.fill(0);
  await batch.run(1);
  expect([...at(batch.results, 0)]).toEqual([0, ...before.slice(1)]);
  expect(before[1]).toBeGreaterThan(4.9);
});

test("more items than there is room for, and two runs at a time, are refused", async () => {
  const order = at(orders, 0);
  using batch = startBatch(order, { capacity: 2, threads: 1, common: [] });
  expect(() => batch.run(3)).toThrow(RangeError);
  const running = batch.run(2);
  await expect(batch.run(1)).rejects.toThrow("running");
  await running;
});
