import {
  isOperatorName,
  MAXIMUM_NESTING,
  type OperatorName,
  operatorNames,
  operators,
} from "../composites/index.ts";
import { MAXIMUM_EXPANSION } from "../construction/construction.ts";
import { outlineOfNode } from "../expansion/index.ts";
import { entriesNamedBy, type Graph, type Input, type Node } from "../graph/index.ts";
import { type Arity, acceptsCount, type EnvironmentEntry, formatArity } from "../operators/index.ts";
import { nodeReference } from "../schema/graph.ts";
import { outlineOf, type Validator } from "../schema/registry.ts";
import {
  fail,
  InvariantError,
  type Issue,
  issuesWithin,
  MAXIMUM_ISSUES,
  nearestName,
  ok,
  pointerTo,
  present,
  quote,
  type Result,
  type Shape,
  visible,
  wellFormedShape,
} from "../shapes/index.ts";
import { parseJson } from "../wire/index.ts";

/**
 * A graph that stands for more primitives than this is refused, those of its inner graphs counted too: nobody
 * could hold its expansion, and few would wait for it.
 */
const MAXIMUM_PRIMITIVES = 2 ** 18;

/** A graph before its entries are looked at. */
interface Envelope {
  readonly inputs: readonly unknown[];
  readonly environment: readonly unknown[];
  readonly nodes: readonly unknown[];
}

/** A node before its operator is known. */
interface NodeHead {
  readonly op: string;
  readonly parents: readonly unknown[];
}

const readEnvelope: Validator<Envelope> = outlineOf("graph-envelope.schema.json");
const readNodeHead: Validator<NodeHead> = outlineOf("graph-envelope.schema.json#/$defs/node");
const readInput: Validator<Input> = outlineOf("graph.schema.json#/$defs/input");
const readEntry: Validator<EnvironmentEntry> = outlineOf("graph.schema.json#/$defs/environment_entry");
const readNodeOf: ReadonlyMap<OperatorName, Validator<Node>> = new Map(
  operatorNames.map((op) => [op, outlineOf<Node>(`graph.schema.json${nodeReference(op)}`)]),
);

/** Returns the graph that a JSON text denotes; see {@link checkGraph}. Fails: `json/…` too. */
export function checkGraphText(text: string): Result<Graph, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkGraph(json.value) : json;
}

/**
 * Returns the graph that `json`, a value as `JSON.parse` returns it, denotes, as fresh plain data; or what is
 * wrong with it, {@link MAXIMUM_ISSUES} issues at most. Throws on no JSON.
 * Law: the graph returned passes again and comes back equal.
 * Fails: `schema/…`, `shape/…`, `graph/name`, `graph/name-twice`, `graph/operator`, `graph/arity`,
 * `graph/parent-order`, `graph/environment`, `graph/expansion`.  Cost: linear in the document and in the
 * primitives that the nodes stand for, of which there are at most {@link MAXIMUM_PRIMITIVES}.
 */
export function checkGraph(json: unknown): Result<Graph, Issue[]> {
  return checkNested(json, { depth: 0, written: { primitives: 0 } });
}

/** A graph is checked in these surroundings. */
interface Surroundings {
  /** Within so many others. */
  readonly depth: number;
  /** The primitives written out so far in the document's graphs, those of refused parts included. */
  readonly written: { primitives: number };
}

function checkNested(json: unknown, surroundings: Surroundings): Result<Graph, Issue[]> {
  const envelope = readEnvelope(json);
  if (!envelope.ok) return envelope;
  const issues: Issue[] = [];
  const names = new Set<string>();
  const inputs = checkEach(envelope.value.inputs, "/inputs", issues, (entry, pointer) =>
    checkDeclaration(entry, pointer, readInput, names),
  );
  const environment = checkEach(envelope.value.environment, "/environment", issues, (entry, pointer) =>
    checkDeclaration(entry, pointer, readEntry, names),
  );
  const scope = scopeOf(inputs, environment, surroundings);
  const nodes = checkEach(envelope.value.nodes, "/nodes", issues, (entry, pointer) =>
    checkNode(entry, pointer, scope),
  );
  if (issues.length > 0) return fail(issues.slice(0, MAXIMUM_ISSUES));
  return ok({
    format: "adjudge.graph.v1",
    inputs: inputs.map((input) => fresh(input, readInput)),
    environment: environment.map((entry) => fresh(entry, readEntry)),
    nodes: nodes.map(freshNode),
  });
}

