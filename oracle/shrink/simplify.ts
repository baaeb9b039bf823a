import type { FlatTensor } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { idealCotangent, idealElement, plainer } from "./ideal.ts";
import { realTensors } from "./measure.ts";

/** Changes a number, given its plainest form. */
type Change = (x: number, ideal: number) => number;

/** Applies `change` to every element of some tensors, numbering them through from 0. */
function changed(
  tensors: readonly FlatTensor[],
  ideal: (i: number) => number,
  change: Change,
): readonly FlatTensor[] {
  let i = 0;
  return tensors.map(({ shape, data }) => ({ shape, data: data.map((x) => change(x, ideal(i++))) }));
}

/** Applies a change to one part of a case. */
type Part = (question: Case, change: Change) => Case;

/** Three parts of a case hold numbers: the point, the tangents, the cotangents. */
const parts: readonly Part[] = [
  (question, change) => {
    const { graph, point } = question;
    const tensors = changed(realTensors(question), idealElement, change);
    const environment = new Map(point.environment);
    const names = graph.environment.filter(({ kind }) => kind === "real").map(({ name }) => name);
    names.forEach((name, i) => {
      const value = tensors[point.inputs.length + i];
      if (value !== undefined) environment.set(name, value);
    });
    return { ...question, point: { inputs: tensors.slice(0, point.inputs.length), environment } };
  },
  (question, change) => ({ ...question, tangents: changed(question.tangents, idealCotangent, change) }),
  (question, change) => {
    const cotangents = changed(
      question.seeds.map(({ cotangent }) => cotangent),
      idealCotangent,
      change,
    );
    return {
      ...question,
      seeds: question.seeds.map(({ id, cotangent }, i) => ({ id, cotangent: cotangents[i] ?? cotangent })),
    };
  },
];

const toIdeal: Change = (_x, ideal) => ideal;

/** Lists the elements of a part in order, each with its plainest form. */
function elementsOf(question: Case, part: Part): readonly (readonly [number, number])[] {
  const elements: [number, number][] = [];
  part(question, (x, ideal) => {
    elements.push([x, ideal]);
    return x;
  });
  return elements;
}

/** In each part at most this many elements are tried one by one. */
const MAXIMUM_ELEMENTS = 32;

/** Changes one number of a part: wherever it occurs, so that equal ones stay equal, or in one place. */
function* elementwise(question: Case, part: Part): Generator<Case> {
  const elements = elementsOf(question, part).slice(0, MAXIMUM_ELEMENTS);
  for (const [target, [element, ideal]] of elements.entries()) {
    for (const smaller of plainer(element, ideal)) {
      yield part(question, (x) => (Object.is(x, element) ? smaller : x));
      let place = 0;
      yield part(question, (x) => (place++ === target ? smaller : x));
    }
  }
}

/** Lowers indices: all to 0, then each by 1, or by half of it where that would take too long. */
function* simplerIndices(question: Case): Generator<Case> {
  const { graph, point } = question;
  for (const { name, kind } of graph.environment) {
    const value = point.environment.get(name);
    if (kind !== "index" || value === undefined) continue;
    const replaced = (data: Float64Array): Case => ({
      ...question,
      point: { ...point, environment: new Map(point.environment).set(name, { ...value, data }) },
    });
    yield replaced(value.data.map(() => 0));
    for (const [i, index] of value.data.entries()) {
      const smaller = index > 16 ? Math.floor(index / 2) : index - 1;
      if (index > 0) yield replaced(value.data.with(i, smaller));
    }
  }
}

/** Lists cases with plainer numbers: all of them, those of one part, one number. */
export function* simplifications(question: Case): Generator<Case> {
  yield parts.reduce((simpler, part) => part(simpler, toIdeal), question);
  for (const part of parts) yield part(question, toIdeal);
  yield* simplerIndices(question);
  for (const part of parts) yield* elementwise(question, part);
}
