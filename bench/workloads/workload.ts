import type { Precision } from "../deviation.ts";
import { ba, ba1 } from "../gradbench/graphs/ba.ts";
import { det } from "../gradbench/graphs/det.ts";
import { gmm } from "../gradbench/graphs/gmm.ts";
import { ht } from "../gradbench/graphs/ht.ts";
import { kmeans } from "../gradbench/graphs/kmeans.ts";
import { llsq } from "../gradbench/graphs/llsq.ts";
import { lse } from "../gradbench/graphs/lse.ts";
import { lstm } from "../gradbench/graphs/lstm.ts";
import { ode } from "../gradbench/graphs/ode.ts";
import type { Problem } from "../gradbench/graphs/problem.ts";
import { logsumexp } from "./logsumexp.ts";
import { mlp } from "./mlp.ts";
import {
  type AttentionSizes,
  attention,
  type ConvolutionSizes,
  convolutions,
  type EquationSizes,
  heatEquation,
  type TransformerSizes,
  transformer,
} from "./networks.ts";
import { rosenbrock } from "./rosenbrock.ts";
import { type ScalarSizes, scalars } from "./scalars.ts";

/** Contestants are asked to compute a named function with its sizes. */
export type Workload =
  | ({ readonly kind: "scalars" } & ScalarSizes)
  | { readonly kind: "gmm"; readonly d: number; readonly k: number; readonly n: number }
  | { readonly kind: "logsumexp"; readonly n: number }
  | { readonly kind: "mlp"; readonly batch: number; readonly widths: readonly number[] }
  | ({ readonly kind: "convolutions" } & ConvolutionSizes)
  | ({ readonly kind: "attention" } & AttentionSizes)
  | ({ readonly kind: "transformer" } & TransformerSizes)
  | ({ readonly kind: "heat" } & EquationSizes)
  | { readonly kind: "rosenbrock"; readonly n: number }
  | { readonly kind: "lse"; readonly n: number }
  | { readonly kind: "ode"; readonly n: number; readonly steps: number }
  | { readonly kind: "kmeans"; readonly k: number; readonly n: number; readonly d: number }
  | { readonly kind: "llsq"; readonly n: number; readonly m: number }
  | { readonly kind: "det"; readonly rows: number }
  | { readonly kind: "lstm"; readonly layers: number; readonly characters: number; readonly bits: number }
  | {
      readonly kind: "ba";
      readonly cameras: number;
      readonly points: number;
      readonly observations: number;
    }
  | {
      readonly kind: "ht";
      readonly vertices: number;
      readonly triangles: number;
      readonly correspondences: number;
    };

/** The table has these rows: those of the goals, then GradBench's functions at moderate sizes. */
export const workloads: Readonly<Record<string, Workload>> = {
  "wide-1e4": { kind: "scalars", nodes: 10_000, form: "wide" },
  "wide-1e5": { kind: "scalars", nodes: 100_000, form: "wide" },
  "wide-1e6": { kind: "scalars", nodes: 1_000_000, form: "wide" },
  "chain-1e4": { kind: "scalars", nodes: 10_000, form: "chain" },
  "chain-1e5": { kind: "scalars", nodes: 100_000, form: "chain" },
  "chain-1e6": { kind: "scalars", nodes: 1_000_000, form: "chain" },
  gmm: { kind: "gmm", d: 10, k: 25, n: 1000 },
  logsumexp: { kind: "logsumexp", n: 1_000_000 },
  mlp: { kind: "mlp", batch: 64, widths: [784, 256, 128, 10] },
  convolutions: { kind: "convolutions", batch: 8, extent: 32, channels: [3, 16, 32] },
  attention: { kind: "attention", batch: 8, length: 128, width: 64, heads: 8 },
  transformer: { kind: "transformer", batch: 8, length: 128, width: 64, heads: 8, hidden: 256 },
  heat: { kind: "heat", points: 512, widths: [2, 32, 32, 1] },
  rosenbrock: { kind: "rosenbrock", n: 10 },
  lse: { kind: "lse", n: 160_000 },
  ode: { kind: "ode", n: 20, steps: 100 },
  kmeans: { kind: "kmeans", k: 10, n: 1000, d: 8 },
  llsq: { kind: "llsq", n: 1024, m: 128 },
  det: { kind: "det", rows: 7 },
  lstm: { kind: "lstm", layers: 2, characters: 128, bits: 8 },
  ba: { kind: "ba", ...ba1 },
  ht: { kind: "ht", vertices: 544, triangles: 1000, correspondences: 100 },
};

/** Returns a workload's precision: networks are trained in float32, all else is computed in float64. */
export function precisionOf({ kind }: Workload): Precision {
  return networks.has(kind) ? "float32" : "float64";
}

const networks: ReadonlySet<Workload["kind"]> = new Set(["mlp", "convolutions", "attention", "transformer"]);

/** Builds the graph of a workload and its point, which gives every contestant its numbers. */
export function problemOf(workload: Workload): Problem {
  switch (workload.kind) {
    case "scalars":
      return scalars(workload);
    case "gmm":
      return gmm(workload);
    case "logsumexp":
      return logsumexp(workload.n);
    case "mlp":
      return mlp(workload);
    case "convolutions":
      return convolutions(workload);
    case "attention":
      return attention(workload);
    case "transformer":
      return transformer(workload);
    case "heat":
      return heatEquation(workload);
    case "rosenbrock":
      return rosenbrock(workload.n);
    case "lse":
      return lse(workload.n);
    case "ode":
      return ode(workload.n, workload.steps);
    case "kmeans":
      return kmeans(workload);
    case "llsq":
      return llsq(workload.n, workload.m);
    case "det":
      return det(workload.rows);
    case "lstm":
      return lstm(workload);
    case "ba":
      return ba(workload);
    case "ht":
      return ht(workload);
  }
}