/** Checks one entry after the other until there are enough issues; what failed is `undefined`. */
function checkEach<T>(
  entries: readonly unknown[],
  pointer: string,
  issues: Issue[],
  check: (entry: unknown, pointer: string) => Result<T, Issue[]>,
): (T | undefined)[] {
  const checked: (T | undefined)[] = [];
  for (const [i, entry] of entries.entries()) {
    if (issues.length >= MAXIMUM_ISSUES) break;
    const result = check(entry, pointerTo(pointer, i));
    checked.push(result.ok ? result.value : undefined);
    if (!result.ok) issues.push(...result.error);
  }
  return checked;
}

/** Checks an input or entry of Δ, and adds its name [SEMANTICS §8.7] to `names`, which must lack it. */
function checkDeclaration<T extends Input>(
  json: unknown,
  pointer: string,
  read: Validator<T>,
  names: Set<string>,
): Result<T, Issue[]> {
  const entry = read(json, pointer);
  if (!entry.ok) return entry;
  const { name, shape } = entry.value;
  const issues: Issue[] = [];
  const wellFormed = wellFormedShape(shape);
  if (!wellFormed.ok) issues.push({ ...wellFormed.error, pointer: `${pointer}/shape` });
  if (visible(name) !== name) {
    issues.push({
      code: "graph/name",
      pointer: `${pointer}/name`,
      message: `the name ${quote(name)} has characters that are not seen, or half a one.`,
      hint: "leave out control characters, line breaks and marks of format; use whole Unicode characters",
    });
  }
  if (names.has(name)) {
    issues.push({
      code: "graph/name-twice",
      pointer: `${pointer}/name`,
      message: `the name ${quote(name)} is taken by an earlier entry.`,
      hint: "names are unique across inputs and environment",
    });
  }
  names.add(name);
  return issues.length === 0 ? entry : fail(issues);
}

/** These are known of ids and names while nodes are checked. */
interface Scope extends Surroundings {
  /** The shape of each id so far; `undefined` where something is wrong with it already. */
  readonly shapes: (Shape | undefined)[];
  readonly environment: ReadonlyMap<string, EnvironmentEntry>;
  /** Some entry was refused, so that a name not found is no further issue. */
  readonly isEnvironmentPartial: boolean;
}

function scopeOf(
  inputs: readonly (Input | undefined)[],
  environment: readonly (EnvironmentEntry | undefined)[],
  surroundings: Surroundings,
): Scope {
  const entries = environment.filter((entry) => entry !== undefined);
  return {
    ...surroundings,
    shapes: inputs.map((input) => input?.shape),
    environment: new Map(entries.map((entry) => [entry.name, entry])),
    isEnvironmentPartial: entries.length < environment.length,
  };
}

/** An operator's result shape for operands of these shapes, or its faults, with pointers from the node on. */
export function checkApplication(
  { op, attributes }: { readonly op: unknown; readonly attributes: unknown },
  operands: readonly Shape[],
  surroundings: Pick<Scope, "environment" | "isEnvironmentPartial">,
): Result<Shape | undefined, Issue[]> {
  const shapes = [...operands];
  const node = { op, attributes, parents: operands.map((_, place) => place) };
  const checked = checkNode(node, "", { ...surroundings, shapes, depth: 0, written: { primitives: 0 } });
  return checked.ok ? ok(shapes.at(-1)) : checked;
}

/** Checks a node by itself, then that it fits the ids before it, whose shapes it extends by its own. */
function checkNode(json: unknown, pointer: string, scope: Scope): Result<Node, Issue[]> {
  const outline = checkNodeAlone(json, pointer);
  const node = outline.ok ? checkInner(outline.value, pointer, scope) : outline;
  const shape = node.ok ? checkFit(node.value, pointer, scope) : node;
  scope.shapes.push(shape.ok ? shape.value : undefined);
  return shape.ok ? node : shape;
}

function checkNodeAlone(json: unknown, pointer: string): Result<Node, Issue[]> {
  const head = readNodeHead(json, pointer);
  if (!head.ok) return head;
  const { op, parents } = head.value;
  if (!isOperatorName(op)) return fail([unknownOperator(op, pointer)]);
  const { arity } = operators[op];
  if (!acceptsCount(arity, parents.length)) return fail([wrongArity(op, arity, parents.length, pointer)]);
  return present(readNodeOf.get(op), `the validator of ${op}`)(json, pointer);
}

