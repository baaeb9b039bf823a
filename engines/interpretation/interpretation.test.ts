import process from "node:process";
import { describe, expect, test } from "vitest";
import { expand, type Node, present } from "../../spec/index.ts";
import { node, question, scalar, seed, tensor } from "../asking.test.kit.ts";
import { type Answer, interpret, type Parts, soundParts } from "./interpretation.ts";
import type { Arena } from "./machine.ts";

/** Returns the tensors of an answer; a misfit fails the test. */
function arenasOf(answer: Answer): readonly Arena[] {
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

/** Makes `count` nodes, each the sum of the one before and x. */
function chain(count: number): Node[] {
  return Array.from({ length: count }, (_, n) => node("add", {}, n, 0));
}

const count = 100_000;
const long = question([scalar(1)], chain(count));
const seeds = [seed(count, scalar(1))];

describe("a chain of 10⁵ nodes", () => {
  const core = interpret(expand(long.graph).graph, "float64");

  test("is evaluated and swept both ways without a deep stack", () => {
    const values = arenasOf(core.evaluate(long.point));
    expect(values).toHaveLength(count);
    expect(values.at(-1)).toEqual(Float64Array.of(count + 1));
    expect(arenasOf(core.jvp(long.point, [scalar(2)])).at(-1)).toEqual(Float64Array.of(2 * (count + 1)));
    expect(arenasOf(core.vjp(long.point, seeds))).toEqual([Float64Array.of(count + 1)]);
    const cotangents = arenasOf(core.backwardDense(long.point, seeds));
    expect(cotangents).toHaveLength(count + 1);
    expect(cotangents.slice(1).every(([c]) => c === 1)).toBe(true);
  });

  test("takes one slot for each id, and work space for one node", () => {
    const extents = { ids: count + 1, slots: count + 1, reals: 0, indices: 0, work: 2 };
    expect(core.layout.extents).toEqual(extents);
  });

  test("runs each rule once for each node, the reverse one only where a cotangent arrived", () => {
    const calls = { forward: 0, jvp: 0, vjp: 0 };
    const { add } = soundParts.kernels;
    const counted: typeof add = {
      ...add,
      forward(...of) {
        calls.forward++;
        add.forward(...of);
      },
      jvp(...of) {
        calls.jvp++;
        add.jvp(...of);
      },
      vjp(...of) {
        calls.vjp++;
        add.vjp(...of);
      },
    };
    const kernels = { ...soundParts.kernels, add: counted };
    const counting = interpret(expand(long.graph).graph, "float64", { ...soundParts, kernels });
    arenasOf(counting.jvp(long.point, [scalar(2)]));
    expect(calls).toEqual({ forward: count, jvp: count, vjp: 0 });
    arenasOf(counting.vjp(long.point, seeds));
    expect(calls).toEqual({ forward: 2 * count, jvp: count, vjp: count });
    arenasOf(counting.vjp(long.point, [seed(10, scalar(1))]));
    expect(calls).toEqual({ forward: 3 * count, jvp: count, vjp: count + 10 });
  });
});

describe("the interpretation's memory", () => {
  const size = 1000;
  const ramp = tensor(Array.from({ length: size }, (_, i) => i + 1));
  const nodes = [
    node("multiply", {}, 0, 0),
    node("take", { axis: 0, indices: "i" }, 1),
    node("reshape", { shape: [10, 100] }, 2),
    node("permute_dims", { axes: [1, 0] }, 3),
    node("matmul", {}, 3, 4),
    node("sum", { axes: [0, 1], keepdims: false }, 5),
    node("broadcast_to", { shape: [size] }, 6),
    node("concat", { axis: 0 }, 7, 0, 7),
    node("tanh", {}, 8),
  ];
  const { graph, point } = question([ramp], nodes, { i: ["index", tensor(Array(size).fill(3))] });
  const last = [seed(9, tensor(Array(3 * size).fill(1)))];

  /** Returns the four answers of an interpreter. */
  function answersOf(parts: Parts): () => Answer[] {
    const core = interpret(expand(graph).graph, "float64", parts);
    return () => [
      core.evaluate(point),
      core.jvp(point, point.inputs),
      core.vjp(point, last),
      core.backwardDense(point, last),
    ];
  }

  test("an answer is the same object at every call, and so are its tensors", () => {
    const ask = answersOf(soundParts);
    const first = ask();
    const arenas = first.map((answer) => [...arenasOf(answer)]);
    for (const [n, answer] of ask().entries()) {
      expect(answer).toBe(first[n]);
      for (const [m, arena] of arenasOf(answer).entries()) expect(arena).toBe(arenas[n]?.[m]);
    }
  });

  test("values, tangents and cotangents lie in one buffer each", () => {
    const buffers = answersOf(soundParts)().map((answer) => new Set(arenasOf(answer).map((a) => a.buffer)));
    expect(buffers.map(({ size }) => size)).toEqual([1, 1, 1, 1]);
    const [values, tangents, inputCotangents, cotangents] = buffers.map(([buffer]) => buffer);
    expect(inputCotangents).toBe(cotangents);
    expect(new Set([values, tangents, cotangents]).size).toBe(3);
  });

  test("what was answered before is overwritten by the next question", () => {
    const core = interpret(expand(long.graph).graph, "float64");
    const value = present(arenasOf(core.evaluate(long.point)).at(-1), "last value");
    core.evaluate({ ...long.point, inputs: [scalar(2)] });
    expect(value).toEqual(Float64Array.of(2 * (count + 1)));
  });

  /** Measures by how many bytes the process's buffers grow while a question is asked 200 times. */
  function growthOf(ask: () => Answer[]): number {
    ask();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 200; round++) ask();
    return process.memoryUsage().arrayBuffers - before;
  }

  test("no sweep makes a buffer, which one that does shows by megabytes", () => {
    expect(growthOf(answersOf(soundParts))).toBeLessThan(1 << 16);
    const { tanh } = soundParts.kernels;
    const copies: Arena[] = [];
    const hoarding: typeof tanh = {
      ...tanh,
      forward(machine, step) {
        tanh.forward(machine, step);
        copies.push(machine.values.slice(step.out, step.out + step.size));
      },
    };
    const kernels = { ...soundParts.kernels, tanh: hoarding };
    expect(growthOf(answersOf({ ...soundParts, kernels }))).toBeGreaterThan(1 << 23);
  });
});
