import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { javascriptEngine } from "../../engines/compile/index.ts";
import { interpreterEngine } from "../../engines/interpreter/index.ts";
import { type Engine, expanding } from "../../spec/contract/index.ts";
import { howToInstall, isInstalled } from "../../spec/peers.ts";
import type { Issue } from "../../spec/shapes/index.ts";
import { type Command, type Limits, ProcessEngine } from "../runner/index.ts";
import { packageRoot } from "./package_root.ts";
import type { PositCrate } from "./posit_crates.ts";
import { judgedPosits } from "./posits.ts";
import { scalarTestees } from "./scalars.ts";
import { floatTapes, tapeEngine } from "./tapes.ts";

/** Starting an engine gives the engine, why it is missing, or what is wrong with it. */
export type Started =
  | {
      readonly kind: "started";
      /** The engine; composites that it lacks are expanded for it. */
      readonly engine: Engine;
      /** Its process, if it runs in another one. */
      readonly process?: ProcessEngine;
    }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "broken"; readonly issues: readonly Issue[] };

/** An engine that adjudge has an adapter for. */
export interface BundledEngine {
  readonly name: string;
  readonly summary: string;
  start(limits: Partial<Limits>): Promise<Started>;
}

const here = dirname(fileURLToPath(import.meta.url));
/** Adapters are `.ts` in the source tree and `.js` after a build. */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** `adjudge judge` asks these engines by default, in the order of its table. */
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
      if (!isInstalled("binaryen")) return { kind: "missing", reason: howToInstall("binaryen") };
      // The generator is loaded only for those who ask for it.
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

/** Each question costs a call of a C compiler, so that this one is asked only if it is named. */
const cBundled: BundledEngine = {
  name: "c",
  summary: "adjudge's own compiler, to C, in this process",
  start: async () => {
    // What runs libraries is loaded only for those who ask for it.
    const { cEngine, findCompiler } = await import("../../engines/compile/c_engine.ts");
    const compiler = findCompiler();
    if (compiler === undefined) return { kind: "missing", reason: 'a C compiler: "cc", or what CC names' };
    if (!isInstalled("koffi")) return { kind: "missing", reason: howToInstall("koffi") };
    return { kind: "started", engine: cEngine(compiler) };
  },
};

/** Half of the cases exceed its operators, so that it is asked only if it is named. */
const gorgoniaEngine: BundledEngine = {
  name: "gorgonia",
  summary: "gorgonia on the CPU, by its tape machine",
  start: async (limits) => {
    const command = gorgoniaTestee();
    if (command !== undefined) return startCommand(command, limits);
    return { kind: "missing", reason: `go build -C ${gorgoniaFolder()} -o target/ .` };
  },
};

/** They have no operators of whole tensors, so that they are asked only if they are named. */
const scalarEngines: readonly BundledEngine[] = scalarTestees.map(({ name, summary, setUp, command }) => ({
  name,
  summary,
  start: async (limits) => {
    const built = command();
    return built === undefined ? { kind: "missing", reason: setUp } : startCommand(built, limits);
  },
}));

/** Compiling one question may take minutes. */
const patient: Partial<Limits> = { requestMilliseconds: 300_000, exitMilliseconds: 20_000 };

/** These run some of the others in another way, and are asked only if they are named. */
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

/** Its adapter has fewer operators than the others, so that it is asked only if it is named. */
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

/** It compiles each question, which is slow, so that it is asked only if it is named. */
const tinygradEngine = compiledByClang(
  pythonEngine("tinygrad", "tinygrad on the CPU", {
    file: "tinygrad_adapter.py",
    module: "tinygrad",
    limits: patient,
    setUp: ["--tinygrad"],
  }),
);

/** These offer fewer operators than the others, so that they are asked only if they are named. */
const morePythonEngines: readonly BundledEngine[] = [
  pythonEngine("mygrad", "MyGrad", { file: "mygrad_adapter.py", module: "mygrad", setUp: ["--mygrad"] }),
  mlx("mlx", "MLX on the CPU"),
  mlx("mlx-reverse", "the same in reverse mode, with what has no forward rule", "--reverse"),
  casadi("casadi", "CasADi, by expressions of matrices (MX)"),
  casadi("casadi-sx", "CasADi, by expressions of numbers (SX)", "--scalars"),
  pythonEngine("paddle", "PaddlePaddle on the CPU", {
    file: "paddle_adapter.py",
    module: "paddle",
    setUp: ["--paddle"],
  }),
  pythonEngine("pytensor", "PyTensor, rewritten and computed by NumPy", {
    file: "pytensor_adapter.py",
    module: "pytensor",
    limits: patient,
    setUp: ["--pytensor"],
  }),
  pythonEngine("drjit", "Dr.Jit on the CPU, compiled by LLVM", {
    file: "drjit_adapter.py",
    module: "drjit",
    limits: patient,
    setUp: ["--drjit"],
  }),
  pythonEngine("warp", "Warp on the CPU, by its tape of kernels", {
    file: "warp_adapter.py",
    module: "warp",
    limits: patient,
    setUp: ["--warp"],
  }),
  pythonEngine("mindspore", "MindSpore on the CPU, in PyNative mode", {
    file: "mindspore_adapter.py",
    module: "mindspore",
    limits: patient,
    isAlone: true,
  }),
];

