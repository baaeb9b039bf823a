import type { Arena } from "../../reference/algebras/mpfr.ts";
import {
  backpropSparse,
  type Context,
  evaluate,
  type Graph,
  interpret,
  map,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph, PrimitiveNode } from "../../spec/graph/index.ts";
import { type Algebra, at, InvariantError, type NodeId, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import { type Enclosure, enclosuresIn } from "../truth/centre/index.ts";
import { type Boxed, given } from "./box.ts";
import { type Erring, endsOf, erringIn, sizeOfRange } from "./erring.ts";
import type { StorageFormat } from "./storage_formats.ts";

function meaning<S, B>(graph: PrimitiveGraph, algebra: Algebra<S, B>): Graph<S> {
  const found = interpret(graph, algebra);
  if (!found.ok) throw new InvariantError(found.error[0]?.message ?? "no meaning");
  return found.value;
}

const span =
  ({ operations, hull }: ReturnType<typeof enclosuresIn>) =>
  (low: number, high: number): Enclosure =>
    low === high ? operations.literal(low) : hull(operations.literal(low), operations.literal(high));

/** Has an element's range end where what was seen ends, unless nothing would be left. */
function met(
  { seen }: Boxed,
  enclosures: ReturnType<typeof enclosuresIn>,
): (id: number) => (range: Enclosure) => Enclosure {
  const lift = span(enclosures);
  return (id) => {
    const taken = seen?.[id]?.range;
    if (taken === undefined) return (range) => range;
    return (range) => {
      const [low, high] = endsOf(range);
      const [least, greatest] = [Math.max(low, taken[0]), Math.min(high, taken[1])];
      return least <= greatest ? lift(least, greatest) : range;
    };
  };
}

const endsOfTensor = <S>({ data }: Tensor<S>, rangeOf: (x: S) => Enclosure): ElementRanges => {
  const ends = Array.from(data, (x) => endsOf(rangeOf(x)));
  return { low: ends.map(([low]) => low), high: ends.map(([, high]) => high) };
};

/** Each value of a graph has a range over the box, and an influence on the results. */
export interface Ranges {
  readonly values: readonly ElementRanges[];
  /**
   * An element's influence bounds how far the results move, each in its own unit and all added up, per unit
   * that the element moves: to first order, over the box of true values.
   */
  readonly influences: readonly (readonly number[])[];
}

/**
 * Finds the ranges of a graph's values over a box by interval arithmetic, and each one's influence on
 * results, counted in `units`. Pulling back cotangents between −1 and 1 gives at each place the sum of the
 * sizes of slopes. Cost: a run of the reference in MPFR, forward and reverse.
 */
export function rangesOver(
  boxed: Boxed,
  unitsOf: (values: readonly ElementRanges[]) => ReadonlyMap<NodeId, number>,
  arena: Arena,
): Ranges {
  const { graph: written, box } = boxed;
  const enclosures = enclosuresIn(arena);
  const { algebra } = enclosures;
  const lift = span(enclosures);
  const meeting = met(boxed, enclosures);
  const { environment } = given(written, box, lift);
  // The arithmetic of erring numbers knows a maximum of two from other choices; here each node is exact.
  const exact = given(written, box, (low, high): Erring => ({ range: lift(low, high), error: 0 }));
  const exactly = (value: Tensor<Erring>, id: number): Tensor<Erring> => {
    const meet = meeting(id);
    return map(value, ({ range }) => ({ range: meet(range), error: 0 }));
  };
  const values = evaluate(
    within(meaning(written, erringIn(enclosures)), exactly),
    exact.inputs.map(exactly),
    exact.environment,
  ).map((value) => map(value, ({ range }) => range));
  const inputs = values.slice(0, written.inputs.length);
  const ends = values.map((value) => endsOfTensor(value, (x) => x));
  const shapes = shapesOf(written);
  const seed = new Map(
    [...unitsOf(ends)].map(([id, unit]): [NodeId, Tensor<Enclosure>] => {
      const one = lift(-1 / unit, 1 / unit);
      return [id, tensor(at(shapes, id), () => one)];
    }),
  );
  const known = withValues(meaning(undetached(written), algebra), values);
  const cotangents = backpropSparse(algebra.additive, known, inputs, environment, seed);
  const influences = shapes.map((shape, id) => {
    const cotangent = cotangents.get(nodeId(id));
    return cotangent === undefined
      ? Array.from({ length: sizeOf(shape) }, () => 0)
      : Array.from(cotangent.data, sizeOfRange);
  });
  return { values: ends, influences };
}

/** Replaces `stop_gradient` by the identity, since an error passes where a derivative does not. */
function undetached(graph: PrimitiveGraph): PrimitiveGraph {
  const shapes = shapesOf(graph);
  const nodes = graph.nodes.map((node, index): PrimitiveNode => {
    if (node.op !== "stop_gradient") return node;
    const shape = at(shapes, graph.inputs.length + index);
    return { op: "reshape", attributes: { shape }, parents: node.parents };
  });
  return { ...graph, nodes };
}

/** Changes the values of nodes as they are computed. */
function within<S>(
  { inputs, nodes }: Graph<S>,
  changed: (value: Tensor<S>, id: number) => Tensor<S>,
): Graph<S> {
  return {
    inputs,
    nodes: nodes.map((node, index) => ({
      ...node,
      forward: (...asked) => changed(node.forward(...asked), inputs.length + index),
    })),
  };
}

/** Fixes the values of a graph, so that they are not computed again. */
function withValues<S>({ inputs, nodes }: Graph<S>, values: Context<S>): Graph<S> {
  return {
    inputs,
    nodes: nodes.map((node, index) => ({ ...node, forward: () => at(values, inputs.length + index) })),
  };
}

/** Each value is kept in a format; a view, or what is not kept, has none. */
export type Assignment = readonly (StorageFormat | undefined)[];

/**
 * Bounds by id and element the errors of a run that keeps every value in its format: no float64 run on
 * anything in the box, with each value rounded once more when it is kept, errs by more; where values are
 * `seen`, no run whose true values lie within. Infinite where no bound is known. Cost: a run of the reference
 * in MPFR.
 */
export function errorsOf(boxed: Boxed, formats: Assignment, arena: Arena): readonly (readonly number[])[] {
  const { graph: written, box } = boxed;
  const enclosures = enclosuresIn(arena);
  const algebra = erringIn(enclosures);
  const graph = meaning(written, algebra);
  const lift = span(enclosures);
  const exact = given(written, box, (low, high): Erring => ({ range: lift(low, high), error: 0 }));
  const meeting = met(boxed, enclosures);
  const keptWithin = (value: Tensor<Erring>, id: number): Tensor<Erring> => {
    const meet = meeting(id);
    return kept(
      map(value, ({ range, error }) => ({ range: meet(range), error })),
      formats[id],
    );
  };
  const inputs = exact.inputs.map(keptWithin);
  const values = evaluate(within(graph, keptWithin), inputs, exact.environment);
  return values.map(({ data }) => Array.from(data, ({ error }) => error));
}

/** Rounds a tensor to a format. */
function kept(value: Tensor<Erring>, format: StorageFormat | undefined): Tensor<Erring> {
  if (format === undefined) return value;
  const computed = Array.from(value.data, ({ range, error }) => {
    const [low, high] = endsOf(range);
    return error === 0 ? [low, high] : [low - error, high + error];
  });
  const losses = format.losses({
    low: computed.map(([low = Number.NaN]) => low),
    high: computed.map(([, high = Number.NaN]) => high),
  });
  let element = 0;
  return map(value, ({ range, error }) => {
    const loss = at(losses, element++);
    return { range, error: loss === 0 ? error : (error + loss) * (1 + 2 ** -48) };
  });
}
