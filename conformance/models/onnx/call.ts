import { type Builder, GraphError, type Value } from "../../../spec/builder/index.ts";
import { formatShape, type Shape, sizeOf } from "../../../spec/shapes/index.ts";
import { type Absent, isFloat, type Known, type Live, type Operand, shapeOf, typeName } from "./operand.ts";
import type { AttributeProto, GraphProto, TensorProto } from "./wire/model.ts";
import type { Workshop } from "./workshop.ts";

/** A rule's results, in the order of the node's outputs; a value has the type of the first operand. */
export type Results = Value | Operand | readonly (Value | Operand)[];

/** An operator's row in the table. */
export interface Rule {
  /** So many operands, at least and at most. */
  readonly operands: readonly [least: number, most: number];
  /**
   * With constants for operands it is computed now: `always`, since it moves elements and computes nothing
   * that rounds, or for `integers` and truths alone.
   */
  readonly folds?: "always" | "integers";
  /** It is there from this version of the operators on. */
  readonly since?: number;
  apply(call: Call): Results;
}

/** Lists of indices are taken apart, and have at most so many. */
const MAXIMUM_INTEGERS = 2 ** 20;

const decoder = new TextDecoder();

/** One application of an operator: its operands, its attributes, and the graph that is written. */
export class Call {
  readonly op: string;
  readonly version: number;
  readonly operands: readonly (Operand | undefined)[];
  /** So many results are named. */
  readonly results: number;
  readonly workshop: Workshop;
  readonly #attributes: ReadonlyMap<string, AttributeProto>;
  readonly #read: Set<string>;

  constructor(
    op: string,
    version: number,
    operands: readonly (Operand | undefined)[],
    results: number,
    attributes: readonly AttributeProto[],
    workshop: Workshop,
    read: Set<string> = new Set(),
  ) {
    this.op = op;
    this.version = version;
    this.operands = operands;
    this.results = results;
    this.workshop = workshop;
    this.#attributes = new Map(attributes.map((one) => [one.name ?? "", one]));
    this.#read = read;
  }

