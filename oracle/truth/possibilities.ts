import {
  type Context,
  type Environment,
  type Graph,
  interpret,
  map,
  type Node,
  type SparseContext,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import { shapesOf } from "../../spec/composites/index.ts";
import type { PrimitiveNode } from "../../spec/graph/index.ts";
import { operators, type PrimitiveName } from "../../spec/operators/index.ts";
import { at, InvariantError, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { PrimitiveCase } from "../case/index.ts";
import { UPWARDS } from "./ball.ts";
import { given } from "./bounded.ts";
import { honestGraph, liftEnvironment, ownDerivatives, type Part, type Parts } from "./bounds.ts";
import type { Centre } from "./centre.ts";
import { copiedSignsOf } from "./copied_signs.ts";
import type { Derived } from "./derived.ts";
import { divergencesOf } from "./divergences.ts";
import { lazily } from "./lazily.ts";
import {
  anything,
  between,
  both,
  either,
  isOnly,
  mayBe,
  only,
  type Possible,
  possible,
  those,
  withoutSigns,
} from "./possible.ts";
import { possibilities, settled } from "./possible_algebra.ts";
import { positValues } from "./possible_posits.ts";
import { type Bounded, radius } from "./radius.ts";
import { movedWhenKept } from "./saved_narrowly.ts";
import type { SingularComposite } from "./singular_composite.ts";
import { cotangentsAtZero, type Length, lengthsOf, tangentsAtZero } from "./singular_lengths.ts";
import {
  type Remainder,
  remainderCotangents,
  remaindersAtPoles,
  remaindersOf,
  remainderTangents,
} from "./singular_remainders.ts";
import { singularSlope } from "./singular_slopes.ts";
import { declaredExcess, type Standard } from "./standard.ts";
import { type Standardized, slopesByDivisor, standardizedOf, standardizedSet } from "./standardized.ts";
import { type ZeroVariance, zeroVariancesOf } from "./zero_variances.ts";

/** What only moves elements. */
const moving: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "take",
  "slice",
  "pad",
  "take_along_axis",
  "gather",
]);

/** What IEEE 754 gives a zero's sign in (§6.3), or hands it on: every engine does it alike. */
const signing: ReadonlySet<PrimitiveName> = new Set([
  ...moving,
  "constant",
  "stop_gradient",
  "negative",
  "sqrt",
  "add",
  "subtract",
  "multiply",
  "divide",
  "where",
]);

/** Whose derivatives every engine writes alike: it adds, negates or moves tangents and cotangents, with no factor that could be 0. */
const plain: ReadonlySet<PrimitiveName> = new Set([
  "broadcast_to",
  "reshape",
  "permute_dims",
  "concat",
  "slice",
  "pad",
  "stop_gradient",
  "negative",
  "add",
  "subtract",
  "sum",
]);

/** What engines factor in ways of their own. */
const factored: ReadonlySet<PrimitiveName> = new Set(["solve", "det"]);

type Sets = Tensor<Possible>;

/**
 * The floats that honest engines may answer, for every component of a case that has no bound [docs/truth.md]: values by
 * IEEE 754's rules, derivatives at the points where only a convention decides. Cost: some evaluations of the reference,
 * when one is first asked for.
 */
