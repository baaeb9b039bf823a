import {
  backpropSparse,
  type Context,
  type Environment,
  type EnvironmentValue,
  evaluate,
  type Graph,
  interpret,
  jvpCtx,
  map,
  mapSparse,
  type Node,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import { type CompositeName, shapesOf } from "../../spec/composites/index.ts";
import { referenceConventions } from "../../spec/contract/index.ts";
import type { PrimitiveGraph as WrittenGraph } from "../../spec/graph/index.ts";
import type { PrimitiveName } from "../../spec/operators/index.ts";
import { type Algebra, InvariantError, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Case, type Inside, listOf, type PrimitiveCase, type PrimitiveProgram } from "../case/index.ts";
import { type Accumulator, accumulatorOf } from "./accumulation.ts";
import { bounded, type Comparison, given, loosened, narrowed, settle, withoutBound } from "./bounded.ts";
import { byConvention } from "./by_convention.ts";
import type { Centre } from "./centre.ts";
import { computedWhole, type Tools } from "./computed_whole.ts";
import {
  cornered,
  type Derived,
  derivedFrom,
  logisticOtherwise,
  slopedOtherwise,
  writtenOtherwise,
} from "./derived.ts";
import { byElimination } from "./elimination.ts";
import { doorsOf, withEntering } from "./entered.ts";
import { factoredOf } from "./factored.ts";
import { History } from "./history.ts";
import { lazily } from "./lazily.ts";
import { type Bounded, radius } from "./radius.ts";
import { savedNarrowly } from "./saved_narrowly.ts";
import { declaredExcess, derivativeUlps, type Standard } from "./standard.ts";
import { withTies } from "./tied.ts";
import { insideComposite } from "./whole.ts";

/** What is asked of an id. */
export type Part = "value" | "tangent" | "cotangent";

/** Something known of every element at an id, for each part. */
export type Parts<T> = { readonly [P in Part]: (id: NodeId) => readonly T[] };

/**
 * The bounded values, tangents and cotangents of a case around a centre; cotangents in the sparse form, zero where
 * nothing arrives. With `isSharp`, what numbers make of each other's errors is noted, for {@link sharpRadius}. Cost: an
 * evaluation of the reference for each part, when it is first asked for; that of the values once for all.
 */
export function boundsAround<C>(
  question: PrimitiveCase,
  standard: Standard,
  centre: Centre<C>,
  isSharp = false,
): Parts<Bounded<C>> {
  const { graph: program, point } = question;
  const history = isSharp ? new History() : undefined;
  const graph = honestGraph(question, standard, centre, history);
  const lift = ({ shape, data }: FlatTensor): Tensor<Bounded<C>> =>
    tensor(shape, (position) => given(centre, standard, data[position] ?? 0));
  const shapes = shapesOf(program);
  const x = point.inputs.map(lift);
  const environment = liftEnvironment(question, lift);
  const { additive } = history ? bounded(centre, standard, { history }) : algebraOf(centre, standard);
  const zeros = (id: NodeId): Tensor<Bounded<C>> => tensor(shapes[id] ?? [], () => additive.zero);
  const values = lazily(() => evaluate(graph, x, environment));
  // What a history weighs depends on the order of its notes: there each part has notes of its own.
  const known = lazily(() => (isSharp ? graph : withValues(graph, values())));
  const tangents = lazily(() => jvpCtx(known(), x, question.tangents.map(lift), environment));
  const cotangents = lazily(() => {
    const seed = new Map(question.seeds.map(({ id, cotangent }) => [id, lift(cotangent)]));
    return backpropSparse(additive, known(), x, environment, seed);
  });
  return {
    value: (id) => present(values()[id], "a value").data,
    tangent: (id) => present(tangents()[id], "a tangent").data,
    cotangent: (id) => (cotangents().get(id) ?? zeros(id)).data,
  };
}

/** The graph at the point where these are its values, which are not computed again. */
function withValues<S>({ inputs, nodes }: Graph<S>, values: Context<S>): Graph<S> {
  return {
    inputs,
    nodes: nodes.map((node, index) => ({
      ...node,
      forward: () => present(values[inputs.length + index], "a value"),
    })),
  };
}

/** Δ of a case over another carrier. */
export function liftEnvironment<S>(
  { graph, point }: Case,
  lift: (flat: FlatTensor) => Tensor<S>,
): Environment<S> {
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<S>] => {
      const flat = point.environment.get(name);
      if (flat === undefined) throw new InvariantError(`the point has no environment entry ${name}`);
      return [
        name,
        kind === "real" ? { kind, tensor: lift(flat) } : { kind, shape, indices: listOf(flat.data) },
      ];
    }),
  );
}

