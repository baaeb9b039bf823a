import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjudge, testee } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-reports-"));
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const read = (name: string): Promise<string> => readFile(at(name), "utf8");

/** Cases enough for the fault, and few. */
const asked = ["-n", "30", "--dtype", "float64", "--seconds", "0", "--laws-every", "0"];
const wrong = ["-e", testee("mutant", "sin_slope_at_result"), ...asked];

describe("adjudge judge --report, --known", () => {
  beforeAll(async () => {
    const files = ["json", "xml", "sarif", "md", "html", "svg", "shields.json"].map((ending) =>
      at(`wrong.${ending}`),
    );
    const flags = [...files.flatMap((file) => ["--report", file]), "--html", at("page")];
    expect((await adjudge("judge", ...wrong, ...flags)).code).toBe(exitCodes.disagrees);
    const judged = await adjudge("judge", ...wrong, "--known", at("known.json"), "--update-known");
    expect(judged.code).toBe(exitCodes.agrees);
  });

  test("writes each form that an ending asks for", async () => {
    expect(JSON.parse(await read("wrong.json"))).toMatchObject({ format: "adjudge.report.v1" });
    expect(await read("wrong.xml")).toContain('<testcase name="sin cotangent" ');
    expect(JSON.parse(await read("wrong.sarif"))).toMatchObject({ version: "2.1.0" });
    expect(await read("wrong.md")).toMatch(/^# adjudge/);
    expect(await read("wrong.html")).toMatch(/^<!doctype html>/);
    expect(await read("wrong.svg")).toMatch(/^<svg /);
    expect(JSON.parse(await read("wrong.shields.json"))).toMatchObject({ message: "1 fault" });
  });

  test("says when the run was started and by which command, in the report and on its page", async () => {
    const { invocation } = JSON.parse(await read("wrong.json"));
    expect(invocation).toMatchObject({ command: expect.stringMatching(/^adjudge judge -e .* -n 30 /) });
    expect(Date.now() - Date.parse(invocation.started)).toBeLessThan(600_000);
    expect(await read("wrong.html")).toContain(invocation.started.slice(0, 16).replace("T", " "));
  });

  test("names the points of each graph with the profile, so that a case of the report replays", async () => {
    const engine = ["-e", testee("mutant", "sin_slope_at_result"), "--dtype", "float64"];
    const drawn = ["--profile", "mix:8", "-n", "8", "--operator", "sin", "--laws-every", "0"];
    const judged = await adjudge("judge", ...engine, ...drawn, "--seconds", "0", "--report", at("near.json"));
    expect(judged.code).toBe(exitCodes.disagrees);
    expect(JSON.parse(await read("near.json"))).toMatchObject({ profile: "mix:8" });
    const [replay = ""] = /--profile mix:8 --seed 1 --case [0-9]+ --no-laws/.exec(judged.out) ?? [];
    const replayed = await adjudge("replay", ...engine, ...replay.split(" "));
    expect(replayed.code).toBe(exitCodes.disagrees);
  });

  test.each(["mix:0", "mix:1001", "mix:", "mix:8:8", "mox:8"])("refuses %s", async (name) => {
    const { code, notes } = await adjudge("judge", "-e", "interpreter", "--profile", name);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("mix:16");
  });

  test("places what was found at the adapter, or at the file that is given", async () => {
    const uriOf = (text: string): string =>
      JSON.parse(text).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
    expect(uriOf(await read("wrong.sarif"))).toBe("cli/process/testee.test.script.ts");
    const given = ["--sarif-location", "src/engine.py"];
    const { out } = await adjudge("report", at("wrong.json"), "--as", "sarif", ...given);
    expect(uriOf(out)).toBe("src/engine.py");
    const annotated = await adjudge("report", at("wrong.json"), "--as", "github", ...given);
    expect(annotated.out).toMatch(
      /^::error file=src\/engine\.py,title=wrong-gradient%3A sin cotangent::error\[/,
    );
  });

  test("writes the same page by --html, and from the report", async () => {
    const page = await read("wrong.html");
    expect(await read("page")).toBe(page);
    const { code, out } = await adjudge("report", at("wrong.json"), "--as", "html");
    expect(code).toBe(exitCodes.agrees);
    expect(out.trimEnd()).toBe(page.trimEnd());
  });

  test("tells on the page what other commands have written, and refuses what they have not", async () => {
    const [square = "", target = ""] = ["square.adj", "eight_bits.json"].map((name) =>
      fileURLToPath(new URL(`../../docs/examples/${name}`, import.meta.url)),
    );
    const documents = [
      [at("explained.json"), (await adjudge("explain", square, "--memory", "--json")).out],
      [at("lives.json"), (await adjudge("lifetimes", square, "--json")).out],
    ] as const;
    for (const [path, text] of documents) await writeFile(path, text);
    const beside = documents.flatMap(([path]) => ["--with", path]);
    const { code, out } = await adjudge("report", at("wrong.json"), "--as", "html", ...beside);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toContain(">1. Before it runs, the dimensions agree: explained.json<");
    expect(out).toContain(">2. Lifetimes: lives.json<");
    await writeFile(at("damaged.json"), (documents[1]?.[1] ?? "").replace('"turn": 1', '"turn": -1'));
    for (const [given, form, place] of [
      [target, "html", `${target}: a page has no section for "adjudge.target.v1".`],
      [at("wrong.xml"), "html", "json/syntax"],
      [at("damaged.json"), "html", "schema/minimum at /turn"],
      [at("lives.json"), "markdown", "flag/inapplicable"],
    ] as const) {
      const refused = await adjudge("report", at("wrong.json"), "--as", form, "--with", given);
      expect([refused.code, refused.out]).toEqual([exitCodes.badInput, ""]);
      expect(refused.notes).toContain(place);
    }
  });

  test("is green where what fails is known, and says so in every form", async () => {
    const flags = ["--known", at("known.json"), "--report", at("known-run.json")];
    const { code, out } = await adjudge("judge", ...wrong, ...flags);
    expect(code).toBe(exitCodes.agrees);
    expect(out).toMatch(/^✓ mutant: .* 0 +0 +\d+ +\d+$/m);
    expect(out).toMatch(/ cases? more (is a|are) known failures?$/m);
    expect(out.trimEnd()).toMatch(/✓ .* agrees with the truth; 1 fault known$/);
    expect(out).toContain("known: mutant: sin_slope_at_result >=0.1.0: sin cotangent");
    expect((await adjudge("report", at("known-run.json"), "--as", "junit")).out).not.toContain("<failure");
    expect((await adjudge("report", at("known-run.json"), "--as", "github")).out).toMatch(/^::notice /);
  });

  test("is green of the same fault in other cases, precisions and processes", async () => {
    const others = [
      ["--seed", "2", "--dtype", "float32", "-n", "80"],
      ["--jobs", "2", "-n", "60"],
    ];
    for (const other of others) {
      const { code, out } = await adjudge("judge", ...wrong, ...other, "--known", at("known.json"));
      expect([code, out.trimEnd()]).toEqual([exitCodes.agrees, expect.stringMatching(/; 1 fault known$/)]);
    }
  });

  test("fails where something else fails beside what is known", async () => {
    const other = ["-e", testee("mutant", "relu_leaks"), ...asked, "-n", "100"];
    expect((await adjudge("judge", ...other, "--known", at("known.json"))).code).toBe(exitCodes.disagrees);
  });

  test("names what is known and was not met, and forgets it when it is told to", async () => {
    const known = JSON.parse(await read("known.json"));
    const [first] = known.failures;
    const mended = { ...first, operator: "cos" };
    await writeFile(at("more.json"), JSON.stringify({ ...known, failures: [...known.failures, mended] }));
    const flags = ["--known", at("more.json")];
    expect((await adjudge("judge", ...wrong, ...flags)).out).toContain("known and not met");
    await adjudge("judge", ...wrong, ...flags, "--update-known");
    expect(JSON.parse(await read("more.json"))).toEqual(known);
  });

  test.each([
    ["a file that is not there", at("nowhere.json"), undefined, "file/unreadable"],
    ["what is no list of failures", at("bad.json"), "{}", "schema/required"],
    ["a range that is none", at("range.json"), undefined, "known/range"],
  ])("refuses %s, and asks nobody", async (_what, file, text, code) => {
    if (text !== undefined) await writeFile(file, text);
    if (code === "known/range") {
      const known = JSON.parse(await read("known.json"));
      known.failures[0].versions = "some";
      await writeFile(file, JSON.stringify(known));
    }
    const judged = await adjudge("judge", ...wrong, "--known", file);
    expect(judged).toMatchObject({ code: exitCodes.badInput, out: "", notes: expect.stringContaining(code) });
    expect(judged.notes).toContain(file);
  });
});

describe("adjudge compare", () => {
  beforeAll(async () => {
    const right = ["-e", "interpreter", ...asked, "--report", at("right.json")];
    await adjudge("judge", ...right);
    const report = JSON.parse(await read("wrong.json"));
    report.engines[0].description.name = "adjudge interpreter";
    await writeFile(at("renamed.json"), JSON.stringify(report));
  });

  test("fails where something broke, with its graph, and not where it is mended", async () => {
    const broke = await adjudge("compare", at("right.json"), at("renamed.json"));
    expect(broke).toMatchObject({ code: exitCodes.disagrees, out: expect.stringMatching(/^✗ broke: .*sin/) });
    expect(broke.out).toMatch(/%\d+: \[.*\] = sin\(/);
    const mended = await adjudge("compare", at("renamed.json"), at("right.json"));
    expect(mended).toMatchObject({ code: exitCodes.agrees, out: expect.stringMatching(/^✓ mended: .*sin/) });
    // What broke and the last line are all that is printed with -q.
    const quiet = await adjudge("compare", "-q", at("right.json"), at("renamed.json"));
    expect(quiet.out).toBe(broke.out);
    const nothing = await adjudge("compare", "-q", at("renamed.json"), at("right.json"));
    expect(nothing.out).toMatch(/^0 broke, \d+ mended, 0 as they were$/);
  });

  test("writes the comparison as JSON and as a page too", async () => {
    const flags = ["--json", "--html", at("compared.html")];
    const { out } = await adjudge("compare", at("right.json"), at("renamed.json"), ...flags);
    const [broke, ...others] = JSON.parse(out).broke;
    expect([Object.keys(broke), others]).toEqual([
      ["engine", "dtypes", "kind", "title", "before", "after", "lines"],
      [],
    ]);
    expect(broke.lines.join("\n")).toMatch(/%\d+: \[.*\] = sin\(/);
    const page = await read("compared.html");
    expect(page).toMatch(/<title>adjudge: 1 new fault<\/title>/);
    expect(page).toContain('"group":"new"');
    const unwritable = ["--html", at("nowhere/compared.html")];
    const refused = await adjudge("compare", at("right.json"), at("renamed.json"), ...unwritable);
    expect(refused.code).toBe(exitCodes.badInput);
  });

  test("has nothing to say of reports that have no engine in common", async () => {
    const { code, out } = await adjudge("compare", at("right.json"), at("wrong.json"));
    expect(code).toBe(exitCodes.nothingRun);
    expect(out).toContain("is in the old report alone");
  });

  test("refuses what is no report, by its name", async () => {
    await writeFile(at("graph.json"), JSON.stringify({ format: "adjudge.graph.v1" }));
    const { code, notes } = await adjudge("compare", at("right.json"), at("graph.json"));
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("graph.json");
  });
});

test("adjudge judge shows a small case of a fault that it meets again and again", async () => {
  const engine = testee("mutant", "sum_drops_last");
  const flags = ["-n", "150", "--dtype", "float64", "--seconds", "0", "--laws-every", "0"];
  const { out } = await adjudge("judge", "-e", engine, ...flags);
  expect(out).toMatch(/sum value: .* \(\d\d+ cases\)$/m);
  expect(out.match(/^ {4}graph /gm)).toHaveLength(1);
  expect(out.match(/^ {6}%\d+: /gm)).toHaveLength(1);
});
