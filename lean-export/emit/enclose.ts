import { type Environment, type EnvironmentValue, interpret, type Tensor } from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { BinaryName, UnaryName } from "../../spec/operators/index.ts";
import { at, fail, type Issue, ok, present, type Result, type Shape } from "../../spec/shapes/index.ts";
import type { FlatTrace, Numbers } from "./flat.ts";
import { type FunctionRow, inOrderOfSearch, rowOf } from "./function_rows.ts";
import {
  addIntervals,
  type Interval,
  intervals,
  intervalsWith,
  isKnownInterval,
  multiplyIntervals,
  pointInterval,
  unknownInterval,
} from "./interval.ts";
import { readIndices } from "./numbers.ts";
import type { LeanOperator } from "./operator.ts";
import type { CheckedTrace } from "./read.ts";

/** Intervals of all that a run computes, and of the calls of elementary functions in it. */
export interface Enclosed {
  readonly rows: readonly FunctionRow[];
  readonly values: readonly (readonly Interval[])[];
  readonly cotangents: readonly (readonly Interval[])[];
}

type Intervals = Tensor<Interval>;

/**
 * Encloses the run of a trace's graph with the true elementary functions: what the kernel makes of the
 * intervals of operands is within those of the value. It has to trust nothing here. Fails: `lean/enclosure`
 * where nothing is known of a number, as where a divisor may be zero; as {@link interpret} does.
 */
export function enclosedRun(trace: CheckedTrace, flat: FlatTrace): Result<Enclosed, readonly Issue[]> {
  const graph = interpret(trace.graph, intervalsWith(flat.scalars.literal));
  const environment = environmentOf(trace, flat);
  if (!graph.ok) return graph;
  if (!environment.ok) return environment;
  const shapes = shapesOf(trace.graph);
  const tensor = (numbers: Numbers, id: number): Intervals => ({
    shape: present(shapes[id], "a shape"),
    data: numbers.map(pointInterval),
  });
  const count = flat.program.inputs.length;
  const calls = new Calls();
  const values = flat.run.inputs.map(tensor);
  for (const [index, node] of graph.value.nodes.entries()) {
    const { operator, parents } = at(flat.program.nodes, index);
    const value =
      operator.kind === "elementary"
        ? calls.valueOf(
            operator.f,
            parents.map((id) => at(values, id)),
            node.shape,
          )
        : node.forward(values, environment.value);
    if (!isKnown(value)) return fail([unknownAt(count + index, "value")]);
    values.push(value);
  }
  const cotangents = flat.run.seed.map(tensor);
  for (const [index, node] of [...graph.value.nodes.entries()].toReversed()) {
    const { operator, parents } = at(flat.program.nodes, index);
    const own = at(cotangents, count + index);
    const given = contributions(operator, parents, own, values, calls) ?? [
      ...node.vjp(values, environment.value, own),
    ];
    for (const [id, more] of given) cotangents[id] = sum(at(cotangents, id), more);
  }
  const lost = cotangents.findIndex((cotangent) => !isKnown(cotangent));
  if (lost >= 0) return fail([unknownAt(lost, "cotangent")]);
  const data = (tensors: readonly Intervals[]): (readonly Interval[])[] => tensors.map((one) => one.data);
  return ok({ rows: inOrderOfSearch(calls.rows()), values: data(values), cotangents: data(cotangents) });
}

/** What a function's node adds to its operands' cotangents; `undefined` of another node. */
function contributions(
  operator: LeanOperator,
  parents: readonly number[],
  cotangent: Intervals,
  values: readonly Intervals[],
  calls: Calls,
): readonly (readonly [number, Intervals])[] | undefined {
  if (operator.kind !== "elementary") return undefined;
  const operands = parents.map((id) => at(values, id));
  return parents.map((id, place) => [
    id,
    {
      shape: cotangent.shape,
      data: cotangent.data.map((c, position) =>
        multiplyIntervals(calls.slopeOf(operator.f, argumentsAt(operands, position), place), c),
      ),
    },
  ]);
}

function argumentsAt(operands: readonly Intervals[], position: number): readonly Interval[] {
  return operands.map(({ data }) => at(data, position));
}

/** The calls of a run, each of which has one row. */
class Calls {
  readonly #rows = new Map<string, FunctionRow>();

  valueOf(f: UnaryName | BinaryName, operands: readonly Intervals[], shape: Shape): Intervals {
    const count = operands[0]?.data.length ?? 0;
    const values = Array.from({ length: count }, (_, position) =>
      this.#call(f, argumentsAt(operands, position)),
    );
    return { shape, data: values.map((row) => row?.value ?? unknownInterval) };
  }

  slopeOf(f: UnaryName | BinaryName, operands: readonly Interval[], place: number): Interval {
    return this.#call(f, operands)?.slopes[place] ?? unknownInterval;
  }

  rows(): readonly FunctionRow[] {
    return [...this.#rows.values()];
  }

  #call(f: UnaryName | BinaryName, operands: readonly Interval[]): FunctionRow | undefined {
    const key = [f, ...operands.map(intervals.format)].join(" ");
    const row = this.#rows.get(key) ?? rowOf(f, operands);
    if (row !== undefined) this.#rows.set(key, row);
    return row;
  }
}

function isKnown({ data }: Intervals): boolean {
  return data.every(isKnownInterval);
}

function sum(x: Intervals, y: Intervals): Intervals {
  return { shape: x.shape, data: x.data.map((one, position) => addIntervals(one, at(y.data, position))) };
}

/** The entries of Δ: indices as the trace has them, and real numbers as Lean has them. */
function environmentOf(
  trace: CheckedTrace,
  { run }: FlatTrace,
): Result<Environment<Interval>, readonly Issue[]> {
  const indices = readIndices(trace);
  if (!indices.ok) return indices;
  let entry = 0;
  const entries = [...indices.value].map(([name, value]): [string, EnvironmentValue<Interval>] => {
    if (value.kind === "index") return [name, value];
    const data = (run.environment[entry++] ?? []).map(pointInterval);
    return [name, { kind: "real", tensor: { shape: value.tensor.shape, data } }];
  });
  return ok(new Map(entries));
}

function unknownAt(id: number, part: "value" | "cotangent"): Issue {
  return {
    code: "lean/enclosure",
    pointer: `/${part}s/${id}`,
    message: `nothing is known of the ${part} of ${id}: a divisor may be zero, or a function has no value there.`,
    hint: "a verdict about it cannot be proved",
  };
}
