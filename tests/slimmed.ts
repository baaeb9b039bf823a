import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { bundled, isPackage, processes, writeChunks } from "./bundle.ts";

/**
 * Makes of `dist` what is published; `npm pack` runs it after the build. The modules go to few files, each
 * command with all that it loads, since opening a thousand files takes longer than running them. The types
 * go that no door of the package reaches: nobody's compiler reads them. What the compiler notes of its output
 * goes too, so that the next build makes all of it again.
 */
const { exports }: { exports: Readonly<Record<string, string | Door>> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

interface Door {
  readonly types: string;
  readonly default: string;
}

const doors = Object.values(exports).filter((door) => typeof door === "object");

/** This door is one file already. */
const COMPILE = "dist/compile.js";

/** Returns these files, and those that they reach. */
function reached(from: readonly string[], next: (path: string) => readonly string[]): ReadonlySet<string> {
  const all = new Set(from);
  // What is added to a set while it is walked through is walked through too.
  for (const path of all) for (const other of next(path)) all.add(other);
  return all;
}

const imports = /(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+\.[jt]s)"/gm;

/** Returns the files, with this ending, that one imports. */
const importsOf =
  (ending: string) =>
  (path: string): string[] =>
    [...readFileSync(path, "utf8").matchAll(imports)].map(([, name = ""]) =>
      join(dirname(path), name.replace(/(?:\.d)?\.[jt]s$/, ending)),
    );

function withoutIdleTypes(): void {
  const types = globSync("dist/**/*.d.ts");
  const needed = reached(
    doors.map((door) => join(door.types)),
    importsOf(".d.ts"),
  );
  for (const path of types) if (!needed.has(path)) rmSync(path);
  for (const path of globSync("dist/**/*.tsbuildinfo")) rmSync(path);
  console.log(`${types.length - needed.size} of ${types.length} files of types are reached by no door.`);
}

/**
 * Finds the modules whose code the obligations may read: a text of theirs ends with the module's name behind
 * a folder's, `reference/numerics/quire` or `${ROOM}/quire`, or is the name alone of one of the truth. Those
 * of the truth are read with what they import there.
 */
function readByObligations(): ReadonlySet<string> {
  const code = globSync("dist/oracle/obligations/**/*.js").map((path) => readFileSync(path, "utf8"));
  const texts = code.flatMap((text) => [...text.matchAll(/(["'`/])(\w+)["'`]/g)]);
  const names = new Set(texts.flatMap(([, before, name]) => (before === "/" ? [`${name}.js`] : [])));
  // An index only hands on what others define.
  names.delete("index.js");
  const truth = new Set(texts.map(([, , name]) => `dist/oracle/truth/${name}.js`));
  const isRead = (path: string): boolean =>
    truth.has(path) || (names.has(basename(path)) && !path.startsWith("dist/engines/mutants/"));
  return reached(globSync("dist/{spec,reference,engines,oracle/truth}/**/*.js").filter(isRead), (path) =>
    importsOf(".js")(path).filter((other) => isOfTruth(path) && isOfTruth(other)),
  );
}

const isOfTruth = (path: string): boolean => path.startsWith("dist/oracle/truth/");

function withoutComments(text: string): string {
  const comments: { readonly start: number; readonly end: number }[] = [];
  const onComment = (_isBlock: boolean, _text: string, start: number, end: number): void => {
    comments.push({ start, end });
  };
  parse(text, { ecmaVersion: "latest", sourceType: "module", onComment });
  const ends = [0, ...comments.map(({ end }) => end)];
  return ends
    .map((end, at) => {
      const next = comments[at]?.start;
      return next === undefined ? text.slice(end) : text.slice(end, next).trimEnd();
    })
    .join("");
}

async function withModulesJoined(): Promise<void> {
  const read = readByObligations();
  const chunks = await bundled({
    root: fileURLToPath(new URL("../dist", import.meta.url)),
    ending: ".js",
    entries: [
      ...processes,
      ...doors.flatMap((door) => (join(door.default) === COMPILE ? [] : door.default.slice(7, -3))),
    ],
    plugins: [
      {
        name: "packages",
        resolveId: (name, importer) =>
          importer !== undefined && isPackage(name) ? { id: name, external: true } : null,
      },
    ],
  });
  const taken = chunks.filter(({ fileName }) => read.has(join("dist", fileName)));
  if (taken.length > 0) throw new Error(`${taken[0]?.fileName} is read, and is a file of the bundle too`);
  for (const path of globSync("dist/**/*.js"))
    if (read.has(path)) writeFileSync(path, withoutComments(readFileSync(path, "utf8")));
    else if (path !== COMPILE) rmSync(path);
  const isAsked = /^dist\/(?:suites|spec\/schema)\//;
  for (const path of globSync("dist/**/*.json")) if (!isAsked.test(path)) rmSync(path);
  writeChunks("dist", chunks);
  console.log(`${chunks.length} files have the code, beside ${read.size} modules that obligations read.`);
}

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
withoutIdleTypes();
await withModulesJoined();
