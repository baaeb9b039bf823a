import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { splitWords } from "../../conformance/index.ts";
import { adjudge, program } from "../process/recording.test.kit.ts";
import { exitCodes } from "../terminal/exit.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(folder, "adjudge.bash");
writeFileSync(script, (await adjudge("completion", "bash")).out);
for (const name of ["graph.adj", "a graph.adj", "found.json"]) writeFileSync(join(folder, name), "");
mkdirSync(join(folder, "suite"));

const hasBash = spawnSync("bash", ["--version"]).status === 0;
if (!hasBash) console.warn("There is no bash; what its script completes is not tried.");

/** Has bash complete the last of these words, in a folder, and lists what it offers. */
function offered(words: readonly string[], cwd = folder): string[] {
  const code = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _adjudge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bin = join(folder, "bin");
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) };
  const ran = spawnSync("bash", ["--norc", "-c", code, script, ...words], { cwd, env, encoding: "utf8" });
  expect(ran.stderr).toBe("");
  return ran.stdout.split("\n").filter((line) => line !== "");
}

describe.runIf(hasBash)("bash completes", () => {
  test.each<[string, readonly string[]]>([
    ["adjudge ju", ["judge"]],
    ["adjudge re", ["replay", "record", "report"]],
    ["adjudge judge --ki", ["--kind"]],
    ["adjudge judge --kind t", ["tapes"]],
    ["adjudge judge --kind = t", ["tapes"]],
    ["adjudge judge --la", ["--last-failed", "--laws-every"]],
    ["adjudge judge -e tf", ["tfjs"]],
    ["adjudge judge -n 3 --engine jax", ["jaxjs", "jax", "jax-jit"]],
    ["adjudge judge --seed 1", []],
    ["adjudge judge --report fo", ["found.json"]],
    ["adjudge judge --watch-path su", ["suite"]],
    ["adjudge run gr", ["graph.adj"]],
    ["adjudge run graph.adj --fo", ["--form"]],
    ["adjudge run graph.adj --form d", ["dense"]],
    ["adjudge lean ch", ["check"]],
    ["adjudge lean check --js", ["--json"]],
    ["adjudge export --as t", ["torchlean"]],
    ["adjudge lean check fo", ["found.json"]],
    ["adjudge completion z", ["zsh"]],
    ["adjudge compare --ki", []],
    ["adjudge nothing gr", ["graph.adj"]],
  ])("%s", (line, words) => {
    expect(new Set(offered(line.split(" ")))).toEqual(new Set(words));
  });

  test("every command and every flag that the help shows", async () => {
    const commands = offered(["adjudge", ""]);
    expect(commands.length).toBeGreaterThan(20);
    for (const name of commands.filter((word) => !/^-|help|lean/.test(word))) {
      const { out } = await adjudge(name, "--help");
      const flags = [...out.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
      expect([name, new Set(offered(["adjudge", name, "--"]))]).toEqual([name, new Set(flags)]);
    }
  });

  test("a file whose name has a blank", () => {
    expect(offered(["adjudge", "check", "a g"])).toEqual(["a graph.adj"]);
  });

  test("the engines that the project names", () => {
    const project = join(folder, "project");
    mkdirSync(project);
    mkdirSync(join(folder, "bin"));
    const command = join(folder, "bin/adjudge");
    writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(command, 0o755);
    writeFileSync(
      join(project, "adjudge.config.json"),
      JSON.stringify({ engines: { "own-engine": "./x y" } }),
    );
    expect(offered(["adjudge", "judge", "-e", "own"], project)).toEqual(["own-engine"]);
    expect(offered(["adjudge", "judge", "-e", "own"])).toEqual([]);
  });
});

describe("the other shells", () => {
  test("zsh gets bash's script behind what reads such ones", async () => {
    const [zsh, bash] = [await adjudge("completion", "zsh"), await adjudge("completion", "bash")];
    expect(zsh.out).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash.out}`);
  });

  test("fish gets a line for each flag, whose quotes close", async () => {
    const { code, out } = await adjudge("completion", "fish");
    expect(code).toBe(exitCodes.agrees);
    const [, , ...lines] = out.split("\n");
    for (const line of lines) expect(line.replaceAll(/\\['\\]/g, "").split("'").length % 2).toBe(1);
    const parts = lines.map((line) => splitWords(line.replaceAll("\\'", "")));
    expect(
      parts.filter((words) => words[0] !== "complete" || words[1] !== "-c" || words[2] !== "adjudge"),
    ).toEqual([]);
    const kind = lines.find((line) => line.includes(" -l kind "));
    expect(kind).toContain("-x -a 'graphs programs tapes forward-gradients'");
  });

  test("another gets none", async () => {
    expect(await adjudge("completion", "tcsh")).toMatchObject({ code: exitCodes.badInput });
  });
});
