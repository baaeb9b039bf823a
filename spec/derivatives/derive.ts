import { Construction, type Meaning, unwrap } from "../construction/construction.ts";
import type { Value } from "../construction/value.ts";
import {
  entriesNamedBy,
  type Graph,
  isPrimitiveGraph,
  isPrimitiveNode,
  type PrimitiveGraph,
  shapeOfPrimitive,
} from "../graph/index.ts";
import type { PrimitiveName } from "../operators/index.ts";
import { at, InvariantError, type NodeId, type Shape, wellFormedShape } from "../shapes/index.ts";
import { pushForward } from "./forward.ts";
import { pruned } from "./prune.ts";
import { pullBack } from "./reverse.ts";
import type { DerivativesOf } from "./rule.ts";
import { trace } from "./traced.ts";

/** `vjp` pulls cotangents at `of` back to `wrt`, `jvp` pushes tangents at `wrt` forward to `of`. */
export interface Derivative {
  readonly mode: "vjp" | "jvp";
  readonly of: readonly NodeId[];
  /** With `jvp`, inputs. */
  readonly wrt: readonly NodeId[];
}

/** A derivative as a graph of the old inputs, then a cotangent for each `of` or a tangent for each `wrt`. */
export interface Derived {
  readonly graph: PrimitiveGraph;
  /** The ids of the seeds, in order. */
  readonly seeds: readonly NodeId[];
  /** The ids of the results: a cotangent for each of `wrt`, or a tangent for each of `of`. */
  readonly results: readonly NodeId[];
}

/**
 * Returns the derivative of a graph of primitives as one [SEMANTICS §9.2, §9.4]: source transformation.
 * `shapes` are those of its ids. Laws: its results are the cotangents of the reference's sweep from the seeds
 * (else zero), or its tangents, exactly over exact algebras, and over floats to the bit but for zeros' signs
 * where each rule is the reference's (all but `det` and `solve`). No `0 · ∞` comes from where nothing moves.
 * `rules` may be wrong. Throws {@link GraphError} beyond `mostNodes`. Cost: linear in nodes and edges.
 */
export function derivePrimitives(
  graph: PrimitiveGraph,
  shapes: readonly Shape[],
  { mode, of, wrt }: Derivative,
  mostNodes: number = Number.POSITIVE_INFINITY,
  rules?: DerivativesOf<PrimitiveName>,
): Derived {
  const construction = new Construction(primitivesAlone);
  construction.mostNodes = mostNodes;
  for (const entry of graph.environment) construction.environment.set(entry.name, entry);
  const operands = graph.inputs.map(({ name, shape }) => construction.input(name, shape));
  const seeded = mode === "vjp" ? of : wrt;
  const names = seedNames(graph, mode, seeded);
  const seeds = seeded.map((id, place) => construction.input(at(names, place), at(shapes, id)));
  const { scope } = construction;
  const traced = trace(scope, graph, operands, rules);
  // An id that is named twice is seeded twice.
  const seedOf = new Map<NodeId, Value>();
  seeded.forEach((id, place) => {
    const seed = at(seeds, place);
    seedOf.set(id, seedOf.get(id)?.add(seed) ?? seed);
  });
  const found = mode === "vjp" ? pullBack(traced, seedOf, wrt) : pushForward(traced, seedOf, of);
  const asked = mode === "vjp" ? wrt : of;
  // One zero for all results of a shape: a graph of many inputs may use few.
  const zeros = new Map<string, Value>();
  const results = found.map((result, place) => {
    if (result !== undefined) return result.id;
    const shape = at(shapes, at(asked, place));
    const zero = zeros.get(shape.join()) ?? scope.full({ shape, value: 0 });
    zeros.set(shape.join(), zero);
    return zero.id;
  });
  const written = { ...graph, inputs: construction.inputs, nodes: construction.nodes };
  if (!isPrimitiveGraph(written)) throw new InvariantError("a rule is written with primitives");
  return { ...pruned(written, results), seeds: seeds.map(({ id }) => id) };
}

/** Rules append primitives, each with its shape. */
export const primitivesAlone: Meaning = {
  append: (construction, node) => {
    if (!isPrimitiveNode(node))
      throw new InvariantError(`a rule is written with ${node.op}, which is no primitive`);
    const environment = entriesNamedBy(node, construction.environment);
    const operands = node.parents.map((id) => at(construction.shapes, id));
    const shape = unwrap(node.op, shapeOfPrimitive(node, operands, environment));
    return construction.push(node, unwrap(node.op, wellFormedShape(shape)));
  },
  derivative: () => {
    throw new InvariantError("a rule is written with a derivative, which is no primitive");
  },
};

/** Names of seeds, such as `cotangent of x`. Primes tell them from those of inputs and entries of Δ. */
export function seedNames(
  { inputs, environment }: Graph,
  mode: Derivative["mode"],
  seeded: readonly NodeId[],
): readonly string[] {
  const taken = new Set([...inputs, ...environment].map(({ name }) => name));
  return seeded.map((id) => {
    let name = `${mode === "vjp" ? "cotangent" : "tangent"} of ${inputs[id]?.name ?? id}`;
    // A name may be long, and half a character is none.
    name = [...name].slice(0, LONGEST_WISH).join("");
    while (taken.has(name)) name += "′";
    taken.add(name);
    return name;
  });
}

/** Leaves room for primes in the 256 characters that a name may have. */
const LONGEST_WISH = 200;
