import {
  type CompositeName,
  type CompositeRows,
  composites,
  isCompositeName,
  type OperatorName,
} from "../composites/index.ts";
import {
  Construction,
  caught,
  MAXIMUM_EXPANSION,
  type Meaning,
  type Place,
  unwrap,
} from "../construction/construction.ts";
import type { Value } from "../construction/value.ts";
import { type Derivative, type DerivativesOf, type Derived, derivePrimitives } from "../derivatives/index.ts";
import {
  entriesNamedBy,
  type Graph,
  GraphError,
  isPrimitiveGraph,
  isPrimitiveNode,
  type Node,
  type NodeOf,
  type PrimitiveGraph,
  shapeOfPrimitive,
  shapesOfPrimitives,
} from "../graph/index.ts";
import { type EnvironmentEntry, isPrimitiveName, type PrimitiveName } from "../operators/index.ts";
import {
  at,
  InvariantError,
  type NodeId,
  nodeId,
  type Result,
  type Shape,
  type ShapeFault,
  wellFormedShape,
} from "../shapes/index.ts";

/** A composite that was written out: as a node of the expansion, and the ids that it became there. */
export interface Application {
  /** The node has the ids that its operands have in the expansion. */
  readonly node: CompositeNode;
  /** The ids that it became begin with this one. */
  readonly first: NodeId;
  /** The ids that it became end before this one. */
  readonly end: number;
  /** This id has its value. */
  readonly value: NodeId;
}

type CompositeNode = Extract<Node, { readonly op: CompositeName }>;

/** A graph whose composites are written out, and where in it the ids of the original are. */
export interface Expansion<G extends Graph> {
  readonly graph: G;
  /** Each id of the original graph has this id in the expansion; inputs keep theirs. */
  readonly ids: readonly NodeId[];
  /** Each id of the expansion belongs to this id of the original. */
  readonly origins: readonly NodeId[];
  /** Every composite that was written out, those inside another before it. */
  readonly applications: readonly Application[];
}

/** The derivative of each primitive. */
type Rules = DerivativesOf<PrimitiveName>;

/** A choice says which operators are expanded, and how. */
interface Choice {
  readonly isKept: (op: OperatorName) => boolean;
  readonly rows: CompositeRows;
  /** Derivatives within are written by these rules, by default those of the language. */
  readonly rules?: Rules;
  /** Hears of each composite once it is written out. */
  readonly onApplication?: (application: Application) => void;
}

const everything: Choice = { isKept: () => false, rows: composites };

/**
 * Returns the graph with every composite written out: what it means [SEMANTICS §6.6]. A graph of primitives
 * is its own expansion. `rows` is the table of composites, another one in tests of what a wrong expansion
 * does.
 * Cost: linear in the nodes that come out, once for each graph.
 */
export function expand(graph: Graph, rows: CompositeRows = composites): Expansion<PrimitiveGraph> {
  if (rows !== composites) return expandAnew(graph, rows);
  const known = knownExpansions.get(graph);
  if (known !== undefined) return known;
  const expansion = expandAnew(graph, rows);
  knownExpansions.set(graph, expansion);
  return expansion;
}

/** Graphs that still exist: a budget, the truth and each engine want a graph's expansion and shapes. */
const knownExpansions = new WeakMap<Graph, Expansion<PrimitiveGraph>>();

function expandAnew(graph: Graph, rows: CompositeRows, rules?: Rules): Expansion<PrimitiveGraph> {
  const { graph: expanded, ...places } = expandUnless(graph, () => false, rows, rules);
  if (!isPrimitiveGraph(expanded)) throw new InvariantError("a composite is left in an expansion");
  return { graph: expanded, ...places };
}

/**
 * Writes composites out as {@link expand} does, but operators that `isKept` stay, for an engine that has them
 * whole. The inner graph of a kept `differentiate` is expanded likewise. `rules` is another table of
 * derivatives.
 */
