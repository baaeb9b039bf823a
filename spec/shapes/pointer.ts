import type { Issue } from "./result.ts";

/** Returns `pointer` extended by one step: a property's name, escaped as RFC 6901 says, or an index. */
export function pointerTo(pointer: string, step: string | number): string {
  if (typeof step === "number") return `${pointer}/${step}`;
  return `${pointer}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the issues of a part of a document as the document's; the part stands at `pointer`. */
export function issuesWithin(pointer: string, issues: readonly Issue[]): Issue[] {
  return issues.map((issue) => ({ ...issue, pointer: `${pointer}${issue.pointer}` }));
}
