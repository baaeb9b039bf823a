/** Closes standard output, and lives on. */
import { closeSync } from "node:fs";
import { hostile } from "./honest.ts";

hostile("evaluate", () => closeSync(1));
