/**
 * Measures what one verdict on a large product costs: the interpreter's value, tangents and all cotangents in
 * float64, compared with the truth, in processor seconds, the least of three: `node bench/verdicts.ts`.
 */
import { availableParallelism, cpus } from "node:os";
import process from "node:process";
import { interpreterEngine } from "../engines/index.ts";
import { type Case, judge } from "../oracle/index.ts";
import { type Builder, type FlatTensor, graph, nodeId, type Shape, shapesOf, sizeOf } from "../spec/index.ts";

const RUNS = 3;

/** Draws numbers with all their digits, each from the one before by a map that mixes well enough. */
function* numbers(): Generator<number, never> {
  for (let x = 0.1; ; x = (x * 997.1) % 1) yield 2 * x - 1;
}

/** Makes a case of one node with all its tangents and cotangents. */
function caseOf(write: (builder: Builder) => unknown): Case {
  const source = numbers();
  const drawn = (shape: Shape): FlatTensor => ({
    shape,
    data: Float64Array.from({ length: sizeOf(shape) }, () => source.next().value),
  });
  const written = graph(write);
  const inputs = written.inputs.map(({ shape }) => drawn(shape));
  const last = nodeId(written.inputs.length);
  return {
    graph: written,
    point: { inputs, environment: new Map() },
    tangents: inputs.map(({ shape }) => drawn(shape)),
    seeds: [{ id: last, cotangent: drawn(shapesOf(written)[last] ?? []) }],
  };
}

const matmul = (n: number): Case => caseOf(({ input }) => input("a", [n, n]).matmul(input("b", [n, n])));

const one = [1, 1] as const;
const plain = { strides: one, padding: [one, one], dilations: one, groups: 1 };
const conv = (): Case =>
  caseOf(({ input }) => input("x", [1, 4, 32, 32]).conv(input("w", [8, 4, 3, 3]), plain));

/** Measures the processor seconds of a verdict, which must be that the engine is right. */
async function secondsOf(question: Case): Promise<number> {
  const before = process.cpuUsage();
  const verdict = await judge(interpreterEngine(), question, { dtype: "float64" });
  const { user, system } = process.cpuUsage(before);
  if (verdict.kind !== "agrees") throw new Error(`the interpreter ${verdict.kind}`);
  return (user + system) / 1e6;
}

const questions: readonly (readonly [string, Case])[] = [
  ["matmul 32×32", matmul(32)],
  ["matmul 64×64", matmul(64)],
  ["matmul 128×128", matmul(128)],
  ["matmul 256×256", matmul(256)],
  ["conv 3×3, 4 to 8 channels, 32×32", conv()],
];

console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node ${process.version}`,
);
for (const [name, question] of questions) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run++) least = Math.min(least, await secondsOf(question));
  console.log(`${name.padEnd(36)} ${least.toFixed(2)} s`);
}
