import type { Graph, Point, Seed } from "../graph/index.ts";
import {
  checkAll,
  counted,
  fail,
  formatShape,
  type Issue,
  isSameShape,
  MAXIMUM_ISSUES,
  nodeId,
  ok,
  pointerTo,
  quote,
  type Result,
  type Shape,
} from "../shapes/index.ts";
import {
  decodeTensor,
  encodeTensor,
  type FlatTensor,
  type PointJson,
  type SeedJson,
  type TensorJson,
} from "../wire/index.ts";
import { indexIssues } from "./indices.ts";

/** Returns `point` on the wire. Law: {@link decodePoint} of it, for a graph that it fits, is `point`. */
export function encodePoint(point: Point, form: "text" | "base64" = "text"): PointJson {
  return {
    inputs: point.inputs.map((tensor) => encodeTensor(tensor, form)),
    // Unlike an assignment, fromEntries makes an own property even of the name __proto__.
    environment: Object.fromEntries(
      Array.from(point.environment, ([name, tensor]) => [name, encodeTensor(tensor, form)]),
    ),
  };
}

/** Returns `seeds` on the wire. */
export function encodeSeeds(seeds: readonly Seed[], form: "text" | "base64" = "text"): SeedJson[] {
  return seeds.map(({ id, cotangent }) => ({ id, cotangent: encodeTensor(cotangent, form) }));
}

/**
 * Returns the point that `json` denotes for `graph`: a tensor of the right shape for each input and for each
 * environment entry, and indices that are integers within the axes that `take` applies them to. The
 * environment comes back in the graph's order.
 * Fails: `point/count`, `point/shape`, `point/environment`, `point/index`, and as {@link decodeTensor} does.
 */
export function decodePoint(graph: Graph, json: PointJson, pointer: string): Result<Point, Issue[]> {
  const inputs = decodeTangents(graph, json.inputs, `${pointer}/inputs`);
  const environment = decodeEnvironment(graph, json.environment, `${pointer}/environment`);
  if (inputs.ok && environment.ok) return ok({ inputs: inputs.value, environment: environment.value });
  const issues = [...(inputs.ok ? [] : inputs.error), ...(environment.ok ? [] : environment.error)];
  return fail(issues.slice(0, MAXIMUM_ISSUES));
}

/**
 * Returns one tensor for each input of `graph`, of its shape: the inputs' values, or tangents.
 * Fails: `point/count`, `point/shape`, and as {@link decodeTensor} does.
 */
export function decodeTangents(
  graph: Graph,
  json: readonly TensorJson[],
  pointer: string,
): Result<FlatTensor[], Issue[]> {
  const { inputs } = graph;
  if (json.length !== inputs.length) {
    return fail([
      {
        code: "point/count",
        pointer,
        message: `${counted(json.length, "tensor")} given for ${counted(inputs.length, "input")}.`,
        hint: "give one for each input, in the graph's order",
      },
    ]);
  }
  return checkAll(json, (tensor, i) => decodeShaped(tensor, inputs[i]?.shape ?? [], pointerTo(pointer, i)));
}

/** Seeds are at the ids of a graph, or at the results of a program's entry. */
type Seeded = "ids" | "results";

/**
 * Returns the seeds that `json` denotes for a graph whose ids, or for an entry whose results, have these
 * `shapes`: at most one for each, of its shape. Fails: `seed/id`, `seed/twice`, `point/shape`, and as
 * {@link decodeTensor} does.
 */
export function decodeSeeds(
  shapes: readonly Shape[],
  json: readonly SeedJson[],
  pointer: string,
  seeded: Seeded = "ids",
): Result<Seed[], Issue[]> {
  const seen = new Set<number>();
  return checkAll(json, ({ id, cotangent }, i) => {
    const place = pointerTo(pointer, i);
    const shape = shapes[id];
    if (shape === undefined) return fail([foreignId(shapes.length, seeded, `${place}/id`)]);
    if (seen.has(id)) return fail([secondSeed(id, seeded, `${place}/id`)]);
    seen.add(id);
    const tensor = decodeShaped(cotangent, shape, `${place}/cotangent`);
    // JSON has a −0, which passes for an id; as one it is 0.
    return tensor.ok ? ok({ id: nodeId(id + 0), cotangent: tensor.value }) : tensor;
  });
}

function foreignId(count: number, seeded: Seeded, pointer: string): Issue {
  const issue = { code: "seed/id", pointer };
  if (seeded === "ids") {
    const hint = "ids count the inputs first, then the nodes, from 0";
    return { ...issue, message: `the graph has ${counted(count, "id")}, and this is none of them.`, hint };
  }
  const hint = "the id of a seed is the place of a result, from 0";
  return { ...issue, message: `the entry has ${counted(count, "result")}, and this is none of them.`, hint };
}

function secondSeed(id: number, seeded: Seeded, pointer: string): Issue {
  return {
    code: "seed/twice",
    pointer,
    message: `${seeded === "ids" ? "the id" : "result"} ${id} has a seed already.`,
    hint: "add the two cotangents into one seed",
  };
}

function decodeEnvironment(
  graph: Graph,
  json: PointJson["environment"],
  pointer: string,
): Result<ReadonlyMap<string, FlatTensor>, Issue[]> {
  const given = new Map(Object.entries(json));
  const entries = checkAll(graph.environment, ({ name, shape }) => {
    const tensor = given.get(name);
    given.delete(name);
    if (tensor === undefined) return fail([missingEntry(name, pointer)]);
    const decoded = decodeShaped(tensor, shape, pointerTo(pointer, name));
    return decoded.ok ? ok([name, decoded.value] as const) : decoded;
  });
  if (!entries.ok) return entries;
  const surplus = checkAll([...given.keys()], (name) => fail([surplusEntry(name, pointer)]));
  if (!surplus.ok) return surplus;
  const environment = new Map(entries.value);
  const issues = indexIssues(graph, environment, pointer);
  return issues.length === 0 ? ok(environment) : fail(issues);
}

function missingEntry(name: string, pointer: string): Issue {
  return {
    code: "point/environment",
    pointer,
    message: `the environment entry ${quote(name)} has no tensor.`,
    hint: "give one for each entry that the graph declares",
  };
}

function surplusEntry(name: string, pointer: string): Issue {
  return {
    code: "point/environment",
    pointer: pointerTo(pointer, name),
    message: `the graph declares no environment entry ${quote(name)}.`,
    hint: "remove it, or declare it in the graph",
  };
}

function decodeShaped(json: TensorJson, shape: Shape, pointer: string): Result<FlatTensor, Issue[]> {
  if (isSameShape(json.shape, shape)) return decodeTensor(json, pointer);
  return fail([
    {
      code: "point/shape",
      pointer: `${pointer}/shape`,
      message: `the shape is ${formatShape(json.shape)}, the graph's is ${formatShape(shape)}.`,
      hint: "give a tensor of the graph's shape",
    },
  ]);
}
