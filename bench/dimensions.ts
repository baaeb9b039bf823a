/**
 * Measures how long the dimensions of large graphs take, and their memory, for docs/units.md: `node
 * --expose-gc bench/dimensions.ts [nodes]`.
 */
import process from "node:process";
import { inferDimensions } from "../oracle/index.ts";
import {
  type Declarations,
  derivativeOf,
  type Graph,
  graph,
  measuredIn,
  type Node,
  nodeId,
  parseUnit,
  siBases,
  type Unit,
  type UnitNames,
  undeclared,
} from "../spec/index.ts";

/** A graph is measured with these declarations. */
export interface Workload {
  readonly name: string;
  readonly graph: Graph;
  readonly declarations: Declarations;
}

const bases: UnitNames = new Map(
  siBases.map((base): [string, Unit] => [
    base,
    { dimension: new Map([[base, { numerator: 1n, denominator: 1n }]]), scale: new Map() },
  ]),
);

function declaring(...units: readonly string[]): Declarations {
  const declared = units.map((text, id) => {
    const unit = parseUnit(text, bases);
    if (!unit.ok) throw new Error(unit.error.message);
    return { of: { kind: "id", id: nodeId(id) }, measure: measuredIn(unit.value), pointer: "" } as const;
  });
  return { bases: siBases, declared };
}

type Step = (
  index: number,
  last: number,
) => readonly [op: "add" | "multiply" | "divide" | "tanh", ...number[]];

function chain(inputs: number, nodes: number, step: Step): Graph {
  return {
    format: "adjudge.graph.v1",
    environment: [],
    inputs: Array.from({ length: inputs }, (_, i) => ({ name: `x${i}`, shape: [] })),
    nodes: Array.from({ length: nodes }, (_, i): Node => {
      const [op, ...parents] = step(i, i === 0 ? 0 : inputs + i - 1);
      return { op, attributes: {}, parents: parents.map(nodeId) };
    }),
  };
}

/** Integrates a damped body on a spring, in as many small steps as make this many nodes. */
function integrated(nodes: number): Graph {
  return graph(({ input }) => {
    let [x, v] = [input("x"), input("v")];
    const [step, mass, spring] = [input("step"), input("mass"), input("spring")];
    for (let i = 0; i < nodes; i += 6) {
      const pulled = spring.multiply(x).divide(mass);
      x = x.add(v.multiply(step));
      v = v.subtract(pulled.multiply(step));
    }
  });
}

/** Lists graphs of `nodes` nodes: all declared, none declared, all inputs free, one wrong, a derivative. */
export function workloads(nodes: number): readonly Workload[] {
  const oscillator = integrated(nodes);
  const declared = declaring("m", "m/s", "s", "kg", "kg/s^2");
  const own: Step = (i, last) => (i % 2 === 0 ? ["multiply", last, i + 1] : ["add", last, i + 1]);
  const wrongAtEnd: Step = (i, last) => (i === nodes - 1 ? ["add", last, 1] : ["multiply", last, i % 2]);
  const half = integrated(Math.floor(nodes / 4));
  const last = nodeId(half.inputs.length + half.nodes.length - 1);
  const derived = derivativeOf(half, {
    mode: "vjp",
    of: [last],
    wrt: half.inputs.map((_, id) => nodeId(id)),
  });
  return [
    { name: "declared", graph: oscillator, declarations: declared },
    { name: "nothing declared", graph: oscillator, declarations: undeclared(siBases) },
    { name: "a free input for each node", graph: chain(nodes + 1, nodes, own), declarations: undeclared() },
    { name: "wrong at its end", graph: chain(2, nodes, wrongAtEnd), declarations: declaring("m", "s") },
    { name: "a derivative", graph: derived.graph, declarations: declared },
  ];
}

if (import.meta.main) {
  const nodes = Number(process.argv[2] ?? "100000");
  for (const { name, graph: subject, declarations } of workloads(nodes)) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const start = [performance.now(), process.cpuUsage()] as const;
    const inference = inferDimensions(subject, declarations);
    const seconds = (performance.now() - start[0]) / 1000;
    const cpu = process.cpuUsage(start[1]).user / 1e6;
    globalThis.gc?.();
    const held = Math.max(0, process.memoryUsage().heapUsed - before) / subject.nodes.length;
    const size =
      inference.kind === "refused"
        ? "too many blocks"
        : `${inference.system.unknowns} unknowns, ${inference.system.equations.length} equations`;
    console.log(
      `${name}: ${subject.nodes.length} nodes, ${size}: ` +
        `${inference.kind} in ${seconds.toFixed(2)} s (${cpu.toFixed(2)} s of processors), ${held.toFixed(0)} bytes held a node`,
    );
  }
}
