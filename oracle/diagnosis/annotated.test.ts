import { describe, expect, test } from "vitest";
import {
  at,
  baseDimension,
  type Declarations,
  dimensionless,
  type Graph,
  measuredIn,
  nodeId,
} from "../../spec/index.ts";
import { type CaseProfile, caseAt, nestedProfile, pairProfile, tensorProfile } from "../generate/index.ts";
import { certifies } from "./certificate.ts";
import { inferDimensions } from "./inference.ts";
import { compareScaled, dice, drawnBases, drawnPowers, instanceOf } from "./scaling.test.kit.ts";
import { solve } from "./solve.ts";

/** Declares about half of a graph's inputs and nodes, each a number or measured by one base. */
function drawnFor(graph: Graph, seed: number): Declarations {
  const roll = dice(seed);
  const ids = [...graph.inputs, ...graph.nodes].map((_, id) => nodeId(id));
  const declared = ids.filter((id) => (id < graph.inputs.length ? roll(2) === 0 : roll(8) === 0));
  return {
    bases: drawnBases,
    declared: declared.map((id) => {
      const dimension = roll(2) === 0 ? dimensionless : baseDimension(at(drawnBases, roll(3)));
      const of = { kind: "id", id } as const;
      return { of, measure: measuredIn({ dimension, scale: dimensionless }), pointer: "" };
    }),
  };
}

/** Decides graphs with drawn declarations, checks each result, and counts the accepted and the refused. */
function decided(profile: CaseProfile, count: number): { accepted: number; refused: number } {
  const found = { accepted: 0, refused: 0 };
  for (let index = 0; index < count; index++) {
    const question = caseAt(profile, 14, index);
    const inference = inferDimensions(question.graph, drawnFor(question.graph, index));
    if (inference.kind === "refused") throw new Error(inference.issue.message);
    if (inference.kind === "assigned") {
      found.accepted += 1;
      // Free dimensions may be anything, so two assignments are tried, and both must fit.
      for (const seed of [index, index + 1_000]) {
        const roll = dice(seed);
        const compared = compareScaled(question, instanceOf(inference, roll), drawnPowers(roll));
        expect(compared.different).toBe(0);
      }
      continue;
    }
    found.refused += 1;
    const { system, certificate } = inference;
    const bases = system.aspect.bases.length;
    expect(certifies(certificate, system.equations, bases)).toBe(true);
    certificate.forEach((_, left) => {
      const others = certificate.filter((_part, i) => i !== left);
      const equations = others.map(({ equation }) => at(system.equations, equation));
      expect(solve({ bases, unknowns: system.unknowns, equations }).kind).toBe("solved");
    });
  }
  return found;
}

describe("of random graphs with drawn declarations", () => {
  test.each([
    tensorProfile,
    pairProfile,
    nestedProfile,
  ])("what is accepted scales, and what is refused has a minimal certificate: $name", (profile) => {
    const { accepted, refused } = decided(profile, 50);
    expect(accepted).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(5);
  });
});