/**
 * The program over bounded values, as any honest engine may run it: every node rounds its sums before it hands
 * its value on, derivatives may be written in another form, and a tie is open where the engine declares
 * another convention than ours. `isRewritten` programs are one way of several already.
 */
export function honestGraph<C>(
  { graph: program, insides, applications }: PrimitiveProgram,
  standard: Standard,
  centre: Centre<C>,
  history?: History,
  isRewritten = false,
): Graph<Bounded<C>> {
  const shapes = shapesOf(program);
  const doors = doorsOf(applications, shapes, standard);
  const algebra = algebraOf(centre, standard);
  const { field } = algebra.levels;
  const decided = interpreted(program, algebra);
  const noted = lazily(() => interpreted(program, bounded(centre, standard, { history })));
  const open = openTies(standard);
  const derivatives = ownDerivatives({ graph: program, applications }, standard);
  const undecided = lazily(() => interpreted(program, algebraOf(centre, standard, "undecided")));
  const inAccumulator = accumulations(program, standard, centre);
  const isZero = (x: Bounded<C>): boolean =>
    radius(centre, standard, x) + centre.slack(x.centre) === 0 && centre.approximate(x.centre) === 0;
  const isPositive = (x: Bounded<C>): boolean => centre.approximate(x.centre) > 0;
  const derivedOtherwise = (node: Node<Bounded<C>>, op: PrimitiveName, id: NodeId): Node<Bounded<C>> => {
    if (!derivatives.holds(id)) return node;
    if (op === "where") return cornered(node, id, program, isZero, isPositive);
    if (derivatives.isLogistic(op, id)) return logisticOtherwise(node, centre, standard);
    const ulps = derivatives.ulps(op, id);
    const sum = ulps === 0 ? node : writtenOtherwise(node, standard, ulps);
    const slopeUlps = derivatives.slopeUlps(op, id);
    return slopeUlps === 0 ? sum : slopedOtherwise(sum, standard, slopeUlps);
  };
  const factored = history === undefined ? [] : applications.filter(factoredOf);
  const nodes = program.nodes.flatMap((node, index): Node<Bounded<C>>[] => {
    const inside = insides[index];
    const id = program.inputs.length + index;
    const isOpen =
      open.has(node.op) ||
      (inside !== undefined && isKink(standard, inside, node.op)) ||
      derivatives.isKink(node.op, id);
    const isFactored = factored.some(({ first, end }) => first <= id && id < end);
    const isNoted = history !== undefined && inside === undefined && !isFactored && !eliminating.has(node.op);
    const plain = (isOpen ? undecided() : isNoted ? noted() : decided).nodes[index];
    if (plain === undefined) return [];
    const accumulator = accumulatorOf(standard, node.op, inside?.composite);
    const meaning = addedIn(accumulator, plain, inAccumulator(accumulator)?.nodes[index]);
    const tied = withTies(meaning, node.op, node.parents, centre, standard);
    const conventional = byConvention(tied, node.op, node.parents, centre, standard);
    const eliminated =
      standard.taper === undefined
        ? byElimination(conventional, node.op, field, centre, standard)
        : withoutElimination(conventional, node.op);
    const free =
      inside === undefined
        ? eliminated
        : insideComposite(
            withEntering(eliminated, inside, doors, centre, standard),
            nodeId(id),
            inside,
            standard,
          );
    const otherwise = derivedOtherwise(free, node.op, nodeId(id));
    return [honestNode(otherwise, standard, centre, node.op, accumulator)];
  });
  const tools: Tools<C> = {
    centre,
    standard,
    additive: algebra.additive,
    written: program,
    shapes,
    isRewritten,
    honest: (written) => honestFormula(written, standard, centre),
  };
  // Who keeps values narrowly keeps those inside composites so, and has no formulas for them; nor are there any for numbers whose precision tapers off.
  const hasFormulas = standard.saved === undefined && standard.taper === undefined;
  for (const application of hasFormulas ? applications : []) {
    const whole = computedWhole(nodes, program.inputs.length, application, tools);
    if (whole !== undefined) nodes[application.value - program.inputs.length] = whole;
  }
  return { inputs: decided.inputs, nodes: nodes.map((node) => savedNarrowly(node, standard, centre)) };
}

