import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { interpret } from "../../../engines/interpretation/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import type { Graph, Point } from "../../../spec/graph/index.ts";
import { fail, type Issue, type Result } from "../../../spec/shapes/index.ts";
import { type ImportedModel, type ImportOptions, readModel } from "./import.ts";
import { writeMessage } from "./wire/message.ts";
import {
  elementTypes,
  type FunctionProto,
  type ModelProto,
  modelProto,
  type TensorProto,
  type ValueInfoProto,
} from "./wire/model.ts";
import { Writer } from "./writing/nodes.ts";

const ownPython = join(import.meta.dirname, "..", "..", "..", ".venv", "bin", "python");

/** The Python whose packages tests ask. */
export const python: string = process.env.ADJUDGE_PYTHON ?? (existsSync(ownPython) ? ownPython : "python3");

/** Says whether Python has a package. */
export function hasPython(name: string): boolean {
  return spawnSync(python, ["-c", `import ${name}`]).status === 0;
}

/** A model as a test writes it. */
export interface Written {
  readonly inputs?: readonly ValueInfoProto[];
  readonly outputs?: readonly string[];
  readonly initializers?: readonly TensorProto[];
  readonly functions?: readonly FunctionProto[];
  readonly version?: number;
  /** Writes nodes, and returns the name of the output. */
  readonly write?: (w: Writer) => string;
}

/** Returns an input; a text is an open extent. */
export function input(
  name: string,
  dims: readonly (number | string)[],
  element: number = elementTypes.float,
): ValueInfoProto {
  const all = dims.map((dim) =>
    typeof dim === "number" ? { value: dim, parameter: undefined } : { value: undefined, parameter: dim },
  );
  return { name, type: { tensor: { element, shape: { dims: all } } } };
}

/** Returns the message of a model. */
export function messageOf({
  inputs = [],
  outputs,
  initializers = [],
  functions = [],
  version = 21,
  write,
}: Written): ModelProto {
  const writer = new Writer(elementTypes.float);
  for (const { name = "" } of [...inputs, ...initializers]) writer.named(name);
  const last = write?.(writer) ?? "";
  const graph = writer.graph(
    "test",
    inputs,
    (outputs ?? [last]).map((name) => ({ name, type: undefined })),
  );
  return {
    irVersion: 10,
    producer: "a test",
    graph: { ...graph, initializers: [...initializers, ...graph.initializers] },
    opsets: [{ domain: "", version }],
    functions,
  };
}

/** Returns the bytes of a model. */
export function bytesOf(written: Written): Uint8Array {
  return writeMessage(modelProto, messageOf(written));
}

/** Reads bytes; what is not given is drawn as 1, 2, 3, … */
export function read(data: Uint8Array, options: Partial<ImportOptions> = {}): Result<ImportedModel, Issue[]> {
  const draw = (size: number): Float64Array => Float64Array.from({ length: size }, (_, i) => i + 1);
  return readModel(data, { draw, external: () => fail("there is none"), ...options });
}

/** Reads a model that a test writes. Throws where it is refused. */
export function imported(written: Written, options: Partial<ImportOptions> = {}): ImportedModel {
  const model = read(bytesOf(written), options);
  if (!model.ok) throw new Error(JSON.stringify(model.error));
  return model.value;
}

/** Computes values by id. */
export function valuesOf(graph: Graph, point: Point, ids: readonly number[]): number[][] {
  const { graph: primitive, ids: places } = expand(graph);
  const answer = interpret(primitive, "float64").evaluate(point);
  if (!answer.ok) throw new Error(answer.error);
  return ids.map((id) => {
    const place = places[id] ?? 0;
    const own = point.inputs[place] ?? { data: answer.value[place - graph.inputs.length] ?? [] };
    return Array.from(own.data);
  });
}

/** Computes the first output of a model. */
export function outputOf(written: Written, options: Partial<ImportOptions> = {}): readonly number[] {
  const { graph, point, outputs } = imported(written, options);
  const [first] = valuesOf(
    graph,
    point,
    outputs.slice(0, 1).map(({ id }) => id),
  );
  return first ?? [];
}
