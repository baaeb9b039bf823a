import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { javascriptEngine } from "../../engines/compile/index.ts";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { type Engine, expanding } from "../../spec/contract/index.ts";
import type { Issue } from "../../spec/shapes/index.ts";
import { type Command, type Limits, ProcessEngine } from "../runner/index.ts";
import type { PositCrate } from "./posit_crates.ts";
import { judgedPosits } from "./posits.ts";
import { floatTapes, tapeEngine } from "./tapes.ts";

/** What came of starting an engine: the engine, why it is not here, or what is wrong with it. */
export type Started =
  | {
      readonly kind: "started";
      /** Composites that it does not have itself are put to it as their expansions. */
      readonly engine: Engine;
      /** What it runs in, if that is another process. */
      readonly process?: ProcessEngine;
    }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "broken"; readonly issues: readonly Issue[] };

/** An engine that adjudge brings an adapter for. */
export interface BundledEngine {
  readonly name: string;
  readonly summary: string;
  start(limits: Partial<Limits>): Promise<Started>;
}

const here = dirname(fileURLToPath(import.meta.url));
/** Adapters are `.ts` in the source tree and `.js` where they have been built. */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** The engines that `adjudge judge` asks unless told which, in the order of its table. */
export const usualEngines: readonly BundledEngine[] = [
  {
    name: "interpreter",
    summary: "adjudge's own interpreter, in this process",
    start: async () => ({ kind: "started", engine: interpreterEngine() }),
  },
  {
    name: "javascript",
    summary: "adjudge's own compiler, to JavaScript, in this process",
    start: async () => ({ kind: "started", engine: javascriptEngine() }),
  },
  {
    name: "wasm",
    summary: "adjudge's own compiler, to WebAssembly, in this process",
    start: async () => {
      // Only who asks for it waits for the generator to load.
      const { wasmEngine } = await import("../../engines/compile/wasm_engine.ts");
      return { kind: "started", engine: wasmEngine() };
    },
  },
  npmEngine("tfjs", "TensorFlow.js, CPU backend", "@tensorflow/tfjs"),
  npmEngine("jaxjs", "jax-js", "@jax-js/jax"),
  pythonEngine("jax", "JAX on the CPU", { file: "jax_adapter.py", module: "jax" }),
  pythonEngine("autograd", "HIPS autograd", { file: "autograd_adapter.py", module: "autograd" }),
  pythonEngine("pytorch", "PyTorch on the CPU", {
    file: "pytorch_adapter.py",
    module: "torch",
    setUp: ["--pytorch"],
  }),
  {
    name: "candle",
    summary: "candle on the CPU",
    start: async (limits) => {
      const command = candleTestee();
      if (command !== undefined) return startCommand(command, limits);
      return { kind: "missing", reason: `cargo build --release --manifest-path ${candleManifest()}` };
    },
  },
];

/** Half of the cases are beyond its operators: asked only where it is named. */
const gorgoniaEngine: BundledEngine = {
  name: "gorgonia",
  summary: "gorgonia on the CPU, by its tape machine",
  start: async (limits) => {
    const command = gorgoniaTestee();
    if (command !== undefined) return startCommand(command, limits);
    return { kind: "missing", reason: `go build -C ${gorgoniaFolder()} -o target/ .` };
  },
};

/** Compiling one question may take minutes. */
const patient: Partial<Limits> = { requestMilliseconds: 300_000, exitMilliseconds: 20_000 };

/** Other ways to run some of these: asked only where they are named, for their operators are the same. */
const compiledEngines: readonly BundledEngine[] = [
  pythonEngine("jax-jit", "JAX on the CPU, each question as a whole under jit", {
    file: "jax_adapter.py",
    module: "jax",
    options: ["--jit"],
    limits: patient,
  }),
  pythonEngine("pytorch-compile", "PyTorch on the CPU under torch.compile, by AOT autograd alone", {
    file: "pytorch_adapter.py",
    module: "torch",
    options: ["--compile", "aot_eager"],
    limits: patient,
    setUp: ["--pytorch"],
  }),
  pythonEngine("pytorch-modules", "PyTorch on the CPU, with hooks on modules", {
    file: "pytorch_adapter.py",
    module: "torch",
    options: ["--modules"],
    setUp: ["--pytorch"],
  }),
  inductor({
    file: "pytorch_adapter.py",
    module: "torch",
    options: ["--compile", "inductor"],
    limits: patient,
    setUp: ["--pytorch"],
  }),
];

