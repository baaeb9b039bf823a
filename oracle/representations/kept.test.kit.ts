import {
  Arena,
  decode,
  dyadicOf,
  encode,
  halfAway,
  roundToPosit,
  type StorageType,
} from "../../reference/numerics/index.ts";
import { evaluate, floats, interpret, rationalFromNumber, type Tensor } from "../../reference/package.ts";

import {
  type Algebra,
  dataTypes,
  formats,
  type PrimitiveGraph,
  present,
  standardPosit,
} from "../../spec/index.ts";
import { enclosuresIn } from "../truth/centre/enclosure.ts";
import { type Box, given } from "./box.ts";
import { endsOf } from "./erring.ts";
import type { Assignment } from "./losses.ts";

/** Rounds numbers to a format and back, as a check on certificates. */
export function keptIn(name: string, data: readonly number[]): readonly number[] {
  const type = dataTypes.find((one) => one === name);
  if (type !== undefined) return data.map(formats[type].round);
  if (name === "posit64") return data.map(toPosit64);
  const bits = Number(name.replace(/\D+/, ""));
  const kind: StorageType = name.startsWith("asym") ? { kind: "asym", bits } : { kind: "sym", bits };
  const stored = encode(kind, data, halfAway);
  return stored.ok ? decode(stored.value) : data.map(() => Number.NaN);
}

function toPosit64(x: number): number {
  const { significand, exponent } = dyadicOf(
    standardPosit(64),
    roundToPosit(standardPosit(64), rationalFromNumber(x)),
  );
  return Number(significand) * 2 ** exponent;
}

/** Draws a point of a box; `draw` says what part of each range. */
export function pointIn({ inputs, environment, indices }: Box, draw: () => number): Box {
  const within = ({ low, high }: Box["inputs"][number]) => {
    const numbers = low.map((least, i) => {
      const most = high[i] ?? least;
      return Math.min(Math.max(least + (most - least) * draw(), least), most);
    });
    return { low: numbers, high: numbers };
  };
  return {
    inputs: inputs.map(within),
    environment: new Map([...environment].map(([name, range]) => [name, within(range)])),
    indices,
  };
}

function meaning<S, B>(graph: PrimitiveGraph, algebra: Algebra<S, B>) {
  const found = interpret(graph, algebra);
  return present(found.ok ? found.value : undefined, "a meaning");
}

/** Runs a graph in float64 and returns by id what is kept of every value. */
export function keptRun(
  graph: PrimitiveGraph,
  point: Box,
  assignment: Assignment,
): readonly (readonly number[])[] {
  const { inputs, environment } = given(graph, point, (x) => x);
  const keep = (value: Tensor<number>, id: number): Tensor<number> => {
    const format = assignment[id];
    return format === undefined ? value : { ...value, data: keptIn(format.name, Array.from(value.data)) };
  };
  const { inputs: shapes, nodes } = meaning(graph, floats.float64);
  const kept = nodes.map((node, index) => ({
    ...node,
    forward: (...asked: Parameters<typeof node.forward>) =>
      keep(node.forward(...asked), inputs.length + index),
  }));
  return evaluate({ inputs: shapes, nodes: kept }, inputs.map(keep), environment).map(({ data }) =>
    Array.from(data),
  );
}

/** Encloses the true values at a point between two float64s each. */
export function trueRun(
  graph: PrimitiveGraph,
  point: Box,
): readonly (readonly (readonly [number, number])[])[] {
  using arena = new Arena(160);
  const { algebra, operations } = enclosuresIn(arena);
  const { inputs, environment } = given(graph, point, operations.literal);
  return evaluate(meaning(graph, algebra), inputs, environment).map(({ data }) => Array.from(data, endsOf));
}
