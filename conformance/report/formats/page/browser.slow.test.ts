import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { disagreement } from "../../sections.test.kit.ts";
import { comparisonHtml } from "./comparison_page.ts";
import { layOutGraphs } from "./layout.ts";
import {
  blamedSection,
  explainedPage,
  foreignDocuments,
  foreignReport,
  halfWrong,
  manyFindings,
  manyOperators,
  reportOf,
} from "./page.test.kit.ts";
import { htmlPage } from "./page.ts";

/** Debian names it so, other systems otherwise. */
const executablePath = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
const unless = executablePath === undefined ? " (skipped: there is no chromium on the path)" : "";

describe.skipIf(executablePath === undefined)(`in Chromium${unless}`, () => {
  let browser: Browser;
  let folder = "";
  const pages: Page[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "adjudge-page-"));
    const layOut = await layOutGraphs();
    const write = (name: string, report: Parameters<typeof htmlPage>[0], foreign = "a name"): Promise<void> =>
      writeFile(join(folder, `${name}.html`), htmlPage(report, layOut, foreignDocuments(foreign)));
    const crash = { kind: "crashed", message: "no memory" } as const;
    const second = blamedSection([disagreement(2)], { label: "two" });
    await write("few", reportOf(blamedSection([disagreement(0), disagreement(1), crash]), second));
    const [before, after] = [[disagreement(0)], [crash]].map((verdicts) => reportOf(blamedSection(verdicts)));
    if (before !== undefined && after !== undefined)
      await writeFile(join(folder, "compared.html"), comparisonHtml(before, after, layOut));
    await write("many", manyFindings(10_000));
    await write("number", reportOf(blamedSection([halfWrong()])));
    await write("wide", reportOf(manyOperators(blamedSection([disagreement(0)]))));
    await writeFile(join(folder, "explained.html"), await explainedPage());
    const foul = "</script><script>document.title='run'</script><img src=x onerror=alert(1)>";
    await write("foul", foreignReport(foul), foul);
    // Chromium has no sandbox for root.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: executablePath ?? "", args });
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Opens a page; any word on the console and any request to a network is a failure. */
  async function opened(
    name: string,
    hash = "",
    colorScheme: "light" | "dark" = "light",
    viewport = { width: 1200, height: 800 },
  ): Promise<Page> {
    const context = await browser.newContext({ colorScheme, viewport });
    const page = await context.newPage();
    pages.push(page);
    page.on("pageerror", (error) => {
      throw error;
    });
    page.on("request", (request) => expect(request.url()).toMatch(/^(?:file|blob):/));
    // A load's work is counted, since its time would vary.
    await page.addInitScript(() => {
      const [parse, create] = [JSON.parse, document.createElement];
      const work = { parsed: 0, made: 0 };
      Object.assign(globalThis, { work });
      JSON.parse = (text) => {
        work.parsed += 1;
        return parse(text);
      };
      document.createElement = (...asked: Parameters<typeof create>) => {
        work.made += 1;
        return create.apply(document, asked);
      };
    });
    await page.goto(`${pathToFileURL(join(folder, `${name}.html`))}${hash}`);
    return page;
  }

  const heading = (page: Page): Promise<string | null> => page.locator("#detail-title").textContent();
  const told = (page: Page): Promise<string | null> => page.locator("#told").textContent();
  /** A followed link shows only after the browser's `hashchange`, which a click does not wait for. */
  const shown = (page: Page, what: string): Promise<unknown> =>
    page.waitForFunction((text) => document.getElementById("told")?.textContent === text, what);

  test("the list is full and its first finding open once the page is loaded, without a key or a scroll", async () => {
    const page = await opened("many", "", "light", { width: 1200, height: 1600 });
    const { x = 0, y = 0, height = 0 } = (await page.locator("#list").boundingBox()) ?? {};
    expect(height).toBeGreaterThan(600);
    // Every point of the list shows a row or a heading, where a list drawn too early is blank below.
    for (const below of [20, 60, 200, 400, Math.min(height, 1600 - y) - 10]) {
      const text = await page.evaluate(
        ([left = 0, top = 0]) =>
          document.elementFromPoint(left, top)?.closest("#list [role=option], #list .group")?.textContent,
        [x + 50, y + below],
      );
      expect(text, `${below} pixels down`).toBeTruthy();
    }
    expect(await heading(page)).toBe("lost q");
    expect(await page.evaluate(() => location.hash)).toBe("");
  });

  test("a list that filters have emptied is full again when they are cleared", async () => {
    const page = await opened("many");
    const rows = (): Promise<number> => page.getByRole("option").filter({ hasText: "×" }).count();
    const before = await rows();
    await page.getByLabel("Search").fill("nothing has this");
    expect(await page.locator("#detail").textContent()).toBe("No finding fits.");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await shown(page, "10000 findings");
    expect(await rows()).toBe(before);
    expect(await heading(page)).toBe("lost q");
  });

  test("the keyboard alone walks the list, reads a finding and comes back", async () => {
    const page = await opened("few");
    expect(await heading(page)).toBe("sum value");
    for (let steps = 0; steps < 40; steps += 1) {
      if ((await page.evaluate(() => document.activeElement?.id)) === "list") break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("End");
    expect(await heading(page)).toBe("no memory");
    await page.keyboard.press("ArrowUp");
    expect(await heading(page)).toBe("sum value");
    const active = await page.locator("#list").getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("detail-title");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("list");
  });

  test("filters leave the rows that fit, count them, and can be cleared", async () => {
    const page = await opened("few");
    expect(await told(page)).toBe("3 findings");
    await page.getByLabel("Status").selectOption("crashed");
    expect(await told(page)).toBe("1 finding of 3");
    await page.getByLabel("Search").fill("nothing has this");
    expect(await told(page)).toBe("0 findings of 3");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await shown(page, "3 findings");
    await page.locator("#filters").getByLabel("Mode").selectOption("evaluate");
    expect(await told(page)).toBe("2 findings of 3");
    await page.locator("#filters").getByLabel("Engine").selectOption({ index: 2 });
    expect(await told(page)).toBe("1 finding of 3");
  });

  test("findings stand below their operator", async () => {
    const page = await opened("few");
    const texts = await page.locator("#list .group, #list [role=option] .row-title").allTextContents();
    expect(texts.toSorted()).toEqual(["crashes", "no memory", "sum", "value", "value"]);
    const top = (text: string): Promise<number> =>
      page
        .locator("#list .group, #list [role=option]", { hasText: text })
        .first()
        .evaluate((one) => one.getBoundingClientRect().top);
    expect(await top("sum")).toBeLessThan(await top("value"));
    expect(await top("value")).toBeLessThan(await top("crashes"));
    expect(await top("crashes")).toBeLessThan(await top("no memory"));
  });

  test("a link opens its finding, a cell of the matrix its findings, and what is opened can be linked", async () => {
    const page = await opened("few");
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toMatch(/^#finding-\w+/);
    const linked = await opened("few", hash);
    expect(await heading(linked)).toBe("no memory");
    await linked.locator(".matrix a").first().click();
    await shown(linked, "1 finding of 3");
    // A link opens a finding although filters hide it.
    await linked.evaluate((to) => {
      location.hash = to;
    }, hash);
    await shown(linked, "3 findings");
    expect(await heading(linked)).toBe("no memory");
  });

  test("a finding shows its numbers, then its graph with them, and says why", async () => {
    const page = await opened("few");
    expect(await page.locator("#detail h4").allTextContents()).toEqual([
      ...["Given", "Answer at %1[0, 0, 0]", "Graph", "Blame", "Why it is wrong"],
      ...["Declared by the engine", "Replay", "Reproduction"],
    ]);
    expect(await page.locator("#detail .numbers").innerText()).toMatch(/^got\s+NaN\s+want\s+exactly 0$/);
    expect(await page.getByRole("img", { name: "to blame: 1 = sum" }).count()).toBe(1);
    expect(await page.locator(".graph .input .line-given").textContent()).toBe("[0]");
    expect(await page.locator(".graph .blamed text").allTextContents()).toEqual([
      ...["1 = sum ✗ to blame", "[1,1,1] axes=[0] keepdims…", "at %1[0, 0, 0]", "got NaN", "want 0"],
    ]);
    expect(await page.locator(".graph .head").count()).toBe(1);
    expect(await page.locator("#detail").innerText()).toContain("docs/truth.md#");
    const text = page.locator("#detail details", { hasText: "The case as text" }).locator("pre");
    expect(await text.textContent()).toMatch(/^graph f\(x/);
    expect(await page.getByRole("link", { name: /^Save finding-\w+\.adj$/ }).count()).toBe(1);
  });

  test("numbers are decimals, and exact where that is asked for", async () => {
    const page = await opened("number");
    const numbers = page.locator("#detail .numbers");
    expect(await numbers.innerText()).toMatch(/got\s+0\.75\s+want\s+0\.5 ± 5\.6e-17$/);
    await page.getByLabel("exact").check();
    expect(await numbers.innerText()).toMatch(
      /got\s+0\.75 \(0x1\.8p-1\)\s+want\s+0\.5 \(0x1p-1\) ± .*0x1p-54/,
    );
    await page.getByLabel("exact").uncheck();
    expect(await numbers.innerText()).not.toContain("0x");
    expect(await page.locator("#detail").innerText()).toContain(
      "relative error 0.5 where 1.1e-16 is allowed",
    );
  });

  test("the matrix shows operators with a problem first, and keeps its heads in sight", async () => {
    const page = await opened("many");
    const shownRows = (): Promise<string[]> => page.locator(".matrix tbody tr:visible th").allTextContents();
    const some = await opened("wide");
    const rows = some.locator(".matrix tbody tr:visible th");
    expect(await rows.allTextContents()).toEqual(["sum"]);
    await some.getByLabel("only problems").uncheck();
    expect(await rows.count()).toBeGreaterThan(100);
    const box = some.locator(".scrolls", { has: some.locator(".matrix") });
    await box.evaluate((one) => one.scrollTo(0, 1000));
    const [outer, head] = [await box.boundingBox(), await some.locator(".matrix thead").boundingBox()];
    expect(Math.abs((head?.y ?? -99) - (outer?.y ?? 0))).toBeLessThan(3);
    // Where no operator has a problem, all are shown.
    expect((await shownRows()).length).toBeGreaterThan(0);
  });

  test("the obligations wait until they are asked for", async () => {
    const page = await opened("few");
    const table = page.locator("#obligations table");
    expect(await table.isVisible()).toBe(false);
    await page.getByText("Which rules of the reference are proved").click();
    expect(await table.isVisible()).toBe(true);
  });

  test("a telephone shows all columns of the engines, and a link leads to its finding", async () => {
    const page = await opened("many", "", "light", { width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    for (const cell of await page.locator("#engines td[data-head], #laws td, #digits-drawn svg").all()) {
      const box = await cell.boundingBox();
      expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    }
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    const hash = await page.evaluate(() => location.hash);
    const linked = await opened("many", hash, "light", { width: 390, height: 844 });
    const top = await linked.locator("#detail").evaluate((one) => one.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(200);
    // A finding that is chosen by a finger is below the list, and comes into sight.
    await linked.evaluate(() => scrollTo(0, 0));
    await linked.locator("#list [role=option]").last().click();
    expect(await linked.locator("#detail").evaluate((one) => one.getBoundingClientRect().top)).toBeLessThan(
      200,
    );
  });

  test("paper has every finding with its numbers, and no controls", async () => {
    const page = await opened("few");
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    expect(await page.locator("#printed article").count()).toBe(3);
    expect(await page.locator("#printed .numbers").first().isVisible()).toBe(true);
    for (const hidden of ["#filters", "#list", "#detail", "button", ".toggle", "#digits-form"])
      expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false);
    const ids = await page.evaluate(() => [...document.querySelectorAll("[id]")].map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    expect(await page.locator("#printed article").count()).toBe(0);
  });

  test("ten thousand findings are loaded by little work, and drawn as they are seen", async () => {
    const page = await opened("many");
    const work = (): Promise<unknown> => page.evaluate("({...work})");
    expect(await told(page)).toBe("10000 findings");
    expect(await page.getByRole("option").filter({ hasText: "×" }).count()).toBeLessThan(60);
    // A load parses three blocks: the findings listed, the first of them, and the digits of one engine.
    expect(await work()).toMatchObject({ parsed: 3 });
    expect(Number(await page.evaluate("work.made"))).toBeLessThan(600);
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    expect(await heading(page)).toContain("lost ");
    expect(await work()).toMatchObject({ parsed: 4 });
    expect(await page.getByRole("option").filter({ hasText: "×" }).count()).toBeLessThan(60);
  });

  test("the digits of the faulty engine are drawn by mode, and the choice becomes a link", async () => {
    const page = await opened("few");
    const digits = page.locator("#digits");
    const boxes = (): Promise<number> => digits.locator("svg rect").count();
    expect(await digits.locator("svg .name").allTextContents()).toEqual(["sum"]);
    expect([await boxes(), await digits.locator("svg circle").count()]).toEqual([3, 1]);
    expect(await page.locator("#digits-told").textContent()).toBe(
      "1 operator: 6 numbers agree, 2 cases disagree.",
    );
    await digits.getByLabel("Mode").selectOption("vjp");
    expect([await boxes(), await digits.locator("svg circle").count()]).toEqual([1, 0]);
    await digits.getByText("The plot as a table").click();
    expect(await digits.getByRole("row").last().innerText()).toMatch(/^sum\s+2\s+6\s+6\s+5\s+0\s+·$/);
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toBe("#digits=0&mode=vjp");
    const linked = await opened("few", "#digits=1&mode=vjp");
    expect(await linked.locator("#digits-form select").first().inputValue()).toBe("1");
    expect(await linked.locator("#digits svg rect").count()).toBe(1);
    expect(await linked.locator("#told").textContent()).toBe("3 findings");
  });

  test("nothing that an engine says runs as a script", async () => {
    const page = await opened("foul");
    await page.locator("#list").focus();
    for (const key of ["Home", "End"]) {
      await page.keyboard.press(key);
      expect(await page.locator("#detail img").count()).toBe(0);
      expect(await page.locator("#detail").textContent()).toContain("</script>");
    }
    expect(await page.title()).toMatch(/^adjudge: /);
  });

  /** Returns what axe finds. The page's policy allows only its own script, but the driver may run others. */
  async function barriers(page: Page): Promise<unknown[]> {
    await page.evaluate(() => {
      for (const folded of document.querySelectorAll("details")) folded.open = true;
    });
    await page.evaluate(axe.source);
    const { violations, passes }: axe.AxeResults = JSON.parse(
      await page.evaluate("axe.run().then(JSON.stringify)"),
    );
    expect(passes.length).toBeGreaterThan(15);
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  }

  test.each([
    "light",
    "dark",
  ] as const)("a page of an explanation draws its graph, and has no barrier either, %s", async (scheme) => {
    const page = await opened("explained", "", scheme);
    expect(await page.getByRole("table").count()).toBeGreaterThan(5);
    for (const image of await page.getByRole("img").all())
      expect(await image.evaluate((one) => one.getBoundingClientRect().width)).toBeGreaterThan(100);
    expect(await page.locator("svg.graph .box").count()).toBeGreaterThan(5);
    expect(await barriers(page)).toEqual([]);
  });

  test.each([
    "light",
    "dark",
  ] as const)("there is no barrier that axe finds where it is %s, on a telephone neither", async (scheme) => {
    for (const name of ["few", "compared"]) {
      for (const width of [1200, 390]) {
        const page = await opened(name, "", scheme, { width, height: 800 });
        expect(await barriers(page)).toEqual([]);
        const [paper] = await page.evaluate(
          () => getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [],
        );
        expect(Number(paper) > 128).toBe(scheme === "light");
        await page.locator("#list").focus();
        await page.keyboard.press("End");
        expect(await barriers(page)).toEqual([]);
      }
    }
  });

  test("a comparison shows what is new first, and what is mended by its status", async () => {
    const page = await opened("compared");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(/ 1 new fault$/);
    expect(await heading(page)).toBe("no memory");
    await page.getByLabel("Status").selectOption("mended");
    expect(await told(page)).toBe("1 finding of 2");
    expect(await heading(page)).toBe("sum value");
  });
});
