import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";

/** The path of Chromium, which Debian names so, and other systems otherwise; `undefined` where it is not. */
export const chromiumPath: string | undefined = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** Stands behind the title of tests that need it. */
export const unlessThere: string =
  chromiumPath === undefined ? " (skipped: there is no chromium on the path)" : "";

export function launched(): Promise<Browser> {
  // Chromium has no sandbox for root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: chromiumPath ?? "", args });
}

/** Returns the barriers that axe finds in a page, each with the elements that have it. */
export async function barriersIn(page: Page): Promise<readonly (readonly [string, readonly string[]])[]> {
  // A page's policy allows only its own script, but the driver may evaluate others.
  await page.evaluate(axe.source);
  const { violations, passes }: axe.AxeResults = JSON.parse(
    await page.evaluate("axe.run().then(JSON.stringify)"),
  );
  if (passes.length < 10) throw new Error("axe looked at hardly anything");
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}
