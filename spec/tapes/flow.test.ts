import { expect, test } from "vitest";
import { graph } from "../builder/graph.ts";
import { nodeId } from "../shapes/node_id.ts";
import { flowOf } from "./flow.ts";

/** 0 x, 1 a constant, 2 x · 1, 3 stop(2), 4 softmax(2), 5 3 + 4, 6 1 < x, 7 1 where 6, else 1 */
const subject = graph(({ input, full }) => {
  const x = input("x", [2]);
  const one = full({ shape: [2], value: 1 });
  const scaled = x.multiply(one);
  const stopped = scaled.stop_gradient();
  stopped.add(scaled.softmax({ axis: 0 }));
  one.less(x).where(one, one);
});

test("an input moves what reads it through a rule that pulls back, and nothing behind a stop, a comparison or a constant", () => {
  expect(flowOf(subject).isMoved).toEqual([true, false, true, false, true, true, false, false]);
});

test("a cotangent goes on to nodes that are moved, composites written out, and no input counts", () => {
  const { leads } = flowOf(subject);
  const pairs = subject.nodes.flatMap((_, from) =>
    subject.nodes.flatMap((_, to) => (leads(nodeId(from + 1), nodeId(to + 1)) ? [[from + 1, to + 1]] : [])),
  );
  expect(pairs).toEqual([
    [4, 2],
    [5, 2],
    [5, 4],
  ]);
  expect(leads(nodeId(5), nodeId(0))).toBe(false);
});
