/** A file that the exporter would not write of a trace: how a good one was changed, and the verdict on it. */
export interface Attack {
  readonly what: string;
  readonly edit: (text: string) => string;
  readonly says: RegExp;
}

/** Returns the text with one thing replaced that is in it. */
function swapped(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`there is no ${from} in the file`);
  return text.replace(from, () => to);
}

const swap =
  (from: string, to: string) =>
  (text: string): string =>
    swapped(text, from, to);

/** The theorem of that name with another statement and proof. */
const restated =
  (name: string, rest: string) =>
  (text: string): string => {
    const own = new RegExp(`^theorem ${name} :[\\s\\S]*?\\n\\n`, "m").exec(text)?.[0];
    if (own === undefined) throw new Error(`there is no theorem ${name}`);
    return text.replace(own, () => `theorem ${name} ${rest}\n\n`);
  };

/** The last theorem with another statement and proof. */
const ends = (rest: string): ((text: string) => string) => restated("run_is_backpropagation", rest);

/** Something more before the first theorem. */
const more =
  (code: string, next: (text: string) => string = (text) => text) =>
  (text: string): string =>
    next(swapped(text, "theorem shape_1 ", `${code}\n\ntheorem shape_1 `));

const proved = "runs_of_segments data shapes values cotangents";

/** A run that is not the one of the file, whose numbers are wrong, and the right one under another name. */
const shownBeside = (text: string): string => {
  const right = /^def run : Run Rat where[\s\S]*?\n\n/m.exec(text)?.[0] ?? "";
  const wrong = right.replaceAll("mkRat 1 9", "mkRat 8 9");
  const hidden = right.replace("def run", "def run_");
  const [head = "", ...theorems] = text.replace(right, () => `${wrong}${hidden}`).split(/^(?=theorem )/m);
  return head + theorems.map((theorem) => theorem.replaceAll(/\brun\b/g, "run_")).join("");
};

const stated = /it states .*, not /;
const hypothesis = (binder: string, proof: string): ((text: string) => string) =>
  ends(`${binder} : program.Runs run :=\n  ${proof}`);
const instead = (statement: string, proof: string): ((text: string) => string) =>
  ends(`: ${statement} :=\n  ${proof}`);
const value = (statement: string, proof = "by decide +kernel"): ((text: string) => string) =>
  restated("value_1", `: ${statement} :=\n  ${proof}`);
const claimsLine =
  (edit: (claims: string) => string) =>
  (text: string): string =>
    text.replace(/^-- claims: (.*)$/m, (_, claims: string) => `-- claims: ${edit(claims)}`);

