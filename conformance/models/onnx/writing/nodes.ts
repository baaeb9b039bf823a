import { type Shape, sizeOf, stridesOf } from "../../../../spec/shapes/index.ts";
import {
  type AttributeProto,
  elementTypes,
  type GraphProto,
  type NodeProto,
  type TensorProto,
} from "../wire/model.ts";

const encoder = new TextEncoder();

/** Attributes as a node is given them: floats and integers are told apart, since JavaScript does not. */
export interface Given {
  readonly ints?: Readonly<Record<string, number | readonly number[]>>;
  readonly floats?: Readonly<Record<string, number>>;
  readonly texts?: Readonly<Record<string, string>>;
  readonly tensor?: TensorProto;
}

const noAttribute: AttributeProto = {
  name: undefined,
  f: undefined,
  i: undefined,
  s: undefined,
  t: undefined,
  g: undefined,
  floats: [],
  ints: [],
  strings: [],
  type: undefined,
  reference: undefined,
};

/** The codes of attribute types, `AttributeProto.AttributeType`. */
const attributeTypes = { float: 1, int: 2, string: 3, tensor: 4, ints: 7 } as const;

function attributesOf({ ints = {}, floats = {}, texts = {}, tensor }: Given): AttributeProto[] {
  return [
    ...Object.entries(ints).map(([name, value]) =>
      typeof value === "number"
        ? { ...noAttribute, name, i: value, type: attributeTypes.int }
        : { ...noAttribute, name, ints: value, type: attributeTypes.ints },
    ),
    ...Object.entries(floats).map(([name, f]) => ({ ...noAttribute, name, f, type: attributeTypes.float })),
    ...Object.entries(texts).map(([name, text]) => ({
      ...noAttribute,
      name,
      s: encoder.encode(text),
      type: attributeTypes.string,
    })),
    ...(tensor === undefined
      ? []
      : [{ ...noAttribute, name: "value", t: tensor, type: attributeTypes.tensor }]),
  ];
}

/** Returns a tensor of floats, doubles, or integers, in raw data. */
export function tensorOf(type: number, shape: Shape, data: ArrayLike<number>, name?: string): TensorProto {
  const width = type === elementTypes.float ? 4 : 8;
  const raw = new Uint8Array(data.length * width);
  const view = new DataView(raw.buffer);
  for (let i = 0; i < data.length; i++) {
    const x = data[i] ?? 0;
    if (type === elementTypes.float) view.setFloat32(4 * i, x, true);
    else if (type === elementTypes.double) view.setFloat64(8 * i, x, true);
    else view.setBigInt64(8 * i, BigInt(x), true);
  }
  return {
    dims: shape,
    dataType: type,
    floatData: [],
    int32Data: [],
    int64Data: [],
    name,
    rawData: raw,
    doubleData: [],
    uint64Data: [],
    externalData: [],
    dataLocation: undefined,
  };
}

/** Writes nodes of ONNX: each function appends one, and returns the name of its result. */
export class Writer {
  /** The type of all floats. */
  readonly type: number;
  readonly nodes: NodeProto[] = [];
  readonly initializers: TensorProto[] = [];
  readonly #names = new Set<string>();
  readonly #constants = new Map<string, string>();

  constructor(type: number) {
    this.type = type;
  }

  /** Returns a name that nothing has, and takes it. */
  named(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#names.has(name); count++) name = `${wanted}_${count}`;
    this.#names.add(name);
    return name;
  }

  node(op: string, inputs: readonly string[], given: Given = {}, domain?: string): string {
    const [result = ""] = this.several(op, inputs, 1, given, domain);
    return result;
  }

  several(
    op: string,
    inputs: readonly string[],
    count: number,
    given: Given = {},
    domain?: string,
  ): string[] {
    const outputs = Array.from({ length: count }, () => this.named(`v${this.nodes.length}`));
    const name = this.named(`${op}_${this.nodes.length}`);
    this.nodes.push({ inputs, outputs, name, op, attributes: attributesOf(given), domain });
    return outputs;
  }

  /** Renames the last node's result, which is an output of the model. */
  output(value: string, name: string): void {
    this.nodes.push({
      inputs: [value],
      outputs: [name],
      name: this.named(`Identity_${this.nodes.length}`),
      op: "Identity",
      attributes: [],
      domain: undefined,
    });
  }

  initializer(type: number, shape: Shape, data: ArrayLike<number>, wanted: string): string {
    const name = this.named(wanted);
    this.initializers.push(tensorOf(type, shape, data, name));
    return name;
  }

  /** Returns a vector of integers, the same one for the same numbers. */
  integers(data: readonly number[]): string {
    return this.#constant(elementTypes.int64, [data.length], data);
  }

  integer(x: number): string {
    return this.#constant(elementTypes.int64, [], [x]);
  }

  number(x: number): string {
    return this.#constant(this.type, [], [x]);
  }

  #constant(type: number, shape: Shape, data: readonly number[]): string {
    const key = `${type}:${shape.join()}:${data.map((x) => (Object.is(x, -0) ? "-0" : x)).join()}`;
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const name = this.initializer(type, shape, data, `c${this.#constants.size}`);
    this.#constants.set(key, name);
    return name;
  }

  /** Casts truths to numbers. */
  counted(truth: string): string {
    return this.node("Cast", [truth], { ints: { to: this.type } });
  }

  /** Says where numbers are not 0. */
  truth(x: string): string {
    return this.node("Cast", [x], { ints: { to: elementTypes.bool } });
  }

  full(shape: Shape, value: number): string {
    if (shape.length === 0) return this.number(value);
    return this.node("ConstantOfShape", [this.integers(shape)], {
      tensor: tensorOf(this.type, [1], [value]),
    });
  }

  reshaped(x: string, shape: Shape): string {
    return this.node("Reshape", [x, this.integers(shape)], { ints: { allowzero: 1 } });
  }

  graph(name: string, inputs: GraphProto["inputs"], outputs: GraphProto["outputs"]): GraphProto {
    return {
      nodes: this.nodes,
      name,
      initializers: this.initializers,
      sparseInitializers: [],
      inputs,
      outputs,
    };
  }
}

/** Returns the place of each element along an axis. */
export function placesAlong(shape: Shape, axis: number): Float64Array {
  const stride = stridesOf(shape)[axis] ?? 1;
  const extent = Math.max(1, shape[axis] ?? 1);
  return Float64Array.from({ length: sizeOf(shape) }, (_, at) => Math.floor(at / stride) % extent);
}
