import { fail, type Issue, ok, type Result, visible } from "../../spec/shapes/index.ts";
import {
  type BuiltLibrary,
  buildLibrary,
  type ChallengeMet,
  type CheckOptions,
  cacheFolder,
  checkBatch,
  compareChallenge,
  findLean,
  type Lean,
  type LeanFile,
  type LeanVerdict,
  type LibraryAudit,
  libraryProject,
} from "../index.ts";

/** `adjudge lean` asks Lean through this interface, which tests replace. */
export interface LeanChecker {
  /** A verdict for each file, in order. */
  readonly check: (
    files: readonly LeanFile[],
    options: Pick<CheckOptions, "log" | "progress">,
  ) => Promise<readonly LeanVerdict[]>;
  /** Builds the library and finds its axioms. Fails: where a theorem rests on others than Lean's own. */
  readonly audit: (log: (line: string) => void) => Promise<Result<LibraryAudit, readonly Issue[]>>;
  /** Compares Challenge.lean with the library. Fails: where they differ. */
  readonly challenge: (log: (line: string) => void) => Promise<Result<ChallengeMet, readonly Issue[]>>;
}

/** The Lean of this machine, or the WebAssembly build. */
export const installedLean: LeanChecker = {
  check: checkBatch,
  audit: async (log) => {
    const built = await builtLibrary(log);
    return built.ok ? ok(built.value.library.audit) : built;
  },
  challenge: async (log) => {
    const built = await builtLibrary(log);
    return built.ok ? compareChallenge({ ...built.value, cache: cacheFolder() }) : built;
  },
};

async function builtLibrary(
  log: (line: string) => void,
): Promise<Result<{ readonly lean: Lean; readonly library: BuiltLibrary }, readonly Issue[]>> {
  const lean = await findLean({ log });
  if (!lean.ok) return fail([lean.error]);
  const built = await buildLibrary({
    ...libraryProject,
    lean: lean.value,
    cache: cacheFolder(),
    progress: (module, milliseconds) => log(`compiled ${module} in ${milliseconds} ms`),
  });
  return built.ok ? ok({ lean: lean.value, library: built.value }) : built;
}

/** A checker that does not answer has this verdict. */
export const noVerdict: LeanVerdict = {
  kind: "could-not-run",
  reason: "there was no verdict",
  hint: "report this",
};

/** Returns a verdict for people, one line for each reason. What the file or Lean wrote is foreign text. */
export function showVerdict(verdict: LeanVerdict): string {
  switch (verdict.kind) {
    case "accepted":
      return `accepted, ${verdict.claims.length} claims`;
    case "rejected": {
      const [line = ""] = verdict.message.split("\n");
      return visible(
        verdict.claim === undefined ? `rejected: ${line}` : `rejected: ${verdict.claim}: ${line}`,
      );
    }
    case "could-not-run":
      return `could not be checked: ${verdict.reason
        .split("\n")
        .map((line) => visible(line))
        .join("\n")}`;
  }
}
