import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findings } from "../conformance/index.ts";
import { interpreterEngine } from "../engines/index.ts";
import { judge } from "../oracle/index.ts";
import { checkQuestionText } from "../spec/index.ts";
import { goldenFiles, readGolden } from "./golden.ts";

describe("generated files", () => {
  test.each([...goldenFiles()])("%s is what npm run golden writes", async (path, text) => {
    expect(await readGolden(path)).toBe(text);
  });

  test("no vector of the suite has lost its source", () => {
    const suites = fileURLToPath(new URL("../conformance/suites", import.meta.url));
    const onDisk = readdirSync(suites, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => `conformance/suites/${name.replaceAll("\\", "/")}`);
    const written = ["catalogue.json", "kills.json"].map((name) => `conformance/suites/${name}`);
    expect(onDisk.filter((path) => !goldenFiles().has(path)).sort()).toEqual(written);
  });
});

describe("the suite", () => {
  const only = new Map(
    findings.map(({ name, dtype }) => [`conformance/suites/findings/${name}.json`, dtype]),
  );
  const cases = [...goldenFiles()].filter(([path]) => path.startsWith("conformance/suites/"));

  test.each(cases)("%s is decided for the interpreter, which agrees", async (path, text) => {
    const checked = checkQuestionText(text);
    if (!checked.ok) throw new Error(JSON.stringify(checked.error));
    const precision = only.get(path);
    for (const dtype of precision === undefined ? (["float64", "float32"] as const) : [precision]) {
      const verdict = await judge(interpreterEngine(), checked.value.case, { dtype });
      expect([path, dtype, verdict.kind]).toEqual([path, dtype, "agrees"]);
    }
  });

  test("has no case on which the interpreter is accused in any precision", async () => {
    for (const [path, text] of cases) {
      const checked = checkQuestionText(text);
      if (!checked.ok) throw new Error(path);
      for (const dtype of ["float64", "float32"] as const) {
        const verdict = await judge(interpreterEngine(), checked.value.case, { dtype });
        expect([path, dtype, verdict.kind]).not.toContain("disagrees");
      }
    }
  });
});
