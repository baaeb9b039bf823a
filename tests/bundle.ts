import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type OutputChunk, type Plugin, rolldown } from "rolldown";
import { pageScript } from "../conformance/report/formats/page/script.ts";

/** Every module that is a process or a thread of its own, the command first. */
export const processes: readonly string[] = [
  "cli/adjudge",
  "cli/process/command_thread",
  "cli/campaign/store/worker",
  "conformance/testees/interpreter",
  "conformance/testees/jaxjs",
  "conformance/testees/onnxruntime",
  "conformance/testees/posit_crates",
  "conformance/testees/tfjs",
  "engines/compile/wasm/batch/worker",
  "engines/compile/wasm/team/worker",
  "lean-export/run/wasm/start",
  "oracle/obligations/solve/worker",
];

/** Modules, with all that they import, that are to stand in few files. */
interface Bundled {
  /** The folder of the modules, and what their names end with. */
  readonly root: string;
  readonly ending: ".js" | ".ts";
  /** The modules that are processes, or doors, without their ending. */
  readonly entries: readonly string[];
  /** What else is to be done with imports, such as of packages, which are not read. */
  readonly plugins?: readonly Plugin[];
}

/**
 * Joins modules that are loaded together. A process, a thread or a file is found by where its module stood:
 * `import.meta.url` keeps saying that. Returns the entries under their own names and the rest as `parts/…`.
 */
export async function bundled({ root, ending, entries, plugins = [] }: Bundled): Promise<OutputChunk[]> {
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, join(root, `${name}${ending}`)])),
    platform: "node",
    logLevel: "warn",
    // The terminal's writer of Markdown is loaded with the others, and that is all that is to be told.
    checks: { ineffectiveDynamicImport: false },
    plugins: [...plugins, places(root), page],
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    chunkFileNames: "parts/[name]-[hash].js",
  });
  await build.close();
  return output.filter((made) => made.type === "chunk");
}

/** Writes a bundle to a folder. */
export function writeChunks(folder: string, chunks: readonly OutputChunk[]): void {
  for (const { fileName, code } of chunks) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}

/** Tells whether an import names a package of npm. */
export const isPackage = (name: string): boolean => /^(@|[a-z])/.test(name) && !name.startsWith("node:");

/** Stands for the bundle's folder until it is known in which file of that a module is. */
const distribution = "__DISTRIBUTION__";

function places(root: string): Plugin {
  return {
    name: "places",
    transform(code, id) {
      if (!code.includes("import.meta.url")) return null;
      const place = JSON.stringify(`${distribution}/${relative(root, id).replace(/\.ts$/, ".js")}`);
      return code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`);
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(distribution, `.${"/..".repeat(fileName.split("/").length - 1)}`),
  };
}

/** The HTML page's program is made of functions as they are written; a bundle gives them other names. */
const page: Plugin = {
  name: "page",
  transform: (_code, id) =>
    /report\/formats\/page\/script\.[jt]s$/.test(id)
      ? `export const pageScript = () => ${JSON.stringify(pageScript())};`
      : null,
};
