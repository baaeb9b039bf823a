import { readFileSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { nodeProblem, oldestNode } from "./node_version.ts";

test.each(["24.2.0", "24.21.0", "25.0.0", process.versions.node])("Node %s is new enough", (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

test.each(["20.20.2", "22.18.0", "24.1.0", "8.0.0"])("Node %s is told to be too old", (version) => {
  expect(nodeProblem(version)).toContain(`needs Node ${oldestNode} or newer; this is ${version}`);
});

test("package.json asks for the same Node", () => {
  const json: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(json).toMatchObject({ engines: { node: `>=${oldestNode}` } });
});
