import { describe, expect, test } from "vitest";
import { countersOf, splitmix64, uniform } from "./random.ts";
import { readTorchLeanText } from "./read.ts";

describe("TorchLean's random numbers", () => {
  test("are splitmix64's, whose first three from 0 are published", () => {
    const golden = 0x9e3779b97f4a7c15n;
    // https://prng.di.unimi.it/splitmix64.c
    expect([0n, golden, BigInt.asUintN(64, 2n * golden)].map(splitmix64)).toEqual([
      0xe220a8397b1dcdafn,
      0x6e789e6aa1b965f4n,
      0x06c45d188009454fn,
    ]);
  });

  test("are multiples of 2^-32 below 1, others for another seed, counter or position", () => {
    const drawn = uniform(7, 3, [4, 5]);
    expect(new Set(drawn).size).toBe(20);
    for (const x of drawn) expect([x >= 0 && x < 1, Number.isInteger(x * 2 ** 32)]).toEqual([true, true]);
    expect(uniform(7, 3, [20])).toEqual(drawn);
    // The seed and the counter are added: TorchLean's own choice.
    expect(uniform(8, 2, [20])).toEqual(drawn);
    expect(uniform(8, 3, [20])).not.toEqual(drawn);
  });

  test("count a reduction once for each axis, twice where the axis is put back", () => {
    const node = (id: number, change: object): Parameters<typeof countersOf>[0][number] => ({
      id,
      kind: "relu",
      parents: [],
      shape: [],
      ...change,
    });
    const nodes = [
      node(0, {}),
      node(1, { kind: "reduce_sum", axes: [0, 1], keepdim: false }),
      node(2, { kind: "reduce_mean", axes: [0, 1], keepdim: true }),
      node(3, { kind: "reduce_sum", axes: [], keepdim: true }),
      node(4, {}),
    ];
    expect(countersOf(nodes)).toEqual([0, 1, 3, 7, 7]);
  });

  const read = (...nodes: readonly object[]): ReturnType<typeof readTorchLeanText> => {
    const all = [{ kind: "input", parents: [], shape: [2, 3] }, ...nodes].map((one, id) => ({ id, ...one }));
    const document = { format: "torchlean.ir.v1", input_id: 0, output_ids: [nodes.length], nodes: all };
    return readTorchLeanText(JSON.stringify(document));
  };

  test("become a constant, whose numbers the seed and the counter fix", () => {
    const model = read(
      { kind: "reduce_sum", parents: [0], shape: [], axes: [0, 1], keepdim: false },
      { kind: "rand_uniform", parents: [], shape: [4], seed: 5 },
    );
    if (!model.ok) throw new Error(JSON.stringify(model.error));
    expect(model.value.values.get("rand_uniform_2")).toEqual({ shape: [4], data: uniform(5, 3, [4]) });
  });

  test("are refused without a seed, and a mask without a number as its probability", () => {
    const missing = read({ kind: "rand_uniform", parents: [], shape: [4] });
    expect(missing).toMatchObject({ error: [{ code: "torchlean/attribute", pointer: "/nodes/1" }] });
    const matrix = read({ kind: "bernoulli_mask", parents: [0], shape: [4], seed: 1 });
    expect(matrix).toMatchObject({ error: [{ code: "torchlean/shape", pointer: "/nodes/1" }] });
  });
});
