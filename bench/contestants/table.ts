import { present } from "../../spec/index.ts";
import type { Contestant } from "./contestant.ts";

/** Each contestant in JavaScript has its own process, since it takes memory and changes global state. */
const table: Readonly<Record<string, () => Promise<Contestant>>> = {
  interpreter: async () => (await import("./interpreter.ts")).interpreterContestant,
  javascript: async () => (await import("./engines.ts")).engine("javascript"),
  wasm: async () => (await import("./engines.ts")).engine("wasm"),
  "compiled C": async () => (await import("./engines.ts")).engine("c"),
  rose: async () => (await import("./rose.ts")).rose,
  simplegrad: async () => (await import("./simplegrad.ts")).simplegrad,
  adnn: async () => (await import("./adnn.ts")).adnn,
  "jax-js": async () => (await import("./jaxjs.ts")).jaxjs("float32"),
  "jax-js f64": async () => (await import("./jaxjs.ts")).jaxjs("float64"),
  "TensorFlow.js cpu": async () => (await import("./tfjs.ts")).tfjs("cpu"),
  "TensorFlow.js wasm": async () => (await import("./tfjs.ts")).tfjs("wasm"),
};

/** Names the contestants, in the order of tables. */
export const contestantNames: readonly string[] = Object.keys(table);

/** Loads a contestant. */
export function contestantNamed(name: string): Promise<Contestant> {
  return present(table[name], name)();
}

/** These belong to this project. */
export const ours: readonly string[] = ["interpreter", "javascript", "wasm", "compiled C"];
