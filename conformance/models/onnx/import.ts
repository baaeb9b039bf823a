import { type Builder, GraphError, graph, type Value } from "../../../spec/builder/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Graph, Point } from "../../../spec/graph/index.ts";
import {
  fail,
  formatShape,
  type Issue,
  type NodeId,
  nearestName,
  ok,
  present,
  quote,
  type Result,
  type Shape,
  sizeOf,
  wellFormedShape,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { pruned } from "../pruned.ts";
import { isFloat, type Known, known, type Operand, shapeOf, typeName } from "./operand.ts";
import { functionsOf, Names, NodeRefusal, runNodes, versions } from "./run.ts";
import { type External, Limits, readTensor } from "./tensor.ts";
import { readMessage } from "./wire/message.ts";
import {
  elementTypes,
  type GraphProto,
  type ModelProto,
  modelProto,
  type ValueInfoProto,
} from "./wire/model.ts";
import { MAXIMUM_NUMBERS, Workshop } from "./workshop.ts";

/** How a model is imported. */
export interface ImportOptions {
  /** The extents that the model leaves open, by name. */
  readonly extents?: ReadonlyMap<string, number>;
  /** These weights become inputs, which one may differentiate by; "all" is every one of floats. */
  readonly wrt?: "all" | readonly string[];
  /** Numbers of inputs, row-major; one number stands for all elements. Those of integers need some. */
  readonly given?: ReadonlyMap<string, readonly number[]>;
  /** Draws the numbers of inputs that have none. */
  readonly draw: (size: number) => Float64Array;
  readonly external: External;
}

/** A result of a model. */
interface ModelOutput {
  readonly name: string;
  readonly id: NodeId;
  /** Whether it is of floats; cotangents belong to such alone. */
  readonly isReal: boolean;
}

/** A model as a graph, at a point. */
export interface ImportedModel {
  readonly graph: Graph;
  readonly point: Point;
  readonly outputs: readonly ModelOutput[];
  /** The types of floats that it computes in, the first input's first. */
  readonly precisions: readonly string[];
  /** The version of the operators. */
  readonly version: number;
  readonly producer: string;
}

/**
 * Reads a model of ONNX. Nothing in it is trusted. Fails: `onnx/…`, with the place in the model, as a JSON
 * pointer through `graph`, `node` and bodies, and the node's name.
 */
export function readModel(data: Uint8Array, options: ImportOptions): Result<ImportedModel, Issue[]> {
  const model = readMessage(modelProto, data);
  if ("wrong" in model)
    return fail([issue("format", "", `this is no ONNX model: ${model.wrong}.`, noModelHint)]);
  const version = versionOf(model);
  if (!version.ok) return version;
  if (model.graph === undefined) return fail([issue("format", "", "the model has no graph.", noModelHint)]);
  try {
    const read = imported(model, model.graph, version.value, options);
    // The builder lets attributes pass that no graph in a file may have, such as strides beyond all extents.
    const checked = checkGraph(read.graph);
    return checked.ok ? ok({ ...read, graph: checked.value }) : checked;
  } catch (thrown) {
    if (thrown instanceof NodeRefusal) return fail([thrown.issue]);
    if (!(thrown instanceof GraphError)) throw thrown;
    const { code, message, hint } = thrown.fault;
    return fail([{ code, pointer: "/graph", message, hint }]);
  }
}

const noModelHint = "give a file that torch.onnx.export, tf2onnx or another exporter wrote";

function issue(what: string, pointer: string, message: string, hint: string): Issue {
  return { code: `onnx/${what}`, pointer, message, hint };
}

function versionOf({ opsets }: ModelProto): Result<number, Issue[]> {
  const own = opsets.find(({ domain = "" }) => domain === "" || domain === "ai.onnx");
  const [least, most] = versions;
  const version = own?.version ?? 0;
  if (version >= least && version <= most) return ok(version);
  const found =
    own === undefined ? "names no version of ONNX's operators" : `uses version ${version} of the operators`;
  const hint = `versions ${least} to ${most} are read: export it with one of them, or use onnx.version_converter`;
  return fail([issue("version", "/opset_import", `the model ${found}.`, hint)]);
}

function refuse(pointer: string, message: string, hint: string): never {
  throw new NodeRefusal(issue("graph", pointer, message, hint));
}

function imported(
  model: ModelProto,
  own: GraphProto,
  version: number,
  options: ImportOptions,
): ImportedModel {
  if (own.sparseInitializers.length > 0)
    refuse("/graph/sparse_initializer", "it has sparse weights.", "store them as dense tensors");
  const limits = new Limits(2 * MAXIMUM_NUMBERS, options.external);
  const constants = own.initializers.map(
    (tensor): Known => ({ ...readTensor(tensor, limits), isStored: true }),
  );
  const weights = weightsOf(constants, options.wrt ?? []);
  const constantNames = new Set(constants.map(({ name }) => name));
  const infos = own.inputs.filter(({ name }) => !constantNames.has(name));
  const inputs = infos.map((info, place) => inputOf(info, place, options));
  checkGiven(inputs, options);
  checkOnce("/graph/input", inputs);
  checkOnce("/graph/initializer", constants);
  const precisions = new Set(
    [...inputs, ...constants].flatMap(({ type }) => (isFloat(type) ? [typeName(type)] : [])),
  );
  const outcome: { outputs?: readonly Drafted[]; workshop?: Workshop } = {};
  const drawn: FlatTensor[] = [];
  const declare = (builder: Builder, name: string, shape: Shape, data: Float64Array): Value => {
    drawn.push({ shape: [...shape], data });
    return builder.input(name, shape);
  };
  const written = graph((builder) => {
    const names = new Names();
    for (const { name, type, shape, numbers } of inputs) {
      names.set(
        name,
        isFloat(type)
          ? { kind: "live", type, value: declare(builder, name, shape, numbers) }
          : known(type, shape, numbers, name),
      );
    }
    const values = new Map(
      weights.map(
        (weight) => [weight, declare(builder, weight.name ?? "", weight.shape, weight.data)] as const,
      ),
    );
    const taken = [...inputs, ...weights].map(({ name = "" }) => name);
    const workshop = new Workshop(builder, limits, taken);
    for (const constant of constants) {
      const value = values.get(constant);
      const operand: Operand = value === undefined ? constant : { kind: "live", type: constant.type, value };
      names.set(constant.name ?? "", operand);
    }
    const functions = functionsOf(model.functions);
    runNodes(own.nodes, names, { workshop, version, functions, counted: { nodes: 0 } }, "/graph");
    outcome.outputs = outputsOf(own, names, workshop);
    outcome.workshop = workshop;
  });
  const { outputs = [], workshop } = outcome;
  if (outputs.length === 0)
    refuse("/graph/output", "the model has no outputs.", "name its results as outputs");
  const kept = pruned(
    written,
    outputs.map(({ value }) => value.id),
  );
  const environment = new Map(
    kept.graph.environment.flatMap(({ name }) => {
      const tensor = workshop?.environment.get(name);
      return tensor === undefined ? [] : [[name, tensor] as const];
    }),
  );
  return {
    graph: kept.graph,
    point: { inputs: drawn, environment },
    outputs: outputs.map(({ name, isReal }, place) => ({
      name,
      id: present(kept.ids[place], "an id"),
      isReal,
    })),
    precisions: [...precisions],
    version,
    producer: model.producer ?? "",
  };
}

/** Finds the weights that become inputs. */
function weightsOf(constants: readonly Known[], wrt: "all" | readonly string[]): readonly Known[] {
  const floats = constants.filter(({ type }) => isFloat(type));
  if (wrt === "all") return floats;
  const names = floats.map(({ name = "" }) => name);
  for (const name of wrt) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const hint =
      near === undefined ? `it has ${names.slice(0, 20).join(", ") || "none"}` : `did you mean ${near}?`;
    refuse("/graph/initializer", `the model has no weights ${quote(name)} of floats.`, hint);
  }
  return floats.filter(({ name = "" }) => wrt.includes(name));
}

