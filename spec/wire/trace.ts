import type { Graph } from "../graph/index.ts";
import type { ExactTensorJson } from "./tensor.ts";

/** One evaluation and backpropagation over any algebra, with every value and cotangent, as a file. */
export interface TraceJson {
  readonly format: "adjudge.trace.v1";
  /** The algebra's name, for example `rational`. */
  readonly algebra: string;
  readonly graph: Graph;
  readonly point: {
    readonly inputs: readonly ExactTensorJson[];
    /** Keys are chosen by users: read it by `Object.entries` or `Object.hasOwn`. */
    readonly environment: { readonly [name: string]: ExactTensorJson };
  };
  readonly seeds: readonly { readonly id: number; readonly cotangent: ExactTensorJson }[];
  /** The form of backpropagation [SEMANTICS §3.6, §3.7, §7.4]. */
  readonly form: "dense" | "sparse";
  /** The value of every id, inputs first. */
  readonly values: readonly ExactTensorJson[];
  /** The cotangent of every id, inputs first, each including its own seed. */
  readonly cotangents: readonly ExactTensorJson[];
  /** SHA-256 of what the trace is of, in hexadecimal: the graph; graph, point and seeds; what computed it. */
  readonly hashes?: { readonly graph: string; readonly case: string; readonly engine: string };
}
