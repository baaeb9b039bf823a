import type { LeanRun } from "./lean.ts";
import { dropDebugLines, formatMessage, readMessages } from "./messages.ts";
import type { ProcessEnd } from "./process.ts";

/** So many characters of standard error are kept. */
const complaintCharacters = 2_000;

/** Reads what a Lean process wrote as a {@link LeanRun}. */
export function reportRun({ ending, stdout, stderr, milliseconds }: ProcessEnd): LeanRun {
  if (ending.kind !== "exited") return { kind: "stopped", why: `Lean ${wordsOf(ending)}`, milliseconds };
  const { messages, rest } = readMessages(stdout);
  const complaint = dropDebugLines(stderr).trim().slice(-complaintCharacters);
  return { kind: "finished", code: ending.code, messages, printed: rest, complaint, milliseconds };
}

function wordsOf(ending: Exclude<ProcessEnd["ending"], { kind: "exited" }>): string {
  return ending.kind === "killed" ? ending.why : `could not be started: ${ending.why}`;
}

/** Joins what Lean found wrong into one text. */
export function complaintOf(run: LeanRun): string {
  if (run.kind === "stopped") return run.why;
  const errors = run.messages.filter(({ severity }) => severity === "error").map(formatMessage);
  const text = [...errors, run.complaint].filter((part) => part !== "").join("\n");
  return (text === "" ? `Lean exited with code ${run.code}` : text).slice(0, 2 * complaintCharacters);
}
