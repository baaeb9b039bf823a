import {
  buildLibrary,
  type CheckOptions,
  cacheFolder,
  checkBatch,
  findLean,
  type LeanFile,
  type LeanVerdict,
  type LibraryAudit,
  libraryProject,
  refine,
} from "../../lean-export/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/index.ts";

/** What `adjudge lean` asks Lean: replaced in tests. */
export interface LeanChecker {
  /** A verdict for each file, in order. */
  readonly check: (
    files: readonly LeanFile[],
    options: Pick<CheckOptions, "log" | "progress">,
  ) => Promise<readonly LeanVerdict[]>;
  /** Builds the library, and finds out which axioms its theorems rest on. Fails: where one rests on others than Lean's own. */
  readonly audit: (log: (line: string) => void) => Promise<Result<LibraryAudit, readonly Issue[]>>;
}

/** The Lean of this machine, or the WebAssembly build. */
export const installedLean: LeanChecker = {
  check: checkBatch,
  audit: async (log) => {
    const lean = await findLean({ log });
    if (!lean.ok) return fail([lean.error]);
    const built = await buildLibrary({
      ...libraryProject,
      lean: lean.value,
      cache: cacheFolder(),
      progress: (module, milliseconds) => log(`compiled ${module} in ${milliseconds} ms`),
    });
    return built.ok ? ok(built.value.audit) : built;
  },
};

/** The verdicts on files; where a rejected claim is about many ids, a second look says about which it is wrong. */
export async function checkClosely(
  { check }: LeanChecker,
  files: readonly LeanFile[],
  options: Pick<CheckOptions, "log" | "progress">,
): Promise<readonly LeanVerdict[]> {
  const verdicts = await check(files, options);
  const closer = new Map(
    files.flatMap((file, index): [number, LeanFile][] => {
      const verdict = verdicts[index];
      const claim = verdict?.kind === "rejected" ? verdict.claim : undefined;
      const single = claim === undefined ? undefined : refine(file.text, claim);
      return single === undefined ? [] : [[index, { name: file.name, text: single.text }]];
    }),
  );
  if (closer.size === 0) return verdicts;
  const looks = await check([...closer.values()], options.log === undefined ? {} : { log: options.log });
  const seconds = new Map([...closer.keys()].map((index, position) => [index, looks[position]]));
  return verdicts.map((verdict, index) => {
    const second = seconds.get(index);
    // Only what tells more replaces a rejection; nothing makes it an acceptance.
    return second?.kind === "rejected" && second.claim !== undefined ? second : verdict;
  });
}

/** What a checker that is silent has said. */
export const noVerdict: LeanVerdict = {
  kind: "could-not-run",
  reason: "there was no verdict",
  hint: "report this",
};

/** A verdict on one line, for people. */
export function showVerdict(verdict: LeanVerdict): string {
  switch (verdict.kind) {
    case "accepted":
      return `accepted, ${verdict.claims.length} claims`;
    case "rejected": {
      const [line = ""] = verdict.message.split("\n");
      return verdict.claim === undefined ? `rejected: ${line}` : `rejected: ${verdict.claim}: ${line}`;
    }
    case "could-not-run":
      return `could not be checked: ${verdict.reason}`;
  }
}
