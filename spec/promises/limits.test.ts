import { describe, expect, it } from "vitest";
import { type Graph, type Node, nodeId, type Shape, shapesOf } from "../index.ts";
import type { Limit, Limits } from "../wire/index.ts";
import { beyondLimits, moved } from "./limits.ts";

function applied(op: string, attributes: object, ...shapes: readonly Shape[]): Graph {
  const node = { op, attributes, parents: shapes.map((_, place) => nodeId(place)) };
  const inputs = shapes.map((shape, place) => ({ name: `x${place}`, shape }));
  return { format: "adjudge.graph.v1", inputs, environment: [], nodes: [JSON.parse(JSON.stringify(node))] };
}

const conv = (padding: readonly (readonly number[])[], groups = 1): Graph =>
  applied("conv", { strides: [1], padding, dilations: [1], groups }, [1, 2, 3], [2, 2 / groups, 2]);

function of(op: string, limits: Readonly<Record<string, Limit>>): Limits {
  return { [op]: limits };
}

describe("beyondLimits", () => {
  it.each([
    ["symmetric padding", of("conv", { padding: { form: "symmetric" } }), conv([[1, 1]]), conv([[1, 0]])],
    ["one group", of("conv", { groups: { among: [1] } }), conv([[0, 0]]), conv([[0, 0]], 2)],
    [
      "the last axis",
      of("softmax", { axis: { form: "last" } }),
      applied("softmax", { axis: 1 }, [2, 3]),
      applied("softmax", { axis: 0 }, [2, 3]),
    ],
    [
      "the last axis of a stack",
      of("stack", { axis: { form: "last" } }),
      applied("stack", { axis: 1 }, [2], [2]),
      applied("stack", { axis: 0 }, [2], [2]),
    ],
    [
      "the last axis alone",
      of("sum", { axes: { form: "last" } }),
      applied("sum", { axes: [1], keepdims: false }, [2, 3]),
      applied("sum", { axes: [0, 1], keepdims: false }, [2, 3]),
    ],
    [
      "trailing axes",
      of("sum", { axes: { form: "trailing" } }),
      applied("sum", { axes: [2, 1], keepdims: false }, [2, 3, 4]),
      applied("sum", { axes: [0, 2], keepdims: false }, [2, 3, 4]),
    ],
    [
      "whole corrections",
      of("var", { correction: { form: "integer" } }),
      applied("var", { axes: [0], keepdims: false, correction: 1 }, [3]),
      applied("var", { axes: [0], keepdims: false, correction: 0.5 }, [3]),
    ],
    [
      "a range of epsilon",
      of("layer_norm", { epsilon: { least: 1e-6 } }),
      applied("layer_norm", { axes: [1], epsilon: 1e-5 }, [2, 3], [3], [3]),
      applied("layer_norm", { axes: [1], epsilon: 0 }, [2, 3], [3], [3]),
    ],
    [
      "kinds of gelu",
      of("gelu", { approximate: { among: ["none"] } }),
      applied("gelu", { approximate: "none" }, [2]),
      applied("gelu", { approximate: "tanh" }, [2]),
    ],
    [
      "ranks of an operator",
      of("matmul", { ranks: { greatest: 2 } }),
      applied("matmul", {}, [2, 3], [3, 2]),
      applied("matmul", {}, [1, 2, 3], [1, 3, 2]),
    ],
    [
      "extents of every tensor",
      of("every", { extents: { least: 1 } }),
      applied("exp", {}, [2]),
      applied("exp", {}, [0]),
    ],
    [
      "ranks of a value alone",
      of("outer", { ranks: { greatest: 1 } }),
      applied("exp", {}, [2, 2]),
      applied("outer", {}, [2], [2]),
    ],
  ] as readonly (readonly [
    string,
    Limits,
    Graph,
    Graph,
  ])[])("takes %s, and nothing else", (_, limits, within, beyond) => {
    expect(beyondLimits({ limits }, within)).toBeUndefined();
    expect(beyondLimits({ limits }, beyond)).toBeTypeOf("string");
    expect(beyondLimits({}, beyond)).toBeUndefined();
  });

  it("says what lies outside", () => {
    const limits = of("conv", { padding: { form: "symmetric" } });
    expect(beyondLimits({ limits }, conv([[1, 0]]))).toBe("conv with padding [[1,0]]");
    const flat = of("exp", { ranks: { greatest: 0 } });
    expect(beyondLimits({ limits: flat }, applied("exp", {}, [2]))).toBe("the shape [2] of exp");
  });

  it("looks into the expansion of what is written out, and only of that", () => {
    const limits = of("sum", { axes: { form: "last" } });
    const mean = applied("mean", { axes: [0], keepdims: false }, [2, 3]);
    expect(beyondLimits({ limits }, mean)).toBeUndefined();
    expect(beyondLimits({ limits, written: ["mean"] }, mean)).toMatch(/^sum with axes/);
  });

  it("looks into the graph of a derivative", () => {
    const inner = applied("softmax", { axis: 0 }, [2, 3]);
    const outer = applied("differentiate", { graph: inner, mode: "jvp", of: 1, wrt: 0 }, [2, 3], [2, 3]);
    expect(beyondLimits({ limits: of("softmax", { axis: { form: "last" } }) }, outer)).toMatch(/^softmax/);
  });
});

describe("moved", () => {
  const first = <T>([value]: readonly [T, ...T[]]): T => value;
  it.each([
    [of("conv", { padding: { form: "symmetric", greatest: 1 } }), conv([[2, 0]]), [[1, 1]]],
    [of("sum", { axes: { form: "last" } }), applied("sum", { axes: [0], keepdims: true }, [2, 3]), [1]],
    [
      of("sum", { axes: { form: "trailing" } }),
      applied("sum", { axes: [0, 2], keepdims: true }, [2, 3, 4]),
      [1, 2],
    ],
    [of("softmax", { axis: { form: "last" } }), applied("softmax", { axis: 0 }, [2, 3]), 1],
    [
      of("var", { correction: { form: "integer", greatest: 1 } }),
      applied("var", { axes: [0], keepdims: false, correction: 0.5 }, [3]),
      1,
    ],
    [of("gelu", { approximate: { among: ["tanh"] } }), applied("gelu", { approximate: "none" }, [2]), "tanh"],
  ] as readonly (readonly [Limits, Graph, unknown])[])("moves a node into %j", (limits, graph, wanted) => {
    const [node] = graph.nodes;
    const operands = shapesOf({ ...graph, nodes: [] });
    const there = moved({ limits }, node as Node, operands, first);
    expect(Object.values(there.attributes)).toContainEqual(wanted);
    expect(beyondLimits({ limits }, { ...graph, nodes: [there] })).toBeUndefined();
  });

  it("leaves alone what is promised", () => {
    const limits = of("softmax", { axis: { form: "last" } });
    const { nodes } = applied("softmax", { axis: 1 }, [2, 3]);
    const [node] = nodes;
    expect(moved({ limits }, node as Node, [[2, 3]], first).attributes).toEqual({ axis: 1 });
  });
});
