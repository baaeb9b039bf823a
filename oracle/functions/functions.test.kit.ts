import { graph } from "../../spec/builder/index.ts";
import { referenceConventions } from "../../spec/contract/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { type Graph, idCount } from "../../spec/graph/index.ts";
import { floatAt, nodeId } from "../../spec/shapes/index.ts";
import type { AskedFunction } from "./question.ts";

type Numbers = readonly number[];

/** A function of one matrix to a vector of its rows' values, with a backward written by hand. */
export interface Written {
  readonly question: FunctionQuestion;
  /** Makes the function, whose gradient is off by these relative errors. */
  make(wrong?: (place: number) => number): AskedFunction;
}

/** Asks about the last value of a graph, by all inputs, at 30 points. */
export function questionOf(graph: Graph, changes: Partial<FunctionQuestion> = {}): FunctionQuestion {
  return {
    name: "f",
    graph,
    outputs: [nodeId(idCount(graph) - 1)],
    wrt: graph.inputs.map((_, place) => nodeId(place)),
    modes: ["evaluate", "vjp"],
    dtype: "float64",
    environment: new Map(),
    domain: { inputs: graph.inputs.map(() => ({})), environment: new Map() },
    at: [],
    points: 30,
    seed: 1,
    sources: [],
    declared: { accuracy: {}, conventions: referenceConventions },
    resizes: false,
    isPointwise: false,
    ...changes,
  };
}

const [ROWS, COLUMNS] = [2, 3];

/** Makes a function of a matrix from one of a row: its value, and the row's gradient. */
function ofRows(
  meaning: Graph,
  value: (row: Numbers) => number,
  gradient: (row: Numbers) => Numbers,
  changes?: Partial<FunctionQuestion>,
): Written {
  const rowsOf = (data: Float64Array): Numbers[] =>
    Array.from({ length: ROWS }, (_, r) => [...data.subarray(r * COLUMNS, (r + 1) * COLUMNS)]);
  return {
    question: questionOf(meaning, changes),
    make: (wrong = () => 0) => ({
      evaluate: async ({ inputs: [x] }) => {
        const data = Float64Array.from(rowsOf(x?.data ?? new Float64Array(0)), value);
        return { kind: "result", value: [{ shape: [ROWS], data }] };
      },
      vjp: async ({ inputs: [x] }, [seed]) => {
        const bars = seed?.cotangent.data ?? new Float64Array(ROWS);
        const rows = rowsOf(x?.data ?? new Float64Array(0));
        const data = Float64Array.from(
          rows.flatMap((row, r) => gradient(row).map((slope) => slope * floatAt(bars, r))),
        ).map((slope, place) => slope * (1 + wrong(place)));
        return { kind: "result", value: [{ shape: [ROWS, COLUMNS], data }] };
      },
      jvp: async () => ({ kind: "unsupported", reason: "no forward mode" }),
    }),
  };
}

const sum = (row: Numbers): number => row.reduce((total, x) => total + x, 0);
const mean = (row: Numbers): number => sum(row) / row.length;
const last = { axes: [1], keepdims: false } as const;
const kept = { axes: [1], keepdims: true } as const;

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** Functions as people write them, each with the graph that says what it means. */
export const written: Readonly<Record<string, Written>> = {
  // The gradient is taken from the value: another way than the graph's reverse sweep.
  logsumexp: ofRows(
    graph(({ input }) => input("x", [ROWS, COLUMNS]).exp().sum(last).log()),
    (row) => {
      const most = Math.max(...row);
      return most + Math.log(sum(row.map((x) => Math.exp(x - most))));
    },
    (row) => {
      const most = Math.max(...row);
      const value = most + Math.log(sum(row.map((x) => Math.exp(x - most))));
      return row.map((x) => Math.exp(x - value));
    },
  ),
  squared_swish: ofRows(
    graph(({ input }) => {
      const x = input("x", [ROWS, COLUMNS]);
      x.multiply(x.sigmoid()).square().sum(last);
    }),
    (row) => sum(row.map((x) => (x * logistic(x)) ** 2)),
    (row) =>
      row.map((x) => {
        const s = logistic(x);
        return 2 * x * s * (s + x * s * (1 - s));
      }),
  ),
  centred: ofRows(
    graph(({ input }) => {
      const x = input("x", [ROWS, COLUMNS]);
      const centred = x.subtract(x.mean(kept));
      centred.square().mean(last);
    }),
    (row) => mean(row.map((x) => (x - mean(row)) ** 2)),
    (row) => row.map((x) => (2 / row.length) * (x - mean(row))),
  ),
  // At a tie the backward takes the other side than the graph does.
  quantile: ofRows(
    graph(({ input }) => {
      const x = input("x", [ROWS, COLUMNS]);
      x.multiply(0.9).maximum(x.multiply(-0.1)).sum(last);
    }),
    (row) => sum(row.map((x) => (x < 0 ? -0.1 * x : 0.9 * x))),
    (row) => row.map((x) => (x <= 0 ? -0.1 : 0.9)),
  ),
};
