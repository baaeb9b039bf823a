import { describe, expect, test } from "vitest";
import { runReference } from "../../oracle/case/reference_run.ts";
import { caseAt } from "../../oracle/generate/index.ts";
import { float64 } from "../../reference/package.ts";
import {
  type CompositeRows,
  composites,
  expandUnless,
  type FlatTensor,
  type Graph,
  graph,
  type NodeOf,
  nodeId,
  present,
  type Shape,
  shapesOf,
  sizeOf,
} from "../../spec/index.ts";
import { networkProfile } from "./network_profile.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

/** Small integers of either sign, different ones next to each other: all sums of products are exact. */
function integers(shape: Shape, start: number): FlatTensor {
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => ((7 * i + start) % 11) - 5) };
}

/** Returns the value of the last id, and the cotangent of the first input where the last id's is `seed`. */
function pulled(program: Graph, inputs: readonly FlatTensor[], seed: FlatTensor, rows: CompositeRows) {
  const { graph: expanded, ids } = expandUnless(program, () => false, rows);
  const last = present(ids.at(-1), "id");
  const point = { inputs, environment: new Map<string, FlatTensor>() };
  const seeds = [{ id: last, cotangent: seed }];
  const { values, cotangents } = runReference({ graph: expanded, point, tangents: inputs, seeds }, float64);
  return { value: present(values[last], "value"), cotangent: cotangents.get(nodeId(0)) };
}

/** A convolution of the campaign, and what undoes its shapes. */
interface Pair {
  readonly x: Shape;
  readonly w: Shape;
  readonly attributes: NodeOf<"conv">["attributes"];
}

function* pairs(count: number): Iterable<Pair> {
  let found = 0;
  for (let index = 0; found < count; index++) {
    const { graph: program } = caseAt(networkProfile("conv"), 23, index);
    const shapes = shapesOf(program);
    for (const node of program.nodes) {
      if (node.op !== "conv") continue;
      const [x = [], w = []] = node.parents.map((id) => shapes[id] ?? []);
      if (x.slice(2).includes(0)) continue;
      found += 1;
      yield { x, w, attributes: node.attributes };
    }
  }
}

/** Counts what a stride leaves over at the end of each axis. */
function leftOver({ x, w, attributes: { strides, padding, dilations } }: Pair): number[] {
  return strides.map((stride, axis) => {
    const [low, high] = padding[axis] ?? [0, 0];
    const reach = ((w[axis + 2] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    return ((x[axis + 2] ?? 0) + low + high - reach) % stride;
  });
}

/** Tells whether ⟨conv(x, w), c⟩ = ⟨x, conv_transpose(c, w)⟩ both ways: each is the other's pull-back. */
function isAdjoint(pair: Pair, rows: CompositeRows): boolean {
  const { attributes } = pair;
  const straight = graph(({ input }) => input("x", pair.x).conv(input("w", pair.w), attributes));
  const result = shapesOf(straight).at(-1) ?? [];
  const turned = graph(({ input }) =>
    input("c", result).conv_transpose(input("w", pair.w), { ...attributes, output_padding: leftOver(pair) }),
  );
  const [x, w, c] = [integers(pair.x, 1), integers(pair.w, 4), integers(result, 9)];
  const there = pulled(straight, [x, w], c, rows);
  const back = pulled(turned, [c, w], x, rows);
  return sameTensor(there.cotangent, back.value) && sameTensor(back.cotangent, there.value);
}

function sameTensor(a: FlatTensor | undefined, b: FlatTensor): boolean {
  return a !== undefined && String(a.shape) === String(b.shape) && a.data.every((x, i) => x === b.data[i]);
}

describe("conv and conv_transpose", () => {
  const some = [...pairs(80)];

  test("are adjoint, to the last bit", () => {
    expect(some.filter((pair) => !isAdjoint(pair, composites))).toEqual([]);
  });

  test("are not, if a kernel is turned round in one of them", () => {
    const rows = { ...composites, conv_transpose: wrongRows.conv_transpose };
    expect(some.some((pair) => !isAdjoint(pair, rows))).toBe(true);
  });

  test("are tried with strides, dilations, groups, uneven padding and several axes", () => {
    const has = (holds: (pair: Pair) => boolean): boolean => some.some(holds);
    expect(has(({ attributes }) => Math.max(...attributes.strides) > 1)).toBe(true);
    expect(has((pair) => Math.max(...leftOver(pair)) > 0)).toBe(true);
    expect(
      has(({ attributes, w }) => attributes.dilations.some((d, axis) => d > 1 && (w[axis + 2] ?? 1) > 1)),
    ).toBe(true);
    expect(has(({ attributes }) => attributes.groups > 1)).toBe(true);
    expect(has(({ attributes }) => attributes.padding.some(([low, high]) => low !== high))).toBe(true);
    expect(new Set(some.map(({ x }) => x.length))).toEqual(new Set([3, 4, 5]));
  });
});
