import { describe, expect, test } from "vitest";
import { int32Register, quireRegister } from "../../reference/numerics/index.ts";
import { type Graph, graph, idCount, nodeId, standardPosit, type Value } from "../../spec/index.ts";
import { graphSums, type SumsAsked } from "./graph_sums.ts";

/** Asks about the last id and all inputs. */
function asked(of: Graph, more: Partial<SumsAsked> = {}): SumsAsked {
  return {
    graph: of,
    of: [nodeId(idCount(of) - 1)],
    wrt: of.inputs.map((_, id) => nodeId(id)),
    register: quireRegister(standardPosit(16)),
    batches: 1,
    given: undefined,
    ...more,
  };
}

/** Writes each sum as its name, its number of terms, and whether they are products. */
function told(of: Graph, more: Partial<SumsAsked> = {}): string[] {
  return graphSums(asked(of, more)).map(
    ({ name, terms, greatest }) => `${name}: ${terms}${greatest.length > 1 ? " products" : ""}`,
  );
}

describe("the sums of a graph and its gradient", () => {
  test("of a dense layer: inner extent, outer extent and batch, and the batch of a bias", () => {
    const dense = graph(({ input }) => {
      const [x, w, b] = [input("x", [32, 784]), input("w", [784, 128]), input("b", [128])];
      x.matmul(w).add(b);
    });
    expect(told(dense)).toEqual([
      "node 3 (matmul): 784 products",
      "node 4 (broadcast_to), pulled back: 32",
      "node 3 (matmul), pulled back: 128 products",
      "node 3 (matmul), pulled back: 32 products",
    ]);
  });

  test("of a convolution: channels and kernel, places of all outputs, and what windows that overlap give", () => {
    const convolution = graph(({ input }) => {
      const [x, w] = [input("x", [8, 3, 10, 10]), input("w", [16, 3, 3, 3])];
      const padding = [
        [1, 1],
        [1, 1],
      ] as const;
      x.conv(w, { strides: [2, 2], padding, dilations: [1, 1], groups: 1 });
    });
    expect(told(convolution)).toEqual([
      `node 2 (conv): ${3 * 3 * 3} products`,
      `node 2 (conv), pulled back: ${8 * 5 * 5} products`,
      "node 2 (conv), pulled back: 16 products",
      `node 2 (conv), its cotangent: ${3 * 3}`,
    ]);
  });

  test("of means, windows, running sums, einsum and softmax", () => {
    const one = (shape: readonly number[], body: (x: Value) => unknown): string[] =>
      told(graph(({ input }) => void body(input("x", shape))));
    expect(one([4, 6], (x) => x.mean({ axes: [1], keepdims: false }))).toEqual(["node 1 (mean): 6"]);
    const padding = [
      [0, 0],
      [0, 0],
    ] as const;
    const window = { window: [2, 2], strides: [1, 1], padding, count_include_pad: true };
    expect(one([2, 3, 8, 8], (x) => x.avg_pool(window))).toEqual([
      "node 1 (avg_pool): 4",
      "input x, its cotangent: 4",
    ]);
    expect(one([4, 6], (x) => x.cumulative_sum({ axis: 1 }))).toEqual([
      "node 1 (cumulative_sum): 6",
      "node 1 (cumulative_sum), pulled back: 6",
    ]);
    expect(one([5, 7], (x) => x.einsum(x, { equation: "ij,kj->ik" }))).toEqual([
      "node 1 (einsum): 7 products",
      "node 1 (einsum), pulled back: 5 products",
      "node 1 (einsum), pulled back: 5 products",
      "input x, its cotangent: 2",
    ]);
    expect(one([4, 6], (x) => x.softmax({ axis: 1 }))).toEqual([
      "node 1 (softmax): 6",
      "node 1 (softmax), pulled back: 6",
      "node 1 (softmax), its cotangent: 2",
      "node 1 (softmax), pulled back: 6",
    ]);
  });

  test("of cotangents with several readers have a term for each reader and use", () => {
    const fan = graph(({ input }) => {
      const x = input("x", [4]);
      x.exp().add(x.sin()).add(x.cos()).multiply(x).multiply(x);
    });
    expect(told(fan)).toEqual(["input x, its cotangent: 5"]);
    expect(told(fan, { wrt: [] })).toEqual([]);
  });

  test("of looked-up elements have as many terms as there are lookups", () => {
    const lookup = graph(({ input, indices }) => {
      input("x", [4, 6]).take({ axis: 0, indices: indices("rows", [5]) });
    });
    expect(told(lookup)).toEqual(["node 1 (take), pulled back: 5"]);
  });

  test("over several batches are longer where gradients are accumulated, and nowhere else", () => {
    const layer = graph(({ input }) => {
      const [x, w] = [input("x", [32, 784]), input("w", [784, 128])];
      x.matmul(w).tanh();
    });
    expect(told(layer, { wrt: [nodeId(1)], batches: 10 })).toEqual([
      "node 2 (matmul): 784 products",
      "node 2 (matmul), pulled back: 320 products",
    ]);
    const plain = graph(({ input }) => void input("x", [3]).exp());
    expect(told(plain, { batches: 10 })).toEqual(["input x, its gradient: 10"]);
  });

  test("of codes with a scale are of any codes, whatever their sign", () => {
    const square = graph(({ input }) => {
      const x = input("x", [9]);
      x.multiply(x).sum({ axes: [0], keepdims: false });
    });
    const [sum] = graphSums(asked(square, { register: int32Register(8) }));
    expect(sum).toMatchObject({ terms: 9, least: [-128n], greatest: [127n] });
  });
});
