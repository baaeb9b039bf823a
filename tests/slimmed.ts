import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

for (const path of globSync("dist/**/*.js")) {
  // That one is minified already.
  if (path === "dist/compile.js") continue;
  const { code, errors } = minifySync(path, readFileSync(path, "utf8"), {
    module: true,
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: false },
  });
  if (errors.length > 0) throw new Error(`${path} is not read: ${errors[0]?.message}`);
  writeFileSync(path, code);
}
