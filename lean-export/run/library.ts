import { createHash } from "node:crypto";
import { access, cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fail, type Issue, ok, type Result } from "../../spec/index.ts";
import { lanes } from "./lanes.ts";
import { defaultLimits, type Lean, type LeanRun } from "./lean.ts";
import type { LeanMessage } from "./messages.ts";
import { type LeanModule, readModules } from "./modules.ts";
import type { ProcessLimits } from "./process.ts";

/** A compiled library: what `LEAN_PATH` needs, and how it came to be. */
export interface BuiltLibrary {
  readonly folder: string;
  readonly modules: readonly LeanModule[];
  /** The modules that were compiled now; the others had been before. */
  readonly compiled: readonly string[];
}

/** How a library is built. */
export interface LibraryOptions {
  /** Of the Lake project. */
  readonly folder: string;
  /** The name of the library: its modules are `root` and `root.*`. */
  readonly root: string;
  readonly lean: Lean;
  readonly cache: string;
  readonly limits?: ProcessLimits;
  /** Told when a module has been compiled. */
  readonly progress?: (module: string, milliseconds: number) => void;
}

/** Modules that are compiled at the same time. More need more memory: half a gigabyte each. */
const laneCount = 2;

/**
 * Compiles the library's modules that are not in the cache. A module is compiled again when it, one that it
 * imports, or the Lean has changed. Warnings count as errors, so that a `sorry` does.
 * Law: two processes may build the same library; each sees all of it or nothing.
 * Fails: what {@link readModules} fails with; `lean/module` for each module that Lean refuses.
 */
export async function buildLibrary(options: LibraryOptions): Promise<Result<BuiltLibrary, readonly Issue[]>> {
  const { lean, cache, folder, root } = options;
  const modules = await readModules(folder, root, `${lean.name} ${lean.version}`);
  if (!modules.ok) return fail([modules.error]);
  const whole = createHash("sha256").update(modules.value.map(({ key }) => key).join()).digest("hex");
  const target = join(cache, "lean-libraries", whole.slice(0, 32));
  if (await exists(target)) return ok({ folder: target, modules: modules.value, compiled: [] });
  await mkdir(dirname(target), { recursive: true });
  const building = await mkdtemp(join(cache, "building-"));
  try {
    const compiled = await compileAll(modules.value, building, options);
    if (!compiled.ok) return compiled;
    await settle(building, target);
    return ok({ folder: target, modules: modules.value, compiled: compiled.value });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function compileAll(
  modules: readonly LeanModule[],
  building: string,
  options: LibraryOptions,
): Promise<Result<readonly string[], readonly Issue[]>> {
  const enter = lanes(laneCount);
  const outcomes = new Map<string, Promise<Outcome>>();
  for (const module of modules) {
    const imports = module.imports.map((name) => outcomes.get(name));
    const outcome = Promise.all(imports).then((before): Outcome | Promise<Outcome> => {
      const isReady = before.every((other) => other?.kind === "compiled" || other?.kind === "cached");
      return isReady ? enter(() => compileOne(module, building, options)) : { kind: "blocked" };
    });
    outcomes.set(module.name, outcome);
  }
  const all = await Promise.all(modules.map(async ({ name }) => ({ name, outcome: await outcomes.get(name) })));
  const issues = all.flatMap(({ outcome }) => (outcome?.kind === "refused" ? [outcome.issue] : []));
  if (issues.length > 0) return fail(issues);
  return ok(all.flatMap(({ name, outcome }) => (outcome?.kind === "compiled" ? [name] : [])));
}

type Outcome =
  | { readonly kind: "compiled" | "cached" | "blocked" }
  | { readonly kind: "refused"; readonly issue: Issue };

/** Puts one compiled module into the folder: from the cache, or through Lean and into the cache. */
async function compileOne(module: LeanModule, building: string, options: LibraryOptions): Promise<Outcome> {
  const { lean, cache, folder, limits = defaultLimits } = options;
  const kept = join(cache, "lean-modules", module.key.slice(0, 32));
  const place = join(building, dirname(module.file));
  await mkdir(place, { recursive: true });
  if (await exists(kept)) {
    await cp(kept, place, { recursive: true });
    return { kind: "cached" };
  }
  await mkdir(dirname(kept), { recursive: true });
  const fresh = await mkdtemp(join(cache, "building-"));
  try {
    const file = `${module.name.split(".").at(-1)}.olean`;
    const output = { folder: fresh, file };
    const job = { folder, file: module.file, libraries: [building], output, limits };
    const run = await lean.run({ ...job, options: ["-DwarningAsError=true"] });
    const isCompiled = isClean(run) && (await exists(join(fresh, file)));
    if (!isCompiled) return { kind: "refused", issue: refusal(module, run) };
    await cp(fresh, place, { recursive: true });
    await settle(fresh, kept);
    options.progress?.(module.name, run.milliseconds);
    return { kind: "compiled" };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Whether Lean took a file: it ended by itself, with code 0, and complained of nothing. */
export function isClean(run: LeanRun): run is LeanRun & { readonly kind: "finished" } {
  return run.kind === "finished" && run.code === 0 && run.messages.every(({ severity }) => severity !== "error");
}

/** At most this much of Lean's complaints is passed on. */
const complaintCharacters = 4_000;

function refusal(module: LeanModule, run: LeanRun): Issue {
  return {
    code: "lean/module",
    pointer: "",
    message: `${module.file}: ${complaintOf(run)}`,
    hint: "The library must compile before anything can be checked against it.",
  };
}

/** What Lean found wrong, in one text. */
export function complaintOf(run: LeanRun): string {
  if (run.kind === "stopped") return run.why;
  const errors = run.messages.filter(({ severity }) => severity === "error").map(formatMessage);
  const text = [...errors, run.complaint].filter((part) => part !== "").join("\n");
  return (text === "" ? `Lean exited with code ${run.code}` : text).slice(0, complaintCharacters);
}

/** `file:line:column: severity: text`, as Lean itself writes it. */
export function formatMessage({ file, line, column, severity, text }: LeanMessage): string {
  return `${file}:${line}:${column}: ${severity}: ${text}`;
}

/** Gives what was built its name, unless another process was faster. */
async function settle(building: string, target: string): Promise<void> {
  try {
    await rename(building, target);
  } catch (error) {
    if (!(await exists(target))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
