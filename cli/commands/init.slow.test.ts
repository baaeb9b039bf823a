import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ProcessEngine } from "../../conformance/runner/index.ts";
import { packageRoot, pythonTestee } from "../../conformance/testees/index.ts";
import { expectMovesByNodes } from "../../conformance/testees/moves.test.cases.ts";
import { exitCodes } from "../terminal/exit.ts";
import { asked, init, judged, ran, repository, withPackage } from "./init.test.kit.ts";
import { type Language, starters } from "./init_starters.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What tells whether a language's toolchain is there. */
const toolchains = [
  ["javascript", "node --version"],
  ["rust", "cargo --version"],
  ["go", "go version"],
  ["cpp", "c++ --version"],
  ["java", "javac -version"],
] as const satisfies readonly (readonly [Language, string])[];

describe.each(toolchains)("what init writes in %s", (language, toolchain) => {
  const [program = "", ...words] = toolchain.split(" ");
  const isThere = spawnSync(program, words).status === 0;
  const note = isThere ? "" : ` (skipped: there is no ${program})`;

  test.skipIf(!isThere)(`is built, passes smoke and agrees with the truth${note}`, async () => {
    const folder = repository();
    folders.push(folder);
    await init(language, folder);
    // The package is here, and need not be published to be tried.
    if (language === "javascript") withPackage(folder);
    else expect(ran(folder, starters[language].prepare)).toMatchObject({ code: 0 });
    expect(judged(language, folder)).toEqual([
      { code: exitCodes.agrees, said: expect.stringMatching(/\d\d of \d\d steps passed, 0 failed/) },
      { code: exitCodes.agrees, said: expect.stringContaining("my library 0.1.0 agrees with the truth") },
    ]);
  });
});

/** How the tape of each kit's examples is built beside the kit, and started. */
const tapes = [
  ["rust", "cargo build --example tape", "target/debug/examples/tape"],
  ["go", "go build -o target/ ./examples/tape", "target/tape"],
  ["cpp", "mkdir -p target && c++ -std=c++17 -O1 -I . examples/tape.cpp -o target/tape", "target/tape"],
  ["java", "javac -encoding UTF-8 -d target examples/Tape.java Kit.java", "java -cp target Tape"],
] as const;

describe.each(tapes)("the tape of the kit in %s", (language, build, command) => {
  const [program = "", ...words] = toolchains.find(([one]) => one === language)?.[1].split(" ") ?? [];
  const isThere = spawnSync(program, words).status === 0;
  const note = isThere ? "" : ` (skipped: there is no ${program})`;

  test.skipIf(!isThere)(`is built, passes smoke and agrees with the truth, to the bit${note}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "adjudge-tape-"));
    folders.push(folder);
    const isBuilt = (path: string): boolean => basename(path) === "target";
    cpSync(join(packageRoot(), "kits", language), folder, {
      recursive: true,
      filter: (path) => !isBuilt(path),
    });
    expect(ran(folder, build)).toMatchObject({ code: 0 });
    expect([
      asked(folder, `smoke -- ${command}`),
      asked(folder, `judge -e "${command}" -n 40 --seconds 0`),
    ]).toEqual([
      { code: exitCodes.agrees, said: expect.stringMatching(/\d\d of \d\d+ steps passed, 0 failed/) },
      { code: exitCodes.agrees, said: expect.stringContaining("tape 0.1.0 agrees with the truth") },
    ]);
    const [started = "", ...words] = command.split(" ");
    const engine = await ProcessEngine.start({ argv: [started, ...words], cwd: folder });
    if (!engine.ok) expect.unreachable(JSON.stringify(engine.error));
    await using tape = engine.value;
    await expectMovesByNodes(tape);
  });
});

describe("what init writes in JavaScript, with a wrong slope", () => {
  test("does not pass smoke, which accuses the library", async () => {
    const folder = repository();
    folders.push(folder);
    await init("javascript", folder);
    withPackage(folder);
    const adapter = join(folder, "adapter.mjs");
    const text = readFileSync(adapter, "utf8");
    const wrong = text.replace("sin: [Math.sin, (bar, x) => bar", "sin: [Math.sin, (bar, x) => x");
    expect(wrong).not.toBe(text);
    writeFileSync(adapter, wrong);
    expect(asked(folder, "smoke -- node adapter.mjs")).toEqual({
      code: exitCodes.disagrees,
      said: expect.stringMatching(/faults? of the engine, not of the adapter: sin/),
    });
  });
});

const python = pythonTestee("units_adapter.py", "numpy");
describe("what init writes in python", () => {
  test.skipIf(python === undefined)("passes smoke and agrees with the truth", async () => {
    const folder = repository();
    folders.push(folder);
    await init("python", folder);
    expect(judged("python", folder)).toEqual([
      { code: exitCodes.agrees, said: expect.stringMatching(/\d\d of \d\d steps passed, 0 failed/) },
      { code: exitCodes.agrees, said: expect.stringContaining("my library 0.1.0 agrees with the truth") },
    ]);
  });
});
