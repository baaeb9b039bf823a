import { describe, expect, test } from "vitest";
import { lifetimes } from "../../../reference/package.ts";
import { at, expand, idCount, nodeId, operatorNames, type PrimitiveGraph } from "../../../spec/index.ts";
import { drawnAt, mix } from "../../generate/index.ts";
import { cohomologyOf } from "../sheaf.ts";
import {
  type Escape,
  type EscapeClass,
  escapeClasses,
  escapesOf,
  isBelow,
  storageOf,
  type Use,
} from "./escape.ts";
import { escapeRanks, escapeSheaf, vanishesOn } from "./escape_sheaf.ts";

/** Finds the uses of the values of a run in reverse mode, of a graph's last id by all its inputs. */
function usesOf(of: PrimitiveGraph): Use[] {
  const found = lifetimes(of, {
    of: [nodeId(idCount(of) - 1)],
    wrt: of.inputs.map((_, id) => nodeId(id)),
  });
  if (!found.ok) throw new Error(found.error[0]?.message);
  const uses: Use[] = of.inputs.map(() => ({ isResult: false }));
  for (const value of found.value.values) {
    if (value.kind !== "primal") continue;
    const [reader] = value.neededBy;
    const later = reader === undefined ? {} : { later: { kind: "pull", reader } as const };
    uses[value.id] = { isResult: value.isResult, ...later };
  }
  return uses;
}

const cases = Array.from({ length: 120 }, (_, index) => expand(drawnAt(mix, operatorNames, 11, index).graph))
  .map(({ graph }) => graph)
  .filter((of) => idCount(of) > of.inputs.length && idCount(of) <= 60)
  .map((graph) => {
    const uses = usesOf(graph);
    const storage = storageOf(graph, true);
    const owners = uses.flatMap((_, id) => (storage[id] === id ? [id] : []));
    const sheaves = escapeClasses.slice(1).map((below) => {
      const sheaf = escapeSheaf(graph, uses, true, below);
      return { below, vanishing: new Set(owners.filter((id) => vanishesOn(sheaf, id))) };
    });
    return { graph, uses, owners, sheaves, ranks: escapeRanks(graph, uses, true).thresholds };
  });

type Rule = (graph: PrimitiveGraph, uses: readonly Use[]) => readonly Escape[];

/**
 * Compares the classes that a rule finds with the ranks of sheaves: of all storages together, and of each.
 */
function disagreements(rule: Rule): number {
  let wrong = 0;
  for (const { graph, uses, owners, sheaves, ranks } of cases) {
    const found = rule(graph, uses);
    const isFoundBelow = (id: number, below: EscapeClass): boolean => isBelow(at(found, id).class, below);
    for (const { below, h0 } of ranks)
      if (owners.filter((id) => isFoundBelow(id, below)).length !== h0) wrong += 1;
    for (const { below, vanishing } of sheaves)
      for (const id of owners) if (isFoundBelow(id, below) === vanishing.has(id)) wrong += 1;
  }
  return wrong;
}

describe("escape classes as sheaves", () => {
  test("have the ranks, and vanish on the values, that the rules say, of random graphs", () => {
    expect(cases.length).toBeGreaterThan(60);
    expect(disagreements((graph, uses) => escapesOf(graph, uses, true))).toBe(0);
  });

  test.each<readonly [string, Rule]>([
    ["looks through no view", (graph, uses) => escapesOf(graph, uses, false)],
    [
      "leaves results on the stack",
      (graph, uses) =>
        escapesOf(
          graph,
          uses.map((use) => ({ ...use, isResult: false })),
          true,
        ),
    ],
    [
      "keeps nothing for the reverse sweep",
      (graph, uses) =>
        escapesOf(
          graph,
          uses.map(({ isResult }) => ({ isResult })),
          true,
        ),
    ],
    [
      "promotes everything",
      (graph, uses) =>
        escapesOf(graph, uses, true).map((one) => ({
          ...one,
          class: one.class === "stack" ? "arena" : one.class,
        })),
    ],
    [
      "looks through one view alone, of a chain",
      (graph, uses) => {
        const alone = escapesOf(graph, uses, false);
        return escapesOf(graph, uses, true).map((one) => {
          if (one.cause?.kind !== "view") return one;
          return { ...one, class: at(alone, one.cause.view).class };
        });
      },
    ],
  ])("contradict a planted rule that %s", (_, rule) => {
    expect(disagreements(rule)).toBeGreaterThan(0);
  });

  test("count the uses that ask for what others ask for too", () => {
    for (const { graph, uses } of cases) {
      const sheaf = escapeSheaf(graph, uses, true, "arena");
      const { h0, h1 } = cohomologyOf(sheaf);
      // The index of a map is the same from both sides.
      expect(h0 - h1).toBe(sheaf.lower.length - sheaf.coboundary.length);
    }
  });
});
