import { shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  type Algebra,
  assertNever,
  at,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import { type Context, entry, type SparseContext } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { GraphData } from "../graph.ts";
import { interpret } from "../interpret.ts";
import { type Pulling, type Pullings, pullings } from "../pullings.ts";
import { environmentEntries, type NodeNeeds, needsWithin, reverseRules } from "../reverse_needs.ts";
import { evaluate } from "../sweep.ts";
import { addTensors, type Tensor } from "../tensor.ts";
import { ArenaValues } from "./arena_values.ts";
import type { Lifetimes, Step } from "./lifetimes.ts";
import type { StoragePlan } from "./storage_plan.ts";

/** A run in an arena returns these. */
export interface ArenaRun<S> {
  /** The values of the results. */
  readonly results: SparseContext<S>;
  /** The cotangents that are wanted, but for those to which nothing came: they are zero. */
  readonly cotangents: SparseContext<S>;
}

/** A run starts from a point and the cotangents of all results. */
export interface ArenaPoint<S> {
  readonly x: Context<S>;
  readonly environment: Environment<S>;
  readonly seed: SparseContext<S>;
}

/**
 * Runs a graph forward and back in one arena. Each value is where the plan puts it (`plan.offsets[n]` is that
 * of `lifetimes.values[n]`) and gone after its last step. A node's step reads all it needs, computes, and
 * writes; cotangent rules are those of `spec/derivatives/`, given only what they read. Law: with right
 * lifetimes and a plan without faults it gives what {@link evaluate} and the sparse sweep give, to the bit
 * over floats. Fails: `arena/freed`, `arena/foreign` if what is read is gone; `arena/unborn`, `arena/outside`
 * if it writes too early or beyond the end; `arena/plan` if plan and lifetimes differ in length;
 * `algebra/missing`; `lifetimes/rule`.
 */
export function runInArena<S, B>(
  algebra: Algebra<S, B>,
  graph: PrimitiveGraph,
  lifetimes: Lifetimes,
  plan: StoragePlan,
  point: ArenaPoint<S>,
): Result<ArenaRun<S>, Issue[]> {
  if (plan.offsets.length !== lifetimes.values.length) return fail([misfit(lifetimes, plan)]);
  const shapes = shapesOf(graph);
  const meaning = interpret(graph, algebra);
  if (!meaning.ok) return meaning;
  const rules = reverseRules(graph, shapes);
  if (!rules.ok) return rules;
  const pulls = pullings(rules.value, (pull) => interpret(pull, algebra));
  if (!pulls.ok) return pulls;
  const run = new RunInArena(algebra, {
    graph,
    shapes,
    meaning: meaning.value,
    lifetimes,
    plan,
    point,
    pulls: pulls.value,
    needs: rules.value.map((rule) => needsWithin(rule, graph.environment)),
  });
  const told = run.go();
  return told.ok ? told : fail([told.error]);
}

function misfit({ values }: Lifetimes, { offsets }: StoragePlan): Issue {
  return {
    code: "arena/plan",
    pointer: "",
    message: `the plan has ${offsets.length} offsets for ${values.length} values.`,
    hint: "plan these lifetimes",
  };
}

interface Setting<S> {
  readonly graph: PrimitiveGraph;
  readonly shapes: readonly Shape[];
  readonly meaning: GraphData<S>;
  readonly lifetimes: Lifetimes;
  readonly plan: StoragePlan;
  readonly point: ArenaPoint<S>;
  readonly pulls: readonly Pullings<S>[];
  readonly needs: readonly NodeNeeds[];
}

/** One run: what is stored, and which cotangents something has come to. */
class RunInArena<S, B> {
  readonly #algebra: Algebra<S, B>;
  readonly #setting: Setting<S>;
  readonly #values: ArenaValues<S>;
  readonly #entries: readonly (readonly string[])[];
  readonly #begun = new Set<NodeId>();

  constructor(algebra: Algebra<S, B>, setting: Setting<S>) {
    const { lifetimes, plan, graph } = setting;
    this.#algebra = algebra;
    this.#setting = setting;
    this.#values = new ArenaValues(lifetimes, plan);
    this.#entries = environmentEntries(graph);
  }

  go(): Result<ArenaRun<S>, Issue> {
    const { steps } = this.#setting.lifetimes;
    const given = this.#putGiven();
    if (!given.ok) return given;
    for (const [place, step] of steps.entries()) {
      const done = this.#take(step, place);
      if (!done.ok) return done;
      // What lives through the last step is handed over.
      if (place === steps.length - 1) break;
      this.#values.end(place);
    }
    return this.#handOver();
  }

  /** Inputs and Δ, where they are stored and not the caller's. */
  #putGiven(): Result<void, Issue> {
    const { graph, point } = this.#setting;
    for (const [id, value] of point.x.entries()) {
      const put = this.#values.put(`primal ${id}`, 0, value.data);
      if (!put.ok) return put;
    }
    for (const { name } of graph.environment) {
      const put = this.#values.put(`entry ${name}`, 0);
      if (!put.ok) return put;
    }
    return ok(undefined);
  }

  #take(step: Step, place: number): Result<void, Issue> {
    switch (step.kind) {
      case "forward":
        return this.#forward(step.id, place);
      case "turn":
        return this.#turn(place);
      case "reverse":
        return this.#reverse(step.id, place);
      default:
        return assertNever(step);
    }
  }

  #forward(id: NodeId, place: number): Result<void, Issue> {
    const { graph, meaning, point } = this.#setting;
    const index = id - graph.inputs.length;
    const node = at(meaning.nodes, index);
    const context: Tensor<S>[] = [];
    for (const parent of node.reads) {
      const value = this.#primal(parent, place);
      if (!value.ok) return value;
      context[parent] = value.value;
    }
    const entries = this.#checkEntries(at(this.#entries, index), place);
    if (!entries.ok) return entries;
    return this.#values.put(`primal ${id}`, place, node.forward(context, point.environment).data);
  }

  #turn(place: number): Result<void, Issue> {
    const { point, lifetimes } = this.#setting;
    for (const id of lifetimes.wanted.of) {
      if (!this.#values.has(`cotangent ${id}`)) continue;
      this.#begun.add(id);
      const put = this.#values.put(`cotangent ${id}`, place, present(point.seed.get(id), "a seed").data);
      if (!put.ok) return put;
    }
    return ok(undefined);
  }

  #reverse(id: NodeId, place: number): Result<void, Issue> {
    const { graph, shapes, pulls } = this.#setting;
    const index = id - graph.inputs.length;
    const { parents } = at(graph.nodes, index);
    const c = this.#values.read(`cotangent ${id}`, at(shapes, id), place);
    if (!c.ok) return c;
    const bars = new Map<NodeId, Tensor<S>>();
    for (const [operand, parent] of parents.entries()) {
      const pulling = pulls[index]?.[operand];
      if (pulling === undefined || !this.#values.has(`cotangent ${parent}`)) continue;
      const bar = this.#pulled(index, operand, pulling, c.value, place);
      if (!bar.ok) return bar;
      const other = bars.get(parent);
      bars.set(
        parent,
        other === undefined ? bar.value : addTensors(this.#algebra.additive, other, bar.value),
      );
    }
    for (const [parent, bar] of bars) {
      const added = this.#add(parent, bar, place);
      if (!added.ok) return added;
    }
    return ok(undefined);
  }

  /** Returns the cotangent of one operand: the rule is given what it reads, and nothing else. */
  #pulled(
    index: number,
    operand: number,
    { meaning, result }: Pulling<S>,
    c: Tensor<S>,
    place: number,
  ): Result<Tensor<S>, Issue> {
    const { graph, needs, point } = this.#setting;
    const { parents } = at(graph.nodes, index);
    const need = present(needs[index]?.[operand], "what a pull reads");
    const context = new Array<Tensor<S>>(parents.length + 2);
    for (const read of need.operands) {
      const value = this.#primal(at(parents, read), place);
      if (!value.ok) return value;
      context[read] = value.value;
    }
    if (need.value) {
      const value = this.#primal(idAt(graph, index), place);
      if (!value.ok) return value;
      context[parents.length] = value.value;
    }
    context[parents.length + 1] = c;
    const entries = this.#checkEntries(need.entries, place);
    if (!entries.ok) return entries;
    return ok(entry(evaluate(meaning, context, point.environment), result));
  }

  /** Adds a contribution; the first is put as it is. */
  #add(id: NodeId, bar: Tensor<S>, place: number): Result<void, Issue> {
    const key = `cotangent ${id}`;
    if (!this.#begun.has(id)) {
      this.#begun.add(id);
      return this.#values.put(key, place, bar.data);
    }
    const slot = this.#values.read(key, bar.shape, place);
    return slot.ok
      ? this.#values.put(key, place, addTensors(this.#algebra.additive, slot.value, bar).data)
      : slot;
  }

  #handOver(): Result<ArenaRun<S>, Issue> {
    const { shapes, lifetimes } = this.#setting;
    const end = lifetimes.steps.length - 1;
    const results = new Map<NodeId, Tensor<S>>();
    for (const id of lifetimes.wanted.of) {
      const value = this.#primal(id, end);
      if (!value.ok) return value;
      results.set(id, value.value);
    }
    const cotangents = new Map<NodeId, Tensor<S>>();
    for (const id of lifetimes.wanted.wrt) {
      if (!this.#begun.has(id)) continue;
      const value = this.#values.read(`cotangent ${id}`, at(shapes, id), end);
      if (!value.ok) return value;
      cotangents.set(id, value.value);
    }
    return ok({ results, cotangents });
  }

  /** Returns the value of an id; an input that is not stored is the caller's. */
  #primal(id: NodeId, place: number): Result<Tensor<S>, Issue> {
    const key = `primal ${id}`;
    const given = this.#setting.point.x[id];
    if (given !== undefined && !this.#values.has(key)) return ok(given);
    return this.#values.read(key, at(this.#setting.shapes, id), place);
  }

  #checkEntries(names: readonly string[], place: number): Result<void, Issue> {
    for (const name of names) {
      const checked = this.#values.check(`entry ${name}`, place);
      if (!checked.ok) return checked;
    }
    return ok(undefined);
  }
}

function idAt({ inputs }: PrimitiveGraph, index: number): NodeId {
  return nodeId(inputs.length + index);
}