/** It has values alone, so that it is asked only if it is named. */
const runtimeEngines: readonly BundledEngine[] = [
  onnxRuntime("onnxruntime", "ONNX Runtime on the CPU, the values of exported graphs"),
  onnxRuntime("onnxruntime-double", "the same in float64, in which it has fewer operators", "--double"),
];

function onnxRuntime(name: string, summary: string, ...options: readonly string[]): BundledEngine {
  return nodeEngine({
    name,
    summary,
    packageName: "onnxruntime-node",
    file: "onnxruntime",
    // The package's script would load 300 MB more for graphics cards.
    install: "--ignore-scripts onnxruntime-node@1.30.0",
    options,
  });
}

function mlx(name: string, summary: string, ...options: readonly string[]): BundledEngine {
  return pythonEngine(name, summary, { file: "mlx_adapter.py", module: "mlx", options, setUp: ["--mlx"] });
}

function casadi(name: string, summary: string, ...options: readonly string[]): BundledEngine {
  return pythonEngine(name, summary, {
    file: "casadi_adapter.py",
    module: "casadi",
    options,
    setUp: ["--casadi"],
  });
}

/** The reference's tape systems as engines are asked only if they are named. */
const tapeEngines: readonly BundledEngine[] = floatTapes.map((tape) => ({
  name: `tape:${tape.name}`,
  summary: `a tape that keeps ${tape.system.summary}, in this process`,
  start: async () => ({ kind: "started", engine: tapeEngine(tape) }),
}));

/** Posits are no floats, so that they are asked only if they are named. */
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

/** Crates for posits are asked only if they are named. */
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

/** Returns the path of what cargo builds of the crates for posits. */
export function positModule(): string {
  return join(
    positCratesFolder(),
    "target",
    "wasm32-unknown-unknown",
    "release",
    "adjudge_posit_crates.wasm",
  );
}

/** Every engine that adjudge has an adapter for, {@link usualEngines} first. */
export const bundledEngines: readonly BundledEngine[] = [
  ...usualEngines,
  cBundled,
  ...compiledEngines,
  ...tensorflowEngines,
  tinygradEngine,
  ...morePythonEngines,
  ...runtimeEngines,
  gorgoniaEngine,
  ...scalarEngines,
  ...tapeEngines,
  ...positEngines,
  ...positCrateEngines,
];

/** Returns the bundled engine of that name. */
export function bundledEngine(name: string): BundledEngine | undefined {
  return bundledEngines.find((engine) => engine.name === name);
}

/** Starts a command that speaks the protocol, and expands composites that it does not promise. */
export async function startCommand(command: Command, limits: Partial<Limits>): Promise<Started> {
  const started = await ProcessEngine.start(command, limits);
  if (!started.ok) return { kind: "broken", issues: started.error };
  return { kind: "started", engine: expanding(started.value), process: started.value };
}

function npmEngine(name: string, summary: string, packageName: string): BundledEngine {
  return nodeEngine({ name, summary, packageName, file: name, install: packageName });
}

/** An adapter for a package of npm. */
interface NodeAdapter {
  readonly name: string;
  readonly summary: string;
  /** The package that must be found. */
  readonly packageName: string;
  /** The adapter's module, without its ending. */
  readonly file: string;
  /** What `npm install` is told. */
  readonly install: string;
  readonly options?: readonly string[];
}

function nodeEngine({ name, summary, packageName, file, install, options }: NodeAdapter): BundledEngine {
  return {
    name,
    summary,
    start: async (limits) => {
      if (!isInstalled(packageName)) return { kind: "missing", reason: `npm install ${install}` };
      const argv = [process.execPath, join(here, `${file}.${extension}`), ...(options ?? [])] as const;
      return startCommand({ argv }, limits);
    },
  };
}

/** Starts PyTorch's own compiler, which writes C++ and needs a compiler for it. */
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

