/** Answers `unload` with tensors. */
import { hostile, say } from "./honest.ts";

hostile("unload", ({ id }) => say({ id, kind: "tensors", tensors: [] }));
