import type { Reply } from "../../spec/contract/index.ts";
import type { Point, Seed } from "../../spec/graph/index.ts";
import { at, floatAt, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64 } from "../../spec/wire/index.ts";
import type { Case } from "../case/index.ts";
import { type Finding, fromReply, type Outcome } from "../hearing/index.ts";
import type { Part, Truth } from "../truth/index.ts";

/** Collects the tensors of several answers, or returns the first outcome that is no answer. */
export function allAnswered(
  replies: readonly Reply<readonly FlatTensor[]>[],
): { readonly answers: readonly (readonly FlatTensor[])[] } | { readonly outcome: Outcome } {
  const answers: (readonly FlatTensor[])[] = [];
  for (const reply of replies) {
    if (reply.kind !== "result") return { outcome: fromReply(reply) };
    answers.push(reply.value);
  }
  return { answers };
}

/** Two answers differ at this place, where they have the values `x` and `y`. */
export interface Difference {
  readonly id: NodeId;
  readonly element: number;
  readonly x: number;
  readonly y: number;
}

/** Finds the first position where two lists of tensors are not `isSame`. */
export function firstDifference(
  a: readonly FlatTensor[],
  b: readonly FlatTensor[],
  isSame: (x: number, y: number, id: NodeId, element: number) => boolean,
): Difference | undefined {
  for (let position = 0; position < a.length; position++) {
    const { data } = at(a, position);
    const other = b[position]?.data;
    const id = nodeId(position);
    for (let element = 0; element < data.length; element++) {
      const x = floatAt(data, element);
      const y = other?.[element] ?? Number.NaN;
      if (!isSame(x, y, id, element)) return { id, element, x, y };
    }
  }
  return undefined;
}

/**
 * Tells whether NaN may stand at an element of one answer and not of another, because the dense form of
 * backpropagation multiplies a stored zero there and the sparse form leaves it out.
 */
export function isStoredZero(truth: Truth, part: Part, { id, element, x, y }: Difference): boolean {
  return Number.isNaN(x - y) && truth.storedZeros[part](id)[element] === true;
}

/** Reports a broken law: the engine said `answer`, its other answers imply `expected`. */
export function broken(
  question: Finding["question"],
  place: { readonly id: NodeId; readonly element: number },
  answer: number,
  expected: number,
  bound: number,
): Outcome {
  const texts = {
    answer: formatFloat64(answer),
    expected: formatFloat64(expected),
    bound: formatFloat64(bound),
  };
  return { kind: "differs", finding: { question, id: place.id, element: place.element, ...texts } };
}

/** Multiplies every seed by `factor`. */
export function scaledSeeds(seeds: readonly Seed[], factor: number): Seed[] {
  return seeds.map(({ id, cotangent }) => ({
    id,
    cotangent: { shape: cotangent.shape, data: cotangent.data.map((c) => c * factor) },
  }));
}

/** Moves the point by adding 1 to every real number; indices stay. */
export function moved({ graph, point }: Case): Point {
  const up = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map((x) => x + 1) });
  const real = new Set(graph.environment.filter(({ kind }) => kind === "real").map(({ name }) => name));
  const entries = [...point.environment].map(([name, tensor]): [string, FlatTensor] => [
    name,
    real.has(name) ? up(tensor) : tensor,
  ]);
  return { inputs: point.inputs.map(up), environment: new Map(entries) };
}
