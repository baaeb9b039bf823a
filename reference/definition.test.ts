import { describe, expect, it } from "vitest";
import { present } from "../spec/index.ts";
import { integer } from "./algebras/integer.ts";
import * as definition from "./definition.ts";
import { type GraphData, nil, snocNode } from "./graph.ts";
import { elements, noEnvironment, product, scalar } from "./hand.test.kit.ts";
import * as sweep from "./sweep.ts";

const ring = present(integer.levels.ring, "a ring");

/** Γ = (x, y), then x·y, (x·y)·x, and the square of that. */
const polynomial: GraphData<bigint> = [product(ring, 0, 1), product(ring, 2, 0), product(ring, 3, 3)].reduce(
  (graph, node) => snocNode(graph, node),
  nil<bigint>([[], []]),
);
const x = [scalar(2n), scalar(3n)];
const seed = [0n, 0n, 0n, 0n, 1n].map(scalar);

describe.each([
  { from: "definition", ...definition },
  { from: "sweep", ...sweep },
])("$from: graphs computed by hand", ({ evaluate, jvpCtx, backpropCtx, backpropAllCtx }) => {
  it("evaluates (x²y)² at (2, 3) through 6 and 12 to 144", () => {
    expect(elements(evaluate(polynomial, x, noEnvironment))).toEqual([2n, 3n, 6n, 12n, 144n]);
  });

  it("has the tangents y, then 2xy, then 4x³y² along x", () => {
    const tangents = jvpCtx(polynomial, x, [scalar(1n), scalar(0n)], noEnvironment);
    expect(elements(tangents)).toEqual([1n, 0n, 3n, 12n, 288n]);
  });

  it("pulls 1 back to 24, 48, 96 and 288, the partial derivatives by every id", () => {
    const cotangents = backpropAllCtx(ring, polynomial, x, noEnvironment, seed);
    expect(elements(cotangents)).toEqual([288n, 96n, 48n, 24n, 1n]);
    expect(elements(backpropCtx(ring, polynomial, x, noEnvironment, seed))).toEqual([288n, 96n]);
  });

  it("adds what it pulls back onto the seeds that stand at earlier ids", () => {
    const seeds = [1n, 10n, 100n, 0n, 0n].map(scalar);
    const cotangents = backpropAllCtx(ring, polynomial, x, noEnvironment, seeds);
    expect(elements(cotangents)).toEqual([301n, 210n, 100n, 0n, 0n]);
  });

  it("returns the point, the tangent and the seed themselves where there is no node", () => {
    const empty = nil<bigint>([[], []]);
    expect(evaluate(empty, x, noEnvironment)).toEqual(x);
    expect(jvpCtx(empty, x, [scalar(5n), scalar(7n)], noEnvironment)).toEqual([scalar(5n), scalar(7n)]);
    expect(backpropAllCtx(ring, empty, x, noEnvironment, x)).toEqual(x);
  });
});
