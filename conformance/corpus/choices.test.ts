import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import { judge } from "../../oracle/index.ts";
import {
  checkGraph,
  type FlatTensor,
  type Graph,
  idCount,
  nodeId,
  present,
  type Seed,
} from "../../spec/index.ts";
import { documentsOf, suiteData } from "./suite.ts";

/** Makes an engine that runs the graph of a choice in place of the last node of a vector. */
function choosing(graph: Graph): Engine {
  const engine = interpreterEngine();
  const last = nodeId(idCount(graph) - 1);
  const inputs = graph.inputs.length;
  const moved = (seeds: readonly Seed[]): Seed[] => seeds.map((seed) => ({ ...seed, id: last }));
  const program = (loaded: LoadedGraph): LoadedGraph => ({
    evaluate: async (point) => ends(await loaded.evaluate(point), 0),
    jvp: async (point, tangents) => ends(await loaded.jvp(point, tangents), 0),
    vjp: async (point, seeds) => loaded.vjp(point, moved(seeds)),
    backwardDense: async (point, seeds) => ends(await loaded.backwardDense(point, moved(seeds)), inputs),
    unload: async () => loaded.unload(),
  });
  return {
    describe: () => engine.describe(),
    load: async (_, dtype) => {
      const loaded = await engine.load(graph, dtype);
      return loaded.kind === "result" ? { ...loaded, value: program(loaded.value) } : loaded;
    },
    [Symbol.asyncDispose]: async () => engine[Symbol.asyncDispose](),
  };
}

/** Keeps the first tensors of a reply and its last one. */
function ends(reply: Reply<readonly FlatTensor[]>, first: number): Reply<readonly FlatTensor[]> {
  if (reply.kind !== "result") return reply;
  return { ...reply, value: [...reply.value.slice(0, first), ...reply.value.slice(-1)] };
}

const vectors = suiteData();

/** The choices of vectors of one node: their last node is what each choice stands for. */
const choices = documentsOf("adjudge.vector.v1").flatMap(([path, { choices: graphs }]) => {
  const vector = present(vectors.get(path), path);
  if (graphs === undefined || vector.case.graph.nodes.length !== 1) return [];
  return [...graphs].map(([choice, graph]) => [path, choice, vector, graph] as const);
});

describe("an engine that makes a choice", () => {
  test.each(choices)("agrees on %s: %s", async (_, __, vector, graph) => {
    const { case: question, expected: allowed, dtype } = vector;
    const verdict = await judge(choosing(graph), question, { dtype, allowed, laws: [] });
    expect(verdict.kind === "disagrees" ? verdict.witness : verdict.kind).toMatch(/agrees|undecided/);
  });

  test("would be accused, were its choice not among the allowed ones", async () => {
    let accused = 0;
    for (const [, , { case: question, dtype }, graph] of choices) {
      const verdict = await judge(choosing(graph), question, { dtype, laws: [], shrinkBudget: 0 });
      accused += verdict.kind === "disagrees" ? 1 : 0;
    }
    expect(accused).toBeGreaterThan(2);
  });

  test("is accused where it makes none of the choices", async () => {
    const [, , vector] = choices.find(([path]) => path === "policies/maximum_tie") ?? [];
    const { case: question, expected: allowed, dtype } = present(vector, "the tie of maximum");
    const sum = {
      ...question.graph,
      nodes: [{ op: "add", attributes: {}, parents: [nodeId(0), nodeId(1)] }],
    };
    const added = checkGraph(sum);
    if (!added.ok) throw new Error("no graph");
    const verdict = await judge(choosing(added.value), question, { dtype, allowed, laws: [] });
    expect(verdict.kind).toBe("disagrees");
  });
});
