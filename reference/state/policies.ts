import {
  type Algebra,
  at,
  expand,
  type Issue,
  type Levels,
  type NeedOf,
  type NodeId,
  type NodeOf,
  nodeId,
  ok,
  type PrimitiveName,
  type Program,
  pointerOfStatement,
  present,
  primitives,
  type Result,
  type Shape,
} from "../../spec/index.ts";
import { type Context, entry } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { GraphData } from "../graph.ts";
import { interpret, sumPerParent } from "../interpret.ts";
import { type Pullback, rules } from "../operators/index.ts";
import { evaluate } from "../sweep.ts";
import { addTensors, type Tensor } from "../tensor.ts";
import { record, type Start } from "./execute.ts";
import { type Hazard, hazardsOf, type ReadInPlace, readsInPlace } from "./hazards.ts";
import { type Memory, readMemory } from "./memory.ts";

/** What a tape does about a saved operand that is overwritten before the sweep reads it [SEMANTICS §10.5]. */
export const policies = ["forbid", "copy", "version", "recompute"] as const;

/** One of {@link policies}. */
export type Policy = (typeof policies)[number];

/** `none` reads whatever stands there: what no tape may do. */
export type PolicyOrNone = Policy | "none";

/** A cotangent put in at a result of the entry, by its place. */
export type ResultSeeds<S> = ReadonlyMap<number, Tensor<S>>;

/** What a tape answers. */
export type SweepOutcome<S> =
  | {
      readonly kind: "gradient";
      /** Of the entry's parameters, then of the persistent locations as they were. `undefined` where nothing arrives. */
      readonly cotangents: readonly (Tensor<S> | undefined)[];
      /** Saved operands that were copied before they were overwritten. */
      readonly copies: number;
      /** Nodes whose value was computed again. */
      readonly recomputed: number;
    }
  | {
      readonly kind: "refused";
      /** By the statement that overwrites, or by the sweep that finds out. */
      readonly by: "write" | "sweep";
      readonly issue: Issue;
    };

/**
 * Runs a program with a tape that saves what a node read in place by its place alone, and sweeps back under a policy. The seeds are cotangents of the
 * entry's results. **Law V**: under every policy the cotangents are those of the recorded graph, or it is refused; `copy` and `recompute` never refuse,
 * and `forbid` and `version` refuse nothing without a hazard. With `none` the answer is what an engine says that does not look.
 * Fails: as `record` does.  Cost: one run and one sweep; `recompute` runs again for each operand that was overwritten.
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
  const meaning = interpret(expansion.graph, algebra);
  if (!meaning.ok) return meaning;
  const { environment, outcome } = recording.value;
  const inputs = [...start.parameters, ...start.state];
  const context = evaluate(meaning.value, inputs, environment);
  const reads = readsInPlace(recording.value, expansion);
  if (!reads.ok) return reads;
  const hazards = hazardsOf(recording.value, reads.value);
  const [first] = hazards;
  if (policy === "forbid" && first !== undefined) return ok(refused(program, first, "write"));
  const tape: Tape<S> = {
    reads: Map.groupBy(reads.value, ({ node }) => node),
    hazards: Map.groupBy(hazards, ({ read }) => read.node),
    memories: [],
    copies: new Map(),
  };
  for (const id of recording.value.contents)
    tape.memories.push([...entry(context, at(expansion.ids, id)).data]);
  if (policy === "copy") copyBeforeWrites(tape.copies, hazards, context, expansion.ids);
  const cotangents = seeded(algebra, seeds, (place) => at(expansion.ids, at(outcome.results, place)));
  let recomputed = 0;
  for (let id = context.length - 1; id >= expansion.graph.inputs.length; id--) {
    const c = cotangents.get(nodeId(id));
    const node = expansion.graph.nodes[id - expansion.graph.inputs.length];
    if (c === undefined || node === undefined) continue;
    const overwritten = tape.hazards.get(nodeId(id)) ?? [];
    const [late] = overwritten;
    if (policy === "version" && late !== undefined) return ok(refused(program, late, "sweep"));
    const operands = node.parents.map((parent, place) => {
      const read = tape.reads.get(nodeId(id))?.find((candidate) => candidate.place === place);
      // What no rule needs is not kept. The reference's rules read every operand, to compute the value anew, which a tape has kept.
      if (read?.isSaved !== true) return entry(context, parent);
      if (policy === "recompute" && overwritten.some((hazard) => hazard.read === read)) {
        recomputed += parent - inputs.length + 1;
        return valueAt(meaning.value, inputs, environment, parent);
      }
      return tape.copies.get(read) ?? readMemory(at(tape.memories, read.memory), read.view);
    });
    const bars = pulledBack(algebra, node, operands, environment, entry(context, id).shape, c);
    for (const [parent, bar] of sumPerParent(algebra.additive, node.parents, bars))
      accumulate(algebra, cotangents, parent, bar);
  }
  return ok({
    kind: "gradient",
    cotangents: expansion.graph.inputs.map((_, id) => cotangents.get(nodeId(id))),
    copies: tape.copies.size,
    recomputed,
  });
}

/** What a tape has when the program has run. */
interface Tape<S> {
  /** What lies in a memory, by node. All other operands are values, which the tape holds. */
  readonly reads: ReadonlyMap<NodeId, readonly ReadInPlace[]>;
  /** By node, which of its operands were overwritten. */
  readonly hazards: ReadonlyMap<NodeId, readonly Hazard[]>;
  /** The memories as the program left them. */
  readonly memories: Memory<S>[];
  readonly copies: Map<ReadInPlace, Tensor<S>>;
}

