/** Answers with JSON that is no message. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id }) => say({ id, kind: "tensors", tensors: "two" }));
