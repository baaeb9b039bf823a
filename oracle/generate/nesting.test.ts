import { describe, expect, test } from "vitest";
import { type Node, type NodeOf, shapesOf } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { campaign } from "./campaign.ts";
import { nestedProfile } from "./profile.ts";

type Differentiate = NodeOf<"differentiate">;

function derivativesIn(nodes: readonly Node[]): readonly Differentiate[] {
  return nodes.flatMap((node) => (node.op === "differentiate" ? [node] : []));
}

function levelsOf({ attributes }: Differentiate): number {
  return 1 + Math.max(0, ...derivativesIn(attributes.graph.nodes).map(levelsOf));
}

/** Names the modes of a derivative and of one within it, such as `vjp of jvp`. */
function ordersOf({ attributes }: Differentiate): readonly string[] {
  return derivativesIn(attributes.graph.nodes).flatMap((within) => [
    `${attributes.mode} of ${within.attributes.mode}`,
    ...ordersOf(within),
  ]);
}

/** Names what a derivative contains that engines are known to confuse. */
function facetsOf(node: Differentiate): readonly string[] {
  const { graph, mode, of, wrt } = node.attributes;
  const shapes = shapesOf(graph);
  const read = graph.nodes.flatMap(({ parents }) => parents);
  const facets: readonly (readonly [string, boolean])[] = [
    [`${mode}`, true],
    [`levels ${levelsOf(node)}`, true],
    ["of another id than the last", of < shapes.length - 1],
    ["with respect to another input than the first", wrt > 0],
    ["captured value", graph.inputs.length > 1],
    ["same operand twice", new Set(node.parents).size < node.parents.length],
    ["same operand twice within", graph.nodes.some(({ parents }) => new Set(parents).size < parents.length)],
    ["two readers within", new Set(read).size < read.length],
    ["stop_gradient within", graph.nodes.some(({ op }) => op === "stop_gradient")],
    ["entry of Δ within", graph.environment.length > 0],
  ];
  return [...facets.flatMap(([name, holds]) => (holds ? [name] : [])), ...ordersOf(node)];
}

/** Counts the cases in which each facet occurs. */
function census(questions: Iterable<Case>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { graph } of questions) {
    for (const facet of new Set(derivativesIn(graph.nodes).flatMap(facetsOf))) {
      counts.set(facet, (counts.get(facet) ?? 0) + 1);
    }
  }
  return counts;
}

const COUNT = 300;

/** Each facet must occur in at least this many of {@link COUNT} cases. */
const floors = new Map([
  ["vjp", 120],
  ["jvp", 110],
  ["levels 1", 150],
  ["levels 2", 90],
  ["levels 3", 30],
  ["of another id than the last", 15],
  ["with respect to another input than the first", 45],
  ["captured value", 90],
  ["same operand twice", 60],
  ["same operand twice within", 80],
  ["two readers within", 100],
  ["stop_gradient within", 30],
  ["entry of Δ within", 12],
  ["vjp of vjp", 30],
  ["vjp of jvp", 30],
  ["jvp of vjp", 30],
  ["jvp of jvp", 25],
]);

/** Lists the facets that occur less often than they must. */
function rare(questions: readonly Case[]): readonly string[] {
  const counts = census(questions);
  return [...floors].filter(([name, floor]) => (counts.get(name) ?? 0) < floor).map(([name]) => name);
}

describe("the profile nested", () => {
  const drawn = [...campaign(nestedProfile, 7, COUNT)];

  test("draws often enough whatever confuses nested levels", () => {
    expect(rare(drawn)).toEqual([]);
  });

  test("would be found too thin without derivatives of derivatives, or in one mode", () => {
    const every = (holds: (node: Differentiate) => boolean): readonly Case[] =>
      drawn.filter(({ graph }) => derivativesIn(graph.nodes).every(holds));
    const flat = rare(every((node) => levelsOf(node) === 1));
    expect(flat).toEqual(
      expect.arrayContaining([
        "levels 2",
        "levels 3",
        "vjp of vjp",
        "vjp of jvp",
        "jvp of vjp",
        "jvp of jvp",
      ]),
    );
    const forward = rare(every(({ attributes }) => attributes.mode === "jvp"));
    expect(forward).toEqual(expect.arrayContaining(["vjp", "vjp of vjp", "vjp of jvp"]));
  });

  test("would be found too thin without captured values, or of the last id alone", () => {
    const closed = drawn.filter(({ graph }) =>
      derivativesIn(graph.nodes).every(({ attributes }) => attributes.graph.inputs.length === 1),
    );
    expect(rare(closed)).toContain("captured value");
    const whole = drawn.filter(({ graph }) =>
      derivativesIn(graph.nodes).every((node) => !facetsOf(node).includes("of another id than the last")),
    );
    expect(rare(whole)).toContain("of another id than the last");
  });
});
