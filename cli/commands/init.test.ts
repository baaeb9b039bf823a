import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../options/config.ts";
import { adjudge } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";
import { init, repository } from "./init.test.kit.ts";
import { languages, starters } from "./init_starters.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function fresh(): string {
  const folder = repository();
  folders.push(folder);
  return folder;
}

describe("adjudge init", () => {
  test.each(
    languages,
  )("writes an adapter in %s with its kit, settings, a list and a job", async (language) => {
    const folder = fresh();
    const { code, out } = await init(language, join(folder, "tools", "mine"));
    expect(code).toBe(exitCodes.agrees);
    const own = join(folder, "tools", "mine");
    expect(out).toContain(starters[language].prepare);
    expect(out).toContain(`adjudge smoke -- ${starters[language].command}`);
    const config = await readConfig(join(own, "adjudge.config.json"));
    expect(config).toMatchObject({ ok: true, value: { engines: { mine: starters[language].command } } });
    const { kit } = starters[language];
    if (kit.to !== ".") expect(readdirSync(join(own, kit.to)).length).toBeGreaterThan(1);
    const files = readdirSync(own, { recursive: true, encoding: "utf8" });
    // A kit's tests stay at home.
    expect(files.filter((name) => /test|template/.test(name))).toEqual([]);
    const job: unknown = parse(
      readFileSync(join(folder, ".github", "workflows", "adjudge-tools-mine.yml"), "utf8"),
    );
    expect(job).toMatchObject({
      jobs: {
        judge: {
          defaults: { run: { "working-directory": "tools/mine" } },
          steps: expect.arrayContaining([{ run: starters[language].prepare }]),
        },
      },
    });
  });

  test("overwrites nothing, and then writes nothing", async () => {
    const folder = fresh();
    const mine = join(folder, "adapter.cpp");
    writeFileSync(mine, "mine");
    const { code, notes } = await init("cpp", folder);
    expect(code).toBe(exitCodes.badInput);
    expect(notes).toMatch(/file\/exists: .*adapter\.cpp is there already, and nothing was written/);
    expect(readFileSync(mine, "utf8")).toBe("mine");
    expect(readdirSync(folder).toSorted()).toEqual([".git", "adapter.cpp"]);
  });

  test("keeps a .gitignore that is there, and refuses a folder that cannot be made", async () => {
    const folder = fresh();
    const ignored = join(folder, ".gitignore");
    writeFileSync(ignored, "mine\n");
    expect(await init("java", folder)).toMatchObject({ code: exitCodes.agrees });
    expect(readFileSync(ignored, "utf8")).toBe("mine\n");
    expect(existsSync(join(folder, ".github", "workflows", "adjudge.yml"))).toBe(true);
    expect(await init("go", join(ignored, "below"))).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("file/unwritable"),
    });
  });

  test("wants a language that it knows", async () => {
    expect(await adjudge("init")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("--lang"),
    });
    expect(await adjudge("init", "--lang", "cobol")).toMatchObject({
      code: exitCodes.badInput,
      notes: expect.stringContaining("python, javascript, rust, go, cpp, java"),
    });
  });
});
