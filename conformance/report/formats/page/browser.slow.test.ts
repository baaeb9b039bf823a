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
import { layOutGraphs } from "./layout.ts";
import {
  blamedSection,
  explainedPage,
  foreignDocuments,
  foreignReport,
  manyFindings,
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
    await write("many", manyFindings(10_000));
    await writeFile(join(folder, "explained.html"), explainedPage());
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
  async function opened(name: string, hash = "", colorScheme: "light" | "dark" = "light"): Promise<Page> {
    const context = await browser.newContext({ colorScheme, viewport: { width: 1200, height: 800 } });
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

  test("the keyboard alone walks the list, reads a finding and comes back", async () => {
    const page = await opened("few");
    for (let steps = 0; steps < 40; steps += 1) {
      if ((await page.evaluate(() => document.activeElement?.id)) === "list") break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("ArrowDown");
    expect(await heading(page)).toContain("axes=[0]");
    await page.keyboard.press("End");
    expect(await heading(page)).toContain("axes=[>1]");
    await page.keyboard.press("ArrowUp");
    expect(await heading(page)).toBe("no memory");
    const active = await page.locator("#list").getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("detail-title");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("list");
  });

  test("filters leave the rows that fit, count them, and can be reset", async () => {
    const page = await opened("few");
    expect(await told(page)).toBe("4 findings");
    await page.getByLabel("Kind").selectOption("crashed");
    expect(await told(page)).toBe("1 finding of 4");
    await page.getByLabel("Text").fill("nothing has this");
    expect(await told(page)).toBe("0 findings of 4");
    await page.getByRole("button", { name: "Show all" }).click();
    await shown(page, "4 findings");
    await page.locator("#filters").getByLabel("Engine").selectOption({ index: 2 });
    expect(await told(page)).toBe("1 finding of 4");
  });

  test("a link opens its finding, a cell of the matrix its findings, and what is opened can be linked", async () => {
    const page = await opened("few");
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toMatch(/^#finding-\w+/);
    const linked = await opened("few", hash);
    expect(await heading(linked)).toBe(await heading(page));
    await linked.locator(".matrix a").first().click();
    await shown(linked, "2 findings of 4");
    // A link opens a finding although filters hide it.
    await linked.evaluate((to) => {
      location.hash = to;
    }, hash);
    await shown(linked, "4 findings");
    expect(await heading(linked)).toContain("axes=[>1]");
  });

  test("a finding is drawn: its graph with the id to blame, and the answer if it is a number", async () => {
    const page = await opened("few");
    await page.locator("#list").focus();
    await page.keyboard.press("Home");
    expect(await page.getByRole("img", { name: "to blame: 1 = sum" }).count()).toBe(1);
    expect(await page.locator(".graph .blamed").textContent()).toContain("to blame");
    expect(await page.locator(".graph .head").count()).toBe(1);
  });

  test("ten thousand findings are loaded by little work, and drawn as they are seen", async () => {
    const page = await opened("many");
    const work = (): Promise<unknown> => page.evaluate("({...work})");
    expect(await told(page)).toBe("10000 findings");
    expect(await page.getByRole("option").filter({ hasText: "×" }).count()).toBeLessThan(60);
    // A load parses two blocks: the findings listed, and the digits of the engine drawn first.
    expect(await work()).toMatchObject({ parsed: 2 });
    expect(Number(await page.evaluate("work.made"))).toBeLessThan(600);
    await page.locator("#list").focus();
    await page.keyboard.press("End");
    expect(await heading(page)).toContain("kind9995");
    expect(await work()).toMatchObject({ parsed: 3 });
    expect(await page.getByRole("option").filter({ hasText: "×" }).count()).toBeLessThan(60);
  });

  test("the chosen engine's and mode's digits are drawn, and the choice becomes a link", async () => {
    const page = await opened("few");
    const digits = page.locator("#digits");
    const boxes = (): Promise<number> => digits.locator("svg rect").count();
    expect(await digits.locator("svg .name").allTextContents()).toEqual(["sum"]);
    expect([await boxes(), await digits.locator("svg circle").count()]).toEqual([3, 1]);
    expect(await page.locator("#digits-told").textContent()).toBe(
      "1 operator: 6 numbers agree, 2 cases disagree.",
    );
    await digits.getByLabel("Asked").selectOption("vjp");
    expect([await boxes(), await digits.locator("svg circle").count()]).toEqual([1, 0]);
    await digits.getByText("The plot as a table").click();
    expect(await digits.getByRole("row").last().innerText()).toMatch(/^sum\s+2\s+6\s+6\s+5\s+0\s+·$/);
    const hash = await page.evaluate(() => location.hash);
    expect(hash).toBe("#digits=0&mode=vjp");
    const linked = await opened("few", "#digits=1&mode=vjp");
    expect(await linked.locator("#digits-form select").first().inputValue()).toBe("1");
    expect(await linked.locator("#digits svg rect").count()).toBe(1);
    expect(await linked.locator("#told").textContent()).toBe("4 findings");
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

  test.each([
    "light",
    "dark",
  ] as const)("a page of an explanation has no barrier either, %s", async (scheme) => {
    const page = await opened("explained", "", scheme);
    expect(await page.getByRole("table").count()).toBeGreaterThan(5);
    expect(
      await page.getByRole("img").evaluate((image) => image.getBoundingClientRect().width),
    ).toBeGreaterThan(300);
    await page.evaluate(axe.source);
    const { violations }: axe.AxeResults = JSON.parse(await page.evaluate("axe.run().then(JSON.stringify)"));
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  });

  test.each([
    "light",
    "dark",
  ] as const)("there is no barrier that axe finds where it is %s", async (scheme) => {
    const page = await opened("few", "", scheme);
    await page.locator("#list").focus();
    for (const key of ["Home", "End"]) {
      await page.keyboard.press(key);
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll("details")) folded.open = true;
      });
      // The page's policy allows only its own script, but the driver may evaluate others.
      await page.evaluate(axe.source);
      const { violations, passes }: axe.AxeResults = JSON.parse(
        await page.evaluate("axe.run().then(JSON.stringify)"),
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(passes.length).toBeGreaterThan(20);
    }
    const [paper] = await page.evaluate(
      () => getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [],
    );
    expect(Number(paper) > 128).toBe(scheme === "light");
  });
});
