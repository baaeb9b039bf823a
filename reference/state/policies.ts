import { expand, shapesOf } from "../../spec/expansion/index.ts";
import type { NodeOf, PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  type NeedOf,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitives,
} from "../../spec/operators/index.ts";
import { type Program, pointerOfStatement } from "../../spec/programs/index.ts";
import {
  type Algebra,
  at,
  type Issue,
  type Levels,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { type Context, entry } from "../context.ts";
import type { Environment } from "../environment.ts";
import { sumPerParent } from "../interpret.ts";
import { type Application, type Pullback, rules } from "../operators/index.ts";
import { step } from "../pace.ts";
import { addTensors, sumTensors, type Tensor } from "../tensor.ts";
import { record, type Start } from "./execute.ts";
import { type Hazard, hazardsOf, type ReadInPlace, readsInPlace } from "./hazards.ts";
import { readMemory } from "./memory.ts";

/** A tape does one of these if a saved operand was overwritten before its use [SEMANTICS §10.5]. */
export const policies = ["forbid", "copy", "version", "recompute"] as const;

/** One of {@link policies}. */
export type Policy = (typeof policies)[number];

/** `none` reads whatever stands there: what no tape may do. */
export type PolicyOrNone = Policy | "none";

/** A cotangent put in at a result of the entry, by its place. */
export type ResultSeeds<S> = ReadonlyMap<number, Tensor<S>>;

/** A tape answers this to a sweep. */
export type SweepOutcome<S> =
  | {
      readonly kind: "gradient";
      /** Cotangents of the entry's parameters, then of the initial locations; `undefined` if none arrives. */
      readonly cotangents: readonly (Tensor<S> | undefined)[];
      /** Saved operands that were copied before they were overwritten. */
      readonly copies: number;
      /** Nodes whose value was computed again. */
      readonly recomputed: number;
    }
  | {
      readonly kind: "refused";
      /** The overwriting statement refuses, or the sweep that finds out. */
      readonly by: "write" | "sweep";
      readonly issue: Issue;
    };

/**
 * Runs a program with a tape that saves what a node read in place by its place alone, and sweeps back under a
 * policy, with cotangents of the entry's results as seeds. **Law V**: every policy gives the cotangents of
 * the recorded graph, or refuses; `copy` and `recompute` never refuse, `forbid` and `version` only at a
 * hazard. `none` answers as an engine that does not look. Fails: as `record` does. Cost: one run and one
 * sweep; `recompute` runs again for each overwritten operand.
 */
export function sweepUnder<S, B>(
  policy: PolicyOrNone,
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
  seeds: ResultSeeds<S>,
): Result<SweepOutcome<S>, Issue[]> {
  const recording = record(algebra, program, start);
  if (!recording.ok) return recording;
  const expansion = expand(recording.value.graph);
  const { environment, outcome } = recording.value;
  const inputs = [...start.parameters, ...start.state];
  const context = evaluated(algebra, expansion.graph, inputs, environment);
  const inPlace = readsInPlace(recording.value, expansion);
  if (!inPlace.ok) return inPlace;
  const hazards = hazardsOf(recording.value, inPlace.value);
  const [first] = hazards;
  if (policy === "forbid" && first !== undefined) return ok(refused(program, first, "write"));
  const reads = Map.groupBy(inPlace.value, ({ node }) => node);
  const overwritten = Map.groupBy(hazards, ({ read }) => read.node);
  const memories = recording.value.contents.map((id) => entry(context, at(expansion.ids, id)).data);
  const copies = copiesBefore(policy === "copy" ? hazards : [], context, expansion.ids);
  let recomputed = 0;
  const operandOf = (id: NodeId, parent: NodeId, place: number): Tensor<S> => {
    const read = reads.get(id)?.find((candidate) => candidate.place === place);
    // A tape keeps what some rule needs. The reference's rules read all operands, to compute the value anew.
    if (read?.isSaved !== true) return entry(context, parent);
    if (policy === "recompute" && overwritten.get(id)?.some((hazard) => hazard.read === read)) {
      recomputed += parent - inputs.length + 1;
      return entry(evaluated(algebra, expansion.graph, inputs, environment, parent + 1), parent);
    }
    return copies.get(read) ?? readMemory(at(memories, read.memory), read.view);
  };
  const terms = seeded(algebra, seeds, (place) => at(expansion.ids, at(outcome.results, place)));
  for (let id = context.length - 1; id >= expansion.graph.inputs.length; id--) {
    const own = terms.get(nodeId(id));
    const node = expansion.graph.nodes[id - expansion.graph.inputs.length];
    if (own === undefined || node === undefined) continue;
    const c = sumTensors(algebra.additive, own);
    // Every reader of the value was visited, and only inputs are asked for.
    terms.delete(nodeId(id));
    const late = overwritten.get(nodeId(id))?.[0];
    if (policy === "version" && late !== undefined) return ok(refused(program, late, "sweep"));
    const operands = node.parents.map((parent, place) => operandOf(nodeId(id), parent, place));
    const bars = pulledBack(algebra, node, operands, environment, entry(context, id).shape, c);
    for (const [parent, bar] of sumPerParent(algebra.additive, node.parents, bars))
      accumulate(algebra, terms, parent, bar);
  }
  return ok({
    kind: "gradient",
    cotangents: expansion.graph.inputs.map((_, id) => {
      const own = terms.get(nodeId(id));
      return own && sumTensors(algebra.additive, own);
    }),
    copies: copies.size,
    recomputed,
  });
}

/** Copies, before each write, the saved operands that the write would overwrite. */
function copiesBefore<S>(
  hazards: readonly Hazard[],
  context: Context<S>,
  ids: readonly NodeId[],
): ReadonlyMap<ReadInPlace, Tensor<S>> {
  return new Map(
    hazards.map(({ read, before }) => [read, readMemory(entry(context, at(ids, before)).data, read.view)]),
  );
}

function seeded<S, B>(
  algebra: Algebra<S, B>,
  seeds: ResultSeeds<S>,
  idOf: (place: number) => NodeId,
): Map<NodeId, Tensor<S>[]> {
  const terms = new Map<NodeId, Tensor<S>[]>();
  for (const [place, cotangent] of seeds) accumulate(algebra, terms, idOf(place), cotangent);
  return terms;
}

/** The terms of a slot wait until its turn comes only where the algebra has sums of its own. */
function accumulate<S, B>(
  { additive }: Algebra<S, B>,
  terms: Map<NodeId, Tensor<S>[]>,
  id: NodeId,
  bar: Tensor<S>,
): void {
  const own = terms.get(id);
  if (own === undefined) terms.set(id, [bar]);
  else if (additive.sum === undefined) own[0] = addTensors(additive, at(own, 0), bar);
  else own.push(bar);
}

/**
 * Returns the values of the first `count` ids, of all unless told: `evaluate` of what `interpret` gives,
 * without it. Of a long run that would be several functions for each node, each called once.
 */
function evaluated<S, B>(
  algebra: Algebra<S, B>,
  graph: PrimitiveGraph,
  inputs: Context<S>,
  environment: Environment<S>,
  count: number = inputs.length + graph.nodes.length,
): Context<S> {
  const shapes = shapesOf(graph);
  const context = [...inputs];
  for (const node of graph.nodes.slice(0, count - inputs.length)) {
    const shape = at(shapes, context.length);
    step(1 + sizeOf(shape));
    const operands = node.parents.map((parent) => entry(context, parent));
    context.push(computed(algebra, node, operands, environment, shape));
  }
  return context;
}

/** Returns the value of a node. */
function computed<K extends PrimitiveName, S, B>(
  algebra: Algebra<S, B>,
  node: NodeOf<K>,
  operands: readonly Tensor<S>[],
  environment: Environment<S>,
  shape: Shape,
): Tensor<S> {
  return rules[node.op].forward(application(algebra, node, operands, environment, shape));
}

/** The rule of a node on operands that need not be what the node read. */
function pulledBack<K extends PrimitiveName, S, B>(
  algebra: Algebra<S, B>,
  node: NodeOf<K>,
  operands: readonly Tensor<S>[],
  environment: Environment<S>,
  shape: Shape,
  c: Tensor<S>,
): Pullback<S> {
  return rules[node.op].vjp(application(algebra, node, operands, environment, shape), c);
}

function application<K extends PrimitiveName, S, B>(
  algebra: Algebra<S, B>,
  { op, attributes }: NodeOf<K>,
  operands: readonly Tensor<S>[],
  environment: Environment<S>,
  shape: Shape,
): Application<NeedOf[K], PrimitiveAttributes[K], S, B> {
  const level: Levels<S, B>[NeedOf[K]] | undefined = algebra.levels[primitives[op].needs];
  return { algebra: present(level, "a level that the run had"), attributes, operands, environment, shape };
}

function refused<S>(program: Program, { read, statement }: Hazard, by: "write" | "sweep"): SweepOutcome<S> {
  const pointer = pointerOfStatement(program, statement);
  return {
    kind: "refused",
    by,
    issue: {
      code: "program/overwritten",
      pointer,
      message: `it overwrites what node ${read.node} of the run read as its operand ${read.place}, which the reverse sweep needs.`,
      hint: "write to a location of its own, or copy the value before it is used",
    },
  };
}
