import process from "node:process";
import type { Engine } from "../../spec/contract/index.ts";
import { isMissing } from "../../spec/peers.ts";
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
