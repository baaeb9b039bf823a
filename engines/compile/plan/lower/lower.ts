import { shapesOf } from "../../../../spec/expansion/index.ts";
import type { NodeOf } from "../../../../spec/graph/index.ts";
import {
  at,
  InvariantError,
  type NodeId,
  nodeId,
  present,
  type Shape,
  sizeOf,
} from "../../../../spec/shapes/index.ts";
import type { LoopProgram, ValueId } from "../program.ts";
import { allows, type Regime } from "../rewrite.ts";
import { Draft } from "./draft.ts";
import type { Application, Environment, LoweredGraph, LoweredName, LoweringTable } from "./lowering.ts";
import { lowerings } from "./table.ts";

/** A program computes these of a graph, as its results in this order. */
export interface Request {
  /** Ids whose values are wanted. */
  readonly values: readonly NodeId[];
  /** Ids whose tangents are wanted, along `count` tangents of the inputs. */
  readonly tangents?: { readonly ids: readonly NodeId[]; readonly count: number };
  /** Ids whose cotangents are wanted, and where the seeds stand. */
  readonly cotangents?: { readonly ids: readonly NodeId[]; readonly seeds: readonly SeedAt[] };
}

/** The cotangent at an id before anything is added: the caller's, or ones. */
export interface SeedAt {
  readonly id: NodeId;
  readonly from: "source" | "ones";
}

/**
 * Why an instruction is there: for the value of an id or its tangents; for the pullback of an id's cotangent
 * through its node; for the sum of what its readers contribute; or for the cotangent that it starts with.
 */
export interface Maker {
  readonly role: "value" | "tangent" | "pullback" | "contributions" | "seed";
  readonly id: NodeId;
}

/** A lowered graph, with the purpose of each instruction. */
export interface Attributed {
  readonly program: LoopProgram;
  /** These are indexed by instruction; later instructions fill in zeros, or copy sources. */
  readonly makers: readonly Maker[];
}

/** The tables that the lowering uses; a mutant exchanges a row. */
export interface LoweringParts {
  readonly lowerings: LoweringTable;
}

/**
 * Lowers a graph to loops: values, tangents or cotangents in the order of the definition [SEMANTICS §3],
 * sparse form. A slot that nothing reached is +0; another holds the sum of what reached it.
 * Sources: inputs, real entries of Δ, then tangents or seeds. Index sources: index entries, in graph order.
 * Throws `RangeError` where a value would be too large.  Cost: linear in the nodes.
 */
export function lower(
  graph: LoweredGraph,
  request: Request,
  regime: Regime,
  parts: LoweringParts = { lowerings },
): LoopProgram {
  return attributed(graph, request, regime, parts).program;
}

/** Does what {@link lower} does, and tells the purpose of each instruction. */
export function attributed(
  graph: LoweredGraph,
  request: Request,
  regime: Regime,
  parts: LoweringParts = { lowerings },
): Attributed {
  const lowering = new Lowerer(graph, regime, parts.lowerings);
  return lowering.lower(request);
}

/** Holds the state of one lowering. */
class Lowerer {
  readonly #graph: LoweredGraph;
  readonly #regime: Regime;
  readonly #lowerings: LoweringTable;
  readonly #shapes: readonly Shape[];
  readonly #draft: Draft = new Draft();
  /** These are indexed by id. */
  readonly #values: ValueId[] = [];
  /** These are indexed by instruction. */
  readonly #makers: Maker[] = [];
  #environment: Environment = noEnvironment;

  constructor(graph: LoweredGraph, regime: Regime, lowerings: LoweringTable) {
    this.#graph = graph;
    this.#regime = regime;
    this.#lowerings = lowerings;
    this.#shapes = shapesOf(graph);
  }

