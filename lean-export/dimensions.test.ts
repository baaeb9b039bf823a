import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explain } from "../oracle/index.ts";
import { checkUnits, idCount, nodeId, type ObstructionJson } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { type PhysicsLaw, physicsLaws } from "../spec/text/example.test.kit.ts";
import { checkBatch, libraryProject } from "./check.ts";
import { leanObstruction } from "./emit/lean_file.ts";
import { falsehoodIn } from "./falsehood.test.kit.ts";
import type { LeanVerdict } from "./verdict.ts";

/** Finds why the dimensions of an example do not fit. */
function refusalOf({ name, units: json }: PhysicsLaw): ObstructionJson {
  const units = checkUnits(json);
  if (!units.ok) throw new Error(units.error[0]?.message);
  const { graph, declarations } = units.value;
  const explained = explain(graph, declarations, { of: [nodeId(idCount(graph) - 1)], wrt: [] });
  if (!explained.ok || explained.value.dimensions.kind !== "obstructed")
    throw new Error(`${name} is accepted`);
  return explained.value.dimensions.obstruction;
}

/** `kg` and `m` for one value. */
const small: ObstructionJson = {
  says: "",
  left: "kg",
  right: "m",
  bases: ["kg", "m"],
  unknowns: ["x"],
  grounds: [
    {
      says: "",
      reason: "declared",
      times: "1",
      terms: [
        [2, "1"],
        [0, "-1"],
      ],
    },
    {
      says: "",
      reason: "declared",
      times: "-1",
      terms: [
        [2, "1"],
        [1, "-1"],
      ],
    },
  ],
};
const right = leanObstruction(small).text;

const refused = sampled(
  "refusals",
  physicsLaws().filter(({ culprit }) => culprit !== undefined),
  2,
);
const written = new Map(refused.map((law) => [law.name, leanObstruction(refusalOf(law)).text]));

/** These are no proofs, or prove something else than they say. */
const everyAttack: Readonly<Record<string, string>> = {
  "a certificate with another number": right.replace("[1, -1] 0", "[1, -2] 0"),
  "a certificate that is cut short": right.replace("[1, -1] 0", "[1] 0"),
  "no certificate": right.replace("[1, -1] 0", "[] 0"),
  "another base that is none": right.replace("[1, -1] 0", "[1, -1] 2"),
  "equations that can be met": right.replace("(1, -1)", "(0, -1)"),
  "a base that became an unknown": right.replace("bases := 2", "bases := 0"),
  "another statement": right
    .replace("system.Obstructed", "system = system")
    .replace(/obstructed_of.*/, "rfl"),
  "a hypothesis": right
    .replace("dimensions_disagree :", "dimensions_disagree (h : False) :")
    .replace(/obstructed_of.*/, "h.elim"),
  "another system": right.replace(
    "theorem dim",
    "def other : DimensionSystem where\n  bases := 0\n  equations := []\n\ntheorem dim",
  ),
  "a system that is computed": right.replace("bases := 2", "bases := 1 + 1"),
  "equations by a function": right.replace(/equations := \[\n/, "equations := List.map id [\n"),
  "a system of another type": right
    .replace("namespace Trace\n", "namespace Trace\n\nstructure DimensionSystem where\n  bases : Nat\n")
    .replaceAll(": DimensionSystem where", ": Adjudge.DimensionSystem where"),
  "a run's library": right.replace("Adjudge.Dimensions", "Adjudge.Replay"),
  "another claim": right.replaceAll("dimensions_disagree", "run_is_backpropagation"),
};

const attacks = new Map(sampled("attacks", Object.entries(everyAttack), 3));

const verdicts = new Map<string, LeanVerdict>();
const folder = mkdtempSync(join(tmpdir(), "adjudge-dimensions-"));

beforeAll(async () => {
  mkdirSync(join(folder, "Adjudge"));
  const own = join("Adjudge", "Dimensions.lean");
  copyFileSync(join(libraryProject.folder, own), join(folder, own));
  const files = [["right", right] as const, ...written, ...attacks];
  await checkBatch(
    files.map(([name, text]) => ({ name, text })),
    {
      project: { folder, root: "Adjudge" },
      progress: ({ name }, verdict) => verdicts.set(name, verdict),
    },
  );
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an obstruction of dimensions, as a Lean file", () => {
  test("is accepted, with its equations as Lean has them", () => {
    expect(verdicts.get("right")).toMatchObject({
      kind: "accepted",
      seen: {
        statement: "Adjudge.DimensionSystem.Obstructed Trace.system",
        about: {
          kind: "system",
          system: {
            bases: 2,
            equations: [
              [
                { id: 2, times: "1" },
                { id: 0, times: "-1" },
              ],
              [
                { id: 2, times: "1" },
                { id: 1, times: "-1" },
              ],
            ],
          },
        },
      },
    });
  });

  test.each(
    refused.map(({ name }) => name),
  )("%s: the kernel accepts the certificate, and nothing meets what it shows", (file) => {
    const verdict = verdicts.get(file);
    expect(verdict).toMatchObject({ kind: "accepted" });
    if (verdict?.kind === "accepted") expect(falsehoodIn(written.get(file) ?? "", verdict)).toBeUndefined();
  });

  test.each([...attacks])("%s is rejected", (name, text) => {
    expect(text).not.toBe(right);
    expect(verdicts.get(name)).toMatchObject({ kind: "rejected" });
  });
});