  /** Returns the same application for another graph. */
  in(workshop: Workshop): Call {
    const attributes = [...this.#attributes.values()];
    return new Call(this.op, this.version, this.operands, this.results, attributes, workshop, this.#read);
  }

  get builder(): Builder {
    return this.workshop.builder;
  }

  /** Throws: the import ends at this node. */
  refuse(message: string, hint: string): never {
    throw new GraphError(this.op, { code: "onnx/operator", message, hint });
  }

  /** The names of attributes that no rule has read. */
  get unread(): readonly string[] {
    return [...this.#attributes.keys()].filter((name) => !this.#read.has(name));
  }

  #attribute(name: string): AttributeProto | undefined {
    this.#read.add(name);
    return this.#attributes.get(name);
  }

  has(name: string): boolean {
    return this.#attribute(name) !== undefined;
  }

  int(name: string, otherwise: number): number {
    const value = this.#attribute(name)?.i ?? otherwise;
    if (Number.isSafeInteger(value)) return value;
    return this.refuse(`its ${name} is ${value}.`, "use a smaller number");
  }

  flag(name: string, otherwise = 0): boolean {
    return this.int(name, otherwise) !== 0;
  }

  float(name: string, otherwise: number): number {
    const value = this.#attribute(name)?.f ?? Math.fround(otherwise);
    if (!Number.isFinite(value)) return this.refuse(`its ${name} is ${value}.`, "use a finite number");
    return value;
  }

  text(name: string, otherwise: string): string {
    const value = this.#attribute(name)?.s;
    return value === undefined ? otherwise : decoder.decode(value);
  }

  texts(name: string): readonly string[] | undefined {
    return this.#attribute(name)?.strings.map((one) => decoder.decode(one));
  }

  ints(name: string): readonly number[] | undefined {
    const value = this.#attribute(name)?.ints;
    if (value?.every((one) => Number.isSafeInteger(one)) === false)
      return this.refuse(`its ${name} are not all integers below 2⁵³.`, "use smaller numbers");
    return value;
  }

  floats(name: string): readonly number[] | undefined {
    return this.#attribute(name)?.floats;
  }

  tensor(name: string): TensorProto | undefined {
    return this.#attribute(name)?.t;
  }

  graph(name: string): GraphProto {
    return this.#attribute(name)?.g ?? this.refuse(`it has no ${name}.`, "give it a graph there");
  }

  /** Says whether an operand is given; the empty name stands for none. */
  hasOperand(place: number): boolean {
    return this.operands[place] !== undefined;
  }

  operand(place: number): Known | Live {
    const operand = this.operands[place];
    if (operand === undefined)
      return this.refuse(`operand ${place} is missing.`, "name the value that it reads");
    if (operand.kind === "absent") return this.refuse(operand.why, "leave this result of the node unused");
    return operand;
  }

  type(place = 0): number {
    return this.operand(place).type;
  }

  shape(place = 0): Shape {
    return shapeOf(this.operand(place));
  }

  get rank(): number {
    return this.shape(0).length;
  }

  /** Returns an operand as a value of the graph. */
  value(place: number): Value {
    return this.workshop.value(this.operand(place));
  }

  /** Returns an operand that must be known before any input is. */
  constant(place: number, what: string): Known {
    const operand = this.operand(place);
    if (operand.kind === "known") return operand;
    return this.refuse(
      `its ${what} depends on the inputs' numbers.`,
      `${what} must be a constant, or follow from shapes; give integer inputs as data with --given NAME=…`,
    );
  }

  /** Returns an operand's integers, which must be known. */
  integers(place: number, what: string): readonly number[] {
    const { data } = this.constant(place, what);
    if (data.length > MAXIMUM_INTEGERS)
      return this.refuse(`its ${what} has ${data.length} elements.`, `${MAXIMUM_INTEGERS} are the most`);
    const wrong = data.find((x) => !Number.isInteger(x));
    if (wrong !== undefined) return this.refuse(`its ${what} has ${wrong}.`, `${what} is of integers`);
    return Array.from(data);
  }

  /** Returns an operand's one number, which must be known. */
  number(place: number, what: string): number {
    const { data } = this.constant(place, what);
    const [first] = data;
    if (first === undefined || data.length !== 1)
      return this.refuse(`its ${what} has ${data.length} elements.`, `${what} is one number`);
    return first;
  }

  /** Returns an axis counted from the front. */
  axis(axis: number, rank: number = this.rank): number {
    const counted = axis < 0 ? axis + rank : axis;
    if (counted >= 0 && counted < rank && Number.isInteger(counted)) return counted;
    return this.refuse(`there is no axis ${axis} in rank ${rank}.`, "name an axis that its operand has");
  }

  axes(axes: readonly number[], rank: number = this.rank): number[] {
    if (axes.length > rank || rank > 32) return this.refuse("it names too many axes.", "name each axis once");
    const counted = axes.map((axis) => this.axis(axis, rank));
    if (new Set(counted).size === counted.length) return counted;
    return this.refuse("an axis is named twice.", "name each axis once");
  }

  /** Refuses a list of so many numbers before it is made. */
  listing(count: number): number {
    if (count <= MAXIMUM_INTEGERS) return count;
    return this.refuse(`it needs ${count} indices.`, `${MAXIMUM_INTEGERS} are the most`);
  }

  /** Refuses a result of so many elements before it is made. */
  fitting(shape: Shape): Shape {
    return this.workshop.fitting(shape);
  }

  typed(value: Value, type: number): Live {
    return { kind: "live", type, value };
  }

  absent(why: string): Absent {
    return { kind: "absent", why };
  }

  /** Declares indices, which are not negative, and returns their name. */
  index(shape: Shape, data: readonly number[] | Float64Array): string {
    return this.workshop.index(this.op.toLowerCase(), shape, data);
  }

  /** Returns indices counted from the front of an axis. */
  counted(indices: readonly number[], extent: number): number[] {
    return indices.map((index) => {
      const counted = index < 0 ? index + extent : index;
      if (counted >= 0 && counted < extent) return counted;
      return this.refuse(`the index ${index} is outside of an axis of ${extent}.`, "indices lie on the axis");
    });
  }

  /** Refuses all but floats. */
  float_(place: number): Value {
    const type = this.type(place);
    if (isFloat(type)) return this.value(place);
    return this.refuse(`operand ${place} is of ${typeName(type)}.`, "cast it to floats first");
  }

  /** Refuses shapes but this one. */
  expectShape(place: number, shape: Shape): void {
    const own = this.shape(place);
    if (own.length === shape.length && own.every((extent, axis) => extent === shape[axis])) return;
    this.refuse(
      `operand ${place} has shape ${formatShape(own)}, not ${formatShape(shape)}.`,
      "give it the shape that the operator asks for",
    );
  }

  /** Returns a value with another shape of the same size. */
  reshaped(x: Value, shape: Shape): Value {
    if (sizeOf(shape) === sizeOf(x.shape)) return x.reshape({ shape: [...shape] });
    return this.refuse(
      `${formatShape(x.shape)} cannot become ${formatShape(shape)}.`,
      "keep the number of elements",
    );
  }
}