  lower(request: Request): Attributed {
    const { inputs } = this.#graph;
    for (const [position, { shape }] of inputs.entries()) {
      this.#values.push(this.#draft.source({ origin: { kind: "input", position }, shape }));
    }
    this.#environment = this.#declareEnvironment();
    const { tangents } = request;
    const dots =
      tangents &&
      inputs.map(({ shape }, position) =>
        this.#draft.source({ origin: { kind: "tangent", position }, shape: [tangents.count, ...shape] }),
      );
    const seeds = new Map<NodeId, ValueId>();
    for (const { id, from } of request.cotangents?.seeds ?? []) {
      if (from === "source") {
        seeds.set(id, this.#draft.source({ origin: { kind: "seed", id }, shape: this.#shape(id) }));
      }
    }
    for (const node of this.#graph.nodes) {
      const id = nodeId(this.#values.length);
      this.#values.push(this.#forward(node));
      this.#made("value", id);
    }
    const results = request.values.map((id) => this.#value(id));
    if (tangents !== undefined && dots !== undefined) {
      results.push(...this.#tangents(dots, tangents.count, tangents.ids));
    }
    if (request.cotangents !== undefined) {
      for (const { id, from } of request.cotangents.seeds) {
        if (from === "ones") seeds.set(id, this.#draft.fill(this.#shape(id), 1));
        this.#made("seed", id);
      }
      results.push(...this.#cotangents(seeds, request.cotangents.ids));
    }
    return { program: this.#draft.finish(results), makers: this.#makers };
  }

  /** Records a purpose for every instruction since the last call. */
  #made(role: Maker["role"], id: NodeId): void {
    while (this.#makers.length < this.#draft.length) this.#makers.push({ role, id });
  }

  #declareEnvironment(): Environment {
    const real = new Map<string, ValueId>();
    const index = new Map<string, { number: number; shape: Shape }>();
    for (const { name, shape, kind } of this.#graph.environment) {
      if (kind === "real") {
        real.set(name, this.#draft.source({ origin: { kind: "environment", name }, shape }));
      } else {
        index.set(name, { number: this.#draft.indexSource({ name, size: sizeOf(shape) }), shape });
      }
    }
    return {
      real: (name) => present(real.get(name), name),
      index: (name) => present(index.get(name), name),
    };
  }

  #shape(id: NodeId): Shape {
    return at(this.#shapes, id);
  }

  #value(id: NodeId): ValueId {
    return at(this.#values, id);
  }

  #application<K extends LoweredName>(node: NodeOf<K>, shape: Shape): Application<K> {
    return {
      attributes: node.attributes,
      operands: node.parents.map((id) => this.#value(id)),
      shapes: node.parents.map((id) => this.#shape(id)),
      shape,
      environment: this.#environment,
      regime: this.#regime,
    };
  }

  #forward<K extends LoweredName>(node: NodeOf<K>): ValueId {
    const shape = this.#shape(nodeId(this.#values.length));
    return this.#lowerings[node.op].forward(this.#draft, this.#application(node, shape));
  }

  /** Lowers the tangents of the ids; a leading axis counts tangents. */
  #tangents(inputs: readonly ValueId[], count: number, ids: readonly NodeId[]): ValueId[] {
    const dots: (ValueId | undefined)[] = [...inputs];
    for (const [n, node] of this.#graph.nodes.entries()) {
      const id = nodeId(this.#graph.inputs.length + n);
      dots.push(this.#tangent(node, id, dots, count) ?? this.#stillness(id, count));
      this.#made("tangent", id);
    }
    return ids.map((id) => dots[id] ?? this.#draft.fill([count, ...this.#shape(id)], 0));
  }

  /** Gives zero tangents to what does not move, unless the regime lets zeros be left out. */
  #stillness(id: NodeId, count: number): ValueId | undefined {
    if (allows(this.#regime, "zeros")) return undefined;
    return this.#draft.fill([count, ...this.#shape(id)], 0);
  }

  #tangent<K extends LoweredName>(
    node: NodeOf<K>,
    id: NodeId,
    dots: readonly (ValueId | undefined)[],
    count: number,
  ): ValueId | undefined {
    return this.#lowerings[node.op].tangent(
      this.#draft,
      this.#application(node, this.#shape(id)),
      this.#value(id),
      { count, values: node.parents.map((parent) => dots[parent]) },
    );
  }

  #cotangents(seeds: ReadonlyMap<NodeId, ValueId>, ids: readonly NodeId[]): ValueId[] {
    const { inputs, nodes } = this.#graph;
    const isNeeded = neededBy(this.#graph, ids);
    const bars: (ValueId | undefined)[] = this.#shapes.map((_, id) => seeds.get(nodeId(id)));
    for (let n = nodes.length - 1; n >= 0; n--) {
      const node = at(nodes, n);
      const id = nodeId(inputs.length + n);
      const c = bars[id];
      if (c !== undefined) this.#pullBack(node, id, c, bars, isNeeded);
    }
    return ids.map((id) => bars[id] ?? this.#draft.fill(this.#shape(id), 0));
  }

  /** Adds what one node contributes; the contributions to a parent named twice are summed first. */
  #pullBack<K extends LoweredName>(
    node: NodeOf<K>,
    id: NodeId,
    c: ValueId,
    bars: (ValueId | undefined)[],
    isNeeded: Uint8Array,
  ): void {
    const { parents } = node;
    if (!parents.some((parent) => isNeeded[parent] === 1)) return;
    const contributions = this.#lowerings[node.op].cotangents(
      this.#draft,
      this.#application(node, this.#shape(id)),
      this.#value(id),
      c,
      (operand) => isNeeded[at(parents, operand)] === 1,
    );
    this.#made("pullback", id);
    const sums = new Map<NodeId, ValueId>();
    for (const [operand, parent] of parents.entries()) {
      const contribution = contributions[operand];
      if (contribution === undefined || isNeeded[parent] === 0) continue;
      const sum = sums.get(parent);
      sums.set(parent, sum === undefined ? contribution : this.#draft.add(sum, contribution));
      this.#made("contributions", parent);
    }
    for (const [parent, sum] of sums) {
      const bar = bars[parent];
      bars[parent] = bar === undefined ? sum : this.#draft.add(bar, sum);
      this.#made("contributions", parent);
    }
  }
}

/** Says by id whether a wanted cotangent depends on its cotangent: it is wanted, or reads such an id. */
function neededBy({ inputs, nodes }: LoweredGraph, ids: readonly NodeId[]): Uint8Array {
  const isNeeded = new Uint8Array(inputs.length + nodes.length);
  for (const id of ids) isNeeded[id] = 1;
  for (const [n, { parents }] of nodes.entries()) {
    if (parents.some((parent) => isNeeded[parent] === 1)) isNeeded[inputs.length + n] = 1;
  }
  return isNeeded;
}

const noEnvironment: Environment = { real: refuse, index: refuse };

function refuse(name: string): never {
  throw new InvariantError(`the entry "${name}" of the environment is asked for before it is declared`);
}
