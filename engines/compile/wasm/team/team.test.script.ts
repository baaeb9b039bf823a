/**
 * `node team.test.script.ts`: runs a program with helpers and without, in both regimes, and tells how
 * often the bits were the same. This process ends without waiting for its helpers.
 */
import process from "node:process";
import { graph, nodeId } from "../../../../spec/index.ts";
import { Compilation } from "../../compilation.ts";
import type { Executable, Numbers, Order } from "../../plan/executable.ts";
import { writtenOut } from "../../plan/written_out.ts";
import { wasmBackend } from "../backend.ts";
import { built } from "../build.ts";
import { started } from "../startable.ts";

const some = graph(({ input }) => {
  const x = input("x", [301, 401]);
  const y = input("y", [401, 31]);
  x.tanh()
    .matmul(y)
    .log_softmax({ axis: 1 })
    .sum({ axes: [0, 1], keepdims: false });
});
const { graph: expanded, output } = writtenOut(some, "fast", undefined);
const [x, y] = [301 * 401, 401 * 31].map((size) =>
  Float64Array.from({ length: size }, (_, n) => Math.sin(n)),
);

for (const regime of ["bit_exact", "fast"] as const) {
  let order: Order | undefined;
  const backend = wasmBackend();
  const build = (asked: Order): Executable => {
    order = asked;
    return backend.build(asked);
  };
  const compilation = new Compilation(expanded, {
    backend: { name: "wasm", build },
    precision: "float64",
    regime,
  });
  const seeds = [{ id: nodeId(output), from: "ones" }] as const;
  const cotangents = { ids: [nodeId(0), nodeId(1)], seeds };
  const { executable } = compilation.compiledFor({ values: [nodeId(output)], cotangents });
  if (order === undefined || x === undefined || y === undefined) throw new Error("nothing was built");
  const program = built(order, {}, true);
  const lone = started(built(order, {}, false));
  const sources: readonly Numbers[] = [x, y];
  let same = 0;
  for (let run = 0; run < 60; run++) {
    x[run] = run;
    executable.run(sources, []);
    for (const [position, input] of lone.inputs.entries()) input.set(sources[position] ?? []);
    lone.run();
    const isSame = lone.results.every((result, n) =>
      result.every((number, place) => Object.is(number, executable.results[n]?.[place])),
    );
    if (isSame) same += 1;
  }
  const isShared = executable.results.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
  process.stdout.write(`${regime} ${same} ${program.isShared} ${isShared}\n`);
}
