import { spawnSync } from "node:child_process";
import process from "node:process";
import { afterEach, describe, expect, test, vi } from "vitest";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const { CC = "cc" } = process.env;
const hasCompiler = spawnSync(CC, ["--version"]).status === 0;

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Returns the words that start a framework which answers each line with the same. */
function saying(hello: string, answer: string): readonly string[] {
  const script = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) =>
    console.log(line.startsWith("hello") ? ${JSON.stringify(hello)} : ${JSON.stringify(answer)}))`;
  return ["--", process.execPath, "-e", script];
}

describe("adjudge storage-profile", () => {
  test("tells what breaks a point, with the question", async () => {
    const words = saying("ok 1 mine 2 sym", "ok 0");
    const { code, out } = await adjudge("storage-profile", "--point", "3", "--cases", "5", ...words);
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toContain("mine 2: sym; 5 cases of each law, seed 1");
    expect(out).toContain("✗  3 zero");
    expect(out).toMatch(/asked {5}zero sym\d\S* 1 1 /);
    expect(out).toContain("0 of 1 point hold; broken: 3.");
  });

  test("says of what is declined that it was not asked", async () => {
    const words = saying("ok 1 mine 2 sym", "unsupported later");
    const { code, out } = await adjudge("storage-profile", "--cases", "3", ...words);
    expect(code).toBe(exitCodes.nothingRun);
    expect(out.match(/^–/gm)?.length).toBe(17);
    expect(out).toContain("(later)");
  });

  test("is not green where most of a point is declined", async () => {
    const script = `let asked = 0;
      require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
        if (line.startsWith("hello")) return console.log("ok 1 mine 2 sym");
        asked += 1;
        console.log(asked % 20 === 0 ? "refused no" : "unsupported later");
      })`;
    const words = ["--", process.execPath, "-e", script];
    const { code, out } = await adjudge("storage-profile", "--point", "12", "--cases", "40", ...words);
    expect([code, out]).toEqual([exitCodes.tooLittle, expect.stringContaining("mostly declined: 12.")]);
    expect(out).toMatch(/^– 12 guards \(#189\): mostly declined/m);
  });

  test("gives a report as JSON, which may be drawn again", async () => {
    const words = saying("ok 1 mine 2 asym", "refused no");
    const flags = [
      "storage-profile",
      "--json",
      "--cases",
      "3",
      "--seed",
      "4",
      "--point",
      "1",
      "--point",
      "12",
    ];
    const [once, twice] = [await adjudge(...flags, ...words), await adjudge(...flags, ...words)];
    expect(once.out).toBe(twice.out);
    expect(JSON.parse(once.out)).toMatchObject({
      name: "mine",
      kinds: ["asym"],
      seed: 4,
      points: [
        { number: 1, kind: "broken", issues: [] },
        { number: 12, kind: "holds", issues: [189] },
      ],
    });
  });

  test.for([
    [["--point", "18"], "whole number from 1 to 17"],
    [["--seed", "2147483648"], "below 2147483648"],
    [["--cases", "-1"], "whole number"],
    [["--", "/there/is/none"], "engine/start"],
    [[...saying("hello yourself", "")], "engine/handshake"],
  ] as const)("is wrongly asked with %j", async ([words, told]) => {
    const { code, notes } = await adjudge("storage-profile", ...words);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain(told);
  });

  test("says that there is no compiler", async () => {
    vi.stubEnv("CC", "/there/is/no/compiler");
    const { code, notes } = await adjudge("storage-profile");
    expect(code).toBe(exitCodes.nothingRun);
    expect(notes).toContain("storage/compiler");
  });

  test.skipIf(!hasCompiler)("says what the compiler says of a folder that is no checkout", async () => {
    const { code, notes } = await adjudge("storage-profile", "--odt", "/there/is/none");
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toContain("storage/build");
  });
});
