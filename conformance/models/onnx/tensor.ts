import { GraphError } from "../../../spec/builder/index.ts";
import { formatShape, quote, type Result, sizeOf, wellFormedShape } from "../../../spec/shapes/index.ts";
import { type Known, known, typeName } from "./operand.ts";
import { elementTypes, type TensorProto } from "./wire/model.ts";

/** Reads a part of a file beside the model, or says why not. */
export type External = (
  location: string,
  offset: number,
  length: number | undefined,
) => Result<Uint8Array, string>;

/** What is left of the numbers that a model may have, and where its external data are. */
export class Limits {
  readonly external: External;
  #left: number;

  constructor(most: number, external: External) {
    this.#left = most;
    this.external = external;
  }

  left(): number {
    return this.#left;
  }

  /** Takes so many numbers. */
  take(count: number): boolean {
    this.#left -= count;
    return this.#left >= 0;
  }
}

type Getter = (view: DataView, at: number) => number;

/** How an element stands in raw data. */
const raw: ReadonlyMap<number, readonly [bytes: number, get: Getter]> = new Map<
  number,
  readonly [number, Getter]
>([
  [elementTypes.float, [4, (view, at) => view.getFloat32(at, true)]],
  [elementTypes.uint8, [1, (view, at) => view.getUint8(at)]],
  [elementTypes.int8, [1, (view, at) => view.getInt8(at)]],
  [elementTypes.uint16, [2, (view, at) => view.getUint16(at, true)]],
  [elementTypes.int16, [2, (view, at) => view.getInt16(at, true)]],
  [elementTypes.int32, [4, (view, at) => view.getInt32(at, true)]],
  [elementTypes.int64, [8, (view, at) => Number(view.getBigInt64(at, true))]],
  [elementTypes.bool, [1, (view, at) => (view.getUint8(at) === 0 ? 0 : 1)]],
  [elementTypes.float16, [2, (view, at) => view.getFloat16(at, true)]],
  [elementTypes.double, [8, (view, at) => view.getFloat64(at, true)]],
  [elementTypes.uint32, [4, (view, at) => view.getUint32(at, true)]],
  [elementTypes.uint64, [8, (view, at) => Number(view.getBigUint64(at, true))]],
  [elementTypes.bfloat16, [2, (view, at) => bfloat16Of(view.getUint16(at, true))]],
]);

const word = new DataView(new ArrayBuffer(4));

/** A bfloat16 is the upper half of a float32. */
function bfloat16Of(bits: number): number {
  word.setUint32(0, bits * 2 ** 16);
  return word.getFloat32(0);
}

function float16Of(bits: number): number {
  word.setUint16(0, bits);
  return word.getFloat16(0);
}

function refuse(name: string | undefined, message: string, hint: string): never {
  throw new GraphError(name ?? "tensor", {
    code: "onnx/tensor",
    message: `the tensor ${quote(name ?? "")}: ${message}`,
    hint,
  });
}

/** Returns the numbers of a tensor. Throws `GraphError` where it has none, too many, or unreadable ones. */
export function readTensor(tensor: TensorProto, limits: Limits): Known {
  const { name, dims, dataType: type = 0 } = tensor;
  const layout = raw.get(type);
  if (layout === undefined)
    return refuse(name, `its elements are of ${typeName(type)}.`, "store floats, integers or truths");
  const shape = wellFormedShape(dims);
  if (!shape.ok) return refuse(name, shape.error.message, shape.error.hint);
  const size = sizeOf(dims);
  if (!limits.take(size)) return refuse(name, "the model has too many numbers.", "import a smaller one");
  const bytes = rawOf(tensor, size * layout[0], limits);
  const data = bytes === undefined ? listed(tensor, type) : unpacked(bytes, layout);
  if (data.length !== size)
    return refuse(
      name,
      `it has ${data.length} elements for ${formatShape(dims)}.`,
      "give one for each place",
    );
  return known(type, dims, data, name);
}

/** Returns the bytes of raw or external data. */
function rawOf(tensor: TensorProto, length: number, limits: Limits): Uint8Array | undefined {
  const { name, rawData, dataLocation, externalData } = tensor;
  const found = dataLocation === 1 ? externalOf(name, externalData, length, limits) : rawData;
  if (found === undefined || found.length === length) return found;
  return refuse(
    name,
    `it has ${found.length} bytes, not ${length}.`,
    "give the bytes of each element, and no more",
  );
}

function externalOf(
  name: string | undefined,
  entries: TensorProto["externalData"],
  length: number,
  limits: Limits,
): Uint8Array {
  const values = new Map(entries.map(({ key, value }) => [key, value]));
  const [offset, given] = [Number(values.get("offset") ?? 0), Number(values.get("length") ?? length)];
  if (!Number.isSafeInteger(offset) || offset < 0 || given !== length)
    return refuse(name, "its external data are of another length.", "write the model again");
  const found = limits.external(values.get("location") ?? "", offset, length);
  return found.ok ? found.value : refuse(name, found.error, "keep external data in the model's own folder");
}

function unpacked(bytes: Uint8Array, [width, get]: readonly [number, Getter]): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = new Float64Array(bytes.length / width);
  for (let i = 0; i < data.length; i++) data[i] = get(view, i * width);
  return data;
}

/** Returns the elements that stand in the field of their type. */
function listed(
  { floatData, int32Data, int64Data, doubleData, uint64Data }: TensorProto,
  type: number,
): readonly number[] {
  switch (type) {
    case elementTypes.float:
      return floatData;
    case elementTypes.double:
      return doubleData;
    case elementTypes.int64:
      return int64Data;
    case elementTypes.uint32:
    case elementTypes.uint64:
      return uint64Data;
    case elementTypes.float16:
      return int32Data.map((bits) => float16Of(bits & 0xffff));
    case elementTypes.bfloat16:
      return int32Data.map((bits) => bfloat16Of(bits & 0xffff));
    default:
      return int32Data;
  }
}
