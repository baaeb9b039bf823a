import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../spec/cache_folder.ts";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";
import { blankComments } from "./admissible.ts";
import type { Theorem } from "./answer.ts";
import { allowedAxioms, forbiddenAxioms, libraryTricks } from "./audit.ts";
import { compiledDriver, readDriver } from "./driver.ts";
import type { Lean } from "./lean.ts";
import { formatMessage } from "./messages.ts";
import { type LeanModule, readModules } from "./modules.ts";
import { LeanPool } from "./pool.ts";
import type { ProcessLimits } from "./process.ts";
import { isSealed, seal, settle } from "./seal.ts";
import { defaultLimits, type Reply, type Request } from "./session.ts";

/** A compiled library whose every theorem was audited: what `LEAN_PATH` needs, and how it came to be. */
export interface BuiltLibrary {
  readonly folder: string;
  readonly modules: readonly LeanModule[];
  /** The modules that were compiled now; the others had been before. */
  readonly compiled: readonly string[];
  readonly audit: LibraryAudit;
}

/**
 * The library's theorems and the axioms that they may rest on, all allowed ones: those that its proofs name,
 * and all three of Lean's where a proof uses theorems of Lean whose own proofs cannot be seen.
 */
export interface LibraryAudit {
  readonly theorems: readonly Theorem[];
  readonly axioms: readonly string[];
  /** The theorems of Lean's own whose proofs cannot be seen: with what they rest on they are trusted. */
  readonly unseen: readonly string[];
}

/** A library is built with these options. */
export interface LibraryOptions {
  /** The Lake project is in this folder. */
  readonly folder: string;
  /** The name of the library: its modules are `root` and `root.*`. */
  readonly root: string;
  readonly lean: Lean;
  readonly cache: string;
  /** So many modules are compiled at once, 2 by default; a process costs as much as several. */
  readonly lanes?: 1 | 2;
  /** Each module is compiled within these limits. */
  readonly limits?: ProcessLimits;
  /** It is told when a module has been compiled. */
  readonly progress?: (module: string, milliseconds: number) => void;
}

/** Returns a line that says what a theorem states: its name, and its type in Lean's environment. */
export function statementOf({ name, type }: LibraryAudit["theorems"][number]): string {
  return `${name} : ${type.replaceAll(/\s*\n\s*/g, " ")}`;
}

/**
 * Compiles and audits the library's modules that are not in the cache. A module is compiled again when it,
 * one that it imports, or the Lean has changed. Warnings count as errors, so that a `sorry` does, but no
 * lints are made; what rests on another axiom than Lean's three is refused.
 * Law: two processes may build the same library; each sees all of it or nothing.
 * Fails: what {@link readModules} fails with; `lean/module` for each module that is refused.
 */
export async function buildLibrary(options: LibraryOptions): Promise<Result<BuiltLibrary, readonly Issue[]>> {
  const { lean, cache, folder, root } = options;
  const driver = createHash("sha256")
    .update(await readDriver())
    .digest("hex");
  const modules = await readModules(folder, root, `${lean.name} ${lean.version} ${driver}`);
  if (!modules.ok) return fail([modules.error]);
  const keys = modules.value.map(({ key }) => key).join();
  const target = join(cache, folders.libraries, createHash("sha256").update(keys).digest("hex").slice(0, 32));
  let compiled: readonly string[] = [];
  if (!(await isSealed(target))) {
    await makeFolder(dirname(target));
    const building = await mkdtemp(join(cache, "building-"));
    try {
      const all = await compileAll(modules.value, building, options);
      if (!all.ok) return all;
      compiled = all.value;
      await writeFile(join(building, auditFile), JSON.stringify(await auditOf(cache, modules.value)));
      await seal(building);
      await settle(building, target);
    } finally {
      await rm(building, { recursive: true, force: true });
    }
  }
  const audit: LibraryAudit = JSON.parse(await readFile(join(target, auditFile), "utf8"));
  const forbidden = forbiddenAxioms(audit.axioms);
  if (forbidden.length > 0) return fail([refusedCache(target, forbidden)]);
  return ok({ folder: target, modules: modules.value, compiled, audit });
}

/** Compiled modules and whole libraries are kept here. A new layout needs new names. */
const folders = { modules: "lean-modules-3", libraries: "lean-libraries-3" } as const;

/** This file lies beside what was compiled, and says what its audit found. */
const auditFile = "audit.json";

