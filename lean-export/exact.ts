import { rational, rationalFromNumber } from "../reference/index.ts";
import { dataTypes, formats } from "../spec/index.ts";
import { type Claim as ExportedClaim, engineClaims, traceClaims } from "./emit/claims.ts";
import { type Subject, statementAt } from "./emit/statements.ts";
import { type Claim, claimsNamespace } from "./run/admissible.ts";
import type { Answer } from "./run/answer.ts";
import type { Seen, SeenEngine, SeenTrace } from "./run/seen.ts";

/** What keeps a file from saying exactly what the exporter would say of its trace. */
export interface Inexactness {
  readonly claim?: string;
  readonly message: string;
  readonly line: number;
}

type Elaborated = Answer & { readonly kind: "elaborated" };

/** What the file is about, and under which names; what it says of itself in its text. */
export interface FileSubject extends Subject {
  /** The names of the ids, where they are listed. */
  readonly names: readonly string[] | undefined;
}

/** What an exported file says that it is about: read off its text, and compared with Lean's environment before it is believed. */
export function subjectOf(text: string): FileSubject | undefined {
  const carrier = /^def run : Run (Int|Rat|Residue) where$/m.exec(text)?.[1];
  const names = /^-- ids: (.*)$/m.exec(text.split("\n")[2] ?? "")?.[1]?.split(" ");
  return carrier === undefined ? undefined : { carrier, hasEngine: /^def engine\b/m.test(text), names };
}

/** The trace of the file, if everything in Lean's environment is as the exporter would have it of that trace. */
export function exactTrace(
  subject: FileSubject,
  claims: readonly Claim[],
  answer: Elaborated,
): SeenTrace | Inexactness {
  const trace = dataOf(subject, answer.seen);
  if ("message" in trace) return trace;
  const names = namesOf(subject, trace);
  if (names === undefined) return { message: "the names of its ids are not those of its nodes", line: 3 };
  const claimed = { ...trace, names };
  const wanted = [...traceClaims(claimed), ...(subject.hasEngine ? engineClaims(claimed) : [])];
  return claimsFault(subject, claims, wanted, answer) ?? constantsFault(subject, wanted, answer) ?? trace;
}

/** Data alone: an unknown function, however it comes out, would show other numbers than are proved. */
function dataOf({ carrier, hasEngine }: Subject, seen: Seen | undefined): SeenTrace | Inexactness {
  const unread = (name: string, type: string): Inexactness => ({
    message: `${claimsNamespace}.${name} is no ${type} that is written out as data`,
    line: 1,
  });
  if (seen?.program === undefined) return unread("program", "Adjudge.Program");
  const { program, run, engine } = seen;
  if (run === undefined) return unread("run", `Adjudge.Run ${carrier}`);
  if (hasEngine && engine === undefined) return unread("engine", "Adjudge.Engine");
  if (engine !== undefined && !isKnownFormat(engine))
    return { message: `the engine rounds to ${engine.unit}, as no format does`, line: 1 };
  return { program, run, engine };
}

function isKnownFormat({ unit, smallest }: SeenEngine): boolean {
  const same = (text: string, x: number): boolean => text === rational.format(rationalFromNumber(x));
  return dataTypes.some(
    (name) => same(unit, formats[name].unitRoundoff) && same(smallest, formats[name].smallest),
  );
}

/** The names of the ids: in order, and `7_updates` for what the sum at 7 scatters. `undefined` if they are others. */
function namesOf({ names }: FileSubject, { program }: SeenTrace): readonly string[] | undefined {
  const count = program.inputs.length + program.nodes.length;
  if (names === undefined) return Array.from({ length: count }, (_, id) => String(id));
  let own = 0;
  const isNamed = names.every((name, id) => {
    if (name === `${own}_updates`) return isScattered(program, id);
    own += 1;
    return name === String(own - 1);
  });
  return isNamed && names.length === count ? names : undefined;
}

/** Whether an id is scattered to be added by the next, and by it alone. */
function isScattered({ inputs, nodes }: SeenTrace["program"], id: number): boolean {
  const [scatter, sum] = [nodes[id - inputs.length], nodes[id - inputs.length + 1]];
  return scatter?.operator === "scatter" && sum?.operator === "add" && sum.parents[1] === id;
}

function claimsFault(
  subject: Subject,
  claims: readonly Claim[],
  wanted: readonly ExportedClaim[],
  answer: Elaborated,
): Inexactness | undefined {
  const listed = new Set(claims.map(({ name }) => name));
  const missing = wanted.find(({ name }) => !listed.has(name));
  if (missing !== undefined) return { message: `it does not claim ${missing.name}`, line: 2 };
  for (const [index, claim] of claims.entries()) {
    const { name, line } = claim;
    const own = wanted[index];
    if (own?.name !== name)
      return { claim: name, message: `it claims ${name} where ${own?.name ?? "nothing"} belongs`, line };
    const facts = answer.claims.find((other) => other.name === `${claimsNamespace}.${name}`);
    const states = facts?.states && statementAt(subject, facts.states);
    if (states !== own.proposition)
      return { claim: name, message: `it states ${facts?.shown ?? "nothing"}, not ${own.proposition}`, line };
  }
  return undefined;
}

/** Nothing stands beside what is proved, lest it be taken for it. */
function constantsFault(
  { hasEngine }: Subject,
  wanted: readonly ExportedClaim[],
  { constants }: Elaborated,
): Inexactness | undefined {
  const own = new Set(
    ["program", "run", ...(hasEngine ? ["engine"] : []), ...wanted.map(({ name }) => name)].map(
      (name) => `${claimsNamespace}.${name}`,
    ),
  );
  const other = constants.find((name) => !own.has(name));
  return other === undefined ? undefined : { message: `it defines ${other}, which no trace has`, line: 1 };
}