export function possibilitiesOf<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  bounds: Parts<Bounded<C>>,
): Parts<Possible> {
  if (standard.taper !== undefined) return positPossibilities(question, standard);
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

/**
 * The same of posits: by their own algebra of sets for values of primitives, and anything for what composites make of NaR, and for derivatives there. Where
 * a number has a bound, this is not asked.
 */
function positPossibilities(question: PrimitiveCase, standard: Standard): Parts<Possible> {
  const shapes = shapesOf(question.graph);
  const unknown = (id: NodeId): readonly Possible[] =>
    tensor(present(shapes[id], "a shape"), () => anything).data;
  const values = lazily(() => positValues(question, standard));
  return {
    value: (id) => (question.applications.length > 0 ? unknown(id) : present(values()[id], "a value").data),
    tangent: unknown,
    cotangent: unknown,
  };
}

class Run<C> {
  readonly #question: PrimitiveCase;
  readonly #standard: Standard;
  readonly #centre: Centre<C>;
  readonly #bounds: Parts<Bounded<C>>;
  readonly #algebra: ReturnType<typeof possibilities>;
  readonly #graph: Graph<Possible>;
  readonly #lengths: readonly Length[];
  readonly #remainders: readonly Remainder[];
  readonly #standardized: Standardized;
  readonly #composites: readonly SingularComposite[];
  readonly #zeroVariances: readonly ZeroVariance[];
  readonly #derivatives: Derived;

  constructor(question: PrimitiveCase, standard: Standard, centre: Centre<C>, bounds: Parts<Bounded<C>>) {
    this.#question = question;
    this.#standard = standard;
    this.#centre = centre;
    this.#bounds = bounds;
    this.#algebra = possibilities(standard);
    const graph = interpret(question.graph, this.#algebra);
    if (!graph.ok) throw new InvariantError("sets of floats offer what every operator needs");
    this.#graph = graph.value;
    this.#lengths = lengthsOf(question, graph.value);
    this.#remainders = remaindersOf(question);
    this.#standardized = standardizedOf(question);
    const real = present(this.#algebra.levels.real, "the elementary functions");
    this.#zeroVariances = zeroVariancesOf(question, real);
    this.#composites = [
      ...divergencesOf(question, real, standard),
      ...copiedSignsOf(question, real),
      ...this.#zeroVariances,
    ];
    this.#derivatives = ownDerivatives(question, standard);
  }

  values(): Context<Possible> {
    const context = this.#question.point.inputs.map((flat) => this.#lift(flat));
    const environment = liftEnvironment(this.#question, (flat) => this.#lift(flat));
    this.#eachNode((node, written, id) => {
      const isOpaque = this.#isOpaque(id) && !this.#standardized.isAfterDivision(id);
      const isSolved = this.#isSolved(id);
      const isKnown =
        isSolved || (!factored.has(written.op) && declaredExcess(this.#standard, written.op) === 0);
      // What a derived graph compares and chooses an engine may choose otherwise, or multiply by a mask.
      const isOwnChoice =
        this.#derivatives.isKink(written.op, id) || (written.op === "where" && this.#derivatives.holds(id));
      const remainder = this.#remainders.find(({ root }) => root === id);
      const composite = this.#compositeAt(id);
      const value = this.#standardized.isDivision(id)
        ? this.#standardizedAt(id, written, context)
        : composite
          ? map(composite.value(context), settled)
          : remainder
            ? remaindersAtPoles(remainder, context)
            : isSolved
              ? this.#solvedAt(node, written, context, environment)
              : isOpaque || isOwnChoice || !isKnown
                ? this.#unknown(id)
                : withFreedom(written, map(node.forward(context, environment), settled), context);
      context.push(this.#tightened("value", id, value));
    });
    return context;
  }

  /** What a normalisation makes of deviations that it divides by a root which may be 0. */
  #standardizedAt(id: NodeId, { parents }: PrimitiveNode, context: Context<Possible>): Sets {
    const { graph, point } = this.#question;
    const deviations = present(context[present(parents[0], "a parent")], "deviations");
    const subtraction = graph.nodes[present(parents[0], "a parent") - point.inputs.length];
    const operands = present(context[present(subtraction?.parents[0], "a parent")], "an operand").data;
    return map(
      deviations,
      (deviation) => standardizedSet(this.#question, this.#standard, id, { deviation, operands }) ?? anything,
    );
  }

  tangents(context: Context<Possible>): Context<Possible> {
    const environment = liftEnvironment(this.#question, (flat) => this.#lift(flat));
    const tangents = this.#question.tangents.map((flat) => this.#lift(flat));
    const field = present(this.#algebra.levels.field, "a field");
    this.#eachNode((node, written, id) => {
      const length = this.#lengths.find(({ root }) => root === id);
      const remainder = this.#remainders.find(({ root }) => root === id);
      const composite = this.#compositeAt(id);
      const singular = this.#standardized.isDivision(id)
        ? itemsOf(this.#slopesByDivisor(id, context))
        : length
          ? itemsOf(tangentsAtZero(length, context, environment, tangents))
          : remainder
            ? itemsOf(remainderTangents(field, remainder, context, tangents).data)
            : composite
              ? itemsOf(map(composite.tangent(context, tangents), settled).data)
              : this.#isFree(id)
                ? undefined
                : this.#singularTangent(written, context, tangents);
      const tangent =
        (!this.#isFree(id) && plain.has(written.op)) || this.#standardized.isAfterDivision(id)
          ? map(node.jvp(context, tangents, environment), settled)
          : tensor(node.shape, (position) => singular?.(position) ?? anything);
      tangents.push(this.#tightened("tangent", id, tangent));
    });
    return tangents;
  }

  cotangents(context: Context<Possible>): Context<Possible> {
    const { graph, seeds, point } = this.#question;
    const environment = liftEnvironment(this.#question, (flat) => this.#lift(flat));
    const honest = honestGraph(this.#question, this.#standard, this.#centre);
    const shapes = shapesOf(graph);
    const field = present(this.#algebra.levels.field, "a field");
    const add = (p: Possible, q: Possible): Possible => this.#algebra.additive.add(p, q);
    const slots = new Map(seeds.map(({ id, cotangent }): [NodeId, Sets] => [id, this.#lift(cotangent)]));
    const boundedContext = shapes.map((shape, id) => ({ shape, data: this.#bounds.value(nodeId(id)) }));
    const boundedEnvironment = this.#boundedEnvironment();
    const isMoved = movedWhenKept(this.#standard, this.#centre);
    for (let index = graph.nodes.length - 1; index >= 0; index--) {
      const id = nodeId(point.inputs.length + index);
      const slot = slots.get(id);
      if (slot === undefined) continue;
      const [node, written] = [
        present(this.#graph.nodes[index], "node"),
        present(graph.nodes[index], "node"),
      ];
      const c = this.#tightened("cotangent", id, map(slot, settled));
      slots.set(id, c);
      const cBounded = { shape: c.shape, data: this.#bounds.cotangent(id) };
      const known = present(honest.nodes[index], "node").vjp(boundedContext, boundedEnvironment, cBounded);
      const isPlain = plain.has(written.op) && !this.#isFree(id);
      const length = this.#lengths.find(({ squares }) => squares === id);
      const ofLength = length && map(present(slots.get(length.root), "a cotangent"), settled);
      const remainder = this.#remainders.find(({ root }) => root === id);
      const composite = this.#compositeAt(id);
      const sets: ReadonlyMap<NodeId, { readonly data: readonly (Possible | undefined)[] }> =
        length && ofLength
          ? new Map([[length.operand, { data: cotangentsAtZero(length, context, environment, ofLength) }]])
          : remainder
            ? remainderCotangents(field, remainder, context, c)
            : composite
              ? composite.cotangents(context, c)
              : this.#standardized.isRoot(id)
                ? this.#standardizedCotangents(id, context, environment, c)
                : isPlain
                  ? node.vjp(context, environment, c)
                  : this.#singularCotangents(written, id, context, c);
      const readsOther = node.reads.some((read) => isMoved?.(at(boundedContext, read)));
      const atPole = this.#zeroVariances.find(({ holds }) => holds(id));
      for (const [parent, contribution] of known) {
        const found = readsOther
          ? undefined
          : (sets.get(parent) ?? { data: atPole?.handed(context, parent) ?? [] });
        const handed = tensor(contribution.shape, (position): Possible => {
          const bound = this.#around(present(contribution.data[position], "a contribution"));
          return bound ?? found?.data[position] ?? anything;
        });
        const before = slots.get(parent);
        slots.set(
          parent,
          before === undefined
            ? handed
            : tensor(handed.shape, (position) =>
                add(
                  present(before.data[position], "a cotangent"),
                  present(handed.data[position], "a cotangent"),
                ),
              ),
        );
      }
    }
    return shapes.map((shape, position) => {
      const id = nodeId(position);
      const slot = slots.get(id) ?? tensor(shape, () => this.#algebra.additive.zero);
      return this.#tightened("cotangent", id, map(slot, settled));
    });
  }

  #boundedEnvironment(): Parameters<Node<Bounded<C>>["vjp"]>[1] {
    return liftEnvironment(this.#question, ({ shape, data }) =>
      tensor(shape, (position) => given(this.#centre, this.#standard, present(data[position], "a number"))),
    );
  }

  #eachNode(visit: (node: Node<Possible>, written: PrimitiveNode, id: NodeId) => void): void {
    const { graph, point } = this.#question;
    this.#graph.nodes.forEach((node, index) => {
      visit(node, present(graph.nodes[index], "node"), nodeId(point.inputs.length + index));
    });
  }

  #compositeAt(id: NodeId): SingularComposite | undefined {
    return this.#composites.find(({ application }) => application.value === id);
  }

  #slopesByDivisor(division: NodeId, context: Context<Possible>): readonly (Possible | undefined)[] {
    return slopesByDivisor(
      this.#question,
      this.#standard,
      this.#standardized,
      division,
      this.#graph,
      context,
    );
  }

  /** What a normalisation hands on: through what comes after the division, and, where the divisor is 0, through that. */
  #standardizedCotangents(
    root: NodeId,
    context: Context<Possible>,
    environment: Environment<Possible>,
    c: Sets,
  ): SparseContext<Possible> {
    const add = (p: Possible, q: Possible): Possible => this.#algebra.additive.add(p, q);
    const slots = new Map<NodeId, Sets>([[root, c]]);
    const { point } = this.#question;
    for (let id: number = root; this.#standardized.isWithSame(nodeId(id), root); id--) {
      const slot = slots.get(nodeId(id));
      if (slot === undefined || this.#standardized.isDivision(nodeId(id))) continue;
      const node = present(this.#graph.nodes[id - point.inputs.length], "a node");
      for (const [parent, bar] of node.vjp(context, environment, map(slot, settled))) {
        const before = slots.get(parent);
        slots.set(parent, before ? map2(before, (p, i) => add(p, present(bar.data[i], "one"))) : bar);
      }
    }
    const x = this.#standardized.operandOf(root);
    const slopes = this.#slopesByDivisor(this.#standardized.divisionOf(root), context);
    return slots.set(
      x,
      map2(present(context[x], "x"), (_, i) => slopes[i] ?? anything),
    );
  }

  /** Whether the node is inside a composite, which an engine may compute whole, and more than moves elements or divides 1. */
  #isOpaque(id: NodeId): boolean {
    const { graph, insides, point } = this.#question;
    const inside = insides[id - point.inputs.length];
    if (inside === undefined || inside.composite === "reciprocal") return false;
    return graph.nodes.some(
      ({ op }, index) => inside.isWithin(nodeId(point.inputs.length + index)) && !moving.has(op),
    );
  }

  /** Whether the node solves by itself or in an `inv`. */
  #isSolved(id: NodeId): boolean {
    const { graph, insides, point } = this.#question;
    const inside = insides[id - point.inputs.length];
    const isReached = inside === undefined || inside.composite === "inv";
    return graph.nodes[id - point.inputs.length]?.op === "solve" && isReached;
  }

  /** One unknown is a quotient, or NaN of those who look for a pivot first; and so is one whose column is 0, in every elimination. */
  #solvedAt(
    node: Node<Possible>,
    { parents }: PrimitiveNode,
    context: Context<Possible>,
    environment: Environment<Possible>,
  ): Sets {
    const [matrices, sides] = parents.map((id) => present(context[id], "an operand"));
    const { shape, data } = present(matrices, "a matrix");
    const [order, columns] = [shape.at(-1) ?? 1, sides?.shape.at(-1) ?? 1];
    if (order === 1) return map(node.forward(context, environment), quotientOfPivot);
    return tensor(node.shape, (position) => {
      const row = Math.floor(position / columns);
      const first = Math.floor(row / order) * order * order + (row % order);
      const column = Array.from({ length: order }, (_, i) => data[first + i * order] ?? anything);
      return column.every((set) => isOnly(set, "0", "-0")) ? those("nan", "inf", "-inf") : anything;
    });
  }

  /** Whether an engine is free in how it writes a derivative by the node: of what chooses among its elements it may mask those it moves. */
  #isFree(id: NodeId): boolean {
    const inside = this.#question.insides[id - this.#question.point.inputs.length];
    const isChoice = inside !== undefined && operators[inside.composite].smoothness === "piecewise";
    return isChoice || this.#isOpaque(id) || this.#isDerivative(id);
  }

  /** Whether the node hands on the derivative of an inner graph, which a slope of 0 may make NaN of where the expansion chooses. */
  #isDerivative(id: NodeId): boolean {
    return this.#question.applications.some(({ node, value }) => value === id && node.op === "differentiate");
  }

  #singularTangent(
    { op, parents }: PrimitiveNode,
    context: Context<Possible>,
    tangents: Context<Possible>,
  ): ((position: number) => Possible | undefined) | undefined {
    const real = present(this.#algebra.levels.real, "the elementary functions");
    return (position) => {
      const operands = parents.map((parent) => context[parent]?.data[position] ?? anything);
      const parts = parents.map((parent, place) => {
        const tangent = tangents[parent]?.data[position] ?? anything;
        return singularSlope(real, op, tangent, operands, place);
      });
      return parts.reduce<Possible | undefined>(
        (total, part) => (total === undefined || part === undefined ? undefined : real.add(total, part)),
        real.zero,
      );
    };
  }

  #singularCotangents(
    { op, parents }: PrimitiveNode,
    id: NodeId,
    context: Context<Possible>,
    c: Sets,
  ): SparseContext<Possible> {
    // An operand read twice gets a sum of two slopes, which may be written as one.
    if (this.#isFree(id) || new Set(parents).size < parents.length) return new Map<NodeId, Sets>();
    const real = present(this.#algebra.levels.real, "the elementary functions");
    return new Map(
      parents.map((parent, place): [NodeId, Sets] => [
        parent,
        map2(c, (cotangent, position) => {
          const operands = parents.map((other) => context[other]?.data[position] ?? anything);
          return singularSlope(real, op, cotangent, operands, place) ?? anything;
        }),
      ]),
    );
  }

  #lift({ shape, data }: FlatTensor): Sets {
    const { literal } = present(this.#algebra.levels.field, "a field");
    return tensor(shape, (position) => literal(present(data[position], "a number")));
  }

  #unknown(id: NodeId): Sets {
    return tensor(present(shapesOf(this.#question.graph)[id], "a shape"), () => anything);
  }

  /** What the sets have in common with the bounds. */
  #tightened(part: Part, id: NodeId, sets: Sets): Sets {
    const bounds = this.#bounds[part](id);
    return map2(sets, (set, position) => {
      const bound = this.#around(present(bounds[position], "a bound"));
      return bound === undefined ? set : both(bound, set);
    });
  }

  /** The floats within a bound; `undefined` where there is none. */
  #around(x: Bounded<C>): Possible | undefined {
    const middle = this.#centre.approximate(x.centre);
    const reach = (radius(this.#centre, this.#standard, x) + this.#centre.slack(x.centre)) * UPWARDS;
    if (!Number.isFinite(middle + reach)) return undefined;
    if (reach === 0 && middle !== 0) return only(middle);
    return possible(between(middle - reach, middle + reach));
  }
}

/** A NaN that one engine hands on another leaves out, and the sign of a zero is open but for what is {@link signing}. */
function withFreedom({ op, parents }: PrimitiveNode, value: Sets, context: Context<Possible>): Sets {
  if (op !== "relu" && op !== "maximum" && op !== "where")
    return signing.has(op) ? value : map(value, withoutSigns);
  return map2(value, (set, position) => {
    const operands = parents.map((parent) => context[parent]?.data[position] ?? anything);
    const deciding = op === "where" ? operands.slice(0, 1) : operands;
    const choices = op === "where" ? operands.slice(1) : [...operands, those("0")];
    const isOpen = deciding.some((operand) => mayBe(operand, "nan"));
    const chosen = isOpen ? either(set, ...choices) : set;
    return op === "where" ? chosen : withoutSigns(chosen);
  });
}

/** A quotient by a pivot: NaN of those who refuse a pivot of 0, and of either sign, since the sign of a zero may be lost before. */
function quotientOfPivot(set: Possible): Possible {
  const infinities = mayBe(set, "inf", "-inf") ? [those("inf", "-inf")] : [];
  return either(settled(set), those("nan"), ...infinities);
}

function itemsOf<T>(list: readonly T[]): (position: number) => T | undefined {
  return (position) => list[position];
}

function map2<S, T>({ shape, data }: Tensor<S>, f: (element: S, position: number) => T): Tensor<T> {
  return { shape, data: data.map(f) };
}
