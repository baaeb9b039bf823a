import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rewrites } from "./compile/plan/rewrite.ts";

const page = readFileSync(new URL("../docs/engines.md", import.meta.url), "utf8");

test("docs/engines.md tells every rewrite, as the planner states it", () => {
  const told = [...page.matchAll(/^\| `(\w+)` \| (.+) \| .+ \|$/gm)].map(([, name, statement]) => [
    name,
    statement,
  ]);
  expect(told).toEqual(Object.entries(rewrites).map(([name, { statement }]) => [name, statement]));
});
