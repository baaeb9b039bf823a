import type { ObstructionJson } from "../../spec/explained/index.ts";
import type { MeasuredGraph } from "../../spec/units/index.ts";
import { obstructed } from "./claims.ts";
import { type ExportedFile, fileOf, leanLines } from "./lean_file.ts";
import { measuredHash } from "./question.ts";

/** Equations between ids, of which the first are the bases, each with how often it goes into a sum. */
export interface CertifiedSystem extends Pick<ObstructionJson, "bases" | "unknowns"> {
  readonly grounds: readonly Pick<ObstructionJson["grounds"][number], "times" | "terms">[];
}

/** A certificate says in comments what its ids stand for, and of which case it is. */
export interface NamedCase {
  /** SHA-256 of the graph and what is declared of it. */
  readonly hash: string;
  /** The bases, then the unknowns. */
  readonly names: readonly string[];
}

/**
 * Returns an obstruction as a Lean file: its theorem says that no dimensions fit, and the certificate proves
 * it. Two comments name the case, by its hash, and the ids. Law: Lean sees nothing of the obstruction but
 * numbers, and accepts it if and only if the certificate is right.
 */
export function leanObstruction(system: CertifiedSystem, measured: MeasuredGraph): ExportedFile {
  const { bases, grounds } = system;
  const equations = grounds.map(({ terms }) => {
    const pairs = terms.map(([id, times]) => `(${id}, ${times})`);
    return `[${pairs.join(", ")}]`;
  });
  const count = (base: number): bigint =>
    grounds.reduce(
      (sum, { terms, times }) =>
        terms.reduce((own, [id, one]) => (id === base ? own + BigInt(times) * BigInt(one) : own), sum),
      0n,
    );
  const base = Math.max(
    bases.findIndex((_, place) => count(place) !== 0n),
    0,
  );
  const definition = `def system : DimensionSystem where
  bases := ${bases.length}
  equations := ${leanLines(equations)}
`;
  const certificate = grounds.map(({ times }) => times).join(", ");
  const proof = `obstructed_of system [${certificate}] ${base} (by decide +kernel)`;
  return fileOf(
    { kind: "system" },
    [definition],
    [{ ...obstructed, proof }],
    [`${hashPrefix}${measuredHash(measured)}`, `${namesPrefix}${asciiJson(namesOf(system))}`],
  );
}

const hashPrefix = "-- case: ";
const namesPrefix = "-- names: ";

/** Returns what the ids of a system stand for: the bases, then the unknowns that its equations have. */
export function namesOf({ bases, unknowns, grounds }: CertifiedSystem): readonly string[] {
  const ids = grounds.flatMap(({ terms }) => terms.map(([id]) => id + 1));
  return [...bases, ...unknowns].slice(0, Math.max(bases.length, ...ids));
}

/** A name is anybody's text: no character of it ends the comment, or is not seen. */
function asciiJson(names: readonly string[]): string {
  return JSON.stringify(names).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Reads what a certificate says of its case, in its third and fourth line; nobody has checked it. */
export function namedCaseIn(text: string): NamedCase | undefined {
  const [, , hashLine = "", namesLine = ""] = text.split("\n", 4);
  const hash = /^-- case: ([0-9a-f]{64})$/.exec(hashLine)?.[1];
  const names = namesLine.startsWith(namesPrefix) ? listIn(namesLine.slice(namesPrefix.length)) : undefined;
  return hash === undefined || names === undefined ? undefined : { hash, names };
}

function listIn(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((name) => typeof name === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}
