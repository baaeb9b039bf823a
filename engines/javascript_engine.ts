import { accuracy } from "./accuracy.ts";
import { compiledEngine } from "./compile/contract.ts";
import type { Engine } from "./engine.ts";
import { javascript } from "./javascript/index.ts";
import type { Profile } from "./plan/rewrite.ts";

/** The engine in generated JavaScript, behind the contract that the judge knows. */
export function javascriptEngine(profile: Profile = "fast"): Engine {
  return compiledEngine({
    name: profile === "fast" ? "adjudge javascript" : "adjudge javascript, bit-exact",
    version: "0.1.0",
    accuracy,
    backend: javascript,
    profile,
  });
}
