/** Answers, closes standard input, and lives on. */
import { closeSync } from "node:fs";
import process from "node:process";
import { hostile, say } from "./honest.ts";

hostile("evaluate", (_, reply) => {
  // Node itself never closes the descriptors of the standard streams.
  process.stdin.destroy();
  closeSync(0);
  setInterval(() => {}, 1000);
  say(reply);
});
