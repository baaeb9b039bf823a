import type { LeanRun } from "./lean.ts";
import { dropDebugLines, readMessages } from "./messages.ts";
import type { ProcessEnd } from "./process.ts";

/** How much of standard error is kept. */
const complaintCharacters = 2_000;

/** What a Lean process wrote, as a {@link LeanRun}. */
export function reportRun({ ending, stdout, stderr, milliseconds }: ProcessEnd): LeanRun {
  if (ending.kind !== "exited") return { kind: "stopped", why: `Lean ${wordsOf(ending)}`, milliseconds };
  const { messages, rest } = readMessages(stdout);
  const complaint = dropDebugLines(stderr).trim().slice(-complaintCharacters);
  return { kind: "finished", code: ending.code, messages, printed: rest, complaint, milliseconds };
}

function wordsOf(ending: Exclude<ProcessEnd["ending"], { kind: "exited" }>): string {
  return ending.kind === "killed" ? ending.why : `could not be started: ${ending.why}`;
}
