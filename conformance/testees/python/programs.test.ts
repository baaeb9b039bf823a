import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  countedProgram,
  floatPrograms,
  judgeProgram,
  noPrograms,
  type ProgramFinding,
  programsOn,
} from "../../../oracle/index.ts";
import { checkProgramVectorText } from "../../../spec/index.ts";
import { ProcessEngine } from "../../runner/engine.ts";
import { programSteps } from "../../runner/smoke/programs.ts";
import { pythonTestee } from "../bundled.ts";

/** The adapters that run programs, and what is known to be wrong with their libraries. */
const adapters = [
  {
    name: "autograd",
    file: "autograd_adapter.py",
    module: "autograd",
    without: ["checkpoint"],
    known: [],
    declined: [],
  },
  { name: "JAX", file: "jax_adapter.py", module: "jax", without: [], known: [], declined: [] },
  {
    name: "PyTorch",
    file: "pytorch_adapter.py",
    module: "torch",
    // What is written under no_grad or through a detached view, and what a checkpoint writes: docs/findings.md.
    without: ["no_grad", "detach", "checkpoint"],
    // In forward mode, b.mul_(b): docs/findings.md.
    known: ["jvp derivative"],
    // torch.no_grad does not apply to forward mode, its documentation says.
    declined: ["statement no_grad float64 jvp", "statement no_grad float32 jvp"],
  },
] as const;

/** What docs/findings.md says of PyTorch's memory, by vector: an upgrade that mends one fails here. */
const findings = {
  square_overwritten_by_itself: "jvp derivative",
  checkpoint_of_what_is_overwritten: "vjp derivative",
  statistics_updated_once: "vjp state",
  write_through_a_detached_view: "vjp derivative",
  step_without_gradient: "vjp derivative",
} as const;

for (const { name, file, module, without, known, declined } of adapters) {
  const command = pythonTestee(file, module);
  const title = `${name} runs programs${command === undefined ? ` (not run: ${module} is not installed)` : ""}`;
  describe.skipIf(command === undefined)(title, () => {
    const start = async (): Promise<ProcessEngine> => {
      if (command === undefined) throw new Error("nothing to start");
      const engine = await ProcessEngine.start(command);
      if (!engine.ok) throw new Error(engine.error.map(({ message }) => message).join("\n"));
      return engine.value;
    };

    it("answers the example of every statement that it promises, and two calls of a session", async () => {
      await using engine = await start();
      const notPassed: string[] = [];
      let count = 0;
      for await (const { name: step, outcome } of programSteps(engine)) {
        count++;
        if (outcome.kind !== "passed") notPassed.push(step);
      }
      expect(notPassed).toEqual(declined);
      expect(count).toBeGreaterThan(40);
    });

    it.each(
      Object.entries(findings),
    )("answers the vector %s as docs/findings.md says", async (vector, part) => {
      await using engine = await start();
      const json = readFileSync(new URL(`../../suites/state/${vector}.json`, import.meta.url), "utf8");
      const read = checkProgramVectorText(json);
      if (!read.ok) throw new Error(read.error[0]?.message);
      const { case: first, calls, refuse } = read.value;
      const verdict = await judgeProgram(engine, { case: first, calls, refuse }, { dtype: "float64" });
      const found =
        verdict.kind === "disagrees" ? `${verdict.witness.mode} ${verdict.witness.part}` : verdict.kind;
      expect(found).not.toBe("crashed");
      if (module === "torch") expect(found).toBe(part);
      else expect(["agrees", "unsupported"]).toContain(found);
    });

    it("agrees with the truth about random programs, but for what is known", async () => {
      await using engine = await start();
      let counts = noPrograms;
      const found: ProgramFinding[] = [];
      const profile = { ...floatPrograms, without };
      for await (const { verdict } of programsOn(engine, {
        seed: 3,
        programs: 20,
        dtype: "float64",
        profile,
      })) {
        counts = countedProgram(counts, verdict);
        if (verdict.kind === "disagrees") found.push(verdict.witness);
      }
      expect(found.filter(({ mode, part }) => !known.some((kind) => kind === `${mode} ${part}`))).toEqual([]);
      expect(counts.agrees).toBeGreaterThanOrEqual(5);
      expect(counts.crashed).toBe(0);
    });
  });
}
