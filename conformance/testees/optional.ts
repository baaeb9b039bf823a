import process from "node:process";
import type { Engine } from "../../spec/contract/index.ts";
import { serve } from "./kit/serve.ts";

/**
 * Serves the engine of an optional npm package. Where the package is not installed the process says what to
 * install, on standard error, and ends with exit code 1.
 */
export async function serveOptional(load: () => Promise<Engine>, packageName: string): Promise<void> {
  try {
    await serve(load);
  } catch (thrown) {
    if (!isMissing(thrown, packageName)) throw thrown;
    process.stderr.write(`${packageName} is not installed. Install it with: npm install ${packageName}\n`);
    process.exitCode = 1;
  }
}

/** Whether `thrown` says that the package itself could not be found (and not, say, a file of it). */
function isMissing(thrown: unknown, packageName: string): boolean {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    thrown.code === "ERR_MODULE_NOT_FOUND" &&
    thrown.message.includes(`'${packageName}'`)
  );
}
