import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../engines/index.ts";
import { judge } from "../oracle/index.ts";
import { checkVectorText } from "../spec/index.ts";
import { goldenFiles, readGolden } from "./golden.ts";

const golden = goldenFiles();

describe("generated files", () => {
  test.each([...golden])("%s is what npm run golden writes", async (path, text) => {
    expect(await readGolden(path)).toBe(text);
  });

  test("no vector of the suite has lost its source", () => {
    const suites = fileURLToPath(new URL("../conformance/suites", import.meta.url));
    const onDisk = readdirSync(suites, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => `conformance/suites/${name.replaceAll("\\", "/")}`);
    const written = ["catalogue.json", "kills.json"].map((name) => `conformance/suites/${name}`);
    expect(onDisk.filter((path) => !golden.has(path)).sort()).toEqual(written);
  });
});

describe("the suite", () => {
  const vectors = [...golden].flatMap(([path, text]) => {
    if (!/^conformance\/suites\/(?!state\/|manners\/).+\/.+\.json$/.test(path)) return [];
    const checked = checkVectorText(text);
    if (!checked.ok) throw new Error(`${path}: ${JSON.stringify(checked.error)}`);
    return [[path, checked.value] as const];
  });

  test.each(vectors)("%s is decided for the interpreter, which agrees", async (_, vector) => {
    const { dtype, flags } = vector;
    const verdict = await judge(interpreterEngine(), vector.case, { dtype });
    const isOpen = flags.includes("undecided") || flags.includes("singular");
    expect(isOpen ? ["agrees", "undecided"] : ["agrees"]).toContain(verdict.kind);
  });

  test("has no vector on which the interpreter is accused in its other precision", async () => {
    for (const [path, { case: question, dtype }] of vectors) {
      const other = dtype === "float64" ? "float32" : "float64";
      const verdict = await judge(interpreterEngine(), question, { dtype: other });
      expect([path, other, verdict.kind]).not.toContain("disagrees");
    }
  });
});
