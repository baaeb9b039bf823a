import type { Binder, BoundReference, Overwriting, Sharing } from "../../reference/state/index.ts";
import { type Program, pointerOfStatement, type Statement } from "../../spec/programs/index.ts";
import { visible } from "../../spec/shapes/index.ts";
import { labelledOrBelow } from "./folded.ts";

/** Writes a statement as one line of a text, as spec/text does. */
export type WriteStatement = (statement: Statement) => string;

/** The names of other references that must, or may, share a location with one. */
interface Sharers {
  readonly must: readonly string[];
  readonly may: readonly string[];
}

/** A program's references and what overwrites them, as JSON. */
export interface SharingJson {
  readonly references: readonly (Sharers & { readonly name: string; readonly made: string })[];
  readonly overwritings: readonly (Sharers & {
    readonly statement: string;
    readonly pointer: string;
    readonly target: string;
    /** It reads what it overwrites, element by element, as `+=` does. */
    readonly isInPlace: boolean;
    /** What is written is read from what may be the same location. */
    readonly mayReadItself: boolean;
  })[];
}

/** Tells which references of a program share a location, and what overwrites what they see, as JSON. */
export function sharingJson(program: Program, sharing: Sharing, write: WriteStatement): SharingJson {
  const { references, overwritings, aliasing } = sharing;
  const hasOne = program.procedures.length === 1;
  const nameOf = ({ procedure, name }: BoundReference): string =>
    visible(procedure === undefined || hasOne ? name : `${procedure}.${name}`);
  const nameOfBinder = (binder: Binder): string =>
    references.flatMap((reference) => (reference.binder === binder ? [nameOf(reference)] : []))[0] ?? "";
  const sharersOf = (binder: Binder): Sharers => {
    const others = references.filter((reference) => reference.binder !== binder);
    const which = (wanted: string): string[] =>
      others.filter((other) => aliasing(binder, other.binder) === wanted).map(nameOf);
    return { must: which("must"), may: which("may") };
  };
  return {
    references: references.map((reference) => ({
      name: nameOf(reference),
      made: madeBy(reference, write),
      ...sharersOf(reference.binder),
    })),
    overwritings: overwritings.map(({ statement, target, sources }: Overwriting) => ({
      statement: write(statement),
      pointer: pointerOfStatement(program, statement),
      target: nameOfBinder(target),
      isInPlace: "op" in statement,
      mayReadItself: sources.some((source) => aliasing(source, target) !== "cannot"),
      ...sharersOf(target),
    })),
  };
}

function madeBy({ binder, procedure }: BoundReference, write: WriteStatement): string {
  if ("do" in binder) return write(binder);
  return procedure === undefined ? "a persistent location" : "the caller's location";
}

/** Shows the same as lines of at most so many columns. */
export function showSharing({ references, overwritings }: SharingJson, columns: number): string[] {
  const names = references.map(({ name }) => name);
  const width = Math.min(
    24,
    Math.floor(columns / 3),
    Math.max(0, ...[...names, ...overwritings.map(({ statement }) => statement)].map((x) => x.length)),
  );
  return [
    references.length === 0 ? "no references: nothing is overwritten" : "references",
    ...references.flatMap(({ name, made, must, may }) =>
      labelledOrBelow(name, `${sharedWords({ must, may })}: ${made}`, width, columns),
    ),
    ...(overwritings.length === 0 ? [] : ["overwritten"]),
    ...overwritings.flatMap((one) => labelledOrBelow(one.statement, overwritingWords(one), width, columns)),
  ];
}

function sharedWords({ must, may }: Sharers): string {
  const parts = [
    ...(must.length === 0 ? [] : [`must share with ${must.join(", ")}`]),
    ...(may.length === 0 ? [] : [`may share with ${may.join(", ")}`]),
  ];
  return parts.length === 0 ? "shares with nothing" : parts.join("; ");
}

function overwritingWords({
  isInPlace,
  mayReadItself,
  must,
  may,
}: SharingJson["overwritings"][number]): string {
  return [
    isInPlace ? "in place" : "a write",
    ...(must.length === 0 ? [] : [`the location of ${must.join(", ")} too`]),
    ...(may.length === 0 ? [] : [`perhaps the location of ${may.join(", ")}`]),
    ...(mayReadItself ? ["it may read what it overwrites"] : []),
  ].join("; ");
}
