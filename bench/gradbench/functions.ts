import type { Case } from "../../oracle/index.ts";
import { type Graph, graph, idCount, nodeId, shapesOf, type Value } from "../../spec/index.ts";
import { lseGraph } from "./graphs/lse.ts";
import { odeGraph } from "./graphs/ode.ts";
import { EVALUATION_SEED, numpyUniform } from "./points.ts";

/**
 * Builds `(p₁² + p₂²) − (q₁² + q₂²)`, whose saddle point two nested descents seek. Source:
 * https://github.com/gradbench/gradbench, cpp/gradbench/evals/saddle.hpp
 */
function saddle(): Graph {
  return graph(({ input }) => {
    const p = input("p", [2]);
    const q = input("q", [2]);
    const square = (x: Value): Value => x.multiply(x).sum({ axes: [0], keepdims: false });
    return square(p).subtract(square(q));
  });
}

/**
 * Builds the determinant of this many rows, expanded by minors along the first row of each. Source:
 * https://github.com/gradbench/gradbench, evals/det/README.md
 */
function det(rows: number): Graph {
  return graph(({ input }) => {
    const flat = input("A", [rows, rows]).reshape({ shape: [rows * rows] });
    const entries = Array.from({ length: rows * rows }, (_, i) =>
      flat.slice({ starts: [i], stops: [i + 1], steps: [1] }).reshape({ shape: [] }),
    );
    const minor = (row: number, columns: readonly number[]): Value => {
      const [first, ...others] = columns.map((column, place) => {
        const entry = entries[row * rows + column] ?? flat;
        const left = columns.filter((other) => other !== column);
        return {
          term: left.length === 0 ? entry : entry.multiply(minor(row + 1, left)),
          isAdded: place % 2 === 0,
        };
      });
      return others.reduce(
        (sum, { term, isAdded }) => (isAdded ? sum.add(term) : sum.subtract(term)),
        first?.term ?? flat,
      );
    };
    minor(
      0,
      Array.from({ length: rows }, (_, column) => column),
    );
  });
}

/** Asks for the gradient of a graph's last value, a scalar, at a point: cotangent 1, tangents all ones. */
function gradientCase(program: Graph, numbers: readonly Float64Array[]): Case {
  const inputs = program.inputs.map(({ shape }, place) => ({
    shape,
    data: numbers[place] ?? new Float64Array(),
  }));
  const last = nodeId(idCount(program) - 1);
  return {
    graph: program,
    point: { inputs, environment: new Map() },
    tangents: inputs.map(({ shape, data }) => ({ shape, data: data.map(() => 1) })),
    seeds: [{ id: last, cotangent: { shape: shapesOf(program)[last] ?? [], data: Float64Array.of(1) } }],
  };
}

/** This is a case of GradBench's, with what it is. */
export interface Evaluation {
  readonly name: string;
  readonly case: Case;
}

const drawn = (first: number, count: number): Float64Array[] => [numpyUniform(EVALUATION_SEED, first, count)];

/** The evaluation draws its default sizes in order, from one stream. */
const lseSizes: readonly number[] = [2500, 5000, 10000, 20000];

/** Asks `lse` at the point that the evaluation draws for a size. */
export function lseEvaluation(n: number): Evaluation {
  const before = lseSizes.slice(0, lseSizes.indexOf(n)).reduce((sum, size) => sum + size, 0);
  return { name: `lse, n = ${n}`, case: gradientCase(lseGraph(n), drawn(before, n)) };
}

/** Asks `ode` at the first numbers of the evaluation's stream. */
export function odeEvaluation(n: number, steps: number): Evaluation {
  return { name: `ode, n = ${n}, s = ${steps}`, case: gradientCase(odeGraph(n, steps), drawn(0, n)) };
}

/** Asks `det` at the first numbers of the evaluation's stream, for 5 rows its first matrix. */
export function detEvaluation(rows: number): Evaluation {
  return { name: `det, ℓ = ${rows}`, case: gradientCase(det(rows), drawn(0, rows * rows)) };
}

/** The evaluation expects this saddle point, every coordinate the same. */
const EXPECTED_SADDLE = 8.246324826140356e-6;

/** Asks for the objective of `saddle` where the evaluation expects its saddle point. */
export function saddleEvaluation(): Evaluation {
  const point = [0, 1].map(() => Float64Array.of(EXPECTED_SADDLE, EXPECTED_SADDLE));
  return { name: "saddle, the objective", case: gradientCase(saddle(), point) };
}
