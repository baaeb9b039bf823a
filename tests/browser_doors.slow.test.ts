import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launched, unlessThere } from "../conformance/report/formats/page/chromium.test.kit.ts";

const door = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Bundles a script of somebody's page, which opens doors of the package by their paths here. */
async function bundled(script: string): Promise<string> {
  const name = "\0page";
  const build = await rolldown({
    input: name,
    platform: "browser",
    logLevel: "silent",
    plugins: [
      {
        name: "page",
        resolveId: (id) => (id === name ? id : undefined),
        load: (id) => (id === name ? script : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  await build.close();
  return output[0].code;
}

const vector = readFileSync(door("../docs/examples/dimensions/newton.adj"), "utf8");

describe.skipIf(chromiumPath === undefined)(`in Chromium${unlessThere}`, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launched();
    page = await browser.newPage();
  });
  afterAll(() => browser.close());

  /** Runs a page's script, which leaves its answer in `answer`. */
  async function ran(script: string): Promise<unknown> {
    await page.goto("about:blank");
    await page.addScriptTag({ type: "module", content: await bundled(script) });
    await page.waitForFunction("globalThis.answer !== undefined");
    return page.evaluate("globalThis.answer");
  }

  test("adjudge/spec builds, checks and writes cases, in base64 too", async () => {
    const answer = await ran(`
      import { checkCase, checkGraph, encodeCase, graph, parseJson } from "${door("../spec/index.ts")}";
      const square = graph(({ input }) => { const x = input("x", [2]); x.multiply(x); });
      const tensor = { shape: [2], data: Float64Array.of(0.5, -3) };
      const question = { graph: square, point: { inputs: [tensor], environment: new Map() }, tangents: [tensor], seeds: [] };
      const written = JSON.stringify(encodeCase(question, "base64"));
      const read = parseJson(written);
      const again = checkCase(read.value);
      globalThis.answer = [again.ok && [...again.value.point.inputs[0].data], checkGraph({}).ok];`);
    expect(answer).toEqual([[0.5, -3], false]);
  });

  test("adjudge/text reads texts, and shows what is wrong with them", async () => {
    const answer = await ran(`
      import { frameOf, readText } from "${door("../spec/text/index.ts")}";
      const read = readText(${JSON.stringify(vector)});
      const wrong = readText("graph f(x)\\n  tahn(x)\\n");
      globalThis.answer = [read.ok && read.value.length, frameOf("f", "graph f(x)\\n  tahn(x)\\n", wrong.error[0])[3]];`);
    expect(answer).toEqual([4, "2 |   tahn(x)"]);
  });

  test("adjudge/compile compiles a gradient", async () => {
    const answer = await ran(`
      import { graph } from "${door("../spec/index.ts")}";
      import { compile } from "${door("../engines/compile/browser.ts")}";
      const f = graph(({ input }) => { const x = input("x"); x.exp().multiply(x); });
      globalThis.answer = compile(f).gradient(Float64Array.of(1)).map(([slope]) => slope);`);
    expect(answer).toEqual([expect.closeTo(2 * Math.E, 12)]);
  });
});
