import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  expand,
  InvariantError,
  nodeId,
  present,
  type Result,
  type Graph as WrittenGraph,
} from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import { integer } from "./algebras/integer.ts";
import { type Compiled, compile, type Emission } from "./compile.ts";
import type { Environment } from "./environment.ts";
import { contextShapes, type GraphData, type NodeData, nil, snocNode } from "./graph.ts";
import { noEnvironment, product, scalar } from "./hand.test.kit.ts";
import { interpret } from "./interpret.ts";
import { filled, lawlessData, lawlessGraphs } from "./lawless.test.kit.ts";
import { backpropAllCtx } from "./sweep.ts";
import { backwardDenseFrom, type TapeNode } from "./tape.ts";
import type { Tensor } from "./tensor.ts";

const ring = present(integer.levels.ring, "a ring");

/** Γ = (x, y), then x · x and that times x; y is read by nobody. */
const cube: GraphData<bigint> = snocNode(snocNode(nil([[], []]), product(ring, 0, 0)), product(ring, 2, 0));
const x = [scalar(2n), scalar(3n)];

function compiled<S, E>(result: Result<Compiled<S>, E>): Compiled<S> {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Returns what a node hands on, as pairs of an id and a number. */
function emitted(emission: Emission, id: number): unknown {
  const { tape } = compiled(compile(ring, cube, x, noEnvironment, emission));
  const contributions = present(tape[id], "a node").backward(scalar(10n));
  return contributions.ok && contributions.value.map(({ parent, cotangent }) => [parent, ...cotangent.data]);
}

describe("a compiled tape", () => {
  it("has a leaf for each input and a node for each node, with its name, value and parents", () => {
    const { tape, context } = compiled(compile(ring, cube, x, noEnvironment));
    const facts = ({ name, value, parents, requiresGrad }: TapeNode<bigint>): unknown[] => [
      name,
      ...value.data,
      parents.length,
      requiresGrad,
    ];
    expect(tape.map(facts)).toEqual([
      ["leaf", 2n, 0, true],
      ["leaf", 3n, 0, true],
      ["product", 4n, 2, true],
      ["product", 8n, 2, true],
    ]);
    expect(context).toEqual([2n, 3n, 4n, 8n].map(scalar));
  });

  it("emits one contribution for every entry of the context, from id 0, in the dense form", () => {
    expect(emitted("dense", 2)).toEqual([
      [0, 40n],
      [1, 0n],
    ]);
    expect(emitted("dense", 3)).toEqual([
      [0, 40n],
      [1, 0n],
      [2, 20n],
    ]);
  });

  it("emits one for each id that the node lists, in the sparse form", () => {
    expect(emitted("sparse", 2)).toEqual([[0, 40n]]);
    expect(emitted("sparse", 3)).toEqual([
      [2, 20n],
      [0, 40n],
    ]);
  });

  it("sums to the same in both forms, but for the sign of a zero nobody reads", () => {
    const real = present(float64.levels.real, "the reals");
    const graph = snocNode(nil<number>([[], []]), product(real, 0, 0));
    const swept = (emission: Emission): unknown => {
      const { tape } = compiled(compile(real, graph, [scalar(2), scalar(3)], noEnvironment, emission));
      const seed = [scalar(-0), scalar(-0), scalar(1)];
      const gradients = backwardDenseFrom(real, tape, seed);
      return gradients.ok && gradients.value.map(({ data }) => data[0]);
    };
    expect(swept("dense")).toEqual([4, 0, 1]);
    expect(swept("sparse")).toEqual([4, -0, 1]);
  });

  it("refuses an upstream cotangent of another shape than the node's", () => {
    const { tape } = compiled(compile(ring, cube, x, noEnvironment));
    const refused = present(tape[3], "a node").backward({ shape: [1], data: [1n] });
    expect(refused.ok || [refused.error.code, refused.error.pointer]).toEqual(["tape/upstream-shape", "/3"]);
  });

  test.each([
    "dense",
    "sparse",
  ] as const)("throws where a node contributes to an id that is not earlier, in the %s form too", (emission) => {
    const ahead: NodeData<bigint> = {
      ...product(ring, 0, 0),
      vjp: (_context, _environment, c) => new Map([[nodeId(2), c]]),
    };
    const graph = snocNode(snocNode(nil<bigint>([[]]), ahead), product(ring, 1, 0));
    const { tape } = compiled(compile(ring, graph, [scalar(2n)], noEnvironment, emission));
    expect(() => tape[1]?.backward(scalar(1n))).toThrow(InvariantError);
  });
});

describe("compile fails", () => {
  test.each<readonly [string, readonly Tensor<bigint>[], string]>([
    ["where an input is missing", [scalar(1n)], "/inputs/1"],
    ["where there is one too many", [scalar(1n), scalar(1n), scalar(1n)], ""],
    ["where one has another shape", [scalar(1n), { shape: [1], data: [1n] }], "/inputs/1"],
  ])("%s", (_what, inputs, pointer) => {
    const refused = compile(ring, cube, inputs, noEnvironment);
    expect(refused.ok || [refused.error.code, refused.error.pointer]).toEqual(["compile/inputs", pointer]);
  });

  test("as a node's precondition says, before the node is evaluated", () => {
    const evaluated: string[] = [];
    const guarded = (name: string, isRefused: boolean): NodeData<bigint> => ({
      ...product(ring, 0, 0),
      forward: () => {
        evaluated.push(name);
        return scalar(0n);
      },
      validate: () => (isRefused ? { code: "test/refused", message: `${name}.`, hint: "none" } : undefined),
    });
    const graph = [guarded("a", false), guarded("b", true), guarded("c", false)].reduce(
      (g, node) => snocNode(g, node),
      nil<bigint>([[]]),
    );
    const refused = compile(ring, graph, [scalar(1n)], noEnvironment);
    expect(refused.ok || refused.error).toEqual({
      code: "test/refused",
      pointer: "/nodes/1",
      message: "b.",
      hint: "none",
    });
    expect(evaluated).toEqual(["a"]);
  });

  test.each([[[0, 3]], [[-1]], [[0.5]], [[Number.NaN]]])("where take's indices are %j of 3", (indices) => {
    const program: WrittenGraph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [2, 3] }],
      environment: [{ name: "i", kind: "index", shape: [indices.length] }],
      nodes: [{ op: "take", attributes: { axis: 1, indices: "i" }, parents: [nodeId(0)] }],
    };
    const graph = interpret(expand(program).graph, integer);
    if (!graph.ok) throw new Error("integers offer what take needs");
    const environment: Environment<bigint> = new Map([
      ["i", { kind: "index", shape: [indices.length], indices }] as const,
    ]);
    const refused = compile(
      ring,
      graph.value,
      [{ shape: [2, 3], data: [1n, 2n, 3n, 4n, 5n, 6n] }],
      environment,
    );
    expect(refused.ok || [refused.error.code, refused.error.pointer]).toEqual(["take/index", "/nodes/0"]);
  });
});

