/**
 * Measures how large derivatives of scalar graphs are, and how long they take to write and to plan, for
 * docs/performance.md: `node bench/derivative.ts`.
 */
import process from "node:process";
import { compile } from "../engines/compile/browser.ts";
import { caseAt, scalar20Profile } from "../oracle/index.ts";
import { derive, nodeId } from "../spec/index.ts";
import { alone, ratioOf, scalarOperators, sizeOfDerived } from "./derived_size.ts";
import { chainGraph, graphOf, wideGraph } from "./scalar_graph.ts";

const modes = ["vjp", "jvp"] as const;
const shown = (x: number): string => x.toFixed(2);

/** Returns the least of several times, in microseconds. */
function least(turns: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < turns; turn++) {
    const begun = process.hrtime.bigint();
    run();
    best = Math.min(best, Number(process.hrtime.bigint() - begun) / 1000);
  }
  return best;
}

console.log(
  "| graph | nodes | vjp nodes a node | jvp | µs a node to derive | µs a derived node to compile |",
);
console.log("|---|---:|---:|---:|---:|---:|");
for (const [name, make] of [
  ["wide", wideGraph],
  ["chain", chainGraph],
] as const) {
  for (const nodes of [10, 100, 1000, 10_000, 100_000]) {
    const graph = graphOf(make(nodes, 1));
    const asked = {
      mode: "vjp",
      of: [nodeId(graph.inputs.length + nodes - 1)],
      wrt: graph.inputs.map((_, id) => nodeId(id)),
    } as const;
    const turns = nodes > 10_000 ? 3 : 20;
    // Each graph is fresh, since derivatives of one are kept.
    const time = least(turns, () => derive({ ...graph }, asked));
    const derived = derive(graph, asked);
    const planning = derived.ok ? least(turns, () => compile({ ...derived.value.graph })) : Number.NaN;
    const [vjp, jvp] = modes.map((mode) => ratioOf([sizeOfDerived(graph, mode)]));
    const size = derived.ok ? derived.value.graph.nodes.length : Number.NaN;
    console.log(
      `| ${name} | ${nodes} | ${shown(vjp ?? 0)} | ${shown(jvp ?? 0)} | ${shown(time / nodes)} | ${shown(planning / size)} |`,
    );
  }
}

const drawn = Array.from({ length: 500 }, (_, index) => caseAt(scalar20Profile, 1, index).graph);
for (const mode of modes) {
  const sizes = drawn.map((graph) => sizeOfDerived(graph, mode));
  const worst = Math.max(...sizes.map((size) => ratioOf([size])));
  console.log(
    `\n500 graphs of scalar20, ${mode}: ${shown(ratioOf(sizes))} nodes a node, ${shown(worst)} at most`,
  );
}
for (const mode of modes) {
  const counts = scalarOperators.map((op) => ({ op, derived: sizeOfDerived(alone(op), mode).derived }));
  const large = counts.filter(({ derived }) => derived > 5).toSorted((a, b) => b.derived - a.derived);
  console.log(
    `more than 5 nodes by ${mode}: ${large.map(({ op, derived }) => `${op} ${derived}`).join(", ")}`,
  );
}
