/**
 * Measures what planning costs the first time: `node bench/planning.ts [rounds]`. Each workload is planned in
 * processes of its own, in turn; the table has medians of CPU time and of what is allocated, for each
 * phase and for each instruction that the lowering makes, or for each node of a scalar graph. CPU time
 * includes that of V8's compiler and collector. `node bench/planning.ts once NAME` plans one workload once.
 */
import { execFileSync } from "node:child_process";
import process from "node:process";
import v8 from "node:v8";
import { javascript } from "../engines/compile/javascript/index.ts";
import { javascriptScalars } from "../engines/compile/javascript/scalar/index.ts";
import { type Passes, plan, soundPasses, writtenOut } from "../engines/compile/plan/index.ts";
import { lower } from "../engines/compile/plan/lower/index.ts";
import { scalarPlanOf, tableOf } from "../engines/compile/plan/scalar/index.ts";
import { wasmBackend } from "../engines/compile/wasm/backend.ts";
import { webAssembly } from "../engines/compile/wasm/web_assembly.ts";
import { derive, nodeId, present } from "../spec/index.ts";
import { graphOf, wideGraph } from "./scalar_graph.ts";
import { precisionOf, problemOf, workloads } from "./workloads/workload.ts";

/** What a phase took. */
interface Cost {
  /** Milliseconds of the processor, in the system too: only the sum is exact for short times. */
  readonly cpu: number;
  readonly bytes: number;
}

/** What a process found out. */
interface Found {
  /** The instructions of the lowered program, or the nodes of a scalar graph. */
  readonly units: number;
  readonly phases: Readonly<Record<string, Cost>>;
  /** Bytes by which planning has raised the most memory that the process ever had. */
  readonly peak: number;
}

const SCALAR_NODES = 1_000_000;
const names = ["lstm", "gmm", "mlp", "scalar"];

/** Does something, and adds its cost to that of a phase. */
function timed<T>(phases: Record<string, Cost>, phase: string, run: () => T): T {
  const profiler = new v8.GCProfiler();
  const { heapUsed } = process.memoryUsage();
  profiler.start();
  const begun = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(begun);
  let bytes = process.memoryUsage().heapUsed - heapUsed;
  for (const { beforeGC, afterGC } of present(profiler.stop(), "a profile").statistics)
    bytes += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize;
  const { cpu, bytes: before } = phases[phase] ?? { cpu: 0, bytes: 0 };
  phases[phase] = { cpu: cpu + (user + system) / 1000, bytes: before + bytes };
  return result;
}

function peakOf(run: () => void): number {
  const before = process.memoryUsage().rss;
  run();
  return process.resourceUsage().maxRSS * 1024 - before;
}

/** Plans the gradient of a workload of tensors, and builds it for both engines. */
function loops(name: string): Found {
  const workload = present(workloads[name], name);
  const precision = precisionOf(workload);
  const { graph } = problemOf(workload);
  const phases: Record<string, Cost> = {};
  const ids = graph.inputs.map((_, id) => nodeId(id));
  let units = 0;
  const passes: Passes = {
    ...soundPasses,
    layOut: (program, options) => timed(phases, "layout", () => soundPasses.layOut(program, options)),
  };
  const regime = "fast";
  let build: (() => void) | undefined;
  const peak = peakOf(() => {
    const { graph: whole, output } = timed(phases, "expansion", () => writtenOut(graph, regime, undefined));
    const cotangents = { ids, seeds: [{ id: output, from: "ones" as const }] };
    const program = timed(phases, "lowering and pullback", () =>
      lower(whole, { values: [], cotangents }, regime),
    );
    units = program.instructions.length;
    const planned = timed(phases, "rewrites", () => plan(program, { regime, precision, passes }));
    const order = { ...planned, precision, regime } as const;
    build = (): void => {
      timed(phases, "JavaScript, text and function", () => javascript.build(order));
      const Module = webAssembly.Module;
      const listening = new Proxy(Module, {
        construct: (_, [binary]) =>
          timed(phases, "WebAssembly, engine's compilation", () => new Module(binary)),
      });
      Reflect.set(webAssembly, "Module", listening);
      timed(phases, "WebAssembly, module", () => wasmBackend().build(order));
    };
  });
  build?.();
  // What is measured inside is not counted outside as well.
  without(phases, "rewrites", "layout");
  without(phases, "WebAssembly, module", "WebAssembly, engine's compilation");
  const of = [nodeId(graph.inputs.length + graph.nodes.length - 1)];
  timed(phases, "the derivative as a graph", () => derive(graph, { mode: "vjp", of, wrt: ids }));
  return { units, phases, peak };
}

/** Takes the cost of a phase from that of the one around it. */
function without(phases: Record<string, Cost>, outer: string, inner: string): void {
  const [all, part] = [present(phases[outer], outer), present(phases[inner], inner)];
  phases[outer] = { cpu: all.cpu - part.cpu, bytes: all.bytes - part.bytes };
}

function scalars(): Found {
  const graph = graphOf(wideGraph(SCALAR_NODES, 7));
  const phases: Record<string, Cost> = {};
  const peak = peakOf(() => {
    const table = timed(phases, "table", () => present(tableOf(graph), "a table"));
    const { shortestRun } = javascriptScalars;
    const output = table.codes.length - 1;
    const planned = timed(phases, "plan", () => scalarPlanOf(table, { regime: "fast", output, shortestRun }));
    timed(phases, "JavaScript, functions", () => javascriptScalars.build(planned, "float64", "fast"));
  });
  return { units: SCALAR_NODES, phases, peak };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function once(name: string): Found {
  const script = process.argv[1] ?? "";
  const text = execFileSync(process.execPath, [script, "once", name], { encoding: "utf8" });
  const found: Found = JSON.parse(text);
  return found;
}

const [first = "3", asked] = process.argv.slice(2);
if (first === "once") {
  const name = present(asked, "the name of a workload");
  console.log(JSON.stringify(name === "scalar" ? scalars() : loops(name)));
} else {
  const turns = Array.from({ length: Number(first) }, () => names.map(once));
  for (const [place, name] of names.entries()) {
    const found = turns.flatMap((turn) => turn[place] ?? []);
    const { units = Number.NaN, phases = {} } = found[0] ?? {};
    const isScalar = name === "scalar";
    console.log(`\n${name}: ${units} ${isScalar ? "nodes" : "instructions"}`);
    console.log(`| phase | ms | ${isScalar ? "ns a node" : "µs an instruction"} | MB | bytes each |`);
    console.log("|---|---:|---:|---:|---:|");
    for (const phase of Object.keys(phases)) {
      const cpu = median(found.map((one) => one.phases[phase]?.cpu ?? Number.NaN));
      const bytes = median(found.map((one) => one.phases[phase]?.bytes ?? Number.NaN));
      const each = ((isScalar ? 1e6 : 1e3) * cpu) / units;
      const cells = [
        phase,
        cpu.toFixed(0),
        each.toFixed(1),
        (bytes / 1e6).toFixed(1),
        (bytes / units).toFixed(0),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
    console.log(`memory: ${(median(found.map(({ peak }) => peak)) / 1e6).toFixed(0)} MB more at most`);
  }
}