describe("a tape with a flag for each leaf", () => {
  const flagged = (leaves: readonly boolean[], emission: Emission = "sparse"): readonly TapeNode<bigint>[] =>
    compiled(compile(ring, cube, x, noEnvironment, emission, leaves)).tape;

  test("has nodes that require a gradient where they depend on a leaf that does", () => {
    const flags = (leaves: readonly boolean[]): unknown => flagged(leaves).map((node) => node.requiresGrad);
    expect([flags([true, true]), flags([true, false]), flags([false, true])]).toEqual([
      [true, true, true, true],
      [true, false, true, true],
      [false, true, false, false],
    ]);
  });

  test("is the one without flags where all are set", () => {
    const facts = (tape: readonly TapeNode<bigint>[]): unknown =>
      tape.map(({ name, value, requiresGrad, parents }) => [name, value, requiresGrad, parents]);
    expect(facts(flagged([true, true]))).toEqual(facts(compiled(compile(ring, cube, x, noEnvironment)).tape));
  });

  test.each<Emission>([
    "dense",
    "sparse",
  ])("gives, %s, the gradients of what requires one, and the seed of what does not", (emission) => {
    const graphs = fc.property(
      lawlessGraphs,
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      (recipe, drawn) => {
        const graph = lawlessData(ring, recipe);
        const leaves = drawn.slice(0, graph.inputs.length);
        const point = filled(graph.inputs, [2n, -3n, 5n], 0);
        const seed = filled(contextShapes(graph), [1n, 4n, -2n, 7n], 1);
        const { tape } = compiled(compile(ring, graph, point, noEnvironment, emission, leaves));
        const swept = backwardDenseFrom(ring, tape, seed);
        const owed = backpropAllCtx(ring, graph, point, noEnvironment, seed);
        return (
          swept.ok &&
          tape.every(({ requiresGrad }, id) => {
            const expected = requiresGrad ? owed[id] : seed[id];
            return String(swept.value[id]?.data) === String(expected?.data);
          })
        );
      },
    );
    fc.assert(graphs, { seed: 23, numRuns: 300 });
  });

  test("is refused for another number of flags than inputs", () => {
    const refused = compile(ring, cube, x, noEnvironment, "sparse", [true]);
    expect(refused.ok ? undefined : refused.error.code).toBe("compile/leaves");
  });
});
