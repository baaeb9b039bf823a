import { checkApplication } from "../../spec/documents/index.ts";
import { expandedIndexLimitsOf, shapesOf, withShapes } from "../../spec/expansion/index.ts";
import type { Graph, Node } from "../../spec/graph/index.ts";
import { at, isSameShape } from "../../spec/shapes/index.ts";
import type { CallChange, FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";

/**
 * Returns the case that a call with this change asks, without calls of its own. Where there is nothing to
 * change, as in a graph without attributes, it is the case itself.
 */
export function changed(asked: Case, change: CallChange | undefined): Case {
  const { calls: _, ...question } = asked;
  const { graph, point, tangents, seeds } = question;
  switch (change) {
    case undefined:
    case "load":
      return question;
    case "inputs":
      return { ...question, point: { ...point, inputs: point.inputs.map(raised) } };
    case "entries":
      return { ...question, point: { ...point, environment: otherEntries(question) } };
    case "tangents":
      return { ...question, tangents: tangents.map(raised) };
    case "seeds":
      return {
        ...question,
        seeds: seeds.map(({ id, cotangent }) => ({ id, cotangent: raised(cotangent) })),
      };
    case "attribute":
      return { ...question, graph: siblingOf(graph) ?? graph };
  }
}

/** Adds 1 to every number, rounded to float32 as the numbers of cases are. */
function raised({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map((x) => Math.fround(x + 1)) };
}

/** Raises the real entries of Δ, and counts the indices from their ends. */
function otherEntries({ graph, point }: Case): ReadonlyMap<string, FlatTensor> {
  const limits = expandedIndexLimitsOf(graph);
  return new Map(
    graph.environment.flatMap(({ name, kind }): [string, FlatTensor][] => {
      const value = point.environment.get(name);
      if (value === undefined) return [];
      if (kind === "real") return [[name, raised(value)]];
      const own = limits.get(name) ?? [];
      const data = value.data.map((index, i) => (own[i % own.length] ?? index + 1) - 1 - index);
      return [[name, { ...value, data: own.length === 0 ? value.data : data }]];
    }),
  );
}

const siblings = new WeakMap<Graph, { readonly sibling: Graph | undefined }>();

/**
 * Returns the graph with the first attribute changed that allows it: so that the graph stays well-formed, and
 * its shapes and the limits of its indices stay the same. `undefined` if there is none. Cost: a check of a
 * node for each attribute tried, once for each graph.
 */
export function siblingOf(graph: Graph): Graph | undefined {
  const known = siblings.get(graph) ?? { sibling: findSibling(graph) };
  siblings.set(graph, known);
  return known.sibling;
}

/** At most so many changed attributes are tried. */
const TRIES = 32;

function findSibling(graph: Graph): Graph | undefined {
  const shapes = shapesOf(graph);
  const environment = new Map(graph.environment.map((entry) => [entry.name, entry]));
  let tries = 0;
  for (const [position, node] of graph.nodes.entries()) {
    for (const attributes of otherAttributes(node)) {
      tries += 1;
      if (tries > TRIES) return undefined;
      const other = { ...node, attributes };
      if (!isNodeLike(node, other)) continue;
      const operands = node.parents.map((id) => at(shapes, id));
      const shape = checkApplication(other, operands, { environment, isEnvironmentPartial: false });
      const own = at(shapes, graph.inputs.length + position);
      if (!shape.ok || shape.value === undefined || !isSameShape(shape.value, own)) continue;
      const sibling = withShapes({ ...graph, nodes: graph.nodes.with(position, other) }, shapes);
      if (hasSameLimits(graph, sibling)) return sibling;
    }
  }
  return undefined;
}

/** Tells whether attributes have the types of a node's. */
function isNodeLike({ attributes }: Node, other: { readonly attributes: object }): other is Node {
  const own = Object.entries(attributes);
  const others = Object.values(other.attributes);
  return own.every(([, value], place) => typeof value === typeof others[place]);
}

function hasSameLimits(graph: Graph, other: Graph): boolean {
  if (graph.environment.length === 0) return true;
  const limits = expandedIndexLimitsOf(other);
  return [...expandedIndexLimitsOf(graph)].every(([name, own]) => `${own}` === `${limits.get(name)}`);
}

/** Lists a node's attributes with one of them changed. */
function* otherAttributes({ op, attributes }: Node): Generator<object> {
  if (op === "differentiate") return;
  // A shape that differs is never the same.
  for (const [name, value] of Object.entries(attributes))
    if (name !== "shape") for (const other of otherValues(value)) yield { ...attributes, [name]: other };
}

/**
 * Lists values beside an attribute's: the other Boolean, the next numbers, a list with two places swapped.
 */
function* otherValues(value: unknown): Generator<unknown> {
  if (typeof value === "boolean") yield !value;
  if (typeof value === "number") yield* [value + 1, value - 1, value / 2];
  if (!Array.isArray(value)) return;
  for (const [place, element] of value.entries())
    for (const other of otherValues(element)) yield value.with(place, other);
  for (let place = 1; place < value.length; place++)
    yield value.with(place - 1, value[place]).with(place, value[place - 1]);
}
