import { float64 } from "../../reference/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { type Graph, type Node, nodeAt, type Seed } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { type Case, runReference } from "../case/index.ts";
import type { Blame } from "../hearing/index.ts";
import type { AskedFunction } from "./question.ts";

/** So many edges of the primal are tried at most: those nearest to the outputs. */
const MOST_EDGES = 300;

/** The error of a gradient is that of one edge if it leaves so little of it. */
const LEFT_OVER = 1e-3;

/** An edge is where a node reads an operand: what is handed back through it is a part of the gradient. */
interface Edge {
  readonly node: Node;
  readonly id: NodeId;
  readonly operand: number;
}

/** At a point a gradient has this error, and edges contribute to it. */
interface Observed {
  readonly question: Case;
  readonly right: readonly number[];
  readonly error: readonly number[];
}

/**
 * Names the edge of the primal whose contribution to the gradient is missing or off by a factor: at every one
 * of these points the error is the same multiple of what the edge contributes. Without such an edge the
 * function as a whole is to blame. Cost: a sweep of the reference for each edge and point.
 */
export async function blameFunction(
  question: FunctionQuestion,
  asked: AskedFunction,
  points: readonly Case[],
  wrong: NodeId,
): Promise<Blame> {
  const observed = await errorsAt(question, asked, points);
  const whole: Blame = {
    id: wrong,
    op: undefined,
    part: "cotangent",
    sentence: "The function as a whole: no part of the gradient is missing, or off by a factor, alone.",
  };
  const errors = observed.flatMap(({ error }) => error);
  // One number alone is a multiple of any other.
  if (errors.filter((error) => error !== 0).length < 2) return whole;
  const right = observed.flatMap((point) => point.right);
  const overall = factorOf(errors, right);
  if (overall !== undefined) {
    return { ...whole, sentence: `The whole gradient is ${times(overall)} the true one.` };
  }
  for (const edge of edgesOf(question.graph)) {
    const contributed = observed.flatMap(({ question: point, right }) => {
      const others = gradientOf(question, withoutEdge(point, edge));
      return right.map((x, i) => x - at(others, i));
    });
    const factor = factorOf(errors, contributed);
    if (factor !== undefined) return blameOf(question, edge, factor);
  }
  return whole;
}

async function errorsAt(
  question: FunctionQuestion,
  asked: AskedFunction,
  points: readonly Case[],
): Promise<readonly Observed[]> {
  const observed: Observed[] = [];
  for (const point of points) {
    const reply = await asked.vjp(point.point, point.seeds);
    if (reply.kind !== "result") continue;
    const right = gradientOf(question, point);
    const answer = numbersOf(question, (id) => reply.value[id]);
    if (answer.length !== right.length) continue;
    const error = answer.map((x, i) => x - at(right, i));
    if (error.every(Number.isFinite)) observed.push({ question: point, right, error });
  }
  return observed;
}

/** Returns the numbers of the gradient at a point by the reference, in float64. */
function gradientOf(question: FunctionQuestion, point: Case): readonly number[] {
  const { cotangents } = runReference(point, float64);
  return numbersOf(question, (id) => cotangents.get(id));
}

function numbersOf(
  { graph, wrt }: FunctionQuestion,
  tensorAt: (id: NodeId) => FlatTensor | undefined,
): readonly number[] {
  return wrt.flatMap((id) => {
    const size = sizeOf(at(graph.inputs, id).shape);
    return [...(tensorAt(id)?.data ?? new Float64Array(size))];
  });
}

/** Lists the edges through which a gradient can flow, those nearest to the outputs first. */
function edgesOf({ inputs, nodes }: Graph): readonly Edge[] {
  const edges = nodes.flatMap((node, place) =>
    node.parents.map((_, operand) => ({ node, id: nodeId(inputs.length + place), operand })),
  );
  return edges.reverse().slice(0, MOST_EDGES);
}

/** Returns the case in which nothing is handed back through an edge. */
function withoutEdge({ graph, seeds, ...rest }: Case, { node, id, operand }: Edge): Case {
  const first = graph.inputs.length;
  const moved = (old: NodeId): NodeId => (old >= id ? nodeId(old + 1) : old);
  const stop: Node = { op: "stop_gradient", attributes: {}, parents: [at(node.parents, operand)] };
  const nodes = graph.nodes.map((one, place): Node => {
    const parents = one.parents.map(moved);
    return { ...one, parents: first + place === id ? parents.with(operand, id) : parents };
  });
  const changed = { ...graph, nodes: nodes.toSpliced(id - first, 0, stop) };
  const kept = seeds.map((seed): Seed => ({ ...seed, id: moved(seed.id) }));
  return { ...rest, graph: changed, seeds: kept };
}

/** Returns the factor that makes contributions the errors, up to {@link LEFT_OVER} of them; else nothing. */
function factorOf(errors: readonly number[], contributed: readonly number[]): number | undefined {
  const dot = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, element, i) => sum + element * at(y, i), 0);
  const size = dot(contributed, contributed);
  if (!(size > 0)) return undefined;
  const factor = dot(errors, contributed) / size;
  const left = Math.max(...errors.map((error, i) => Math.abs(error - factor * at(contributed, i))));
  return left <= LEFT_OVER * Math.max(...errors.map(Math.abs)) ? factor : undefined;
}

function blameOf({ graph, sources }: FunctionQuestion, { node, id, operand }: Edge, factor: number): Blame {
  const { op, parents } = node;
  const parent = at(parents, operand);
  const from = graph.inputs[parent]?.name ?? nodeAt(graph, parent)?.op ?? "an operand";
  const part = parents.length === 1 ? from : `operand ${operand + 1} (${from})`;
  const line = sources[id - graph.inputs.length];
  const where = line === undefined ? op : `${op} at ${line}`;
  const isMissing = Math.abs(factor + 1) <= LEFT_OVER;
  const what = isMissing ? "is missing from the gradient" : `is counted ${times(factor)}`;
  const sentence = `What ${where} hands back to ${part} ${what}.`;
  return { id, op, part: "cotangent", sentence };
}

/** Writes how many times something is counted whose error is this part of it. */
function times(factor: number): string {
  if (Math.abs(factor) >= LEFT_OVER) return `${Number((1 + factor).toPrecision(4))} times`;
  return `1 ${factor < 0 ? "−" : "+"} ${Number(Math.abs(factor).toPrecision(2))} times`;
}
