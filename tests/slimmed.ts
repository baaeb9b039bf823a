import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "acorn";
import { minifySync } from "rolldown/utils";

/**
 * Removes from `dist` the types that no door of the package reaches: nobody's compiler reads them, and they
 * are near half of all. `npm pack` runs it after the build. What the compiler notes of its output goes too,
 * so that the next build makes all types again.
 */
const { exports }: { exports: Readonly<Record<string, string | { readonly types?: string }>> } = JSON.parse(
  readFileSync("package.json", "utf8"),
);

const reached = new Set<string>();
const open = Object.values(exports).flatMap((door) =>
  typeof door === "object" && door.types !== undefined ? [join(door.types)] : [],
);
for (let path = open.pop(); path !== undefined; path = open.pop()) {
  if (reached.has(path)) continue;
  reached.add(path);
  const text = readFileSync(path, "utf8");
  for (const [, name = ""] of text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*"(\.[^"]+)"/gm))
    if (/\.[jt]s$/.test(name)) open.push(join(dirname(path), name.replace(/(?:\.d)?\.[jt]s$/, ".d.ts")));
}

const types = globSync("dist/**/*.d.ts");
for (const path of types) if (!reached.has(path)) rmSync(path);
for (const path of globSync("dist/**/*.tsbuildinfo")) rmSync(path);
console.log(`${types.length - reached.size} of ${types.length} files of types are reached by no door.`);

/** The obligations read the code of these rooms as it is written: comments alone go from it. */
const isRead = (path: string): boolean =>
  /^dist\/(?:reference|engines(?!\/mutants)|oracle\/truth)\//.test(path);

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

/** The largest room has its variables renamed: its messages name obligations, and not variables. */
const isRenamed = (path: string): boolean => path.startsWith("dist/oracle/obligations/");

function withoutSpace(path: string, text: string): string {
  const how = { module: true, compress: false, mangle: isRenamed(path) };
  const { code, errors } = minifySync(path, text, how);
  if (errors.length > 0) throw new Error(`${path} is not read: ${errors[0]?.message}`);
  return code;
}

for (const path of globSync("dist/**/*.js")) {
  // That one is minified already.
  if (path === "dist/compile.js") continue;
  const text = readFileSync(path, "utf8");
  writeFileSync(path, isRead(path) ? withoutComments(text) : withoutSpace(path, text));
}
