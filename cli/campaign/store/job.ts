import { createHash } from "node:crypto";
import type { DataType } from "../../../spec/wire/index.ts";

/** A campaign asks these kinds of question by their numbers. */
export const seriesKinds = ["graphs", "tapes", "programs", "functions"] as const;

export type SeriesKind = (typeof seriesKinds)[number];

/** An engine as the command line names it, in one version with one set of promises. */
export interface Subject {
  /** The command line names the engine so. */
  readonly label: string;
  readonly name: string;
  readonly version: string;
  /** The engine offers all this, as JSON: another offer under the same version is another subject. */
  readonly offer: string;
}

/**
 * A series has questions of one kind by number, and one engine is asked them in one precision. They are
 * random, but for functions, which the engine brings.
 */
export interface Series {
  /** This is the id of the subject. */
  readonly subject: string;
  readonly kind: SeriesKind;
  readonly profile: string;
  readonly seed: number;
  readonly dtype: DataType;
  /** Laws are checked on every n-th question; 0 never. */
  readonly lawsEvery: number;
  /** Another version of adjudge may draw other questions. */
  readonly adjudge: string;
}

/** A job asks the questions of a series from number `first` on. */
export interface Job {
  readonly id: string;
  /** This is the id of the series. */
  readonly series: string;
  readonly first: number;
  readonly count: number;
}

/** Returns the content id of a subject. */
export function subjectId({ label, name, version, offer }: Subject): string {
  return idOf(["adjudge.subject.v1", label, name, version, offer]);
}

/** Returns the content id of a series. */
export function seriesId(series: Series): string {
  const { subject, kind, profile, seed, dtype, lawsEvery, adjudge } = series;
  return idOf(["adjudge.series.v1", subject, kind, profile, seed, dtype, lawsEvery, adjudge]);
}

/**
 * Returns a job with its content id. Law: whoever makes the job of these questions gets this id, so that a
 * job that is done twice is known to be one.
 */
export function jobOf(series: string, first: number, count: number): Job {
  return { id: idOf(["adjudge.job.v1", series, first, count]), series, first, count };
}

function idOf(parts: readonly (string | number)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
