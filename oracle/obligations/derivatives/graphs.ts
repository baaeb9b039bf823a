import {
  addTensors,
  type Dual,
  dual,
  evaluate,
  map,
  type Tensor,
  tensor,
  zeros,
  zip,
} from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import { type DerivativesOf, type Derived, derivePrimitives } from "../../../spec/derivatives/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import { isPrimitiveGraph, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, at, InvariantError, nodeId, present } from "../../../spec/shapes/index.ts";
import { meaningOf } from "../meaning.ts";
import {
  dualValueOf,
  environmentOf,
  type Inputs,
  inputsOf,
  pullbackOf,
  type RuleOf,
  rightForward,
  type Use,
} from "../operators/index.ts";

/**
 * First or second derivatives of a primitive are checked, or first ones where some operands stand still or
 * are one value that is read twice.
 */
export type Order = "first" | "second" | "partial";

/** These are the numbers, or unknowns, of a use, and a tangent of the cotangent. */
export interface Numbers<S> extends Inputs<S> {
  readonly dc: Tensor<S>;
}

/** Makes numbers of one scalar for each name: those of {@link inputsOf}, and `dc.0`. */
export function numbersOf<S>(use: Use<PrimitiveName>, scalar: (name: string) => S): Numbers<S> {
  return { ...inputsOf(use, scalar), dc: tensor(use.shape, (position) => scalar(`dc.${position}`)) };
}

/** A pair has a scalar of a derived graph and what the reference computes in its place. */
export type Pair<S> = readonly [graph: S, reference: S];

/** A comparison pairs the elements that a node's derived graphs compute with the reference's. */
export interface Comparison {
  pairs<S, B>(algebra: Algebra<S, B>, numbers: Numbers<S>): readonly Pair<S>[];
}

/**
 * Derives a use as graphs by a table of rules. First order compares operands' cotangents with `vjp`, and the
 * tangent with `forward` over dual numbers. Second order compares tangents of those cotangents, from deriving
 * the derived graph, with `vjp` over dual numbers. Partial derivatives are the first ones with respect to
 * some operands, and where one operand stands in another's place.
 */
export function comparisonOf<K extends PrimitiveName>(
  use: Use<K>,
  order: Order,
  table: DerivativesOf<PrimitiveName>,
): Comparison {
  const graph = graphOf(use);
  const node = nodeId(graph.inputs.length);
  const operands = graph.inputs.map((_, place) => nodeId(place));
  const derive = (of: PrimitiveGraph, ...asked: [...Parameters<typeof derivePrimitives>[2][]]): Derived =>
    derivePrimitives(of, shapesOf(of), at(asked, 0), Number.POSITIVE_INFINITY, table);
  const back = derive(graph, { mode: "vjp", of: [node], wrt: operands });
  if (order === "first") {
    const forth = derive(graph, { mode: "jvp", of: [node], wrt: operands });
    return { pairs: (algebra, numbers) => firstPairs(use, back, forth, algebra, numbers) };
  }
  if (order === "partial") return partialComparison(use, graph, derive);
  const wrt = back.graph.inputs.map((_, place) => nodeId(place));
  const again = derive(back.graph, { mode: "jvp", of: back.results, wrt });
  return { pairs: (algebra, numbers) => secondPairs(use, again, algebra, numbers) };
}

/** Builds the graph of one node over its operands. */
export function graphOf({ op, usage }: Use<PrimitiveName>): PrimitiveGraph {
  const checked = checkGraph({
    format: "adjudge.graph.v1",
    inputs: usage.operands.map((shape, place) => ({ name: `x${place}`, shape })),
    environment: usage.environment.map(({ name, shape, indices }) => ({
      name,
      shape,
      kind: indices === undefined ? "real" : "index",
    })),
    nodes: [{ op, attributes: usage.attributes, parents: [...usage.operands.keys()] }],
  });
  if (!checked.ok || !isPrimitiveGraph(checked.value)) {
    throw new InvariantError(`${op} at ${usage.label} makes no graph`);
  }
  return checked.value;
}

function firstPairs<K extends PrimitiveName, S, B>(
  use: Use<K>,
  back: Derived,
  forth: Derived,
  algebra: Algebra<S, B>,
  numbers: Numbers<S>,
): readonly Pair<S>[] {
  const { x, dx, c } = numbers;
  const rule: RuleOf<K> = rules[use.op];
  const bars = pullbackOf(rule, use, algebra, numbers);
  const wanted = x.map((operand, place) => bars[place] ?? zeros(algebra.additive, operand.shape));
  const tangent = map(dualValueOf(rule, rightForward, use, algebra, numbers), ({ xDot }) => xDot);
  return [
    ...paired(resultsOf(use, back, algebra, [...x, c], numbers), wanted),
    ...paired(resultsOf(use, forth, algebra, [...x, ...dx], numbers), [tangent]),
  ];
}

/** Some operands move, and the node reads these inputs in the operands' places. */
interface Reading {
  readonly parents: readonly number[];
  readonly moving: readonly number[];
}

