import type { Chance } from "./grammar.ts";

/** These words run code, hide something, leave something unproved or change what Lean reads. */
const words: readonly string[] = [
  "axiom false_ : False",
  "sorry",
  "admit",
  "unsafe",
  "instance : Add Nat := ⟨fun _ _ => 0⟩",
  'macro "decide" : tactic => `(tactic| trivial)',
  'notation "program" => 0',
  "local",
  "attribute [simp] Nat.add_comm",
  "@[simp]",
  "@[implemented_by run]",
  "open Nat",
  "open Classical in",
  "namespace Other",
  "namespace Trace",
  "section",
  "end",
  "end Trace",
  "variable (h : False)",
  "universe u",
  "set_option maxRecDepth 10",
  "set_option autoImplicit true in",
  "#exit",
  "#eval 1",
  "import Lean",
  "public import Adjudge.Operators.Maps",
  "private",
  "protected",
  "noncomputable",
  "partial",
  "opaque",
  "by simp",
  "by omega",
  "by trivial",
  "by decide +kernel",
  "by exact h",
  "(h : False)",
  "[Inhabited False]",
  "∨ True",
  "→ True",
  "¬",
  "fun _ =>",
  "rfl",
  "h.elim",
  "where",
  "deriving Repr",
  "@",
  "·",
  "_",
];

/** Declarations more, of names that matter and of others. */
const declarations: readonly string[] = [
  "def run_ : Nat := 1",
  "def program : Nat := 1",
  "abbrev Run := Nat",
  "theorem trivially : True := trivial",
  "axiom wrong : ∀ p : Prop, p",
  "def decided : Bool := true",
  "instance (p : Prop) : Decidable p := .isTrue (wrong p)",
  "structure Runs where\n  x : Nat",
  "class Trusted : Prop where\n  h : False",
  "inductive Program where\n  | mk",
  "example : 1 = 1 := rfl",
  "theorem bad : 1 = 2 := by decide",
  "def Adjudge.Program.Runs (p : Nat) : Prop := True",
  "open Adjudge in\ntheorem other : True := trivial",
  "export Nat (succ)",
  "alias decided_ := trivial",
];

/** These change nothing for Lean, but may mislead a less careful reader. */
const harmless: readonly string[] = [
  " ",
  "\n",
  "\n\n\n",
  "  \n",
  " -- sorry\n",
  " -- theorem value_0 : False := by sorry\n",
  "/- axiom wrong : False -/",
  "/- /- -/ end Trace -/",
  "/-(axiom)-/",
  "/- -- -/",
  " -- \u202eevil\n",
  " -- ⟨[«\n",
];

/** Characters that readers and terminals stumble over. */
const odd: readonly string[] = [
  "\u0000",
  "\r",
  "\r\n",
  "\u001b[2J",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\u200b",
  "\u00a0",
  "\u2028",
  "\u0085",
  "\t",
  "\ud800",
  "«",
  "»",
  "`",
  "'",
  "\\",
  '"',
  '"-/',
  "/-",
  "-/",
  "--",
  'r#"',
  's!"{1}"',
  "x".repeat(5000),
  "(".repeat(200),
  "[".repeat(300),
  "@[".repeat(2000),
  "/-".repeat(2000),
  " ".repeat(100_000),
  "9".repeat(5000),
];

