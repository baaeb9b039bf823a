import { visible } from "./text.ts";

/**
 * The outcome of something that may fail for expected reasons (a bad graph, a bad message): the value, or
 * what is wrong with the input. Failing this way never throws and loses nothing.
 */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** Returns the successful outcome. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Returns the failed outcome. */
export function fail<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}

/** One thing that is wrong with an input: what, where, and what to do about it. */
export interface Issue {
  /** The code is stable and machine-readable, `area/what`, for example `graph/parent-order`. */
  readonly code: string;
  /** JSON pointer (RFC 6901) into the offending document; `""` is the whole of it. */
  readonly pointer: string;
  /** One sentence tells a person what is wrong. */
  readonly message: string;
  /** The hint says what would make it right. */
  readonly hint: string;
}

/** After this many issues a check stops looking: more would help nobody, and input may be hostile. */
export const MAXIMUM_ISSUES = 100;

/**
 * Checks every entry by `check`: returns all values, or the issues of all that failed, {@link MAXIMUM_ISSUES}
 * at most. It stops looking once there are enough.
 */
export function checkAll<A, T>(
  entries: readonly A[],
  check: (entry: A, index: number) => Result<T, Issue[]>,
): Result<T[], Issue[]> {
  const values: T[] = [];
  const issues: Issue[] = [];
  for (const [index, entry] of entries.entries()) {
    const result = check(entry, index);
    if (result.ok) values.push(result.value);
    else issues.push(...result.error);
    if (issues.length >= MAXIMUM_ISSUES) break;
  }
  return issues.length === 0 ? ok(values) : fail(issues.slice(0, MAXIMUM_ISSUES));
}

/** Returns `code at pointer: message (hint)`, on one line, whatever of the document is quoted in it. */
export function formatIssue(issue: Issue): string {
  const place = issue.pointer === "" ? "the document" : issue.pointer;
  return visible(`${issue.code} at ${place}: ${issue.message} Hint: ${issue.hint}`);
}

/** It is thrown where adjudge itself is wrong; only the command line catches it. */
export class InvariantError extends Error {
  override readonly name = "InvariantError";
}

/** Marks the arm of a `switch` that cannot be reached. Throws {@link InvariantError}. */
export function assertNever(value: never): never {
  throw new InvariantError(`unreachable: ${JSON.stringify(value)}`);
}

/** Returns `value`, which the caller knows to be present. Throws {@link InvariantError} otherwise. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new InvariantError(`missing: ${what}`);
  return value;
}
