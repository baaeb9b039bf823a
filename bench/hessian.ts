/**
 * Compares compiled Hessian-vector products, `differentiate` in `differentiate`, with JAX's `jvp` of `grad`:
 * `node bench/hessian.ts`. Only the third input moves: the diagonals of GMM's factors, the second layer's
 * weights of the perceptron. Answers are compared before times.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { compile } from "../engines/compile/browser_wasm.ts";
import { compile as compileC } from "../engines/compile/c_door.ts";
import { checkGraph, expand, formatIssue, type Graph, nodeId, present, sizeOf } from "../spec/index.ts";
import { objectiveOf, type Problem } from "./gradbench/graphs/problem.ts";
import { python } from "./harness/python.ts";
import { precisionOf, problemOf, workloads } from "./workloads/workload.ts";

/** Only this input moves. */
const MOVED = nodeId(2);

/** Each is timed so often, and the least time counts. */
const TURNS = 30;

function checked(json: unknown): Graph {
  const graph = checkGraph(json);
  if (!graph.ok) throw new Error(graph.error.map(formatIssue).join("; "));
  return graph.value;
}

/** Derives the gradient by the input that moves, as a graph of the same inputs. */
function gradientOf(objective: Graph): Graph {
  const places = objective.inputs.map((_, id) => id);
  const attributes = { graph: objective, mode: "vjp", of: objectiveOf(objective), wrt: MOVED };
  const nodes = [
    { op: "full", attributes: { shape: [], value: 1 }, parents: [] },
    { op: "differentiate", attributes, parents: [...places, places.length] },
  ];
  return checked({ ...objective, nodes });
}

/** Derives the gradient along a direction, one more input: forward over reverse, one operator in itself. */
function hessianProductOf(objective: Graph): Graph {
  const gradient = gradientOf(objective);
  const { shape } = present(objective.inputs[MOVED], "the input that moves");
  const inputs = [...objective.inputs, { name: "direction", shape }];
  const attributes = { graph: gradient, mode: "jvp", of: objectiveOf(gradient), wrt: MOVED };
  return checked({
    ...objective,
    inputs,
    nodes: [{ op: "differentiate", attributes, parents: inputs.map((_, id) => id) }],
  });
}

function least(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    const begun = process.hrtime.bigint();
    run();
    best = Math.min(best, Number(process.hrtime.bigint() - begun) / 1e3);
  }
  return best;
}

/** Returns JAX's product and its least time in microseconds; `undefined` without JAX. */
function ofJax(name: string, { graph, point }: Problem, direction: Float64Array, scratch: string) {
  const entries = [
    ...graph.inputs.map(({ name: entry }, id) => ({
      entry,
      kind: "input",
      ...present(point.inputs[id], entry),
    })),
    ...graph.environment.map(({ name: entry, kind }) => ({
      entry,
      kind,
      ...present(point.environment.get(entry), entry),
    })),
  ].map(({ entry, kind, shape, data }) => ({ name: entry, kind, shape, data: [...data] }));
  const workload = present(workloads[name], name);
  const question = {
    workload,
    precision: precisionOf(workload),
    entries,
    moved: MOVED,
    direction: [...direction],
    turns: TURNS,
  };
  const [asked, answered] = [join(scratch, "asked.json"), join(scratch, "answered.json")];
  writeFileSync(asked, JSON.stringify(question));
  const script = join(import.meta.dirname, "contestants", "python", "hessian.py");
  const ran = spawnSync(python, [script, asked, answered], { encoding: "utf8" });
  if (ran.status !== 0) return undefined;
  const answer: { readonly microseconds: number; readonly product: number[] } = JSON.parse(
    readFileSync(answered, "utf8"),
  );
  return answer;
}

const scratch = mkdtempSync(join(tmpdir(), "adjudge-hessian-"));
console.log(
  "| workload | nodes of the expansion | C | wasm | javascript | JAX | C / JAX | wasm / JAX | largest difference |",
);
console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
for (const name of ["mlp", "gmm"]) {
  const problem = problemOf(present(workloads[name], name));
  const { graph, point } = problem;
  const dtype = precisionOf(present(workloads[name], name));
  const Numbers = dtype === "float32" ? Float32Array : Float64Array;
  const product = hessianProductOf(graph);
  const size = sizeOf(present(graph.inputs[MOVED], "the input that moves").shape);
  const direction = Float64Array.from({ length: size }, (_, i) => ((i % 7) - 3) / 8);
  const inputs = [...point.inputs.map(({ data }) => Numbers.from(data)), Numbers.from(direction)];
  const environment = Object.fromEntries(
    graph.environment.map(({ name: entry, kind }) => {
      const { data } = present(point.environment.get(entry), entry);
      return [entry, kind === "index" ? Uint32Array.from(data) : Numbers.from(data)];
    }),
  );
  const jax = ofJax(name, problem, direction, scratch);
  const engines = [
    compileC(product, { dtype }),
    compile(product, { engine: "wasm", dtype }),
    compile(product, { engine: "javascript", dtype }),
  ];
  let apart = 0;
  const times = engines.map((compiled) => {
    compiled.bind(environment);
    const answer = [...compiled.value(...inputs)];
    const scale = answer.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    for (const [i, x] of answer.entries())
      apart = Math.max(apart, Math.abs(x - (jax?.product[i] ?? Number.NaN)) / scale);
    return least(() => compiled.value(...inputs));
  });
  const toJax = (time: number | undefined) => ((time ?? 0) / (jax?.microseconds ?? Number.NaN)).toFixed(2);
  const cells = [
    name,
    expand(product).graph.nodes.length,
    ...times.map((time) => `${time.toFixed(0)} µs`),
    jax === undefined ? "absent" : `${jax.microseconds.toFixed(0)} µs`,
    ...(jax === undefined ? ["", ""] : [toJax(times[0]), toJax(times[1])]),
    jax === undefined ? "" : apart.toExponential(1),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
rmSync(scratch, { recursive: true });
