import { describe, expect, test } from "vitest";
import { type Engine, interpreterEngine, type LoadedGraph, type Reply } from "../../engines/index.ts";
import {
  checkCase,
  encodeCase,
  type FlatTensor,
  type Graph,
  type Node,
  nodeId,
  shapesOf,
} from "../../spec/index.ts";
import { ask } from "../hearing/ask.ts";
import { randomAt } from "../random/index.ts";
import { campaign, caseAt } from "./campaign.ts";
import { emptyDraft } from "./draft.ts";
import { fusionPlanter, plantFusion } from "./fusing.ts";
import { type Fusion, fusions } from "./fusions/index.ts";
import { searchedCase } from "./mix.ts";
import { fusedProfile } from "./profile.ts";
import { drawExtents, drawInputShapes } from "./shapes.ts";

/** Starts the graph of case number `index`. */
function begun(index: number) {
  const random = randomAt(11, index);
  const extents = drawExtents(fusedProfile, random);
  return emptyDraft(fusedProfile, random, extents, drawInputShapes(fusedProfile, random, extents));
}

const all: readonly (readonly [string, string, Fusion])[] = [...fusions].flatMap(([group, patterns]) =>
  [...patterns].map(([name, fusion]) => [group, name, fusion] as const),
);

/** Counts how often a pattern was planted to its end, and how many of those graphs there are. */
function planted({ rank, plant }: Fusion, count: number) {
  let whole = 0;
  const graphs = new Set<string>();
  for (let index = 0; index < count; index++) {
    const draft = begun(index);
    const whatFits: Fusion = {
      rank,
      plant: (hand, x) => {
        plant(hand, x);
        whole += 1;
        graphs.add(JSON.stringify(draft.nodes));
      },
    };
    plantFusion(draft, whatFits);
  }
  return { whole, graphs: graphs.size };
}

describe("what compilers fuse", () => {
  test("is named once, in groups", () => {
    expect(new Set(all.map(([, name]) => name)).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(200);
  });

  test.each(all)("%s: %s is planted whole as a rule, and with another attribute", (_group, _name, fusion) => {
    const { whole, graphs } = planted(fusion, 40);
    expect(whole).toBeGreaterThanOrEqual(10);
    expect(graphs).toBeGreaterThan(1);
  });

  test("has a turn for each pattern within 1,000 cases of the mix", () => {
    const seen = new Set<unknown>();
    for (let index = 1; index < 1000; index += 10) {
      const plant = fusionPlanter(index);
      for (let turn = 0; turn < 6; turn++) {
        const draft = begun(index);
        plant(draft);
        for (const { op, attributes } of draft.nodes) seen.add(`${op} ${JSON.stringify(attributes)}`);
      }
    }
    expect(seen.size).toBeGreaterThan(300);
  });

  test("makes well-formed cases", () => {
    for (const question of campaign(fusedProfile, 3, 200))
      expect(checkCase(encodeCase(question))).toMatchObject({ ok: true });
  });
});

/** Finds the ids of nodes for which a rule of a compiler would fire. */
type Rule = (graph: Graph, node: Node, shapes: readonly (readonly number[])[]) => boolean;

const readBy = ({ inputs, nodes }: Graph, node: Node, place = 0): Node | undefined =>
  nodes[(node.parents[place] ?? 0) - inputs.length];

/** These rules are wrong: an engine that has one answers another number where it fires. */
const rules: Readonly<Record<string, Rule>> = {
  "all of a product is summed": (graph, node, shapes) =>
    node.op === "sum" &&
    node.attributes.axes.length === (shapes[node.parents[0] ?? 0] ?? []).length &&
    readBy(graph, node)?.op === "matmul",
  "two slices of one value are multiplied": (graph, node) => {
    const [x, y] = [readBy(graph, node, 0), readBy(graph, node, 1)];
    return (
      node.op === "multiply" &&
      x?.op === "slice" &&
      y?.op === "slice" &&
      x !== y &&
      x.parents[0] === y.parents[0]
    );
  },
  "what is scattered was broadcast": (graph, node) =>
    node.op === "scatter_add" && readBy(graph, node, 1)?.op === "broadcast_to",
  "the greatest of a permuted value": (graph, node) =>
    (node.op === "argmax" || node.op === "max") && readBy(graph, node)?.op === "permute_dims",
  "a zero is added": (graph, node) => {
    const [x, y] = [readBy(graph, node, 0), readBy(graph, node, 1)];
    return node.op === "add" && [x, y].some((z) => z?.op === "full" && z.attributes.value === 0);
  },
  "a diagonal of four axes": (_graph, node) =>
    node.op === "einsum" &&
    /(\w)\w*\1/.test(node.attributes.equation.split(/,|->/).find((x) => x.length >= 4) ?? ""),
};

/** Adds 1 to all values of a node where the rule fires, as if it had been rewritten wrongly. */
function engineWith(rule: Rule): Engine {
  const inner = interpreterEngine("wrong rule");
  return {
    describe: () => inner.describe(),
    async load(graph, dtype): Promise<Reply<LoadedGraph>> {
      const loaded = await inner.load(graph, dtype);
      if (loaded.kind !== "result") return loaded;
      const shapes = shapesOf(graph);
      const wrong = new Set(
        graph.nodes.flatMap((node, place) =>
          rule(graph, node, shapes) ? [nodeId(graph.inputs.length + place)] : [],
        ),
      );
      const change = ({ shape, data }: FlatTensor, id: number): FlatTensor => ({
        shape,
        data: wrong.has(nodeId(id)) ? data.map((x) => x + 1) : data,
      });
      const program = loaded.value;
      const evaluate: LoadedGraph["evaluate"] = async (point) => {
        const reply = await program.evaluate(point);
        return reply.kind === "result" ? { kind: "result", value: reply.value.map(change) } : reply;
      };
      return { kind: "result", value: { ...program, evaluate } };
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

describe("an engine that rewrites wrongly", () => {
  test.each(Object.entries(rules))("%s: is told within 1,500 cases of the mix", async (_name, rule) => {
    const engine = engineWith(rule);
    for (let index = 0; index < 1500; index++) {
      const question = searchedCase(1, index);
      const shapes = shapesOf(question.graph);
      if (!question.graph.nodes.some((node) => rule(question.graph, node, shapes))) continue;
      if ((await ask(engine, question, "float64", [])).kind === "differs") return;
    }
    expect.unreachable("it was not told");
  });

  test("is not accused where no rule fires", async () => {
    const engine = engineWith(() => false);
    for (let index = 0; index < 20; index++)
      expect((await ask(engine, caseAt(fusedProfile, 1, index), "float64", [])).kind).not.toBe("differs");
  });
});
