import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { type Obligation, SECOND_TIMEOUT, type Solver, z3 } from "../../oracle/obligations/index.ts";
import {
  dead,
  largerIsAbove,
  lent,
  mutantHolds,
  mutantShowsNothing,
  stepStays,
  vacuous,
  wrongGoal,
} from "../../oracle/obligations/obligations.test.kit.ts";
import { discharged } from "../../reference/package.ts";
import { adjudge, type Recorded } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { type ProveOptions, type ProveSurroundings, proveWith } from "./proving.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-prove-"));
afterAll(() => rm(folder, { recursive: true }));

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

const plain: ProveOptions = { tier: "everyday", seeds: 1, lanes: 1 };

/** Proves these obligations in a folder of that name, and records what is told. */
async function proved(
  name: string,
  obligations: readonly Obligation[],
  options: Partial<ProveOptions> & { readonly id?: string } = {},
  more: Partial<ProveSurroundings> = {},
): Promise<Recorded> {
  const out: string[] = [];
  const notes: string[] = [];
  const terminal = {
    palette: createColors(false),
    columns: 80,
    out: (line: string) => out.push(line),
    note: (line: string) => notes.push(line),
    progress: () => {},
  };
  const { id, ...rest } = options;
  const surroundings: ProveSurroundings = {
    obligations: async () => obligations,
    makeSolver: () => lent(solver),
    second: async () => undefined,
    folder: join(folder, name),
    cache: join(folder, name, "cache"),
    ...more,
  };
  const code = await proveWith(id, { ...plain, ...rest }, terminal, surroundings);
  return { code, out: out.join("\n"), notes: notes.join("\n") };
}

