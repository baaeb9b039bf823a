import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../spec/cache_folder.ts";
import { formatIssue } from "../spec/shapes/index.ts";
import { statementsText } from "./emit/statements.ts";
import { librariesOf } from "./emit/subject.ts";
import { exactSubject, type FileSubject, subjectOf } from "./exact.ts";
import { narrowedVerdict } from "./narrowing.ts";
import { asLeanReads, type Claim, claimAt, claimsNamespace, screen } from "./run/admissible.ts";
import type { Answer } from "./run/answer.ts";
import { forbiddenAxioms } from "./run/audit.ts";
import { compiledDriver } from "./run/driver.ts";
import { findLean } from "./run/find.ts";
import type { Lean } from "./run/lean.ts";
import { buildLibrary } from "./run/library.ts";
import type { LeanMessage } from "./run/messages.ts";
import { LeanPool } from "./run/pool.ts";
import type { ProcessLimits } from "./run/process.ts";
import { defaultLimits, type Reply, type SessionOptions } from "./run/session.ts";
import type { LeanFile, LeanUsed, LeanVerdict } from "./verdict.ts";

/** These options of a check all have defaults. */
export interface CheckOptions {
  /** The Lean to use, instead of the one that is found. */
  readonly lean?: Lean;
  /** The Lake project the files import, and its library. */
  readonly project?: { readonly folder: string; readonly root: string };
  readonly cache?: string;
  /** Each file is checked within these limits. */
  readonly limits?: ProcessLimits;
  /** It is told what takes long. */
  readonly log?: (line: string) => void;
  /** It is told each verdict as it comes, in any order. */
  readonly progress?: (file: LeanFile, verdict: LeanVerdict) => void;
}

/** A second process takes as long to begin as this many small files take. */
const worthASecondLane = 20;

/** The Lake project of this package. */
export const libraryProject: NonNullable<CheckOptions["project"]> = {
  folder: fileURLToPath(new URL(projectPath(), import.meta.url)),
  root: "Adjudge",
};

/** The folder differs in the published package: Lean's sources are not copied beside the code. */
function projectPath(): string {
  return import.meta.url.endsWith(".ts") ? "./lean" : "../../lean-export/lean";
}

/** Checks one exported file. Law: {@link checkBatch} of it alone. */
export async function checkLean(file: LeanFile, options: CheckOptions = {}): Promise<LeanVerdict> {
  const [verdict] = await checkBatch([file], options);
  return verdict ?? { kind: "could-not-run", reason: "there was no verdict", hint: "Report this." };
}

/** Checks the exported file at `path`. */
export async function checkLeanFile(path: string, options: CheckOptions = {}): Promise<LeanVerdict> {
  try {
    return await checkLean({ name: path, text: await readFile(path, "utf8") }, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "could-not-run", reason, hint: "Name a file that can be read." };
  }
}

/**
 * Checks exported files, each from the library and nothing else. A process checks many, so the second costs
 * only its own proofs. A rejected claim about many ids is narrowed to the wrong id. The verdicts stand in the
 * order of the files. Never fails: what prevents a verdict is the verdict `could-not-run`.
 */
export async function checkBatch(
  files: readonly LeanFile[],
  options: CheckOptions = {},
): Promise<readonly LeanVerdict[]> {
  const prepared = await prepare(options);
  if ("kind" in prepared) return files.map((file) => told(file, prepared, options));
  const { lean, libraries, driver } = prepared;
  const limits = options.limits ?? defaultLimits;
  await using pool = new LeanPool(
    { lean, libraries, driver, limits },
    files.length < worthASecondLane ? 1 : 2,
  );
  return await checkIn(pool, lean, files, options);
}

/**
 * {@link checkBatch} by the Lean of a pool, which has the library's modules, and is left as it is. Files
 * about the same kind of numbers are asked one after the other: Lean imports and elaborates what they share
 * once.
 */
export async function checkIn(
  pool: LeanPool,
  lean: Lean,
  files: readonly LeanFile[],
  options: Pick<CheckOptions, "project" | "progress">,
): Promise<readonly LeanVerdict[]> {
  const questions = files.map((given, place) => {
    const file = { ...given, text: asLeanReads(given.text) };
    const subject = subjectOf(file.text);
    const shared = subject === undefined ? "" : `${librariesOf(subject)} ${statementsText(subject)}`;
    return { given, place, file, shared };
  });
  questions.sort((a, b) => (a.shared === b.shared ? a.place - b.place : a.shared < b.shared ? -1 : 1));
  const answers = await Promise.all(
    questions.map(async ({ given, place, file }) => {
      const ask = (question: LeanFile): Promise<LeanVerdict> => checkOne(question, lean, pool, options);
      return { place, verdict: told(given, await narrowedVerdict(ask, file), options) };
    }),
  );
  return answers.sort((a, b) => a.place - b.place).map(({ verdict }) => verdict);
}

function told(file: LeanFile, verdict: LeanVerdict, options: Pick<CheckOptions, "progress">): LeanVerdict {
  options.progress?.(file, verdict);
  return verdict;
}

/** What files are checked with. */
type Prepared = Pick<SessionOptions, "lean" | "libraries" | "driver">;

