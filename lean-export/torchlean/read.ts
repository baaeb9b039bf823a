import { type Builder, GraphError, graph, type Value } from "../../spec/builder/index.ts";
import { checkGraph, validateTorchLean } from "../../spec/documents/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import {
  fail,
  formatShape,
  type Issue,
  isSameShape,
  type NodeId,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import { type FlatTensor, parseJson, type TorchLeanJson, type TorchLeanNode } from "../../spec/wire/index.ts";
import { type Meanings, meanings, refusals } from "./meanings.ts";
import { countersOf } from "./random.ts";

/** A graph from a file of TorchLean's, and what the file has of its numbers. */
export interface TorchLeanModel {
  readonly graph: Graph;
  /** The numbers of the constants that have some. */
  readonly values: ReadonlyMap<string, FlatTensor>;
  /** The outputs have these ids. */
  readonly results: readonly NodeId[];
}

/** Reads a text in TorchLean's format; see `readTorchLeanModel`. Fails: `json/…` too. */
export function readTorchLeanText(text: string): Result<TorchLeanModel, Issue[]> {
  const json = parseJson(text);
  return json.ok ? readTorchLeanModel(json.value) : json;
}

/** Returns the graph that JSON denotes; see {@link readTorchLeanModel}, which returns its numbers too. */
export function readTorchLean(json: unknown): Result<Graph, Issue[]> {
  const model = readTorchLeanModel(json);
  return model.ok ? ok(model.value.graph) : model;
}

/**
 * Returns the graph that JSON denotes in TorchLean's exchange format, and its numbers. A constant without a
 * name is named after its id, and a layer's weights after the layer's. Law: it reads what `writeTorchLean`
 * writes of a graph as that graph. Fails: `schema/…`; `torchlean/id`, `torchlean/parents`,
 * `torchlean/inputs`, `torchlean/kind`, `torchlean/attribute`, `torchlean/name`, `torchlean/shape`; and as
 * the builder does, with the node's place.
 */
function readTorchLeanModel(json: unknown): Result<TorchLeanModel, Issue[]> {
  const valid = validateTorchLean(json);
  if (!valid.ok) return valid;
  const faults = structureIssues(valid.value);
  if (faults.length > 0) return fail(faults);
  const reading = read(valid.value);
  if (!reading.ok) return reading;
  const checked = checkGraph(reading.value.graph);
  return checked.ok ? ok({ ...reading.value, graph: checked.value }) : checked;
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

/** Reads every node; each has the shape that it declares. */
function read(document: TorchLeanJson): Result<TorchLeanModel, Issue[]> {
  const issues: Issue[] = [];
  const store = new Map<string, FlatTensor>();
  const outcome: { results?: readonly NodeId[] } = {};
  const input = present(document.nodes[document.input_id], "the input");
  const written = graph((builder) => {
    const values: Value[] = [];
    const x = builder.input(input.name ?? "input", input.shape);
    const setting = { builder, document, store, issues, counters: countersOf(document.nodes) };
    for (const node of document.nodes) {
      const value = node.kind === "input" ? x : valueRead(node, values, setting);
      values.push(value ?? x);
    }
    outcome.results = document.output_ids.map((id) => present(values[id], "an output").id);
  });
  if (issues.length > 0) return fail(issues);
  const declared = document.environment ?? [];
  const names = new Set(declared.map(({ name }) => name));
  const environment = [...declared, ...written.environment.filter(({ name }) => !names.has(name))];
  return ok({ graph: { ...written, environment }, values: store, results: outcome.results ?? [] });
}

interface Setting {
  readonly builder: Builder;
  readonly document: TorchLeanJson;
  readonly store: Map<string, FlatTensor>;
  readonly issues: Issue[];
  readonly counters: readonly number[];
}

/** Writes a node; says what is wrong with it where it cannot. */
function valueRead(node: TorchLeanNode, values: readonly Value[], setting: Setting): Value | undefined {
  const { issues } = setting;
  const meaning = Object.hasOwn(meanings, node.kind) ? meanings[node.kind] : undefined;
  if (meaning === undefined) {
    issues.push(unreadable(node));
    return undefined;
  }
  try {
    const value = meaning(layerOf(node, values, setting));
    if (isSameShape(value.shape, node.shape)) return value;
    issues.push(wrongShape(node.id, node.shape, value.shape));
  } catch (thrown) {
    if (!(thrown instanceof GraphError)) throw thrown;
    const { code, message, hint } = thrown.fault;
    issues.push({ code, pointer: `/nodes/${node.id}`, message, hint });
  }
  return undefined;
}

/** Returns what a meaning is given of a node. */
function layerOf(node: TorchLeanNode, values: readonly Value[], setting: Setting): Meanings {
  const { builder, document, store, counters } = setting;
  const refuse = (what: string, message: string, hint: string): never => {
    throw new GraphError(node.kind, { code: `torchlean/${what}`, message, hint });
  };
  const declared = document.environment?.find(({ name }) => name === node.name);
  return {
    node,
    builder,
    counter: present(counters[node.id], "a counter"),
    operands: node.parents.map((id) => present(values[id], "an earlier value")),
    refuse,
    constant(wanted, shape, numbers) {
      const earlier = builder.entry(wanted) ?? declared;
      if (earlier !== undefined && (earlier.kind !== "real" || !isSameShape(earlier.shape, shape))) {
        const message = "another constant of that name has another shape or kind.";
        return refuse("name", message, "give each its name");
      }
      if (numbers !== undefined) store.set(wanted, { shape, data: flattened(numbers, shape, refuse) });
      if (builder.entry(wanted) !== undefined) return builder.constant({ name: wanted });
      return builder.parameter(wanted, shape);
    },
    numbers: (numbers, shape) => flattened(numbers, shape, refuse),
  };
}

/** Returns nested numbers, or those of a flat list, as the elements of a shape. */
function flattened(
  numbers: unknown,
  shape: Shape,
  refuse: (what: string, message: string, hint: string) => never,
): Float64Array {
  const flat: unknown[] = Array.isArray(numbers) ? numbers.flat(32) : [numbers];
  const size = shape.reduce((product, extent) => product * extent, 1);
  const isWhole = flat.length === size && flat.every((x) => typeof x === "number");
  if (!isWhole) {
    const message = `its numbers are not those of a tensor of shape ${formatShape(shape)}.`;
    return refuse("attribute", message, `give ${size} numbers, nested or row-major`);
  }
  return Float64Array.from(flat, Number);
}

function unreadable({ id, kind }: TorchLeanNode): Issue {
  const why = Object.hasOwn(refusals, kind) ? refusals[kind] : undefined;
  return issue(
    "kind",
    `/nodes/${id}/kind`,
    why === undefined
      ? `adjudge has nothing that is surely TorchLean's ${JSON.stringify(kind)}.`
      : `${kind} is not read: ${why}.`,
    `these are read: input, ${Object.keys(meanings).join(", ")}`,
  );
}
