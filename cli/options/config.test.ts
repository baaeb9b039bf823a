import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { validateReport } from "../../spec/index.ts";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { CONFIG_FILE, findConfig, readConfig } from "./config.ts";

const folders: string[] = [];
const before = process.cwd();
const { ADJUDGE_CACHE } = process.env;
let folder = "";

/** Each test stands in a repository of its own. */
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "adjudge-config-")));
  folders.push(folder);
  mkdirSync(join(folder, ".git"));
  process.chdir(folder);
  process.env.ADJUDGE_CACHE = join(folder, ".cache");
});
afterEach(() => {
  process.chdir(before);
  if (ADJUDGE_CACHE === undefined) delete process.env.ADJUDGE_CACHE;
  else process.env.ADJUDGE_CACHE = ADJUDGE_CACHE;
});
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true });
});

/** Writes the settings of the repository, or of a folder in it. */
function set(config: unknown, below = "."): void {
  mkdirSync(join(folder, below), { recursive: true });
  const text = typeof config === "string" ? config : JSON.stringify(config);
  writeFileSync(join(folder, below, CONFIG_FILE), text);
}

const right = testee("honest");
const quick = { dtypes: ["float32"], seed: 7, cases: 11, profile: "tensor", budgets: { seconds: 0 } };

/** Judges, and returns what the report says was asked. */
async function judged(...flags: string[]) {
  const ran = await adjudge("judge", ...flags, "--json");
  const report = ran.out === "" ? undefined : validateReport(JSON.parse(ran.out));
  return { ...ran, report: report?.ok === true ? report.value : undefined };
}