async function prepare(options: CheckOptions): Promise<Prepared | LeanVerdict> {
  const log = options.log ?? (() => {});
  const found = options.lean === undefined ? await findLean({ log }) : undefined;
  if (found?.ok === false) {
    return { kind: "could-not-run", reason: found.error.message, hint: found.error.hint };
  }
  const lean = options.lean ?? found?.value;
  if (lean === undefined) return { kind: "could-not-run", reason: "there is no Lean", hint: "Install one." };
  const cache = options.cache ?? cacheFolder();
  const built = await buildLibrary({
    ...(options.project ?? libraryProject),
    lean,
    cache,
    progress: (module, milliseconds) => log(`compiled ${module} in ${milliseconds} ms`),
  });
  if (built.ok) return { lean, libraries: [built.value.folder], driver: await compiledDriver(lean, cache) };
  const hint = "The library must compile, with every theorem proved, before files can be checked against it.";
  return { kind: "could-not-run", reason: built.error.map(formatIssue).join("\n"), hint };
}

async function checkOne(
  file: LeanFile,
  lean: Lean,
  pool: LeanPool,
  options: Pick<CheckOptions, "project">,
): Promise<LeanVerdict> {
  const { root } = options.project ?? libraryProject;
  const screening = screen(file.text, [root, "Init"]);
  if (screening.kind === "unfit") {
    return { kind: "rejected", message: screening.message, place: `${file.name}:${screening.line}:0` };
  }
  const { claims, imports } = screening;
  const subject = subjectOf(file.text);
  if (subject === undefined) {
    return {
      kind: "rejected",
      message: "it has no run over Int, Rat or Residue, and no system of dimensions",
      place: `${file.name}:1:0`,
    };
  }
  const libraries = librariesOf(subject).join(" ");
  if (imports.join(" ") !== libraries) {
    return {
      kind: "rejected",
      message: `it imports ${imports.join(" ")}, not ${libraries}`,
      place: `${file.name}:1:0`,
    };
  }
  const request = {
    file: file.name,
    text: file.text,
    module: claimsNamespace,
    claims: claims.map(({ name }) => `${claimsNamespace}.${name}`),
    library: root,
    isCompiled: false,
    imports: libraries,
    statements: statementsText(subject),
  };
  return pool.ask(request, async (reply) => judge(file.name, claims, { root, subject }, reply, lean));
}

/** Lean's environment is compared with this. */
export interface Standard {
  /** The library's name. */
  readonly root: string;
  readonly subject: FileSubject;
}

/** Returns the verdict on a file whose claims are `claims`, given what Lean and its environment said. */
export function judge(
  file: string,
  claims: readonly Claim[],
  { root, subject }: Standard,
  { answer, milliseconds }: Pick<Reply, "answer" | "milliseconds">,
  lean: LeanUsed,
): LeanVerdict {
  if (answer.kind === "stopped") {
    const hint = "Raise the limit, or export the trace in smaller segments.";
    return { kind: "could-not-run", reason: answer.why, hint };
  }
  const complaint = answer.messages.find(({ severity }) => severity === "error");
  if (complaint !== undefined) return rejectedBy(complaint, claims);
  if (answer.kind === "not-imported") {
    return { kind: "rejected", message: "its imports could not be read", place: `${file}:1:0` };
  }
  const known = new Map(answer.claims.map((facts) => [facts.name, facts]));
  for (const claim of claims) {
    const fault = faultOf(claim, known, root);
    if (fault !== undefined) {
      return { kind: "rejected", claim: claim.name, message: fault, place: `${file}:${claim.line}:0` };
    }
  }
  const [shadow] = answer.shadows;
  if (shadow !== undefined) {
    return { kind: "rejected", message: `it defines ${shadow} beside the library's`, place: `${file}:1:0` };
  }
  const about = exactSubject(subject, claims, answer);
  if ("message" in about) {
    const { line, ...fault } = about;
    return { kind: "rejected", ...fault, place: `${file}:${line}:0` };
  }
  const { name, version, remarks } = lean;
  const statement = answer.claims.at(-1)?.shown ?? "";
  return {
    kind: "accepted",
    claims,
    seen: { statement, about },
    lean: { name, version, remarks },
    milliseconds,
  };
}

function rejectedBy(message: LeanMessage, claims: readonly Claim[]): LeanVerdict {
  const claim = claimAt(claims, message);
  return {
    kind: "rejected",
    ...(claim === undefined ? {} : { claim: claim.name }),
    message: message.text,
    place: `${message.file}:${message.line}:${message.column}`,
  };
}

/** Finds what keeps a claim from being accepted; `undefined` if nothing does. */
function faultOf(
  claim: Claim,
  known: ReadonlyMap<string, (Answer & { readonly kind: "elaborated" })["claims"][number]>,
  root: string,
): string | undefined {
  const name = `${claimsNamespace}.${claim.name}`;
  const facts = known.get(name);
  if (facts === undefined || facts.kind === "missing")
    return `there is no theorem ${name} in the environment`;
  if (facts.kind !== "theorem") return `${name} is no theorem of this file`;
  const axioms = forbiddenAxioms(facts.axioms);
  if (axioms.length > 0) return `${name} rests on ${axioms.join(", ")}`;
  const isAbout = facts.about.some((module) => module === root || module.startsWith(`${root}.`));
  return isAbout ? undefined : `${name} says nothing about ${root}`;
}
