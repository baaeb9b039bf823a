/** Answers with an error of a megabyte. */
import { hostile, say } from "./honest.ts";

hostile("evaluate", ({ id }) => say({ id, kind: "error", message: "alas ".repeat(200_000) }));