/** Lists each set of operands without some, and each two operands of one shape as one input read twice. */
function readingsOf({ usage: { operands } }: Use<PrimitiveName>): readonly Reading[] {
  const places = [...operands.keys()];
  const sets = Array.from({ length: 2 ** places.length - 2 }, (_, bits) =>
    places.filter((place) => ((bits + 1) >> place) % 2 === 1),
  );
  const twice = places.flatMap((other) =>
    places
      .filter((one) => one < other && at(operands, one).join() === at(operands, other).join())
      .map((one) => places.map((place) => (place === other ? one : place))),
  );
  return [
    ...sets.map((moving) => ({ parents: places, moving })),
    ...twice.map((parents) => ({ parents, moving: places.filter((place) => parents.includes(place)) })),
  ];
}

/** Derives a use for each of its readings, and pairs what the graphs compute with the reference's rules. */
function partialComparison<K extends PrimitiveName>(
  use: Use<K>,
  graph: PrimitiveGraph,
  derive: (of: PrimitiveGraph, asked: Parameters<typeof derivePrimitives>[2]) => Derived,
): Comparison {
  const of = [nodeId(graph.inputs.length)];
  const derived = readingsOf(use).map((reading) => {
    const nodes = graph.nodes.map((node) => ({ ...node, parents: reading.parents.map(nodeId) }));
    const wrt = reading.moving.map(nodeId);
    const read = { ...graph, nodes };
    return {
      reading,
      back: derive(read, { mode: "vjp", of, wrt }),
      forth: derive(read, { mode: "jvp", of, wrt }),
    };
  });
  return {
    pairs: (algebra, numbers) =>
      derived.flatMap(({ reading, back, forth }) =>
        partialPairs(use, reading, { back, forth }, algebra, numbers),
      ),
  };
}

/**
 * Pairs the graphs of a reading with the rules: what stands still has the tangent 0, what is read twice a
 * sum.
 */
function partialPairs<K extends PrimitiveName, S, B>(
  use: Use<K>,
  { parents, moving }: Reading,
  { back, forth }: { readonly back: Derived; readonly forth: Derived },
  algebra: Algebra<S, B>,
  numbers: Numbers<S>,
): readonly Pair<S>[] {
  const { x, dx, c } = numbers;
  const rule: RuleOf<K> = rules[use.op];
  const { additive } = algebra;
  const read = {
    ...numbers,
    x: parents.map((parent) => at(x, parent)),
    dx: parents.map((parent) =>
      moving.includes(parent) ? at(dx, parent) : zeros(additive, at(dx, parent).shape),
    ),
  };
  const bars = pullbackOf(rule, use, algebra, read);
  const wanted = moving.map((input) =>
    parents
      .flatMap((parent, place) => (parent === input ? (bars[place] ?? []) : []))
      .reduce((sum, bar) => addTensors(additive, sum, bar), zeros(additive, at(x, input).shape)),
  );
  const tangent = map(dualValueOf(rule, rightForward, use, algebra, read), ({ xDot }) => xDot);
  const along = moving.map((input) => at(dx, input));
  return [
    ...paired(resultsOf(use, back, algebra, [...x, c], numbers), wanted),
    ...paired(resultsOf(use, forth, algebra, [...x, ...along], numbers), [tangent]),
  ];
}

function secondPairs<K extends PrimitiveName, S, B>(
  use: Use<K>,
  again: Derived,
  algebra: Algebra<S, B>,
  numbers: Numbers<S>,
): readonly Pair<S>[] {
  const { x, dx, c, dc, environment } = numbers;
  const { zero } = algebra.additive;
  const moving = (values: Tensor<S>, tangents: Tensor<S>): Tensor<Dual<S>> =>
    zip(values, tangents, (value, xDot): Dual<S> => ({ x: value, xDot }));
  const still = (values: Tensor<S>): Tensor<Dual<S>> => map(values, (value) => ({ x: value, xDot: zero }));
  const rule: RuleOf<K> = rules[use.op];
  const bars = pullbackOf(rule, use, dual(algebra), {
    x: x.map((values, place) => moving(values, present(dx[place], "a tangent"))),
    dx: dx.map(still),
    c: moving(c, dc),
    environment: new Map([...environment].map(([name, values]) => [name, still(values)])),
  });
  const wanted = x.map((operand, place) => {
    const bar = bars[place];
    return bar === undefined ? zeros(algebra.additive, operand.shape) : map(bar, ({ xDot }) => xDot);
  });
  return paired(resultsOf(use, again, algebra, [...x, c, ...dx, dc], numbers), wanted);
}

/** Evaluates a derived graph at a point, followed by its seeds. */
function resultsOf<S, B>(
  use: Use<PrimitiveName>,
  { graph, results }: Derived,
  algebra: Algebra<S, B>,
  point: readonly Tensor<S>[],
  { environment }: Numbers<S>,
): readonly Tensor<S>[] {
  const values = evaluate(meaningOf(graph, algebra), point, environmentOf(use, environment));
  return results.map((id) => at(values, id));
}

function paired<S>(got: readonly Tensor<S>[], wanted: readonly Tensor<S>[]): readonly Pair<S>[] {
  return got.flatMap((tensor, place) => zip(tensor, at(wanted, place), (x, y): Pair<S> => [x, y]).data);
}
