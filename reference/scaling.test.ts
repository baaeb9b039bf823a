import { describe, expect, test } from "vitest";
import {
  type ConcatAttributes,
  type CumulativeSumAttributes,
  checkGraph,
  type Graph,
  isPrimitiveGraph,
  nodeId,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  primitiveNames,
  primitives,
} from "../spec/index.ts";
import type { float64 } from "./algebras/float.ts";
import { compile } from "./compile.ts";
import { dense } from "./context.ts";
import { contextShapes, type GraphData } from "./graph.ts";
import { interpret } from "./interpret.ts";
import { application, jvpOf, type RuleOf } from "./operators/apply.test.kit.ts";
import type { Rule } from "./operators/rule.ts";
import { rules } from "./operators/rules.ts";
import {
  countedEnvironment,
  countedFloats,
  countedList,
  countedTensor,
  exponentOf,
  type Growth,
  growths,
  type Sized,
} from "./scaling.test.kit.ts";
import { backpropAllCtx, backpropSparse, jvpCtx } from "./sweep.ts";
import { backward, backwardDenseAll } from "./tape.ts";
import { at, type Tensor, tensor } from "./tensor.ts";

/** A measured power may be so far from the true one: what does not grow makes it a little less. */
const SLACK = 0.1;

const ones = (shape: readonly number[]): Tensor<number> => tensor(shape, (i) => 1 + (i % 3));

/** Returns the steps of the value, its tangent and the cotangents of an operator at a size. */
function stepsOf<K extends PrimitiveName>(
  op: K,
  rule: RuleOf<K>,
  { attributes, operands, environment = new Map() }: Sized<PrimitiveAttributes[K]>,
): number {
  const steps = { count: 0 };
  const algebra = countedFloats(steps);
  const tensors = operands.map((shape) => countedTensor(steps, ones(shape)));
  const use = { op, attributes, environment: countedEnvironment(steps, environment) };
  const applied = { ...application(use, algebra, tensors), operands: countedList(steps, tensors) };
  const cotangent = countedTensor(steps, ones(applied.shape));
  // What it took to prepare is none of the rule's.
  steps.count = 0;
  rule.forward(applied);
  rule.validate?.(applied);
  rule.vjp(applied, cotangent);
  jvpOf(rule, use, algebra, tensors, tensors);
  // Shapes alone are looked at where nothing is computed with.
  return steps.count + applied.shape.length;
}

function growthsOf<K extends PrimitiveName>(op: K): readonly Growth<PrimitiveAttributes[K]>[] {
  const own = growths[op];
  return own ?? [];
}

/** Finds where an operator's steps grow faster than they may. */
function faultsOf<K extends PrimitiveName>(op: K, rule: RuleOf<K>): string[] {
  return growthsOf(op).flatMap((growth) => {
    const exponent = exponentOf((size) => stepsOf(op, rule, growth.at(size)));
    return exponent > growth.exponent + SLACK
      ? [`${op} over ${growth.of}: ${exponent.toFixed(2)}, not ${growth.exponent}`]
      : [];
  });
}

/** Returns a graph of one input and nodes with these parents, of one operator or of `sin` and `add`. */
function graphOf(
  nodes: readonly (readonly number[])[],
  { op, size }: { readonly op?: PrimitiveName; readonly size?: number } = {},
): Parameters<typeof interpret>[0] {
  const checked = checkGraph({
    format: "adjudge.graph.v1",
    inputs: [{ name: "x", shape: size === undefined ? [] : [size] }],
    environment: [],
    nodes: nodes.map((parents) => ({
      op: op ?? (parents.length === 1 ? "sin" : "add"),
      attributes: {},
      parents,
    })),
  });
  const graph: Graph | undefined = checked.ok ? checked.value : undefined;
  if (graph === undefined || !isPrimitiveGraph(graph)) throw new Error("not well-formed");
  return graph;
}

/** Returns the power of the size that the steps of `work` grow with, on what a graph of that size means. */
function exponentFor(
  graphAt: (size: number) => Parameters<typeof interpret>[0],
  work: (graph: GraphData<number>, algebra: typeof float64, size: number) => void,
): number {
  return exponentOf((size) => {
    const steps = { count: 0 };
    const algebra = countedFloats(steps);
    const graph = interpret(graphAt(size), algebra);
    if (!graph.ok) throw new Error("not over float64");
    work(graph.value, algebra, size);
    return steps.count;
  });
}