interface DeclaredInput {
  readonly name: string;
  readonly type: number;
  readonly shape: Shape;
  readonly numbers: Float64Array;
}

function inputOf({ name = "", type }: ValueInfoProto, place: number, options: ImportOptions): DeclaredInput {
  const pointer = `/graph/input/${place}`;
  const tensor = type?.tensor;
  if (tensor === undefined || tensor.shape === undefined)
    return refuse(pointer, `the input ${quote(name)} is no tensor of a known rank.`, "export it with shapes");
  const { element = 0 } = tensor;
  const isRead = isFloat(element) || element === elementTypes.bool || /int/.test(typeName(element));
  if (!isRead || name === "")
    return refuse(
      pointer,
      `the input ${quote(name)} is of ${typeName(element)}.`,
      "use floats, integers or truths",
    );
  const shape = tensor.shape.dims.map(({ value, parameter }, axis) => {
    // A name stands for an extent that is not known before; 0 of an exporter may mean the same.
    if (value !== undefined && parameter === undefined) return value;
    const own = parameter === undefined || parameter === "" ? `${name}.${axis}` : parameter;
    const extent = options.extents?.get(own);
    return (
      extent ??
      refuse(
        pointer,
        `the input ${quote(name)} has an open extent ${quote(own)}.`,
        `give it with --extent ${own}=…`,
      )
    );
  });
  const fits = wellFormedShape(shape);
  if (!fits.ok) return refuse(pointer, fits.error.message, fits.error.hint);
  if (sizeOf(shape) > MAXIMUM_NUMBERS)
    return refuse(pointer, `the input ${quote(name)} has ${sizeOf(shape)} elements.`, "give smaller extents");
  return { name, type: element, shape, numbers: numbersOf(name, element, shape, pointer, options) };
}

