/** `node versioned.test.script.ts VERSION MUTANT` is an engine of that version; `honest` has no fault. */
import process from "node:process";
import { serve } from "../../../conformance/index.ts";
import { interpreterEngine, mutants, programMutants } from "../../../engines/index.ts";

const [, , version = "1.0.0", name = "honest"] = process.argv;
const mutant = [...mutants, ...programMutants].find((candidate) => candidate.name === name);
if (mutant === undefined && name !== "honest") throw new Error(`no mutant ${name}`);
const engine = mutant?.engine() ?? interpreterEngine();
await serve({
  ...engine,
  describe: () => ({ ...interpreterEngine().describe(), name: "shaky", version }),
});
