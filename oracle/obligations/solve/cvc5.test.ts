import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { largerIsAbove } from "../obligations.test.kit.ts";
import { type Script, scriptsOf } from "../script.ts";
import { cvc5 } from "./cvc5.ts";
import type { Solver } from "./solver.ts";

const folder = await mkdtemp(join(tmpdir(), "adjudge-second-"));
afterAll(() => rm(folder, { recursive: true }));

/** Plants a program that calls itself cvc5 and runs these lines when it is asked. */
async function planted(name: string, lines: string): Promise<Solver> {
  const path = join(folder, name);
  const code = `if (process.argv.includes("--version")) console.log("This is cvc5 version 9.9"); else { ${lines} }`;
  await writeFile(path, `#!${process.execPath}\n${code}\n`);
  await chmod(path, 0o755);
  const solver = await cvc5(path);
  if (solver === undefined) throw new Error("the planted program was not taken for cvc5");
  return solver;
}

const [vacuity, goal, mutant] = scriptsOf(largerIsAbove);
if (vacuity === undefined || goal === undefined || mutant === undefined)
  throw new Error("scripts are missing");

async function kindOf(solver: Solver, script: Script): Promise<string> {
  return (await solver.ask({ script, limits: { rlimit: 1, timeout: 60_000 }, seed: 0 })).answer.kind;
}

describe("cvc5", () => {
  test("is undefined where it is not installed", async () => {
    expect(await cvc5(join(folder, "nothing"))).toBeUndefined();
  });

  test("is read as it answers", async () => {
    await using unsat = await planted("unsat", 'console.log("unsat\\n(\\na\\nnegated-goal\\n)")');
    expect(unsat.name).toBe("cvc5 9.9");
    expect(await kindOf(unsat, goal)).toBe("proved");
    expect(await kindOf(unsat, vacuity)).toBe("proved");
    await using sat = await planted("sat", 'console.log("sat\\n((x 1) (y 2))")');
    expect(await kindOf(sat, mutant)).toBe("refuted");
    expect(await kindOf(sat, goal)).toBe("refuted");
  });

  test.each([
    ["unknown", 'console.log("unknown")', "unknown"],
    ["error", 'console.log("(error \\"no such symbol\\")"); process.exit(1)', "crashed"],
    ["nothing", "", "crashed"],
    ["garbage", 'console.log("unsat of course")', "crashed"],
    ["timeout", 'console.log("cvc5 interrupted by timeout."); process.abort()', "timeout"],
    ["abort", "process.abort()", "crashed"],
    ["its time used up", 'process.kill(process.pid, "SIGXCPU"); setTimeout(() => {}, 9_000)', "timeout"],
  ])("that says %s has no answer", async (name, lines, kind) => {
    await using solver = await planted(name, lines);
    expect(await kindOf(solver, goal)).toBe(kind);
  });

  test("is ended when it has used its time of the processor, and not sooner", async () => {
    const kindWithin = async (solver: Solver, timeout: number): Promise<string> =>
      (await solver.ask({ script: goal, limits: { rlimit: 1, timeout }, seed: 0 })).answer.kind;
    await using busy = await planted("busy", "for (;;);");
    expect(await kindWithin(busy, 1_000)).toBe("timeout");
    await using idle = await planted("idle", 'setTimeout(() => console.log("unsat\\n(a)"), 3_200)');
    expect(await kindWithin(idle, 3_000)).toBe("proved");
  });

  test("that has no answer is asked otherwise, as the logic allows", async () => {
    const only = (flag: string): string =>
      `console.log(process.argv.includes("${flag}") ? "sat\\n((x 1) (y 2))" : "unknown")`;
    await using finite = await planted("finite", only("--finite-model-find"));
    expect(await kindOf(finite, { ...mutant, logic: "UF" })).toBe("refuted");
    expect(await kindOf(finite, mutant)).toBe("unknown");
    await using split = await planted("split", only("--nl-ext-split-zero"));
    expect(await kindOf(split, { ...mutant, logic: "QF_NRA" })).toBe("refuted");
    expect(await kindOf(split, { ...mutant, logic: "QF_LRA" })).toBe("unknown");
  });

  test("agrees where it is installed", async ({ skip }) => {
    const solver = await cvc5();
    if (solver === undefined) return skip("cvc5 is not installed");
    await using _ = solver;
    expect([await kindOf(solver, vacuity), await kindOf(solver, goal), await kindOf(solver, mutant)]).toEqual(
      ["refuted", "proved", "refuted"],
    );
  });
});
