import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { startContestant } from "./contestant_process.ts";
import type { Entrant } from "./entrant.ts";

/** `setup.py` installs libraries into the project's `.venv`. */
const own = join(import.meta.dirname, "..", "..", ".venv", "bin", "python");

/** The environment variable names the interpreter; else it is the project's own, or the one on the path. */
export const python: string = process.env.ADJUDGE_PYTHON ?? (existsSync(own) ? own : "python3");

const libraries = [
  { name: "PyTorch", module: "torch", style: "autograd on tensors, one thread; no compilation" },
  { name: "JAX", module: "jax", style: "jit of value_and_grad on the CPU" },
] as const;

/** Lists PyTorch and JAX in Python, as missing where they cannot be imported. */
export function pythonEntrants(scratch: string): Entrant[] {
  return libraries.map(({ name, module, style }) => {
    const probe = spawnSync(python, ["-c", `import ${module}; print(${module}.__version__)`], {
      encoding: "utf8",
    });
    const version = probe.status === 0 ? probe.stdout.trim() : undefined;
    return {
      name,
      precision: "asked",
      style: version === undefined ? style : `${version}: ${style}`,
      module: undefined,
      start: async (task) => {
        if (version === undefined) return { kind: "absent", reason: `${python} cannot import ${module}` };
        const script = join(import.meta.dirname, "..", "contestants", "python", "child.py");
        return startContestant([python, script], module, task, scratch);
      },
    };
  });
}