function numbersOf(
  name: string,
  type: number,
  shape: Shape,
  pointer: string,
  { given, draw }: ImportOptions,
): Float64Array {
  const size = sizeOf(shape);
  const numbers = given?.get(name);
  if (numbers === undefined) {
    if (isFloat(type)) return draw(size);
    const message = `the input ${quote(name)} is of ${typeName(type)}, which is data and no number to differentiate by.`;
    return refuse(pointer, message, `give its ${size} numbers with --given ${name}=…, or one number for all`);
  }
  const [first = 0] = numbers;
  if (numbers.length === 1) return new Float64Array(size).fill(first);
  if (numbers.length === size) return Float64Array.from(numbers);
  return refuse(
    pointer,
    `the input ${quote(name)} of shape ${formatShape(shape)} gets ${numbers.length} numbers.`,
    `give ${size}, row-major, or one for all`,
  );
}

/** Refuses two values of one name. */
function checkOnce(pointer: string, all: readonly { readonly name?: string }[]): void {
  const seen = new Set<string>();
  for (const { name = "" } of all) {
    if (seen.has(name)) refuse(pointer, `${quote(name)} is there twice.`, "give each a name of its own");
    seen.add(name);
  }
}

/** Refuses what is given for nothing. */
function checkGiven(
  inputs: readonly DeclaredInput[],
  { given = new Map(), extents = new Map() }: ImportOptions,
): void {
  const names = inputs.map(({ name }) => name);
  for (const name of given.keys()) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const hint =
      near === undefined ? `it has ${names.slice(0, 20).join(", ") || "none"}` : `did you mean ${near}?`;
    refuse("/graph/input", `the model has no input ${quote(name)}.`, hint);
  }
  for (const [name, extent] of extents) {
    if (!Number.isSafeInteger(extent) || extent < 0)
      refuse("/graph/input", `the extent ${quote(name)} is ${extent}.`, "extents are 0, 1, 2, …");
  }
}

interface Drafted {
  readonly name: string;
  readonly value: Value;
  readonly isReal: boolean;
}

function outputsOf({ outputs }: GraphProto, names: Names, workshop: Workshop): readonly Drafted[] {
  return outputs.map(({ name = "" }, place) => {
    const operand = names.get(name);
    if (operand === undefined)
      return refuse(
        `/graph/output/${place}`,
        `nothing computes the output ${quote(name)}.`,
        "let a node do so",
      );
    if (operand.kind === "absent")
      return refuse(`/graph/output/${place}`, operand.why, "leave the output out");
    const shape = shapeOf(operand);
    if (sizeOf(shape) > MAXIMUM_NUMBERS)
      return refuse(
        `/graph/output/${place}`,
        `the output ${quote(name)} has shape ${formatShape(shape)}.`,
        `${MAXIMUM_NUMBERS} elements are the most`,
      );
    return { name, value: workshop.value(operand), isReal: isFloat(operand.type) };
  });
}
