import { shapeOfNode, withShapes } from "../../spec/expansion/index.ts";
import { entriesNamedBy, type Graph, type Input, type Node } from "../../spec/graph/index.ts";
import { isWhole, positionsOf, type Statement, type View } from "../../spec/programs/index.ts";
import { isSameShape, type NodeId, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { EnvironmentValue } from "../environment.ts";
import type { Tensor } from "../tensor.ts";
import type { Differentiable, Differentiation, Domain, Key, Surroundings } from "./domain.ts";
import { StateFault } from "./fault.ts";
import { readMemory, writeMemory } from "./memory.ts";

/** A value as an id of the graph, and as a tensor where it is known. */
export interface Recorded<S> {
  readonly id: NodeId;
  readonly shape: Shape;
  readonly tensor: Tensor<S> | undefined;
  /** It says where the value was read, if it was read and not copied. */
  readonly seen?: Seen;
  /** The value was copied, and the id is that of the original. */
  readonly isCopy?: boolean;
}

/** A value whose cotangent is asked for too. */
export interface Retained {
  readonly id: NodeId;
  /** The value is a copy of what has this id, whose cotangent contains more than the copy's own. */
  readonly isCopy: boolean;
}

/** A place of a memory. */
interface Seen {
  readonly memory: number;
  readonly view: View;
}

/** A location as the value that it holds at the moment. It is overwritten by standing for another value. */
export interface RecordedMemory<S> {
  /** So many memories were made before it. */
  readonly number: number;
  readonly size: number;
  contents: Recorded<S>;
}

/**
 * This happened to memories, in order: a node read an operand in place, or the elements that a view sees were
 * overwritten, where the memory stood for the value `before`.
 */
export type MemoryEvent =
  | {
      readonly kind: "read";
      readonly memory: number;
      readonly view: View;
      readonly node: NodeId;
      readonly place: number;
    }
  | {
      readonly kind: "write";
      readonly memory: number;
      readonly view: View;
      readonly statement: Statement;
      readonly before: NodeId;
    };

/** A recording fails with this code where it would hold too much. */
export const TOO_MUCH_RECORDED = "program/recording";

/** The recorder asks these of the machine that runs beside it. */
type Beside<S> = Pick<Domain<S, Tensor<S>, unknown>, "apply" | "mask">;

/**
 * The recorder: every value is a node of a graph, and so is a write, whose value the location then stands
 * for. So the graph is the run without memory. Law F: each id has the machine's value [SEMANTICS §10.4].
 */
export class Recorder<S> implements Domain<S, Recorded<S>, RecordedMemory<S>> {
  readonly #beside: Beside<S>;
  readonly #surroundings: Surroundings<S>;
  readonly #inputs: Input[] = [];
  readonly #nodes: Node[] = [];
  readonly #shapes: Shape[] = [];
  readonly #retained: Retained[] = [];
  readonly #conditions: NodeId[] = [];
  readonly #places: NodeId[] = [];
  readonly #statements: (Statement | undefined)[] = [];
  #statement: Statement | undefined;
  readonly #received: NodeId[] = [];
  readonly #events: MemoryEvent[] = [];
  readonly #memories: RecordedMemory<S>[] = [];
  /** The entries of Δ that hold indices, by what they hold: a loop reads a view many times. */
  readonly #indexEntries: Map<string, string>;
  /** Elements of all values so far, and the most that there may be. */
  #elements = 0;
  readonly #most: number;

  constructor(
    beside: Beside<S>,
    surroundings: Surroundings<S>,
    indexEntries: Map<string, string> = new Map(),
    most: number = Number.POSITIVE_INFINITY,
  ) {
    this.#beside = beside;
    this.#surroundings = surroundings;
    this.#indexEntries = indexEntries;
    this.#most = most;
  }

  /** Appends the next input. Inputs come before everything else. */
  input(name: string, shape: Shape, tensor: Tensor<S> | undefined): Recorded<S> {
    this.#inputs.push({ name, shape });
    return this.#next(shape, tensor);
  }

  /** Returns the graph recorded so far. */
  graph(): Graph {
    const environment = [...this.#surroundings.declared.values()];
    const written: Graph = {
      format: "adjudge.graph.v1",
      inputs: this.#inputs,
      environment,
      nodes: this.#nodes,
    };
    return withShapes(written, this.#shapes);
  }

  /** Returns the values whose cotangents are asked for too. */
  get retained(): readonly Retained[] {
    return this.#retained;
  }

  /** Returns the values that decided what is executed, in order, or the derivative within which they did. */
  get conditions(): readonly NodeId[] {
    return this.#conditions;
  }

  /** Returns the values that were places along an axis, in order, beside those within a derivative. */
  get places(): readonly NodeId[] {
    return this.#places;
  }

  /** Returns for each node the statement that wrote it down. */
  get statements(): readonly (Statement | undefined)[] {
    return this.#statements;
  }

  enter(statement: Statement): void {
    this.#statement = statement;
  }

  /** Returns the values that came from outside, in order; of a derivative of such values, the derivative. */
  get fromOutside(): readonly NodeId[] {
    return this.#received;
  }

  /** Returns what happened to memories, in order. */
  get events(): readonly MemoryEvent[] {
    return this.#events;
  }

  /** Returns what each memory holds at the moment. */
  get contents(): readonly NodeId[] {
    return this.#memories.map(({ contents }) => contents.id);
  }

  apply(node: Node, operands: readonly Recorded<S>[]): Recorded<S> {
    const parents = operands.map(({ id }) => id);
    const named = entriesNamedBy(node, this.#surroundings.declared);
    const tensors = operands.flatMap(({ tensor }) => (tensor === undefined ? [] : [tensor]));
    const isKnown =
      tensors.length === operands.length && named.every(({ name }) => this.#surroundings.values.has(name));
    const tensor = isKnown ? this.#beside.apply(node, tensors) : undefined;
    const own = { ...node, parents };
    for (const [place, { seen }] of operands.entries())
      if (seen !== undefined) this.#events.push({ kind: "read", ...seen, node: this.#nextId(), place });
    return this.#push(own, tensor?.shape ?? this.#shapeOf(own), tensor);
  }

  constant(tensor: Tensor<S>): Recorded<S> {
    const name = this.#declare("real", tensor.shape, { kind: "real", tensor });
    return this.#push({ op: "constant", attributes: { name }, parents: [] }, tensor.shape, tensor);
  }

  received(tensor: Tensor<S>): Recorded<S> {
    const value = this.constant(tensor);
    this.#received.push(value.id);
    return value;
  }

  mask(key: Key, rate: number, shape: Shape): Recorded<S> {
    const name = this.#indices([2], key);
    const node: Node = { op: "bernoulli_mask", attributes: { shape, key: name, rate }, parents: [] };
    return this.#push(node, shape, this.#beside.mask(key, rate, shape));
  }

  allocate(value: Recorded<S>): RecordedMemory<S> {
    const memory = { number: this.#memories.length, size: sizeOf(value.shape), contents: value };
    this.#memories.push(memory);
    return memory;
  }

  /** Returns its contents themselves if all is seen; else a `take` of them in one row. */
  read(memory: RecordedMemory<S>, view: View): Recorded<S> {
    return { ...this.#visible(memory, view), seen: { memory: memory.number, view } };
  }

  #visible({ contents, size }: RecordedMemory<S>, view: View): Recorded<S> {
    if (isWhole(view, size)) return this.#reshaped(contents, view.shape);
    const tensor = contents.tensor && readMemory(contents.tensor.data, view);
    return this.#taken(this.#reshaped(contents, [size]), positionsOf(view), view.shape, tensor);
  }

  /** Writes the value itself if it covers all; else `take` picks each element of both in a row, unchanged. */
  write(memory: RecordedMemory<S>, view: View, value: Recorded<S>, statement: Statement): void {
    const { contents, size, number } = memory;
    // A statement that means others is the one that writes.
    const own = this.#statement ?? statement;
    this.#events.push({ kind: "write", memory: number, view, statement: own, before: contents.id });
    memory.contents = isWhole(view, size)
      ? this.#reshaped(value, contents.shape)
      : this.#overwritten(contents, size, view, value);
  }

  copied({ id, shape, tensor, seen, isCopy }: Recorded<S>): Recorded<S> {
    return { id, shape, tensor, isCopy: seen !== undefined || isCopy === true };
  }

  condition({ id, tensor }: Recorded<S>): Tensor<S> | undefined {
    this.#conditions.push(id);
    return tensor;
  }

  known({ tensor }: Recorded<S>): Tensor<S> | undefined {
    return tensor;
  }

  index({ id, tensor }: Recorded<S>): Tensor<S> | undefined {
    this.#places.push(id);
    return tensor;
  }

  retain({ id, isCopy }: Recorded<S>): void {
    this.#retained.push({ id, isCopy: isCopy === true });
  }

  /** The procedure becomes an inner graph, and its derivative a node. */
  differentiate(
    { mode, wrt }: Differentiation,
    operands: readonly Recorded<S>[],
    run: Differentiable<S>,
  ): Recorded<S> {
    const inner = new Recorder(this.#beside, this.#surroundings, this.#indexEntries, this.#most);
    const parameters = operands
      .slice(0, -1)
      .map(({ shape, tensor }, place) => inner.input(`parameter ${place}`, shape, tensor));
    const { id: of } = run(inner, parameters);
    const attributes = { graph: inner.#frugal(), mode, of, wrt: nodeId(wrt) };
    const parents = operands.map((_, place) => nodeId(place));
    const value = this.apply({ op: "differentiate", attributes, parents }, operands);
    if (inner.fromOutside.length > 0) this.#received.push(value.id);
    if (inner.conditions.length > 0 || inner.places.length > 0) this.#conditions.push(value.id);
    return value;
  }

  /** Returns the graph, declaring of Δ what its nodes name: all that the run has may be much. */
  #frugal(): Graph {
    const named = this.#nodes.flatMap((node) => entriesNamedBy(node, this.#surroundings.declared));
    return { ...this.graph(), environment: [...new Set(named)] };
  }

  #taken(
    row: Recorded<S>,
    positions: readonly number[],
    shape: Shape,
    tensor: Tensor<S> | undefined,
  ): Recorded<S> {
    const attributes = { axis: 0, indices: this.#indices([positions.length], positions) };
    const elements = tensor && { shape: [positions.length], data: tensor.data };
    const taken = this.#push({ op: "take", attributes, parents: [row.id] }, [positions.length], elements);
    return this.#reshaped(taken, shape);
  }

  #overwritten(contents: Recorded<S>, size: number, view: View, value: Recorded<S>): Recorded<S> {
    const positions = positionsOf(view);
    const sources = Array.from({ length: size }, (_, position) => position);
    for (const [i, position] of positions.entries()) sources[position] = size + i;
    const rows = [this.#reshaped(contents, [size]), this.#reshaped(value, [positions.length])];
    const parents = rows.map(({ id }) => id);
    const both = this.#push(
      { op: "concat", attributes: { axis: 0 }, parents },
      [size + positions.length],
      undefined,
    );
    const tensor = contents.tensor && value.tensor && overwritten(contents.tensor, view, value.tensor);
    return this.#taken(both, sources, contents.shape, tensor);
  }

  #reshaped(value: Recorded<S>, shape: Shape): Recorded<S> {
    if (isSameShape(value.shape, shape)) return value;
    const tensor = value.tensor && { shape, data: value.tensor.data };
    return this.#push({ op: "reshape", attributes: { shape }, parents: [value.id] }, shape, tensor);
  }

  /** Appends a node. */
  #push(node: Node, shape: Shape, tensor: Tensor<S> | undefined): Recorded<S> {
    this.#nodes.push(node);
    this.#statements.push(this.#statement);
    return this.#next(shape, tensor);
  }

  #shapeOf(node: Node): Shape {
    const shape = shapeOfNode(node, this.#shapes, entriesNamedBy(node, this.#surroundings.declared));
    if (!shape.ok) throw new StateFault(shape.error.code, shape.error.message, shape.error.hint);
    return shape.value;
  }

  #next(shape: Shape, tensor: Tensor<S> | undefined): Recorded<S> {
    const id = this.#nextId();
    this.#elements += sizeOf(shape);
    if (this.#elements > this.#most)
      throw new StateFault(
        TOO_MUCH_RECORDED,
        `the values of the run would have more than ${this.#most} elements in all.`,
        "write larger parts of a location at once, or make the program smaller",
      );
    this.#shapes.push(shape);
    return { id, shape, tensor };
  }

  #nextId(): NodeId {
    return nodeId(this.#shapes.length);
  }

  /** Returns an entry of Δ with these indices; the same one for the same. */
  #indices(shape: Shape, indices: readonly number[]): string {
    const key = `${shape.join(" ")}: ${indices.join(" ")}`;
    const name =
      this.#indexEntries.get(key) ?? this.#declare("index", shape, { kind: "index", shape, indices });
    this.#indexEntries.set(key, name);
    return name;
  }

  #declare(kind: "real" | "index", shape: Shape, value: EnvironmentValue<S>): string {
    const { declared, values } = this.#surroundings;
    let count = declared.size;
    while (declared.has(`${kind} ${count}`)) count++;
    const name = `${kind} ${count}`;
    declared.set(name, { name, shape, kind });
    values.set(name, value);
    return name;
  }
}

/** Returns the tensor with the elements of another where a view sees it. */
function overwritten<S>(contents: Tensor<S>, view: View, value: Tensor<S>): Tensor<S> {
  const data = [...contents.data];
  writeMemory(data, view, value);
  return { shape: contents.shape, data };
}
