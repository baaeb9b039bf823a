import { describe, expect, test } from "vitest";
import {
  apply,
  type Instruction,
  type LoopProgram,
  type Pass,
  type Passes,
  soundPasses,
  withBodies,
} from "../engines/compile/plan/index.ts";
import { drawnAt, mix } from "../oracle/generate/index.ts";
import { adjointSquare, brokenSteps, type Square } from "../oracle/obligations/graphs/index.ts";
import { randomAt } from "../oracle/random/index.ts";
import { derive } from "../spec/expansion/index.ts";
import { type Graph, idCount } from "../spec/graph/index.ts";
import { nodeId } from "../spec/shapes/index.ts";

const operators = [
  ...(["add", "subtract", "multiply", "negative", "sum", "matmul", "reshape", "permute_dims"] as const),
  ...(["broadcast_to", "slice", "concat", "pad", "take", "cumulative_sum", "exp", "sin", "log"] as const),
];

/** Draws graphs with something to derive. */
function* graphsUpTo(most: number): Generator<Graph> {
  for (let index = 0; index < most; index++) {
    const { graph } = drawnAt(mix, operators, 11, index);
    if (graph.inputs.length > 0 && graph.nodes.length > 1) yield graph;
  }
}

/** Draws a small integer for each element of what is given. */
const points = [1, 2].map((seed) => (source: string, element: number) => {
  const key = [...source].reduce((sum, character) => 31 * sum + character.charCodeAt(0), seed);
  return randomAt(key % 2 ** 30, element).nextInt(-4, 4);
});

function squareOf(graph: Graph, passes: Partial<Passes> = {}, derived?: Parameters<typeof adjointSquare>[3]) {
  const asked = { of: [nodeId(idCount(graph) - 1)], wrt: graph.inputs.map((_, id) => nodeId(id)), points };
  const found = adjointSquare(graph, asked, { ...soundPasses, ...passes }, derived);
  if (!found.ok) throw new Error(found.error[0]?.message);
  return found.value.steps;
}

/** Changes the instructions that a sound pass leaves. */
const changing =
  (pass: Pass, change: (instruction: Instruction) => Instruction): Pass =>
  (program: LoopProgram, isFrugal?: boolean) => {
    const { program: sound, fired } = pass(program, isFrugal);
    return { program: { ...sound, instructions: sound.instructions.map(change) }, fired };
  };

const planted: Readonly<Record<string, Partial<Passes>>> = {
  "a scatter forgets what it adds to": {
    accumulation_in_place: changing(soundPasses.accumulation_in_place, (one) => {
      if (one.kind !== "scatter") return one;
      return { ...one, base: undefined };
    }),
  },
  "a fold leaves its last element out": {
    fold_fusion: changing(soundPasses.fold_fusion, (one) =>
      one.kind === "fold" && one.over.length === 1 && (one.over[0] ?? 0) > 1
        ? { ...one, over: [(one.over[0] ?? 0) - 1] }
        : one,
    ),
  },
  "a difference is taken the other way round": {
    map_fusion: changing(soundPasses.map_fusion, (one) =>
      withBodies(one, (body) => {
        const { expression } = body;
        if (expression.kind !== "apply" || expression.function !== "negative") return body;
        const [x] = expression.operands;
        return x === undefined ? body : { ...body, expression: apply("add", x, x) };
      }),
    ),
  },
  "reads begin one element later": {
    view_composition: changing(soundPasses.view_composition, (one) =>
      withBodies(one, (body) => ({
        ...body,
        reads: body.reads.map((read) =>
          read.strides.includes(2) ? { ...read, offset: read.offset + 1 } : read,
        ),
      })),
    ),
  },
};

const isBroken = (steps: Square["steps"]): boolean => brokenSteps(steps).length > 0;

/** Says whether one of the first 400 graphs shows it. */
function isShown(by: (graph: Graph) => boolean): boolean {
  for (const graph of graphsUpTo(400)) if (by(graph)) return true;
  return false;
}

describe("the square of derivation and lowering", () => {
  test("commutes over the rationals for random graphs, at every step of the planner", () => {
    const seen = new Set<string>();
    for (const graph of graphsUpTo(40)) {
      const steps = squareOf(graph);
      expect(brokenSteps(steps).map(({ way, name }) => `${way}: ${name}`)).toEqual([]);
      for (const { way, name } of steps) seen.add(`${way}: ${name}`);
    }
    // The passes that change something here, both ways.
    for (const way of ["derived, then lowered", "lowered, then derived"])
      for (const name of ["lowering", "dead_code", "view_composition", "map_fusion", "fold_fusion"])
        expect(seen).toContain(`${way}: ${name}`);
  });

  test.each(Object.entries(planted))("does not where %s", (_, passes) => {
    const found = isShown((graph) => {
      try {
        return isBroken(squareOf(graph, passes));
      } catch (thrown) {
        if (thrown instanceof RangeError) return true;
        throw thrown;
      }
    });
    expect(found).toBe(true);
  });

  test("does not where a rule of derivation is wrong", () => {
    const wrong: Parameters<typeof adjointSquare>[3] = (graph, { of, wrt }) => {
      const found = derive(graph, { mode: "vjp", of, wrt });
      if (!found.ok) return found;
      const { graph: written } = found.value;
      const nodes = written.nodes.map((node) =>
        node.op === "negative" ? { ...node, op: "stop_gradient" as const } : node,
      );
      return { ...found, value: { ...found.value, graph: { ...written, nodes } } };
    };
    expect(isShown((graph) => isBroken(squareOf(graph, {}, wrong)))).toBe(true);
  });
});