describe("the project's settings", () => {
  test("say what is asked of whom, and -v says what was taken of them", async () => {
    set({
      $schema: "https://example.org/config.schema.json",
      engines: { mine: right },
      ...quick,
      exclude: ["exp"],
    });
    const { code, report, notes } = await judged("-v");
    expect(code).toBe(exitCodes.agrees);
    expect(report).toMatchObject({
      seed: 7,
      cases: 11,
      profile: "tensor",
      selection: { operators: [], excluded: ["exp"] },
      engines: [{ label: "mine", dtype: "float32" }],
    });
    expect(notes).toBe(
      "adjudge.config.json: engines mine; dtypes float32; profile tensor; seed 7; cases 11; seconds 0; exclude exp",
    );
    expect((await judged()).notes).toBe("");
  });

  test("give way to flags, and to --no-config", async () => {
    set({ engines: { mine: right }, ...quick, budgets: { seconds: 1e-9, elements: 0 } });
    const flags = ["--seed", "8", "-n", "3", "-d", "float64", "--max-elements", "1000000", "--seconds", "0"];
    const { report, notes } = await judged(...flags, "-v");
    expect(report).toMatchObject({ seed: 8, cases: 3, profile: "tensor", engines: [{ dtype: "float64" }] });
    expect(notes).toBe("adjudge.config.json: engines mine; profile tensor");
    const none = await judged("--no-config", "-e", "interpreter", "-n", "2", "-d", "float64");
    expect(none.report).toMatchObject({ seed: 1, cases: 2, profile: "mix" });
    const named = await judged("--no-config", "-e", "mine");
    expect(named).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("engine/unknown"),
    });
  });

  test("are found above, where their commands and files are", async () => {
    const script = fileURLToPath(new URL("../process/testee.test.script.ts", import.meta.url));
    mkdirSync(join(folder, "adapters"));
    writeFileSync(
      join(folder, "adapters/mine.mjs"),
      `process.argv.splice(2, 9, "honest"); await import(${JSON.stringify(script)});`,
    );
    set({
      engines: { mine: `"${process.execPath}" adapters/mine.mjs` },
      ...quick,
      reports: ["all/found.json"],
    });
    mkdirSync(join(folder, "all"));
    mkdirSync(join(folder, "a/b"), { recursive: true });
    process.chdir(join(folder, "a/b"));
    const { code, notes } = await judged("-v");
    expect([code, notes]).toEqual([exitCodes.agrees, expect.stringContaining("../../adjudge.config.json: ")]);
    const found = validateReport(JSON.parse(readFileSync(join(folder, "all/found.json"), "utf8")));
    expect(found.ok && found.value.cases).toBe(11);
    // A nearer file holds, and one that is named.
    set({ ...quick, engines: { nearer: right } }, "a");
    expect((await judged()).report?.engines).toMatchObject([{ label: "nearer" }]);
    const named = await judged("--config", join(folder, CONFIG_FILE));
    expect(named.report?.engines).toMatchObject([{ label: "mine" }]);
  });

  test("name engines for replay, programs and lists too", async () => {
    set({ engines: { mine: right, ours: "interpreter" }, seed: 7 });
    for (const name of ["mine", "ours"]) {
      expect(await adjudge("replay", "-e", name, "--case", "3")).toMatchObject({ code: exitCodes.agrees });
    }
    expect((await adjudge("programs", "-n", "3", "-v")).notes).toContain("engines mine, ours; seed 7");
    const { out } = await adjudge("judge", "--list", "engines");
    expect(
      out
        .split("\n")
        .slice(0, 3)
        .map((line) => line.split("  ")[0]),
    ).toEqual(["mine", "ours", "interpreter"]);
    const wrong = await adjudge("judge", "-e", "oursi");
    expect(wrong.notes).toContain("did you mean ours?");
  });

  test("have the failures that are known in a file beside them", async () => {
    const wrong = testee("mutant", "operand_dropped");
    const config = { ...quick, engines: { mine: wrong }, known: "known.json" };
    set(config);
    expect((await judged("--update-known")).code).toBe(exitCodes.agrees);
    expect(JSON.parse(readFileSync(join(folder, "known.json"), "utf8")).failures.length).toBeGreaterThan(0);
    mkdirSync(join(folder, "below"));
    process.chdir(join(folder, "below"));
    expect((await judged()).code).toBe(exitCodes.agrees);
    set({ ...config, known: "other.json" });
    expect((await judged()).code).toBe(exitCodes.badInput);
  });

  test("hold for several processes", async () => {
    set({ ...quick, engines: { mine: right } });
    const { report } = await judged("--jobs", "2");
    expect(report).toMatchObject({ seed: 7, cases: 11, engines: [{ label: "mine", extent: { asked: 11 } }] });
  });

  test("of graphs are none of programs", async () => {
    set({ cases: 100_000, reports: ["found.html"], known: "known.json", engines: { ours: "interpreter" } });
    const { out } = await adjudge("judge", "--kind", "programs", "-n", "2", "--json");
    expect(JSON.parse(out)).toMatchObject({ programs: 2 });
  });

  test.each([
    [{ engine: { mine: "x y" } }, "schema/additionalProperties at /engine", 'did you mean "engines"?'],
    [{ budgets: { second: 1 } }, "at /budgets/second", 'did you mean "seconds"?'],
    [{ exclude: ["sorted"] }, "at /exclude/0", 'did you mean "sort"?'],
    [{ dtypes: ["float46"] }, "at /dtypes/0", 'did you mean "float'],
    [{ seed: -1 }, "at /seed", "a whole number from 0"],
    [{ seed: 1.5 }, "at /seed", "a whole number from 0"],
    [{ seed: "1" }, "at /seed", "a whole number from 0"],
    [{ cases: 1e300 }, "at /cases", "a whole number from 0"],
    [{ engines: { "": "x y" } }, "at /engines", ""],
    [{ engines: { "-e": "x y" } }, "at /engines", ""],
    [{ engines: { "a\u001b[2J": "x y" } }, "at /engines", ""],
    [{ engines: { mine: "" } }, "at /engines/mine", ""],
    [{ engines: {} }, "at /engines", ""],
    [{ engines: ["python3 adapter.py"] }, "at /engines", ""],
    [{ profile: "huge" }, "profile/unknown", "mix"],
    [{ constructor: 1 }, "at /constructor", ""],
    ['{"__proto__": {"seed": 3}}', "", ""],
    ['{"engines": {"__proto__": "x y"}}', "at /engines", ""],
    ["[]", "schema/type", ""],
    ["null", "schema/type", ""],
    ["", "json/", ""],
    ["{", "json/", ""],
    ["[".repeat(100_000), "json/", ""],
    [{ reports: ["nowhere/found.json"] }, "file/unwritable", ""],
    [{ known: "../outside/known.json" }, "file/unreadable", ""],
  ])("are refused where they are %j", async (config, complaint, hint) => {
    set(config);
    const { code, notes } = await adjudge("judge", "-e", "interpreter", "-n", "1");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining(complaint)]);
    expect(notes).toContain(hint);
    if (!/^(?:profile|file)\//.test(complaint)) expect(notes).toContain(CONFIG_FILE);
    expect(notes).not.toContain("at fault");
    expect(notes).not.toContain("\u001b");
  });

  test("are as docs/judging.md shows them", async () => {
    const page = readFileSync(new URL("../../docs/judging.md", import.meta.url), "utf8");
    const [, shown = ""] = /`adjudge\.config\.json`\n[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
    set(shown);
    const config = await readConfig(join(folder, CONFIG_FILE));
    expect(config.ok && Object.keys(config.value).length).toBe(10);
    // The schema lies where it is said to lie, and says what stands in the source.
    const schema = JSON.parse(shown).$schema.replace("./node_modules/adjudge/dist/", "../../");
    expect(existsSync(new URL(schema, import.meta.url))).toBe(true);
  });

  test("are refused where the file that is named is not there", async () => {
    const { code, notes } = await adjudge("judge", "--config", "nowhere.json");
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringContaining("file/unreadable")]);
  });

  test("are looked for up to the repository or home, and else here alone", () => {
    const [home, inside] = [join(folder, "home"), join(folder, "home/a/b")];
    mkdirSync(inside, { recursive: true });
    set({});
    expect(findConfig({ working: inside, home: "/nowhere" })).toBe(join(folder, CONFIG_FILE));
    expect(findConfig({ working: inside, home })).toBe(undefined);
    rmSync(join(folder, ".git"), { recursive: true });
    // Nothing says that what lies above is ours.
    expect(findConfig({ working: inside, home: "/nowhere" })).toBe(undefined);
    expect(findConfig({ working: folder, home: "/nowhere" })).toBe(join(folder, CONFIG_FILE));
    set({}, "home/a");
    expect(findConfig({ working: inside, home })).toBe(join(home, "a", CONFIG_FILE));
    expect(findConfig({ working: dirname(home), home })).toBe(join(folder, CONFIG_FILE));
  });
});
