/** `node threads.test.script.ts`: three threads of Node.js ask the engine in C in turn, and end. */
import { once } from "node:events";
import process from "node:process";
import { isMainThread, Worker } from "node:worker_threads";
import { graph } from "../../../spec/index.ts";
import { compile } from "../c_door.ts";

/** A program for several threads, and one that calls functions of Node.js. */
const large = graph(({ input }) => {
  const x = input("x", [200_000]);
  x.tanh()
    .multiply(x)
    .sum({ axes: [0], keepdims: false });
});
const small = graph(({ input }) => input("x", [5]).sin());

const exact = compile(small, { regime: "bit_exact" });
const sines = (): string => exact.value(Float64Array.of(0, 1, 2, 3, 4)).join(" ");
const ask = (): void => {
  const gradient = compile(large).gradient(new Float64Array(200_000).fill(1));
  process.stdout.write(`${sines()} ${gradient[0]?.at(-1)}\n`);
};

/** Counts the libraries that this process has loaded, but for those of Node.js. */
function libraries(): number {
  const report: { readonly sharedObjects?: readonly string[] } = process.report.getReport();
  return (report.sharedObjects ?? []).filter((path) => /[0-9a-f]{64}\.so$/.test(path)).length;
}

if (isMainThread) {
  // The threads that start a team end before this one needs it.
  sines();
  const before = libraries();
  for (let n = 0; n < 3; n++) await once(new Worker(new URL(import.meta.url)), "exit");
  process.stdout.write(`${libraries() - before} libraries stay\n`);
}
ask();
