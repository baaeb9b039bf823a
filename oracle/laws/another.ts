import { type Asked, answerIn, type LoadedGraph, type Reply } from "../../spec/contract/index.ts";
import { shapesOf, withShapes } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { at, type NodeId, nodeId, present } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import type { Hearing } from "../hearing/index.ts";
import { type Difference, firstDifference, isStoredZero, moved, scaledSeeds } from "./answers.ts";
import { loadBeside } from "./beside.ts";
import { inTurn } from "./in_turn.ts";

/** This is what a second program of a case answered in {@link mainMode}. */
export interface Another {
  /** Tells whether its nodes stand in another order than those of the case. */
  readonly isReordered: boolean;
  /** It gave this answer to the case after it had answered another question. */
  readonly after: Reply<readonly FlatTensor[]>;
  /** Loads one more such program, asks it the case alone, and returns its answer. */
  afresh(): Promise<Reply<readonly FlatTensor[]>>;
}

/** Chooses the mode a second program is asked in: gradients, where an engine has them. */
export function mainMode({ modes }: Pick<Hearing, "modes">): Mode | undefined {
  return modes.includes("vjp") ? "vjp" : modes[0];
}

/** Chooses one more mode to ask, by the case's count of nodes, since calls cost much through a pipe. */
export function sometimesMode({ modes, question }: Pick<Hearing, "modes" | "question">): Mode | undefined {
  return modes[question.graph.nodes.length % modes.length];
}

const known = new WeakMap<Hearing, Promise<Another | undefined>>();

/**
 * Loads the case again, its nodes in another order if there is one, and a small program beside it. Asks the
 * second program another question and the case, asks the small one, unloads both. Done once for a hearing, as
 * two laws read it; undefined where the engine refuses. Cost: two waits ({@link inTurn}).
 */
export function anotherOf(hearing: Hearing): Promise<Another | undefined> {
  const another = known.get(hearing) ?? askedOnce(hearing);
  known.set(hearing, another);
  return another;
}

async function askedOnce(hearing: Hearing): Promise<Another | undefined> {
  const { engine, standard, question, handed } = hearing;
  const [mode, sometimes] = [mainMode(hearing), sometimesMode(hearing)];
  if (mode === undefined || sometimes === undefined) return undefined;
  // A gradient is indexed by inputs, whatever the order of the nodes.
  const newIds = mode === "vjp" ? latestFirst(question.graph) : undefined;
  const isReordered = newIds?.some((newId, id) => newId !== id) === true;
  const graph = isReordered ? reordered(question.graph, newIds) : question.graph;
  const asked: Asked = isReordered ? { ...handed, seeds: renamed(handed.seeds, newIds) } : handed;
  const elsewhere: Asked = { ...asked, point: moved(question), seeds: scaledSeeds(asked.seeds, 3) };
  const turn = inTurn(engine);
  const load = (): Promise<Reply<LoadedGraph>> => turn(() => engine.load(graph, standard.dtype));
  const [loaded, beside] = await Promise.all([load(), turn(() => loadBeside(engine, standard.dtype))]);
  const program = loaded.kind === "result" ? loaded.value : undefined;
  const replies = program && [elsewhere, asked].map((each) => turn(() => answerIn(program, mode, each)));
  // Unloading one program must not touch another.
  const done = [beside?.askAndUnload(sometimes, turn), program && turn(() => program.unload())];
  const [, after] = await Promise.all(replies ?? []);
  await Promise.all(done);
  if (after === undefined) return undefined;
  const afresh = async (): Promise<Reply<readonly FlatTensor[]>> => {
    const again = await load();
    if (again.kind !== "result") return again;
    const answer = await turn(() => answerIn(again.value, mode, asked));
    await turn(() => again.value.unload());
    return answer;
  };
  return { isReordered, after, afresh };
}

/** Finds where two programs' answers differ: in any bit, or beyond the bounds if nodes were reordered. */
export function differenceTo(
  { truth }: Pick<Hearing, "truth">,
  { isReordered }: Another,
  first: readonly FlatTensor[],
  second: readonly FlatTensor[],
): Difference | undefined {
  if (!isReordered) return firstDifference(first, second, Object.is);
  return firstDifference(first, second, (x, y, id, element) => {
    if (Object.is(x, y) || x === y || isStoredZero(truth, "cotangent", { id, element, x, y })) return true;
    const bound = reorderingBound(truth, id, element);
    return !Number.isFinite(bound) || Math.abs(x - y) <= bound;
  });
}

/** Doubles the bound of a component of a gradient, since both answers may be off by it. */
export function reorderingBound(truth: Hearing["truth"], id: NodeId, element: number): number {
  return 2 * (truth.cotangent(id)[element]?.bound ?? 0);
}

/** Renames the ids of a graph, and moves its inferred shapes along. */
function reordered(graph: Graph, newIds: readonly number[]): Graph {
  const first = graph.inputs.length;
  const known = shapesOf(graph);
  const [nodes, shapes] = [[...graph.nodes], [...known]];
  for (const [index, node] of graph.nodes.entries()) {
    const newId = present(newIds[first + index], "new id");
    nodes[newId - first] = { ...node, parents: node.parents.map((id) => renamedId(id, newIds)) };
    shapes[newId] = at(known, first + index);
  }
  return withShapes({ ...graph, nodes }, shapes);
}

function renamedId(id: NodeId, newIds: readonly number[]): NodeId {
  return nodeId(present(newIds[id], "new id"));
}

function renamed(seeds: Asked["seeds"], newIds: readonly number[]): Asked["seeds"] {
  return seeds.map(({ id, cotangent }) => ({ id: renamedId(id, newIds), cotangent }));
}

/**
 * Gives each old id its new one in the topological order that takes the latest ready node first. Law: a graph
 * that has only one order keeps it. Cost: linear in nodes and edges.
 */
function latestFirst(graph: Graph): number[] {
  const first = graph.inputs.length;
  const newIds = graph.inputs.map((_, id) => id);
  // A node waits for each operand, twice for one that it reads twice.
  const waiting = graph.nodes.map(() => 0);
  const readers: number[][] = graph.nodes.map(() => []);
  for (const [index, { parents }] of graph.nodes.entries()) {
    for (const id of parents) {
      if (id < first) continue;
      readers[id - first]?.push(index);
      waiting[index] = (waiting[index] ?? 0) + 1;
    }
  }
  const ready = waiting.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let next = first; ready.length > 0; next++) {
    const index = present(ready.pop(), "a ready node");
    newIds[first + index] = next;
    for (const reader of readers[index] ?? []) {
      waiting[reader] = (waiting[reader] ?? 0) - 1;
      if (waiting[reader] === 0) ready.push(reader);
    }
  }
  return newIds;
}
