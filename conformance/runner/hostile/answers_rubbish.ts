/** Answers with something that is not JSON. */
import { hostile, writeAll } from "./honest.ts";

hostile("evaluate", () => writeAll("tensor([-1.5000])\n"));
