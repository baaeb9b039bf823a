import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { startContestant } from "./contestant_process.ts";
import type { Entrant } from "./entrant.ts";

/** The environment variable names the interpreter; else it is the one on the path. */
const python = process.env.ADJUDGE_PYTHON ?? "python3";

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
