import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Case, judge } from "../../oracle/index.ts";
import type { DataType } from "../../spec/index.ts";
import { suiteData } from "../corpus/suite.ts";
import { ProcessEngine } from "../runner/engine.ts";
import { bundledEngine, positModule } from "./bundled.ts";
import type { PositCrate } from "./posit_crates.ts";

const isBuilt = existsSync(positModule());
const note = isBuilt
  ? ""
  : " (skipped: cargo build --release --target wasm32-unknown-unknown --manifest-path conformance/testees/posit_crates/Cargo.toml)";

const vectors = [...suiteData()].flatMap(([path, vector]) =>
  path.startsWith("posits/") ? [{ ...vector, name: path.slice("posits/".length) }] : [],
);

const find = (name: string): Case =>
  vectors.find((vector) => vector.name === name)?.case ?? expect.unreachable(name);

describe.skipIf(!isBuilt).each<readonly [string, PositCrate]>([
  ["fast-posit", "fast_posit"],
  ["softposit", "softposit"],
])(`the crate %s${note}`, (name, crate) => {
  const held: { engine?: ProcessEngine } = {};
  const engine = (): ProcessEngine => held.engine ?? expect.unreachable("it was started");

  beforeAll(async () => {
    const script = fileURLToPath(new URL("./posit_crates.ts", import.meta.url));
    const argv = [process.execPath, script, positModule(), crate] as const;
    const started = await ProcessEngine.start({ argv }, { requestMilliseconds: 2000 });
    if (started.ok) held.engine = started.value;
  });
  afterAll(() => held.engine?.[Symbol.asyncDispose]());

  const kindOf = async (question: Case, dtype: DataType): Promise<string> =>
    (await judge(engine(), question, { dtype, laws: [], shrinkBudget: 0 })).kind;

  test("is asked by its name, and says which version it is", async () => {
    expect(engine().describe()).toMatchObject({ name: crate, language: "Rust" });
    const started = await bundledEngine(name)?.start({});
    expect(started?.kind).toBe("started");
    if (started?.kind === "started") await started.engine[Symbol.asyncDispose]();
  });

  // An upgrade that mends a fault fails here; then docs/findings.md must say so.
  test("has the faults that docs/findings.md tells of, and no others in posit32", async () => {
    for (const { name: vector, case: question } of vectors) {
      const isWrong = crate === "softposit" && vector === "products_near_the_greatest";
      expect([vector, (await kindOf(question, "posit32")) === "disagrees"]).toEqual([vector, isWrong]);
    }
    if (crate === "fast_posit") {
      expect(await kindOf(find("far_below_a_tie"), "posit8")).toBe("disagrees");
      expect(await kindOf(find("sums_on_thresholds"), "posit8")).toBe("agrees");
    } else {
      expect(await kindOf(find("sums_on_thresholds"), "posit8")).toMatch(/disagrees|crashed/);
    }
  });
});
