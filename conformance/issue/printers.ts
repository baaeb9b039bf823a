import { fail, type Result } from "../../spec/shapes/index.ts";
import { gorgoniaScripts, runGo } from "./go.ts";
import { jaxjsScript, tfjsScript } from "./javascript.ts";
import { pythonScripts } from "./python.ts";
import type { IssueQuestion } from "./question.ts";
import { type Ran, runJavaScript, runPython } from "./running.ts";
import { runRust } from "./running_rust.ts";
import { candleScripts } from "./rust.ts";

/** Writes and runs scripts in an engine's own language. */
export interface Printer {
  /** The extension of a script's file. */
  readonly ending: "py" | "mjs" | "rs" | "go";
  /** Makes a script for each question, or says why not; the library must be installed, as it gives shapes. */
  scripts(questions: readonly IssueQuestion[]): Promise<readonly Result<string, string>[]>;
  /** Runs scripts in turn: for each its exit code, or −1, and what all of them printed. */
  run(scripts: readonly string[]): Ran;
}

function inJavaScript(script: (question: IssueQuestion) => Promise<Result<string, string>>): Printer {
  return {
    ending: "mjs",
    scripts: async (questions) => {
      const scripts: Result<string, string>[] = [];
      for (const question of questions)
        scripts.push(await script(question).catch((thrown) => fail(`${thrown}`)));
      return scripts;
    },
    run: runJavaScript,
  };
}

function inPython(adapter: string, module: string): Printer {
  return {
    ending: "py",
    scripts: async (questions) => pythonScripts({ adapter, module }, questions),
    run: runPython,
  };
}

/** Holds printers by the name of the bundled engine. */
export const printers: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  ["tfjs", inJavaScript(tfjsScript)],
  ["jaxjs", inJavaScript(jaxjsScript)],
  ["jax", inPython("jax_adapter.py", "jax")],
  ["autograd", inPython("autograd_adapter.py", "autograd")],
  ["pytorch", inPython("pytorch_adapter.py", "torch")],
  ["tensorflow", inPython("tensorflow_adapter.py", "tensorflow")],
  ["candle", { ending: "rs", scripts: async (questions) => candleScripts(questions), run: runRust }],
  ["tinygrad", inPython("tinygrad_adapter.py", "tinygrad")],
  ["mygrad", inPython("mygrad_adapter.py", "mygrad")],
  ["mlx", inPython("mlx_adapter.py", "mlx")],
  ["casadi", inPython("casadi_adapter.py", "casadi")],
  ["paddle", inPython("paddle_adapter.py", "paddle")],
  ["pytensor", inPython("pytensor_adapter.py", "pytensor")],
  ["mindspore", inPython("mindspore_adapter.py", "mindspore")],
  ["gorgonia", { ending: "go", scripts: async (questions) => gorgoniaScripts(questions), run: runGo }],
]);
