import { type LeanFile, refine } from "../../lean-export/index.ts";
import type { Issue, Result } from "../../spec/index.ts";
import type { Terminal } from "../terminal.ts";

/** What Lean says of a file. Only what it was seen to take is accepted. */
export type LeanVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly faults: readonly LeanFault[] }
  | { readonly kind: "could_not_run"; readonly why: string };

/** One thing that Lean refused: its message, and the claim that it is about, if it is about one. */
export interface LeanFault {
  readonly claim?: string;
  readonly message: string;
}

/** A Lean with the library built. */
export interface LeanChecker {
  /** Which Lean it is. */
  readonly description: string;
  /** A verdict for each file, in order. */
  check(files: readonly LeanFile[]): Promise<readonly LeanVerdict[]>;
  /** Whether the theorems of the library use no axioms but Lean's own. */
  audit(): Promise<LeanVerdict>;
}

/** What `adjudge lean` works with: replaced in tests. */
export interface LeanSurroundings {
  /** Fails: as setting up Lean and building the library do. */
  readonly prepare: (terminal: Terminal) => Promise<Result<LeanChecker, readonly Issue[]>>;
}

const notTold: LeanVerdict = { kind: "could_not_run", why: "there is no verdict" };

/** The verdict of a file; where a rejected claim is about many ids, a second look says about which it is wrong. */
export async function checkOne(checker: LeanChecker, file: LeanFile): Promise<LeanVerdict> {
  const [verdict = notTold] = await checker.check([file]);
  if (verdict.kind !== "rejected") return verdict;
  const single = refine(
    file,
    verdict.faults.flatMap(({ claim }) => claim ?? []),
  );
  if (single === undefined) return verdict;
  const [closer = notTold] = await checker.check([single]);
  return closer.kind === "rejected" ? closer : verdict;
}

/** What is said of a fault, on one line. */
export function showFault({ claim, message }: LeanFault): string {
  const [line = ""] = message.split("\n");
  return claim === undefined ? line : `${claim}: ${line}`;
}

/** A verdict on one line, for people. */
export function showVerdict(verdict: LeanVerdict): string {
  switch (verdict.kind) {
    case "accepted":
      return "accepted";
    case "rejected":
      return `rejected: ${verdict.faults.map(({ claim, message }) => claim ?? message.split("\n")[0]).join(", ")}`;
    case "could_not_run":
      return `could not be checked: ${verdict.why}`;
  }
}
