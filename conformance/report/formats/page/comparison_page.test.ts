import { describe, expect, test } from "vitest";
import { description, disagreement } from "../../sections.test.kit.ts";
import type { PageIndex } from "./browser/data.ts";
import { comparisonHtml } from "./comparison_page.ts";
import { layOutGraphs } from "./layout.ts";
import { blamedSection, elementsOf, embedded, foreignReport, reportOf, textOf } from "./page.test.kit.ts";

const layOut = await layOutGraphs();
const crash = { kind: "crashed", message: "no memory" } as const;
const [good, bad] = [reportOf(blamedSection([])), reportOf(blamedSection([disagreement(0)]))];
const worse = reportOf(blamedSection([disagreement(0), crash]));

const titleOf = (html: string): string =>
  elementsOf(html)
    .filter(({ tagName }) => tagName === "h1")
    .map(textOf)
    .join();
const rowsOf = (html: string): PageIndex["rows"] => {
  const index: PageIndex = JSON.parse(JSON.stringify(embedded(html, "index")));
  return index.rows;
};

describe("the page of a comparison", () => {
  test("says how many faults are new, and lists each by what became of it", () => {
    const html = comparisonHtml(bad, worse, layOut);
    expect(titleOf(html)).toBe("✗ 1 new fault");
    expect(rowsOf(html).map(({ kind, group, title }) => [kind, group, title])).toEqual([
      ["new", "new", "no memory"],
      ["same", "as before", "sum value"],
    ]);
    expect(titleOf(comparisonHtml(bad, good, layOut))).toBe("✓ No new fault");
    expect(rowsOf(comparisonHtml(bad, good, layOut)).map(({ kind }) => kind)).toEqual(["mended"]);
  });

  test("finds faults by the engines of the later report, wherever the earlier one has them", () => {
    const other = blamedSection([], { label: "two", description: { ...description, name: "another" } });
    const after = reportOf(other, blamedSection([]));
    expect(rowsOf(comparisonHtml(bad, after, layOut)).map(({ sections }) => sections)).toEqual([[1]]);
  });

  test("shows a mended fault by the report that had it", () => {
    const html = comparisonHtml(bad, good, layOut);
    expect(embedded(html, "block-0")).toMatchObject([
      { numbers: { got: "NaN" }, replays: [expect.any(String)] },
    ]);
  });

  test("tabulates each engine before and after", () => {
    const html = comparisonHtml(good, worse, layOut);
    const [row] = elementsOf(html).filter(
      (one) => one.tagName === "tr" && textOf(one).startsWith("adjudge interpreter"),
    );
    const cells = (row?.childNodes ?? []).map(textOf);
    expect(cells.slice(0, 5)).toEqual([
      ...["adjudge interpreter, float64", "– broken promises → ✗ disagrees", "0.1.0", "1", "0 → 2"],
    ]);
  });

  test("says so where no engine is in both reports", () => {
    expect(titleOf(comparisonHtml(good, reportOf(), layOut))).toBe("– No engine is in both reports");
  });

  test("shows what engines say as text", () => {
    const foul = "</script><img src=x onerror=alert(1)>";
    const shapeOf = (name: string): unknown[] =>
      elementsOf(comparisonHtml(foreignReport(name), foreignReport(name), layOut)).map(
        ({ tagName, attrs }) => [tagName, attrs.map((one) => one.name)],
      );
    expect(shapeOf(foul)).toEqual(shapeOf("a name"));
  });
});
