import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fail, type Issue, ok, type Result } from "../../spec/shapes/index.ts";

/** A module of a Lake project as it was read. */
interface Source {
  /** `Adjudge.Operators.Form`. */
  readonly name: string;
  /** The file's path is below the project's folder: `Adjudge/Operators/Form.lean`. */
  readonly file: string;
  readonly text: string;
}

/** A module of a Lake project: its source, and those of the project that it imports. */
export interface LeanModule extends Source {
  /** Modules of the same project. */
  readonly imports: readonly string[];
  /** It hashes the source, its imports and the Lean: equal keys mean equal compiled modules. */
  readonly key: string;
}

/**
 * The modules of the library `root` in the Lake project in `folder`, each after those that it imports.
 * Fails: `lean/no-modules`, `lean/import-unknown`, `lean/import-cycle`.
 */
export async function readModules(
  folder: string,
  root: string,
  lean: string,
): Promise<Result<readonly LeanModule[], Issue>> {
  const sources = await readSources(folder, root);
  if (sources.length === 0) {
    const hint = `A Lake project holds its modules in ${root}/ and ${root}.lean.`;
    return fail({
      code: "lean/no-modules",
      pointer: "",
      message: `There is no module ${root} in ${folder}.`,
      hint,
    });
  }
  return sortModules(sources, root, lean);
}

async function readSources(folder: string, root: string): Promise<readonly Source[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".lean"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => file === `${root}.lean` || file.startsWith(`${root}/`))
    .sort();
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -".lean".length).replaceAll("/", "."),
      file,
      text: await readFile(join(folder, file), "utf8"),
    })),
  );
}

/** The modules that a source imports, as its header says. */
export function importsOf(text: string): readonly string[] {
  const header = /^\s*(?:(?:public\s+|meta\s+|private\s+)*import\s+(?:all\s+)?)([\w.«»']+)/gm;
  return [...text.matchAll(header)].map(([, name = ""]) => name);
}

/** The sources as modules in an order in which they can be compiled. */
export function sortModules(
  sources: readonly Source[],
  root: string,
  lean: string,
): Result<readonly LeanModule[], Issue> {
  const byName = new Map(sources.map((source) => [source.name, source]));
  const done = new Map<string, LeanModule>();
  const open: string[] = [];
  const visit = (name: string): Issue | undefined => {
    if (done.has(name)) return undefined;
    if (open.includes(name)) return cycle([...open, name]);
    const source = byName.get(name);
    if (source === undefined) return unknownImport(name, open.at(-1) ?? root);
    open.push(name);
    const imports = importsOf(source.text).filter((other) => other === root || other.startsWith(`${root}.`));
    for (const other of imports) {
      const issue = visit(other);
      if (issue !== undefined) return issue;
    }
    open.pop();
    const keys = imports.map((other) => done.get(other)?.key);
    const key = createHash("sha256")
      .update(JSON.stringify([lean, name, source.text, keys]))
      .digest("hex");
    done.set(name, { ...source, imports, key });
    return undefined;
  };
  for (const { name } of sources) {
    const issue = visit(name);
    if (issue !== undefined) return fail(issue);
  }
  return ok([...done.values()]);
}

function cycle(names: readonly string[]): Issue {
  const message = `Modules import each other: ${names.join(" imports ")}.`;
  return {
    code: "lean/import-cycle",
    pointer: "",
    message,
    hint: "Move what both need into a module of its own.",
  };
}

function unknownImport(name: string, by: string): Issue {
  const message = `${by} imports ${name}, which is not in the project.`;
  return { code: "lean/import-unknown", pointer: "", message, hint: "Correct the name or add the module." };
}
