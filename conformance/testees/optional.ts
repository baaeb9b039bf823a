import process from "node:process";
import type { Engine } from "../../spec/contract/index.ts";
import { serve } from "./kit/serve.ts";

/**
 * Serves the engine of an optional npm package. Without the package the process says on standard error what
 * to install, and ends with exit code 1.
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

/** Says whether an error means that the package itself, not just a file of it, could not be found. */
function isMissing(thrown: unknown, packageName: string): boolean {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    thrown.code === "ERR_MODULE_NOT_FOUND" &&
    thrown.message.includes(`'${packageName}'`)
  );
}
