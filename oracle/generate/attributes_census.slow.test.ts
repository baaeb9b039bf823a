import { describe, expect, test } from "vitest";
import type { Case } from "../case/case.ts";
import { attributeCorners, attributeCornersIn } from "./attributes_census.ts";
import { campaign } from "./campaign.ts";
import { searchedCase } from "./mix.ts";
import { arrangingProfile, windowsProfile } from "./profile.ts";

/** Lists the corners that none of the cases has. */
function missed(questions: Iterable<Case>): readonly string[] {
  const seen = new Set<string>();
  for (const question of questions) for (const corner of attributeCornersIn(question)) seen.add(corner);
  return attributeCorners.filter((corner) => !seen.has(corner));
}

function* mix(count: number): Iterable<Case> {
  for (let index = 0; index < count; index++) yield searchedCase(7, index);
}

/** Leaves out the cases that have a node of which `holds` is true. */
function* without(
  questions: Iterable<Case>,
  holds: (node: Case["graph"]["nodes"][number]) => boolean,
): Iterable<Case> {
  for (const question of questions) if (!question.graph.nodes.some(holds)) yield question;
}

describe("the corners of attributes", () => {
  test("are named once each", () => {
    expect(new Set(attributeCorners).size).toBe(attributeCorners.length);
    expect(attributeCorners).toContain("sum: all axes, the axes stay");
    expect(attributeCorners).toContain("slice: start beyond, step < −1");
    expect(attributeCorners).not.toContain("concat: 1 operand, of different extents");
  });

  test("all occur in 10,000 cases of the mix, and what occurs is among them", () => {
    const seen = new Set<string>();
    for (const question of mix(10_000)) for (const corner of attributeCornersIn(question)) seen.add(corner);
    expect(attributeCorners.filter((corner) => !seen.has(corner))).toEqual([]);
    expect([...seen].filter((corner) => !attributeCorners.includes(corner))).toEqual([]);
  });

  test("are missed by a generator whose slices go forwards", () => {
    const cases = campaign(arrangingProfile, 7, 1500);
    const ofSlice = (corner: string): boolean => corner.startsWith("slice: ");
    const backwards = attributeCorners.filter((corner) => ofSlice(corner) && corner.includes("−"));
    expect(missed(campaign(arrangingProfile, 7, 1500)).filter(ofSlice)).toEqual([]);
    const thin = without(
      cases,
      (node) => node.op === "slice" && node.attributes.steps.some((step) => step < 0),
    );
    expect(missed(thin).filter(ofSlice)).toEqual(backwards);
  });

  test("are missed by a generator whose axes are never inner ones", () => {
    const flat = campaign({ ...arrangingProfile, maximumRank: 2 }, 7, 1500);
    const ofTake = (corner: string): boolean => corner.startsWith("take: ");
    const inner = attributeCorners.filter((corner) => ofTake(corner) && corner.includes("an inner axis"));
    expect(missed(flat).filter(ofTake)).toEqual(inner);
  });

  test("are missed by a generator whose convolutions have one group", () => {
    const ofConv = (corner: string): boolean => corner.startsWith("conv: ");
    const grouped = attributeCorners.filter((corner) => ofConv(corner) && corner.includes("several groups"));
    const thin = without(
      campaign(windowsProfile, 7, 1500),
      (node) => node.op === "conv" && node.attributes.groups > 1,
    );
    expect(missed(thin).filter(ofConv)).toEqual(grouped);
  });
});
