import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nodeProblem } from "../cli/process/node_version.ts";
import { howToInstall, type Peer, peers } from "../spec/peers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = await mkdtemp(join(tmpdir(), "adjudge-sources-"));
const folder = await mkdtemp(join(tmpdir(), "adjudge-package-"));

/** The environment is a user's: this Node comes first, and no Python is chosen. */
const { ADJUDGE_PYTHON: _, FORCE_COLOR: __, ...inherited } = process.env;
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
const env = { ...inherited, PATH: path, NO_COLOR: "1" };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(cwd: string, command: string, ...argv: readonly string[]): Promise<Ended> {
  return new Promise((resolve) =>
    execFile(command, argv, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    ),
  );
}

/** Runs what must succeed, and returns its standard output. */
async function output(cwd: string, command: string, ...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(cwd, command, ...argv);
  if (code !== 0) throw new Error(`${command} ${argv.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}

/** Runs `npx adjudge` where the package is installed, without the second that `npx` itself takes. */
function adjudge(...argv: readonly string[]): Promise<Ended> {
  return run(folder, join(folder, "node_modules", ".bin", "adjudge"), ...argv);
}

const installed = join(folder, "node_modules", "adjudge");
const packageJson: { readonly exports: Readonly<Record<string, unknown>>; readonly dependencies: object } =
  JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
/** One door needs a peer that the project does not have at first, for its types too. */
const doors = Object.keys(packageJson.exports).filter((name) => !/json|wasm/.test(name));

/** These are built, installed or not ours; a fresh clone has all else. */
const notSources = new Set(["node_modules", "dist", ".git", ".venv", "built"]);

let files: readonly string[] = [];
let packedBytes = 0;

beforeAll(async () => {
  // A copy, so that packing builds from nothing and leaves the `dist` of whoever runs this alone.
  await cp(root, sources, { recursive: true, filter: (from) => !notSources.has(basename(from)) });
  await symlink(join(root, "node_modules"), join(sources, "node_modules"), "junction");
  await mkdir(join(sources, "docs", "built"));
  await writeFile(join(sources, "docs", "built", "index.md"), "built");
  const stdout = await output(sources, "npm", "pack", "--json", "--pack-destination", folder);
  const [manifest] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  files = manifest.files.map((file: { readonly path: string }) => file.path);
  packedBytes = manifest.size;
  // The user has another fast-check than the one that adjudge is developed with.
  const user = { name: "user", private: true, type: "module", dependencies: { "fast-check": "4.11.0" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(user));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  await output(folder, "npm", "install", ...quiet, `./${manifest.filename}`);
});

afterAll(async () => {
  for (const made of [sources, folder]) await rm(made, { recursive: true, force: true });
});

describe("the tarball", () => {
  test("holds the code, its types, schemas, adapters, suites and documents", () => {
    expect(files).toEqual(
      expect.arrayContaining([
        "dist/cli/adjudge.js",
        "dist/spec/index.d.ts",
        "dist/spec/schema/graph.schema.json",
        "python/src/adjudge/kit/adapter.py",
        "conformance/testees/python/jax_adapter.py",
        "conformance/testees/python/autograd_adapter.py",
        "conformance/testees/python/pytorch_adapter.py",
        "conformance/testees/python/requirements.txt",
        "conformance/testees/python/requirements-pytorch.txt",
        "conformance/testees/python/setup.py",
        "conformance/testees/candle/Cargo.toml",
        "conformance/testees/candle/src/main.rs",
        "conformance/testees/gorgonia/go.mod",
        "conformance/testees/gorgonia/go.sum",
        "conformance/testees/gorgonia/main.go",
        "conformance/suites/structures.adj",
        "dist/suites/structures/fan_out.json",
        "dist/suites/state/square_in_place.json",
        "dist/suites/manners/twice_the_same.json",
        "docs/protocol.md",
        "lean-export/lean/Driver.lean",
        "spec/SEMANTICS.md",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
      ]),
    );
  });

  test("holds no tests, no sources, nothing for development, and less than three megabytes", () => {
    expect(
      files.filter((name) =>
        /\.test\.|\/test_|hostile|tsbuildinfo|^tests|^bench|^docs\/built|\.tgz$/.test(name),
      ),
    ).toEqual([]);
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    expect(packedBytes).toBeLessThan(3_000_000);
  });
});

test("the code as it is packed is what the obligations read: all that are asked every day are proved of it", async () => {
  const told = await output(sources, process.execPath, "dist/cli/adjudge.js", "prove", "--all");
  expect(told).toMatch(/^\d{4} obligations: (\d+) proved, 0 not\.$/m);
});

describe("the package, installed in an empty folder", () => {
  test("brings its dependencies, and none that are for development or optional", async () => {
    const names = readdirSync(join(folder, "node_modules"));
    for (const name of Object.keys(packageJson.dependencies))
      expect(existsSync(join(folder, "node_modules", name, "package.json"))).toBe(true);
    for (const name of ["node", "typescript", "@tensorflow", "@jax-js", ...Object.keys(peers)])
      expect(names).not.toContain(name);
    expect(await output(folder, "npm", "ls", "--all", "--parseable", "fast-check")).toBe(
      `${join(folder, "node_modules", "fast-check")}\n`,
    );
  });

  test("says how to get an optional peer that a command or a door needs", async () => {
    const newton = join(installed, "docs", "examples", "dimensions", "newton.adj#gradient_norm");
    const asked: readonly (readonly [Peer, readonly string[]])[] = [
      ["binaryen", ["judge", "-e", "wasm", "-n", "1"]],
      ["binaryen", ["prove"]],
      ["bullmq", ["campaign", "work", "--queue", "redis://host"]],
      ["ioredis", ["campaign", "status", "--queue", "redis://host"]],
      ["z3-solver", ["prove"]],
      ["z3-solver", ["prove", "--widths", join(installed, "docs", "examples", "perceptron.adj")]],
      ["z3-solver", ["explain", newton, "--recheck"]],
    ];
    for (const [peer, argv] of asked)
      expect([argv, await adjudge(...argv)]).toEqual([
        argv,
        expect.objectContaining({ code: 4, stderr: expect.stringContaining(howToInstall(peer)) }),
      ]);
    const opened = await run(folder, "node", "--input-type=module", "-e", `import "adjudge/compile/wasm"`);
    expect(opened).toMatchObject({ code: 1, stderr: expect.stringContaining(howToInstall("binaryen")) });
  });

  test("explains itself", async () => {
    const explained = await run(folder, "npx", "adjudge", "--help");
    expect(explained).toMatchObject({ code: 0, stdout: expect.stringContaining("judge") });
  });

  test.each([
    { words: ["--version"], files: 25, kilobytes: 200 },
    { words: ["check", "square.adj"], files: 240, kilobytes: 1_500 },
    { words: ["judge", "square.adj", "-e", "interpreter"], files: 420, kilobytes: 3_600 },
  ])("loads at most $files files for $words", async ({ words, ...most }) => {
    // Each thread tells how many files it loaded, and their bytes: time differs from run to run.
    const hooks = `import { registerHooks } from "node:module";
      import { statSync, writeSync } from "node:fs";
      const loaded = new Set();
      registerHooks({ load: (url, context, next) => { if (/^file:/.test(url)) loaded.add(url); return next(url, context); } });
      process.on("exit", () => {
        const sizes = [...loaded].map((url) => statSync(new URL(url)).size);
        writeSync(1, "\\nloaded " + sizes.length + " " + sizes.reduce((sum, size) => sum + size, 0) + "\\n");
      });`;
    await writeFile(join(folder, "square.adj"), "graph square(x: [])\n  y = x * x\nat x = 3\n");
    const told = ["--import", `data:text/javascript,${encodeURIComponent(hooks)}`];
    const out = await output(folder, "node", ...told, join(installed, "dist", "cli", "adjudge.js"), ...words);
    const loaded = [...out.matchAll(/^loaded (\d+) (\d+)$/gm)].map(([, ...numbers]) => numbers.map(Number));
    const [files = 0, bytes = 0] = [0, 1].map((i) => loaded.reduce((sum, one) => sum + (one[i] ?? 0), 0));
    expect(files).toBeGreaterThan(5);
    expect(files).toBeLessThanOrEqual(most.files);
    expect(bytes).toBeLessThanOrEqual(1000 * most.kilobytes);
  });

  test("writes a page whose program has its functions by their names", async () => {
    const argv = ["judge", "-e", "interpreter", "-n", "2", "--html", "page.html"];
    expect(await adjudge(...argv)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "page.html"), "utf8")).toMatch(/^(?:export )?function startPage\(/m);
  });

  test("judges", async () => {
    const { code, stdout } = await adjudge("judge", "-e", "interpreter", "-n", "20");
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ adjudge interpreter \d+\.\d+\.\d+ float64 +\d+\/20 /);
  });

  test("names the engines that are not installed in one line, and judges the others", async () => {
    const { code, stderr } = await adjudge("judge", "-n", "3");
    expect(code).toBe(0);
    const missing = "wasm, tfjs, jaxjs, jax, autograd, pytorch, candle";
    expect(stderr).toContain(`– missing: ${missing} (docs/judging.md)\n`);
  });

  test.each([
    ["wasm", /npm install binaryen/],
    ["tfjs", /npm install @tensorflow\/tfjs/],
    ["jax", /python3 .*setup\.py/],
    ["pytorch", /python3 .*setup\.py --pytorch/],
    ["candle", /cargo build --release .*Cargo\.toml/],
  ])("says of %s, asked alone, how to install it", async (name, how) => {
    const { code, stderr } = await adjudge("judge", "-e", name, "-n", "1");
    expect(code).toBe(4);
    expect(stderr).toMatch(new RegExp(`– ${name} is not installed and was not asked: .*${how.source}`));
  });

  test("checks, runs, judges the suite it brings, and smokes the adapter it brings", async () => {
    const square = join(installed, "docs", "examples", "square.adj");
    expect(await adjudge("check", square)).toMatchObject({ code: 0, stdout: expect.stringContaining("✓") });
    const ran = await adjudge("run", square, "-a", "rational", "-i", "x=1/3");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("2/3") });
    const suite = join(installed, "conformance", "suites", "structures.adj");
    expect(await adjudge("judge", suite, "-e", "interpreter")).toMatchObject({ code: 0 });
    const testee = join(installed, "dist", "conformance", "testees", "interpreter.js");
    const smoked = await adjudge("smoke", "--", "node", testee);
    expect(smoked).toMatchObject({ code: 0, stdout: expect.not.stringContaining("✗") });
  });

  test.each(doors)("can be imported by its door %s", async (door) => {
    const name = `adjudge/${door.slice("./".length)}`;
    const script = `console.log(Object.keys(await import("${name}")).length)`;
    const exported = await output(folder, "node", "--input-type=module", "-e", script);
    expect(Number(exported)).toBeGreaterThan(0);
  });

  test("hands out its schemas, and a verdict to who asks in code", async () => {
    await writeFile(
      join(folder, "doors.mjs"),
      `import { interpreterEngine } from "adjudge/engines";
       import { caseAt, judge, tensorProfile } from "adjudge/oracle";
       import schema from "adjudge/schema/graph.schema.json" with { type: "json" };
       const verdict = await judge(interpreterEngine(), caseAt(tensorProfile, 1, 1), { dtype: "float64" });
       console.log(verdict.kind, schema.$schema);`,
    );
    const out = await output(folder, "node", "doors.mjs");
    expect(out.trim()).toBe("agrees https://json-schema.org/draft/2020-12/schema");
  });

  test("reads and writes texts, in code and on the command line", async () => {
    await writeFile(join(folder, "square.adj"), "graph square(x: [])\n  y = x * x\nat x = 3\n");
    await writeFile(
      join(folder, "text.mjs"),
      `import { readFileSync } from "node:fs";
       import { checkCase } from "adjudge/spec";
       import { caseText, frameOf, readText } from "adjudge/text";
       const text = readFileSync("square.adj", "utf8");
       const [{ json }] = readText(text).value;
       console.log(caseText(checkCase(json).value, "square"));
       const wrong = text.replace("x * x", "x * z");
       for (const fault of readText(wrong).error) console.log(frameOf("a.adj", wrong, fault).join("\\n"));`,
    );
    const out = await output(folder, "node", "text.mjs");
    expect(out).toContain("graph square(x)\n  %1 = x * x\nat x = 3\n");
    expect(out).toContain("2 |   y = x * z\n");
    const judged = await adjudge("judge", "square.adj", "-e", "interpreter");
    expect(judged).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/✓ adjudge interpreter \S+ float64 +1\/1 /),
    });
  });

  test("type-checks in the README's example", async () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const example = /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? "";
    expect(example).toContain("adjudge/");
    const given = `import type { Engine } from "adjudge/engines";\ndeclare const myEngine: Engine;\n`;
    await writeFile(join(folder, "example.ts"), given + example);
    await typeCheck("example.ts", "--skipLibCheck");
  });

  test("has declarations without a fault, for who has Node's types", async () => {
    const imports = doors.map((door, i) => `export * as d${i} from "adjudge/${door.slice("./".length)}";`);
    await writeFile(join(folder, "doors.ts"), imports.join("\n"));
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    await typeCheck("doors.ts", "--lib", "es2024,esnext.disposable", ...types);
  });

  test("type-checks for ES2024 as it is, with Node's types or, where no door is Node's, without", async () => {
    const own = ["spec", "text", "reference", "engines", "compile", "oracle", "testing"];
    const without = own.map((door, i) => `export * as d${i} from "adjudge/${door}";`);
    await writeFile(join(folder, "without.ts"), without.join("\n"));
    await typeCheck("without.ts", "--types", "");
    await typeCheck("doors.ts", "--types", "node", "--typeRoots", join(root, "node_modules", "@types"));
  });

  test("prints the witness in a property of CommonJS, run by node:test", async () => {
    await writeFile(
      join(folder, "property.cjs"),
      `const { test } = require("node:test");
       const { caseArbitrary, expectGradients, mix } = require("adjudge/testing");
       const { interpreterEngine, mutants, plant } = require("adjudge/engines");
       const fc = require("fast-check");
       const mutant = mutants.find(({ name }) => name === process.env.MUTANT);
       const engine = mutant === undefined ? interpreterEngine() : plant(mutant, interpreterEngine());
       const property = fc.asyncProperty(caseArbitrary(mix), async (question) => {
         await expectGradients(engine).notToDisagreeOn(question);
       });
       test("gradients", () => fc.assert(property, { seed: 3, numRuns: 40 }));`,
    );
    expect(await run(folder, "node", "--test", "property.cjs")).toMatchObject({ code: 0 });
    const planted = ["-c", "MUTANT=sin_slope_at_result node --test property.cjs"];
    const wrong = await run(folder, "sh", ...planted);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/got \S+, want [\s\S]*node \d+ \(sin\)/);
  });

  test("generates WebAssembly once its peer is there", async () => {
    await symlink(
      join(root, "node_modules", "binaryen"),
      join(folder, "node_modules", "binaryen"),
      "junction",
    );
    expect(await adjudge("judge", "-e", "wasm", "-n", "3")).toMatchObject({ code: 0 });
    const script = `const { compile } = await import("adjudge/compile/wasm");
      const { graph } = await import("adjudge/spec");
      const square = graph(({ input }) => void input("x").multiply(input("y")));
      console.log(compile(square).gradient(Float64Array.of(3), Float64Array.of(5)).map(([g]) => g).join());`;
    expect(await output(folder, "node", "--input-type=module", "-e", script)).toBe("5,3\n");
  });

  const old = oldNode();
  test.runIf(old !== undefined)("tells an older Node, if there is one here, that it is too old", async () => {
    const ended = await run(folder, old ?? "", join(installed, "dist", "cli", "adjudge.js"), "judge");
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining("adjudge needs Node") });
  });
});

async function typeCheck(file: string, ...options: readonly string[]): Promise<void> {
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const common = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext"];
  await output(folder, tsc, ...common, ...options, file);
}

/** Returns a Node on the search path that is too old. */
function oldNode(): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((place) => join(place, "node"))
    .filter((program) => existsSync(program))
    .find((program) => nodeProblem(versionOf(program)) !== undefined);
}

function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return stdout.trim().replace(/^v/, "");
}
