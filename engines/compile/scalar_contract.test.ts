import { describe, expect, test } from "vitest";
import { InvariantError, pair } from "../../spec/index.ts";
import { loaded, node, question, resultOf, scalar, seed, tensor } from "../asking.test.kit.ts";
import { javascriptScalarEngine } from "./javascript_engine.ts";
import { caught } from "./self_description.ts";

const nothing = tensor([], [0]);

describe("the engine of scalars", () => {
  test("refuses a seed without a number, however many there are", async () => {
    const { graph, point } = question([scalar(3)], [node("square", {}, 0)]);
    const program = await loaded(javascriptScalarEngine(), graph);
    expect((await program.vjp(point, [seed(1, nothing)])).kind).toBe("error");
    expect((await program.vjp(point, [seed(1, scalar(1)), seed(0, nothing)])).kind).toBe("error");
    expect((await program.backwardDense(point, [seed(1, nothing)])).kind).toBe("error");
    expect((await program.jvp(point, [nothing])).kind).toBe("error");
  });

  test("computes beside entries of Δ that are no scalars, empty ones too", async () => {
    const nodes = [node("constant", { name: "b" }), node("multiply", {}, 0, 1)];
    const environment = {
      none: ["real", nothing],
      two: ["real", tensor([5, 6])],
      b: ["real", scalar(7)],
    } as const;
    const { graph, point } = question([scalar(3)], nodes, environment);
    const program = await loaded(javascriptScalarEngine(), graph);
    expect(resultOf(await program.evaluate(point)).map(({ data }) => data[0])).toEqual([7, 21]);
    expect(resultOf(await program.vjp(point, [seed(2, scalar(1))])).map(({ data }) => data[0])).toEqual([7]);
  });
});

test("what cannot be is a crash; only what does not fit into memory is unsupported", () => {
  expect(caught(() => pair([1]))).toEqual({
    kind: "crashed",
    message: expect.stringContaining(InvariantError.name),
  });
  expect(caught(() => new Float64Array(2 ** 53)).kind).toBe("unsupported");
});
