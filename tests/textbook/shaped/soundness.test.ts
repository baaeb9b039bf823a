import { expect, test } from "vitest";
import type { Case } from "../../../oracle/case/case.ts";
import { unflatten } from "../../../oracle/case/reference_run.ts";
import { campaign, tensorProfile } from "../../../oracle/generate/index.ts";
import {
  backpropCtx,
  type Context,
  dense,
  dot,
  type Environment,
  type EnvironmentValue,
  formal,
  type Graph,
  interpret,
  jvpCtx,
  map,
  type Residue,
  type Tensor,
} from "../../../reference/package.ts";
import { expand, type FlatTensor, nodeId, present, shapesOf } from "../../../spec/index.ts";
import { shapedNames } from "./naive.test.kit.ts";

const ring = present(formal.levels.ordered, "an ordered ring");

const lift = (flat: FlatTensor): Tensor<Residue> => map(unflatten(flat), ring.literal);

function lifted({ graph, point }: Case): Environment<Residue> {
  return new Map(
    graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<Residue>] => {
      const flat = present(point.environment.get(name), "entry");
      return [
        name,
        kind === "real" ? { kind, tensor: lift(flat) } : { kind, shape, indices: [...flat.data] },
      ];
    }),
  );
}

/**
 * Tells whether `dot(jvpCtx(g, x, dx, Δ), seed) = dot(dx, backpropCtx(g, x, Δ, seed))` exactly, over an
 * algebra where all functions differ, with a seed on each id. `change` alters the graph before
 * backpropagation.
 */
function isSound(question: Case, change: (graph: Graph<Residue>) => Graph<Residue>): boolean {
  const { graph: program, ids } = expand(question.graph);
  const meaning = interpret(program, formal);
  if (!meaning.ok) throw new Error("formal offers every level");
  const x = question.point.inputs.map(lift);
  const dx = question.tangents.map(lift);
  const environment = lifted(question);
  const seed: Context<Residue> = dense(
    ring,
    shapesOf(program),
    new Map(question.seeds.map(({ id, cotangent }) => [ids[id] ?? nodeId(0), lift(cotangent)])),
  );
  const forward = dot(ring, jvpCtx(meaning.value, x, dx, environment), seed);
  const backward = dot(ring, dx, backpropCtx(ring, change(meaning.value), x, environment, seed));
  return ring.equal(forward, backward) === true;
}

/** Every contribution is doubled. */
function doubled(graph: Graph<Residue>): Graph<Residue> {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({
      ...node,
      vjp: (context, environment, c) =>
        new Map(
          [...node.vjp(context, environment, c)].map(([id, bar]) => [id, map(bar, (x) => ring.add(x, x))]),
        ),
    })),
  };
}

/** Nothing is pulled back through these. */
const constant: readonly string[] = ["one_hot", "argmax"];

test.each(
  shapedNames,
)("%s pulls back the adjoint of its tangent, and not if its parts pull back twice", (op) => {
  const profile = { ...tensorProfile, operators: [op, "constant", "add"] as const, nodes: [1, 3] as const };
  const cases = [...campaign(profile, 5, 60)];
  expect(cases.filter((question) => !isSound(question, (graph) => graph))).toEqual([]);
  if (constant.includes(op)) return;
  expect(cases.some((question) => !isSound(question, doubled))).toBe(true);
});
