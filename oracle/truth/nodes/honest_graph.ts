import {
  type Graph,
  interpret,
  map,
  mapSparse,
  type Node,
  type Tensor,
  withAccurateSlopes,
} from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import { type Application, shapesOf } from "../../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import type { PrimitiveName } from "../../../spec/operators/index.ts";
import { type Algebra, at, InvariantError, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import type { Inside, PrimitiveCase, PrimitiveProgram } from "../../case/index.ts";
import {
  type Bounded,
  bounded,
  type Comparison,
  finiteOnly,
  type History,
  loosened,
  narrowed,
  settle,
} from "../bound/index.ts";
import type { Centre } from "../centre/index.ts";
import { lazily } from "../lazily.ts";
import {
  type Accumulator,
  accumulatorOf,
  declaredExcess,
  derivativeUlps,
  openTies,
  type Standard,
  standardOfSteps,
  withWidthOf,
} from "../standard/index.ts";
import { withAttentionBound } from "../whole/attention_bound.ts";
import { computedWhole } from "../whole/computed_whole.ts";
import { byFactors } from "../whole/factored_determinants.ts";
import type { Tools } from "../whole/formulas.ts";
import { insideComposite, singleDifferences } from "../whole/inside_composite.ts";
import { operandErrorsOf, withBackwardErrors } from "../whole/perturbed_operands.ts";
import { byConvention } from "./by_convention.ts";
import { byElimination, eliminating } from "./elimination.ts";
import { type InnerDerivatives, innerDerivativesOf, withFreedomOf } from "./inner_derivatives.ts";
import { withLinearTangents } from "./linear_tangents.ts";
import { withTieSums } from "./maximum_ties.ts";
import { withProducts } from "./products.ts";
import { savedNarrowly } from "./saved_narrowly.ts";
import { type ScalarBounds, scalarBounds, scalarOperators } from "./scalar_bounds.ts";
import { withSlopeFromValue } from "./slope_from_value.ts";

/**
 * Returns the program over bounded values, as any honest engine may run it. Every node rounds its sums before
 * it hands its value on, derivatives may have another form, composites may be computed whole, and a tie is
 * open where the engine declares another convention. With `isRewritten`, the program is another form itself.
 */
export function honestGraph<C>(
  { graph: program, insides, applications }: PrimitiveProgram,
  standard: Standard,
  centre: Centre<C>,
  history?: History,
  isRewritten = false,
): Graph<Bounded<C>> {
  const shapes = shapesOf(program);
  const first = program.inputs.length;
  const algebra = algebraOf(centre, standard);
  const factored = history === undefined ? [] : applications.filter(byFactors);
  const steps = standardOfSteps(standard);
  const nodeOfInputs = readingsOf(program, standard, centre, history, factored);
  const nodeOfConstants =
    steps === standard ? nodeOfInputs : readingsOf(program, steps, centre, history, factored);
  const operandErrors = operandErrorsOf(applications, shapes, standard);
  const derivatives = ownDerivatives({ graph: program, applications }, standard);
  const open = openTies(standard);
  const fixed = steps === standard ? new Set<NodeId>() : withoutInputs(program);
  const single = lazily(() => singleDifferences(program));
  const nodes = program.nodes.map(({ op, parents }, index): Node<Bounded<C>> => {
    const inside = insides[index];
    const id = nodeId(first + index);
    const isFixed = fixed.has(id);
    const nodeAs = isFixed ? nodeOfConstants : nodeOfInputs;
    const standardHere = isFixed ? steps : standard;
    const isOpen =
      (open.has(op) && !isFixed) ||
      (inside !== undefined && isKink(standard, inside, op)) ||
      derivatives.isKink(op, id);
    const accumulator = accumulatorOf(standard, op, inside?.composite);
    const meaning = nodeAs(index, { isOpen, isInside: inside !== undefined, accumulator });
    const tied = withTieSums(meaning, op, parents, centre, standard);
    const conventional = byConvention(tied, op, parents, centre, standard);
    const eliminated = byElimination(conventional, op, algebra.levels.field, centre, standard);
    const free =
      inside === undefined
        ? eliminated
        : insideComposite(
            withBackwardErrors(eliminated, inside, operandErrors, centre, standard),
            { op, id, isSingleDifference: single().has(id) },
            inside,
            centre,
            standard,
          );
    const otherwise = withFreedomOf(derivatives, free, { op, id, program, centre, standard });
    const honest = honestNode(otherwise, standardHere, centre, {
      op,
      accumulator,
      isContribution: derivatives.isContribution(id),
    });
    return withSlopeFromValue(honest, op, algebra, centre, standard);
  });
  const tools: Omit<Tools<C>, "inside"> = {
    centre,
    standard,
    additive: algebra.additive,
    written: program,
    shapes,
    isRewritten,
    honest: (written, inside) => honestFormula(written, inside, centre),
  };
  // An engine that keeps values narrowly is sent expansions, and posits have no bounds for other formulas.
  const mayBeWhole = standard.saved === undefined && standard.taper === undefined;
  for (const application of mayBeWhole ? applications : []) {
    const written = insides[application.value - first]?.composite;
    const inside = written === undefined ? standard : withWidthOf(standard, written);
    const whole = computedWhole(nodes, first, application, { ...tools, inside });
    if (whole !== undefined) nodes[application.value - first] = whole;
    const last = at(nodes, application.value - first);
    nodes[application.value - first] = withAttentionBound(last, application, centre, standard);
  }
  const inputs = program.inputs.map(({ shape }) => shape);
  return { inputs, nodes: nodes.map((node) => savedNarrowly(node, standard, centre)) };
}

/** Finds the nodes that depend on no input, as masks of positions: every function has their values. */
function withoutInputs({ inputs, nodes }: PrimitiveGraph): ReadonlySet<NodeId> {
  const fixed = new Set<NodeId>();
  for (const [index, { parents }] of nodes.entries()) {
    if (parents.every((parent) => fixed.has(parent))) fixed.add(nodeId(inputs.length + index));
  }
  return fixed;
}

/** A node of an honest graph is read with these. */
interface Reading {
  /** It tells whether ties and comparisons at it are open. */
  readonly isOpen: boolean;
  readonly isInside: boolean;
  readonly accumulator: Accumulator;
}

/** Tells how each node of a program is read: over which algebra, with sums in which accumulator. */
function readingsOf<C>(
  program: PrimitiveGraph,
  standard: Standard,
  centre: Centre<C>,
  history: History | undefined,
  factored: readonly Application[],
): (index: number, reading: Reading) => Node<Bounded<C>> {
  const decided = interpreted(program, centre, standard, "any");
  const undecided = lazily(() => interpreted(program, centre, standard, "undecided"));
  const noted = lazily(() => interpreted(program, centre, standard, history ?? "any"));
  const inAccumulator = accumulations(program, standard, centre);
  // A history notes an engine's numbers; inside composites and eliminations an engine has others.
  const isNoted = (index: number): boolean => {
    const id = program.inputs.length + index;
    const isFactored = factored.some(({ first, end }) => first <= id && id < end);
    return history !== undefined && !isFactored && !eliminating.has(at(program.nodes, index).op);
  };
  return (index, { isOpen, isInside, accumulator }) => {
    const { nodes } = isOpen ? undecided() : !isInside && isNoted(index) ? noted() : decided;
    return addedIn(accumulator, at(nodes, index), inAccumulator(accumulator)?.nodes[index]);
  };
}

/** Tells what engines may do otherwise in derivatives of inner graphs. Cost: linear in these. */
export function ownDerivatives(
  program: Pick<PrimitiveProgram, "graph" | "applications">,
  standard: Standard,
): InnerDerivatives {
  return innerDerivativesOf(program, standard, { open: openTies(standard), kinked });
}

/** Something is made once for a standard and a centre, and forgotten with either. */
type Memory = WeakMap<Standard, WeakMap<object, unknown>>;

/** Returns what `make` makes, once for a standard and a centre. */
function once<T>(memory: Memory, standard: Standard, centre: object, make: () => T): T {
  const ofStandard = memory.get(standard) ?? new WeakMap<object, unknown>();
  memory.set(standard, ofStandard);
  const made = (ofStandard.get(centre) as T | undefined) ?? make();
  ofStandard.set(centre, made);
  return made;
}

const formulas = new WeakMap<PrimitiveProgram, Memory>();

/** Returns the honest graph of a formula, which a search evaluates over and over. */
function honestFormula<C>(
  program: PrimitiveProgram,
  standard: Standard,
  centre: Centre<C>,
): Graph<Bounded<C>> {
  const memory = formulas.get(program) ?? new WeakMap();
  formulas.set(program, memory);
  return once(memory, standard, centre, () => honestGraph(program, standard, centre, undefined, true));
}

/** Sums are read in any order or in the program's, and ties may be open. */
type Order = "any" | "sequential" | "undecided";

const algebras: Readonly<Record<Order, Memory>> = {
  any: new WeakMap(),
  sequential: new WeakMap(),
  undecided: new WeakMap(),
};

/** Returns the algebra of bounds around a centre. */
export function algebraOf<C>(
  centre: Centre<C>,
  standard: Standard,
  order: Order = "any",
): Algebra<Bounded<C>, Comparison> {
  return once(algebras[order], standard, centre, () =>
    bounded(centre, standard, {
      isSequential: order === "sequential",
      undecidedTies: order === "undecided",
    }),
  );
}

/** Holds the operators of scalars over the algebra of bounds. */
const operators: Memory = new WeakMap();

/** Returns what the honest graph says of a case of scalars, if {@link scalarBounds} has it. */
export function honestScalars<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
): ScalarBounds<C> | undefined {
  const algebra = algebraOf(centre, standard);
  const made = once(operators, standard, centre, () => scalarOperators(algebra, standard, centre));
  return scalarBounds(question, standard, centre, algebra, made);
}

