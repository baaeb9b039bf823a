import type { Node } from "../../spec/graph/index.ts";
import type { Statement } from "../../spec/programs/index.ts";
import type { Tensor } from "../tensor.ts";
import type { Key } from "./domain.ts";

/** What a run may use up. */
export interface Limits {
  /** Statements that are executed, turns of loops among them. */
  readonly statements: number;
  /** Elements of all locations together. */
  readonly elements: number;
  /** Calls within calls. */
  readonly calls: number;
}

/** What is allowed unless more is asked for. */
export const defaultLimits: Limits = { statements: 2 ** 20, elements: 2 ** 24, calls: 256 };

/** The state's generator of random numbers: a key, and how often it was drawn from. */
export interface Generator {
  readonly key: Key;
  readonly drawn: number;
}

/** The world outside, as a run finds it: by channel the tensors that are received, in order. */
export type World<S> = ReadonlyMap<string, readonly Tensor<S>[]>;

/** A value that was sent, and where. */
export interface Sent<V> {
  readonly channel: string;
  readonly value: V;
}

/** What the statements themselves ask of the algebra. */
export interface Literals<S> {
  /** The element that a number denotes. */
  literal(x: number): S;
  /** Whether an element is 0; `undefined` where nobody can tell. */
  isZero(x: S): boolean | undefined;
}

/** How far a run is; the runs within it go on from there. */
export class Progress {
  statements = 0;
  elements = 0;
  drawn: number;
  /** Whether each condition held, in the order in which they were looked at. */
  readonly decisions: boolean[] = [];
  /** By channel, how many tensors were received. */
  readonly received: Map<string, number> = new Map();
  readonly #start: number;

  constructor(drawn: number) {
    this.drawn = drawn;
    this.#start = drawn;
  }

  /** Draws once more: how many draws of the same run came before, wherever the generator began. */
  nextDraw(): number {
    return this.drawn++ - this.#start;
  }
}

/** What is the same for a run and those within it. */
export interface Setting<S> {
  readonly literals: Literals<S>;
  readonly limits: Limits;
  readonly world: World<S>;
  readonly key: Key;
  /** What an engine's own generator has drawn, in its place. */
  readonly draws?: readonly Tensor<S>[] | undefined;
  readonly progress: Progress;
  /** By statement, the node that it applies: a machine knows nodes by identity, and one serves all turns. */
  readonly nodes: Map<Statement, Node>;
}
