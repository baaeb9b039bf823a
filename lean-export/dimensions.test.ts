import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { explain } from "../oracle/index.ts";
import {
  checkUnits,
  graph,
  idCount,
  type MeasuredGraph,
  nodeId,
  type ObstructionJson,
  undeclared,
} from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";
import { type PhysicsLaw, physicsLaws } from "../spec/text/example.test.kit.ts";
import { type Asked, seenAgainst } from "./against.ts";
import { checkBatch, libraryProject } from "./check.ts";
import { leanObstruction } from "./emit/obstruction.ts";
import { measuredHash } from "./emit/question.ts";
import { falsehoodIn } from "./falsehood.test.kit.ts";
import { showSeen } from "./show_seen.ts";
import type { LeanVerdict } from "./verdict.ts";

interface Refused {
  readonly measured: MeasuredGraph;
  readonly obstruction: ObstructionJson;
}

/** Finds why the dimensions of an example do not fit. */
function refusalOf({ name, units: json }: PhysicsLaw): Refused {
  const units = checkUnits(json);
  if (!units.ok) throw new Error(units.error[0]?.message);
  const { graph, declarations } = units.value;
  const explained = explain(graph, declarations, { of: [nodeId(idCount(graph) - 1)], wrt: [] });
  if (!explained.ok || explained.value.dimensions.kind !== "obstructed")
    throw new Error(`${name} is accepted`);
  return { measured: units.value, obstruction: explained.value.dimensions.obstruction };
}

/** The case with its refusal, as one that a certificate is held against. */
const askedOf = ({ measured, obstruction }: Refused): Asked => ({
  kind: "system",
  system: obstruction,
  hash: measuredHash(measured),
});

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
const nothing: MeasuredGraph = {
  graph: graph(({ input }) => input("x")),
  declarations: undeclared(["kg", "m"]),
};
const right = leanObstruction(small, nothing).text;

const refused = sampled(
  "refusals",
  physicsLaws().filter(({ culprit }) => culprit !== undefined),
  2,
);
const refusals = new Map(refused.map((law) => [law.name, refusalOf(law)]));
const written = new Map(
  [...refusals].map(([name, { obstruction, measured }]) => [
    name,
    leanObstruction(obstruction, measured).text,
  ]),
);

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

  test.each([...refusals])("%s: is of that case and of no other, and names it", (file, own) => {
    const verdict = verdicts.get(file);
    if (verdict?.kind !== "accepted") throw new Error("it is accepted");
    const { about } = verdict.seen;
    expect(seenAgainst(about, askedOf(own))).toEqual([]);
    const shown = showSeen(verdict.seen).join("\n");
    expect(shown).toContain(measuredHash(own.measured));
    const { bases, unknowns, grounds } = own.obstruction;
    expect(shown).toContain([...bases, ...unknowns][grounds[0]?.terms[0]?.[0] ?? -1]);
    const pointers = (asked: Asked): readonly string[] =>
      seenAgainst(about, asked).map(({ pointer }) => pointer);
    expect(pointers({ kind: "run", questions: [] })).toEqual([""]);
    expect(pointers(askedOf({ ...own, measured: nothing }))).toEqual(["/case"]);
    expect(pointers(askedOf({ ...own, obstruction: small }))).toContain("/system/equations");
  });

  test.each([...attacks])("%s is rejected", (name, text) => {
    expect(text).not.toBe(right);
    expect(verdicts.get(name)).toMatchObject({ kind: "rejected" });
  });
});
