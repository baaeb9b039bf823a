import coerce from "semver/functions/coerce.js";
import satisfies from "semver/functions/satisfies.js";
import validRange from "semver/ranges/valid.js";
import { type Issue, quote } from "../../spec/shapes/index.ts";
import type { KnownJson } from "../../spec/wire/index.ts";

/** Returns an issue for each range that npm cannot read. */
export function rangeIssues({ failures }: KnownJson): Issue[] {
  return failures.flatMap(({ versions }, place) =>
    validRange(versions) === null
      ? [
          {
            code: "known/range",
            pointer: `/failures/${place}/versions`,
            message: `${quote(versions)} is no range of versions.`,
            hint: "write it as npm does, such as >=2.15.0 <2.16.0, or * for all",
          },
        ]
      : [],
  );
}

/**
 * Tells whether a version is in a range. Engines write versions freely (`2.15.0+cu132`, `1.9`, `v3`): it
 * counts as the release that npm reads from it; an unreadable one is in `*` alone.
 */
export function isInRange(version: string, range: string): boolean {
  const read = coerce(version);
  return read === null ? range.trim() === "*" : satisfies(read, range);
}

/** Returns the range from a version on, since a failure stays until somebody mends it. */
export function fromOn(version: string): string {
  const read = coerce(version);
  return read === null ? "*" : `>=${read.version}`;
}