/** Returns a solver that must not be asked. */
function unasked(): Solver {
  return {
    name: solver.name,
    ask: () => Promise.reject(new Error("it was asked")),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Returns a second solver that says what is expected, or the opposite. */
function second(isHonest: boolean): Solver {
  return {
    name: "second 1.0",
    ask: async ({ script }) => ({
      answer:
        (script.expected === "unsat") === isHonest
          ? { kind: "proved", core: [] }
          : { kind: "refuted", model: new Map() },
      milliseconds: 1,
      spent: undefined,
    }),
    [Symbol.asyncDispose]: async () => {},
  };
}

describe("adjudge prove", () => {
  test("lists every obligation of the tier with its answer, and counts", async () => {
    const long: Obligation = { ...largerIsAbove, id: "kit/long", tier: "long" };
    const obligations = [largerIsAbove, stepStays, long];
    const { code, out } = await proved("lists", obligations);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/^✓ kit\/larger +proved +\d+ ms +\d+ steps {2}z3-solver [0-9.]+ {2}mutants 1\/1$/m);
    expect(out).toContain("✓ kit/step");
    expect(out).not.toContain("kit/long");
    expect(out).toContain("2 obligations: 2 proved, 0 not.");
    expect(out).toMatch(
      /^Of their goals 0 have .* both sides, 0 are closed by our own normal form; 2 are left to z3-solver/m,
    );
    expect((await proved("lists", obligations, { tier: "all" })).out).toContain("3 obligations: 3 proved");
    expect((await proved("lists", obligations, { only: "kit/lo" })).out).toContain("1 obligation: 1 proved");
  });

  test.each([
    [vacuous, "vacuous"],
    [dead, "core/dead"],
    [mutantHolds, "mutant/answer"],
    [mutantShowsNothing, "mutant/execution"],
    [wrongGoal, "goal"],
  ])("fails for $id, by name", async (obligation, code) => {
    const told = await proved("fails", [largerIsAbove, stepStays, obligation]);
    expect(told.code).toBe(exitCodes.disagrees);
    expect(told.out).toContain(`✗ ${obligation.id}`);
    expect(told.out).toContain(`    ${code}: `);
    expect(told.out).toContain("3 obligations: 2 proved, 1 not.");
  });

  test("tells what fails when it comes, and asks no more of its family unless it is told to", async () => {
    const obligations = [wrongGoal, largerIsAbove, stepStays];
    const { code, out, notes } = await proved("stops", obligations);
    expect(code).toBe(exitCodes.disagrees);
    expect(notes).toContain(`✗ ${wrongGoal.id}: goal: `);
    expect(out).toContain("1 obligation: 0 proved, 1 not.");
    expect(out).toContain("2 obligations of families that failed: not asked. --all asks them.");
    expect((await proved("stops", obligations, { all: true })).out).toContain(
      "3 obligations: 2 proved, 1 not.",
    );
  });

  test("asks nothing twice, unless it is told to", async () => {
    const first = await proved("twice", [largerIsAbove]);
    expect(first.out).toContain("2 questions, 0 of them answered in earlier runs;");
    const again = await proved("twice", [largerIsAbove], {}, { makeSolver: unasked });
    expect(again.code).toBe(exitCodes.agrees);
    expect(again.out).toContain("2 questions, 2 of them answered in earlier runs;");
    const fresh = await proved("twice", [largerIsAbove], { fresh: true }, { makeSolver: unasked });
    expect(fresh.code).toBe(exitCodes.disagrees);
  });

  test("runs mutants again even where their models are known", async () => {
    await proved("again", [largerIsAbove]);
    const idle = { ...largerIsAbove, mutants: mutantShowsNothing.mutants };
    const { code, out } = await proved("again", [idle], {}, { makeSolver: unasked });
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toContain("mutant/execution");
  });

  test("explains one obligation: statement, script, core, and the mutants' models", async () => {
    const { out } = await proved("explains", [largerIsAbove, stepStays], { id: "kit/step", explain: true });
    expect(out).toContain(stepStays.statement);
    expect(out).toContain("(assert (! (>= term 0) :named positive))");
    expect(out).toContain("  positive: (>= term 0)");
    expect(out).toContain("Mutant any-term: terms may be negative.");
    expect(out).toMatch(/ {2}term = \(- \d+\)/);
    expect(out).toContain("this shows the fault");
    const wrong = await proved("explains", [wrongGoal], { id: "kit/wrong", explain: true });
    expect(wrong.out).toContain("It does not hold.");
  });

  test("says that a second solver is not installed, and fails if one disagrees", async () => {
    const absent = await proved("second", [largerIsAbove], { second: "cvc5" });
    expect(absent.code).toBe(exitCodes.agrees);
    expect(absent.out).toContain("cvc5 is not installed");
    const honest = await proved(
      "honest",
      [largerIsAbove],
      { second: "cvc5" },
      { second: async () => second(true) },
    );
    expect(honest.code).toBe(exitCodes.agrees);
    expect(honest.out).toContain(
      "2 scripts replayed: 2 agree, 0 disagree, 0 without an answer. 1 more assert",
    );
    expect(honest.out).toMatch(/^✓ kit\/larger .* agrees 2\/2$/m);
    const liar = await proved(
      "liar",
      [largerIsAbove],
      { second: "cvc5" },
      { second: async () => second(false) },
    );
    expect(liar.code).toBe(exitCodes.disagrees);
    expect(liar.out).toContain("second: second 1.0 disagrees on kit/larger.vacuity: it says unsat");
  });

  test("writes hashes, the tape's scripts and the page, and takes away what is no more", async () => {
    const at = (...path: readonly string[]): string => join(folder, "writes", ...path);
    await mkdir(at("oracle", "obligations", "smt2", "old"), { recursive: true });
    const tape: Obligation = { ...largerIsAbove, id: "tape/larger" };
    const options = { tier: "all", write: true } as const;
    const obligations = [largerIsAbove, stepStays, tape];
    expect((await proved("writes", obligations, options)).code).toBe(exitCodes.agrees);
    expect(await readdir(at("oracle", "obligations", "smt2"))).toEqual(["SHA256SUMS", "tape"]);
    const script = await readFile(at("oracle", "obligations", "smt2", "tape", "larger.smt2"), "utf8");
    expect(script).toContain("(get-unsat-core)");
    expect(await readdir(at("docs"))).toEqual(["obligations.md"]);
    expect(await readFile(at("docs", "obligations.md"), "utf8")).toMatch(/^\| kit \|.*\| 2 \|/m);
  });

  test("tells what was proved where it cannot be kept, and then how it could be", async () => {
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const { code, out, notes } = await proved("unkept", [largerIsAbove], {}, { cache: join(file, "cache") });
    expect([code, out]).toEqual([exitCodes.badInput, expect.stringContaining("kit/larger")]);
    expect(notes).toMatch(/what was proved could not be kept in .*no-folder.*ADJUDGE_CACHE/);
  });

  test("tells a run again whose code has not changed, if everything was proved, and makes nothing", async () => {
    const code = { now: "first" };
    const sources = async (): Promise<string> => code.now;
    const unmade = { sources, obligations: () => Promise.reject(new Error("they were made")) };
    const first = await proved("recalled", [largerIsAbove], {}, { sources });
    expect(first.code).toBe(exitCodes.agrees);
    const again = await proved("recalled", [], {}, unmade);
    const why = "Nothing has changed since this was proved; --fresh asks anew.";
    expect([again.code, again.out]).toEqual([exitCodes.agrees, `${first.out}\n${why}`]);
    const anew = { fresh: true } as const;
    await expect(proved("recalled", [], anew, unmade)).rejects.toThrow("they were made");
    await expect(proved("recalled", [], { tier: "all" }, unmade)).rejects.toThrow("they were made");
    code.now = "changed";
    const failing = await proved("recalled", [wrongGoal], {}, { sources });
    const same = await proved("recalled", [wrongGoal], {}, { sources });
    expect([failing.code, same.code]).toEqual([exitCodes.disagrees, exitCodes.disagrees]);
    expect(same.out).not.toContain(why);
  });

  test("asks about what could not be made in the place of what it hides", async () => {
    const hidden: Obligation = { ...largerIsAbove, id: "kit/made", crash: "RangeError: no table" };
    for (const options of [{ id: "kit/larger" }, { only: "kit/l" }, { tier: "long" }] as const) {
      const { code, notes } = await proved("hidden", [hidden, stepStays], options);
      expect(code).toBe(exitCodes.disagrees);
      expect(notes).toContain("✗ kit/made: crash: ");
    }
    expect((await proved("hidden", [hidden], { id: "other/larger" })).code).toBe(exitCodes.nothingRun);
  });

  test("writes every script of every tier into a folder, asks nothing, and does so again", async () => {
    const long: Obligation = { ...largerIsAbove, id: "kit/long", tier: "long" };
    const at = (...path: readonly string[]): string => join(folder, "scripts", "given", ...path);
    const given = (obligations: readonly Obligation[]): Promise<Recorded> =>
      proved("scripts", obligations, { scripts: "given" }, { makeSolver: unasked });
    await mkdir(join(folder, "scripts"));
    const told = await given([largerIsAbove, long]);
    expect(told).toMatchObject({ code: exitCodes.agrees, notes: "" });
    expect(told.out).toBe(`6 scripts and their hashes are in ${at()}.`);
    const names = ["kit/larger", "kit/long"].flatMap((id) =>
      [".mutant.smaller", "", ".vacuity"].map((part) => `${id}${part}.smt2`),
    );
    const sums = await readFile(at("SHA256SUMS"), "utf8");
    expect(
      sums
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(66)),
    ).toEqual(names);
    for (const line of sums.trimEnd().split("\n")) {
      const text = await readFile(at(line.slice(66)), "utf8");
      expect(createHash("sha256").update(text).digest("hex")).toBe(line.slice(0, 64));
    }
    await given([largerIsAbove]);
    expect((await readdir(at("kit"))).toSorted()).toEqual(
      names
        .slice(0, 3)
        .map((name) => name.slice(4))
        .toSorted(),
    );
    expect(await readFile(at("SHA256SUMS"), "utf8")).toBe(sums.slice(0, sums.indexOf("\n", 3 * 66) + 1));
  });

  test("writes no scripts among other files, or where nothing can be written, and says so", async () => {
    const at = join(folder, "foreign");
    await mkdir(join(at, "given"), { recursive: true });
    await writeFile(join(at, "given", "notes.txt"), "mine");
    const given = (scripts: string): Promise<Recorded> => proved("foreign", [largerIsAbove], { scripts });
    const refused = await given("given");
    expect(refused.code).toBe(exitCodes.badInput);
    expect(refused.notes).toContain("prove/foreign-files: ");
    expect(refused.notes).toContain("notes.txt among them");
    expect(await readdir(join(at, "given"))).toEqual(["notes.txt"]);
    const unwritable = await given(join("given", "notes.txt"));
    expect(unwritable.code).toBe(exitCodes.badInput);
    expect(unwritable.notes).toContain("file/unwritable: ");
    const nowhere = await given(join("nowhere", "given"));
    expect(nowhere.code).toBe(exitCodes.badInput);
    expect(nowhere.notes).toContain("file/unwritable: ");
  });

  test("writes the record of the operators all of whose obligations are proved, where there are rules", async () => {
    const at = (...path: readonly string[]): string => join(folder, "records", ...path);
    await mkdir(at("oracle", "obligations"), { recursive: true });
    for (const room of ["reference", "spec"])
      await cp(new URL(`../../${room}`, import.meta.url), at(room), { recursive: true });
    const called = (obligation: Obligation, id: string): Obligation => ({ ...obligation, id, dependsOn: [] });
    const obligations = [
      called(largerIsAbove, "operators/det/first"),
      called(stepStays, "operators/det/second"),
      called(largerIsAbove, "operators/solve/first"),
      called(wrongGoal, "operators/solve/second"),
    ];
    const { code } = await proved("records", obligations, { tier: "all", write: true });
    expect(code).toBe(exitCodes.disagrees);
    const written = await readFile(at("reference", "operators", "discharged.ts"), "utf8");
    // The hash is that of the rules as they are, which the record in use has too.
    expect(written.match(/^ {2}\w+: .*$/gm)).toEqual([
      `  det: { rules: "${discharged.det?.rules}", obligations: 2 },`,
    ]);
    expect(written).toMatch(/^export const discharged: .*\{$/m);
  });

  test.each([
    ["kit/lager", "did you mean kit/larger?"],
    ["kit/", "1 id begins so: ask for them with --only kit/"],
    ["tape", "docs/obligations.md lists all 1"],
  ])("suggests what is meant by the id %s", async (id, hint) => {
    const { code, notes } = await proved("suggests", [largerIsAbove], { id });
    expect([code, notes]).toEqual([exitCodes.nothingRun, expect.stringContaining(hint)]);
  });

  test("prints with --quiet what is not proved, and the last line", async () => {
    const both = [largerIsAbove, wrongGoal];
    const [whole, quiet] = [await proved("quiet", both), await proved("quiet", both, { verbosity: "quiet" })];
    const lines = whole.out.split("\n");
    const others = lines.slice(0, -1).filter((line) => !line.startsWith("✓"));
    const untimed = (line: string): string => line.replaceAll(/ +\d+ (?:ms|steps)/g, "");
    expect(quiet.out.split("\n").slice(0, -1).map(untimed)).toEqual(others.map(untimed));
    expect([lines.length > others.length + 1, others.some((line) => line.startsWith("✗"))]).toEqual([
      true,
      true,
    ]);
    expect(quiet.out.split("\n")).toHaveLength(others.length + 1);
  });

  test("refuses what makes no sense", async () => {
    const codeOf = async (options: Parameters<typeof proved>[2]): Promise<unknown> =>
      (await proved("refuses", [largerIsAbove], options)).code;
    expect(await codeOf({ explain: true })).toBe(exitCodes.badInput);
    expect(await codeOf({ write: true })).toBe(exitCodes.badInput);
    expect(await codeOf({ write: true, tier: "all" })).toBe(exitCodes.badInput);
    expect(await codeOf({ scripts: "given", id: "kit/larger" })).toBe(exitCodes.badInput);
    expect(await codeOf({ scripts: "given", only: "kit/" })).toBe(exitCodes.badInput);
    expect(await codeOf({ scripts: "given", tier: "all", write: true })).toBe(exitCodes.badInput);
    expect(await codeOf({ id: "kit/none" })).toBe(exitCodes.nothingRun);
    expect((await proved("refuses", [stepStays])).code).toBe(exitCodes.disagrees);
    expect((await adjudge("prove", "--tier", "weekly")).code).toBe(exitCodes.badInput);
    expect((await adjudge("prove", "--second", "z4")).code).toBe(exitCodes.badInput);
    expect((await adjudge("prove", "--seeds", "0")).code).toBe(exitCodes.badInput);
    const { out } = await adjudge("prove", "--help");
    expect(out).toContain("Usage: adjudge prove [options] [id]");
    expect(out.replaceAll(/\s+/g, " ")).toContain(`default: ${SECOND_TIMEOUT / 1_000} s`);
  });
});
