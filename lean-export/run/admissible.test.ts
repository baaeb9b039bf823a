import { describe, expect, test } from "vitest";
import { asLeanReads, blankComments, claimAt, screen } from "./admissible.ts";

const header = "-- adjudge.lean.v1\n-- claims: claim_a claim_b\nmodule\n\npublic import Adjudge.Replay\n";
const claims =
  "theorem claim_a : f 1 = 2 := by decide +kernel\n\ntheorem claim_b :\n    f 2 = 3 := by\n  decide +kernel\n";
const body = (inside: string): string =>
  `${header}\n@[expose] public section\n\nnamespace Trace\n\n${inside}\n${claims}\nend Trace\n`;
const libraries = ["Adjudge", "Init"];

test("data, definitions and theorems are fit, and each claim is found with its statement and its line", () => {
  expect(screen(body("def data : List Int := [1, -2, 3]"), libraries)).toEqual({
    kind: "fit",
    imports: ["Adjudge.Replay"],
    claims: [
      { name: "claim_a", statement: "f 1 = 2", line: 12 },
      { name: "claim_b", statement: "f 2 = 3", line: 14 },
    ],
  });
});

describe("what has no place in an exported file is found", () => {
  test.each([
    ["sorry", "theorem t : 1 = 2 := sorry"],
    ["admit", "theorem t : 1 = 2 := by admit"],
    ["axiom", "axiom t : 1 = 2"],
    ["native_decide", "theorem t : f 1 = 2 := by native_decide"],
    ["set_option", "set_option debug.skipKernelTC true"],
    ["`", 'macro "t" : tactic => `(tactic| sorry)'],
    ["elab", 'elab "t" : command => return'],
    ["syntax", 'syntax "t" : term'],
    ["notation", 'notation "f" => g'],
    ["instance", "instance : DecidableEq Nat := fun _ _ => isTrue lcProof"],
    ["variable", "variable (h : False)"],
    ["implemented_by", "@[implemented_by g] def f := 1"],
    ["extern", '@[extern "emscripten_run_script"] opaque run : Nat'],
    ["#", '#eval IO.println "ok"'],
    ["#", "#exit"],
    ["run_cmd", "run_cmd pure ()"],
    ["initialize", "initialize pure ()"],
    ["include_str", 'def s := include_str "/etc/passwd"'],
    ["private", "private theorem t : 1 = 1 := rfl"],
    ["Lean", "open Lean Elab"],
    ["`", "def n := `name"],
    ["«", "def «a b» := 1"],
    ["s!", 'def s := s!"{1 + 1}"'],
    ["'", "def c := '\"'"],
    ["the attribute", "@[default_instance] def d : Nat := 1"],
    ["namespace", "namespace Adjudge"],
    ["_root_", "def _root_.Adjudge.replay := 1"],
    ["deriving", "structure S where deriving Repr"],
  ])("%s, in %s", (word, line) => {
    const result = screen(body(line), libraries);
    expect(result).toMatchObject({ kind: "unfit", line: 11 });
    expect(result.kind === "unfit" && result.message).toContain(word);
  });

  test.each([
    "Lean.Elab.Command",
    "Adjudge.Replay import Std.Data",
    "all Std.Data",
    "AdjudgeToo",
  ])("an import from elsewhere: %s", (name) => {
    const text = body("").replace("Adjudge.Replay", name);
    expect(screen(text, libraries)).toMatchObject({ kind: "unfit", line: 5 });
  });

  test.each([
    ["another first line", body("").replace("v1", "v2"), 1],
    ["no list of claims", body("").replace("-- claims:", "-- names:"), 2],
    ["no claim", body("").replace(" claim_a claim_b", ""), 2],
    ["a claim twice", body("").replace("claim_a claim_b", "claim_a claim_a"), 2],
    ["a claim with an odd name", body("").replace("claim_a claim_b", "claim_a,claim_b"), 2],
    ["a claim without a theorem", body("").replace("claim_a claim_b", "claim_a claim_c"), 2],
    ["a claim whose theorem is a comment", body("").replace("theorem claim_b", "-- theorem claim_b"), 2],
  ])("%s", (_, text, line) => {
    expect(screen(text, libraries)).toMatchObject({ kind: "unfit", line });
  });
});

test("what stands in a comment or a string is not looked at, and all else keeps its place", () => {
  const text = 'a /- sorry /- axiom -/ " -/ b "x \\" -- axiom" c -- "d\ne';
  const code = blankComments(text);
  expect(code).toHaveLength(text.length);
  expect(code.replace(/ +/g, " ")).toBe('a b " " c \ne');
});

test.each([
  'def s := r"\\" run_cmd pure () -- "',
  "/-/- -/ run_cmd pure () -- -/",
  '/--/ " -/ run_cmd pure () -- "',
  '/-!/ " -/ run_cmd pure () -- "',
  "example : {n : Nat //-n = n} := sorry -- -/",
  "def f : Option Int := do let x <--1; sorry",
  "@[simp @[simp] run_cmd pure () ]",
])("code is found where Lean reads comments and strings otherwise than it seems: %s", (line) => {
  expect(screen(body(line), libraries)).toMatchObject({ kind: "unfit", line: 11 });
});

test("what follows a comment is looked at", () => {
  expect(screen(body('def s := "-- " def t := sorry'), libraries)).toMatchObject({ kind: "unfit" });
  expect(screen(body("/- -/ axiom t : 1 = 2"), libraries)).toMatchObject({ kind: "unfit" });
});

test("a message belongs to the last claim that begins before it", () => {
  const result = screen(body(""), libraries);
  const found = result.kind === "fit" ? result.claims : [];
  expect(claimAt(found, { line: 15 })?.name).toBe("claim_b");
  expect(claimAt(found, { line: 12 })?.name).toBe("claim_a");
  expect(claimAt(found, { line: 3 })).toBeUndefined();
});

test.each([
  ["theorems on one line", "theorem a ".repeat(40_000)],
  ["theorems in lines", "theorem t : 1 = 1 := by decide\n".repeat(20_000)],
  ["attributes that do not end", "@[".repeat(200_000)],
  ["comments in comments", "/- ".repeat(200_000)],
])("a large file is screened in linear time: %s", (_, inside) => {
  // Quadratic time would be minutes, and the limit of the test ends it.
  expect(["fit", "unfit"]).toContain(screen(body(inside), libraries).kind);
});

test("a byte order mark and the line ends of Windows are Lean's to read", () => {
  const text = body("def data : List Int := [1]");
  expect(asLeanReads(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toBe(text);
});
