/**
 * Tells whether two graphs are one function: `node python/tests/same_graph.ts A.json B.json` prints a line of
 * JSON and ends with 1 if they are not. Each file has `graph`, `outputs` (ids), `environment`, and A may have
 * `points`, and B the same in its own inputs; else some are drawn. Without files it reads lines
 * `{"a": …, "b": …}` and writes a line for each.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Interval } from "../../oracle/index.ts";
import { compareRationals } from "../../reference/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, sizeOf } from "../../spec/shapes/index.ts";
import { encodeTensor, type TensorJson } from "../../spec/wire/index.ts";
import { graphOf, type Known, pointOf, primitivesOf, valuesAt, type Written } from "./graph_values.ts";

interface Same {
  readonly equal: boolean;
  /** So many numbers were compared, and so many of them could not be. */
  readonly numbers: number;
  readonly undecided: number;
  /** The primitives that each graph stands for. */
  readonly primitives: readonly [number, number];
  readonly why?: string;
}

/** Draws points of eighths of small integers, of both signs at first, then positive. */
function drawnPoints(graph: Graph, count = 4): TensorJson[][] {
  let state = 1;
  const next = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 16) % 32;
  };
  return Array.from({ length: count }, (_, index) =>
    graph.inputs.map(({ shape }) => {
      const data = Float64Array.from({ length: sizeOf(shape) }, () => (next() - (index % 2) * 16 + 1) / 8);
      return encodeTensor({ shape, data });
    }),
  );
}

/**
 * Tells whether two numbers are one: their enclosures meet, or the float64 reference says the same of both. A
 * tolerance is for functions with constants that a library rounds, such as √2.
 */
function isSame(x: Known, y: Known, tolerance: number): boolean | undefined {
  if (tolerance > 0 && Math.abs(x.float - y.float) <= tolerance * Math.max(1, Math.abs(x.float))) return true;
  if (x.interval !== undefined && y.interval !== undefined) return meet(x.interval, y.interval);
  return Object.is(x.float, y.float) || (x.float === 0 && y.float === 0) ? true : undefined;
}

function meet(x: Interval, y: Interval): boolean {
  return compareRationals(x.low, y.high) !== 1 && compareRationals(y.low, x.high) !== 1;
}

/** Compares two graphs at points, output by output. */
function compared(a: Written, b: Written, tolerance = 0): Same {
  const [left, right] = [graphOf(a), graphOf(b)];
  const primitives = [primitivesOf(left), primitivesOf(right)] as const;
  let [numbers, undecided] = [0, 0];
  for (const [place, inputs] of (a.points ?? drawnPoints(left)).entries()) {
    const x = valuesAt(left, a.outputs, pointOf(left, a, inputs));
    const y = valuesAt(right, b.outputs, pointOf(right, b, b.points?.[place] ?? inputs));
    if (x.length !== y.length) {
      return { equal: false, numbers, undecided, primitives, why: `${x.length} numbers and ${y.length}` };
    }
    for (const [element, one] of x.entries()) {
      const other = at(y, element);
      const same = isSame(one, other, tolerance);
      numbers++;
      if (same === undefined) undecided++;
      if (same === false) {
        const why = `number ${element} is ${one.float} and ${other.float} at ${JSON.stringify(inputs)}`;
        return { equal: false, numbers, undecided, primitives, why };
      }
    }
  }
  return { equal: true, numbers, undecided, primitives };
}

const [, , fileA, fileB] = process.argv;
if (fileA !== undefined && fileB !== undefined) {
  const same = compared(JSON.parse(readFileSync(fileA, "utf8")), JSON.parse(readFileSync(fileB, "utf8")));
  console.log(JSON.stringify(same));
  process.exitCode = same.equal ? 0 : 1;
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const { a, b, tolerance }: { a: Written; b: Written; tolerance?: number } = JSON.parse(line);
    console.log(JSON.stringify(compared(a, b, tolerance)));
  }
}
