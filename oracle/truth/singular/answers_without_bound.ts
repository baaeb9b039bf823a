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
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { at, InvariantError, type NodeId, nodeId, present } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { PrimitiveCase } from "../../case/index.ts";
import { type Bounded, given, radius } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import { type Bounds, liftEnvironment, type Part, type Parts } from "../nodes/bounds.ts";
import { eliminating } from "../nodes/elimination.ts";
import { ownDerivatives } from "../nodes/honest_graph.ts";
import type { InnerDerivatives } from "../nodes/inner_derivatives.ts";
import { withLinearTangents } from "../nodes/linear_tangents.ts";
import { movedWhenKept } from "../nodes/saved_narrowly.ts";
import { anything, between, type FloatSet, floatSet, intersection, only } from "../sets/float_set.ts";
import { positAnswers } from "../sets/posit_sets.ts";
import { floatSets, settled } from "../sets/set_algebra.ts";
import { declaredExcess, type Standard } from "../standard/index.ts";
import { type Answered, type Known, leftOf, readBySum, summing } from "./answered.ts";
import { chosenElements } from "./chosen_elements.ts";
import type { Operations, SingularComposite } from "./composite.ts";
import {
  type Normalizations,
  normalizationsOf,
  normalizedValues,
  slopesByDivisor,
} from "./computed_variances.ts";
import { copiedSignsOf } from "./copied_signs.ts";
import { divergencesOf } from "./divergences.ts";
import { moving, plain, withFreedom, withZerosDeclared } from "./freedom.ts";
import { type GivenVariance, givenVariancesOf } from "./given_variances.ts";
import { cotangentsAtZero, type Norm, normsOf, tangentsAtZero } from "./norms.ts";
import { pulled } from "./pulled.ts";
import {
  type Remainder,
  remainderCotangents,
  remaindersAtPoles,
  remaindersOf,
  remainderTangents,
} from "./remainders.ts";
import { singularCotangents, singularTangents } from "./slopes.ts";
import { solvedAt } from "./solved.ts";

type Sets = Tensor<FloatSet>;

/**
 * Returns the floats that honest engines may answer where a component has no bound [docs/truth.md]: values by
 * IEEE 754's rules, derivatives where only a convention decides; behind what was answered, as that has it.
 * Cost: some evaluations of the reference, when it is first asked.
 */
export function answersWithoutBound<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  bounds: Bounds<C>,
  answered: Answered = {},
): Parts<FloatSet> {
  if (standard.taper !== undefined) return positAnswers(question, standard);
  const run = lazily(() => new Run(question, standard, centre, bounds, answered));
  const values = lazily(() => run().values());
  const tangents = lazily(() => run().tangents(values().had));
  const cotangents = lazily(() => run().cotangents(values().had));
  return {
    value: (id) => present(values().allowed[id], "a value").data,
    tangent: (id) => present(tangents().allowed[id], "a tangent").data,
    cotangent: (id) => present(cotangents().allowed[id], "a cotangent").data,
  };
}

class Run<C> {
  readonly #answered: Answered;
  readonly #question: PrimitiveCase;
  readonly #standard: Standard;
  readonly #centre: Centre<C>;
  readonly #bounds: Bounds<C>;
  readonly #algebra: ReturnType<typeof floatSets>;
  readonly #real: Operations;
  readonly #graph: Graph<FloatSet>;
  readonly #norms: readonly Norm[];
  readonly #remainders: readonly Remainder[];
  readonly #normalizations: Normalizations;
  readonly #composites: readonly SingularComposite[];
  readonly #givenVariances: readonly GivenVariance[];
  readonly #derivatives: InnerDerivatives;

