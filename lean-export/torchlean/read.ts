import { checkGraph, validateTorchLean } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import {
  fail,
  formatShape,
  type Issue,
  isSameShape,
  ok,
  type Result,
  type Shape,
  sizeOf,
} from "../../spec/shapes/index.ts";
import { parseJson, type TorchLeanJson, type TorchLeanNode } from "../../spec/wire/index.ts";
import { plainKinds } from "./write.ts";

/** Returns the graph of a text in TorchLean's format; see {@link readTorchLean}. Fails: `json/…` too. */
export function readTorchLeanText(text: string): Result<Graph, Issue[]> {
  const json = parseJson(text);
  return json.ok ? readTorchLean(json.value) : json;
}

/**
 * Returns the graph that JSON denotes in TorchLean's exchange format. A constant without a name is named
 * after its id. Law: it reads what `writeTorchLean` writes of a graph as that graph. Fails: `schema/…`;
 * `torchlean/id`, `torchlean/parents`, `torchlean/inputs`, `torchlean/kind`, `torchlean/attribute`,
 * `torchlean/name`, `torchlean/shape`; and as `checkGraph` does, with pointers into the graph.
 */
export function readTorchLean(json: unknown): Result<Graph, Issue[]> {
  const valid = validateTorchLean(json);
  if (!valid.ok) return valid;
  const document = valid.value;
  const faults = structureIssues(document);
  if (faults.length > 0) return fail(faults);
  const reading = read(document);
  if (!reading.ok) return reading;
  const graph = checkGraph(reading.value);
  if (!graph.ok) return graph;
  const shapes = shapesOf(graph.value);
  const places = placesOf(document);
  const wrong = document.nodes.flatMap(({ id, shape }) => {
    const inferred = shapes[places[id] ?? -1] ?? [];
    return isSameShape(shape, inferred) ? [] : [wrongShape(id, shape, inferred)];
  });
  return wrong.length === 0 ? graph : fail(wrong);
}

function structureIssues({ nodes, input_id, output_ids }: TorchLeanJson): Issue[] {
  const issues = nodes.flatMap(({ id, parents }, position) => [
    ...(id === position
      ? []
      : [
          issue(
            "id",
            `/nodes/${position}/id`,
            `the node at ${position} has the id ${id}.`,
            "ids are positions",
          ),
        ]),
    ...(parents.every((parent) => parent < position)
      ? []
      : [issue("parents", `/nodes/${position}/parents`, "a parent is not earlier.", "parents come first")]),
  ]);
  const inputs = nodes.filter(({ kind }) => kind === "input");
  if (inputs.length !== 1) {
    issues.push(
      issue("inputs", "/nodes", `there are ${inputs.length} nodes of kind input.`, "give exactly one"),
    );
  } else if (inputs[0]?.id !== input_id) {
    issues.push(
      issue("inputs", "/input_id", `${input_id} is not the input.`, `the input is ${inputs[0]?.id}`),
    );
  }
  if (output_ids.some((id) => id >= nodes.length)) {
    issues.push(issue("id", "/output_ids", "an output is no node.", `ids end at ${nodes.length - 1}`));
  }
  return issues;
}

function issue(what: string, pointer: string, message: string, hint: string): Issue {
  return { code: `torchlean/${what}`, pointer, message, hint };
}

function wrongShape(id: number, declared: Shape, inferred: Shape): Issue {
  return issue(
    "shape",
    `/nodes/${id}/shape`,
    `the value has shape ${formatShape(inferred)}, not ${formatShape(declared)}.`,
    "declare the shape that the operator gives",
  );
}

/** Maps ids of the document to ids of the graph, where the input comes first. */
function placesOf({ nodes, input_id }: TorchLeanJson): number[] {
  return nodes.map(({ id }) => (id === input_id ? 0 : id < input_id ? id + 1 : id));
}

/** Returns the graph as JSON that nobody has checked. */
function read(document: TorchLeanJson): Result<unknown, Issue[]> {
  const places = placesOf(document);
  const input = document.nodes[document.input_id];
  const environment = new Map((document.environment ?? []).map((entry) => [entry.name, entry]));
  const issues: Issue[] = [];
  const nodes: unknown[] = [];
  for (const node of document.nodes) {
    if (node.kind === "input") continue;
    const meaning = node.kind === "const" ? readConstant(node, environment) : meaningOf(node, document.nodes);
    if (meaning.ok) nodes.push({ ...meaning.value, parents: node.parents.map((id) => places[id]) });
    else issues.push(meaning.error);
  }
  if (issues.length > 0) return fail(issues);
  return ok({
    format: "adjudge.graph.v1",
    inputs: [{ name: input?.name ?? "input", shape: input?.shape }],
    environment: [...environment.values()],
    nodes,
  });
}