/** A node of which nothing is known if it eliminates: the bounds of elimination are parts of the largest entry, and precision that tapers off has no such part. */
function withoutElimination<C>(node: Node<Bounded<C>>, op: PrimitiveName): Node<Bounded<C>> {
  if (!eliminating.has(op)) return node;
  const lost = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> => map(t, withoutBound);
  return {
    ...node,
    forward: (...asked) => lost(node.forward(...asked)),
    jvp: (...asked) => lost(node.jvp(...asked)),
    vjp: (...asked) => mapSparse(node.vjp(...asked), (t) => lost(t)),
  };
}

/** What engines may do otherwise in the derivatives of inner graphs, by what the standard declares. Cost: linear in the inner graphs. */
export function ownDerivatives(
  program: Pick<PrimitiveProgram, "graph" | "applications">,
  standard: Standard,
): Derived {
  return derivedFrom(program, standard, { open: openTies(standard), kinked });
}

/** What they compute inside are not numbers of an engine, so no history knows it; nor what composites compute, in other ways. */
const eliminating: ReadonlySet<PrimitiveName> = new Set(["solve", "det"]);

const formulas = new WeakMap<PrimitiveProgram, Map<Standard, Map<object, unknown>>>();

/** The same of a program that is met again. */
function honestFormula<C>(
  program: PrimitiveProgram,
  standard: Standard,
  centre: Centre<C>,
): Graph<Bounded<C>> {
  const ofProgram = formulas.get(program) ?? new Map<Standard, Map<object, unknown>>();
  formulas.set(program, ofProgram);
  const ofStandard = ofProgram.get(standard) ?? new Map<object, unknown>();
  ofProgram.set(standard, ofStandard);
  const made =
    (ofStandard.get(centre) as Graph<Bounded<C>> | undefined) ??
    honestGraph(program, standard, centre, undefined, true);
  ofStandard.set(centre, made);
  return made;
}

/** How sums and ties are read: in any order; in the program's; with ties at which another choice is declared than ours. */
const readings = {
  any: {},
  sequential: { isSequential: true },
  undecided: { undecidedTies: true },
} as const;

const algebras: Readonly<Record<keyof typeof readings, WeakMap<Standard, WeakMap<object, unknown>>>> = {
  any: new WeakMap(),
  sequential: new WeakMap(),
  undecided: new WeakMap(),
};

/** The algebra of bounds around a centre, made once for a standard and a reading. */
function algebraOf<C>(
  centre: Centre<C>,
  standard: Standard,
  reading: keyof typeof readings = "any",
): Algebra<Bounded<C>, Comparison> {
  const ofStandard = algebras[reading];
  const ofCentre = ofStandard.get(standard) ?? new WeakMap<object, unknown>();
  ofStandard.set(standard, ofCentre);
  const known = ofCentre.get(centre) as Algebra<Bounded<C>, Comparison> | undefined;
  if (known !== undefined) return known;
  const made = bounded(centre, standard, readings[reading]);
  ofCentre.set(centre, made);
  return made;
}

