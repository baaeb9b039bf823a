import {
  type Environment,
  type EnvironmentValue,
  type Rational,
  rational,
  type Tensor,
  traceOf,
} from "../../reference/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import {
  type Algebra,
  fail,
  type Issue,
  isSameShape,
  ok,
  pointerTo,
  present,
  type Result,
} from "../../spec/shapes/index.ts";
import type { ExactTensorJson } from "../../spec/wire/index.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { boundsOf, type EngineNumbers } from "./bounds.ts";
import type { EngineRun, EngineTrace } from "./flat.ts";
import { flattenOver } from "./flatten.ts";
import { readIndices } from "./numbers.ts";
import type { CheckedTrace } from "./read.ts";
import { rationals } from "./scalars.ts";
import { roundedOperators } from "./translate.ts";

/**
 * Returns the trace of a run that rounds, whose numbers are fractions: the exact run from the same inputs,
 * what the engine is said to have computed, and the bounds that it then must keep. Fails: `lean/float` for
 * what is no number of the format, and for a divisor that may be zero; `trace/shape`, `lean/operator`,
 * `lean/number`.
 */
export function flattenEngine(trace: CheckedTrace, arithmetic: Arithmetic): Result<EngineTrace, Issue[]> {
  const faults = [...shapeIssues(trace), ...scatterIssues(trace)];
  if (faults.length > 0) return fail(faults);
  const numbers = readEngine(trace, arithmetic);
  if (!numbers.ok) return numbers;
  const { literal } = arithmetic;
  const exact = exactTrace(trace, arithmetic);
  const flat = exact.ok
    ? flattenOver(exact.value, { ...rationals, operators: roundedOperators, literal })
    : exact;
  if (!flat.ok) return flat;
  const bounds = boundsOf(trace.graph, arithmetic, numbers.value);
  if (!bounds.ok) return bounds;
  const unbounded = bounds.value.values.findIndex(({ data }) => data.some((x) => x.denominator === 0n));
  if (unbounded >= 0) return fail([mayDivideByZero(unbounded)]);
  const dataOf = ({ data }: Tensor<Rational>): readonly Rational[] => data;
  const engine: EngineRun = {
    arithmetic,
    values: numbers.value.values.map(dataOf),
    cotangents: numbers.value.cotangents.map(dataOf),
    valueBounds: bounds.value.values.map(dataOf),
    cotangentBounds: bounds.value.cotangents.map(dataOf),
  };
  return ok({ ...flat.value, engine });
}

/** Every value has the shape that its operator gives: what an engine's run is about is numbers. */
function shapeIssues({ graph, values }: CheckedTrace): Issue[] {
  return shapesOf(graph).flatMap((shape, id) => {
    const value = values[id];
    const size = shape.reduce((product, extent) => product * extent, 1);
    if (value !== undefined && isSameShape(value.shape, shape) && value.data.length === size) return [];
    return [
      {
        code: "trace/shape",
        pointer: `/values/${id}`,
        message: "the value has not the shape that the graph gives it.",
        hint: "record the trace with adjudge run FILE --trace TRACE",
      },
    ];
  });
}

/** An engine adds updates to an element one after the other, which is no operator of Lean's. */
function scatterIssues({ graph }: CheckedTrace): Issue[] {
  return graph.nodes.flatMap(({ op }, index) =>
    op !== "scatter_add"
      ? []
      : [
          {
            code: "lean/operator",
            pointer: `/graph/nodes/${index}/op`,
            message: "the roundings of scatter_add are not followed.",
            hint: "export a run over the rationals",
          },
        ],
  );
}

function readEngine(trace: CheckedTrace, arithmetic: Arithmetic): Result<EngineNumbers, Issue[]> {
  const indexEntries = readIndices(trace);
  if (!indexEntries.ok) return indexEntries;
  const indices = new Map(
    [...indexEntries.value].map(([name, entry]) => [name, entry.kind === "index" ? entry.indices : []]),
  );
  const issues: Issue[] = [];
  const read = ({ shape, data }: ExactTensorJson, pointer: string): Tensor<Rational> => ({
    shape,
    data: data.map((text, position) => {
      const x = arithmetic.read(text);
      if (x === undefined) issues.push(noNumber(text, arithmetic, `${pointer}/data/${position}`));
      return x ?? rational.additive.zero;
    }),
  });
  const { graph, point, seeds, values, cotangents } = trace;
  const entries = graph.environment.map(({ name, kind }): [string, EnvironmentValue<Rational>] => {
    const tensor = present(point.environment[name], "an entry");
    if (kind === "real") return [name, { kind, tensor: read(tensor, pointerTo("/point/environment", name)) }];
    return [name, { kind, shape: tensor.shape, indices: indices.get(name) ?? [] }];
  });
  for (const [id, input] of point.inputs.entries()) read(input, `/point/inputs/${id}`);
  const environment: Environment<Rational> = new Map(entries);
  const engine = {
    environment,
    seeds: new Map(seeds.map(({ id, cotangent }, i) => [id, read(cotangent, `/seeds/${i}/cotangent`)])),
    values: values.map((tensor, id) => read(tensor, `/values/${id}`)),
    cotangents: cotangents.map((tensor, id) => read(tensor, `/cotangents/${id}`)),
  };
  return issues.length === 0 ? ok(engine) : fail(issues.slice(0, MAXIMUM_SHOWN));
}

/** Enough issues to see what is wrong. */
const MAXIMUM_SHOWN = 20;

function noNumber(text: string, { name }: Arithmetic, pointer: string): Issue {
  return {
    code: "lean/float",
    pointer,
    message: `${JSON.stringify(text.slice(0, 40))} is no finite ${name}.`,
    hint: "where numbers overflow or have no value there is no true gradient to be near to",
  };
}

function mayDivideByZero(id: number): Issue {
  return {
    code: "lean/float",
    pointer: `/values/${id}`,
    message: `${id} divides by a number whose bound reaches zero, so that the quotient has none.`,
    hint: "record the trace in a higher precision",
  };
}

/** Runs the same over the rationals, where an attribute stands for the number that the engine had. */
function exactTrace(trace: CheckedTrace, arithmetic: Arithmetic): Result<CheckedTrace, Issue[]> {
  const { graph, point, seeds, form } = trace;
  const texts = ({ data }: ExactTensorJson): string[] =>
    data.map((text) => rational.format(arithmetic.read(text) ?? rational.additive.zero));
  const isIndex = new Set(graph.environment.flatMap(({ name, kind }) => (kind === "index" ? [name] : [])));
  const exact = traceOf(
    graph,
    withLiterals(arithmetic),
    {
      inputs: point.inputs.map(texts),
      environment: new Map(
        Object.entries(point.environment).map(([name, tensor]) => [
          name,
          isIndex.has(name) ? tensor.data : texts(tensor),
        ]),
      ),
      seeds: new Map(seeds.map(({ id, cotangent }) => [id, texts(cotangent)])),
    },
    form,
  );
  return exact.ok ? ok({ ...exact.value, graph }) : exact;
}

/** The rational numbers, with the literals of a format. */
function withLiterals({ literal }: Arithmetic): typeof rational {
  const { semiring, ring } = rational.levels;
  const levels: Algebra<Rational, boolean | undefined>["levels"] = {
    ...rational.levels,
    semiring: semiring && { ...semiring, literal },
    ring: ring && { ...ring, literal },
  };
  return { ...rational, levels };
}
