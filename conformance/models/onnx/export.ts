import { interpret } from "../../../engines/interpretation/index.ts";
import { isCompositeName, type OperatorName } from "../../../spec/composites/index.ts";
import { expandUnless, shapesOf } from "../../../spec/expansion/index.ts";
import { type Graph, isPrimitiveGraph, type Node, type NodeOf } from "../../../spec/graph/index.ts";
import {
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  present,
  type Result,
  type Shape,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { writeMessage } from "./wire/message.ts";
import { elementTypes, modelProto, type ValueInfoProto } from "./wire/model.ts";
import { domain, type FunctionName, functionOf, WRITTEN_VERSION } from "./writing/functions.ts";
import { Writer } from "./writing/nodes.ts";
import { rules, written } from "./writing/rules.ts";

/** How a graph is written. */
export interface ExportOptions {
  readonly dtype: "float32" | "float64";
  /** These ids are the outputs; default: those that no node reads. */
  readonly outputs?: readonly NodeId[];
  /** Entries of Δ with numbers are stored in the model; the others become inputs. */
  readonly environment?: ReadonlyMap<string, FlatTensor>;
}

/** The file, and what was rounded in it. */
export interface ExportedModel {
  readonly data: Uint8Array;
  /** So many constants are no float32, and were rounded. */
  readonly rounded: number;
  readonly nodes: number;
}

/**
 * Writes a graph as a model of ONNX. Composites that ONNX has are written as its own operators, the others by
 * their expansion. Fails: `onnx/export`, for bits that depend on a key that is not given.
 */
export function writeOnnx(graph: Graph, options: ExportOptions): Result<ExportedModel, Issue[]> {
  const type = options.dtype === "float32" ? elementTypes.float : elementTypes.double;
  const ready = expandUnless(graph, (op) => !isCompositeName(op) || rules[op] !== undefined);
  const writer = new Writer(type);
  const outputs = (options.outputs ?? unread(graph)).map((id) => present(ready.ids[id], "an output"));
  const inputs: ValueInfoProto[] = [];
  const declare = (element: number, name: string, shape: Shape): string => {
    const own = writer.named(name);
    inputs.push(infoOf(own, element, shape));
    return own;
  };
  const values: string[] = ready.graph.inputs.map(({ name, shape }) => declare(type, name, shape));
  const entries = new Map(
    graph.environment.map(({ name, kind, shape }) => {
      const element = kind === "index" ? elementTypes.int64 : type;
      const tensor = options.environment?.get(name);
      const own =
        tensor === undefined
          ? declare(element, name, shape)
          : writer.initializer(element, shape, tensor.data, name);
      return [name, own];
    }),
  );
  const functions = new Set<FunctionName>();
  const issues: Issue[] = [];
  const setting: Setting = { writer, entries, functions, environment: options.environment ?? new Map() };
  const shapes = shapesOf(ready.graph);
  for (const [place, node] of ready.graph.nodes.entries()) {
    const own = node.parents.map((id) => shapes[id] ?? []);
    const result = writtenNode(
      node,
      node.parents.map((id) => values[id] ?? ""),
      own,
      shapes[values.length] ?? [],
      setting,
    );
    if (result === undefined) issues.push(noKey(node.op, place));
    values.push(result ?? "");
  }
  if (issues.length > 0) return fail(issues);
  const told = outputs.map((id, place) => {
    const name = writer.named(outputs.length === 1 ? "output" : `output_${place}`);
    writer.output(values[id] ?? "", name);
    return infoOf(name, type, shapes[id] ?? []);
  });
  const data = writeMessage(modelProto, {
    irVersion: 10,
    producer: "adjudge",
    graph: writer.graph("adjudge", inputs, told),
    opsets: [
      { domain: "", version: WRITTEN_VERSION },
      ...(functions.size === 0 ? [] : [{ domain, version: 1 }]),
    ],
    functions: [...functions].map((op) => functionOf(op, type)),
  });
  const numbers = [...(options.environment?.values() ?? [])].flatMap((tensor) => Array.from(tensor.data));
  const fulls = ready.graph.nodes.flatMap((node) => (node.op === "full" ? [node.attributes.value] : []));
  const isRounded = (x: number): boolean => Number.isFinite(x) && Math.fround(x) !== x;
  const rounded = options.dtype === "float64" ? 0 : [...numbers, ...fulls].filter(isRounded).length;
  return ok({ data, rounded, nodes: writer.nodes.length });
}

/** The ids that no node reads. */
function unread({ inputs, nodes }: Graph): readonly NodeId[] {
  const read = new Set<number>(nodes.flatMap(({ parents }) => parents));
  const ids = [...inputs, ...nodes].map((_, id) => id);
  const last = ids.filter((id) => !read.has(id) && id >= inputs.length);
  return (last.length > 0 ? last : ids).map((id) => nodeId(id));
}

function infoOf(name: string, element: number, shape: Shape): ValueInfoProto {
  const dims = shape.map((value) => ({ value, parameter: undefined }));
  return { name, type: { tensor: { element, shape: { dims } } } };
}

interface Setting {
  readonly writer: Writer;
  readonly entries: ReadonlyMap<string, string>;
  readonly functions: Set<FunctionName>;
  readonly environment: ReadonlyMap<string, FlatTensor>;
}

function writtenNode(
  node: Node,
  x: readonly string[],
  shapes: readonly Shape[],
  shape: Shape,
  setting: Setting,
): string | undefined {
  const { writer: w, entries, functions, environment } = setting;
  if (node.op === "bernoulli_mask") {
    const key = environment.get(node.attributes.key);
    return key && w.initializer(w.type, shape, maskOf(node, key), "mask");
  }
  const given = {
    w,
    x,
    shapes,
    shape,
    entry: (name: string) => entries.get(name) ?? "",
    uses: (name: FunctionName) => void functions.add(name),
  };
  const direct = written(node, { ...given, attributes: node.attributes });
  if (direct !== undefined || !isCompositeName(node.op)) return direct;
  return expanded(node, x, shapes, setting);
}

/** Writes what a composite stands for, where its attributes are none of ONNX's. */
function expanded(
  node: Node,
  x: readonly string[],
  shapes: readonly Shape[],
  setting: Setting,
): string | undefined {
  const alone: Graph = {
    format: "adjudge.graph.v1",
    inputs: shapes.map((shape, place) => ({ name: `x${place}`, shape })),
    environment: [],
    nodes: [{ ...node, parents: shapes.map((_, place) => nodeId(place)) }],
  };
  const { graph, ids } = expandUnless(alone, (op) => op !== node.op && rules[op] !== undefined);
  const all = shapesOf(graph);
  const values = [...x];
  for (const inner of graph.nodes) {
    const own = inner.parents.map((id) => all[id] ?? []);
    const operands = inner.parents.map((id) => values[id] ?? "");
    const result = writtenNode(inner, operands, own, all[values.length] ?? [], setting);
    if (result === undefined) return undefined;
    values.push(result);
  }
  return values[ids.at(-1) ?? -1];
}

/** Computes the bits of a mask, which are the same for the same key. */
function maskOf(node: NodeOf<"bernoulli_mask">, key: FlatTensor): Float64Array {
  const graph: Graph = {
    format: "adjudge.graph.v1",
    inputs: [],
    environment: [{ name: node.attributes.key, shape: key.shape, kind: "index" }],
    nodes: [node],
  };
  if (!isPrimitiveGraph(graph)) return new Float64Array();
  const answer = interpret(graph, "float64").evaluate({
    inputs: [],
    environment: new Map([[node.attributes.key, key]]),
  });
  return answer.ok ? Float64Array.from(answer.value[0] ?? []) : new Float64Array();
}

function noKey(op: OperatorName, place: number): Issue {
  return {
    code: "onnx/export",
    pointer: `/nodes/${place}`,
    message: `${op} depends on a key that has no numbers here, and ONNX has no bits of its own that are the same.`,
    hint: "give a case, whose point has the key; its mask is then stored in the model",
  };
}