/** Letters that look like others. */
const lookalikes: readonly (readonly [RegExp, string])[] = [
  [/run/, "r\u03c5n"],
  [/program/, "pr\u043egram"],
  [/theorem/, "the\u043erem"],
  [/Runs/, "Run\u0455"],
  [/ : /, " \uff1a "],
  [/value_(\d)/, "valu\u0435_$1"],
  [/⟨/, "〈"],
  [/\[/, "［"],
  [/(\d)/, "\u0661"],
  [/Rat|Int|Residue/, "ℚ"],
];

/** Puts numbers for numbers; some stand for the same, and some for one that looks otherwise. */
function otherNumber(text: string, chance: Chance): string {
  const x = Number(text);
  return chance.of([
    String(x + 1),
    String(Math.max(0, x - 1)),
    "0",
    "1",
    `(${text})`,
    `0${text}`,
    `(-${text})`,
    `-${text}`,
    `${text}.0`,
    `0x${x.toString(16)}`,
    `(${text} : Nat)`,
    `(mkRat ${2 * x} 2)`,
    `(mkRat ${text} 0)`,
    `(mkRat ${text} 1)`,
    `(${text} + 0)`,
    `(2 * ${text})`,
    "2305843009213693951",
    `${2305843009213693951n + BigInt(Math.floor(x))}`,
    "1000000000000000000000000",
    "70",
  ]);
}

const token = /[\p{L}_][\p{L}\p{N}_!?']*|\d+|\s+|[^\p{L}\p{N}\s_]/gu;

/** Changes one place. */
function damaged(text: string, chance: Chance): string {
  const tokens = text.match(token) ?? [];
  const at = chance.below(Math.max(1, tokens.length));
  const put = (...list: readonly string[]): string =>
    [...tokens.slice(0, at), ...list, ...tokens.slice(at + 1)].join("");
  const own = tokens[at] ?? "";
  switch (chance.below(12)) {
    case 0:
      return put();
    case 1:
      return put(own, " ", own);
    case 2: {
      const other = chance.below(Math.max(1, tokens.length));
      const swapped = [...tokens];
      [swapped[at], swapped[other]] = [tokens[other] ?? "", own];
      return swapped.join("");
    }
    case 3:
      return put(own, " ", chance.of(words), " ");
    case 4:
      return put(own, chance.of(odd));
    case 5: {
      const [from, to] = chance.of(lookalikes);
      const start = chance.below(text.length);
      return text.slice(0, start) + text.slice(start).replace(from, to);
    }
    case 6:
    case 7:
      return withOtherNumber(text, chance);
    case 8:
      return withLine(text, chance.of(declarations), chance);
    default:
      return withOtherHead(text, chance);
  }
}

/** Changes a number of the program or the run: where it stands once, or wherever it stands. */
function withOtherNumber(text: string, chance: Chance): string {
  const start = Math.max(0, text.indexOf("def program"));
  const places = [...text.slice(start).matchAll(/(?<![\p{L}_\d])\d+/gu)];
  if (places.length === 0) return text;
  const { 0: own, index } = chance.of(places);
  const other = otherNumber(own, chance);
  if (chance.once(4)) return text.replaceAll(new RegExp(`(?<![\\p{L}_\\d])${own}(?!\\d)`, "gu"), other);
  return text.slice(0, start + index) + other + text.slice(start + index + own.length);
}

/** Inserts a line more, before one that begins a declaration. */
function withLine(text: string, line: string, chance: Chance): string {
  const places = [...text.matchAll(/^(?=def |theorem |namespace |open |end |module|public )/gm)];
  if (places.length === 0) return `${text}\n${line}`;
  const { index } = chance.of(places);
  return `${text.slice(0, index)}${line}\n\n${text.slice(index)}`;
}

/** Changes the lines that say what follows: of format, claims, ids, imports, statements, proofs. */
function withOtherHead(text: string, chance: Chance): string {
  const edits: readonly ((whole: string) => string)[] = [
    (whole) => whole.replace(/^(-- claims: .*) \w+$/m, "$1"),
    (whole) => whole.replace(/^(-- claims:) \w+/m, "$1"),
    (whole) => whole.replace(/^(-- claims:) (\w+) (\w+)/m, "$1 $3 $2"),
    (whole) => whole.replace(/^(-- claims: .*)$/m, "$1 extra"),
    (whole) => whole.replace(/^(-- claims: .*)$/m, "$1\n-- ids: 0 1 2"),
    (whole) => whole.replace(/^-- ids: .*\n/m, ""),
    (whole) => whole.replace("adjudge.lean.v1", "adjudge.lean.v2"),
    (whole) => whole.replace("public import Adjudge.Replay", "import Adjudge.Replay"),
    (whole) => whole.replace("public import Adjudge.Replay", "public import Adjudge"),
    (whole) =>
      whole.replace("public import Adjudge.Replay", "public import Adjudge.Replay\npublic import Init"),
    (whole) => whole.replace("@[expose] public noncomputable section", "section"),
    (whole) => whole.replace("open Adjudge\n", "open Adjudge Lean\n"),
    (whole) =>
      whole.replace("by decide +kernel", chance.of(["by simp", "by sorry", "by rfl", "sorry", "⟨⟩"])),
    (whole) => whole.replaceAll("by decide +kernel", chance.of(["by decide", "by native_decide", "by rfl"])),
    (whole) => whole.replace(/Agree program run \d+ (\d+)/, "Agree program run $1 $1"),
    (whole) =>
      whole.replace(
        "program.Runs run",
        chance.of(["True", "program.Runs run ∨ True", "Program.Runs program run"]),
      ),
    (whole) => whole.replace(/^theorem data [\s\S]*?\n\n/m, ""),
    (whole) =>
      whole.replace(
        "runs_of_segments",
        chance.of(["by exact runs_of_segments", "Adjudge.runs_of_segments", "id <| runs_of_segments"]),
      ),
    (whole) => whole.replace(/program\.seeded \[[\s\S]*?\n {2}values/, "program.seeded []\n  values"),
    (whole) => whole.replace("def run : Run Rat", "def run : Run Int"),
    (whole) => whole.replace("def run : Run Int", "def run : Run Rat"),
    (whole) => whole.replace("def run : Run Residue", "def run : Run Int"),
    (whole) => whole.replaceAll("\n", "\r\n"),
    (whole) => whole.slice(0, chance.below(whole.length)),
    (whole) => whole.replace(/^(def run [\s\S]*?\n\n)/m, "$1$1"),
    (whole) =>
      whole.replace(
        /\.(add|multiply|subtract)\b/,
        chance.of([".add", ".subtract", ".multiply", ".matmul", ".divide"]),
      ),
    (whole) => whole.replace(/\[(\d+), (\d+)\]/, "[$2, $1]"),
    (whole) => `${whole}\n${chance.of(declarations)}\n`,
  ];
  return chance.of(edits)(text);
}

/** Puts something between two tokens that Lean passes over: not where a line has a meaning of its own. */
function decorated(text: string, chance: Chance): string {
  const start = Math.max(0, text.indexOf("namespace"));
  const gaps = [...text.slice(start).matchAll(/(?<=[,\]⟩]) | {2}(?=\w+ :=)|\n(?=theorem|def|end)/g)];
  if (gaps.length === 0) return text;
  const at = start + chance.of(gaps).index;
  return text.slice(0, at) + chance.of(harmless) + text.slice(at);
}

/** Damages an exported file; about half the time it changes nothing that Lean sees, or one number. */
export function hostileLean(text: string, chance: Chance): string {
  let hostile = text;
  const decorations = chance.of([0, 0, 1, 1, 3]);
  for (let i = 0; i < decorations; i++) hostile = decorated(hostile, chance);
  const damages = chance.of([0, 0, 0, 1, 1, 1, 1, 2, 3]);
  if (damages === 0 && chance.once(2)) return withOtherNumber(hostile, chance);
  for (let i = 0; i < damages; i++) hostile = damaged(hostile, chance);
  return hostile;
}