/** What each write finds in the way is copied out of the memory as it is before. */
function copyBeforeWrites<S>(
  copies: Map<ReadInPlace, Tensor<S>>,
  hazards: readonly Hazard[],
  context: Context<S>,
  ids: readonly NodeId[],
): void {
  for (const { read, before } of hazards)
    copies.set(read, readMemory([...entry(context, at(ids, before)).data], read.view));
}

function seeded<S, B>(
  algebra: Algebra<S, B>,
  seeds: ResultSeeds<S>,
  idOf: (place: number) => NodeId,
): Map<NodeId, Tensor<S>> {
  const cotangents = new Map<NodeId, Tensor<S>>();
  for (const [place, cotangent] of seeds) accumulate(algebra, cotangents, idOf(place), cotangent);
  return cotangents;
}

function accumulate<S, B>(
  { additive }: Algebra<S, B>,
  cotangents: Map<NodeId, Tensor<S>>,
  id: NodeId,
  bar: Tensor<S>,
): void {
  const slot = cotangents.get(id);
  cotangents.set(id, slot === undefined ? bar : addTensors(additive, slot, bar));
}

/** The value at an id, computed anew from the inputs. */
function valueAt<S>(
  graph: GraphData<S>,
  inputs: Context<S>,
  environment: Environment<S>,
  id: NodeId,
): Tensor<S> {
  const nodes = graph.nodes.slice(0, id - inputs.length + 1);
  return entry(evaluate({ inputs: graph.inputs, nodes }, inputs, environment), id);
}

/** The rule of a node on operands that need not be what the node read. */
function pulledBack<K extends PrimitiveName, S, B>(
  algebra: Algebra<S, B>,
  { op, attributes }: NodeOf<K>,
  operands: readonly Tensor<S>[],
  environment: Environment<S>,
  shape: Shape,
  c: Tensor<S>,
): Pullback<S> {
  const level: Levels<S, B>[NeedOf[K]] | undefined = algebra.levels[primitives[op].needs];
  const application = {
    algebra: present(level, "a level that the run had"),
    attributes,
    operands,
    environment,
    shape,
  };
  return rules[op].vjp(application, c);
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