export function expandUnless(
  graph: Graph,
  isKept: (op: OperatorName) => boolean,
  rows: CompositeRows = composites,
  rules?: Rules,
): Expansion<Graph> {
  const applications: Application[] = [];
  const onApplication = (application: Application) => applications.push(application);
  const choice: Choice = { isKept, rows, ...(rules && { rules }), onApplication };
  if (isWrittenOut(graph, isKept)) {
    const ids = [...graph.inputs, ...graph.nodes].map((_, position) => nodeId(position));
    return { graph, ids, origins: ids, applications };
  }
  const construction = new Construction(expanding(choice));
  const ids = graph.inputs.map(({ name, shape }) => construction.input(name, shape).id);
  const origins = [...ids];
  for (const entry of graph.environment) construction.environment.set(entry.name, entry);
  for (const node of graph.nodes) {
    const original = nodeId(ids.length);
    const parents = node.parents.map((id) => ids[id] ?? id);
    const appended = caught(() => appendExpanded(construction, { ...node, parents }, choice));
    if (!appended.ok) throw new InvariantError(`not a well-formed graph: ${appended.error.message}`);
    ids.push(appended.value.id);
    while (origins.length < construction.shapes.length) origins.push(original);
  }
  const expanded = withShapes({ ...graph, nodes: construction.nodes }, construction.shapes);
  return { graph: expanded, ids, origins, applications };
}

/** Tells whether a graph, and those within it, have no operator that is to be written out. */
function isWrittenOut({ nodes }: Graph, isKept: (op: OperatorName) => boolean): boolean {
  return nodes.every((node) => {
    const isDone = isPrimitiveName(node.op) || isKept(node.op);
    return isDone && (node.op !== "differentiate" || isWrittenOut(node.attributes.graph, isKept));
  });
}

/** The shape of a node's value, from the shapes of (at least) its parents by id; or what does not fit. */
export function shapeOfNode(
  node: Node,
  earlier: readonly (Shape | undefined)[],
  environment: readonly EnvironmentEntry[],
): Result<Shape, ShapeFault> {
  const stated = outlineOfNode(node, earlier, environment);
  return stated.ok ? { ok: true, value: stated.value.shape } : stated;
}

/** The shape of a node's value, and what the node stands for. */
export interface NodeOutline {
  readonly shape: Shape;
  /** A composite has its expansion alone: operands are inputs, the value is the last id. */
  readonly expansion: PrimitiveGraph | undefined;
}

/** Returns what {@link shapeOfNode} does, and the expansion. Cost: linear in the node's primitives. */
export function outlineOfNode(
  node: Node,
  earlier: readonly (Shape | undefined)[],
  environment: readonly EnvironmentEntry[],
): Result<NodeOutline, ShapeFault> {
  const operands = node.parents.map((id) => earlier[id] ?? []);
  if (isPrimitiveNode(node)) {
    const shape = shapeOfPrimitive(node, operands, environment);
    return shape.ok ? { ok: true, value: { shape: shape.value, expansion: undefined } } : shape;
  }
  const scratch = new Construction(expanding(everything));
  for (const entry of environment) scratch.environment.set(entry.name, entry);
  const parents = operands.map((shape, place) => scratch.input(`operand${place}`, shape).id);
  const place = caught(() => appendExpanded(scratch, { ...node, parents }, everything));
  if (!place.ok) return place;
  const { inputs, nodes } = scratch;
  const expansion: Graph = { format: "adjudge.graph.v1", inputs, environment, nodes };
  if (!isPrimitiveGraph(expansion)) throw new InvariantError("a composite is left in an expansion");
  return { ok: true, value: { shape: place.value.shape, expansion: withShapes(expansion, scratch.shapes) } };
}

/** Findings about graphs that still exist: the judge and each engine ask for a graph's shapes often. */
const knownShapes = new WeakMap<Graph, readonly Shape[]>();

/**
 * The shape of every id of a well-formed graph, inputs first. Throws {@link InvariantError} if a node's shape
 * rule fails, which `checkGraph` would have refused. Cost: that of {@link expand}, once for each graph.
 */
export function shapesOf(graph: Graph): readonly Shape[] {
  const known = knownShapes.get(graph);
  if (known !== undefined) return known;
  const shapes = shapesOfNodes(graph);
  knownShapes.set(graph, shapes);
  return shapes;
}

/** `graph` with all shapes known, since {@link outlineOfNode} was asked of each appended node. */
export function withShapes<G extends Graph>(graph: G, shapes: readonly Shape[]): G {
  knownShapes.set(graph, shapes);
  return graph;
}

function shapesOfNodes(graph: Graph): readonly Shape[] {
  if (isPrimitiveGraph(graph)) return shapesOfPrimitives(graph);
  const { graph: expanded, ids } = expand(graph);
  const shapes = shapesOf(expanded);
  return ids.map((id) => at(shapes, id));
}

