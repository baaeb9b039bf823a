import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { smoke } from "../conformance/runner/index.ts";
import { pythonTestee } from "../conformance/testees/index.ts";

const command = pythonTestee("", "torch");
const missing =
  command === undefined ? " (skipped: python3 conformance/testees/python/setup.py --pytorch)" : "";

test.skipIf(command === undefined)(
  `the adapter of docs/python-adapter.md passes smoke${missing}`,
  async () => {
    const page = readFileSync(new URL("../docs/python-adapter.md", import.meta.url), "utf8");
    const [, text = ""] = /^```python my_torch\.py\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "adjudge-adapter-page-"));
    try {
      writeFileSync(join(folder, "my_torch.py"), text);
      const [python = ""] = command?.argv ?? [];
      const argv = [python, join(folder, "my_torch.py")] as const;
      const report = await smoke(
        { argv, ...(command?.env && { env: command.env }) },
        { exitMilliseconds: 60_000 },
      );
      const failed = report.steps.filter(({ outcome }) => outcome.kind === "failed");
      expect(failed).toEqual([]);
      expect(report.description?.operators.length).toBeGreaterThan(90);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
