import { bytes, double, float, int64, type Kind, many, message, one, string } from "./message.ts";

/**
 * The messages of onnx.proto that are read and written, with the fields that mean something here. Source:
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export interface ModelProto {
  readonly irVersion: number | undefined;
  readonly producer: string | undefined;
  readonly graph: GraphProto | undefined;
  readonly opsets: readonly OperatorSetProto[];
  readonly functions: readonly FunctionProto[];
}

/** A model names the version of each set of operators that it uses; "" is ONNX's own. */
interface OperatorSetProto {
  readonly domain: string | undefined;
  readonly version: number | undefined;
}

/** A graph, of a model or in an attribute. */
export interface GraphProto {
  readonly nodes: readonly NodeProto[];
  readonly name: string | undefined;
  readonly initializers: readonly TensorProto[];
  readonly sparseInitializers: readonly Uint8Array[];
  readonly inputs: readonly ValueInfoProto[];
  readonly outputs: readonly ValueInfoProto[];
}

/** A node: an operator applied to values by name. */
export interface NodeProto {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly name: string | undefined;
  readonly op: string | undefined;
  readonly attributes: readonly AttributeProto[];
  readonly domain: string | undefined;
}

/** An attribute, of which one field holds the value. */
export interface AttributeProto {
  readonly name: string | undefined;
  readonly f: number | undefined;
  readonly i: number | undefined;
  readonly s: Uint8Array | undefined;
  readonly t: TensorProto | undefined;
  readonly g: GraphProto | undefined;
  readonly floats: readonly number[];
  readonly ints: readonly number[];
  readonly strings: readonly Uint8Array[];
  readonly type: number | undefined;
  readonly reference: string | undefined;
}

/** A tensor of numbers. */
export interface TensorProto {
  readonly dims: readonly number[];
  readonly dataType: number | undefined;
  readonly floatData: readonly number[];
  readonly int32Data: readonly number[];
  readonly int64Data: readonly number[];
  readonly name: string | undefined;
  readonly rawData: Uint8Array | undefined;
  readonly doubleData: readonly number[];
  readonly uint64Data: readonly number[];
  readonly externalData: readonly EntryProto[];
  readonly dataLocation: number | undefined;
}

/** A key and its value. */
interface EntryProto {
  readonly key: string | undefined;
  readonly value: string | undefined;
}

/** A value's name and type. */
export interface ValueInfoProto {
  readonly name: string | undefined;
  readonly type: TypeProto | undefined;
}

/** A type; only those of tensors are read. */
interface TypeProto {
  readonly tensor: TensorTypeProto | undefined;
}

/** What elements a tensor has, and its extents if they are known. */
interface TensorTypeProto {
  readonly element: number | undefined;
  readonly shape: ShapeProto | undefined;
}

/** A list of extents. */
interface ShapeProto {
  readonly dims: readonly DimensionProto[];
}

/** An extent: a number, or a name. */
interface DimensionProto {
  readonly value: number | undefined;
  readonly parameter: string | undefined;
}

/** An operator that a model defines by nodes. */
export interface FunctionProto {
  readonly name: string | undefined;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: readonly string[];
  readonly nodes: readonly NodeProto[];
  readonly domain: string | undefined;
  readonly defaults: readonly AttributeProto[];
  readonly opsets: readonly OperatorSetProto[];
}

const operatorSet: Kind<OperatorSetProto> = message({
  domain: one(1, () => string),
  version: one(2, () => int64),
});

const entry: Kind<EntryProto> = message({ key: one(1, () => string), value: one(2, () => string) });

/** Tensors, which files of their own may hold too. */
const tensorProto: Kind<TensorProto> = message({
  dims: many(1, () => int64),
  dataType: one(2, () => int64),
  floatData: many(4, () => float),
  int32Data: many(5, () => int64),
  int64Data: many(7, () => int64),
  name: one(8, () => string),
  rawData: one(9, () => bytes),
  doubleData: many(10, () => double),
  uint64Data: many(11, () => int64),
  externalData: many(13, () => entry),
  dataLocation: one(14, () => int64),
});

const dimension: Kind<DimensionProto> = message({
  value: one(1, () => int64),
  parameter: one(2, () => string),
});

const shape: Kind<ShapeProto> = message({ dims: many(1, () => dimension) });

const tensorType: Kind<TensorTypeProto> = message({
  element: one(1, () => int64),
  shape: one(2, () => shape),
});

const type: Kind<TypeProto> = message({ tensor: one(1, () => tensorType) });

const valueInfo: Kind<ValueInfoProto> = message({ name: one(1, () => string), type: one(2, () => type) });

const attribute: Kind<AttributeProto> = message({
  name: one(1, () => string),
  f: one(2, () => float),
  i: one(3, () => int64),
  s: one(4, () => bytes),
  t: one(5, () => tensorProto),
  g: one(6, () => graph),
  floats: many(7, () => float),
  ints: many(8, () => int64),
  strings: many(9, () => bytes),
  type: one(20, () => int64),
  reference: one(21, () => string),
});

const node: Kind<NodeProto> = message({
  inputs: many(1, () => string),
  outputs: many(2, () => string),
  name: one(3, () => string),
  op: one(4, () => string),
  attributes: many(5, () => attribute),
  domain: one(7, () => string),
});

const graph: Kind<GraphProto> = message({
  nodes: many(1, () => node),
  name: one(2, () => string),
  initializers: many(5, () => tensorProto),
  sparseInitializers: many(15, () => bytes),
  inputs: many(11, () => valueInfo),
  outputs: many(12, () => valueInfo),
});

const functionProto: Kind<FunctionProto> = message({
  name: one(1, () => string),
  inputs: many(4, () => string),
  outputs: many(5, () => string),
  attributes: many(6, () => string),
  nodes: many(7, () => node),
  domain: one(10, () => string),
  defaults: many(11, () => attribute),
  opsets: many(9, () => operatorSet),
});

/** The whole of a file. */
export const modelProto: Kind<ModelProto> = message({
  irVersion: one(1, () => int64),
  producer: one(2, () => string),
  graph: one(7, () => graph),
  opsets: many(8, () => operatorSet),
  functions: many(25, () => functionProto),
});

/** The codes of element types, `TensorProto.DataType`. */
export const elementTypes = {
  float: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  double: 11,
  uint32: 12,
  uint64: 13,
  bfloat16: 16,
} as const;
