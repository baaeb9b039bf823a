#!/usr/bin/env node
import process from "node:process";
import { exitCodes } from "./exit.ts";
import { nodeProblem } from "./node_version.ts";

// The version is looked at before anything else is loaded: an older Node fails somewhere inside, in words that help nobody.
const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  // What Node has compiled of adjudge is there for the next command: a third of a second each.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  const { runProcess } = await import("./process.ts");
  await runProcess(process.argv.slice(2));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = exitCodes.nothingRun;
}
