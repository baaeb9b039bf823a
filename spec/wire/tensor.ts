import {
  counted,
  fail,
  formatShape,
  type Issue,
  MAXIMUM_ISSUES,
  ok,
  type Result,
  type Shape,
  sizeOf,
  wellFormedShape,
} from "../shapes/index.ts";
import { fromBase64, toBase64 } from "./base64.ts";
import { formatFloat64, parseFloat64 } from "./float.ts";

/**
 * A tensor [SEMANTICS §1.2] at the door of an engine: row-major, as float64 whatever the precision; indices
 * are integers.
 */
export interface FlatTensor {
  readonly shape: Shape;
  readonly data: Float64Array;
}

/**
 * A tensor on the wire [SEMANTICS §8.1, §8.4]: its elements in exact text form, row-major, or as base64 of
 * little-endian float64. In files that people write, integers up to 2⁵³ − 1 may stand as JSON numbers: those,
 * and no other numbers, are exact in every algebra.
 */
export type TensorJson = TextTensorJson | Base64TensorJson;

/** The form for people, and for every algebra. */
export interface TextTensorJson {
  readonly shape: Shape;
  readonly data: readonly (string | number)[];
}

/** The form for large tensors of floats: 8 bytes an element, padded base64 of RFC 4648 [SEMANTICS §8.5]. */
export interface Base64TensorJson {
  readonly shape: Shape;
  readonly base64: string;
}

/** A tensor over any algebra in a trace: the elements as its `format` writes them. */
export interface ExactTensorJson {
  readonly shape: Shape;
  readonly data: readonly string[];
}

/**
 * Returns `tensor` on the wire, as text unless `base64` is asked for.
 * Law: `decodeTensor(encodeTensor(t, form), "")` is `t`, bit for bit but for NaNs, which all become one.
 */
export function encodeTensor(tensor: FlatTensor, form: "text" | "base64" = "text"): TensorJson {
  const shape = [...tensor.shape];
  if (form === "base64") return { shape, base64: encodeBase64(tensor.data) };
  return { shape, data: Array.from(tensor.data, formatFloat64) };
}

/**
 * Returns `tensor` as a person would write it: integers as numbers, and else the shortest decimal text that
 * is the same float64. Law: as {@link encodeTensor}'s.
 */
export function plainTensor({ shape, data }: FlatTensor): TextTensorJson {
  return { shape: [...shape], data: Array.from(data, plainNumber) };
}

function plainNumber(x: number): string | number {
  if (Object.is(x, -0)) return "-0";
  if (Number.isSafeInteger(x)) return x;
  return Number.isFinite(x) ? String(x) : formatFloat64(x);
}

/**
 * Returns the tensor that `json`, already of the type, denotes. `pointer` is its place in the document.
 * Fails: `shape/…`, `tensor/length`, `tensor/element`, `tensor/base64`.
 */
export function decodeTensor(json: TensorJson, pointer: string): Result<FlatTensor, Issue[]> {
  const shape = wellFormedShape(json.shape);
  if (!shape.ok) return fail([{ ...shape.error, pointer: `${pointer}/shape` }]);
  const data = "base64" in json ? decodeBase64(json, pointer) : decodeText(json, pointer);
  // JSON has a −0, which passes for an extent; as one it is 0.
  return data.ok ? ok({ shape: json.shape.map((extent) => extent + 0), data: data.value }) : data;
}

function decodeText({ shape, data }: TextTensorJson, pointer: string): Result<Float64Array, Issue[]> {
  const size = sizeOf(shape);
  if (data.length !== size) {
    return fail([wrongLength(counted(data.length, "element"), size, shape, `${pointer}/data`)]);
  }
  const elements = new Float64Array(size);
  const issues: Issue[] = [];
  for (let i = 0; i < size && issues.length < MAXIMUM_ISSUES; i++) {
    const element = data[i] ?? "";
    const value = typeof element === "string" ? parseFloat64(element) : exactNumber(element);
    if (value === undefined) issues.push(badElement(element, `${pointer}/data/${i}`));
    else elements[i] = value;
  }
  return issues.length === 0 ? ok(elements) : fail(issues);
}

/** Returns a JSON number that is surely the one that was written. */
function exactNumber(x: number): number | undefined {
  return Number.isSafeInteger(x) ? x : undefined;
}

function badElement(element: string | number, pointer: string): Issue {
  if (typeof element === "string") {
    return {
      code: "tensor/element",
      pointer,
      message: "the text is not a number.",
      hint: 'write it like "0x1.8p+1", "0.1", "inf", "-inf" or "nan"',
    };
  }
  return {
    code: "tensor/element",
    pointer,
    message: "a JSON number that is not an integer of at most 2⁵³ − 1 may have been rounded.",
    hint: `write "${element}" as a string`,
  };
}

function wrongLength(found: string, wanted: number, shape: Shape, pointer: string): Issue {
  return {
    code: "tensor/length",
    pointer,
    message: `there are ${found}; a tensor of shape ${formatShape(shape)} takes ${wanted}.`,
    hint: "give every element once, the last axis fastest",
  };
}

function encodeBase64(data: Float64Array): string {
  const bytes = new DataView(new ArrayBuffer(8 * data.length));
  // A NaN's bits may differ from one machine to the next; the wire has one NaN.
  data.forEach((x, i) => {
    if (Number.isNaN(x)) bytes.setBigUint64(8 * i, 0x7ff8n << 48n, true);
    else bytes.setFloat64(8 * i, x, true);
  });
  return toBase64(new Uint8Array(bytes.buffer));
}

function decodeBase64({ shape, base64 }: Base64TensorJson, pointer: string): Result<Float64Array, Issue[]> {
  const size = sizeOf(shape);
  const place = `${pointer}/base64`;
  const digits = 4 * Math.ceil((8 * size) / 3);
  if (base64.length !== digits) {
    return fail([wrongLength(`${base64.length} base64 digits`, digits, shape, place)]);
  }
  const bytes = fromBase64(base64);
  if (bytes?.length !== 8 * size) {
    return fail([
      {
        code: "tensor/base64",
        pointer: place,
        message: "this is not the base64 of that many float64 values.",
        hint: "use the alphabet with + and /, padded with =, without line breaks",
      },
    ]);
  }
  const view = new DataView(bytes.buffer);
  const elements = new Float64Array(size);
  for (let i = 0; i < size; i++) elements[i] = view.getFloat64(8 * i, true);
  return ok(elements);
}
