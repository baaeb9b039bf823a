import type { Graph, Node } from "../../spec/graph/index.ts";
import type { EnvironmentEntry } from "../../spec/operators/index.ts";
import { isSameShape, nodeId, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Declared, Operation, Surroundings } from "./operation.ts";
import type { Trace } from "./trace.ts";
import type { Held } from "./value.ts";

/**
 * Writes down a procedure as a graph while it runs; the numbers of values are ids. A write is a `take` from
 * the old elements and the new in one row, as in the graph of a run [SEMANTICS §10.4].
 */
export class Recorder implements Trace {
  readonly #declared: Map<string, EnvironmentEntry>;
  readonly #surroundings: Map<string, FlatTensor>;
  readonly #inputs: Shape[] = [];
  readonly #nodes: Node[] = [];

  constructor(declared: Declared, surroundings: Surroundings) {
    this.#declared = new Map(declared);
    this.#surroundings = new Map(surroundings);
  }

  /** Adds an input; all inputs come first. */
  input({ shape }: Pick<FlatTensor, "shape">): number {
    this.#inputs.push(shape);
    return this.#inputs.length - 1;
  }

  graph(): Graph {
    return {
      format: "adjudge.graph.v1",
      inputs: this.#inputs.map((shape, place) => ({ name: `parameter ${place}`, shape })),
      environment: [...this.#declared.values()],
      nodes: this.#nodes,
    };
  }

  /** Returns the program's Δ, with entries that were added. */
  get declared(): Declared {
    return this.#declared;
  }

  get surroundings(): Surroundings {
    return this.#surroundings;
  }

  applied({ node }: Operation, operands: readonly Held[], surroundings: Surroundings): number {
    // A derivative inside brings the entries of its own graph.
    if (node.op === "differentiate") this.#adopt(node.attributes.graph, surroundings);
    return this.#push({ ...node, parents: operands.map(({ slot }) => nodeId(slot)) });
  }

  constant(value: FlatTensor): number {
    const name = this.#declare("real", value);
    return this.#push({ op: "constant", attributes: { name }, parents: [] });
  }

  taken(of: number, from: Shape, positions: readonly number[], to: Shape): number {
    const row = this.reshaped(of, from, [sizeOf(from)]);
    const indices = this.#declare("index", {
      shape: [positions.length],
      data: Float64Array.from(positions),
    });
    const taken = this.#push({ op: "take", attributes: { axis: 0, indices }, parents: [nodeId(row)] });
    return this.reshaped(taken, [positions.length], to);
  }

  overwritten(of: number, shape: Shape, positions: readonly number[], by: number, byShape: Shape): number {
    const size = sizeOf(shape);
    const sources = Array.from({ length: size }, (_, position) => position);
    for (const [i, position] of positions.entries()) sources[position] = size + i;
    const parents = [
      nodeId(this.reshaped(of, shape, [size])),
      nodeId(this.reshaped(by, byShape, [positions.length])),
    ];
    const both = this.#push({ op: "concat", attributes: { axis: 0 }, parents });
    return this.taken(both, [size + positions.length], sources, shape);
  }

  reshaped(of: number, from: Shape, to: Shape): number {
    if (isSameShape(from, to)) return of;
    return this.#push({ op: "reshape", attributes: { shape: to }, parents: [nodeId(of)] });
  }

  detached(of: number): number {
    return this.#push({ op: "stop_gradient", attributes: {}, parents: [nodeId(of)] });
  }

  retain(): void {
    // Nobody asks for cotangents inside a derivative.
  }

  again<T>(run: () => T): T {
    return run();
  }

  #adopt({ environment }: Graph, surroundings: Surroundings): void {
    for (const entry of environment) {
      const value = surroundings.get(entry.name);
      if (this.#declared.has(entry.name) || value === undefined) continue;
      this.#declared.set(entry.name, entry);
      this.#surroundings.set(entry.name, value);
    }
  }

  #push(node: Node): number {
    this.#nodes.push(node);
    return this.#inputs.length + this.#nodes.length - 1;
  }

  #declare(kind: "real" | "index", value: FlatTensor): string {
    let count = this.#declared.size;
    while (this.#declared.has(`${kind} ${count}`)) count++;
    const name = `${kind} ${count}`;
    this.#declared.set(name, { name, shape: value.shape, kind });
    this.#surroundings.set(name, value);
    return name;
  }
}
