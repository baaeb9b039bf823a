import { type FlatTensor, graph, type Value } from "../../../spec/index.ts";
import { EVALUATION_SEED, numpyUniform } from "../points.ts";
import { objectiveOf, type Problem, tensor } from "./problem.ts";

/** Each minor lists its columns in order; the minors of one number of rows form a list. */
type Minors = readonly (readonly number[])[];

/**
 * Builds the determinant by minors along the first row of each, every minor computed anew wherever it occurs,
 * as GradBench asks. All minors of one number of rows are one tensor: the terms of a minor are a row of the
 * next smaller ones. Source: https://github.com/gradbench/gradbench, evals/det/README.md
 */
export function det(rows: number): Problem {
  const all = Array.from({ length: rows }, (_, column) => column);
  const levels: Minors[] = [[all]];
  for (let size = rows - 1; size > 0; size--) levels.push((levels.at(-1) ?? []).flatMap(smaller));
  const environment = new Map<string, FlatTensor>();
  const built = graph(({ input, indices, parameter }) => {
    const flat = input("A", [rows, rows]).reshape({ shape: [rows * rows] });
    const entries = (row: number, minors: Minors): Value => {
      const places = minors.flatMap((columns) => columns.map((column) => row * rows + column));
      environment.set(`columns ${row}`, tensor([places.length], places));
      return flat.take({ axis: 0, indices: indices(`columns ${row}`, [places.length]) });
    };
    const [last = [], ...before] = levels.toReversed();
    return before.reduce(
      (minors, level, place) => {
        const row = rows - 2 - place;
        const shape = [level.length, rows - row];
        const signs = Array.from({ length: rows - row }, (_, column) => (column % 2 === 0 ? 1 : -1));
        environment.set(`signs ${row}`, tensor([rows - row], signs));
        const signed = parameter(`signs ${row}`, [rows - row]).multiply(minors.reshape({ shape }));
        const sum = entries(row, level)
          .reshape({ shape })
          .multiply(signed)
          .sum({ axes: [1], keepdims: false });
        return level.length > 1 ? sum : sum.reshape({ shape: [] });
      },
      entries(rows - 1, last),
    );
  });
  return {
    name: `det l=${rows}`,
    graph: built,
    point: {
      inputs: [tensor([rows, rows], numpyUniform(EVALUATION_SEED, 0, rows * rows))],
      environment,
    },
    outputs: [objectiveOf(built)],
  };
}

/** Lists the minors without each of the columns in turn. */
function smaller(columns: readonly number[]): (readonly number[])[] {
  return columns.map((column) => columns.filter((other) => other !== column));
}
