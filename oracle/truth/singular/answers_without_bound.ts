import {
  addTensors,
  type Context,
  type Environment,
  type Graph,
  interpret,
  map,
  type Node,
  type SparseContext,
  type Tensor,
  tensor,
} from "../../../reference/index.ts";
import { operators } from "../../../spec/composites/index.ts";
import { shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { at, InvariantError, type NodeId, nodeId, present } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { type Bounded, given, radius } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import { liftEnvironment, type Part, type Parts } from "../nodes/bounds.ts";
import { eliminating } from "../nodes/elimination.ts";
import { honestGraph, ownDerivatives } from "../nodes/honest_graph.ts";
import type { InnerDerivatives } from "../nodes/inner_derivatives.ts";
import { movedWhenKept } from "../nodes/saved_narrowly.ts";
import {
  anything,
  between,
  type FloatSet,
  floatSet,
  intersection,
  isOnly,
  mayBe,
  ofKinds,
  only,
  union,
} from "../sets/float_set.ts";
import { positAnswers } from "../sets/posit_sets.ts";
import { floatSets, settled } from "../sets/set_algebra.ts";
import { declaredExcess, type Standard } from "../standard/index.ts";
import type { Operations, SingularComposite } from "./composite.ts";
import {
  type Normalizations,
  normalizationsOf,
  normalizedValues,
  slopesByDivisor,
} from "./computed_variances.ts";
import { copiedSignsOf } from "./copied_signs.ts";
import { divergencesOf } from "./divergences.ts";
import { moving, plain, withFreedom } from "./freedom.ts";
import { type GivenVariance, givenVariancesOf } from "./given_variances.ts";
import { cotangentsAtZero, type Norm, normsOf, tangentsAtZero } from "./norms.ts";
import {
  type Remainder,
  remainderCotangents,
  remaindersAtPoles,
  remaindersOf,
  remainderTangents,
} from "./remainders.ts";
import { singularCotangents, singularTangents } from "./slopes.ts";

type Sets = Tensor<FloatSet>;

/**
 * Returns the floats that honest engines may answer where a component has no bound [docs/truth.md]: values by
 * IEEE 754's rules, derivatives where only a convention decides. Cost: some evaluations of the reference,
 * when it is first asked.
 */
export function answersWithoutBound<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  bounds: Parts<Bounded<C>>,
): Parts<FloatSet> {
  if (standard.taper !== undefined) return positAnswers(question, standard);
  const run = lazily(() => new Run(question, standard, centre, bounds));
  const values = lazily(() => run().values());
  const tangents = lazily(() => run().tangents(values()));
  const cotangents = lazily(() => run().cotangents(values()));
  return {
    value: (id) => present(values()[id], "a value").data,
    tangent: (id) => present(tangents()[id], "a tangent").data,
    cotangent: (id) => present(cotangents()[id], "a cotangent").data,
  };
}

class Run<C> {
  readonly #question: PrimitiveCase;
  readonly #standard: Standard;
  readonly #centre: Centre<C>;
  readonly #bounds: Parts<Bounded<C>>;
  readonly #algebra: ReturnType<typeof floatSets>;
  readonly #real: Operations;
  readonly #graph: Graph<FloatSet>;
  readonly #norms: readonly Norm[];
  readonly #remainders: readonly Remainder[];
  readonly #normalizations: Normalizations;
  readonly #composites: readonly SingularComposite[];
  readonly #givenVariances: readonly GivenVariance[];
  readonly #derivatives: InnerDerivatives;

