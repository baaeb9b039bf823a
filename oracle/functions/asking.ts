import { referenceConventions } from "../../spec/contract/index.ts";
import type { FunctionQuestion, Range } from "../../spec/documents/index.ts";
import { type Graph, idCount, type Point } from "../../spec/graph/index.ts";
import { fail, type Issue, nearestName, nodeId, ok, quote, type Result } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type HandWritten, modesOf } from "./hand_written.ts";

/** How a function of this process is asked; all may be left out. */
export interface FunctionAsking {
  /** What it is called in what is told of it. */
  readonly name?: string;
  /** The ids of the graph whose values it returns; the last value unless told. */
  readonly outputs?: readonly number[];
  /** The names of the inputs by which it is differentiated; all unless told. */
  readonly wrt?: readonly string[];
  /** A tensor for each entry of Δ. */
  readonly environment?: ReadonlyMap<string, FlatTensor>;
  /** Where points are drawn from, by the names of inputs and entries of Δ. */
  readonly domain?: Readonly<Record<string, Range>>;
  /** These points are asked first. */
  readonly at?: readonly Point[];
  /** So many points are drawn, 100 unless told, from this seed. */
  readonly points?: number;
  readonly seed?: number;
  readonly dtype?: DataType;
  /** So many right decimal digits are demanded. */
  readonly digits?: number;
}

/**
 * Returns the question whether a function's derivatives are right. Fails: `question/name` for a name that the
 * graph does not have; `question/modes` for a function that has no derivative.
 */
export function questionOf(
  written: HandWritten,
  graph: Graph,
  asking: FunctionAsking,
): Result<FunctionQuestion, Issue[]> {
  const { name = "the function", points = 100, seed = 1, dtype = "float64", digits, at = [] } = asking;
  const modes = modesOf(written);
  const inputs = graph.inputs.map((input) => input.name);
  const entries = graph.environment.map((entry) => entry.name);
  const foreign = [
    ...unknown(asking.wrt ?? [], inputs),
    ...unknown(Object.keys(asking.domain ?? {}), [...inputs, ...entries]),
    ...unknown([...(asking.environment?.keys() ?? [])], entries),
    ...entries.flatMap((entry) =>
      asking.environment?.has(entry) === true || at.length > 0 ? [] : [missing(entry)],
    ),
    ...(modes.includes("vjp") || modes.includes("jvp") ? [] : [noDerivative]),
  ];
  if (foreign.length > 0) return fail(foreign);
  const domain = new Map(Object.entries(asking.domain ?? {}));
  const wrt = asking.wrt ?? inputs;
  return ok({
    name,
    graph,
    outputs: (asking.outputs ?? [idCount(graph) - 1]).map(nodeId),
    wrt: inputs.flatMap((input, place) => (wrt.includes(input) ? [nodeId(place)] : [])),
    modes,
    dtype,
    environment: asking.environment ?? new Map(),
    domain: {
      inputs: inputs.map((input) => domain.get(input) ?? {}),
      environment: new Map([...domain].filter(([one]) => entries.includes(one))),
    },
    at,
    points,
    seed,
    ...(digits === undefined ? {} : { digits }),
    sources: [],
    declared: { accuracy: {}, conventions: referenceConventions },
    resizes: false,
    isPointwise: false,
  });
}

function unknown(names: readonly string[], known: readonly string[]): Issue[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestName(name, known);
      const hint =
        near === undefined ? `it has ${known.map(quote).join(", ")}` : `did you mean ${quote(near)}?`;
      return { code: "question/name", pointer: "", message: `the graph has no ${quote(name)} there.`, hint };
    });
}

function missing(entry: string): Issue {
  const message = `the entry ${quote(entry)} of the environment has no tensor.`;
  return { code: "question/name", pointer: "", message, hint: "give it in environment" };
}

const noDerivative: Issue = {
  code: "question/modes",
  pointer: "",
  message: "the function has no derivative to be judged.",
  hint: "give vjp, from inputs and cotangents to cotangents, or jvp",
};