/** Its adapter has fewer operators than the others: asked only where it is named. */
const tensorflowEngines: readonly BundledEngine[] = [
  tensorflow("tensorflow", "TensorFlow on the CPU"),
  tensorflow("tensorflow-function", "the same, each question as a whole by tf.function", "--function"),
  tensorflow("tensorflow-variables", "the same, with inputs of tapes that are variables", "--variables"),
];

function tensorflow(name: string, summary: string, ...options: readonly string[]): BundledEngine {
  const file = "tensorflow_adapter.py";
  return pythonEngine(name, summary, {
    file,
    module: "tensorflow",
    options,
    limits: patient,
    setUp: ["--tensorflow"],
  });
}

/** Slower than the others by far, for it compiles each question: asked only where it is named. */
const tinygradEngine = compiledByClang(
  pythonEngine("tinygrad", "tinygrad on the CPU", {
    file: "tinygrad_adapter.py",
    module: "tinygrad",
    limits: patient,
    setUp: ["--tinygrad"],
  }),
);

/** The reference's ways to remember a run, each as an engine: asked only where they are named. */
const tapeEngines: readonly BundledEngine[] = floatTapes.map((tape) => ({
  name: `tape:${tape.name}`,
  summary: `a tape that keeps ${tape.system.summary}, in this process`,
  start: async () => ({ kind: "started", engine: tapeEngine(tape) }),
}));

/** Posits, which are no floats: asked only where they are named. */
const positEngines: readonly BundledEngine[] = [
  {
    name: "posit",
    summary: "posits of 8, 16 and 32 bits, in this process",
    start: async () => ({ kind: "started", engine: judgedPosits() }),
  },
  {
    name: "posit-quire",
    summary: "the same with sums in a quire",
    start: async () => ({ kind: "started", engine: judgedPosits("quire") }),
  },
];

/** Crates for posits, asked only where they are named. */
const positCrateEngines: readonly BundledEngine[] = [
  positCrate("fast-posit", "fast_posit"),
  positCrate("softposit", "softposit"),
];

function positCrate(name: string, crate: PositCrate): BundledEngine {
  return {
    name,
    summary: `the crate ${crate}, posits of 8, 16 and 32 bits with sums in its quire`,
    start: async (limits) => {
      const file = positModule();
      if (existsSync(file))
        return startCommand(
          { argv: [process.execPath, join(here, `posit_crates.${extension}`), file, crate] },
          { requestMilliseconds: 2000, ...limits },
        );
      const build = `cargo build --release --target wasm32-unknown-unknown --manifest-path ${positCratesFolder()}/Cargo.toml`;
      return { kind: "missing", reason: `rustup target add wasm32-unknown-unknown && ${build}` };
    },
  };
}

function positCratesFolder(): string {
  return join(packageRoot(), "conformance", "testees", "posit_crates");
}

/** What cargo builds of the crates for posits. */
export function positModule(): string {
  return join(
    positCratesFolder(),
    "target",
    "wasm32-unknown-unknown",
    "release",
    "adjudge_posit_crates.wasm",
  );
}

/** Every engine that adjudge brings an adapter for; those of {@link usualEngines} first. */
export const bundledEngines: readonly BundledEngine[] = [
  ...usualEngines,
  ...compiledEngines,
  ...tensorflowEngines,
  tinygradEngine,
  gorgoniaEngine,
  ...tapeEngines,
  ...positEngines,
  ...positCrateEngines,
];

/** The bundled engine of that name. */
export function bundledEngine(name: string): BundledEngine | undefined {
  return bundledEngines.find((engine) => engine.name === name);
}

/** Starts a command that speaks the protocol. It is asked composites whole where it promises them. */
export async function startCommand(command: Command, limits: Partial<Limits>): Promise<Started> {
  const started = await ProcessEngine.start(command, limits);
  if (!started.ok) return { kind: "broken", issues: started.error };
  return { kind: "started", engine: expanding(started.value), process: started.value };
}

function npmEngine(name: string, summary: string, packageName: string): BundledEngine {
  return {
    name,
    summary,
    start: async (limits) => {
      if (!isInstalled(packageName)) return { kind: "missing", reason: `npm install ${packageName}` };
      return startCommand({ argv: [process.execPath, join(here, `${name}.${extension}`)] }, limits);
    },
  };
}

