import type { LeanSurroundings } from "./checker.ts";

/** The Lean of this machine, or the WebAssembly build. */
export const installedLean: LeanSurroundings = {
  prepare: () => Promise.reject(new Error("to come")),
};