/** Checks the graph that a node has as an attribute, if it has one. */
function checkInner(node: Node, pointer: string, { depth, written }: Scope): Result<Node, Issue[]> {
  if (node.op !== "differentiate") return ok(node);
  const place = `${pointer}/attributes/graph`;
  if (depth >= MAXIMUM_NESTING) return fail([tooDeep(place)]);
  // Something was refused for its size already, and what comes behind it is not looked into.
  if (isTooMuch(written)) return fail([]);
  const graph = checkNested(node.attributes.graph, { depth: depth + 1, written });
  if (!graph.ok) return fail(issuesWithin(place, graph.error));
  return ok({ ...node, attributes: { ...node.attributes, graph: graph.value } });
}

function tooDeep(pointer: string): Issue {
  return {
    code: "graph/nesting",
    pointer,
    message: `it stands within ${MAXIMUM_NESTING} other graphs, and that is the most.`,
    hint: "take fewer derivatives of derivatives",
  };
}

function unknownOperator(op: string, pointer: string): Issue {
  const near = nearestName(op, operatorNames);
  return {
    code: "graph/operator",
    pointer: `${pointer}/op`,
    message: `there is no operator ${quote(op)}.`,
    hint: near === undefined ? `the operators are ${operatorNames.join(", ")}` : `did you mean "${near}"?`,
  };
}

function wrongArity(op: OperatorName, arity: Arity, count: number, pointer: string): Issue {
  return {
    code: "graph/arity",
    pointer: `${pointer}/parents`,
    message: `${op} takes ${formatArity(arity)}, not ${count}.`,
    hint: "give the id of each operand, in order",
  };
}

/** Returns the shape of `node` as the next id; `undefined` if an issue already found hides it. */
function checkFit(node: Node, pointer: string, scope: Scope): Result<Shape | undefined, Issue[]> {
  const { shapes, written } = scope;
  const late = node.parents.findIndex((parent) => parent >= shapes.length);
  if (late >= 0) return fail([lateParent(shapes.length, `${pointer}/parents/${late}`)]);
  if (node.parents.some((parent) => shapes[parent] === undefined)) return ok(undefined);
  // What stands for too much is refused before more of it is written out.
  if (isTooMuch(written)) return ok(undefined);
  const outline = outlineOfNode(node, shapes, entriesNamedBy(node, scope.environment));
  const isUnknowable =
    !outline.ok && outline.error.code === "graph/environment" && scope.isEnvironmentPartial;
  if (isUnknowable) return ok(undefined);
  if (outline.ok) written.primitives += outline.value.expansion?.nodes.length ?? 1;
  else if (outline.error.code === "graph/expansion") written.primitives += MAXIMUM_EXPANSION;
  if (outline.ok && isTooMuch(written)) return fail([tooManyPrimitives(pointer)]);
  const wellFormed = outline.ok ? wellFormedShape(outline.value.shape) : outline;
  return wellFormed.ok ? wellFormed : fail([{ ...wellFormed.error, pointer }]);
}

function isTooMuch({ primitives }: Surroundings["written"]): boolean {
  return primitives > MAXIMUM_PRIMITIVES;
}

function tooManyPrimitives(pointer: string): Issue {
  return {
    code: "graph/expansion",
    pointer,
    message: `up to here the graph stands for more than ${MAXIMUM_PRIMITIVES} primitive nodes.`,
    hint: "use smaller extents, fewer composites, or cut the graph in two",
  };
}

function lateParent(id: number, pointer: string): Issue {
  return {
    code: "graph/parent-order",
    pointer,
    message: `the parent's id is not smaller than the node's own, which is ${id}.`,
    hint: "ids count the inputs first, then the nodes, from 0; a node reads only what stands before it",
  };
}

/** An inner graph is fresh already, and would be checked again at each level. */
function freshNode(node: Node | undefined): Node {
  const read = (json: unknown): Result<Node, Issue[]> => checkNodeAlone(json, "");
  if (node?.op !== "differentiate") return fresh(node, read);
  const { graph, ...attributes } = node.attributes;
  const outline = fresh({ ...node, attributes: { graph: {}, ...attributes } }, read);
  if (outline.op !== "differentiate")
    throw new InvariantError("a node changes its operator when it is read back");
  return { ...outline, attributes: { ...outline.attributes, graph } };
}

/** Copying makes fresh plain data of what was checked, as deep as its schema allows. It passes again. */
function fresh<T>(checked: unknown, read: Validator<T>): T {
  const again = read(copyOf(checked));
  if (!again.ok) throw new InvariantError("an entry that was checked is refused when it is copied");
  return again.value;
}

/** The JSON that printing `json` and reading it back would give: −0 becomes 0. */
function copyOf(json: unknown): unknown {
  if (typeof json === "number") return json + 0;
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) return json.map(copyOf);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, copyOf(value)]));
}