/** Returns the program over an accumulator's arithmetic, unless that is the precision in any order. */
function accumulations<C>(
  program: PrimitiveGraph,
  standard: Standard,
  centre: Centre<C>,
): (accumulator: Accumulator) => Graph<Bounded<C>> | undefined {
  const sequential = lazily(() => interpreted(program, centre, standard, "sequential"));
  const wide = new Map<number, Graph<Bounded<C>>>();
  return (accumulator) => {
    if (accumulator.kind !== "wide") return accumulator.kind === "any" ? undefined : sequential();
    const { unitRoundoff } = accumulator.standard;
    const graph = wide.get(unitRoundoff) ?? interpreted(program, centre, accumulator.standard, "any");
    wide.set(unitRoundoff, graph);
    return graph;
  };
}

/** Reads a node's sums in an accumulator; the two products of `matmul`'s tangent come in any order. */
function addedIn<S>(accumulator: Accumulator, plain: Node<S>, added: Node<S> = plain): Node<S> {
  const isMixed = accumulator.kind === "sequential" && plain.name === "matmul";
  return isMixed ? { ...added, jvp: plain.jvp } : added;
}

function interpreted<C>(
  program: PrimitiveGraph,
  centre: Centre<C>,
  standard: Standard,
  order: Order | History,
): Graph<Bounded<C>> {
  const isNoted = typeof order === "object";
  const algebra = isNoted
    ? bounded(centre, standard, { history: order })
    : algebraOf(centre, standard, order);
  const graph = interpret(program, algebra);
  if (!graph.ok) throw new InvariantError("the centre does not offer what the graph needs");
  const linear = withLinearTangents(program, graph.value);
  const isSequential = order === "sequential";
  const meaning = isNoted ? linear : withProducts(program, linear, algebra, isSequential, centre, standard);
  return standard.slopes === "accurate" ? withAccurateSlopes(program, meaning, algebra) : meaning;
}

