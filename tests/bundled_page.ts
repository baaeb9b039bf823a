import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Where the page of the bundled engines stands. */
export const bundledPage: string = fileURLToPath(new URL("../docs/bundled.html", import.meta.url));

/** The engines that npm installs, by the names that the command line has for them. */
export const bundledNames: readonly string[] = ["interpreter", "javascript", "wasm", "tfjs", "jaxjs"];

/** How many cases each is asked in each precision, of the usual profile and seed. */
export const bundledCases = 100;

/** Asks them, and writes the page anew. What it says is decided by the versions of adjudge and of the engines alone. */
function writePage(): void {
  const cli = fileURLToPath(new URL("../cli/adjudge.ts", import.meta.url));
  const engines = bundledNames.flatMap((name) => ["-e", name]);
  const asked = ["-n", `${bundledCases}`, "--seconds", "0", "--html", bundledPage];
  const { status } = spawnSync(process.execPath, [cli, "judge", ...engines, ...asked], { stdio: "inherit" });
  // Some disagree: that is what the page is about.
  process.exitCode = status === 1 ? 0 : (status ?? 70);
}

if (import.meta.main) writePage();