  constructor(
    question: PrimitiveCase,
    standard: Standard,
    centre: Centre<C>,
    bounds: Bounds<C>,
    answered: Answered,
  ) {
    this.#question = question;
    this.#answered = answered;
    this.#standard = standard;
    this.#centre = centre;
    this.#bounds = bounds;
    this.#algebra = floatSets(standard);
    const graph = interpret(question.graph, this.#algebra);
    if (!graph.ok) throw new InvariantError("sets of floats offer what every operator needs");
    this.#graph = withLinearTangents(question.graph, graph.value);
    this.#norms = normsOf(question, this.#graph);
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

  values(): Known {
    const had = this.#question.point.inputs.map((flat) =>
      withZerosDeclared(this.#standard, undefined, this.#lift(flat)),
    );
    const allowed = [...had];
    const environment = this.#environment();
    this.#eachNode((node, written, id) => {
      const read = summing.has(written.op)
        ? had.map((x, of) => readBySum(this.#question, this.#standard, this.#answered, nodeId(of), x))
        : had;
      const value = this.#tightened("value", id, this.#valueAt(node, written, id, read, environment));
      const set = withZerosDeclared(this.#standard, written.op, value);
      allowed.push(set);
      had.push(leftOf(this.#answered.value?.(id), set));
    });
    return { allowed, had };
  }

  #valueAt(
    node: Node<FloatSet>,
    written: PrimitiveNode,
    id: NodeId,
    context: Context<FloatSet>,
    environment: Environment<FloatSet>,
  ): Sets {
    if (this.#followsReference(written.op))
      return withFreedom(this.#standard, written, map(node.forward(context, environment), settled), context);
    if (this.#normalizations.isDivision(id))
      return normalizedValues(this.#question, this.#standard, id, written, context);
    const composite = this.#compositeAt(id);
    if (composite) return map(composite.value(context), settled);
    const remainder = this.#remainderAt(id);
    if (remainder) return remaindersAtPoles(remainder, context);
    if (this.#isSolved(id)) return solvedAt(node, written, context, environment);
    const isOpaque = this.#isOpaque(id) && !this.#normalizations.isAfterDivision(id);
    const isKnown = !eliminating.has(written.op) && declaredExcess(this.#standard, written.op) === 0;
    // What a derived graph compares and chooses an engine may choose otherwise, or multiply by a mask.
    const isOwnChoice =
      this.#derivatives.isKink(written.op, id) || (written.op === "where" && this.#derivatives.holds(id));
    const chosen = isOpaque ? chosenElements(this.#question, id, node.shape, context) : undefined;
    if (chosen !== undefined) return chosen;
    if (isOpaque || isOwnChoice || !isKnown) return tensor(node.shape, () => anything);
    return withFreedom(this.#standard, written, map(node.forward(context, environment), settled), context);
  }

  tangents(context: Context<FloatSet>): Known {
    const environment = this.#environment();
    const tangents = this.#question.tangents.map((flat) => this.#lift(flat));
    const allowed = [...tangents];
    this.#eachNode((node, written, id) => {
      const isFree = this.#isFree(id);
      const follows = this.#followsReference(written.op);
      const singular = this.#singularTangents(node, written, id, context, environment, tangents);
      const tangent =
        follows || (!isFree && plain.has(written.op)) || this.#normalizations.isAfterDivision(id)
          ? map(node.jvp(context, tangents, environment), settled)
          : tensor(node.shape, (position) => singular?.(position) ?? anything);
      const set = this.#tightened("tangent", id, tangent);
      allowed.push(set);
      tangents.push(leftOf(this.#answered.tangent?.(id), set));
    });
    return { allowed, had: tangents };
  }

  #singularTangents(
    node: Node<FloatSet>,
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
    return this.#isFree(id)
      ? undefined
      : singularTangents(this.#real, node, written, context, environment, tangents);
  }

  cotangents(context: Context<FloatSet>): Known {
    const { graph, seeds, point } = this.#question;
    const environment = this.#environment();
    const honest = this.#bounds.graph;
    const shapes = shapesOf(graph);
    const slots = new Map(seeds.map(({ id, cotangent }): [NodeId, Sets] => [id, this.#lift(cotangent)]));
    const boundedContext = shapes.map((shape, id) => ({ shape, data: this.#bounds.value(nodeId(id)) }));
    const boundedEnvironment = this.#boundedEnvironment();
    const isMoved = movedWhenKept(this.#standard, this.#centre);
    const allowed = new Map<NodeId, Sets>();
    for (let index = graph.nodes.length - 1; index >= 0; index--) {
      const id = nodeId(point.inputs.length + index);
      const slot = slots.get(id);
      if (slot === undefined) continue;
      const node = at(this.#graph.nodes, index);
      const set = this.#tightened("cotangent", id, map(slot, settled));
      allowed.set(id, set);
      const c = leftOf(this.#answered.cotangent?.(id), set);
      slots.set(id, c);
      const cBounded = { shape: c.shape, data: this.#bounds.cotangent(id) };
      const known = at(honest.nodes, index).vjp(boundedContext, boundedEnvironment, cBounded);
      const written = at(graph.nodes, index);
      const sets = this.#followsReference(written.op)
        ? pulled(this.#graph, this.#algebra.additive, (of) => known.has(of), id, { context, environment, c })
        : this.#handedOn(node, written, id, context, environment, slots);
      const readsOther = node.reads.some((read) => isMoved?.(at(boundedContext, read)));
      const atPole = this.#givenVariances.find(({ holds }) => holds(id));
      for (const [parent, contribution] of known) {
        const found = readsOther ? undefined : (sets.get(parent)?.data ?? atPole?.handed(context, parent));
        const handed = map(contribution, (x, i) => this.#termsOf(x) ?? found?.[i] ?? anything);
        const before = slots.get(parent);
        slots.set(parent, before === undefined ? handed : this.#sum(before, handed));
      }
    }
    const found = shapes.map((shape, position) => {
      const id = nodeId(position);
      const slot = slots.get(id) ?? tensor(shape, () => this.#algebra.additive.zero);
      return allowed.get(id) ?? this.#tightened("cotangent", id, map(slot, settled));
    });
    return { allowed: found, had: found };
  }

  /** Tells whether the engine computes by the reference's formulas where there is no bound. */
  #followsReference(op: PrimitiveName): boolean {
    const { singularPoints, maximumAtNaN = "nan" } = this.#standard.conventions;
    const isOwn = eliminating.has(op) || (op === "maximum" && maximumAtNaN !== "nan");
    return singularPoints === "reference" && !isOwn && declaredExcess(this.#standard, op) === 0;
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
    return singularCotangents(this.#real, node, written, context, environment, c);
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
    const ends = (id: NodeId): boolean =>
      this.#normalizations.isDivision(id) || !this.#normalizations.isWithSame(id, root);
    const slots = pulled(this.#graph, this.#algebra.additive, ends, root, { context, environment, c });
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

  /**
   * Returns the floats within the bound of a contribution, `undefined` where there is none. If it is a sum,
   * an engine may add its terms one by one to what the slot holds: c and −c are no 0 then.
   */
  #termsOf(x: Bounded<C>): FloatSet | undefined {
    const set = this.#around(x);
    if (set === undefined || x.terms < 2) return set;
    const total = this.#centre.approximate(x.centre);
    const [up, down] = [total, -total].map((sum) => ((x.magnitude + sum) / 2) * UPWARDS);
    return { ...set, up: Math.max(set.up, up ?? 0), down: Math.max(set.down, down ?? 0), terms: x.terms };
  }

  /** Returns the floats within a bound; `undefined` where there is none. */
  #around(x: Bounded<C>): FloatSet | undefined {
    if (x.infinity !== undefined) return only(x.infinity * Number.POSITIVE_INFINITY);
    const middle = this.#centre.approximate(x.centre);
    const reach = (radius(this.#centre, this.#standard, x) + this.#centre.slack(x.centre)) * UPWARDS;
    if (!Number.isFinite(middle + reach)) return undefined;
    if (reach === 0 && middle !== 0) return only(middle);
    return floatSet(between(middle - reach, middle + reach));
  }
}

function itemsOf<T>(list: readonly T[]): (position: number) => T | undefined {
  return (position) => list[position];
}
