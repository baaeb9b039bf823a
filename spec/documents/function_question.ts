import type { Description } from "../contract/index.ts";
import { referenceConventions } from "../contract/index.ts";
import { derive, expandedIndexLimitsOf, shapesOf } from "../expansion/index.ts";
import { type Graph, idCount, type Node, type Point } from "../graph/index.ts";
import { validatorOf } from "../schema/registry.ts";
import {
  at,
  checkAll,
  counted,
  fail,
  type Issue,
  type NodeId,
  nodeId,
  ok,
  pointerTo,
  quote,
  type Result,
  type Shape,
  sizeOf,
} from "../shapes/index.ts";
import {
  type Conventions,
  type DataType,
  type DomainPartJson,
  decodeTensor,
  encodeTensor,
  type FlatTensor,
  type FunctionMode,
  type QuestionJson,
} from "../wire/index.ts";
import { embeddedGraph, validateEmbedding } from "./embedded.ts";
import { decodePoint, encodePoint } from "./point.ts";

/** A range says which tensors a function can be asked at; one without members is all. */
export type Range = DomainPartJson<FlatTensor>;

/**
 * A function with derivatives of its own is asked whether they are right. The graph says what the function
 * means, its primal; how the function computes is its own affair, and only its outputs are seen.
 */
export interface FunctionQuestion {
  /** What the function is called in what is told of it. */
  readonly name: string;
  readonly graph: Graph;
  /** The ids whose values the function returns, in order. */
  readonly outputs: readonly NodeId[];
  /** The inputs whose derivatives are asked. */
  readonly wrt: readonly NodeId[];
  readonly modes: readonly FunctionMode[];
  readonly dtype: DataType;
  /** A value for each entry of Δ; one that has a range is drawn in its place. */
  readonly environment: ReadonlyMap<string, FlatTensor>;
  /** Where points are drawn from: a range for each input, and for some entries of Δ by name. */
  readonly domain: {
    readonly inputs: readonly Range[];
    readonly environment: ReadonlyMap<string, Range>;
  };
  /** These points are asked before those that are drawn. */
  readonly at: readonly Point[];
  /** So many points are drawn, from this seed. */
  readonly points: number;
  readonly seed: number;
  /** The user demands so many right decimal digits of each number. */
  readonly digits?: number;
  /** The line of the user's code that each node comes from, where it is known. */
  readonly sources: readonly (string | undefined)[];
  /** What the function declares of how it computes. */
  readonly declared: Pick<Description, "accuracy" | "accumulation" | "conventions">;
  /** A function that is the derivative of another one has that one's graph and outputs here. */
  readonly primal?: { readonly graph: Graph; readonly outputs: readonly NodeId[] };
  /** It can be brought again for smaller extents of its inputs. */
  readonly resizes: boolean;
  /** The graph holds at one point alone. */
  readonly isPointwise: boolean;
}

/** A derived graph with more nodes is refused. */
const MAXIMUM_NODES = 2 ** 17;

/**
 * Returns the question that `json` is, `adjudge.question.v1`, derived as it says. Fails: `schema/…`, as
 * `checkGraph` and `decodePoint` do; `question/outputs`, `question/wrt`, `question/domain`, `question/range`.
 */
export function checkFunctionQuestion(json: unknown): Result<FunctionQuestion, Issue[]> {
  const valid = validateEmbedding(json, validatorOf<QuestionJson>("question.schema.json"), embeddedGraph);
  if (!valid.ok) return valid;
  const { value: given } = valid;
  const environment = environmentOf(given);
  const ids = idsOf(given);
  if (!environment.ok) return environment;
  if (!ids.ok) return ids;
  const derived = derivedAs(given, ids.value);
  if (!derived.ok) return derived;
  const { graph, outputs, wrt } = derived.value;
  const inputs = rangesOf(given.domain?.inputs, graph);
  const drawn = drawnEntries(given, graph);
  const points = checkAll(given.at ?? [], (point, i) => decodePoint(graph, point, pointerTo("/at", i)));
  if (!inputs.ok) return inputs;
  if (!drawn.ok) return drawn;
  if (!points.ok) return points;
  const { name, modes, dtype, points: count, seed, digits, sources = [] } = given;
  const { accuracy = {}, accumulation = {}, resizes = false, pointwise = false } = given;
  return ok({
    name,
    graph,
    outputs,
    wrt,
    modes,
    dtype,
    environment: environment.value,
    domain: { inputs: inputs.value, environment: drawn.value },
    at: points.value,
    points: count,
    seed,
    ...(digits === undefined ? {} : { digits }),
    // The lines are of the nodes that were given, and a derived graph has others.
    sources: given.derive === undefined ? sources.map((line) => line ?? undefined) : [],
    declared: { accuracy, accumulation, conventions: conventionsOf(dtype) },
    resizes,
    isPointwise: pointwise,
    ...(given.derive === undefined ? {} : { primal: { graph: given.graph, outputs: ids.value.outputs } }),
  });
}

