import { shapesOf } from "../expansion/index.ts";
import { type Graph, idCount, type Seed } from "../graph/index.ts";
import {
  counted,
  fail,
  type Issue,
  MAXIMUM_ISSUES,
  nearestName,
  nodeId,
  ok,
  pointerTo,
  quote,
  type Result,
  type Shape,
  sizeOf,
  wellFormedShape,
} from "../shapes/index.ts";
import { encodeTensor, type FlatTensor } from "../wire/index.ts";
import type { CaseData } from "./case.ts";
import { checkGraph } from "./check.ts";
import { decodePoint, decodeSeeds, decodeTangents, encodePoint, encodeSeeds } from "./point.ts";

/** Numbers for a tensor whose shape is known: its elements, row-major, or one number for all of them. */
export type Numbers = number | readonly number[];

/** The numbers of a case; what is left out is 1 everywhere. */
export interface CaseNumbers {
  /** The point gives numbers for each input and each entry of Δ, by name. */
  readonly point: Readonly<Record<string, Numbers>>;
  /** The tangents are given for each input, by name. */
  readonly tangents?: Readonly<Record<string, Numbers>>;
  /** Cotangents by id: inputs count first, then the nodes, from 0. Unless given, the last id has one. */
  readonly seeds?: Readonly<Record<number, Numbers>>;
}

/**
 * Returns the tensor of a shape with these elements, row-major; one number is for all of them.
 * Fails: `shape/…`, `tensor/length`.
 */
export function tensorOf(shape: Shape, numbers: Numbers): Result<FlatTensor, Issue[]> {
  return tensorAt(shape, numbers, "");
}

/**
 * Returns a case of `graph`, which {@link checkGraph} or the builder has made, from numbers by name. Law: the
 * result passes {@link checkGivenCase}. Fails: `case/name` for a name that is missing or unknown, `seed/id`,
 * `tensor/length`, `point/index`.
 */
export function caseOf(graph: Graph, numbers: CaseNumbers): Result<CaseData, Issue[]> {
  const { point, tangents = {}, seeds = { [idCount(graph) - 1]: 1 } } = numbers;
  const shapes = shapesOf(graph);
  const inputNames = graph.inputs.map(({ name }) => name);
  const entryNames = graph.environment.map(({ name }) => name);
  const issues = [
    ...foreignNames(point, [...inputNames, ...entryNames], "/point"),
    ...foreignNames(tangents, inputNames, "/tangents"),
    ...foreignIds(seeds, shapes.length),
  ];
  const read =
    (from: Readonly<Record<string, Numbers>>, pointer: string, otherwise?: Numbers) =>
    ({ name, shape }: { readonly name: string; readonly shape: Shape }): FlatTensor => {
      const given = Object.hasOwn(from, name) ? from[name] : otherwise;
      const tensor =
        given === undefined
          ? fail([missing(name, pointer)])
          : tensorAt(shape, given, pointerTo(pointer, name));
      if (!tensor.ok) issues.push(...tensor.error);
      return tensor.ok ? tensor.value : { shape, data: new Float64Array(sizeOf(shape)) };
    };
  const inputs = graph.inputs.map(read(point, "/point"));
  const environment = new Map(graph.environment.map((entry) => [entry.name, read(point, "/point")(entry)]));
  const along = graph.inputs.map(read(tangents, "/tangents", 1));
  const seeded = Object.keys(seeds).flatMap((key): Seed[] => {
    const [id, shape] = [nodeId(Number(key)), shapes[Number(key)]];
    return shape === undefined ? [] : [{ id, cotangent: read(seeds, "/seeds")({ name: key, shape }) }];
  });
  if (issues.length > 0) return fail(issues.slice(0, MAXIMUM_ISSUES));
  return checkGivenCase({ graph, point: { inputs, environment }, tangents: along, seeds: seeded });
}

function foreignNames(given: object, names: readonly string[], pointer: string): Issue[] {
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = nearestName(name, names);
      return {
        code: "case/name",
        pointer: pointerTo(pointer, name),
        message: `the graph has no ${quote(name)} there.`,
        hint: near === undefined ? `it has ${names.map(quote).join(", ")}` : `did you mean ${quote(near)}?`,
      };
    });
}

