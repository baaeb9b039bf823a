import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  barriersIn,
  chromiumPath,
  launched,
  unlessThere,
} from "../conformance/report/formats/page/chromium.test.kit.ts";
import { packed } from "./address.ts";
import { buildPlayground, examples } from "./build.ts";

const third = "graph f(x)\n  y = x * x / 3\nat x = 1\n";

describe.skipIf(chromiumPath === undefined)(`the playground in Chromium${unlessThere}`, () => {
  let browser: Browser;
  let folder = "";
  const faults: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "adjudge-playground-"));
    await buildPlayground(join(folder, "playground.html"));
    browser = await launched();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });

  interface Look {
    readonly hash?: string;
    readonly scheme?: "light" | "dark";
    readonly width?: number;
  }

  /** Opens the page. Any word on the console, and any request to a network, is a fault. */
  async function opened({ hash = "", scheme = "light", width = 1400 }: Look = {}): Promise<Page> {
    const viewport = { width, height: width < 500 ? 844 : 900 };
    const page = await (await browser.newContext({ colorScheme: scheme, viewport })).newPage();
    page.on("pageerror", ({ message }) => faults.push(message));
    page.on("console", (message) => faults.push(message.text()));
    page.on("request", (request) => {
      if (!/^(?:file|blob):/.test(request.url())) faults.push(request.url());
    });
    await page.goto(`${pathToFileURL(join(folder, "playground.html"))}${hash}`);
    await answered(page);
    return page;
  }

  /** Waits until what the editor holds has its answer. */
  async function answered(page: Page): Promise<void> {
    await page.locator("#results[aria-busy=false]").waitFor({ state: "attached" });
  }

  async function written(page: Page, text: string, shows: string): Promise<void> {
    await page.getByRole("textbox").fill(text);
    await answered(page);
    expect(await page.locator("body").innerText()).toContain(shows);
  }

  const results = (page: Page): Promise<string> => page.locator("#results").innerText();

  test("answers the first example, and what is typed", async () => {
    const page = await opened();
    expect(await page.locator("#summary").innerText()).toMatch(/gradient of x\s+6\s+exactly/);
    await written(page, third, "2/3");
    expect(await page.locator("#derived").innerText()).toContain("graph vjp(");
    await page.getByText("As theorems for Lean").click();
    expect(await page.locator("#lean").innerText()).toContain("theorem");
    expect(faults).toEqual([]);
  });

  test("marks mistakes where they are written, keeps the last results, and leads to the place", async () => {
    const page = await opened();
    await written(page, third.replace("x * x", "x * q"), "1 mistake");
    expect(await page.locator("mark").allTextContents()).toEqual(["q"]);
    expect(await page.locator("#faults").innerText()).toContain("2 |   y = x * q / 3");
    expect(await results(page)).toContain("exactly");
    await page.getByRole("button", { name: "Go there" }).click();
    const selected = await page.evaluate(() => globalThis.getSelection()?.toString());
    expect(selected).toBe("q");
    await written(page, third, "No mistakes");
    expect(await page.locator("mark").count()).toBe(0);
    expect(faults).toEqual([]);
  });

  test("the drawn text lies behind the written one, however far it is scrolled", async () => {
    const page = await opened();
    const long = Array.from({ length: 200 }, (_, i) => `# line ${i} ${"·".repeat(300)}`).join("\n");
    await written(page, `${third}${long}`, "No mistakes");
    const offsets = await page.evaluate(() => {
      const text = document.querySelector("textarea");
      if (text === null) return [];
      text.scrollTop = 1234;
      text.scrollLeft = 567;
      text.dispatchEvent(new Event("scroll"));
      return ["colours", "marks", "numbers"].map((id) => {
        const layer = document.getElementById(id);
        return [
          layer?.scrollTop,
          layer?.scrollLeft,
          layer?.id === "numbers" || layer?.scrollHeight === text.scrollHeight,
        ];
      });
    });
    expect(offsets).toEqual([
      [1234, 567, true],
      [1234, 567, true],
      [1234, 0, true],
    ]);
  });

  test("the address has the text, the precision and the mode, and opens them again", async () => {
    const page = await opened();
    await page.getByLabel("Engine’s precision").selectOption("float32");
    await page.locator("#mode").selectOption("jvp");
    await written(page, third, "graph jvp(x");
    await page.waitForFunction(() => location.hash.includes("jvp"));
    const again = await opened({ hash: await page.evaluate(() => location.hash) });
    expect(await again.getByRole("textbox").inputValue()).toBe(third);
    expect(await again.getByLabel("Engine’s precision").inputValue()).toBe("float32");
    await again.waitForFunction(() =>
      document.getElementById("derived")?.textContent?.startsWith("graph jvp"),
    );
    expect(faults).toEqual([]);
  });

  test("a text of several graphs offers them", async () => {
    const page = await opened();
    await written(page, `${third}graph g(u)\n  u * u * u\nat u = 2\n`, "2/3");
    await page.getByLabel("Which graph").selectOption("g");
    await page.waitForFunction(() => document.getElementById("summary")?.innerText.includes("12"));
    expect(await page.locator("#summary").innerText()).toMatch(/gradient of u\s+12/);
  });

  test("every example has an answer here, as it has in Node", async () => {
    const page = await opened();
    for (const { name } of examples()) {
      await page.getByLabel("Example").selectOption({ label: name });
      await answered(page);
      expect([name, await page.locator("#status").innerText()]).toEqual([
        name,
        expect.stringContaining("No mistakes"),
      ]);
    }
    expect(faults).toEqual([]);
  });

  test("numbers that the text lacks are added by a button", async () => {
    const page = await opened();
    await written(page, "graph f(x: [2])\n  y = x * x\n", "made up");
    await page.getByRole("button", { name: "Add the line" }).click();
    await page.waitForFunction(() => !document.body.innerText.includes("made up"));
    expect(await page.getByRole("textbox").inputValue()).toMatch(/\nat x = \[/);
  });

  test.each(
    Object.entries({
      markup: "<img src=x onerror=alert(1)><script>document.title='run'</script>",
      names: `graph f("<img src=x onerror=alert(1)>", "</script>")\n  "</script>" * 2\n`,
      JSON: `{"format": "<svg onload=alert(1)>"}`,
      size: `graph f(x: [4096, 4096])\n  ${"exp(".repeat(90)}x${")".repeat(90)}\n`,
      depth: `graph f(x)\n  ${"(".repeat(5000)}x\n`,
      characters: "\u0000\u2028\u202e graph",
    }),
  )("a text in the address that wants to be more than a text is not, by its %s", async (_, text) => {
    const hash = `#${await packed({ text, document: "-1", dtype: "<b>", mode: "constructor" })}`;
    const page = await opened({ hash });
    expect(await page.title()).toMatch(/^adjudge/);
    expect(await page.locator("main img, main svg, main script").count()).toBe(0);
    await written(page, third, "2/3");
    expect(faults).toEqual([]);
  });

  test.each([
    { scheme: "light", width: 1400 },
    { scheme: "dark", width: 1400 },
    { scheme: "light", width: 390 },
    { scheme: "dark", width: 390 },
  ] as const)("there is no barrier that axe finds, and nothing is cut: $scheme, $width", async (look) => {
    const page = await opened(look);
    for (const [text, shows] of [
      [
        "graph f(x: [3, 1], w: [8, 3])\n  y = sum(log(relu(w @ x)))\nat x = [[-1], [0], [2]], w = 1\n",
        "No mistakes",
      ],
      ["graph f(q: [4, 8], k: [4, 8])\n  softmax(q @ permute_dims(k, axes=[1, 0]), axis=1)\n", "No mistakes"],
      ["graph f(x: [3])\n  y = tahn(x)\n", "1 mistake"],
    ] as const) {
      await written(page, text, shows);
      await page.evaluate(() => {
        for (const folded of document.querySelectorAll("details")) folded.open = true;
      });
      expect(await barriersIn(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width);
    }
    const [paper] = await page.evaluate(
      () => getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? [],
    );
    expect(Number(paper) > 128).toBe(look.scheme === "light");
  });
});