/** A node's sums are rounded so. */
interface Rounding {
  readonly op: PrimitiveName;
  readonly accumulator: Accumulator;
  /** Its terms are added up with others before any sum of them is rounded for certain. */
  readonly isContribution: boolean;
}

/** Rounds a node's sums as an engine may, with the ulps that it may lose besides. */
function honestNode<C>(
  node: Node<Bounded<C>>,
  standard: Standard,
  centre: Centre<C>,
  { op, accumulator, isContribution }: Rounding,
): Node<Bounded<C>> {
  const ulps = derivativeUlps(standard, op);
  const settled = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
    t.data.some(({ terms }) => terms > 1) ? map(t, (x) => settle(centre, standard, x)) : t;
  const added = (t: Tensor<Bounded<C>>, meets = false): Tensor<Bounded<C>> => {
    if (accumulator.kind !== "wide") return t;
    const wide = accumulator.standard;
    // A single term was moved and not rounded, unless it is a product.
    return map(t, (x) => (x.terms < 2 && op !== "matmul" ? x : narrowed(centre, standard, wide, x, meets)));
  };
  const by =
    (ulps: number) =>
    (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
      ulps === 0 ? t : map(t, (x) => loosened(standard, x, ulps));
  // Another formula may add up infinities of both signs: (c + c y)(1 − y) for c (1 − y²).
  const handed = isContribution ? (t: Tensor<Bounded<C>>) => t : settled;
  const written = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => (ulps === 0 ? t : map(t, finiteOnly));
  // Sums that meet may each be rounded: products of a tangent, cotangents of an operand that is read twice.
  const isReadTwice = hasRepeats(node.reads);
  const [asDeclared, loose] = [by(declaredExcess(standard, op)), by(ulps)];
  return {
    ...node,
    forward: (context, environment) => handed(added(asDeclared(node.forward(context, environment)))),
    jvp: (context, tangents, environment) =>
      handed(added(written(loose(node.jvp(context, tangents, environment))), op === "matmul")),
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, settled(cotangent)), (bar) =>
        added(written(loose(bar)), isReadTwice),
      ),
  };
}

function hasRepeats(ids: readonly NodeId[]): boolean {
  return ids.length === 2 ? ids[0] === ids[1] : ids.length > 2 && new Set(ids).size < ids.length;
}

/** These composites have kinks, or ties between elements, at which libraries differ. */
const kinked: ReadonlySet<CompositeName> = new Set([
  "abs",
  "minimum",
  "clip",
  "leaky_relu",
  "elu",
  "max",
  "min",
  "sort",
  "max_pool",
]);

/** Tells whether an engine has a choice of its own at a tie inside a composite. */
function isKink({ conventions }: Standard, { applications }: Inside, op: PrimitiveName): boolean {
  const compares = op === "less" || op === "maximum";
  const isKinked = applications.some(({ node }) => kinked.has(node.op));
  return compares && conventions.compositeKinks === "own" && isKinked;
}
