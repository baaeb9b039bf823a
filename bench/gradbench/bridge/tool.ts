/**
 * Is a tool of GradBench that computes by an engine of adjudge's: `node bench/gradbench/bridge/tool.ts
 * [ENGINE]`, on standard input and output; the compiler to JavaScript where none is named.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { bundledEngine } from "../../../conformance/index.ts";
import { answerTo, messageIn } from "./answer.ts";

const [, , name = "javascript"] = process.argv;
const started = await bundledEngine(name)?.start({});
if (started?.kind !== "started") {
  process.stderr.write(`${name} is no engine that is installed\n`);
  process.exit(1);
}
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answerTo(messageIn(line), started.engine))}\n`);
await started.engine[Symbol.asyncDispose]();
