/** Never answers, and will not be told to stop. */
import process from "node:process";
import { hostile } from "./honest.ts";

process.on("SIGTERM", () => {});
hostile("evaluate", () => {
  // As deaf as a loop without end, and takes nobody's core.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