/** Libraries that users have may replace subnormal numbers by zero, in the precisions where few see that. */
function conventionsOf(dtype: DataType): Conventions {
  const isWide = dtype === "float64" || dtype === "float32";
  return isWide ? { ...referenceConventions, subnormals: "flushed" } : referenceConventions;
}

function environmentOf({ graph, environment }: QuestionJson): Result<Map<string, FlatTensor>, Issue[]> {
  const zeros = graph.inputs.map(({ shape }) =>
    encodeTensor({ shape, data: new Float64Array(sizeOf(shape)) }, "base64"),
  );
  const point = decodePoint(graph, { inputs: zeros, environment }, "");
  return point.ok ? ok(new Map(point.value.environment)) : point;
}

/** A function is known by these ids of a graph. */
interface Derivable {
  readonly graph: Graph;
  readonly outputs: readonly NodeId[];
  readonly wrt: readonly NodeId[];
}

function idsOf({ graph, outputs, wrt }: QuestionJson): Result<Omit<Derivable, "graph">, Issue[]> {
  const within = (list: readonly number[], pointer: string, most: number, what: string) =>
    checkAll(
      list,
      (id, i): Result<NodeId, Issue[]> =>
        id < most ? ok(nodeId(id + 0)) : fail([foreign(id, most, what, `${pointer}/${i}`)]),
    );
  const returned = within(outputs, "/outputs", idCount(graph), "id");
  const inputs = wrt ?? graph.inputs.map((_, place) => place);
  const asked = within([...new Set(inputs)], "/wrt", graph.inputs.length, "input");
  if (!returned.ok) return returned;
  return asked.ok ? ok({ outputs: returned.value, wrt: asked.value }) : asked;
}

function foreign(id: number, most: number, what: string, pointer: string): Issue {
  return {
    code: `question/${pointer.split("/")[1] ?? ""}`,
    pointer,
    message: `the graph has ${counted(most, what)}, and ${id} is none of them.`,
    hint: "ids count the inputs first, then the nodes, from 0",
  };
}

/** Replaces a function by its derivative, as often as a question says. */
function derivedAs(
  { graph, derive: modes = [] }: QuestionJson,
  { outputs, wrt }: Omit<Derivable, "graph">,
): Result<Derivable, Issue[]> {
  let latest: Derivable = { graph, outputs, wrt };
  for (const mode of modes) {
    const derived = derive(latest.graph, { mode, of: latest.outputs, wrt: latest.wrt }, MAXIMUM_NODES);
    if (!derived.ok) return derived;
    const { graph: next, seeds, results } = derived.value;
    latest = { ...withDistinct(next, results), wrt: [...latest.wrt, ...seeds] };
  }
  return ok(latest);
}

/** Gives each result an id of its own, so that each has its own cotangent. */
function withDistinct(graph: Graph, results: readonly NodeId[]): Omit<Derivable, "wrt"> {
  const shapes = shapesOf(graph);
  const nodes: Node[] = [...graph.nodes];
  const outputs = results.map((id, place) => {
    if (results.indexOf(id) === place) return id;
    nodes.push({ op: "reshape", attributes: { shape: at(shapes, id) }, parents: [id] });
    return nodeId(graph.inputs.length + nodes.length - 1);
  });
  return { graph: { ...graph, nodes }, outputs };
}