interface Meaning {
  readonly op: string;
  readonly attributes: object;
}

/** A constant is the entry of Δ of its name, which it declares if nothing has. */
function readConstant(
  { id, name = `constant_${id}`, shape, value_shape = shape }: TorchLeanNode,
  environment: Map<string, EnvironmentEntry>,
): Result<Meaning, Issue> {
  const entry = environment.get(name) ?? { name, shape: value_shape, kind: "real" };
  if (entry.kind !== "real" || !isSameShape(entry.shape, value_shape)) {
    return fail(
      issue(
        "name",
        `/nodes/${id}/name`,
        "another constant of that name has another shape or kind.",
        "give each its name",
      ),
    );
  }
  environment.set(name, entry);
  return ok({ op: "constant", attributes: { name } });
}

function meaningOf(node: TorchLeanNode, nodes: readonly TorchLeanNode[]): Result<Meaning, Issue> {
  const operand = nodes[node.parents[0] ?? -1]?.shape ?? [];
  const { kind, axes, axis, keepdim, perm, axis1, axis2 } = node;
  if (isPlainKind(kind)) return ok({ op: plainKinds[kind], attributes: {} });
  switch (kind) {
    case "reduce_sum":
    case "reduce_mean":
      if (axes === undefined || keepdim === undefined) return lacks(node, "axes and keepdim");
      return ok({ op: kind === "reduce_sum" ? "sum" : "mean", attributes: { axes, keepdims: keepdim } });
    case "sum":
      return ok({ op: "sum", attributes: { axes: operand.map((_, i) => i), keepdims: false } });
    case "broadcast_to":
      return reshaping(node, "broadcast_to", operand, node.from_shape, node.to_shape);
    case "reshape":
      return reshaping(node, "reshape", operand, node.in_shape, node.out_shape);
    case "flatten":
      return reshaping(node, "reshape", operand, node.value_shape, [sizeOf(operand)]);
    case "permute":
      return perm === undefined
        ? lacks(node, "perm")
        : ok({ op: "permute_dims", attributes: { axes: perm } });
    case "transpose":
      if (axis1 === undefined || axis2 === undefined) return lacks(node, "axis1 and axis2");
      return ok({ op: "permute_dims", attributes: { axes: swapped(operand, axis1, axis2) } });
    case "concat":
    case "softmax":
      return axis === undefined ? lacks(node, "axis") : ok({ op: kind, attributes: { axis } });
    default:
      return fail(unreadable(node));
  }
}

function isPlainKind(kind: string): kind is keyof typeof plainKinds {
  return Object.hasOwn(plainKinds, kind);
}

function swapped(shape: Shape, first: number, second: number): number[] {
  return shape.map((_, axis) => (axis === first ? second : axis === second ? first : axis));
}

function reshaping(
  node: TorchLeanNode,
  op: "broadcast_to" | "reshape",
  operand: Shape,
  from: Shape | undefined,
  to: Shape | undefined,
): Result<Meaning, Issue> {
  if (from === undefined || to === undefined) return lacks(node, "the shapes before and after");
  if (isSameShape(from, operand)) return ok({ op, attributes: { shape: to } });
  return fail(
    issue(
      "attribute",
      `/nodes/${node.id}`,
      `it says that its operand has shape ${formatShape(from)}, which has ${formatShape(operand)}.`,
      "name the operand's own shape",
    ),
  );
}

function lacks({ id, kind }: TorchLeanNode, what: string): Result<Meaning, Issue> {
  return fail(
    issue("attribute", `/nodes/${id}`, `a ${kind} without ${what} means nothing.`, `give it ${what}`),
  );
}

function unreadable({ id, kind }: TorchLeanNode): Issue {
  return issue(
    "kind",
    `/nodes/${id}/kind`,
    `adjudge has nothing that is surely TorchLean's ${JSON.stringify(kind)}.`,
    `these are read: ${[...Object.keys(plainKinds), ...attributedKinds].join(", ")}`,
  );
}

const attributedKinds = [
  "input",
  "const",
  "reduce_sum",
  "reduce_mean",
  "sum",
  "broadcast_to",
  "reshape",
  "flatten",
  "permute",
  "transpose",
  "concat",
  "softmax",
] as const;
