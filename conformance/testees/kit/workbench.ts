import type { OperatorName } from "../../../spec/composites/index.ts";
import type { Graph, Node } from "../../../spec/graph/index.ts";
import { nodeId } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../../spec/wire/index.ts";
import type { EagerLibrary } from "./library.ts";
import { nodeValue, share } from "./run.ts";

/** An operator with its attributes, without operands. */
export type Applied = Node extends infer N ? (N extends Node ? Omit<N, "parents"> : never) : never;

/** Operators of a run read these besides their operands. */
export interface Surroundings {
  readonly declared: Graph["environment"];
  readonly environment: ReadonlyMap<string, FlatTensor>;
}

/**
 * Tensors that a run has made with a library's operators. The run owns them all and gives them up at the end,
 * so that everybody may read them before; whoever wants to keep one shares it.
 */
export class Workbench<T> {
  readonly library: EagerLibrary<T>;
  readonly dtype: DataType;
  readonly #surroundings: Surroundings;
  #owned: T[] = [];

  constructor(library: EagerLibrary<T>, dtype: DataType, surroundings: Surroundings) {
    this.library = library;
    this.dtype = dtype;
    this.#surroundings = surroundings;
  }

  /** Makes the run the owner of a tensor. */
  own(tensor: T): T {
    this.#owned.push(tensor);
    return tensor;
  }

  /** Makes a claim of one's own on a tensor of the run. */
  shared(tensor: T): T {
    return share(this.library, tensor);
  }

  /** Makes the library's tensor of these numbers. */
  tensor(flat: FlatTensor): T {
    return this.own(this.library.tensor(flat, this.dtype));
  }

  /** Applies the library's operator to tensors of the run. */
  applied(applied: Applied, operands: readonly T[], surroundings: Surroundings = this.#surroundings): T {
    const node: Node = { ...applied, parents: operands.map((_, place) => nodeId(place)) };
    const { declared, environment } = surroundings;
    const graph: Graph = { format: "adjudge.graph.v1", inputs: [], environment: declared, nodes: [node] };
    return this.own(nodeValue(this.library, { graph, dtype: this.dtype, environment }, node, operands));
  }

  /** Returns the elements of a row at some positions. */
  taken(row: T, positions: readonly number[]): T {
    const entry = { shape: [positions.length], data: Float64Array.from(positions) };
    const environment = new Map([[POSITIONS, entry]]);
    const declared = [{ name: POSITIONS, shape: entry.shape, kind: "index" }] as const;
    return this.applied({ op: "take", attributes: { axis: 0, indices: POSITIONS } }, [row], {
      declared,
      environment,
    });
  }

  /** Returns the number of a scalar; `undefined` where the library tells later. */
  number(scalar: T): number | undefined {
    const numbers = this.library.read(this.shared(scalar));
    return numbers instanceof Promise ? undefined : numbers.data[0];
  }

  /** Runs `body`, and gives up all that it made but its value. */
  within(body: () => T): T {
    const outer = this.#owned;
    this.#owned = [];
    try {
      return this.shared(body());
    } finally {
      this.close();
      this.#owned = outer;
    }
  }

  /** Gives everything up. */
  close(): void {
    for (const tensor of this.#owned) this.library.ownership?.release(tensor);
    this.#owned = [];
  }
}

const POSITIONS = "positions";

/** Locations are made of these operators. */
export const memoryOperators: readonly OperatorName[] = ["take", "concat", "reshape"];