async function compileAll(
  modules: readonly LeanModule[],
  building: string,
  options: LibraryOptions,
): Promise<Result<readonly string[], readonly Issue[]>> {
  const { cache, lean, lanes = 2, limits = defaultLimits } = options;
  const driver = await compiledDriver(lean, cache);
  await using pool = new LeanPool({ lean, driver, libraries: [building], limits }, lanes);
  const outcomes = new Map<string, Promise<Outcome>>();
  for (const module of modules) {
    const imports = module.imports.map((name) => outcomes.get(name));
    const outcome = Promise.all(imports).then((before): Outcome | Promise<Outcome> => {
      const isReady = before.every((other) => other?.kind === "compiled" || other?.kind === "cached");
      return isReady ? compileOne(module, building, pool, options) : { kind: "blocked" };
    });
    outcomes.set(module.name, outcome);
  }
  const all = await Promise.all(
    modules.map(async ({ name }) => ({ name, outcome: await outcomes.get(name) })),
  );
  const issues = all.flatMap(({ outcome }) => (outcome?.kind === "refused" ? [outcome.issue] : []));
  if (issues.length > 0) return fail(issues);
  return ok(all.flatMap(({ name, outcome }) => (outcome?.kind === "compiled" ? [name] : [])));
}

type Outcome =
  | { readonly kind: "compiled" | "cached" | "blocked" }
  | { readonly kind: "refused"; readonly issue: Issue };

/** Puts one compiled module into the folder: from the cache, or through Lean and into the cache. */
async function compileOne(
  module: LeanModule,
  building: string,
  pool: LeanPool,
  options: LibraryOptions,
): Promise<Outcome> {
  const { cache, root } = options;
  const { text } = module;
  const place = join(building, dirname(module.file));
  await mkdir(place, { recursive: true });
  const kept = keptIn(cache, module);
  if (await isSealed(kept)) {
    await cp(join(kept, "module"), place, { recursive: true });
    return { kind: "cached" };
  }
  const imports = module.key;
  const request: Request = {
    file: module.file,
    text,
    module: module.name,
    claims: [],
    library: root,
    isCompiled: true,
    imports,
  };
  return pool.ask(request, async (reply): Promise<Outcome> => {
    const refusal = refusalOf(reply, text);
    if (refusal !== undefined) return { kind: "refused", issue: refusedModule(module, refusal) };
    await cp(reply.compiled, place, { recursive: true });
    await keep(cache, kept, reply);
    options.progress?.(module.name, reply.milliseconds);
    return { kind: "compiled" };
  });
}

/** Finds what is wrong with a module; `undefined` if nothing is. */
function refusalOf({ answer }: Reply, text: string): string | undefined {
  const tricks = libraryTricks(blankComments(text));
  if (tricks.length > 0) return `its source says ${tricks.join(", ")}`;
  if (answer.kind === "stopped") return answer.why;
  const complaints = answer.messages.filter(({ severity }) => severity !== "information").map(formatMessage);
  if (answer.kind === "not-imported" || complaints.length > 0) return complaints.join("\n");
  const axioms = forbiddenAxioms(answer.axioms);
  return axioms.length > 0 ? `it rests on ${axioms.join(", ")}` : undefined;
}

async function keep(cache: string, kept: string, { answer, compiled }: Reply): Promise<void> {
  if (answer.kind !== "elaborated") return;
  await makeFolder(dirname(kept));
  const fresh = await mkdtemp(join(cache, "building-"));
  await cp(compiled, join(fresh, "module"), { recursive: true });
  const { theorems, axioms, unseen } = answer;
  const audit: LibraryAudit = { theorems, axioms, unseen };
  await writeFile(join(fresh, auditFile), JSON.stringify(audit));
  await seal(fresh);
  await settle(fresh, kept);
  await rm(fresh, { recursive: true, force: true });
}

/** The audits of all modules together. */
async function auditOf(cache: string, modules: readonly LeanModule[]): Promise<LibraryAudit> {
  const audits = await Promise.all(
    modules.map(async (module): Promise<LibraryAudit> => {
      return JSON.parse(await readFile(join(keptIn(cache, module), auditFile), "utf8"));
    }),
  );
  const unseen = [...new Set(audits.flatMap((audit) => audit.unseen))].sort();
  const named = audits.flatMap(({ axioms }) => axioms);
  const axioms = [...new Set(unseen.length === 0 ? named : [...named, ...allowedAxioms])].sort();
  const theorems = audits.flatMap((audit) => audit.theorems);
  return { theorems: theorems.sort((a, b) => (a.name < b.name ? -1 : 1)), axioms, unseen };
}

function keptIn(cache: string, module: LeanModule): string {
  return join(cache, folders.modules, module.key.slice(0, 32));
}

function refusedModule(module: LeanModule, why: string): Issue {
  const hint = "The library must compile before anything can be checked against it.";
  return { code: "lean/module", pointer: "", message: `${module.file}: ${why.slice(0, 8_000)}`, hint };
}

function refusedCache(folder: string, axioms: readonly string[]): Issue {
  const message = `What is kept in ${folder} rests on ${axioms.join(", ")}.`;
  return { code: "lean/cache", pointer: "", message, hint: "Delete the cache; the library is built again." };
}
