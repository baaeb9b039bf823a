/** Answers a question for tensors with `done`. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id }) => say({ id, kind: "done" }));
