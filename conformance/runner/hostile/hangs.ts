/** Never answers, and will not be told to stop. */
import process from "node:process";
import { hostile } from "./honest.ts";

process.on("SIGTERM", () => {});
hostile("evaluate", () => {
  for (;;);
});
