import { validateKnown } from "../../spec/documents/index.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { type KnownFailure, type KnownJson, parseJson } from "../../spec/wire/index.ts";
import type { Section } from "../report/index.ts";
import { type Fingerprint, faultIn, fingerprintOf, isOf } from "./fingerprint.ts";
import { fromOn, isInRange, rangeIssues } from "./versions.ts";

/** Reads a file of known failures. Fails: `json/…`, `schema/…`, `known/range`. */
export function readKnown(text: string): Result<readonly KnownFailure[], Issue[]> {
  const json = parseJson(text);
  const valid = json.ok ? validateKnown(json.value) : json;
  if (!valid.ok) return valid;
  const issues = rangeIssues(valid.value);
  return issues.length === 0 ? ok(valid.value.failures) : fail(issues);
}

/**
 * Marks the verdicts that are known failures, which are then no reason for the run to fail; the first failure
 * that fits accounts for a verdict. Cost: verdicts times known failures of the engine.
 */
export function withKnown(section: Section, failures: readonly KnownFailure[]): Section {
  const own = failures.filter((failure) => isAbout(failure, section));
  const cases = new Map<KnownFailure, number>();
  const excused = { disagrees: 0, crashed: 0 };
  const verdicts = section.verdicts.map(({ case: place, verdict }) => {
    const found = fingerprintOf(verdict);
    const failure = found && own.find((candidate) => isOf(candidate, found));
    if (failure === undefined || found === undefined) return { case: place, verdict };
    cases.set(failure, (cases.get(failure) ?? 0) + 1);
    excused[found.kind] += 1;
    return { case: place, verdict, known: failure };
  });
  const known = own.map((failure) => ({ failure, cases: cases.get(failure) ?? 0 }));
  return { ...section, verdicts, excused, known };
}

/** Returns the known failures of the engines asked that no case showed: mended, or not met. */
export function notMet(sections: readonly Section[]): KnownFailure[] {
  const met = new Map<KnownFailure, number>();
  for (const { known = [] } of sections)
    for (const { failure, cases } of known) met.set(failure, (met.get(failure) ?? 0) + cases);
  return [...met].flatMap(([failure, cases]) => (cases === 0 ? [failure] : []));
}

/**
 * Returns the file of known failures after a run, in order: with an entry for each new fault, without those
 * that the run asked for and did not meet, by {@link notMet} and a whole run of this version with that
 * operator. Law: a run of other cases that meets no other fault is green by it.
 */
export function updatedKnown(failures: readonly KnownFailure[], sections: readonly Section[]): KnownJson {
  const gone = new Set(
    notMet(sections).filter((failure) => sections.some((section) => wasAsked(failure, section))),
  );
  const added = new Map<string, KnownFailure>();
  for (const section of sections) {
    for (const { verdict, known } of section.verdicts) {
      const found = known === undefined ? fingerprintOf(verdict) : undefined;
      if (found === undefined) continue;
      const failure = failureOf(section, found);
      added.set(orderOf(failure), failure);
    }
  }
  const kept = failures.filter((failure) => !gone.has(failure));
  const sorted = [...kept, ...added.values()].map((failure) => [orderOf(failure), failure] as const);
  sorted.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { format: "adjudge.known.v1", failures: sorted.map(([, failure]) => failure) };
}

function isAbout({ engine, versions, dtype }: KnownFailure, { description, dtype: asked }: Section): boolean {
  return (
    engine === description.name && (dtype ?? asked) === asked && isInRange(description.version, versions)
  );
}

/** Tells whether a run would have shown a failure if the engine still had it. */
function wasAsked(failure: KnownFailure, section: Section): boolean {
  if (!isAbout(failure, section) || section.extent.ended !== "all") return false;
  return (
    failure.kind === "crashed" || failure.operator === "input" || section.tally.asked.has(failure.operator)
  );
}

/** Returns the entry of a list for a fault: of all precisions, attributes and questions that show it. */
function failureOf({ description: { name, version } }: Section, found: Fingerprint): KnownFailure {
  return { engine: name, versions: fromOn(version), ...faultIn(found) };
}

/** Returns the sort key: the engine, then what is wrong. */
function orderOf(failure: KnownFailure): string {
  const { engine, kind, versions, dtype = "" } = failure;
  const what =
    failure.kind === "crashed"
      ? [failure.message]
      : [failure.operator, failure.part, failure.attributes ?? "", failure.question ?? ""];
  return JSON.stringify([engine, kind, ...what, dtype, versions]);
}