/** The program over the arithmetic of an accumulator, if that is another than in any order in the precision. */
function accumulations<C>(
  program: WrittenGraph,
  standard: Standard,
  centre: Centre<C>,
): (accumulator: Accumulator) => Graph<Bounded<C>> | undefined {
  const sequential = lazily(() => interpreted(program, algebraOf(centre, standard, "sequential")));
  const wide = new Map<number, Graph<Bounded<C>>>();
  return (accumulator) => {
    if (accumulator.kind !== "wide") return accumulator.kind === "any" ? undefined : sequential();
    const { unitRoundoff } = accumulator.standard;
    const graph = wide.get(unitRoundoff) ?? interpreted(program, algebraOf(centre, accumulator.standard));
    wide.set(unitRoundoff, graph);
    return graph;
  };
}

/** The meaning of a node whose sums are held in an accumulator. The two products of a tangent come in any order. */
function addedIn<S>(accumulator: Accumulator, plain: Node<S>, added: Node<S> = plain): Node<S> {
  const isMixed = accumulator.kind === "sequential" && plain.name === "matmul";
  return isMixed ? { ...added, jvp: plain.jvp } : added;
}

function interpreted<C>(program: WrittenGraph, algebra: Algebra<Bounded<C>, Comparison>): Graph<Bounded<C>> {
  const graph = interpret(program, algebra);
  if (!graph.ok) throw new InvariantError("the centre does not offer what the graph needs");
  return graph.value;
}

function honestNode<C>(
  node: Node<Bounded<C>>,
  standard: Standard,
  centre: Centre<C>,
  op: PrimitiveName,
  accumulator: Accumulator,
): Node<Bounded<C>> {
  const settled = (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
    t.data.some(({ terms }) => terms > 1) ? map(t, (x) => settle(centre, standard, x)) : t;
  const added = (t: Tensor<Bounded<C>>, meets = false): Tensor<Bounded<C>> => {
    if (accumulator.kind !== "wide") return t;
    const wide = accumulator.standard;
    // A single term was only moved, unless it is a product.
    return map(t, (x) => (x.terms < 2 && op !== "matmul" ? x : narrowed(centre, standard, wide, x, meets)));
  };
  const by =
    (ulps: number) =>
    (t: Tensor<Bounded<C>>): Tensor<Bounded<C>> =>
      ulps === 0 ? t : map(t, (x) => loosened(standard, x, ulps));
  // Each sum that meets another may be rounded by itself: both products of a tangent, both cotangents of an operand.
  const isReadTwice = hasRepeats(node.reads);
  const [asDeclared, loose] = [by(declaredExcess(standard, op)), by(derivativeUlps(standard, op))];
  return {
    ...node,
    forward: (context, environment) => settled(added(asDeclared(node.forward(context, environment)))),
    jvp: (context, tangents, environment) =>
      settled(added(loose(node.jvp(context, tangents, environment)), op === "matmul")),
    vjp: (context, environment, cotangent) =>
      mapSparse(node.vjp(context, environment, settled(cotangent)), (bar) => added(loose(bar), isReadTwice)),
  };
}

function hasRepeats(ids: readonly NodeId[]): boolean {
  return ids.length === 2 ? ids[0] === ids[1] : ids.length > 2 && new Set(ids).size < ids.length;
}

/** The operators at whose ties or kinks the engine declares another choice than the reference. */
function openTies({ conventions }: Standard): ReadonlySet<PrimitiveName> {
  const open = new Set<PrimitiveName>();
  if (conventions.maximumAtTie !== referenceConventions.maximumAtTie) open.add("maximum");
  if (conventions.reluAtZero !== referenceConventions.reluAtZero) open.add("relu");
  return open;
}

/** Composites with kinks, or ties between elements, at which libraries differ. */
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

/** Whether a tie at a primitive inside a composite is open, for an engine that has choices of its own there. */
function isKink({ conventions }: Standard, { applications }: Inside, op: PrimitiveName): boolean {
  const compares = op === "less" || op === "maximum";
  const isKinked = applications.some(({ node }) => kinked.has(node.op));
  return compares && conventions.compositeKinks === "own" && isKinked;
}
