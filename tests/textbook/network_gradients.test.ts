import { describe, expect, test } from "vitest";
import type { Case } from "../../oracle/case/case.ts";
import { networkNames } from "../../oracle/generate/network_composites.ts";
import { type CompositeRows, composites, graph, nodeId, present, shapesOf } from "../../spec/index.ts";
import type { Claim } from "./claim.test.kit.ts";
import { countWrong, truthUnder } from "./expansions.test.kit.ts";
import { claims } from "./network_claims.test.kit.ts";
import { kept } from "./norm_claims.test.kit.ts";

function caseOf({ write, inputs, environment = {}, cotangent }: Claim): Case {
  const program = graph(write);
  const shapes = shapesOf(program);
  const flat = (shape: readonly number[], data: readonly number[]) => ({
    shape,
    data: Float64Array.from(data),
  });
  const last = nodeId(shapes.length - 1);
  const entries = program.environment.map(
    ({ name, shape }) => [name, flat(shape, present(environment[name], name))] as const,
  );
  const points = inputs.map((data, id) => flat(shapes[id] ?? [], data));
  return {
    graph: program,
    point: { inputs: points, environment: new Map(entries) },
    tangents: points,
    seeds: [{ id: last, cotangent: flat(shapes[last] ?? [], cotangent) }],
  };
}

/** Counts the claimed cotangents that the truth does not confirm. */
function refuted(claim: Claim, rows: CompositeRows): number {
  const truth = truthUnder(caseOf(claim), "float32", rows);
  return claim.expected.reduce(
    (count, numbers, id) => count + countWrong(truth.cotangent(nodeId(id)), numbers),
    0,
  );
}

describe.each(claims)("$op", (claim) => {
  test(claim.title, () => {
    expect(refuted(claim, composites)).toBe(0);
  });

  test(`(${claim.title}) would not with a fault planted`, () => {
    expect(refuted(claim, { ...composites, ...claim.wrong })).toBeGreaterThan(0);
  });
});

test("there is a claim about every composite of networks", () => {
  expect(networkNames.filter((name) => claims.every(({ op }) => op !== name))).toEqual([]);
});

test("the dropout of the claims drops some and keeps some", () => {
  expect(new Set(kept)).toEqual(new Set([0, 1]));
});
