import type { Random } from "fast-check";
import type { Reply } from "../../spec/contract/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type FlatTensor, formats } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { drawFrom, genericSource, happens, randomAt } from "../random/index.ts";
import { drawIn, drawPointTemper, isIn } from "./range.ts";
import { symmetricPart } from "./symmetric.ts";

/** A function answers with a tensor for each output, or input (`vjp`), or an error; it never rejects. */
export interface AskedFunction {
  evaluate(point: Point): Promise<Reply<readonly FlatTensor[]>>;
  vjp(point: Point, seeds: readonly Seed[]): Promise<Reply<readonly FlatTensor[]>>;
  jvp(point: Point, tangents: readonly FlatTensor[]): Promise<Reply<readonly FlatTensor[]>>;
}

/** Draws point number `index` of a question with cotangents and tangents: a function of both alone. */
export function drawnPoint(question: FunctionQuestion, index: number): Case {
  const { graph, domain, environment: given } = question;
  const random = randomAt(question.seed, index);
  const temper = drawPointTemper(random, [...domain.inputs, ...domain.environment.values()]);
  const drawing = { random, dtype: question.dtype, temper, kinks: kinksOf(question) };
  const inputs = graph.inputs.map(({ shape }, place) => drawIn(at(domain.inputs, place), shape, drawing));
  const environment = new Map(given);
  for (const [name, range] of domain.environment) {
    const shape = graph.environment.find((entry) => entry.name === name)?.shape;
    if (shape !== undefined) environment.set(name, drawIn(range, shape, drawing));
  }
  return askedAt(question, { inputs, environment }, random);
}

/** Asks a question at a given point, with cotangents and tangents that are drawn. */
export function givenPoint(question: FunctionQuestion, index: number): Case {
  return askedAt(question, at(question.at, index), randomAt(question.seed, 2 ** 32 + index));
}

function askedAt(
  { graph, outputs, wrt, dtype, domain }: FunctionQuestion,
  point: Point,
  random: Random,
): Case {
  const shapes = shapesOf(graph);
  const { round } = formats[dtype];
  const source = genericSource(random);
  const drawn = (shape: Shape): FlatTensor => ({ shape, data: drawFrom(source, sizeOf(shape)).map(round) });
  // One cotangent alone shows which output is wrong, and its element.
  const isSingle = happens(random, 1, 4);
  const seeds = [...new Set(outputs)].map((id) => ({ id, cotangent: drawn(at(shapes, id)) }));
  const tangents = graph.inputs.map(({ shape }, place) => {
    const isAsked = wrt.some((id) => id === place);
    if (!isAsked) return { shape, data: new Float64Array(sizeOf(shape)) };
    return domain.inputs[place]?.values === "spd" ? symmetricPart(drawn(shape)) : drawn(shape);
  });
  return { graph, point, tangents, seeds: isSingle ? oneHot(seeds, random) : seeds };
}

/** Leaves one number of the cotangents. */
function oneHot(seeds: readonly Seed[], random: Random): readonly Seed[] {
  const sizes = seeds.map(({ cotangent: { data } }) => data.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return seeds;
  let place = random.nextInt(0, total - 1);
  return seeds.map(({ id, cotangent: { shape, data } }) => {
    const kept = data.map((x, i) => (i === place ? x : 0));
    place -= data.length;
    return { id, cotangent: { shape, data: kept } };
  });
}

/** Kinks of a function lie where its own constants do, more often than elsewhere. */
function kinksOf({ graph, environment }: FunctionQuestion): readonly number[] {
  const constants = graph.nodes.flatMap((node) => (node.op === "full" ? [node.attributes.value] : []));
  const entries = [...environment.values()].flatMap(({ data }) => [...data.subarray(0, 16)]);
  const found = new Set([0, ...constants, ...entries].flatMap((x) => [x, -x]));
  return [...found].filter((x) => Number.isFinite(x)).slice(0, 64);
}

/** Tells whether another point may be asked in place of one: it lies in the domain as well. */
export function isInDomain({ graph, domain }: FunctionQuestion, drawn: Case, other: Case): boolean {
  if (other.graph !== graph) return false;
  const areInputs = other.point.inputs.every((tensor, place) =>
    isIn(at(domain.inputs, place), at(drawn.point.inputs, place), tensor),
  );
  if (!areInputs) return false;
  // Data that is not drawn is part of the function.
  return [...other.point.environment].every(([name, tensor]) => {
    const before = drawn.point.environment.get(name);
    const range = domain.environment.get(name);
    if (before === undefined) return false;
    return range === undefined
      ? before.data.every((x, i) => Object.is(x, tensor.data[i]))
      : isIn(range, before, tensor);
  });
}
