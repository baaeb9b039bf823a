import { describe, expect, test } from "vitest";
import { type DimensionRules, dimensionRules, type Reason } from "../../reference/package.ts";
import { type Graph, type PrimitiveName, primitiveNames } from "../../spec/index.ts";
import {
  type CaseProfile,
  caseAt,
  compositeProfile,
  exactProfile,
  nestedProfile,
  tensorProfile,
} from "../generate/index.ts";
import {
  type Compared,
  compareScaled,
  dice,
  drawnPowers,
  inferFreely,
  instanceOf,
} from "./scaling.test.kit.ts";

/** Scales cases of a profile, each several times, by dimensions drawn from what the rules infer. */
function scaled(
  profile: CaseProfile,
  count: number,
  rules: DimensionRules = dimensionRules,
  until = false,
): Compared & { readonly graphs: number } {
  const total = { same: 0, different: 0, valueless: 0, graphs: 0 };
  for (let index = 0; index < count; index++) {
    const question = caseAt(profile, 11, index);
    const inference = inferFreely(question.graph, rules);
    if (inference.kind !== "assigned") continue;
    total.graphs += 1;
    const roll = dice(index);
    const compared = compareScaled(question, instanceOf(inference, roll), drawnPowers(roll));
    total.same += compared.same;
    total.different += compared.different;
    total.valueless += compared.valueless;
    if (until && total.different > 0) break;
  }
  return total;
}

function profileOf(op: PrimitiveName): CaseProfile {
  return { ...tensorProfile, name: op, operators: [op], nodes: [1, 2], maximumElements: 12 };
}

/** Replaces the rule of one operator. */
function withRule(
  op: PrimitiveName,
  change: (ask: (reason: Reason, ...terms: Terms) => void) => (reason: Reason, ...terms: Terms) => void,
): DimensionRules {
  return { ...dimensionRules, [op]: changed(dimensionRules[op], change) };
}

/** Hides from one operator's rule which values are known numbers. */
function unknowing(op: PrimitiveName, rules: DimensionRules): DimensionRules {
  return { ...rules, [op]: { ...rules[op], constant: () => undefined } };
}

type Terms = readonly (readonly [unknown: number, coefficient: bigint])[];
type Ask = (reason: Reason, ...terms: Terms) => void;

function changed<N extends { readonly ask: Ask }, R extends { equations(node: N): void }>(
  rule: R,
  change: (ask: Ask) => Ask,
): R {
  return { ...rule, equations: (node: N) => rule.equations({ ...node, ask: change(node.ask) }) };
}

/** A planted rule may be wrong in these ways. */
const faults: readonly (readonly [what: string, change: (ask: Ask) => Ask])[] = [
  ["asks nothing", () => () => {}],
  [
    "compares nothing",
    (ask) =>
      (reason, ...terms) =>
        reason === "agree" || reason === "number" ? undefined : ask(reason, ...terms),
  ],
  [
    "takes its first operand once more",
    (ask) =>
      (reason, ...terms) =>
        ask(
          reason,
          ...terms.map(([unknown, times], i) =>
            i === 1 && reason === "result" ? ([unknown, times * 2n] as const) : ([unknown, times] as const),
          ),
        ),
  ],
];

/** Finds which kinds of equation a rule asks in the cases drawn for it. */
function reasonsIn(graphs: readonly Graph[], op: PrimitiveName): { compares: boolean; reads: boolean } {
  const asked = { compares: false, reads: false };
  const listening = withRule(op, (ask) => (reason, ...terms) => {
    if (reason === "agree" || reason === "number") asked.compares = true;
    if (reason === "result" && terms.length > 1) asked.reads = true;
    ask(reason, ...terms);
  });
  for (const graph of graphs) inferFreely(graph, listening);
  return asked;
}

describe("values and gradients scale by their dimensions, to equality", () => {
  test.each(primitiveNames)("of %s", (op) => {
    const { different, same, graphs } = scaled(profileOf(op), 12);
    expect({ different, graphs }).toEqual({ different: 0, graphs: 12 });
    expect(same).toBeGreaterThan(12);
  });

  test.each([
    exactProfile,
    tensorProfile,
    compositeProfile,
    nestedProfile,
  ])("in random graphs: $name", (profile) => {
    const { different, same, graphs } = scaled(profile, 40);
    expect(different).toBe(0);
    expect(graphs).toBe(40);
    expect(same).toBeGreaterThan(500);
  });
});

describe("a wrong rule is noticed", () => {
  test.each(primitiveNames)("of %s", (op) => {
    const profile = profileOf(op);
    const graphs = Array.from({ length: 12 }, (_, index) => caseAt(profile, 11, index).graph);
    const { compares, reads } = reasonsIn(graphs, op);
    for (const [what, change] of faults) {
      if (what === "compares nothing" && !compares) continue;
      if (what === "takes its first operand once more" && !reads) continue;
      const rules = withRule(op, change);
      const { different } = scaled(profile, 60, op === "full" ? unknowing(op, rules) : rules, true);
      expect(different, what).toBeGreaterThan(0);
    }
  });
});