  constructor(question: PrimitiveCase, standard: Standard, centre: Centre<C>, bounds: Parts<Bounded<C>>) {
    this.#question = question;
    this.#standard = standard;
    this.#centre = centre;
    this.#bounds = bounds;
    this.#algebra = floatSets(standard);
    const graph = interpret(question.graph, this.#algebra);
    if (!graph.ok) throw new InvariantError("sets of floats offer what every operator needs");
    this.#graph = graph.value;
    this.#norms = normsOf(question, graph.value);
    this.#remainders = remaindersOf(question);
    this.#normalizations = normalizationsOf(question);
    this.#real = present(this.#algebra.levels.real, "the elementary functions");
    this.#givenVariances = givenVariancesOf(question, this.#real);
    this.#composites = [
      ...divergencesOf(question, this.#real, standard),
      ...copiedSignsOf(question, this.#real),
      ...this.#givenVariances,
    ];
    this.#derivatives = ownDerivatives(question, standard);
  }

  values(): Context<FloatSet> {
    const context = this.#question.point.inputs.map((flat) => this.#lift(flat));
    const environment = this.#environment();
    this.#eachNode((node, written, id) => {
      context.push(this.#tightened("value", id, this.#valueAt(node, written, id, context, environment)));
    });
    return context;
  }

  #valueAt(
    node: Node<FloatSet>,
    written: PrimitiveNode,
    id: NodeId,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
  ): Sets {
    if (this.#normalizations.isDivision(id))
      return normalizedValues(this.#question, this.#standard, id, written, context);
    const composite = this.#compositeAt(id);
    if (composite) return map(composite.value(context), settled);
    const remainder = this.#remainderAt(id);
    if (remainder) return remaindersAtPoles(remainder, context);
    if (this.#isSolved(id)) return this.#solvedAt(node, written, context, environment);
    const isOpaque = this.#isOpaque(id) && !this.#normalizations.isAfterDivision(id);
    const isKnown = !eliminating.has(written.op) && declaredExcess(this.#standard, written.op) === 0;
    // What a derived graph compares and chooses an engine may choose otherwise, or multiply by a mask.
    const isOwnChoice =
      this.#derivatives.isKink(written.op, id) || (written.op === "where" && this.#derivatives.holds(id));
    if (isOpaque || isOwnChoice || !isKnown) return tensor(node.shape, () => anything);
    return withFreedom(written, map(node.forward(context, environment), settled), context);
  }

  tangents(context: Context<FloatSet>): Context<FloatSet> {
    const environment = this.#environment();
    const tangents = this.#question.tangents.map((flat) => this.#lift(flat));
    this.#eachNode((node, written, id) => {
      const isFree = this.#isFree(id);
      const singular = this.#singularTangents(written, id, context, environment, tangents);
      const tangent =
        (!isFree && plain.has(written.op)) || this.#normalizations.isAfterDivision(id)
          ? map(node.jvp(context, tangents, environment), settled)
          : tensor(node.shape, (position) => singular?.(position) ?? anything);
      tangents.push(this.#tightened("tangent", id, tangent));
    });
    return tangents;
  }

  #singularTangents(
    written: PrimitiveNode,
    id: NodeId,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
    tangents: Context<FloatSet>,
  ): ((position: number) => FloatSet | undefined) | undefined {
    if (this.#normalizations.isDivision(id)) return itemsOf(this.#slopesByDivisor(id, context));
    const norm = this.#norms.find(({ root }) => root === id);
    if (norm) return itemsOf(tangentsAtZero(norm, context, environment, tangents));
    const remainder = this.#remainderAt(id);
    if (remainder) return itemsOf(remainderTangents(this.#real, remainder, context, tangents).data);
    const composite = this.#compositeAt(id);
    if (composite) return itemsOf(map(composite.tangent(context, tangents), settled).data);
    return this.#isFree(id) ? undefined : singularTangents(this.#real, written, context, tangents);
  }

  cotangents(context: Context<FloatSet>): Context<FloatSet> {
    const { graph, seeds, point } = this.#question;
    const environment = this.#environment();
    const honest = honestGraph(this.#question, this.#standard, this.#centre);
    const shapes = shapesOf(graph);
    const slots = new Map(seeds.map(({ id, cotangent }): [NodeId, Sets] => [id, this.#lift(cotangent)]));
    const boundedContext = shapes.map((shape, id) => ({ shape, data: this.#bounds.value(nodeId(id)) }));
    const boundedEnvironment = this.#boundedEnvironment();
    const isMoved = movedWhenKept(this.#standard, this.#centre);
    for (let index = graph.nodes.length - 1; index >= 0; index--) {
      const id = nodeId(point.inputs.length + index);
      const slot = slots.get(id);
      if (slot === undefined) continue;
      const node = at(this.#graph.nodes, index);
      const c = this.#tightened("cotangent", id, map(slot, settled));
      slots.set(id, c);
      const cBounded = { shape: c.shape, data: this.#bounds.cotangent(id) };
      const known = at(honest.nodes, index).vjp(boundedContext, boundedEnvironment, cBounded);
      const sets = this.#handedOn(node, at(graph.nodes, index), id, context, environment, slots);
      const readsOther = node.reads.some((read) => isMoved?.(at(boundedContext, read)));
      const atPole = this.#givenVariances.find(({ holds }) => holds(id));
      for (const [parent, contribution] of known) {
        const found = readsOther ? undefined : (sets.get(parent)?.data ?? atPole?.handed(context, parent));
        const handed = map(contribution, (x, i) => this.#around(x) ?? found?.[i] ?? anything);
        const before = slots.get(parent);
        slots.set(parent, before === undefined ? handed : this.#sum(before, handed));
      }
    }
    return shapes.map((shape, position) => {
      const id = nodeId(position);
      const slot = slots.get(id) ?? tensor(shape, () => this.#algebra.additive.zero);
      return this.#tightened("cotangent", id, map(slot, settled));
    });
  }

  /** Returns what a node hands to earlier ids, as far as it is known; `slots` are the cotangents so far. */
  #handedOn(
    node: Node<FloatSet>,
    written: PrimitiveNode,
    id: NodeId,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
    slots: SparseContext<FloatSet>,
  ): ReadonlyMap<NodeId, { readonly data: readonly (FloatSet | undefined)[] }> {
    const c = present(slots.get(id), "a cotangent");
    const norm = this.#norms.find(({ squares }) => squares === id);
    if (norm) {
      const ofNorm = map(present(slots.get(norm.root), "a cotangent"), settled);
      return new Map([[norm.operand, { data: cotangentsAtZero(norm, context, environment, ofNorm) }]]);
    }
    const remainder = this.#remainderAt(id);
    if (remainder) return remainderCotangents(this.#real, remainder, context, c);
    const composite = this.#compositeAt(id);
    if (composite) return composite.cotangents(context, c);
    if (this.#normalizations.isRoot(id)) return this.#normalizedCotangents(id, context, environment, c);
    if (this.#isFree(id)) return new Map<NodeId, Sets>();
    if (plain.has(written.op)) return node.vjp(context, environment, c);
    return singularCotangents(this.#real, written, context, c);
  }

  #sum(x: Sets, y: Sets): Sets {
    return addTensors(this.#algebra.additive, x, y);
  }

  #environment(): Environment<FloatSet> {
    return liftEnvironment(this.#question, (flat) => this.#lift(flat));
  }

  #remainderAt(id: NodeId): Remainder | undefined {
    return this.#remainders.find(({ root }) => root === id);
  }

  #boundedEnvironment(): Parameters<Node<Bounded<C>>["vjp"]>[1] {
    return liftEnvironment(this.#question, ({ shape, data }) =>
      tensor(shape, (position) => given(this.#centre, this.#standard, present(data[position], "a number"))),
    );
  }

  #eachNode(visit: (node: Node<FloatSet>, written: PrimitiveNode, id: NodeId) => void): void {
    const { graph, point } = this.#question;
    this.#graph.nodes.forEach((node, index) => {
      visit(node, present(graph.nodes[index], "node"), nodeId(point.inputs.length + index));
    });
  }

  #compositeAt(id: NodeId): SingularComposite | undefined {
    return this.#composites.find(({ application }) => application.value === id);
  }

  #slopesByDivisor(division: NodeId, context: Context<FloatSet>): readonly (FloatSet | undefined)[] {
    return slopesByDivisor(
      this.#question,
      this.#standard,
      this.#normalizations,
      division,
      this.#graph,
      context,
    );
  }

  /** Returns what a normalisation hands on, through what follows the division, and through a divisor of 0. */
  #normalizedCotangents(
    root: NodeId,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
    c: Sets,
  ): SparseContext<FloatSet> {
    const slots = new Map<NodeId, Sets>([[root, c]]);
    const { point } = this.#question;
    for (let id: number = root; this.#normalizations.isWithSame(nodeId(id), root); id--) {
      const slot = slots.get(nodeId(id));
      if (slot === undefined || this.#normalizations.isDivision(nodeId(id))) continue;
      const node = present(this.#graph.nodes[id - point.inputs.length], "a node");
      for (const [parent, bar] of node.vjp(context, environment, map(slot, settled))) {
        const before = slots.get(parent);
        slots.set(parent, before ? this.#sum(before, bar) : bar);
      }
    }
    const x = this.#normalizations.operandOf(root);
    const slopes = this.#slopesByDivisor(this.#normalizations.divisionOf(root), context);
    return slots.set(
      x,
      map(present(context[x], "x"), (_, i) => slopes[i] ?? anything),
    );
  }

  /** Tells whether the node is inside a composite that does more than move elements or divide 1. */
  #isOpaque(id: NodeId): boolean {
    const { graph, insides, point } = this.#question;
    const inside = insides[id - point.inputs.length];
    if (inside === undefined || inside.composite === "reciprocal") return false;
    return graph.nodes.some(
      ({ op }, index) => inside.isWithin(nodeId(point.inputs.length + index)) && !moving.has(op),
    );
  }

  /** Tells whether the node solves by itself or in an `inv`. */
  #isSolved(id: NodeId): boolean {
    const { graph, insides, point } = this.#question;
    const inside = insides[id - point.inputs.length];
    const isReached = inside === undefined || inside.composite === "inv";
    return graph.nodes[id - point.inputs.length]?.op === "solve" && isReached;
  }

  /**
   * Solves for one unknown, or for one whose column is 0: infinite by a pivot of 0, or NaN if it is refused.
   */
  #solvedAt(
    node: Node<FloatSet>,
    { parents }: PrimitiveNode,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
  ): Sets {
    const [matrices, sides] = parents.map((id) => present(context[id], "an operand"));
    const { shape, data } = present(matrices, "a matrix");
    const [order, columns] = [shape.at(-1) ?? 1, sides?.shape.at(-1) ?? 1];
    if (order === 1) return map(node.forward(context, environment), quotientOfPivot);
    return tensor(node.shape, (position) => {
      const row = Math.floor(position / columns);
      const first = Math.floor(row / order) * order * order + (row % order);
      const column = Array.from({ length: order }, (_, i) => data[first + i * order] ?? anything);
      return column.every((set) => isOnly(set, "0", "-0")) ? ofKinds("nan", "inf", "-inf") : anything;
    });
  }

  /** Tells whether an engine is free in a derivative by the node, as it may mask what a composite chooses. */
  #isFree(id: NodeId): boolean {
    const inside = this.#question.insides[id - this.#question.point.inputs.length];
    const isChoice = inside !== undefined && operators[inside.composite].smoothness === "piecewise";
    return isChoice || this.#isOpaque(id) || this.#isDerivative(id);
  }

  /** Tells whether the node is the derivative of an inner graph, which a slope of 0 may make NaN. */
  #isDerivative(id: NodeId): boolean {
    return this.#question.applications.some(({ node, value }) => value === id && node.op === "differentiate");
  }

  #lift({ shape, data }: FlatTensor): Sets {
    const { literal } = present(this.#algebra.levels.field, "a field");
    return tensor(shape, (position) => literal(present(data[position], "a number")));
  }

  /** Returns what the sets have in common with the bounds. */
  #tightened(part: Part, id: NodeId, sets: Sets): Sets {
    const bounds = this.#bounds[part](id);
    return map(sets, (set, position) => {
      const bound = this.#around(present(bounds[position], "a bound"));
      return bound === undefined ? set : intersection(bound, set);
    });
  }

  /** Returns the floats within a bound; `undefined` where there is none. */
  #around(x: Bounded<C>): FloatSet | undefined {
    const middle = this.#centre.approximate(x.centre);
    const reach = (radius(this.#centre, this.#standard, x) + this.#centre.slack(x.centre)) * UPWARDS;
    if (!Number.isFinite(middle + reach)) return undefined;
    if (reach === 0 && middle !== 0) return only(middle);
    return floatSet(between(middle - reach, middle + reach));
  }
}

/** Opens a quotient by a pivot: it is NaN if a pivot of 0 is refused, and the sign of a zero may be lost. */
function quotientOfPivot(set: FloatSet): FloatSet {
  const infinities = mayBe(set, "inf", "-inf") ? [ofKinds("inf", "-inf")] : [];
  return union(settled(set), ofKinds("nan"), ...infinities);
}

function itemsOf<T>(list: readonly T[]): (position: number) => T | undefined {
  return (position) => list[position];
}
