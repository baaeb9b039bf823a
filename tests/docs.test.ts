import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { packageVersion } from "../cli/terminal/version.ts";
import { catalogue, programVectors, suiteVectors, tapeVectors } from "../conformance/index.ts";
import { interpreterEngine } from "../engines/index.ts";
import packageJson from "../package.json" with { type: "json" };
import { type Built, buildDocuments, builtDocuments, judgedPage } from "./docs.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

describe("what npm run docs builds", () => {
  test("is named by the pages that send people there, and ignored by git", () => {
    const root = fileURLToPath(new URL("..", import.meta.url));
    const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    const pages = ["README.md", ...docs.map((name) => `docs/${name}`)];
    const text = pages.map((path) => readFileSync(join(root, path), "utf8")).join("\n");
    const places = Object.values(builtDocuments).map(({ path }) => `docs/built/${path}`);
    expect(places.filter((place) => !text.includes(`\`${place}\``))).toEqual([]);
    const ignored = spawnSync("git", ["check-ignore", "docs/built/index.md"], { cwd: root });
    expect(ignored.status).toBe(0);
    expect(packageJson.files).toContain("!docs/built");
  });

  test("is built and published by the workflow", () => {
    const text = readFileSync(new URL("../.github/workflows/ci.yml", import.meta.url), "utf8");
    const { jobs }: { readonly jobs: Readonly<Record<string, { readonly steps: readonly object[] }>> } =
      parseYaml(text);
    expect(jobs.check?.steps).toContainEqual({ run: ".ci/run" });
    expect(jobs.docs?.steps).toContainEqual({ run: "npm run docs" });
    const upload = { name: "docs", path: "docs/built", "if-no-files-found": "error" };
    expect(jobs.docs?.steps.at(-1)).toMatchObject({ with: upload });
  });

  test("is listed in an index, which tells what is there from what is not", async () => {
    const documents: Readonly<Record<string, Built>> = {
      good: { path: "good.md", what: "a page", make: (path) => writeFileSync(path, "good") },
      bad: {
        path: "bad.md",
        what: "no page",
        make: () => {
          throw new Error("it could not be measured");
        },
      },
    };
    const failed = await buildDocuments(["good", "bad", "none"], folder, documents);
    expect(Object.fromEntries(failed)).toEqual({
      bad: "it could not be measured",
      none: "there is no such document; there are good, bad",
    });
    expect(read("index.md")).toContain("| [good.md](good.md) | a page | `npm run docs -- good` |");
    expect(read("index.md")).toContain("| bad.md: not built | no page |");
  });

  test("has a row for each defect of the catalogue, with vectors that are there", async () => {
    expect([...(await buildDocuments(["catalogue"], folder))]).toEqual([]);
    const rows = read("catalogue.md").match(/^\| \[.*$/gm) ?? [];
    expect(rows.map((row) => /^\| \[(\w+)\]/.exec(row)?.[1])).toEqual([...catalogue.keys()]);
    const vectors = rows.flatMap((row) => [...row.matchAll(/`([a-z_]+\/\w+)`/g)].map(([, path]) => path));
    expect(vectors.length).toBeGreaterThan(300);
    const known = new Set([...suiteVectors(), ...programVectors(), ...tapeVectors()].map(([path]) => path));
    expect(vectors.filter((path) => !known.has(path ?? ""))).toEqual([]);
  });

  test("has a page of the versions that are installed, which names no day and no place on a machine", async () => {
    await judgedPage(join(folder, "bundled.html"), 1, ["interpreter", "tfjs"]);
    const text = read("bundled.html");
    const { name, version, dtypes } = interpreterEngine().describe();
    const names = [
      ...dtypes.map((dtype) => `${name} ${version}, ${dtype}`),
      `TensorFlow.js ${packageJson.devDependencies["@tensorflow/tfjs"]}, float32`,
    ];
    const heads = [...text.matchAll(/<th [^>]*scope="row"[^>]*>(.*?)<\/th>/gs)].map(([, head = ""]) =>
      head.replaceAll(/<[^>]*>/g, ""),
    );
    // The names of the engines come first of all rows' heads.
    expect(heads.slice(0, names.length)).toEqual(names);
    expect(text).toContain(packageVersion());
    expect(text).not.toMatch(/\b20\d\d-\d\d-\d\d|\/(?:tmp|home|work|usr|root)\//);
  });
});
