import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { readKnown } from "../conformance/index.ts";
import { present } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { resolved } from "./pages.test.kit.ts";

const root = new URL("..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");
const pages = [
  "README.md",
  ...readdirSync(new URL("docs", root))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Returns the blocks of a page that are marked so. */
function blocksOf(page: string, language: string): string[] {
  return [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, block = ""]) => block,
  );
}

/** A page's code takes names as `given` before it; behind it the conditions of `holds` must be true. */
interface Around {
  readonly given: string;
  /** Conditions in JavaScript. */
  readonly holds: readonly string[];
}

const product = `import { graph as build, nodeId } from "adjudge/spec";
  const graph = build(({ input }) => input("x").multiply(input("y")));
  const [x, y, last] = [0, 1, 2].map(nodeId);`;

/** All blocks of a page are one program, with this around it. */
const arounds = new Map<string, Around>([
  [
    "README.md",
    {
      given: `import { interpreterEngine } from "adjudge/engines";
        const myEngine = interpreterEngine();`,
      holds: ['typeof expectGradients(myEngine).toAgree === "function"'],
    },
  ],
  [
    "docs/tour.md",
    {
      given:
        "const [q, k, v, cotangent] = [1, 2, 3, 4].map((s) => Float64Array.from({ length: 32 }, (_, i) => Math.sin(s * i)));",
      holds: [
        `attention.nodes.some(({ op }) => op === "softmax")`,
        "[qBar, kBar, vBar].every((x) => x.length === 32 && x.some((one) => one !== 0))",
      ],
    },
  ],
  [
    "docs/derivatives.md",
    {
      given: product,
      holds: ["derived.ok", "derived.value.seeds.length === 1", "derived.value.results.length === 2"],
    },
  ],
  [
    "docs/engines.md",
    {
      given: `const w = Float64Array.of(1, -1, 2);
        const x = Float64Array.from({ length: 300 }, (_, i) => Math.sin(i));
        const y = Float64Array.from({ length: 100 }, (_, i) => i % 2);`,
      holds: ["wBar.length === 3", "wBar.every((one) => Number.isFinite(one) && one !== 0)"],
    },
  ],
  [
    "docs/functions.md",
    {
      given: "",
      holds: ["await expectGradients({ vjp: ([x]) => [x.data] }).of(meaning).then(() => false, () => true)"],
    },
  ],
  ["docs/lifetimes.md", { given: product, holds: ["found.ok"] }],
  [
    "docs/optimisers.md",
    { given: "", holds: ["optimiser.procedures.length > 0", "step.procedures.length > 0"] },
  ],
  [
    "docs/programs.md",
    {
      given: "",
      holds: ["halving.procedures.length === 1", "[execute, functionalise, record, sweepUnder].length === 4"],
    },
  ],
  [
    "docs/tapes.md",
    {
      given: `${product.replace("[x, y, last]", "[, , last]")}
        const x = [{ shape: [], data: [3] }, { shape: [], data: [5] }];
        const environment = new Map();
        const seed = new Map([[last, { shape: [], data: [1] }]]);`,
      holds: ["subject.ok"],
    },
  ],
]);

/** Pages whose code a test of its own runs, and that test. */
const elsewhere = new Map([
  ["docs/judging.md", "judging.test.ts"],
  ["docs/protocol.md", "../conformance/protocol/document.test.ts"],
]);

/** These pages quote a line of a table, not a program; the table must contain it. */
const quoted = new Map([["docs/derivatives.md", "spec/derivatives/arithmetic.ts"]]);

// Inside the project, where the packages that examples import are found.
const cache = fileURLToPath(new URL("node_modules/.cache", root));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "examples-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program, and returns what it prints. Rejects where it fails. */
async function printedBy(name: string, code: string): Promise<string> {
  const file = join(folder, `${name.replaceAll("/", "-")}.mjs`);
  writeFileSync(file, resolved(code));
  const env = { ...process.env, NO_COLOR: "1" };
  return (await promisify(execFile)(process.execPath, [file], { env })).stdout;
}

/** Returns the program that a page's blocks are, with what stands around them. */
function programOf(page: string, { given, holds }: Around): string {
  const fragment = quoted.has(page) ? 1 : 0;
  const code = blocksOf(page, "ts").slice(fragment).join("\n");
  const checks = holds.map(
    (condition) => `if (!(${condition})) throw new Error(${JSON.stringify(condition)});`,
  );
  return [given, code, ...checks].join("\n");
}

describe("the code of the pages", () => {
  test("is that of README and documents that a test runs", () => {
    const withCode = pages.filter((page) => blocksOf(page, "ts").length > 0);
    expect(withCode.toSorted()).toEqual([...arounds.keys(), ...elsewhere.keys()].toSorted());
  });

  test.each(
    sampled("pages", [...arounds], 2),
  )("of %s runs, and what it makes is as it has to be", async (page, around) => {
    const program = programOf(page, around);
    expect(await printedBy(page, program)).toMatch(program.includes("console.log") ? /./ : /^$/);
  });

  test("would be seen to fail", async () => {
    const { given } = present(arounds.get("docs/engines.md"), "a page");
    const program = programOf("docs/engines.md", { given, holds: ["wBar.length === 4"] });
    await expect(printedBy("failing", program)).rejects.toThrow(/wBar\.length === 4/);
  });

  test.each([...quoted])("of %s quotes a line of %s", (page, source) => {
    const [line = ""] = blocksOf(page, "ts");
    expect(line.trim()).not.toBe("");
    expect(read(source)).toContain(line.trim());
  });
});

test("the list of known failures in docs/judging.md is one", () => {
  const blocks = blocksOf("docs/judging.md", "json");
  const lists = blocks.filter((block) => block.includes("adjudge.known.v1")).map(readKnown);
  expect(lists).toEqual([
    { ok: true, value: [expect.objectContaining({ engine: "PyTorch", operator: "det" })] },
  ]);
});
