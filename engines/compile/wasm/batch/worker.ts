import { at, present } from "../../../../spec/shapes/index.ts";
import type { Numbers } from "../../plan/index.ts";
import { type Started, started } from "../startable.ts";
import { type Go, isToWorker, numbersIn, type Work } from "./messages.ts";
import { startingThread } from "./threads.ts";

// This module is a thread of a batch: its program has its own memory, and items are shared.

const starter = startingThread();
let current: ((go: Go) => void) | undefined;

starter.onMessage((message) => {
  if (!isToWorker(message)) return;
  try {
    if (message.kind === "work") current = prepared(message);
    else {
      present(current, "work")(message);
      starter.post({ kind: "done" });
    }
  } catch (error) {
    starter.post({ kind: "failed", message: String(error) });
  }
});

function prepared(work: Work): (go: Go) => void {
  const program = started(work.program);
  const { precision } = work.program;
  const next = new Int32Array(work.next);
  const sources = work.sources.map(({ buffer, isCommon }) => ({
    numbers: numbersIn(buffer, precision),
    isCommon,
  }));
  const indices = work.indices.map((buffer) => new Uint32Array(buffer));
  const results = work.results.map((buffer) => numbersIn(buffer, precision));
  return ({ count, block }) => {
    for (const [position, { numbers, isCommon }] of sources.entries()) {
      if (isCommon) at(program.inputs, position).set(numbers);
    }
    for (const [position, numbers] of indices.entries()) at(program.indexInputs, position).set(numbers);
    for (;;) {
      const first = Atomics.add(next, 0, block);
      if (first >= count) return;
      for (let item = first; item < Math.min(first + block, count); item++)
        compute(program, item, sources, results);
    }
  };
}

function compute(
  program: Started,
  item: number,
  sources: readonly { readonly numbers: Numbers; readonly isCommon: boolean }[],
  results: readonly Numbers[],
): void {
  for (const [position, { numbers, isCommon }] of sources.entries()) {
    if (isCommon) continue;
    const input = at(program.inputs, position);
    input.set(numbers.subarray(item * input.length, (item + 1) * input.length));
  }
  program.run();
  for (const [position, out] of results.entries()) {
    const result = at(program.results, position);
    out.set(result, item * result.length);
  }
}
