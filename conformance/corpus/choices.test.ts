import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import { judge } from "../../oracle/index.ts";
import { checkVector, type FlatTensor, idCount, nodeId, type Seed } from "../../spec/index.ts";
import { suiteVectors } from "./build.ts";
import { caseFrom, type NodesText, nodesFrom } from "./case_text.ts";
import { suites } from "./suites.ts";
import type { VectorText } from "./vector_text.ts";

/** Makes an engine that runs the program of a choice in place of the last node of a vector. */
function choosing(text: VectorText, nodes: NodesText): Engine {
  const engine = interpreterEngine();
  const { graph } = caseFrom({ ...text, nodes });
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

const vectors = suiteVectors();
const choices = Object.entries(suites).flatMap(([folder, texts]) =>
  texts.flatMap((text) => {
    const { policy, nodes, name } = text;
    if (policy === undefined || nodesFrom(nodes).length !== 1) return [];
    const path = `${folder}/${name}`;
    return Object.entries(policy.choices).map(([choice, own]) => [path, choice, text, own] as const);
  }),
);

describe("an engine that makes a choice", () => {
  test.each(choices)("agrees on %s: %s", async (path, _, text, nodes) => {
    const vector = checkVector(vectors.get(path));
    if (!vector.ok) throw new Error(path);
    const { case: question, expected: allowed, dtype } = vector.value;
    const verdict = await judge(choosing(text, nodes), question, { dtype, allowed, laws: [] });
    expect(verdict.kind === "disagrees" ? verdict.witness : verdict.kind).toMatch(/agrees|undecided/);
  });

  test("would be accused, were its choice not among the allowed ones", async () => {
    let accused = 0;
    for (const [path, , text, nodes] of choices) {
      const vector = checkVector(vectors.get(path));
      if (!vector.ok) throw new Error(path);
      const { case: question, dtype } = vector.value;
      const verdict = await judge(choosing(text, nodes), question, { dtype, laws: [], shrinkBudget: 0 });
      accused += verdict.kind === "disagrees" ? 1 : 0;
    }
    expect(accused).toBeGreaterThan(2);
  });

  test("is accused where it makes none of the choices", async () => {
    const [path, , text] = choices.find(([name]) => name === "policies/maximum_tie") ?? [];
    if (path === undefined || text === undefined) throw new Error("no choices");
    const vector = checkVector(vectors.get(path));
    if (!vector.ok) throw new Error(path);
    const { case: question, expected: allowed, dtype } = vector.value;
    const verdict = await judge(choosing(text, "add 0 1"), question, { dtype, allowed, laws: [] });
    expect(verdict.kind).toBe("disagrees");
  });
});
