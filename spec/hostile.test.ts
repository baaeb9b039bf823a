import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOperatorName } from "./composites/operators.ts";
import { checkCase } from "./documents/case.ts";
import { checkGraph, checkGraphText } from "./documents/check.ts";
import type { Graph } from "./graph/graph.ts";
import { damage, type Edit, edits } from "./mutate.test.data.ts";
import { sampled } from "./sampled.test.kit.ts";
import { validatorOf } from "./schema/registry.ts";
import { issuesWithin } from "./shapes/pointer.ts";
import { type Issue, MAXIMUM_ISSUES, type Result } from "./shapes/result.ts";
import {
  awkwardCase,
  awkwardNames,
  everyCase,
  everyOperator,
  type Json,
  nestedGraphs,
} from "./specimens.test.data.ts";

type Check = (json: unknown) => Result<Graph, Issue[]>;

/** Tells whether an RFC 6901 pointer leads to something in `json`. */
function resolves(json: unknown, pointer: string): boolean {
  let place = json;
  for (const step of pointer.split("/").slice(1)) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return false;
    place = Reflect.get(place, key);
  }
  return true;
}

/** Tells whether an accepted graph is safe to interpret: known operators, and parents that come first. */
function isUsable({ inputs, nodes }: Graph): boolean {
  return nodes.every(
    ({ op, parents }, i) => isOperatorName(op) && parents.every((id) => id >= 0 && id < inputs.length + i),
  );
}

const readGraph = validatorOf("graph.schema.json");

/**
 * Tells whether a check does what it owes to any JSON: it returns; issues are 1 to 100, lead to a place and
 * say something; an accepted graph is usable, is accepted again unchanged, and passes the published schema.
 */
function isSound(check: Check, json: Json): boolean {
  const checked = check(json);
  if (checked.ok) {
    const again = checkGraph(JSON.parse(JSON.stringify(checked.value)));
    return (
      isUsable(checked.value) &&
      again.ok &&
      isDeepStrictEqual(again.value, checked.value) &&
      readGraph(checked.value).ok
    );
  }
  const { length } = checked.error;
  const areClear = checked.error.every(
    ({ code, pointer, message, hint }) =>
      /^[a-z]+\/[a-zA-Z-]+$/.test(code) && resolves(json, pointer) && message.length > 0 && hint.length > 0,
  );
  return length > 0 && length <= MAXIMUM_ISSUES && areClear;
}

/** Returns the law that `check` is sound on damaged copies of `document`. An exception counts as unsound. */
function soundness(check: Check, document: Json): fc.IProperty<[Edit[]]> {
  return fc.property(edits, (list) => isSound(check, damage(document, list)));
}

describe("thousands of damaged documents", () => {
  it("are each refused with issues that lead somewhere, or are graphs that pass again", () => {
    const documents = [
      [everyOperator(), { seed: 11, numRuns: 3_000 }],
      [awkwardNames(), { seed: 12, numRuns: 2_000 }],
      [nestedGraphs(), { seed: 17, numRuns: 300 }],
    ] as const;
    for (const [document, parameters] of sampled("damaged", documents, 1))
      fc.assert(soundness(checkGraph, document), parameters);
  });

  it("hold both kinds: graphs that are still well-formed and graphs that are not", () => {
    const graphs = fc.sample(edits, { seed: 12, numRuns: 1_000 }).map((list) => damage(awkwardNames(), list));
    const accepted = graphs.filter((json) => checkGraph(json).ok).length;
    expect(accepted).toBeGreaterThan(20);
    expect(accepted).toBeLessThan(500);
  });

  it("are, as texts with characters replaced, refused or graphs that pass again", () => {
    const text = JSON.stringify(awkwardNames());
    const law = fc.property(fc.nat(text.length - 1), fc.constantFrom(...'{}[],:"\\019-eE '), (at, put) => {
      const damaged = text.slice(0, at) + put + text.slice(at + 1);
      const checked = checkGraphText(damaged);
      return checked.ok ? checkGraph(checked.value).ok : checked.error.length > 0;
    });
    fc.assert(law, { seed: 13, numRuns: 3_000 });
  });

  it("are refused or hold a graph that passes again, as cases", () => {
    const check: Check = (json) => {
      const checked = checkCase(json);
      return checked.ok ? { ok: true, value: checked.value.graph } : checked;
    };
    fc.assert(soundness(check, everyCase()), { seed: 14, numRuns: 1_000 });
    fc.assert(soundness(check, awkwardCase()), { seed: 15, numRuns: 1_000 });
  });

  it.each<[string, Check]>([
    [
      "trusts that there is a list of nodes",
      (json) => Reflect.get(Object(json), "nodes").length && checkGraph(json),
    ],
    ["accepts whatever comes first", (json) => overlooking("graph/parent-order", json)],
    ["keeps what it does not know", (json) => overlooking("schema/additionalProperties", json)],
    ["says nothing about what it refuses", (json) => refusing(json, () => [])],
    ["leads to a wrong place", (json) => refusing(json, (issues) => issuesWithin("/graph", issues))],
    ["escapes no names in pointers", (json) => refusing(json, unescaped)],
  ])("would show a check that %s", (_, check) => {
    expect(
      fc.check(soundness(check, everyOperator()), { seed: 16, numRuns: 6_000, endOnFailure: true }).failed,
    ).toBe(true);
  });
});

/** Checks wrongly: accepts, as it is, what only issues of this code speak against. */
function overlooking(code: string, json: unknown): Result<Graph, Issue[]> {
  const checked = checkGraph(json);
  if (checked.ok || checked.error.some((issue) => issue.code !== code)) return checked;
  const trusted: Graph = JSON.parse(JSON.stringify(json));
  return { ok: true, value: trusted };
}

/** Checks wrongly: is right in what it refuses, wrong in what it says. */
function refusing(json: unknown, change: (issues: Issue[]) => Issue[]): Result<Graph, Issue[]> {
  const checked = checkGraph(json);
  return checked.ok ? checked : { ok: false, error: change(checked.error) };
}

function unescaped(issues: Issue[]): Issue[] {
  return issues.map((issue) => ({
    ...issue,
    pointer: issue.pointer.replaceAll("~1", "/").replaceAll("~0", "~"),
  }));
}
