import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { libraryProject } from "../check.ts";
import { type ChallengeOptions, compareChallenge } from "./challenge.ts";
import { findLean } from "./find.ts";
import { buildLibrary } from "./library.ts";

const own = readFileSync(new URL("../Challenge.lean", import.meta.url), "utf8");
const folder = mkdtempSync(join(tmpdir(), "adjudge-challenge-test-"));
const cache = cacheFolder();
let options: ChallengeOptions;

beforeAll(async () => {
  const lean = await findLean({ log: () => {} });
  if (!lean.ok) throw new Error(lean.error.message);
  const library = await buildLibrary({ ...libraryProject, lean: lean.value, cache });
  if (!library.ok) throw new Error(JSON.stringify(library.error));
  options = { lean: lean.value, cache, library: library.value };
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns what is said of the challenge with some of its text replaced. */
async function messagesOf(changes: readonly (readonly [string, string])[]): Promise<readonly string[]> {
  let text = own;
  for (const [from, to] of changes) {
    expect(text.split(from)).toHaveLength(2);
    text = text.replace(from, to);
  }
  writeFileSync(join(folder, "Challenge.lean"), text);
  const met = await compareChallenge({ ...options, folder });
  return met.ok ? [] : met.error.map(({ message }) => message).sort();
}

describe("Challenge.lean", () => {
  test("says what the library defines and proves", async () => {
    expect(await compareChallenge(options)).toMatchObject({ ok: true, value: { claims: 10 } });
  }, 600_000);

  test("is told of definitions that are changed, and of claims that are no theorem's, by their names", async () => {
    const messages = await messagesOf([
      // A product with its factors swapped.
      ["sumUp shape.size fun i => x.get i * y.get i", "sumUp shape.size fun i => y.get i * x.get i"],
      // The contributions are numbered from one.
      [".ok (contributionsFrom 0 (", ".ok (contributionsFrom 1 ("],
      // A node has its fields in another order.
      ["  requiresGrad : Bool\n  parents : List Nat", "  parents : List Nat\n  requiresGrad : Bool"],
      // With the summands swapped.
      ["δ s + g.backpropAllCtx x δ t", "δ t + g.backpropAllCtx x δ s"],
      // Up to and with the id itself.
      ["∀ c ∈ contributions, c.parent < id", "∀ c ∈ contributions, c.parent ≤ id"],
      // Under a hypothesis.
      ["    a.jvp = b.jvp → a.vjp = b.vjp", "    a.reads = b.reads → a.jvp = b.jvp → a.vjp = b.vjp"],
      // Under a name that no theorem has.
      [
        "def Claims.GraphData.compile_ctx_eq_eval : Prop :=",
        "def Claims.GraphData.compile_is_eval : Prop :=",
      ],
    ]);
    const said = (words: string, names: readonly string[]): readonly string[] =>
      names.map((name) => `${words}: Challenge.${name}`);
    expect(messages).toEqual(
      expect.arrayContaining([
        ...said("is defined otherwise than in the library", ["Tensor.dot", "TapeNode.mk", "tapeNode"]),
        ...said("says another thing than the library's theorem", [
          "Claims.GraphData.compile_is_eval",
          "Claims.Graph.backpropAllCtx_add",
          "Claims.GraphData.compile_backward_pids_lt",
          "Claims.Node.vjp_unique",
        ]),
      ]),
    );
    expect(messages.filter((message) => message.includes("Claims."))).toHaveLength(4);
  }, 600_000);

  test("may import nothing but Lean's Init", async () => {
    const messages = await messagesOf([["public import Init.Grind", "public import Init.Grind\nimport Std"]]);
    expect(messages).toEqual(["It imports Std."]);
  }, 600_000);
});
