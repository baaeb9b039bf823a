import { expect, test } from "vitest";
import { graph, isPrimitiveGraph, nodeId, present } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { interpret } from "../interpret.ts";
import { backpropSparse } from "../sweep.ts";
import { runInArena } from "./arena_run.ts";
import { lifetimes } from "./lifetimes.ts";
import { planInTime } from "./storage_plan.ts";

test("a run in an arena hands over the sweep's cotangents that are wanted, and no others", () => {
  const built = graph(({ input }) => {
    const [x, y] = [input("x", [2]), input("y", [2])];
    input("unread", [2]);
    x.multiply(x).multiply(y).add(y);
  });
  const written = isPrimitiveGraph(built) ? built : expect.unreachable("only primitives are used");
  const ids = Array.from({ length: 6 }, (_, id) => nodeId(id));
  const point = {
    x: [3, 5, 7].map((first) => ({ shape: [2], data: [first, -first] })),
    environment: noEnvironment,
    seed: new Map([[nodeId(5), { shape: [2], data: [1, 2] }]]),
  };
  const meaning = interpret(written, float64);
  if (!meaning.ok) return expect.unreachable("floats multiply");
  const swept = backpropSparse(float64.additive, meaning.value, point.x, noEnvironment, point.seed);
  expect([...swept.keys()].toSorted()).toEqual([0, 1, 3, 4, 5]);
  for (const wrt of [ids, ids.slice(0, 3), ids.slice(2, 3), []]) {
    const lives = lifetimes(written, { of: [nodeId(5)], wrt });
    if (!lives.ok) return expect.unreachable("there are such ids");
    const run = runInArena(float64, written, lives.value, planInTime(lives.value.values), point);
    const owed = wrt.filter((id) => swept.has(id)).map((id) => [id, present(swept.get(id), "it is swept")]);
    expect(run.ok && [...run.value.cotangents]).toEqual(owed);
  }
});
