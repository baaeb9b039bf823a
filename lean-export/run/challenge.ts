import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import type { Lean } from "./lean.ts";
import { type BuiltLibrary, buildLibrary } from "./library.ts";
import { importsOf } from "./modules.ts";
import { complaintOf } from "./report.ts";
import { defaultLimits } from "./session.ts";

/** Challenge.lean and the library were found to say the same. */
export interface ChallengeMet {
  readonly claims: number;
  /** So many definitions of the challenge, Lean's own parts of them among these, are the library's. */
  readonly constants: number;
}

/** A challenge is compared with these options. */
export interface ChallengeOptions {
  readonly lean: Lean;
  readonly cache: string;
  /** It defines and proves what the challenge defines and claims. */
  readonly library: BuiltLibrary;
  /** Challenge.lean lies here; beside this package's own sources if it is left out. */
  readonly folder?: string;
}

/** Lean's files are shipped beside `dist/`, not compiled into it. */
const ownFolder = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? ".." : "../../../lean-export", import.meta.url),
);

/**
 * Has Lean compare Challenge.lean, which imports nothing but Lean's own `Init`, with the library: each
 * definition that its claims speak of, as an expression, with the library's of that name, and each claim with
 * the type of the theorem of that name. That its proof rests on no axioms but Lean's own, the library's audit
 * says. Cost: a run of Lean, some six seconds of CPU.
 * Fails: what {@link buildLibrary} fails with; `lean/challenge` for each difference, or if Lean does not
 * say what it found.
 */
export async function compareChallenge(
  options: ChallengeOptions,
): Promise<Result<ChallengeMet, readonly Issue[]>> {
  const { lean, cache, library, folder = ownFolder } = options;
  const challenge = await buildLibrary({ folder, root: "Challenge", lean, cache, lanes: 1 });
  if (!challenge.ok) return challenge;
  const foreign = challenge.value.modules.flatMap(({ text }) => importsOf(text)).filter(isForeign);
  if (foreign.length > 0) return fail(foreign.map((name) => different(`It imports ${name}.`)));
  const printed = await compared(lean, [challenge.value.folder, library.folder]);
  if (!printed.ok) return printed;
  const summary = /^(\d+) claims about (\d+) constants$/.exec(printed.value.at(-1) ?? "");
  if (summary === null) return fail([different("Lean did not say what it compared.")]);
  const differences = printed.value.slice(0, -1);
  if (differences.length > 0) return fail(differences.map(different));
  const [, claims, constants] = summary;
  return ok({ claims: Number(claims), constants: Number(constants) });
}

function isForeign(name: string): boolean {
  return name !== "Init" && !name.startsWith("Init.");
}

/** Runs the comparing program, in a folder where Lean sees nothing else, and returns what it printed. */
async function compared(
  lean: Lean,
  libraries: readonly string[],
): Promise<Result<readonly string[], readonly Issue[]>> {
  const folder = await mkdtemp(join(tmpdir(), "adjudge-challenge-"));
  const file = "Compared.lean";
  try {
    await copyFile(join(ownFolder, file), join(folder, file));
    const options = ["-Dlinter.all=false", "-DElab.async=false"];
    const run = await lean.run({ folder, file, libraries, options, isProgram: true, limits: defaultLimits });
    // The WebAssembly build may end badly after it has said everything, so the code is not asked.
    if (run.kind === "stopped" || run.printed.length === 0) return fail([different(complaintOf(run))]);
    return ok(run.printed);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function different(message: string): Issue {
  const hint = "Challenge.lean has to say what the library defines and proves; one of them was changed.";
  return { code: "lean/challenge", pointer: "", message, hint };
}
