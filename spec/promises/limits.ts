import { isNode } from "../construction/construction.ts";
import type { Description } from "../contract/index.ts";
import { outlineOfNode, shapesOf } from "../expansion/index.ts";
import type { Graph, Node } from "../graph/index.ts";
import { formatShape, present, type Shape } from "../shapes/index.ts";
import type { Limit, Limits } from "../wire/index.ts";

/** What is promised in part: the limits, and the composites that are sent as their expansions. */
export type InPart = Pick<Description, "limits" | "written">;

/**
 * Says what of a graph lies outside of what an engine promises, `conv with padding [[1,0]]`; `undefined` if
 * nothing does. Cost: one look at every node, and the expansions of composites that are written out.
 */
export function beyondLimits(promised: InPart, graph: Graph): string | undefined {
  const { limits } = promised;
  if (limits === undefined) return undefined;
  const shapes = shapesOf(graph);
  for (const { name, shape } of graph.inputs) {
    const beyond = shapeBeyond(limits, "every", shape);
    if (beyond !== undefined) return `${beyond} of input ${name}`;
  }
  for (const [place, node] of graph.nodes.entries()) {
    const operands = node.parents.map((id) => shapes[id] ?? []);
    const result = present(shapes[graph.inputs.length + place], "the shape of a node");
    const beyond = nodeBeyond(promised, node, operands, result, graph);
    if (beyond !== undefined) return beyond;
  }
  return undefined;
}

/** Says what of one node, with these shapes and in this graph's Δ, lies outside, as {@link beyondLimits}. */
export function nodeBeyond(
  promised: InPart,
  node: Node,
  operands: readonly Shape[],
  result: Shape,
  { environment }: Pick<Graph, "environment">,
): string | undefined {
  const { limits, written = [] } = promised;
  if (limits === undefined) return undefined;
  if (written.includes(node.op)) {
    const outline = outlineOfNode(node, shapesByParent(node, operands), environment);
    const expansion = outline.ok ? outline.value.expansion : undefined;
    return expansion && beyondLimits({ limits }, expansion);
  }
  if (node.op === "differentiate") {
    const within = beyondLimits(promised, node.attributes.graph);
    if (within !== undefined) return within;
  }
  for (const shape of [...operands, result]) {
    const beyond = shapeBeyond(limits, "every", shape) ?? shapeBeyond(limits, node.op, shape);
    if (beyond !== undefined) return `${beyond} of ${node.op}`;
  }
  const values = new Map<string, unknown>(Object.entries(node.attributes));
  for (const [name, limit] of Object.entries(limits[node.op] ?? {})) {
    const value = values.get(name);
    if (value !== undefined && !isPromised(limit, value, axesOf(node, operands)))
      return `${node.op} with ${name} ${JSON.stringify(value)}`;
  }
  return undefined;
}

/** Puts the operands' shapes at the places of the parents' ids. */
function shapesByParent({ parents }: Node, operands: readonly Shape[]): readonly (Shape | undefined)[] {
  const shapes: (Shape | undefined)[] = [];
  for (const [place, id] of parents.entries()) shapes[id] = operands[place];
  return shapes;
}

function shapeBeyond(limits: Limits, of: string, shape: Shape): string | undefined {
  const { ranks, extents } = limits[of] ?? {};
  const isFit = isInside(ranks, shape.length) && shape.every((extent) => isInside(extents, extent));
  return isFit ? undefined : `the shape ${formatShape(shape)}`;
}

/** Tells whether a number is within bounds. */
export function isInside({ least, greatest }: Limit = {}, x: number): boolean {
  return (least === undefined || x >= least) && (greatest === undefined || x <= greatest);
}

/** Counts the axes that the attributes `axis` and `axes` are of. */
function axesOf(node: Node, operands: readonly Shape[]): number {
  if (node.op === "iota") return node.attributes.shape.length;
  const rank = operands[0]?.length ?? 0;
  return node.op === "stack" ? rank + 1 : rank;
}

/** Tells whether an attribute's value, of a node with so many axes, is within a limit. */
function isPromised(limit: Limit, value: unknown, axes: number): boolean {
  const parts = partsOf(value);
  const isFit = (part: unknown): boolean =>
    (limit.among === undefined || limit.among.some((one) => one === part)) &&
    (typeof part !== "number" || isInside(limit, part));
  return parts.every(isFit) && hasForm(limit, value, axes);
}

/** Lists the numbers, texts and truth values of an attribute, which may be a list, or one of pairs. */
function partsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.flatMap(partsOf) : [value];
}

function hasForm({ form }: Limit, value: unknown, axes: number): boolean {
  if (form === undefined) return true;
  const parts = partsOf(value);
  switch (form) {
    case "integer":
      return parts.every(Number.isInteger);
    case "last":
      return parts.length === 1 && parts[0] === axes - 1;
    case "trailing":
      return (
        parts.length > 0 && parts.every((part) => typeof part === "number" && part >= axes - parts.length)
      );
    case "symmetric":
      return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && pair[0] === pair[1]);
  }
}

/**
 * Returns the node with each limited attribute moved into its limit, by the nearest number or a value that
 * `choose` picks. The shape rule may refuse the result, since other attributes and operands stay.
 */
export function moved(
  { limits }: InPart,
  node: Node,
  operands: readonly Shape[],
  choose: <T>(values: readonly [T, ...T[]]) => T,
): Node {
  const limited = Object.entries(limits?.[node.op] ?? {});
  if (limited.length === 0) return node;
  const axes = axesOf(node, operands);
  const attributes = new Map<string, unknown>(Object.entries(node.attributes));
  for (const [name, limit] of limited) {
    const value = attributes.get(name);
    if (value !== undefined && !isPromised(limit, value, axes))
      attributes.set(name, inLimit(limit, value, axes, choose));
  }
  const changed = { ...node, attributes: Object.fromEntries(attributes) };
  return isNode(changed) ? changed : node;
}

function inLimit(
  limit: Limit,
  value: unknown,
  axes: number,
  choose: <T>(values: readonly [T, ...T[]]) => T,
): unknown {
  const {
    among: [first, ...others] = [],
    least = Number.NEGATIVE_INFINITY,
    greatest = Number.POSITIVE_INFINITY,
    form,
  } = limit;
  const last = Math.max(axes - 1, 0);
  if (form === "last") return Array.isArray(value) ? [last] : last;
  if (form === "trailing" && Array.isArray(value)) {
    const count = Math.max(value.length, 1);
    return value.length === 0 ? [last] : value.map((_, place) => Math.max(axes - count, 0) + place);
  }
  const part = (x: unknown): unknown => {
    if (Array.isArray(x))
      return form === "symmetric" && !Array.isArray(x[0]) ? x.map(() => part(x[0])) : x.map(part);
    if (first !== undefined)
      return limit.among?.some((one) => one === x) === true ? x : choose([first, ...others]);
    if (typeof x !== "number") return x;
    const near = Math.min(Math.max(x, least), greatest);
    return form === "integer" ? Math.ceil(near) : near;
  };
  return part(value);
}
