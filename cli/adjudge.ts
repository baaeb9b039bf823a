#!/usr/bin/env node
import process from "node:process";
import { nodeProblem } from "./process/node_version.ts";
import { exitCodes } from "./terminal/exit.ts";

// The version is checked before anything is loaded: an older Node fails inside, with an obscure message.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  // The compile cache saves every later command a third of a second.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  const { runProcess } = await import("./process/process.ts");
  await runProcess(process.argv.slice(2));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = exitCodes.nothingRun;
}