/** Starts tinygrad with clang, or the compiler in `CC`. */
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
  /** The module that must be importable. */
  readonly module: string;
  /** The options with which the adapter runs. */
  readonly options?: readonly string[];
  /** Its limits, unless whoever starts it gives others. */
  readonly limits?: Partial<Limits>;
  /** The options with which the set-up script installs it. */
  readonly setUp?: readonly string[];
  /** Whether its library bears none of the others beside it, so that it has an environment of its own. */
  readonly isAlone?: boolean;
}

function pythonEngine(name: string, summary: string, adapter: PythonAdapter): BundledEngine {
  return {
    name,
    summary,
    start: async (limits) => {
      const command = pythonTestee(adapter.file, adapter.module);
      if (command !== undefined)
        return startCommand(
          { ...command, argv: [...command.argv, ...(adapter.options ?? [])] },
          { ...adapter.limits, ...limits },
        );
      return { kind: "missing", reason: setUpOf(adapter).join(" ") };
    },
  };
}

/**
 * Returns the command that installs an adapter's library: into the Python that was chosen, `.venv`, or an
 * environment to be chosen then.
 */
function setUpOf({ module, setUp = [], isAlone = false }: PythonAdapter): readonly string[] {
  const chosen = process.env.ADJUDGE_PYTHON;
  if (!chosen && !isAlone) return ["python3", join(pythonFolder(), "setup.py"), ...setUp];
  const suffix = isAlone ? `-${module}` : setUp.map((option) => option.slice(1)).join("");
  const requirements = join(pythonFolder(), `requirements${suffix}.txt`);
  const install = ["-m", "pip", "install", "-r", requirements];
  if (chosen) return [chosen, ...install];
  const own = `.venv-${module}`;
  const python = `${own}/bin/python`;
  return ["python3", "-m", "venv", own, "&&", python, ...install, "&&", "export", `ADJUDGE_PYTHON=${python}`];
}

/**
 * Returns how to run a Python file of the testees' folder: with `ADJUDGE_PYTHON`, or in the virtual
 * environment of the set-up script, and with the kit, `python/src/adjudge`, on its path; `undefined` without
 * either, or without the module. A Python that does not run is returned, so that whoever starts it hears what
 * is wrong.
 */
export function pythonTestee(file: string, module?: string): Command | undefined {
  const python = findPython();
  if (python === undefined || (module !== undefined && lacks(python, module))) return undefined;
  const argv = [python, join(pythonFolder(), file)] as const;
  const kit = join(packageRoot(), "python", "src");
  // Whoever installed the package in Python has the kit there.
  if (!existsSync(kit)) return { argv };
  const path = [kit, ...(process.env.PYTHONPATH ? [process.env.PYTHONPATH] : [])].join(delimiter);
  return { argv, env: { PYTHONPATH: path } };
}

/** Says whether a Python lacks a module, without importing it, which may take seconds. */
function lacks(python: string, module: string): boolean {
  const look = "import sys, importlib.util as u; sys.exit(3 if u.find_spec(sys.argv[1]) is None else 0)";
  return spawnSync(python, ["-c", look, module], { stdio: "ignore" }).status === 3;
}

/** Returns how to run candle's adapter if cargo has built it. */
export function candleTestee(): Command | undefined {
  const built = join(dirname(candleManifest()), "target", "release", "adjudge-candle");
  const found = [built, `${built}.exe`].find((path) => existsSync(path));
  return found === undefined ? undefined : { argv: [found] };
}

/** Returns how to run gorgonia's adapter if go has built it, with its partial and faulty operators. */
export function gorgoniaTestee(): Command | undefined {
  const built = join(gorgoniaFolder(), "target", "adjudge-gorgonia");
  const found = [built, `${built}.exe`].find((path) => existsSync(path));
  return found === undefined ? undefined : { argv: [found, "--with", "avg_pool,slice"] };
}

/** Returns the folder of gorgonia's adapter, a Go module. */
export function gorgoniaFolder(): string {
  return join(packageRoot(), "conformance", "testees", "gorgonia");
}

/** Returns the manifest of candle's adapter; cargo builds beside it. */
export function candleManifest(): string {
  return join(packageRoot(), "conformance", "testees", "candle", "Cargo.toml");
}

function pythonFolder(): string {
  return join(packageRoot(), "conformance", "testees", "python");
}

function findPython(): string | undefined {
  const chosen = process.env.ADJUDGE_PYTHON;
  if (chosen !== undefined && chosen !== "") return chosen;
  const candidates = [join(".venv", "bin", "python"), join(".venv", "Scripts", "python.exe")];
  return candidates.map((path) => join(packageRoot(), path)).find((path) => existsSync(path));
}