function isCompositeNode(node: Node): node is CompositeNode {
  return isCompositeName(node.op);
}

/** Expansions append primitives as they are, and composites expanded. */
function expanding(choice: Choice): Meaning {
  const { rows, rules } = choice;
  return {
    append: (construction, node) => appendExpanded(construction, node, choice),
    derivative: (graph, derivative) => derivativeOf(graph, derivative, rows, MAXIMUM_EXPANSION, rules),
  };
}

/** Derivatives of graphs that still exist are kept, by mode and ids. */
const knownDerivatives = new WeakMap<Graph, Map<string, Derived>>();

/**
 * Returns the derivative of a well-formed graph in primitives, once for each graph, with its ids. Throws
 * {@link GraphError} beyond `mostNodes`. `rules` is another table of derivatives, also for inner graphs.
 */
export function derivativeOf(
  graph: Graph,
  derivative: Derivative,
  rows: CompositeRows = composites,
  mostNodes: number = Number.POSITIVE_INFINITY,
  rules?: Rules,
): Derived {
  if (rows !== composites || rules !== undefined)
    return derivedAnew(graph, derivative, rows, mostNodes, rules);
  const derivatives = knownDerivatives.get(graph) ?? new Map<string, Derived>();
  knownDerivatives.set(graph, derivatives);
  const key = `${derivative.mode} ${derivative.of.join(" ")}; ${derivative.wrt.join(" ")}`;
  const derived = derivatives.get(key) ?? derivedAnew(graph, derivative, rows, mostNodes);
  derivatives.set(key, derived);
  return derived;
}

function derivedAnew(
  graph: Graph,
  { mode, of, wrt }: Derivative,
  rows: CompositeRows,
  mostNodes: number,
  rules?: Rules,
): Derived {
  const { graph: written, ids } = rules === undefined ? expand(graph, rows) : expandAnew(graph, rows, rules);
  const there = (id: NodeId): NodeId => at(ids, id);
  const derivative = { mode, of: of.map(there), wrt: wrt.map(there) };
  return derivePrimitives(written, shapesOfPrimitives(written), derivative, mostNodes, rules);
}

function appendExpanded(construction: Construction, node: Node, choice: Choice): Place {
  const { isKept, rows, onApplication } = choice;
  if (isCompositeNode(node) && !isKept(node.op)) {
    const first = nodeId(construction.shapes.length);
    const place = appendExpansion(construction, node, rows);
    onApplication?.({ node, first, end: construction.shapes.length, value: place.id });
    return place;
  }
  const environment = entriesNamedBy(node, construction.environment);
  const shape = unwrap(node.op, shapeOfNode(node, construction.shapes, environment));
  return construction.push(withinKept(node, choice), unwrap(node.op, wellFormedShape(shape)));
}

/** A node that is kept, with what its inner graph, if it has one, becomes. */
function withinKept(node: Node, { isKept, rows }: Choice): Node {
  if (node.op !== "differentiate") return node;
  const { graph, ids } = expandUnless(node.attributes.graph, isKept, rows);
  return { ...node, attributes: { ...node.attributes, graph, of: at(ids, node.attributes.of) } };
}

function appendExpansion<K extends CompositeName>(
  construction: Construction,
  node: NodeOf<K>,
  rows: CompositeRows,
): Place {
  const { op, attributes, parents } = node;
  const row = rows[op];
  const shapes = parents.map((id) => construction.shapes[id] ?? []);
  const fault = row.refuse?.(attributes, shapes, [...entriesNamedBy(node, construction.environment)]);
  if (fault !== undefined) throw new GraphError(op, fault);
  const first = construction.shapes.length;
  const operands = parents.map((id, place) => construction.value({ id, shape: shapes[place] ?? [] }));
  const { mostNodes } = construction;
  construction.mostNodes = Math.min(mostNodes, construction.nodes.length + MAXIMUM_EXPANSION);
  const value = row.expand(construction.scope, attributes, ...operands);
  construction.mostNodes = mostNodes;
  return value.id < first ? fresh(value) : { id: value.id, shape: value.shape };
}

/** Every id of the original has one of its own: a composite that is one of its operands is a copy of it. */
function fresh(value: Value): Place {
  const { id, shape } = value.reshape({ shape: value.shape });
  return { id, shape };
}
