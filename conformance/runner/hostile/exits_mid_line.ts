/** Ends in the middle of an answer. */
import process from "node:process";
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", (_, reply) => {
  writeAll(JSON.stringify(reply).slice(0, 20));
  process.exit(0);
});