function rangesOf(
  ranges: readonly DomainPartJson[] | undefined,
  { inputs }: Graph,
): Result<Range[], Issue[]> {
  if (ranges !== undefined && ranges.length > inputs.length) {
    const message = `${counted(ranges.length, "range")} given for ${counted(inputs.length, "input")}.`;
    const hint = "give one for each input, in the graph's order";
    return fail([{ code: "question/domain", pointer: "/domain/inputs", message, hint }]);
  }
  return checkAll(inputs, ({ shape }, i) =>
    rangeOf(ranges?.[i] ?? {}, shape, pointerTo("/domain/inputs", i)),
  );
}

function drawnEntries({ domain }: QuestionJson, graph: Graph): Result<Map<string, Range>, Issue[]> {
  const ranges = Object.entries(domain?.environment ?? {});
  const limits = ranges.length === 0 ? new Map<string, readonly number[]>() : expandedIndexLimitsOf(graph);
  const checked = checkAll(ranges, ([name, range]) => {
    const pointer = pointerTo("/domain/environment", name);
    const entry = graph.environment.find((one) => one.name === name);
    if (entry === undefined) {
      const message = `the graph declares no environment entry ${quote(name)}.`;
      return fail([{ code: "question/domain", pointer, message, hint: "leave it out, or declare it" }]);
    }
    const most = Math.min(...(limits.get(name) ?? []));
    if (entry.kind === "index" && !((range.integers ?? Number.POSITIVE_INFINITY) <= most)) {
      const message = `${quote(name)} has indices, and a range of other numbers.`;
      const hint = `give it integers, ${Number.isFinite(most) ? most : "say 1"} at most`;
      return fail([badRange(pointer, message, hint)]);
    }
    const read = rangeOf(range, entry.shape, pointer);
    return read.ok ? ok([name, read.value] as const) : read;
  });
  return checked.ok ? ok(new Map(checked.value)) : checked;
}

function rangeOf(range: DomainPartJson, shape: Shape, pointer: string): Result<Range, Issue[]> {
  const { like, ...rest } = range;
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY, values } = range;
  if (low > high) return fail([badRange(pointer, "the least number is above the greatest.", "swap them")]);
  const [rows, columns] = [shape.at(-2), shape.at(-1)];
  if (values === "spd" && (rows === undefined || rows !== columns)) {
    return fail([badRange(pointer, "a positive definite matrix is square.", "give another shape or range")]);
  }
  if (like === undefined) return ok(rest);
  const tensor = decodeTensor(like, `${pointer}/like`);
  if (!tensor.ok) return tensor;
  if (sizeOf(tensor.value.shape) !== sizeOf(shape))
    return fail([badRange(`${pointer}/like`, "it has another shape.", "give numbers of the input's shape")]);
  return ok({ ...rest, like: tensor.value });
}

function badRange(pointer: string, message: string, hint: string): Issue {
  return { code: "question/range", pointer, message, hint };
}

/** Returns a question on the wire. Law: {@link checkFunctionQuestion} of it is the question. */
export function encodeFunctionQuestion(question: FunctionQuestion): QuestionJson {
  const { name, graph, outputs, wrt, modes, dtype, points, seed, digits, sources } = question;
  const { domain, environment, at, declared, resizes, isPointwise } = question;
  const part = ({ like, ...rest }: Range): DomainPartJson =>
    like === undefined ? rest : { ...rest, like: encodeTensor(like, "base64") };
  const { accuracy, accumulation } = declared;
  return {
    format: "adjudge.question.v1",
    name,
    graph,
    outputs,
    environment: encodePoint({ inputs: [], environment }, "base64").environment,
    wrt,
    modes,
    dtype,
    points,
    seed,
    at: at.map((point) => encodePoint(point, "base64")),
    domain: {
      inputs: domain.inputs.map(part),
      environment: Object.fromEntries([...domain.environment].map(([entry, range]) => [entry, part(range)])),
    },
    ...(digits === undefined ? {} : { digits }),
    sources: sources.map((line) => line ?? null),
    accuracy,
    ...(accumulation === undefined ? {} : { accumulation }),
    resizes,
    pointwise: isPointwise,
  };
}
