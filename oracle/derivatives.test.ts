import { describe, expect, test } from "vitest";
import { backpropSparse, float64, interpret, rational, zeros } from "../reference/package.ts";
import {
  type Algebra,
  at,
  type Derived,
  derive,
  deriveByTransposition,
  nodeId,
  present,
  shapesOf,
} from "../spec/index.ts";
import type { Case } from "./case/case.ts";
import { allIds, inputIds, mismatches, posed, resultsOf, succeeded } from "./derivatives.test.kit.ts";
import {
  type CaseProfile,
  caseAt,
  exactProfile,
  nestedProfile,
  pairProfile,
  tensorProfile,
} from "./generate/index.ts";

/** Counts where a derived graph differs from the reference's sweep; float zeros of either sign are equal. */
function differences<S, B>(
  algebra: Algebra<S, B>,
  question: Case,
  change = (derived: Derived): Derived => derived,
): number {
  const { graph, x, environment, seeds } = posed(algebra, question);
  const meaning = succeeded(interpret(graph, algebra));
  const { additive } = algebra;
  const sweep = backpropSparse(additive, meaning, x, environment, seeds);
  const asked = { of: [...seeds.keys()], wrt: allIds(graph) };
  const derived = change(succeeded(derive(graph, { mode: "vjp", ...asked })));
  const results = resultsOf(algebra, derived, [...x, ...seeds.values()], environment);
  const shapes = shapesOf(graph);
  const differs = results.map((result, id) => {
    const wanted = sweep.get(nodeId(id)) ?? zeros(additive, at(shapes, id));
    return result.data.filter((c, place) => {
      const d = present(wanted.data[place], "an element");
      // Adding 0 removes the sign of a zero.
      return !algebra.isSame(additive.add(c, additive.zero), additive.add(d, additive.zero));
    }).length;
  });
  return differs.reduce((total, count) => total + count, 0);
}

function disagreements(profile: CaseProfile, count: number, judge: (question: Case) => number): number {
  let total = 0;
  for (let index = 0; index < count; index++) total += judge(caseAt(profile, 20, index));
  return total;
}

describe("the derived graph is the reference's sweep", () => {
  test.each([
    tensorProfile,
    pairProfile,
    nestedProfile,
  ])("over float64 to the bit, but for signs of zeros: $name", (profile) => {
    expect(disagreements(profile, 60, (question) => differences(float64, question))).toBe(0);
  });

  test("over the rationals to equality", () => {
    expect(disagreements(exactProfile, 60, (question) => differences(rational, question))).toBe(0);
  });

  test("but not where one sum has one operand twice", () => {
    const doubled = (derived: Derived): Derived => {
      const index = derived.graph.nodes.findLastIndex(({ op }) => op === "add");
      const nodes = derived.graph.nodes.map((node, i) =>
        i === index ? { ...node, parents: [at(node.parents, 0), at(node.parents, 0)] } : node,
      );
      return { ...derived, graph: { ...derived.graph, nodes } };
    };
    expect(
      disagreements(exactProfile, 20, (question) => differences(rational, question, doubled)),
    ).toBeGreaterThan(0);
  });

  test("and the transposed linear part says the same, over the rationals", () => {
    const both = (question: Case): number => {
      const { graph, x, environment, seeds } = posed(rational, question);
      const asked = { of: [...seeds.keys()], wrt: inputIds(graph) };
      const point = [...x, ...seeds.values()];
      const byRules = resultsOf(
        rational,
        succeeded(derive(graph, { mode: "vjp", ...asked })),
        point,
        environment,
      );
      const turned = resultsOf(rational, succeeded(deriveByTransposition(graph, asked)), point, environment);
      return mismatches(rational, turned, byRules);
    };
    expect(disagreements(exactProfile, 60, both)).toBe(0);
  });
});
