/** Dies of a signal instead of answering. */
import process from "node:process";
import { hostile } from "./honest.ts";

hostile("evaluate", () => process.kill(process.pid, "SIGKILL"));
