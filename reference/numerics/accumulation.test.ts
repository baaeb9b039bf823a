import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Algebra,
  at as elementOf,
  everyLevel,
  expand,
  graph,
  nodeId,
  type OrderedReal,
  type PrimitiveGraph,
  present,
  shapesOf,
  standardPosit,
  type Graph as WrittenGraph,
} from "../../spec/index.ts";
import { dual } from "../algebras/dual.ts";
import { greatestCode, type Posit, positValue, roundToPosit } from "../algebras/posit_format.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { compile } from "../compile.ts";
import { type Context, dense } from "../context.ts";
import type { Environment } from "../environment.ts";
import { contextShapes } from "../graph.ts";
import { isSameContext } from "../hand.test.kit.ts";
import { interpret } from "../interpret.ts";
import type { Graph } from "../lawful.ts";
import { lawlessGraphs } from "../lawless.test.kit.ts";
import { backpropAllCtx, backpropSparse, evaluate, jvpCtx } from "../sweep.ts";
import { backward, backwardDenseFrom, backwardDenseReached } from "../tape.ts";
import { lawless } from "../tapes/law.test.kit.ts";
import type { TapeSystem } from "../tapes/system.ts";
import { tapeSystems } from "../tapes/table.ts";
import { map, type Tensor, tensor, zeros } from "../tensor.ts";
import { posit } from "./posit.ts";
import { quireOperations } from "./quire.ts";

const FORMAT = standardPosit(16);

