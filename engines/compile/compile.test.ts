import { describe, expect, test } from "vitest";
import { at, floatAt, type Graph, graph, nodeId, type Value } from "../../spec/index.ts";
import { compile } from "./browser_wasm.ts";

const engines = ["javascript", "wasm"] as const;

/** This is Σ (x w)², with weights that are differentiated and points that are not. */
const regression = graph(({ input, parameter }) => {
  const w = input("w", [3, 1]);
  const shift = input("shift", []);
  const x = parameter("x", [2, 3]);
  const residual = x.matmul(w).add(shift);
  return residual.multiply(residual).sum({ axes: [0, 1], keepdims: false });
});
const x = Float64Array.of(1, 2, 3, 4, 5, 6);
const w = Float64Array.of(1, 0, -1);
const shift = Float64Array.of(0.5);

/** Makes a chain of sines, each followed by a product. */
function sines(count: number): Graph {
  return graph(({ input }) => {
    let y: Value = input("x", [4]);
    for (let n = 0; n < count; n++) y = y.sin().multiply(y);
    return y.sum({ axes: [0], keepdims: false });
  });
}

/** Makes `x₀ + x₁ (1 + ½ x₀) …`: scalar nodes, of which every second reads the first input. */
function scalarChain(count: number): Graph {
  const node = (n: number) =>
    n % 2 === 0
      ? { op: "multiply" as const, attributes: {}, parents: [nodeId(n + 1), nodeId(0)] }
      : { op: "add" as const, attributes: {}, parents: [nodeId(n + 1), nodeId(1)] };
  return {
    format: "adjudge.graph.v1",
    inputs: [
      { name: "a", shape: [] },
      { name: "b", shape: [] },
    ],
    environment: [],
    nodes: Array.from({ length: count }, (_, n) => node(n)),
  };
}

