import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import process from "node:process";
// Not by the room's door: this is started dozens of times, and the corpus behind the door takes longer than all else.
import { serve } from "../conformance/testees/kit/serve.ts";
import { type Engine, interpreterEngine, mutants } from "../engines/index.ts";

// Testees for the tests of the command line: a mutant by name, one that crashes when asked, one without float64, and one
// that never answers and has a child, the ids of both of which it writes to a file.
const [kind, name = ""] = process.argv.slice(2);

function engineOf(): Engine {
  const engine = interpreterEngine();
  if (kind === "crash") return { ...engine, load: async () => process.exit(7) };
  if (kind === "hang") return { ...engine, load: hang };
  if (kind === "single")
    return { ...engine, describe: () => ({ ...engine.describe(), dtypes: ["float32"] }) };
  const mutant = mutants.find((candidate) => candidate.name === name);
  if (mutant === undefined) throw new Error(`no mutant ${name}`);
  return mutant.engine();
}

function hang(): Promise<never> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  writeFileSync(name, JSON.stringify([process.pid, child.pid]));
  return new Promise(() => {});
}

await serve(engineOf());