/** These files state something else than the claims about the square of 1/3 over the rationals. */
const statements: readonly Attack[] = [
  { what: "program = program", edit: instead("program = program", "rfl"), says: stated },
  { what: "a false hypothesis", edit: hypothesis("(h : False)", "h.elim"), says: stated },
  {
    what: "a false equation as hypothesis",
    edit: hypothesis("(h : 1 = 2)", "absurd h (by decide)"),
    says: stated,
  },
  { what: "the claim as hypothesis", edit: hypothesis("(h : program.Runs run)", "h"), says: stated },
  { what: "a true hypothesis", edit: hypothesis("(_ : True)", proved), says: stated },
  { what: "a hypothesis with a default", edit: hypothesis("(_ : True := trivial)", proved), says: stated },
  { what: "a hypothesis with a tactic", edit: hypothesis("(_ : 1 = 1 := by rfl)", proved), says: stated },
  { what: "an implicit binder", edit: hypothesis("{_ : Nat}", proved), says: stated },
  {
    what: "an instance binder",
    edit: hypothesis("[some : Inhabited (PLift (program.Runs run))]", "some.default.down"),
    says: stated,
  },
  {
    what: "a universe",
    edit: swap("run_is_backpropagation : ", "run_is_backpropagation.{u} : "),
    says: /universe/,
  },
  {
    what: "a class of its own",
    edit: more(
      "class Trusted : Prop where\n  runs : program.Runs run",
      hypothesis("[trusted : Trusted]", "trusted.runs"),
    ),
    says: stated,
  },
  { what: "or True", edit: instead("program.Runs run ∨ True", ".inr trivial"), says: stated },
  { what: "and True", edit: instead("program.Runs run ∧ True", `⟨${proved}, trivial⟩`), says: stated },
  { what: "True and", edit: instead("True ∧ program.Runs run", `⟨trivial, ${proved}⟩`), says: stated },
  { what: "implies True", edit: instead("program.Runs run → True", "fun _ => trivial"), says: stated },
  { what: "not not", edit: instead("¬¬program.Runs run", `fun no => no (${proved})`), says: stated },
  {
    what: "for each number",
    edit: instead("∀ _ : Nat, program.Runs run", `fun _ => ${proved}`),
    says: stated,
  },
  {
    what: "a bound run",
    edit: ends(": ∀ run : Run Rat, program.Runs run → program.Runs run :=\n  fun _ h => h"),
    says: stated,
  },
  { what: "some run", edit: instead("∃ run : Run Rat, program.Runs run", `⟨run, ${proved}⟩`), says: stated },
  {
    what: "some program",
    edit: instead("∃ program : Program, program.Runs run", `⟨program, ${proved}⟩`),
    says: stated,
  },
  { what: "a run by let", edit: instead("let other := run; program.Runs other", proved), says: stated },
  { what: "a function applied", edit: instead("(fun r => program.Runs r) run", proved), says: stated },
  { what: "the identity of it", edit: instead("id (program.Runs run)", proved), says: stated },
  {
    what: "the run put together again",
    edit: instead("program.Runs { run with seed := run.seed }", proved),
    says: stated,
  },
  {
    what: "another instance",
    edit: instead("@Program.Runs Rat (id instScalarRat) _ program run", proved),
    says: stated,
  },
  {
    what: "everything as hypotheses",
    edit: ends(
      "{S : Type} [Scalar S] (Runs : Program → Run Rat → Prop)\n    (all : ∀ p r, Runs p r) : Runs program run :=\n  all _ _",
    ),
    says: stated,
  },
  {
    what: "an abbreviation that is True",
    edit: more("abbrev Claim : Prop := True", instead("Claim", "trivial")),
    says: /nothing about Adjudge/,
  },
  {
    what: "an abbreviation of it",
    edit: more("abbrev Claim : Prop := program.Runs run", instead("Claim", proved)),
    says: /states Trace\.Claim/,
  },
  {
    what: "a predicate of its own",
    edit: more("def Own (_ : Program) (_ : Run Rat) : Prop := True", instead("Own program run", "trivial")),
    says: /states Trace\.Own/,
  },
  {
    what: "a structure with its own Runs",
    edit: more(
      "structure Whole where\n  program : Program\n\ndef Whole.Runs (_ : Whole) (_ : Run Rat) : Prop := True",
      instead("(Whole.mk program).Runs run", "trivial"),
    ),
    says: /states Trace\.Whole\.Runs/,
  },
  {
    what: "value_1: or True",
    edit: (text) =>
      value(
        "ValuesAgree program run 1 2 ∨ True",
        ".inr trivial",
      )(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    says: stated,
  },
  {
    what: "value_1: program = program",
    edit: (text) =>
      value("program = program", "rfl")(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    says: stated,
  },
  {
    what: "value_1: ids 0 0",
    edit: (text) =>
      value("ValuesAgree program run 0 0")(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    says: /not ValuesAgree program run 1 2/,
  },
  {
    what: "value_1: of another id",
    edit: (text) =>
      value("ValuesAgree program run 0 1")(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    says: /not ValuesAgree program run 1 2/,
  },
  {
    what: "value_1: of another kind",
    edit: (text) =>
      value("ShapesAgree program 1 2")(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    says: /not ValuesAgree program run 1 2/,
  },
  { what: "value_1: a sum as id", edit: value("ValuesAgree program run (0 + 1) 2"), says: stated },
  {
    what: "value_1: of no nodes",
    edit: (text) =>
      value("ValuesAgree { program with nodes := [] } run 0 0")(
        swapped(text, "value_0.trans value_1", "by decide +kernel"),
      ),
    says: stated,
  },
  {
    what: "a value that is claimed in general",
    edit: restated("value_1", "(_ : Nat) : ValuesAgree program run 1 2 :=\n  by decide +kernel"),
    says: /./,
  },
];

/** These change the list of claims, or what stands beside it. */
const lists: readonly Attack[] = [
  { what: "claims cut short", edit: claimsLine(() => "value_0"), says: /does not claim shape_1/ },
  {
    what: "claims without the last",
    edit: claimsLine((claims) => claims.replace(" run_is_backpropagation", "")),
    says: /does not claim run_is_backpropagation/,
  },
  {
    what: "claims without the data",
    edit: claimsLine((claims) => claims.replace(" data", "")),
    says: /does not claim data/,
  },
  {
    what: "claims in another order",
    edit: claimsLine((claims) => claims.replace("value_0 value_1", "value_1 value_0")),
    says: /claims value_1 where value_0 belongs/,
  },
  {
    what: "a claim more",
    edit: (text) =>
      claimsLine((claims) => `${claims} extra`)(
        more("theorem extra : program.size = 2 := by decide +kernel")(text),
      ),
    says: /claims extra where nothing belongs/,
  },
  {
    what: "another last claim",
    edit: (text) =>
      claimsLine((claims) => claims.replace("run_is_backpropagation", "run_is_right"))(
        text.replace("theorem run_is_backpropagation", "theorem run_is_right"),
      ),
    says: /does not claim run_is_backpropagation/,
  },
  { what: "a lemma", edit: more("theorem lemma_a : 1 = 1 := rfl"), says: /defines Trace\.lemma_a/ },
  { what: "a definition", edit: more("def other : Nat := 1"), says: /defines Trace\.other/ },
  {
    what: "a helper of a theorem",
    edit: instead("program.Runs run", `helper\nwhere\n  helper : program.Runs run := ${proved}`),
    says: /defines Trace\.run_is_backpropagation\.helper/,
  },
  { what: "a shown run beside a proved one", edit: shownBeside, says: /run_, not |Agree/ },
  {
    what: "a predicate of the library's name",
    edit: more("def ValuesAgree (_ : Program) (_ : Run Rat) (_ _ : Nat) : Prop := True", (text) =>
      value(
        "Trace.ValuesAgree program run 1 2",
        "trivial",
      )(swapped(text, "value_0.trans value_1", "by decide +kernel")),
    ),
    says: /./,
  },
];

const isNoData = /is no Adjudge\.(Program|Run Rat|Run Int) that is written out as data/;

/** Definitions that are not what they seem. */
const definitions: readonly Attack[] = [
  {
    what: "a numeral that is another number",
    edit: swap(
      "values := [\n    [mkRat 1 3],\n    [mkRat 1 9]]",
      "values := [\n    [mkRat 1 3],\n    [@OfNat.ofNat Rat 8 ⟨mkRat 1 9⟩]]",
    ),
    says: isNoData,
  },
  {
    what: "a fraction of such numerals",
    edit: swap("    [mkRat 1 9]]", "    [mkRat (@OfNat.ofNat Int 8 ⟨1⟩) 9]]"),
    says: isNoData,
  },
  {
    what: "a sum in place of a number",
    edit: swap("    [mkRat 1 9]]", "    [mkRat 1 9 + 0]]"),
    says: isNoData,
  },
  { what: "a quotient in place of a number", edit: swap("    [mkRat 1 9]]", "    [1 / 9]]"), says: isNoData },
  {
    what: "numbers by 0, which Lean takes for 0",
    edit: (text) =>
      swapped(text, "mkRat 1 3", "mkRat 5 0")
        .replaceAll("mkRat 1 3", "mkRat 5 0")
        .replaceAll("mkRat 1 9", "mkRat 7 0")
        .replaceAll("mkRat 2 3", "0"),
    says: /run is no Adjudge\.Run Rat/,
  },
  {
    what: "a choice in place of a number",
    edit: swap("    [mkRat 1 9]]", "    [if 1 = 1 then mkRat 1 9 else 8]]"),
    says: isNoData,
  },
  {
    what: "a fraction with another numerator's sign twice",
    edit: swap("    [mkRat 1 9]]", "    [- -(mkRat 1 9)]]"),
    says: isNoData,
  },
  { what: "numbers appended", edit: swap("    [mkRat 1 9]]", "    [mkRat 1 9] ++ []]"), says: isNoData },
  {
    what: "a list by a function",
    edit: swap("    [mkRat 1 9]]", "    List.map id [mkRat 1 9]]"),
    says: isNoData,
  },
  {
    what: "numbers under a name",
    edit: (text) =>
      swapped(
        swapped(text, "    [mkRat 1 9]]", "    hidden]"),
        "def run ",
        "def hidden : List Rat := [mkRat 1 9]\n\ndef run ",
      ),
    says: isNoData,
  },
  {
    what: "nodes under a name",
    edit: (text) =>
      swapped(
        swapped(text, "nodes := [\n    ⟨.multiply, [0, 0], []⟩]", "nodes := hidden"),
        "def program ",
        "def hidden : List Instruction := [⟨.multiply, [0, 0], []⟩]\n\ndef program ",
      ),
    says: isNoData,
  },
  { what: "a parent that is a sum", edit: swap("[0, 0], []⟩", "[0, 0 + 0], []⟩"), says: isNoData },
  {
    what: "a parent by a numeral that is another",
    edit: swap("[0, 0], []⟩", "[0, @OfNat.ofNat Nat 5 ⟨0⟩], []⟩"),
    says: isNoData,
  },
  { what: "an operator by a function", edit: swap("⟨.multiply,", "⟨id .multiply,"), says: isNoData },
  {
    what: "an instruction by a function",
    edit: swap("⟨.multiply, [0, 0], []⟩", "id ⟨.multiply, [0, 0], []⟩"),
    says: isNoData,
  },
  {
    what: "the seed through a function",
    edit: swap("program.seeded", "id <| program.seeded"),
    says: isNoData,
  },
  {
    what: "a seed of another program",
    edit: swap("program.seeded", "{ program with nodes := program.nodes }.seeded"),
    says: isNoData,
  },
  {
    what: "a seed that is a list",
    edit: swap("program.seeded [\n    (1, [1])]", "[[0], [1]]"),
    says: isNoData,
  },
  { what: "a seed whose id is a sum", edit: swap("(1, [1])]", "(0 + 1, [1])]"), says: isNoData },
  {
    what: "the run through a function",
    edit: (text) =>
      text.replace(
        /(def run : Run Rat) where([\s\S]*?)\n\n/,
        (_, head: string, fields: string) => `${head} where\n  toRun := 0\n${fields}\n\n`,
      ),
    says: /./,
  },
  {
    what: "another run's fields",
    edit: (text) =>
      text.replace(
        /def run : Run Rat where([\s\S]*?)\n\n/,
        (whole, fields: string) =>
          `${whole.replace("def run ", "def hidden ")}def run : Run Rat where\n  inputs := hidden.inputs${fields.replace(/\n {2}inputs := [^=]*\]\]/, "")}\n\n`,
      ),
    says: isNoData,
  },
  {
    what: "another carrier in a comment",
    edit: swap("def run : Run Rat where", "/-\ndef run : Run Int where\n-/\ndef run : Run Rat where"),
    says: isNoData,
  },
  {
    what: "a program of an argument",
    edit: swap("def program : Program", "def program (_ : Unit := ()) : Program"),
    says: /./,
  },
  {
    what: "a seed out of order",
    edit: swap("(1, [1])]", "(1, [1]),\n    (0, [7])]"),
    says: /DataFits/,
  },
  { what: "a seed twice", edit: swap("(1, [1])]", "(1, [1]),\n    (1, [7])]"), says: /DataFits/ },
  { what: "a seed at no id", edit: swap("(1, [1])]", "(1, [1]),\n    (9, [7])]"), says: /DataFits/ },
];

/** The screening refuses these headers before Lean sees them. */
const headers: readonly Attack[] = [
  {
    what: "all of a module imported",
    edit: swap("public import", "import all"),
    says: /otherwise than by public import/,
  },
  {
    what: "a module imported privately",
    edit: swap("public import", "import"),
    says: /otherwise than by public import/,
  },
  { what: "no module", edit: swap("\nmodule\n", "\n"), says: /no module/ },
  { what: "a prelude", edit: swap("\nmodule\n", "\nmodule\nprelude\n"), says: /prelude/ },
  {
    what: "another module of the library",
    edit: swap("import Adjudge.Replay", "import Adjudge.Replay.Check"),
    says: /imports Adjudge\.Replay\.Check, not Adjudge\.Replay/,
  },
  {
    what: "a module more",
    edit: swap("import Adjudge.Replay", "import Adjudge.Replay\npublic import Init.Grind"),
    says: /imports Adjudge\.Replay Init\.Grind/,
  },
  {
    what: "an import further on",
    edit: more("import Adjudge.Rounding"),
    says: /otherwise than by public import/,
  },
  { what: "a run over another type", edit: swap("Run Rat where", "Run Nat where"), says: /no run over/ },
];

/** Code that runs while it is checked, where it seems to stand in a comment or a string. */
const hidden: readonly Attack[] = [
  {
    what: "code behind a comment that seems to go on",
    edit: more("/-/- -/ #eval (1 : Nat) -- -/"),
    says: /a comment begins here that Lean may read otherwise/,
  },
  {
    what: "code behind a token that ends within what seems to begin a comment",
    edit: more("example : {n : Int //-n = n} := ⟨0, rfl⟩ #eval (1 : Nat) -- -/"),
    says: /a comment begins here that Lean may read otherwise/,
  },
  {
    what: "code behind a raw string that seems to go on",
    edit: more('def text := r"\\" #eval (1 : Nat) -- "'),
    says: /r\\?"+ has no place in an exported file/,
  },
];

/** Attacks on the file of an exact run. */
export const attacks: readonly Attack[] = [...statements, ...lists, ...definitions, ...headers, ...hidden];

/** The engine's value of the square of 0.1, with another bound. */
const boundedBy = (bound: string): ((text: string) => string) =>
  swap("[mkRat 5243 4722366482869645213696]", `[${bound}]`);

/** The same numbers, as if bfloat16 had computed them. */
const inBfloat16 = (text: string): string =>
  text.replace(/arithmetic := \.float .*/, `arithmetic := .float (mkRat 1 256) (mkRat 1 ${2n ** 133n})`);

/** Attacks on the file of an engine's run over float64. */
export const engineAttacks: readonly Attack[] = [
  {
    what: "an engine that rounds as it likes",
    edit: (text) => text.replace("(mkRat 1 9007199254740992)", "(mkRat 1 9007199254740993)"),
    says: /rounds to 1\/9007199254740993, as no format/,
  },
  {
    what: "an engine near or true",
    edit: (text) =>
      text
        .replace("∧ engine.IsNear run :=\n  ⟨", "∧ (engine.IsNear run ∨ True) :=\n  ⟨")
        .replace("isNear_of_within values_within cotangents_within⟩", ".inr trivial⟩"),
    says: stated,
  },
  {
    what: "an engine that rounds or not",
    edit: (text) =>
      text
        .replace("engine.Rounds program run ∧", "(engine.Rounds program run ∨ True) ∧")
        .replace(/rounds_of_segments .*,/, ".inr trivial,"),
    says: stated,
  },
  {
    what: "a bound that nothing exceeds",
    edit: boundedBy("10000000"),
    says: /BoundsDerived program run engine 1 2/,
  },
  {
    what: "a bound that is a little larger than the derived one",
    edit: boundedBy("mkRat 5244 4722366482869645213696"),
    says: /BoundsDerived program run engine 1 2/,
  },
  {
    what: "another format under the bounds of the one before",
    edit: inBfloat16,
    says: /BoundsDerived program run engine 1 2/,
  },
  {
    what: "a value off by a thousandth, of a coarse format, under bounds of ten millions",
    edit: (text) =>
      boundedBy("10000000")(inBfloat16(text)).replace(
        "[mkRat 1441151880758559 144115188075855872]",
        "[mkRat 11 1000]",
      ),
    says: /RoundingsHold program run engine 1 2/,
  },
  {
    what: "an engine near to nothing",
    edit: restated("engine_is_near", ": program.Runs run :=\n  run_is_backpropagation"),
    says: stated,
  },
  {
    what: "an engine that is not claimed near",
    edit: claimsLine((claims) => claims.replace(" engine_is_near", "")),
    says: /does not claim engine_is_near/,
  },
  {
    what: "an engine by a function",
    edit: swap(
      "def engine : Engine where\n  arithmetic := ",
      "def engine : Engine where\n  arithmetic := id <| ",
    ),
    says: /engine is no Adjudge\.Engine/,
  },
  {
    what: "the library of roundings left out",
    edit: swap("public import Adjudge.Rounding\n", ""),
    says: /imports Adjudge\.Replay, not/,
  },
];

/** Attacks on the file of an engine's run over posits, of numbers that are posits in every width. */
export const positAttacks: readonly Attack[] = [
  {
    what: "posits wider than any",
    edit: swap("arithmetic := .posit ⟨16, 15, 2⟩", "arithmetic := .posit ⟨65, 64, 2⟩"),
    says: /rounds to posits of 65 bits, as no format/,
  },
];
