import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { adjudge, plainEnv, program } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const script = fileURLToPath(new URL("functions.test.script.ts", import.meta.url));
const bringing = (...factors: readonly string[]): string => [process.execPath, script, ...factors].join(" ");

describe("functions that a command brings", () => {
  test("are judged one after the other", async () => {
    const { code, out } = await adjudge("judge", "--functions", "-e", bringing("1", "1.5", "1"));
    expect(code).toBe(exitCodes.disagrees);
    expect(out).toMatch(/^✓ square 1 [\s\S]*wrong-derivative\]: square 1\.5 [\s\S]*1\.5 times the true one/);
    expect(out).toMatch(/^✗ 3 functions: 2 right, 1 wrong, 0 not decided$/m);
  });

  test("are right, or none are there", async () => {
    const right = await adjudge("judge", "--functions", "-q", "-e", bringing("1"));
    expect([right.code, right.out]).toEqual([
      exitCodes.agrees,
      "✓ 1 function: 1 right, 0 wrong, 0 not decided",
    ]);
    expect((await adjudge("judge", "--functions", "-e", bringing())).code).toBe(exitCodes.nothingRun);
  });

  test.each([
    [["--functions"], /nobody is there/],
    [["--functions", "x.adj", "-e", "a b"], /no files are asked/],
    [["--stdio", "-e", "a b"], /and no other/],
    [["--functions", "-n", "3", "-e", "a b"], /--cases is not for functions/],
  ])("are not asked with %j", async (words, message) => {
    const { code, notes } = await adjudge("judge", ...words);
    expect([code, notes]).toEqual([exitCodes.badInput, expect.stringMatching(message)]);
  });
});

describe("functions that the process brings which starts the judge", () => {
  test("are asked on the judge's own streams", async () => {
    const judge = spawn(process.execPath, [program, "judge", "--stdio"], {
      env: plainEnv,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const testee = spawn(process.execPath, [script, "1", "0.5"], { stdio: ["pipe", "pipe", "inherit"] });
    // The parent passes lines on, and reads what it is told.
    const verdicts: string[] = [];
    createInterface({ input: judge.stdout }).on("line", (line) => {
      const request = JSON.parse(line);
      if (request.kind === "verdict") verdicts.push(request.verdict.headline);
      testee.stdin.write(`${line}\n`);
    });
    testee.stdout.pipe(judge.stdin);
    const [code] = await once(judge, "exit");
    testee.stdin.end();
    expect([code, ...verdicts]).toEqual([
      exitCodes.disagrees,
      expect.stringMatching(/^square 1 .*agrees: 20 numbers at 10 points/),
      expect.stringMatching(/^square 0\.5 .*wrong gradient/),
    ]);
  });

  test("end where it does not say who it is, though its stream stays open", async () => {
    const judge = spawn(process.execPath, [program, "judge", "--stdio"], { env: plainEnv, stdio: "pipe" });
    await once(judge.stdout, "data");
    judge.stdin.write('{"id":1,"kind":"hello"}\n');
    const [code] = await once(judge, "exit");
    expect(code).toBe(exitCodes.undecided);
  });

  test("end with it", async () => {
    const judge = spawn(process.execPath, [program, "judge", "--stdio"], { env: plainEnv, stdio: "pipe" });
    await once(judge.stdout, "data");
    judge.stdin.end();
    const [code] = await once(judge, "exit");
    expect(code).toBe(exitCodes.undecided);
  });
});
