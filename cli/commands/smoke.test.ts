import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";

const engines = fileURLToPath(new URL("../../conformance/runner/hostile/engines.ts", import.meta.url));

test("smoke tells a cause once, and names the steps that failed alike", async () => {
  const { out } = await adjudge("smoke", "--", process.execPath, engines, "breaks_its_promises");
  expect(out.match(/not today/g)).toHaveLength(1);
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    "more failed as negative float64 evaluate did: negative float64 jvp,",
  );
  expect(out).toMatch(/^✗ \d+ of \d+ steps passed/m);
});
