/** Starts a process of its own, which holds its pipes open, says which, and never answers. */
import { spawn } from "node:child_process";
import { hostile } from "./honest.ts";

hostile("evaluate", () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
  console.error(`child ${child.pid}`);
});
