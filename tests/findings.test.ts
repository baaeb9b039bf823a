import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { bundledEngine, findings } from "../conformance/index.ts";
import type { Engine } from "../engines/index.ts";
import { judge } from "../oracle/index.ts";
import { checkQuestionText } from "../spec/index.ts";

const document = readFileSync(new URL("../docs/findings.md", import.meta.url), "utf8");
const engines = new Map<string, Engine>();

/** The engine, started once; `undefined` where it is not installed. */
async function started(name: string): Promise<Engine | undefined> {
  const known = engines.get(name);
  if (known !== undefined) return known;
  const outcome = await bundledEngine(name)?.start({});
  if (outcome?.kind === "missing") return undefined;
  if (outcome?.kind !== "started") throw new Error(`${name} did not start`);
  engines.set(name, outcome.engine);
  return outcome.engine;
}

afterAll(async () => {
  for (const engine of engines.values()) await engine[Symbol.asyncDispose]();
});

// An upgrade that mends a fault fails here: then docs/findings.md must say so.
describe("the findings", () => {
  for (const finding of findings) {
    test(`${finding.name} still stands`, async ({ skip }) => {
      const path = new URL(`../conformance/suites/findings/${finding.name}.json`, import.meta.url);
      const question = checkQuestionText(readFileSync(path, "utf8"));
      if (!question.ok) throw new Error(JSON.stringify(question.error));
      const engine = await started(finding.engine);
      if (engine === undefined) return skip(`${finding.engine} is not installed`);
      const verdict = await judge(engine, question.value.case, { dtype: finding.dtype, shrinkBudget: 0 });
      expect(verdict.kind).toBe(finding.verdict);
      if (verdict.kind === "disagrees") expect(verdict.witness.blame.op).toBe(finding.blames);
    });
  }

  test("are each in the document, with the line that reproduces it", () => {
    for (const { name, engine, dtype } of findings) {
      expect(document).toContain(
        `replay conformance/suites/findings/${name}.json -e ${engine} --dtype ${dtype}`,
      );
    }
    for (const [, path = ""] of document.matchAll(/replay (conformance\/\S+\.json)/g)) {
      expect([path, existsSync(new URL(`../${path}`, import.meta.url))]).toEqual([path, true]);
    }
  });
});
