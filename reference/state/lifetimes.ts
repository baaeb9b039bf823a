import { shapesOf } from "../../spec/expansion/index.ts";
import { idCount, type PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  at,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { environmentEntries, type NodeNeeds, needsWithin, reverseRules } from "../reverse_needs.ts";

/** A run forward and back is for these values and cotangents. */
export interface Wanted {
  /** The results: values that are wanted, and whose cotangents are given. */
  readonly of: readonly NodeId[];
  /** The ids whose cotangents are wanted. */
  readonly wrt: readonly NodeId[];
}

/** A moment of a run: a node is computed, results get cotangents, or a cotangent is pulled back. */
export type Step =
  | { readonly kind: "forward"; readonly id: NodeId }
  | { readonly kind: "turn" }
  | { readonly kind: "reverse"; readonly id: NodeId };

/** A value is there from one step to another, both counted. */
export interface Interval {
  readonly born: number;
  readonly last: number;
}

interface Held extends Interval {
  readonly elements: number;
}

/** They say who reads what the forward run has: until which step, and for which pulls of the reverse run. */
interface Readers {
  /** The last forward step that reads it; if none does, the step that it is born at. */
  readonly lastForward: number;
  /** The nodes whose cotangent rules read it, in the order of the sweep. It is kept for the last. */
  readonly neededBy: readonly NodeId[];
}

/** The value of an id. */
export interface PrimalLifetime extends Held, Readers {
  readonly kind: "primal";
  readonly id: NodeId;
  /** Is true if the value is wanted, and so lives to the end. */
  readonly isResult: boolean;
}

/** An entry of Δ. */
export interface EntryLifetime extends Held, Readers {
  readonly kind: "entry";
  readonly name: string;
}

/** The cotangent of an id: from the first contribution to it, or the turn, until it is pulled back. */
export interface CotangentLifetime extends Held {
  readonly kind: "cotangent";
  readonly id: NodeId;
  /** Is true if the value is wanted, and so lives to the end. */
  readonly isWanted: boolean;
}

/** Something that a run stores. */
export type Lifetime = EntryLifetime | PrimalLifetime | CotangentLifetime;

/** Each value of a run is stored from one step to another. */
export interface Lifetimes {
  readonly wanted: Wanted;
  readonly steps: readonly Step[];
  /** The place of the turn among the steps; what lives at it is kept for the way back. */
  readonly turn: number;
  /** Entries of Δ and values by id, then cotangents in the order of the sweep. */
  readonly values: readonly Lifetime[];
}

/** These say how lifetimes are found. */
export interface LifetimeOptions {
  /** If true, inputs and Δ are stored too, from the first step on. Else they are the caller's. */
  readonly countsGiven?: boolean;
  /** They say of each node what its pulls read: by default what the rules of `spec/derivatives/` read. */
  readonly needs?: readonly NodeNeeds[];
}

/**
 * The lifetimes of a run of a well-formed graph: every node is computed, then the sparse sweep goes back
 * [SEMANTICS §3.7] through nodes that a cotangent reaches and that lead to something wanted. A cotangent to
 * which nothing comes is zero and takes no place. Values within a rule's step are not counted. Law: a run in
 * an arena where each value is gone after its last step gives the same, and no interval can be a step
 * shorter. Fails: `lifetimes/id`, and as {@link reverseRules} does. Cost: linear in nodes and edges.
 */
export function lifetimes(
  graph: PrimitiveGraph,
  wanted: Wanted,
  options: LifetimeOptions = {},
): Result<Lifetimes, Issue[]> {
  const issues = idIssues(graph, wanted);
  if (issues.length > 0) return fail(issues);
  const shapes = shapesOf(graph);
  const needs = options.needs === undefined ? neededIn(graph, shapes) : ok(options.needs);
  if (!needs.ok) return needs;
  const sweep = sweepOf(graph, wanted, needs.value);
  const forward = graph.nodes.map((_, index): Step => ({ kind: "forward", id: idOf(graph, index) }));
  const reverse = sweep.reached.map((id): Step => ({ kind: "reverse", id }));
  const run: Run = {
    graph,
    shapes,
    needs: needs.value,
    sweep,
    turn: forward.length,
    end: forward.length + reverse.length,
    results: new Set(wanted.of),
    wanted: new Set(wanted.wrt),
  };
  const first = options.countsGiven === true ? 0 : graph.inputs.length;
  const values = [
    ...(options.countsGiven === true ? entryLifetimes(run) : []),
    ...primalLifetimes(run).slice(first),
    ...cotangentLifetimes(run),
  ];
  return ok({ wanted, steps: [...forward, { kind: "turn" }, ...reverse], turn: run.turn, values });
}

function neededIn(graph: PrimitiveGraph, shapes: readonly Shape[]): Result<NodeNeeds[], Issue[]> {
  const rules = reverseRules(graph, shapes);
  return rules.ok ? ok(rules.value.map((rule) => needsWithin(rule, graph.environment))) : rules;
}

function idIssues(graph: PrimitiveGraph, { of, wrt }: Wanted): Issue[] {
  const count = idCount(graph);
  const missing = (pointer: string, ids: readonly NodeId[]): Issue[] =>
    ids.flatMap((id, place) => (id >= 0 && id < count ? [] : [noSuchId(`${pointer}/${place}`, count)]));
  return [...missing("/of", of), ...missing("/wrt", wrt)];
}

function noSuchId(pointer: string, count: number): Issue {
  return {
    code: "lifetimes/id",
    pointer,
    message: `there is no such id: ${count === 0 ? "there are none" : `the last is ${count - 1}`}.`,
    hint: "ids count the inputs first, then the nodes, from 0",
  };
}

/** A run, as its lifetimes are read off it. */
interface Run {
  readonly graph: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  readonly needs: readonly NodeNeeds[];
  readonly sweep: Sweep;
  readonly turn: number;
  readonly end: number;
  readonly results: ReadonlySet<NodeId>;
  readonly wanted: ReadonlySet<NodeId>;
}

/** Cotangents propagate along these ids. */
interface Sweep {
  /** It says of each id whether its cotangent is wanted or leads to such a one. Others are not pulled. */
  readonly leadsBack: readonly boolean[];
  /** The nodes whose cotangents are pulled back, the last first. */
  readonly reached: readonly NodeId[];
  /** It names for each id the first to contribute: the id if seeded, `undefined` if nothing arrives. */
  readonly begunBy: readonly (NodeId | undefined)[];
}

function sweepOf(graph: PrimitiveGraph, { of, wrt }: Wanted, needs: readonly NodeNeeds[]): Sweep {
  const leadsBack = Array.from({ length: idCount(graph) }, () => false);
  for (const id of wrt) leadsBack[id] = true;
  graph.nodes.forEach((node, index) => {
    if (pulledPlaces(node.parents, at(needs, index), leadsBack).length > 0)
      leadsBack[idOf(graph, index)] = true;
  });
  const begunBy: (NodeId | undefined)[] = leadsBack.map(() => undefined);
  for (const id of of) if (leadsBack[id] === true) begunBy[id] = id;
  const reached: NodeId[] = [];
  for (let index = graph.nodes.length - 1; index >= 0; index--) {
    const id = idOf(graph, index);
    if (begunBy[id] === undefined) continue;
    const { parents } = at(graph.nodes, index);
    const places = pulledPlaces(parents, at(needs, index), leadsBack);
    for (const place of places) begunBy[at(parents, place)] ??= id;
    if (places.length > 0) reached.push(id);
  }
  return { leadsBack, reached, begunBy };
}

/** The operands, by place, to which something is pulled back. */
function pulledPlaces(
  parents: readonly NodeId[],
  needs: NodeNeeds,
  leadsBack: readonly boolean[],
): readonly number[] {
  return parents.flatMap((parent, place) =>
    needs[place] !== undefined && leadsBack[parent] === true ? [place] : [],
  );
}

/** Lists what the pulls of a node that is reached read: ids, and entries of Δ. */
function readByPulls(
  { graph, needs, sweep }: Run,
  id: NodeId,
): { readonly ids: ReadonlySet<NodeId>; readonly entries: ReadonlySet<string> } {
  const index = id - graph.inputs.length;
  const { parents } = at(graph.nodes, index);
  const ids = new Set<NodeId>();
  const entries = new Set<string>();
  for (const place of pulledPlaces(parents, at(needs, index), sweep.leadsBack)) {
    const need = needs[index]?.[place];
    for (const operand of need?.operands ?? []) ids.add(at(parents, operand));
    if (need?.value === true) ids.add(id);
    for (const name of need?.entries ?? []) entries.add(name);
  }
  return { ids, entries };
}

function primalLifetimes(run: Run): PrimalLifetime[] {
  const { graph, shapes, sweep, turn, end, results } = run;
  const born = shapes.map((_, id) => Math.max(0, id - graph.inputs.length));
  const lastForward = [...born];
  graph.nodes.forEach(({ parents }, index) => {
    for (const parent of parents) lastForward[parent] = index;
  });
  const neededBy = shapes.map((): NodeId[] => []);
  const last = [...lastForward];
  sweep.reached.forEach((reader, place) => {
    for (const id of readByPulls(run, reader).ids) {
      at(neededBy, id).push(reader);
      last[id] = turn + 1 + place;
    }
  });
  return shapes.map((shape, position): PrimalLifetime => {
    const id = nodeId(position);
    const isResult = results.has(id);
    return {
      kind: "primal",
      id,
      elements: sizeOf(shape),
      born: at(born, id),
      last: isResult ? end : at(last, id),
      lastForward: at(lastForward, id),
      neededBy: at(neededBy, id),
      isResult,
    };
  });
}

function entryLifetimes(run: Run): EntryLifetime[] {
  const { graph, sweep, turn } = run;
  const lastForward = new Map<string, number>();
  for (const [index, names] of environmentEntries(graph).entries())
    for (const name of names) lastForward.set(name, index);
  const neededBy = new Map(graph.environment.map(({ name }): [string, NodeId[]] => [name, []]));
  const last = new Map(lastForward);
  sweep.reached.forEach((reader, place) => {
    for (const name of readByPulls(run, reader).entries) {
      neededBy.get(name)?.push(reader);
      last.set(name, turn + 1 + place);
    }
  });
  return graph.environment.map(({ name, shape }) => ({
    kind: "entry",
    name,
    elements: sizeOf(shape),
    born: 0,
    last: last.get(name) ?? 0,
    lastForward: lastForward.get(name) ?? 0,
    neededBy: neededBy.get(name) ?? [],
  }));
}

function cotangentLifetimes({ sweep, shapes, turn, end, wanted }: Run): CotangentLifetime[] {
  const stepOf = new Map(sweep.reached.map((id, place) => [id, turn + 1 + place]));
  const found: CotangentLifetime[] = [];
  for (let position = shapes.length - 1; position >= 0; position--) {
    const id = nodeId(position);
    const begunBy = sweep.begunBy[id];
    if (begunBy === undefined) continue;
    const isWanted = wanted.has(id);
    found.push({
      kind: "cotangent",
      id,
      elements: sizeOf(at(shapes, id)),
      born: begunBy === id ? turn : (stepOf.get(begunBy) ?? turn),
      last: isWanted ? end : (stepOf.get(id) ?? end),
      isWanted,
    });
  }
  return found;
}

function idOf({ inputs }: PrimitiveGraph, index: number): NodeId {
  return nodeId(inputs.length + index);
}
