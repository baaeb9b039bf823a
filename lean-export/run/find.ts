import process from "node:process";
import { cacheFolder } from "../../spec/cache_folder.ts";
import { type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Lean } from "./lean.ts";
import { findNative } from "./native.ts";
import { wasmLean } from "./wasm/wasm.ts";

/** A Lean is searched for in these places. */
export interface Search {
  readonly environment: NodeJS.ProcessEnv;
  /** It is told what takes long, and why a Lean that is there is not used. */
  readonly log: (line: string) => void;
}

/**
 * Returns the Lean of this machine: a native one of the version that the library is written for, which is the
 * authority; else the WebAssembly build. A native one that does not fit is named, never passed over in
 * silence. Fails: `lean/not-installed`, `lean/integrity`, `lean/cache`.
 */
export async function findLean(search: Partial<Search> = {}): Promise<Result<Lean, Issue>> {
  const { environment = process.env, log = () => {} } = search;
  const native = await findNative(environment);
  if (native.kind === "found") return ok(native.lean);
  if (native.kind === "unfit") log(native.why);
  const wasm = await wasmLean(cacheFolder(environment), log);
  if (!wasm.ok || native.kind === "absent") return wasm;
  return ok({ ...wasm.value, remarks: [...wasm.value.remarks, native.why] });
}
