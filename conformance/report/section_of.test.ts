import { describe, expect, test } from "vitest";
import { blamedSection, reportOf } from "./formats/page/page.test.kit.ts";
import { checkReport } from "./section_of.ts";
import { disagreement } from "./sections.test.kit.ts";

const report = reportOf(blamedSection([disagreement(0)]));

/** Changes what a text in the report stands for. */
function changed(from: string, to: string): unknown {
  const text = JSON.stringify(report);
  expect(text).toContain(from);
  return JSON.parse(text.replace(from, to));
}

describe("a report", () => {
  test("reads back as it was written", () => {
    expect(checkReport(JSON.parse(JSON.stringify(report)))).toEqual({ ok: true, value: report });
  });

  test.each([
    ["a node reads what is not there", '"parents":[0]', '"parents":[7]', "/graph/nodes/0/parents/0"],
    ["attributes fit no operand", '"axes":[0]', '"axes":[5]', "/graph/nodes/0"],
  ])("with a case in which %s is refused, with its place", (_, from, to, place) => {
    const refused = checkReport(changed(from, to));
    expect(refused).toMatchObject({
      ok: false,
      error: [{ pointer: expect.stringContaining(`/engines/0/verdicts/0/verdict/witness/case${place}`) }],
    });
  });
});
