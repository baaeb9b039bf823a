import { validateTrace } from "../../spec/documents/index.ts";
import { expand, shapesOf } from "../../spec/expansion/index.ts";
import type { PrimitiveGraph } from "../../spec/graph/index.ts";
import {
  fail,
  formatShape,
  type Issue,
  isSameShape,
  ok,
  pointerTo,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import { type ExactTensorJson, parseJson, type TraceJson } from "../../spec/wire/index.ts";
import { hashIssues } from "./question.ts";

/** A trace whose parts are all there: of primitives, with a tensor for each input, entry of Δ and id. */
export interface CheckedTrace extends TraceJson {
  readonly graph: PrimitiveGraph;
}

/** Returns the trace that a JSON text denotes; see {@link checkTrace}. Fails: `json/…` too. */
export function checkTraceText(text: string): Result<CheckedTrace, Issue[]> {
  const json = parseJson(text);
  return json.ok ? checkTrace(json.value) : json;
}

/**
 * Returns the trace that `json` denotes, complete and of primitives alone; whether what it claims of values
 * and cotangents is right, and of what shape they are, is for Lean to say. Fails: as `validateTrace` does;
 * `trace/composite`, `trace/count`, `trace/entry`, `trace/shape`, `trace/seed`, `trace/hash`.
 */
export function checkTrace(json: unknown): Result<CheckedTrace, Issue[]> {
  const valid = validateTrace(json);
  if (!valid.ok) return valid;
  const trace = valid.value;
  const { graph } = expand(trace.graph);
  const issues = [
    ...(graph.nodes.length === trace.graph.nodes.length ? [] : [composite()]),
    ...countIssues(trace),
    ...inputIssues(trace),
    ...environmentIssues(trace),
    ...seedIssues(trace),
    ...claimedShapeIssues(trace),
    ...hashIssues(trace),
  ];
  return issues.length === 0 ? ok({ ...trace, graph }) : fail(issues);
}

function composite(): Issue {
  return {
    code: "trace/composite",
    pointer: "/graph/nodes",
    message: "the graph has operators that are written out as others.",
    hint: "a trace lists every value: record one with adjudge run FILE --trace TRACE",
  };
}

function countIssues({ graph, values, cotangents }: TraceJson): Issue[] {
  const ids = graph.inputs.length + graph.nodes.length;
  return Object.entries({ values, cotangents })
    .filter(([, tensors]) => tensors.length !== ids)
    .map(([part, tensors]) => countIssue(`/${part}`, tensors.length, ids));
}

function countIssue(pointer: string, found: number, wanted: number): Issue {
  return {
    code: "trace/count",
    pointer,
    message: `there are ${found} entries, not ${wanted}.`,
    hint: "give one for each id, or each input, in order",
  };
}

function inputIssues({ graph, point: { inputs } }: TraceJson): Issue[] {
  if (inputs.length !== graph.inputs.length)
    return [countIssue("/point/inputs", inputs.length, graph.inputs.length)];
  return graph.inputs.flatMap(({ shape }, id) => tensorIssues(inputs[id], shape, `/point/inputs/${id}`));
}

function environmentIssues({ graph, point: { environment } }: TraceJson): Issue[] {
  const declared = new Set(graph.environment.map(({ name }) => name));
  const unknown = Object.keys(environment)
    .filter((name) => !declared.has(name))
    .map((name) =>
      entryIssue(pointerTo("/point/environment", name), "the graph has no such entry.", "remove it"),
    );
  const entries = graph.environment.flatMap(({ name, shape }) => {
    const pointer = pointerTo("/point/environment", name);
    if (!Object.hasOwn(environment, name))
      return [entryIssue(pointer, "the entry has no numbers.", "give them")];
    return tensorIssues(environment[name], shape, pointer);
  });
  return [...unknown, ...entries];
}

function entryIssue(pointer: string, message: string, hint: string): Issue {
  return { code: "trace/entry", pointer, message, hint };
}

function seedIssues({ graph, seeds }: TraceJson): Issue[] {
  const shapes = shapesOf(graph);
  const seen = new Set<number>();
  return seeds.flatMap(({ id, cotangent }, index) => {
    const pointer = `/seeds/${index}`;
    const shape = shapes[id];
    if (shape === undefined) return [seedIssue(pointer, `there is no id ${id}.`)];
    if (seen.has(id)) return [seedIssue(pointer, `the id ${id} has a seed already.`)];
    seen.add(id);
    return tensorIssues(cotangent, shape, `${pointer}/cotangent`);
  });
}

function seedIssue(pointer: string, message: string): Issue {
  return { code: "trace/seed", pointer: `${pointer}/id`, message, hint: "give one seed at most to each id" };
}

/** A claim has one shape, which is told twice: an input's by the graph, any other by value and cotangent. */
function claimedShapeIssues({ graph, values, cotangents }: TraceJson): Issue[] {
  return values.flatMap(({ shape }, id) => {
    const input = graph.inputs[id];
    const cotangent = cotangents[id] ?? { shape };
    return [
      ...(input === undefined || isSameShape(shape, input.shape)
        ? []
        : [shapeIssue(`/values/${id}/shape`, formatShape(shape), input.shape)]),
      ...(isSameShape(cotangent.shape, shape)
        ? []
        : [shapeIssue(`/cotangents/${id}/shape`, formatShape(cotangent.shape), shape)]),
    ];
  });
}

/** Finds faults of a tensor that is given, not claimed. */
function tensorIssues(tensor: ExactTensorJson | undefined, shape: Shape, pointer: string): Issue[] {
  if (tensor === undefined || isSameShape(tensor.shape, shape)) {
    const size = shape.reduce((product, extent) => product * extent, 1);
    return tensor?.data.length === size
      ? []
      : [shapeIssue(`${pointer}/data`, `${tensor?.data.length} elements`, shape)];
  }
  return [shapeIssue(`${pointer}/shape`, formatShape(tensor.shape), shape)];
}

function shapeIssue(pointer: string, found: string, wanted: Shape): Issue {
  return {
    code: "trace/shape",
    pointer,
    message: `there is ${found} where ${formatShape(wanted)} belongs.`,
    hint: "give every element of the shape declared",
  };
}