function foreignIds(seeds: object, count: number): Issue[] {
  const ids = Array.from({ length: count }, (_, id) => String(id));
  return Object.keys(seeds)
    .filter((key) => !ids.includes(key))
    .map((key) => ({
      code: "seed/id",
      pointer: pointerTo("/seeds", key),
      message: `the graph has ${counted(count, "id")}, and this is none of them.`,
      hint: "ids count the inputs first, then the nodes, from 0",
    }));
}

function missing(name: string, pointer: string): Issue {
  return {
    code: "case/name",
    pointer,
    message: `there are no numbers for ${quote(name)}.`,
    hint: "give its elements, row-major, or one number for all of them",
  };
}

function tensorAt(shape: Shape, numbers: Numbers, pointer: string): Result<FlatTensor, Issue[]> {
  const wellFormed = wellFormedShape(shape);
  if (!wellFormed.ok) return fail([{ ...wellFormed.error, pointer: `${pointer}/shape` }]);
  const size = sizeOf(shape);
  if (typeof numbers === "number") return ok({ shape, data: new Float64Array(size).fill(numbers) });
  if (numbers.length !== size) return fail([wrongLength(numbers.length, size, pointer)]);
  return ok({ shape, data: Float64Array.from(numbers) });
}

/**
 * Checks a case that code put together: its graph is well-formed, and its tensors fit. Gives a copy. Fails:
 * as {@link checkGraph}, {@link decodePoint} and {@link decodeSeeds} do; `tensor/length`.
 */
export function checkGivenCase(data: CaseData): Result<CaseData, Issue[]> {
  const graph = checkGraph(data.graph);
  return graph.ok ? fitted({ ...data, graph: graph.value }) : graph;
}

/**
 * Checks a case whose graph is known to be well-formed: finds what is wrong with its numbers, if anything is.
 * Cost: linear in the graph and the elements.
 */
export function fitted(data: CaseData): Result<CaseData, Issue[]> {
  const { graph } = data;
  const lengths = tensorsOf(data).flatMap(([tensor, pointer]) => lengthIssues(tensor, pointer));
  if (lengths.length > 0) return fail(lengths.slice(0, MAXIMUM_ISSUES));
  const point = decodePoint(graph, encodePoint(data.point, "base64"), "/point");
  const along = data.tangents.map((tensor) => encodeTensor(tensor, "base64"));
  const tangents = decodeTangents(graph, along, "/tangents");
  const seeds = decodeSeeds(shapesOf(graph), encodeSeeds(data.seeds, "base64"), "/seeds");
  if (point.ok && tangents.ok && seeds.ok)
    return ok({ ...data, point: point.value, tangents: tangents.value, seeds: seeds.value });
  const issues = [point, tangents, seeds].flatMap((part) => (part.ok ? [] : part.error));
  return fail(issues.slice(0, MAXIMUM_ISSUES));
}

function tensorsOf({ point, tangents, seeds }: CaseData): (readonly [FlatTensor, string])[] {
  return [
    ...point.inputs.map((tensor, i) => [tensor, pointerTo("/point/inputs", i)] as const),
    ...Array.from(
      point.environment,
      ([name, tensor]) => [tensor, pointerTo("/point/environment", name)] as const,
    ),
    ...tangents.map((tensor, i) => [tensor, pointerTo("/tangents", i)] as const),
    ...seeds.map(({ cotangent }, i) => [cotangent, `${pointerTo("/seeds", i)}/cotangent`] as const),
  ];
}

function lengthIssues({ shape, data }: FlatTensor, pointer: string): Issue[] {
  const wellFormed = wellFormedShape(shape);
  if (!wellFormed.ok) return [{ ...wellFormed.error, pointer: `${pointer}/shape` }];
  const size = sizeOf(shape);
  return data.length === size ? [] : [wrongLength(data.length, size, pointer)];
}

function wrongLength(length: number, size: number, pointer: string): Issue {
  return {
    code: "tensor/length",
    pointer: `${pointer}/data`,
    message: `${counted(length, "element")} given, the shape has ${size}.`,
    hint: "give every element, row-major",
  };
}
