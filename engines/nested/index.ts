import type { Engine } from "../../spec/contract/index.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import { nestedRows, soundNesting } from "./nesting.ts";

export * from "./leveled.ts";
export * from "./nesting.ts";
export { type Applied, ruleOf } from "./rules.ts";

/**
 * Makes the interpreter whose `differentiate` is computed by nested dual numbers and nested tapes, each of a
 * level of its own, not by the derived graph: a second opinion on that, in which levels could be confused.
 */
export function nestedEngine(name = "adjudge nested engine"): Engine {
  return interpreterEngine(name, { composites: nestedRows(soundNesting) });
}
