import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { defaultTime } from "../cli/campaign/run.ts";
import { ENOUGH_CASES } from "../oracle/index.ts";

const page = readFileSync(new URL("../docs/judging.md", import.meta.url), "utf8");

test("the code of docs/judging.md runs, and prints what stands under it", () => {
  const [, code = "", output = ""] = /```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), "adjudge-judging-"));
  try {
    const file = join(folder, "example.mjs");
    const resolved = code.replace(/"adjudge\/(.*)"/g, (_, room) =>
      JSON.stringify(new URL(`../${room}/index.ts`, import.meta.url)),
    );
    writeFileSync(file, resolved);
    const env = { ...process.env, NO_COLOR: "1" };
    const printed = execFileSync(process.execPath, [file], { encoding: "utf8", env });
    expect(printed).toBe(output);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("docs/judging.md names the numbers that the code goes by", () => {
  const words = page.replaceAll(/\s+/g, " ");
  expect(ENOUGH_CASES).toBe(100);
  expect(words).toContain("half of the cases asked for were decided, or a hundred of them");
  expect(words).toContain(
    `it is ${defaultTime.seconds}, and for a slow engine up to ${defaultTime.patience}`,
  );
});