function isInstalled(packageName: string): boolean {
  try {
    import.meta.resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

/** PyTorch's own compiler, which writes C++ and wants a compiler for it. */
function inductor(adapter: PythonAdapter): BundledEngine {
  const engine = pythonEngine("pytorch-inductor", "PyTorch on the CPU under torch.compile", adapter);
  return {
    ...engine,
    start: async (limits) => {
      const hasCompiler =
        spawnSync(process.env.CXX ?? "g++", ["--version"], { stdio: "ignore" }).status === 0;
      return hasCompiler ? engine.start(limits) : { kind: "missing", reason: "a C++ compiler, g++ or CXX" };
    },
  };
}

/** tinygrad has clang, or what `CC` names, compile what the CPU runs. */
function compiledByClang(engine: BundledEngine): BundledEngine {
  return {
    ...engine,
    start: async (limits) => {
      const compiles = spawnSync(process.env.CC ?? "clang", ["--version"], { stdio: "ignore" }).status === 0;
      return compiles
        ? engine.start(limits)
        : { kind: "missing", reason: "clang, which tinygrad compiles with" };
    },
  };
}

/** An adapter in Python. */
interface PythonAdapter {
  readonly file: string;
  /** What has to be there to be imported. */
  readonly module: string;
  /** The options with which the adapter runs. */
  readonly options?: readonly string[];
  /** What it may take unless who starts it says otherwise. */
  readonly limits?: Partial<Limits>;
  /** The options with which the set-up script installs it. */
  readonly setUp?: readonly string[];
}

function pythonEngine(name: string, summary: string, adapter: PythonAdapter): BundledEngine {
  return {
    name,
    summary,
    start: async (limits) => {
      const command = pythonTestee(adapter.file, adapter.module);
      if (command !== undefined)
        return startCommand(
          { argv: [...command.argv, ...(adapter.options ?? [])] },
          { ...adapter.limits, ...limits },
        );
      const script = ["python3", join(pythonFolder(), "setup.py"), ...(adapter.setUp ?? [])];
      return { kind: "missing", reason: script.join(" ") };
    },
  };
}

/**
 * How to run a Python file of the testees' folder: with `ADJUDGE_PYTHON`, or in the virtual environment that
 * the set-up script makes; `undefined` if there is neither, or if it lacks the module. A Python that does not run
 * lacks nothing: whoever starts it hears what is wrong.
 */
export function pythonTestee(file: string, module?: string): Command | undefined {
  const python = findPython();
  if (python === undefined || (module !== undefined && lacks(python, module))) return undefined;
  return { argv: [python, join(pythonFolder(), file)] };
}

/** Whether a Python finds no such module; it is looked for, not imported, which may take seconds. */
function lacks(python: string, module: string): boolean {
  const look = "import sys, importlib.util as u; sys.exit(3 if u.find_spec(sys.argv[1]) is None else 0)";
  return spawnSync(python, ["-c", look, module], { stdio: "ignore" }).status === 3;
}

/** How to run candle's adapter where cargo has built it; `undefined` elsewhere. */
export function candleTestee(): Command | undefined {
  const built = join(dirname(candleManifest()), "target", "release", "adjudge-candle");
  const found = [built, `${built}.exe`].find((path) => existsSync(path));
  return found === undefined ? undefined : { argv: [found] };
}

/** How to run gorgonia's adapter where go has built it, with what it has in part and is at fault in; `undefined` elsewhere. */
export function gorgoniaTestee(): Command | undefined {
  const built = join(gorgoniaFolder(), "target", "adjudge-gorgonia");
  const found = [built, `${built}.exe`].find((path) => existsSync(path));
  return found === undefined ? undefined : { argv: [found, "--with", "avg_pool,slice"] };
}

/** The Go module of gorgonia's adapter. */
export function gorgoniaFolder(): string {
  return join(packageRoot(), "conformance", "testees", "gorgonia");
}

/** The manifest of candle's adapter; what cargo builds is beside it. */
export function candleManifest(): string {
  return join(packageRoot(), "conformance", "testees", "candle", "Cargo.toml");
}

function pythonFolder(): string {
  return join(packageRoot(), "conformance", "testees", "python");
}

/** The folder with this package's own package.json: the sources and `dist` lie at different depths in it. */
function packageRoot(): string {
  let folder = here;
  while (!existsSync(join(folder, "package.json")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

function findPython(): string | undefined {
  const chosen = process.env.ADJUDGE_PYTHON;
  if (chosen !== undefined && chosen !== "") return chosen;
  const candidates = [join(".venv", "bin", "python"), join(".venv", "Scripts", "python.exe")];
  return candidates.map((path) => join(packageRoot(), path)).find((path) => existsSync(path));
}