describe.each(engines)("compile to %s", (engine) => {
  const f = compile(regression, { engine });
  f.bind({ x });

  // The residuals are −1.5 and −1.5: value 4.5; wBar = 2 xᵀ r = −3 (5, 7, 9); shiftBar = −6.
  test("gives the value, and the gradient in each input", () => {
    expect([...f.value(w, shift)]).toEqual([4.5]);
    expect(f.gradient(w, shift).map((part) => [...part])).toEqual([[-15, -21, -27], [-6]]);
    const both = f.valueAndGradient(w, shift);
    expect([[...both.value], ...both.gradient.map((part) => [...part])]).toEqual([
      [4.5],
      [-15, -21, -27],
      [-6],
    ]);
  });

  test("takes one array for all inputs, and then gives one gradient", () => {
    const all = Float64Array.of(...w, ...shift);
    expect([...f.value(all)]).toEqual([4.5]);
    expect(f.gradient(all).map((part) => [...part])).toEqual([[-15, -21, -27, -6]]);
  });

  test("pulls a cotangent back, to the inputs or to every id", () => {
    expect(f.vjp([w, shift], Float64Array.of(2)).map((part) => [...part])).toEqual([[-30, -42, -54], [-12]]);
    const dense = f.backwardDense([w, shift]);
    expect(dense).toHaveLength(regression.inputs.length + regression.nodes.length);
    expect([...at(dense, 0)]).toEqual([-15, -21, -27]);
    expect([...at(dense, dense.length - 1)]).toEqual([1]);
  });

  test("pushes several tangents forward at once, each as if alone", () => {
    const one = (tangent: number[], s: number): number =>
      floatAt(f.jvp([w, shift], [Float64Array.from(tangent), Float64Array.of(s)]), 0);
    const alone = [one([1, 0, 0], 0), one([0, 1, 0], 2)];
    expect(alone).toEqual([-15, -33]);
    const together = f.jvp([w, shift], [Float64Array.of(1, 0, 0, 0, 1, 0), Float64Array.of(0, 2)]);
    expect([...together]).toEqual(alone);
  });

  test("hands out the same views at every call", () => {
    const [first] = f.gradient(w, shift);
    const again = at(f.gradient(Float64Array.of(0, 0, 0), shift), 0);
    expect(again).toBe(first);
    expect([...again]).toEqual([5, 7, 9]);
  });

  test("says what does not fit", () => {
    expect(() => f.value(w)).toThrow(/input 0 has 3 elements; the graph says 4/);
    expect(() => f.value(w, shift, shift)).toThrow(/3 arrays, and the graph has 2 inputs/);
    expect(() => f.value(w, Float64Array.of(1, 2))).toThrow(/input 1 has 2 elements; the graph says 1/);
    expect(() => f.value(Float32Array.from(w), shift)).toThrow(/input 0 is not a Float64Array/);
    expect(() => f.vjp([w, shift], w)).toThrow(/cotangent 0 has 3 elements/);
    expect(() => compile(regression, { engine }).value(w, shift)).toThrow(/bind/);
    expect(() => compile(regression, { engine }).bind({})).toThrow(/"x" is missing/);
    expect(() => compile(regression, { engine }).bind({ x: w })).toThrow(
      /"x" has 3 elements; the graph says 6/,
    );
    expect(() => compile(regression, { engine, output: 99 })).toThrow(/no id 99/);
    expect(() => compile(regression, { engine, output: 2 })).not.toThrow();
    const vector = compile(sines(1), { engine, output: 1 });
    expect(() => vector.gradient(Float64Array.of(1, 2, 3, 4))).toThrow(/shape \[4\].*vjp/);
  });

  test("refuses an index that is out of range, and does not see it changed afterwards", () => {
    const picking = graph(({ input, indices }) =>
      input("x", [3])
        .take({ axis: 0, indices: indices("i", [2]) })
        .sum({ axes: [0], keepdims: false }),
    );
    const pick = compile(picking, { engine });
    expect(() => pick.bind({ i: Uint32Array.of(0, 3) })).toThrow(
      /index 3 at position 1 of "i" is not below 3/,
    );
    const i = Uint32Array.of(0, 2);
    pick.bind({ i });
    i[0] = 77;
    expect([...pick.value(Float64Array.of(1, 2, 4))]).toEqual([5]);
  });

  test("computes again what a budget has no room for, to the same bits", () => {
    const deep = sines(40);
    const point = Float64Array.of(0.3, 1.1, -2, 3);
    const plain = compile(deep, { engine, regime: "bit_exact" });
    const budget = 25 * 4 * 8;
    const tight = compile(deep, { engine, regime: "bit_exact", memory: budget });
    expect([...at(tight.gradient(point), 0)]).toEqual([...at(plain.gradient(point), 0)]);
    const { plan } = tight.report;
    expect(plan?.checkpointing?.recomputed).toBeGreaterThan(0);
    expect(plan?.checkpointing?.fits).toBe(true);
    expect(plan?.arenaBytes).toBeLessThanOrEqual(budget);
    expect(plain.report.plan?.arenaBytes).toBeGreaterThan(budget);
  });

  test("refuses a budget that nothing meets, and says which one is met", () => {
    const deep = sines(60);
    const point = Float64Array.of(0.3, 1.1, -2, 3);
    const asked = (memory: number): unknown => {
      try {
        return [...at(compile(deep, { engine, regime: "bit_exact", memory }).gradient(point), 0)];
      } catch (problem) {
        return problem;
      }
    };
    const problem = asked(8);
    if (!(problem instanceof RangeError)) return expect.unreachable("8 bytes are not enough");
    const least = Number(/take (\d+) bytes at least/.exec(problem.message)?.[1]);
    expect(least).toBeLessThan(60 * 4 * 8 * 0.2);
    expect(asked(least)).toEqual([...at(compile(deep, { engine, regime: "bit_exact" }).gradient(point), 0)]);
  });

  test("takes many scalars by another way, with the same answers", () => {
    const point = Float64Array.of(0.999, 0.25);
    const many = compile(scalarChain(1200), { engine, regime: "bit_exact" });
    expect(["runs", "steps"]).toContain(many.report.kind);
    const loops = compile(scalarChain(1200), { engine, regime: "bit_exact", memory: 2 ** 30 });
    expect(loops.report.kind).toBe("loops");
    expect([...many.value(point)]).toEqual([...loops.value(point)]);
    expect([...at(many.gradient(point), 0)]).toEqual([...at(loops.gradient(point), 0)]);
    const each = [point.slice(0, 1), point.slice(1)];
    expect(many.gradient(...each).map((part) => part[0])).toEqual([...at(loops.gradient(point), 0)]);
    expect(many.backwardDense([point]).map((part) => part[0])).toEqual(
      loops.backwardDense([point]).map((part) => part[0]),
    );
    const tangents = [Float64Array.of(1, 0), Float64Array.of(0, 1)];
    expect([...many.jvp(each, tangents)]).toEqual([...loops.jvp(each, tangents)]);
  });

  test("computes composites, and in float32", () => {
    const softmax = graph(({ input }) => input("x", [4]).logsumexp({ axes: [0], keepdims: false }));
    const g = compile(softmax, { engine, dtype: "float32" });
    const gradient = at(g.gradient(Float32Array.of(1, 1, 1, 1)), 0);
    expect(gradient).toBeInstanceOf(Float32Array);
    expect([...gradient]).toEqual([0.25, 0.25, 0.25, 0.25]);
  });
});