describe("the steps of an operator", () => {
  const isElementwise = (op: PrimitiveName): boolean => primitives[op].isElementwise === true;

  test("are counted for each: it is elementwise, or says how it grows", () => {
    const silent = primitiveNames.filter((op) => !isElementwise(op) && growthsOf(op).length === 0);
    expect(silent).toEqual([]);
  });

  test.each(primitiveNames.filter((op) => !isElementwise(op)))("grow as they have to: %s", (op) => {
    expect(faultsOf(op, rules[op])).toEqual([]);
  });

  test.each(primitiveNames.filter(isElementwise))("grow with the elements: %s", (op) => {
    const parents = Array.from({ length: Number(primitives[op].arity) }, () => 0);
    const exponent = exponentFor(
      (size) => graphOf([parents], { op, size }),
      (graph, { additive }, size) => {
        const [x, seed] = [[ones([size])], [ones([size]), ones([size])]];
        jvpCtx(graph, x, x, new Map());
        backpropAllCtx(additive, graph, x, new Map(), seed);
      },
    );
    expect(Math.abs(exponent - 1)).toBeLessThan(SLACK);
  });

  test("would show a join that looks for the owner of each element", () => {
    const searching: Rule<"additive", ConcatAttributes> = {
      ...rules.concat,
      forward: ({ operands, shape }) =>
        tensor(shape, (position) => {
          let rest = position;
          const owner = operands.find((part) => {
            if (rest < part.data.length) return true;
            rest -= part.data.length;
            return false;
          });
          return at(present(owner, "an owner"), rest);
        }),
    };
    expect(faultsOf("concat", searching)).toEqual([
      expect.stringMatching(/^concat over operands: 1\.\d\d, not 1$/),
    ]);
  });

  test("would show running sums that each begin anew", () => {
    const anew: Rule<"additive", CumulativeSumAttributes> = {
      ...rules.cumulative_sum,
      forward: ({ algebra, operands: [x] }) =>
        tensor(present(x, "an operand").shape, (position) => {
          let sum = algebra.zero;
          for (let i = 0; i <= position; i++) sum = algebra.add(sum, at(present(x, "an operand"), i));
          return sum;
        }),
    };
    expect(faultsOf("cumulative_sum", anew)).toHaveLength(2);
  });
});

describe("the steps of a sweep", () => {
  const shapes: Readonly<Record<string, (count: number) => number[][]>> = {
    "a chain": (count) => Array.from({ length: count }, (_, i) => [i]),
    "a fan": (count) => Array.from({ length: count }, () => [0]),
    "a ladder": (count) => Array.from({ length: count }, (_, i) => [i, Math.max(0, i - 1)]),
  };
  const x = [ones([])];

  test.each(Object.entries(shapes))("grow with the nodes of %s", (_, nodes) => {
    const exponent = exponentFor(
      (count) => graphOf(nodes(count)),
      (graph, { additive }, last) => {
        const seed = new Map([[nodeId(last), ones([])]]);
        jvpCtx(graph, x, x, new Map());
        backpropAllCtx(additive, graph, x, new Map(), dense(additive, contextShapes(graph), seed));
        backpropSparse(additive, graph, x, new Map(), seed);
        const compiled = compile(additive, graph, x, new Map(), "sparse");
        if (!compiled.ok) throw new Error(compiled.error.message);
        backwardDenseAll(additive, compiled.value.tape, last, ones([]));
        backward(additive, compiled.value.tape, last, ones([]));
      },
    );
    expect(Math.abs(exponent - 1)).toBeLessThan(SLACK);
  });

  test("would show a tape whose nodes list every earlier id", () => {
    const exponent = exponentFor(
      (count) => graphOf(Array.from({ length: count }, (_, i) => [i])),
      (graph, { additive }, last) => {
        const compiled = compile(additive, graph, x, new Map(), "dense");
        if (!compiled.ok) throw new Error(compiled.error.message);
        backwardDenseAll(additive, compiled.value.tape, last, ones([]));
      },
    );
    expect(exponent).toBeGreaterThan(1.5);
  });
});
