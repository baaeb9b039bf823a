import {
  type Context,
  type Environment,
  type EnvironmentValue,
  type Tensor,
  tensor,
} from "../../reference/index.ts";
import type { ElementRanges } from "../../reference/numerics/storage/index.ts";
import type { RangeJson, RangesJson } from "../../spec/explained/index.ts";
import type { Graph, Point, PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  at,
  fail,
  InvariantError,
  type Issue,
  nearestName,
  ok,
  pointerTo,
  present,
  quote,
  type Result,
  sizeOf,
} from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** A box bounds each element of what a graph is given; indices are fixed. */
export interface Box {
  readonly inputs: readonly ElementRanges[];
  readonly environment: ReadonlyMap<string, ElementRanges>;
  readonly indices: ReadonlyMap<string, readonly number[]>;
}

/** A value's numbers were in this range, but for a part. */
export interface SeenRange {
  /** `undefined` where nothing finite was seen, or not all was finite. */
  readonly range: RangeJson | undefined;
  readonly outside: number;
}

/** This is a graph of primitives and the box of what it may be given. */
export interface Boxed {
  readonly graph: PrimitiveGraph;
  readonly box: Box;
  /** By id, what true values are taken to lie within. */
  readonly seen?: readonly SeenRange[];
}

/** Makes the box round a point in which each number may differ by a part (`within`) of its own size. */
export function boxRound({ inputs, environment }: Point, graph: Graph, within: number): Box {
  const round = ({ data }: FlatTensor): ElementRanges => {
    const numbers = Array.from(data);
    return {
      low: numbers.map((x) => x - Math.abs(x) * within),
      high: numbers.map((x) => x + Math.abs(x) * within),
    };
  };
  const entry = (name: string): FlatTensor => present(environment.get(name), `the entry ${name}`);
  const real = graph.environment.filter(({ kind }) => kind === "real");
  const index = graph.environment.filter(({ kind }) => kind === "index");
  return {
    inputs: inputs.map(round),
    environment: new Map(real.map(({ name }) => [name, round(entry(name))])),
    indices: new Map(index.map(({ name }) => [name, Array.from(entry(name).data)])),
  };
}

/** Given ranges bound all elements of an input or entry alike. */
export interface GivenRanges {
  readonly inputs: readonly RangeJson[];
  readonly environment: ReadonlyMap<string, RangeJson>;
}

/** Reads the ranges of inputs and real entries. Fails: `ranges/name` (unknown, missing), `ranges/order`. */
export function givenRanges(
  graph: Graph,
  { inputs = {}, environment = {} }: RangesJson,
): Result<GivenRanges, Issue[]> {
  const issues: Issue[] = [];
  const section = (
    name: "inputs" | "environment",
    said: Readonly<Record<string, RangeJson>>,
    given: readonly { readonly name: string }[],
  ): [string, RangeJson][] => {
    const names = given.map((one) => one.name);
    for (const [key, [low, high]] of Object.entries(said)) {
      if (!names.includes(key)) issues.push(unknownName(pointerTo(`/${name}`, key), key, names));
      else if (!(low <= high)) issues.push(disordered(pointerTo(`/${name}`, key), low, high));
    }
    return given.flatMap(({ name: key }): [string, RangeJson][] => {
      const range = Object.hasOwn(said, key) ? said[key] : undefined;
      if (range === undefined) issues.push(missing(`/${name}`, key));
      return range === undefined ? [] : [[key, range]];
    });
  };
  const own = section("inputs", inputs, graph.inputs);
  const real = graph.environment.filter(({ kind }) => kind === "real");
  const entries = section("environment", environment, real);
  if (issues.length > 0) return fail(issues);
  return ok({ inputs: own.map(([, range]) => range), environment: new Map(entries) });
}

/** Finds the least ranges that a box lies in. */
export function rangesOfBox({ inputs, environment }: Box): GivenRanges {
  const around = ({ low, high }: ElementRanges): RangeJson =>
    low.length === 0 ? [0, 0] : [low.reduce((a, b) => Math.min(a, b)), high.reduce((a, b) => Math.max(a, b))];
  return {
    inputs: inputs.map(around),
    environment: new Map([...environment].map(([name, range]) => [name, around(range)])),
  };
}

/**
 * Makes a box with one range for all elements of a name. Fails: as {@link givenRanges} does, and
 * `ranges/index` where the graph has index entries, which a range does not determine.
 */
export function boxOf(graph: Graph, json: RangesJson): Result<Box, Issue[]> {
  const ranges = givenRanges(graph, json);
  const index = graph.environment.find(({ kind }) => kind === "index");
  if (!ranges.ok || index !== undefined)
    return fail([...(ranges.ok ? [] : ranges.error), ...(index === undefined ? [] : [indexed(index.name)])]);
  const { inputs, environment } = ranges.value;
  const filled = (
    [low, high]: RangeJson,
    { shape }: { readonly shape: readonly number[] },
  ): ElementRanges => {
    const all = (x: number): number[] => Array.from({ length: sizeOf(shape) }, () => x);
    return { low: all(low), high: all(high) };
  };
  const real = graph.environment.filter(({ kind }) => kind === "real");
  return ok({
    inputs: graph.inputs.map((input, place) => filled(at(inputs, place), input)),
    environment: new Map(
      real.map((entry) => [entry.name, filled(present(environment.get(entry.name), entry.name), entry)]),
    ),
    indices: new Map(),
  });
}

function unknownName(pointer: string, name: string, names: readonly string[]): Issue {
  const near = nearestName(name, names);
  return {
    code: "ranges/name",
    pointer,
    message: `there is no input or real entry ${quote(name)} there.`,
    hint: near === undefined ? "ranges are of inputs and of real entries" : `did you mean ${quote(near)}?`,
  };
}

function missing(pointer: string, name: string): Issue {
  return {
    code: "ranges/name",
    pointer,
    message: `${quote(name)} has no range.`,
    hint: "every input and every real entry has a range, [least, greatest]",
  };
}

function disordered(pointer: string, low: number, high: number): Issue {
  return {
    code: "ranges/order",
    pointer,
    message: `${low} is greater than ${high}.`,
    hint: "a range is [least, greatest]",
  };
}

function indexed(name: string): Issue {
  return {
    code: "ranges/index",
    pointer: "/environment",
    message: `the entry ${quote(name)} has indices, which a range cannot give.`,
    hint: "give a case, whose point has indices; --within 0.1 makes a box round it",
  };
}

/** Lifts what a graph is given into an algebra; `lift` gets the ends of each element. */
export function given<S>(
  graph: Graph,
  box: Box,
  lift: (low: number, high: number) => S,
): { readonly inputs: Context<S>; readonly environment: Environment<S> } {
  const lifted = (shape: readonly number[], { low, high }: ElementRanges): Tensor<S> =>
    tensor(shape, (position) => lift(at(low, position), at(high, position)));
  return {
    inputs: graph.inputs.map(({ shape }, place) => lifted(shape, at(box.inputs, place))),
    environment: new Map(
      graph.environment.map(({ name, shape }): [string, EnvironmentValue<S>] => {
        const range = box.environment.get(name);
        if (range !== undefined) return [name, { kind: "real", tensor: lifted(shape, range) }];
        const indices = box.indices.get(name);
        if (indices === undefined) throw new InvariantError(`the box has no ${name}`);
        return [name, { kind: "index", shape, indices }];
      }),
    ),
  };
}
