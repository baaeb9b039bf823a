import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { interpret } from "../../../engines/interpretation/index.ts";
import { searchedCase } from "../../../oracle/generate/mix.ts";
import type { CaseData } from "../../../spec/documents/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import { sampled } from "../../../spec/sampled.test.kit.ts";
import { type ExportOptions, writeOnnx } from "./export.ts";
import { hasPython, python, read, valuesOf } from "./model.test.kit.ts";
import { rules } from "./operators/table.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const script = join(import.meta.dirname, "runtime.py");

const [hasOnnx, hasRuntime] = [hasPython("onnx"), hasPython("onnxruntime")];
if (!hasOnnx || !hasRuntime)
  console.warn(
    `${python} lacks onnx or onnxruntime; models are not compared with them: pip install onnx onnxruntime`,
  );

const folder = mkdtempSync(join(tmpdir(), "adjudge-onnx-"));
afterAll(() => rmSync(folder, { recursive: true }));

function ask(command: "cases" | "run", where: string): void {
  const { status, stderr } = spawnSync(python, [script, command, where], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

interface Numbers {
  readonly shape: readonly number[];
  readonly data: readonly string[];
}

/** Reads a number as Python prints it. */
function numberOf(text: string): number {
  return Number(text.replace("inf", "Infinity").replace("nan", "NaN"));
}

/** Tells whether numbers are the same, up to a part of their size. */
function isNear(found: readonly number[], wanted: readonly number[], part: number): boolean {
  if (found.length !== wanted.length) return false;
  return found.every((x, i) => {
    const y = wanted[i] ?? Number.NaN;
    return Object.is(x, y) || x === y || Math.abs(x - y) <= part * Math.max(1, Math.abs(y));
  });
}

/** Deep graphs amplify roundings, and where numbers are not finite libraries go different ways. */
function isPlain({ graph, point }: CaseData): boolean {
  const tensors = [...point.inputs, ...point.environment.values()];
  return graph.nodes.length < 40 && tensors.every(({ data }) => data.every((x) => Math.abs(x) < 1e6));
}

describe.runIf(hasOnnx)("ONNX's own tests of operators", () => {
  test("are read as they are meant, or refused", { timeout: 120_000 }, () => {
    ask("cases", folder);
    const names = readdirSync(folder).filter((name) => name.endsWith(".onnx"));
    const agreed = new Set<string>();
    const wrong: string[] = [];
    let count = 0;
    for (const name of names) {
      const { op, inputs, outputs }: { op: string; inputs: Record<string, Numbers>; outputs: Numbers[] } =
        JSON.parse(readFileSync(join(folder, name.replace(".onnx", ".json")), "utf8"));
      const given = new Map(Object.entries(inputs).map(([input, { data }]) => [input, data.map(numberOf)]));
      const model = read(readFileSync(join(folder, name)), { given });
      if (!model.ok) {
        expect(model.error[0]?.hint).toMatch(/./);
        continue;
      }
      const { graph, point, outputs: own } = model.value;
      const found = valuesOf(
        graph,
        point,
        own.map(({ id }) => id),
      );
      // Theirs are computed in the model's own precision, bfloat16 among them.
      const isRight = found.every((x, k) => isNear(x, outputs[k]?.data.map(numberOf) ?? [], 1e-2));
      if (isRight) agreed.add(op);
      else wrong.push(name);
      count++;
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(1_000);
    const tested = [...rules.keys()].filter((op) => agreed.has(op));
    expect(tested.length).toBeGreaterThan(100);
  });
});

test.runIf(hasOnnx)("the example models are those that their script writes", () => {
  const examples = join(root, "docs", "examples", "models");
  const where = mkdtempSync(join(folder, "models-"));
  const { status, stderr } = spawnSync(python, [join(examples, "write_models.py"), where], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  const names = readdirSync(where);
  expect(names.toSorted()).toEqual(["attention.onnx", "cnn.onnx", "lstm.onnx", "mlp.onnx"]);
  for (const name of names)
    expect(readFileSync(join(where, name)).equals(readFileSync(join(examples, name)))).toBe(true);
});

describe.runIf(hasRuntime)("onnxruntime", () => {
  const indices = sampled(
    "onnxruntime",
    Array.from({ length: 400 }, (_, index) => index),
    40,
  );

  test.each<[ExportOptions["dtype"], number]>([
    ["float32", 2e-4],
    ["float64", 1e-9],
  ])("computes the same of random graphs in %s", { timeout: 120_000 }, (dtype, part) => {
    const where = mkdtempSync(join(folder, "run-"));
    const wanted = new Map<string, number[][]>();
    for (const index of indices) {
      const drawn = searchedCase(7, index);
      if (!isPlain(drawn)) continue;
      const { graph, point } = drawn;
      const isRead = new Set<number>(graph.nodes.flatMap(({ parents }) => parents));
      const ids = graph.nodes.map((_, k) => graph.inputs.length + k).filter((id) => !isRead.has(id));
      const written = writeOnnx(graph, { dtype, environment: point.environment });
      if (ids.length === 0 || !written.ok) continue;
      const { graph: primitive, ids: places } = expand(graph);
      const answer = interpret(primitive, dtype).evaluate(point);
      if (!answer.ok) throw new Error(answer.error);
      wanted.set(
        String(index),
        ids.map((id) => Array.from(answer.value[(places[id] ?? 0) - graph.inputs.length] ?? [])),
      );
      const inputs = Object.fromEntries(
        graph.inputs.map(({ name, shape }, k) => [
          name,
          { shape, data: Array.from(point.inputs[k]?.data ?? [], textOf) },
        ]),
      );
      writeFileSync(join(where, `${index}.onnx`), written.value.data);
      writeFileSync(join(where, `${index}.json`), JSON.stringify({ inputs }));
    }
    ask("run", where);
    const [differ, fails, lacks]: [string[], string[], string[]] = [[], [], []];
    for (const [index, values] of wanted) {
      const told: { outputs?: Numbers[]; fails?: string; lacks?: string } = JSON.parse(
        readFileSync(join(where, `${index}.out.json`), "utf8"),
      );
      if (told.fails !== undefined) fails.push(`${index}: ${told.fails}`);
      if (told.lacks !== undefined) lacks.push(index);
      const isRight = values.every((wanted, k) => {
        const found = (told.outputs?.[k]?.data ?? []).map(numberOf);
        const finite = found.map((x, i) => (Number.isFinite(wanted[i]) ? x : (wanted[i] ?? x)));
        return isNear(finite, wanted, part);
      });
      if (told.outputs !== undefined && !isRight) differ.push(index);
    }
    expect(wanted.size).toBeGreaterThan(indices.length / 2);
    expect(fails).toEqual([]);
    expect(differ).toEqual([]);
    // Of float64 the runtime lacks convolutions, and some functions.
    expect(lacks.length).toBeLessThan(dtype === "float32" ? 1 : wanted.size / 2);
  });
});

function textOf(x: number): string {
  return Object.is(x, -0) ? "-0.0" : String(x).replace("Infinity", "inf").replace("NaN", "nan");
}
