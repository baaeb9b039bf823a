import type { FlatGraph } from "../scalar_graph.ts";
import { scalarsOf } from "../workloads/scalars.ts";
import type { Workload } from "../workloads/workload.ts";

/** A library without tensors, or whose user writes none, has these operations on scalars. */
export interface ScalarStyle<T> {
  add(x: T, y: T): T;
  subtract(x: T, y: T): T;
  multiply(x: T, y: T): T;
  sin(x: T): T;
  exp(x: T): T;
  number(x: number): T;
}

/** This is a function of this many scalars: the elements of all inputs of a graph, joined. */
export interface ScalarFunction<T> {
  /** The graph's inputs have these sizes. */
  readonly sizes: readonly number[];
  call(x: readonly T[]): T;
}

/** Writes the workload for scalars, as it is defined; nothing for those of millions of operations. */
export function inScalarStyle<T>(workload: Workload, style: ScalarStyle<T>): ScalarFunction<T> | undefined {
  switch (workload.kind) {
    case "scalars": {
      const flat = scalarsOf(workload);
      return { sizes: Array.from(flat.point, () => 1), call: (x) => nodes(flat, x, style) };
    }
    case "rosenbrock":
      return { sizes: [workload.n], call: (x) => rosenbrock(x, style) };
    case "det":
      return { sizes: [workload.rows ** 2], call: (x) => minor(x, 0, columnsOf(workload.rows), style) };
    case "ode":
      return { sizes: [workload.n], call: (x) => ode(x, workload.steps, style) };
    default:
      return undefined;
  }
}

function nodes<T>({ codes, x, y }: FlatGraph, inputs: readonly T[], style: ScalarStyle<T>): T {
  const all = [...inputs];
  codes.forEach((code, place) => {
    const first = present(all[x[place] ?? -1]);
    if (code === 2) all.push(style.sin(first));
    else if (code === 3) all.push(style.exp(first));
    else {
      const second = present(all[y[place] ?? -1]);
      all.push(code === 0 ? style.add(first, second) : style.multiply(first, second));
    }
  });
  return present(all.at(-1));
}

function rosenbrock<T>(x: readonly T[], style: ScalarStyle<T>): T {
  const { add, subtract, multiply, number } = style;
  const hundred = number(100);
  const one = number(1);
  const terms = x.slice(1).map((next, place) => {
    const now = present(x[place]);
    const valley = subtract(next, multiply(now, now));
    const slope = subtract(one, now);
    return add(multiply(hundred, multiply(valley, valley)), multiply(slope, slope));
  });
  return terms.reduce(add);
}

const columnsOf = (rows: number): number[] => Array.from({ length: rows }, (_, column) => column);

/** Expands a minor along its first row, and every smaller one anew. */
function minor<T>(x: readonly T[], row: number, columns: readonly number[], style: ScalarStyle<T>): T {
  const rows = Math.sqrt(x.length);
  const terms = columns.map((column) => {
    const entry = present(x[row * rows + column]);
    const others = columns.filter((other) => other !== column);
    return others.length === 0 ? entry : style.multiply(entry, minor(x, row + 1, others, style));
  });
  return terms.reduce((sum, term, place) =>
    place % 2 === 0 ? style.add(sum, term) : style.subtract(sum, term),
  );
}

/** Integrates by the Runge-Kutta method, for the last unknown. */
function ode<T>(x: readonly T[], steps: number, { add, multiply, number }: ScalarStyle<T>): T {
  const h = 2 / steps;
  const slope = (y: readonly T[]): T[] =>
    x.map((factor, i) => (i === 0 ? factor : multiply(factor, present(y[i - 1]))));
  const moved = (y: readonly T[], k: readonly T[], by: number): T[] =>
    y.map((yi, i) => add(yi, multiply(number(by), present(k[i]))));
  let y = x.map(() => number(0));
  for (let step = 0; step < steps; step++) {
    const k1 = slope(y);
    const k2 = slope(moved(y, k1, h / 2));
    const k3 = slope(moved(y, k2, h / 2));
    const k4 = slope(moved(y, k3, h));
    const sum = k1.map((k, i) =>
      add(add(k, present(k4[i])), multiply(number(2), add(present(k2[i]), present(k3[i])))),
    );
    y = moved(y, sum, h / 6);
  }
  return present(y.at(-1));
}

function present<T>(x: T | undefined): T {
  if (x === undefined) throw new RangeError("an operand is missing");
  return x;
}
