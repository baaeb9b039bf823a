import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { goldenFiles, readGolden } from "./golden.ts";
import { type Phrase, withContents, withCounts, withReplays } from "./told.ts";

const golden = goldenFiles();

describe("generated files", () => {
  test.each([...golden])("%s is what npm run golden writes", async (path, text) => {
    expect(await readGolden(path)).toBe(text);
  });

  test("no vector of the suite has lost its source", () => {
    const suites = fileURLToPath(new URL("../conformance/suites", import.meta.url));
    const onDisk = readdirSync(suites, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:json|adj)$/.test(name))
      .map((name) => `conformance/suites/${name.replaceAll("\\", "/")}`);
    const written = ["catalogue.json", "kills.json"].map((name) => `conformance/suites/${name}`);
    expect(onDisk.filter((path) => !golden.has(path)).sort()).toEqual(written);
  });
});

describe("what pages tell of how many there are", () => {
  const page = "It has **7 findings in\n2 engines**, and 1,234 vectors, and 17 findings.";

  test("is written anew where it is wrong, a number at a time, and stays where it is right", () => {
    const phrases: readonly Phrase[] = [
      ["**# findings in # engines**", 8, 3],
      ["# vectors", 900],
    ];
    const right = "It has **8 findings in\n3 engines**, and 900 vectors, and 17 findings.";
    expect(withCounts(page, phrases)).toBe(right);
    expect(withCounts(right, phrases)).toBe(right);
  });

  test("is missed where the page has other words", () => {
    expect(() => withCounts(page, [["# mutants", 5]])).toThrow('no page says "# mutants" any more');
  });
});

describe("the page of findings", () => {
  const line = "    replay conformance/suites/findings/tfjs.adj#jaxjs_divide -e tfjs --dtype float32\n";
  const known = [{ name: "jaxjs_divide", engine: "jaxjs", dtype: "float64" }] as const;

  test("has the engine and the precision of each case, tells of all, and of no other", () => {
    expect(withReplays(line, known)).toBe(line.replaceAll("tfjs", "jaxjs").replace("float32", "float64"));
    expect(() => withReplays("", known)).toThrow("docs/findings.md does not tell of jaxjs_divide");
    expect(() => withReplays(line, [])).toThrow("the finding jaxjs_divide");
  });

  test("has an index by engine, which counts a finding once, with a link to each heading", () => {
    const [begin, end] = ["<!-- contents: written by npm run golden -->", "<!-- end of contents -->"];
    const vector = "    replay conformance/suites/manners/several.adj#row -e tfjs --dtype float32\n";
    const more = `## A 1.2: more\n\n### Else\n${line}${line.replaceAll("jaxjs_divide", "other")}\n`;
    const body = `\n\n## A 1.2: \`x\`\n\n### It's wrong\n${line}${vector}\n${more}\n## B\n\n### It's wrong\n${line}`;
    const known = [
      { name: "jaxjs_divide", isOfDerivative: false },
      { name: "other", isOfDerivative: true },
    ];
    const written = withContents(`# T\n\n${begin}\nold\n${end}${body}`, known);
    const sections = "[**`x`**](#a-12-x): [It's wrong](#its-wrong) · [**more**](#a-12-more): [Else](#else)";
    expect(written).toContain(`| [A 1.2](#a-12-x) | 2 | 1 | ${sections} |\n| all | 2 | 1 | |\n`);
    expect(written).toContain("| [B](#b) |  |  | [It's wrong](#its-wrong-1) |");
    expect(withContents(written, known)).toBe(written);
    expect(() => withContents("# T\n", known)).toThrow("a page with");
  });
});