function algebraOf(accumulation: "rounded" | "quire"): Algebra<Posit, boolean> {
  const made = posit(FORMAT, accumulation);
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

const [rounded, quire] = [algebraOf("rounded"), algebraOf("quire")];
const operations = present(quire.levels.orderedReal, "the reals");

/** Returns the quire's algebra with some of its operations planted. */
function planted(name: string, wrong: Partial<OrderedReal<Posit, boolean>>): Algebra<Posit, boolean> {
  const all = { ...operations, ...wrong };
  return { ...quire, name, additive: all, levels: everyLevel(all) };
}

const q = quireOperations(FORMAT);
const chained = (terms: readonly Posit[]): Posit => terms.reduce(operations.add, 0n);
const exactly = (terms: readonly Posit[]): Posit => q.toPosit(terms.reduce(q.addPosit, 0n));

/** Sums that depend on the order of their terms; and dot products of them. */
const wrongSums: Readonly<Record<string, (terms: readonly Posit[]) => Posit>> = {
  "a rounding after each term": chained,
  "one quire for each half, each rounded": (terms) => {
    const half = Math.ceil(terms.length / 2);
    return operations.add(exactly(terms.slice(0, half)), exactly(terms.slice(half)));
  },
  // The first is the seed's, whatever the order.
  "the last term not in the quire": (terms) =>
    operations.add(exactly(terms.slice(0, -1)), terms.at(-1) ?? 0n),
  "a sum that saturates on its way": (terms) => {
    const limit = q.fromPosit(operations.literal(64));
    return q.toPosit(
      terms.reduce((total, x) => {
        const sum = q.addPosit(total, x);
        return sum > limit ? limit : sum < -limit ? -limit : sum;
      }, 0n),
    );
  },
};
const wrongAlgebras = Object.entries(wrongSums).map(([name, sum]) =>
  planted(name, { sum, dot: (xs, ys) => sum(xs.map((x, k) => operations.multiply(x, elementOf(ys, k)))) }),
);

/** Posits that cancel and leave little: of all sizes, and of either sign. */
const codes: fc.Arbitrary<Posit> = fc.oneof(
  fc.bigInt({ min: -greatestCode(FORMAT), max: greatestCode(FORMAT) }),
  fc.bigInt({ min: -0x5000n, max: 0x5000n }),
  fc.constantFrom(0n, 1n, -1n, 0x4000n, -0x4000n, 0x7000n, -0x7000n),
);

function meaning<S, B>(written: PrimitiveGraph, algebra: Algebra<S, B>): Graph<S> {
  const made = interpret(written, algebra);
  if (!made.ok) throw new Error(made.error[0]?.message ?? "no meaning");
  return made.value;
}

const indices: Environment<never> = new Map([
  ["places", { kind: "index", shape: [4], indices: [2, 0, 2, 2] }],
  ["rows", { kind: "index", shape: [7, 1], indices: [1, 1, 0, 1, 2, 1, 1] }],
]);

/** Graphs of one node, whose value or pullback (`what`) holds one sum in each element. */
const single: Readonly<Record<string, readonly ["value" | "pullback", WrittenGraph]>> = {
  sum: ["value", graph(({ input }) => input("x", [3, 4]).sum({ axes: [1], keepdims: false }))],
  matmul: ["value", graph(({ input }) => input("x", [2, 6]).matmul(input("y", [6, 2])))],
  "the pullback of matmul": ["pullback", graph(({ input }) => input("x", [2, 6]).matmul(input("y", [6, 2])))],
  conv: [
    "value",
    graph(({ input }) => {
      const [x, w] = [input("x", [1, 2, 5]), input("w", [2, 2, 3])];
      x.conv(w, { strides: [1], padding: [[1, 1]], dilations: [1], groups: 1 });
    }),
  ],
  cumulative_sum: ["value", graph(({ input }) => input("x", [2, 6]).cumulative_sum({ axis: 1 }))],
  "the pullback of cumulative_sum": [
    "pullback",
    graph(({ input }) => input("x", [6]).cumulative_sum({ axis: 0 })),
  ],
  "the pullback of broadcast_to": [
    "pullback",
    graph(({ input }) => input("x", [2, 1]).broadcast_to({ shape: [2, 5] })),
  ],
  "the pullback of take": [
    "pullback",
    graph((b) => b.input("x", [3]).take({ axis: 0, indices: b.indices("places", [4]) })),
  ],
  scatter_add: [
    "value",
    graph((b) => b.input("x", [3]).scatter_add(b.input("y", [7]), { indices: b.indices("rows", [7, 1]) })),
  ],
  "the pullback of gather": [
    "pullback",
    graph((b) => b.input("x", [3]).gather({ indices: b.indices("rows", [7, 1]) })),
  ],
};

/** A context of the shapes asked for, filled from a list that is long enough for the graphs here. */
function filled(
  shapes: readonly (readonly number[])[],
  numbers: readonly Posit[],
  from: number,
): Context<Posit> {
  return shapes.map((shape, id) =>
    tensor(shape, (position) =>
      elementOf(numbers, (from + 7 * id + 3 * position + id * position) % numbers.length),
    ),
  );
}

const rationals = (context: Context<Posit>): Context<Rational> =>
  context.map((x) => map(x, (code) => positValue(FORMAT, code)));
const elements = <S>(context: Context<S>): readonly S[] => context.flatMap(({ data }) => [...data]);

/** Evaluates a graph of {@link single}: returns its last value, or the cotangents of its inputs. */
function answer<S, B>(
  [asked, original]: readonly ["value" | "pullback", WrittenGraph],
  algebra: Algebra<S, B>,
  x: Context<S>,
  seed: Tensor<S>,
): readonly S[] {
  const { graph: written } = expand(original);
  const made = meaning(written, algebra);
  if (asked === "value") return evaluate(made, x, indices).at(-1)?.data ?? [];
  const shapes = shapesOf(written);
  const seeds = shapes.map((shape, id) => (id === shapes.length - 1 ? seed : zeros(algebra.additive, shape)));
  return elements(backpropAllCtx(algebra.additive, made, x, indices, seeds).slice(0, x.length));
}

/** Finds numbers for which an answer is not the exact sum rounded once. */
function notOnce(
  asked: readonly ["value" | "pullback", WrittenGraph],
  algebra: Algebra<Posit, boolean>,
): unknown {
  const { graph: written } = expand(asked[1]);
  const shapes = shapesOf(written);
  const law = fc.property(fc.array(codes, { minLength: 41, maxLength: 41 }), (numbers) => {
    const x = filled(
      written.inputs.map(({ shape }) => shape),
      numbers,
      0,
    );
    const [seed] = filled([present(shapes.at(-1), "a shape")], numbers, 17);
    const c = present(seed, "a seed");
    const truth = answer(
      asked,
      rational,
      rationals(x),
      map(c, (code) => positValue(FORMAT, code)),
    );
    const found = answer(asked, algebra, x, c);
    return found.every((code, place) => code === roundToPosit(FORMAT, elementOf(truth, place)));
  });
  return fc.check(law, { seed: 5, numRuns: 40, endOnFailure: true }).counterexample;
}

describe("with a quire, each element is the exact sum rounded once", () => {
  test.each(Object.keys(single))("of %s; and without, or with a wrong one, it is not", (name) => {
    const asked = present(single[name], name);
    expect(notOnce(asked, quire)).toBeNull();
    expect(notOnce(asked, rounded)).not.toBeNull();
    expect(notOnce(asked, elementOf(wrongAlgebras, 0))).not.toBeNull();
  });

  test("of tangents too: the tangent of a product of matrices is one sum of twice as many products", () => {
    const { graph: written } = expand(present(single.matmul, "a graph")[1]);
    const law = fc.property(fc.array(codes, { minLength: 41, maxLength: 41 }), (numbers) => {
      const shapes = written.inputs.map(({ shape }) => shape);
      const [x, dx] = [filled(shapes, numbers, 0), filled(shapes, numbers, 11)];
      const truth = jvpCtx(meaning(written, rational), rationals(x), rationals(dx), indices).at(-1);
      const found = jvpCtx(meaning(written, quire), x, dx, indices).at(-1);
      expect(found?.data).toEqual(truth?.data.map((tangent) => roundToPosit(FORMAT, tangent)));
    });
    fc.assert(law, { seed: 6, numRuns: 40 });
  });

  test("but not where an algebra adds one after the other: dual numbers over it have no sums of their own", () => {
    expect(dual(rounded).additive.sum).toBeUndefined();
    expect(dual(quire).additive.sum).toBeDefined();
    expect(operations.sum?.([])).toBe(0n);
    expect(rounded.additive.sum).toBeUndefined();
  });
});

/** A graph as it may be written: the same nodes in another topological order; new ids by old ones. */
interface Reordered {
  readonly graph: PrimitiveGraph;
  readonly newIds: readonly number[];
}

/** Returns the order in which `next` picks, again and again, one of the nodes whose parents stand already. */
function reordered(written: PrimitiveGraph, next: (count: number) => number): Reordered {
  const first = written.inputs.length;
  const newIds: number[] = written.inputs.map((_, id) => id);
  const left = new Set(written.nodes.keys());
  const nodes: PrimitiveGraph["nodes"][number][] = [];
  while (left.size > 0) {
    const ready = [...left].filter((index) =>
      elementOf(written.nodes, index).parents.every((id) => newIds[id] !== undefined),
    );
    const index = elementOf(ready, next(ready.length));
    const node = elementOf(written.nodes, index);
    newIds[first + index] = first + nodes.length;
    nodes.push({ ...node, parents: node.parents.map((id) => nodeId(elementOf(newIds, id))) });
    left.delete(index);
  }
  return { graph: { ...written, nodes }, newIds };
}

/** A value with many readers: products, a sum, a quotient, itself twice, a matrix product, and on. */
const manyReaders = expand(
  graph(({ input, tanh }) => {
    const [x, y] = [input("x", [4]), input("y", [4])];
    const products = [
      x.multiply(y),
      y.multiply(x).multiply(x),
      x.multiply(x),
      x.divide(y),
      tanh(x).multiply(y),
    ];
    for (const product of products) product.add(x).multiply(x);
    x.sum({ axes: [0], keepdims: false })
      .broadcast_to({ shape: [4] })
      .multiply(y);
    x.reshape({ shape: [1, 4] }).matmul(y.reshape({ shape: [4, 1] }));
    x.subtract(y).multiply(x.add(y));
  }),
).graph;

/** The inputs' cotangents over an algebra, by each of three sweeps, with a seed on every node. */
function gradients(
  algebra: Algebra<Posit, boolean>,
  numbers: readonly Posit[],
  { graph: written, newIds }: Reordered,
): readonly (readonly Posit[])[] {
  const { additive } = algebra;
  const made = meaning(written, algebra);
  const x = filled(made.inputs, numbers, 0);
  // Seeds belong to nodes, whatever their ids are now.
  const old = filled(shapesOf(manyReaders), numbers, 13);
  const seed = old.map((_, id) => elementOf(old, newIds.indexOf(id)));
  const compiled = compile(additive, made, x, indices, "sparse");
  if (!compiled.ok) throw new Error(compiled.error.message);
  const { tape } = compiled.value;
  const taped = backwardDenseFrom(additive, tape, seed);
  const seeds = new Map(seed.map((c, id) => [nodeId(id), c] as const));
  const sparse = backpropSparse(additive, made, x, indices, seeds);
  if (!taped.ok) throw new Error("no gradients");
  const sparseInputs = made.inputs.map((_, id) => present(sparse.get(nodeId(id)), "a cotangent"));
  return [
    elements(backpropAllCtx(additive, made, x, indices, seed).slice(0, x.length)),
    elements(sparseInputs),
    elements(taped.value.slice(0, x.length)),
  ];
}

/** Numbers and orders for which the sweeps do not all give one bit pattern. */
function dependsOnOrder(algebra: Algebra<Posit, boolean>): unknown {
  const inOrder: Reordered = { graph: manyReaders, newIds: shapesOf(manyReaders).map((_, id) => id) };
  const law = fc.property(
    fc.array(codes, { minLength: 29, maxLength: 29 }),
    fc.infiniteStream(fc.nat({ max: 1000 })),
    (numbers, draws) => {
      const shuffled = reordered(manyReaders, (count) => present(draws.next().value, "a draw") % count);
      const all = [...gradients(algebra, numbers, inOrder), ...gradients(algebra, numbers, shuffled)];
      const [first] = all;
      return all.every((found) => found.every((code, place) => code === first?.[place]));
    },
  );
  return fc.check(law, { seed: 77, numRuns: 60, endOnFailure: true }).counterexample;
}

describe("a reverse sweep whose every accumulation is a quire gives one bit pattern", () => {
  test("whatever the order of readers, dense, sparse and on the tape", () => {
    expect(dependsOnOrder(quire)).toBeNull();
  });

  test("and rounded at each step it does not", () => {
    expect(dependsOnOrder(rounded)).not.toBeNull();
  });

  test.each(wrongAlgebras)("nor with $name", (algebra) => {
    expect(dependsOnOrder(algebra)).not.toBeNull();
  });

  test("and of the tape's sparse form, from one output, where all seeds but one are zero", () => {
    const made = meaning(manyReaders, quire);
    // 0/0 is NaR, and the dense form multiplies it by zero cotangents [SEMANTICS 4.9].
    const nonzero = codes.filter((x) => x !== 0n);
    const law = fc.property(fc.array(nonzero, { minLength: 29, maxLength: 29 }), (numbers) => {
      const compiled = compile(quire.additive, made, filled(made.inputs, numbers, 0), indices, "sparse");
      if (!compiled.ok) throw new Error(compiled.error.message);
      const { tape, context } = compiled.value;
      const last = context.length - 1;
      const [c] = filled([elementOf(context, last).shape], numbers, 13);
      const seed = context.map(({ shape }, id) => (id === last && c ? c : zeros(quire.additive, shape)));
      const [some, all] = [
        backward(quire.additive, tape, last, present(c, "a seed")),
        backwardDenseFrom(quire.additive, tape, seed),
      ];
      if (!some.ok || !all.ok) throw new Error("no gradients");
      expect(some.value.size).toBeGreaterThan(2);
      some.value.forEach((g, id) => {
        expect(g).toEqual(all.value[id]);
      });
    });
    fc.assert(law, { seed: 78, numRuns: 20 });
  });

  test("and a tape refuses shapes that do not fit, as without", () => {
    const made = meaning(manyReaders, quire);
    const x = filled(made.inputs, [0x4000n], 0);
    const compiled = compile(quire.additive, made, x, indices, "sparse");
    if (!compiled.ok) throw new Error(compiled.error.message);
    const seed = shapesOf(manyReaders).map((shape) => zeros(quire.additive, shape));
    const odd = backwardDenseFrom(
      quire.additive,
      compiled.value.tape,
      seed.with(3, { shape: [], data: [0n] }),
    );
    expect(odd.ok ? undefined : odd.error.code).toBe("tape/gradient-shape");
    const wrong = compiled.value.tape.with(5, {
      ...elementOf(compiled.value.tape, 5),
      backward: () => ({ ok: true, value: [{ parent: 0, cotangent: { shape: [], data: [0n] } }] }),
    });
    const contributed = backwardDenseFrom(quire.additive, wrong, seed);
    expect(contributed.ok ? undefined : contributed.error.code).toBe("tape/contribution-shape");
    const nowhere = compiled.value.tape.with(5, {
      ...elementOf(compiled.value.tape, 5),
      backward: () => ({ ok: true, value: [{ parent: 999, cotangent: { shape: [], data: [0n] } }] }),
    });
    const lost = backwardDenseFrom(quire.additive, nowhere, seed);
    expect(lost.ok ? undefined : lost.error.code).toBe("tape/id");
  });
});

/** Finds numbers and a graph on which a tape system over plain posits differs from a sweep with a quire. */
function differs(system: TapeSystem, over: Algebra<Posit, boolean>): unknown {
  const law = fc.property(
    lawlessGraphs,
    fc.array(codes, { minLength: 7, maxLength: 7 }),
    (recipe, [first = 0n, ...rest]) => {
      const { subject, point, seed } = lawless(over, recipe, [first, ...rest]);
      const tape = system.record(subject, point);
      const found = tape.ok ? tape.value.backward(seed) : tape;
      const { additive } = quire;
      const owed = lawless(quire, recipe, [first, ...rest]).subject.data;
      const seeds = dense(additive, contextShapes(owed), seed);
      const all = backpropAllCtx(additive, owed, point.x, point.environment, seeds);
      return found.ok && isSameContext(quire, found.value, all);
    },
  );
  return fc.check(law, { seed: 79, numRuns: 60, endOnFailure: true }).counterexample;
}

describe("with a quire, tapes that promise the reference's bits give them", () => {
  test.each(tapeSystems.filter(({ claim }) => claim === "bits"))("as the $name one does", (system) => {
    expect(differs(system, quire)).toBeNull();
    expect(differs(system, rounded)).not.toBeNull();
  });

  test("as the loop that visits what was reached does", () => {
    const law = fc.property(fc.array(codes, { minLength: 29, maxLength: 29 }), (numbers) => {
      const made = meaning(manyReaders, quire);
      const compiled = compile(quire.additive, made, filled(made.inputs, numbers, 0), indices, "sparse");
      if (!compiled.ok) throw new Error(compiled.error.message);
      const { tape } = compiled.value;
      const last = tape.length - 1;
      const [c] = filled([elementOf(tape, last).value.shape], numbers, 13);
      const seed = present(c, "a seed");
      const [some, reached] = [
        backward(quire.additive, tape, last, seed),
        backwardDenseReached(quire.additive, tape, last, seed),
      ];
      if (!some.ok || !reached.ok) throw new Error("no gradients");
      reached.value.forEach((g, id) => {
        expect(g).toEqual(some.value.get(id) ?? zeros(quire.additive, g.shape));
      });
    });
    fc.assert(law, { seed: 80, numRuns: 20 });
  });
});
