/** This is a contestant's process: it reads questions, a line of JSON each, and answers each with a line. */
import { writeFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Run } from "../contestants/contestant.ts";
import { contestantNamed } from "../contestants/table.ts";
import { problemOf } from "../workloads/workload.ts";
import type { Reply, Request } from "./messages.ts";
import { medianOf } from "./samples.ts";

const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;

/** The workload's numbers and this script take this before the contestant is loaded. */
let before = 0;
let run: Run | undefined;

async function answerTo(question: Request): Promise<Reply> {
  switch (question.ask) {
    case "prepare": {
      const problem = problemOf(question.workload);
      before = peakBytes();
      const contestant = await contestantNamed(question.contestant);
      const start = performance.now();
      const prepared = await contestant.prepare(question.workload, problem, question.mode);
      if (typeof prepared === "string") return { kind: "absent", reason: prepared };
      run = prepared;
      prepared();
      return { kind: "ready", preparation: (performance.now() - start) * 1e6 };
    }
    case "round":
      return timed(prepared(), question.timings, question.calls);
    case "answer": {
      const { value, gradient } = prepared()();
      writeFileSync(
        question.path,
        Float64Array.from([value, ...gradient.flatMap((numbers) => Array.from(numbers))]),
      );
      return { kind: "answered", sizes: gradient.map(({ length }) => length) };
    }
    case "memory":
      return { kind: "memory", before, peak: peakBytes() };
  }
}

function prepared(): Run {
  if (run === undefined) throw new Error("asked before it was prepared");
  return run;
}

function timed(call: Run, timings: number, calls: number): Reply {
  const samples: number[] = [];
  for (let count = 0; count < timings; count++) {
    const start = performance.now();
    for (let repeated = 0; repeated < calls; repeated++) call();
    samples.push(((performance.now() - start) * 1e6) / calls);
  }
  return { kind: "timed", least: Math.min(...samples), median: medianOf(samples) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answerTo(JSON.parse(line)).catch(
    (problem: unknown): Reply => ({
      kind: "failed",
      message: problem instanceof Error ? problem.message : String(problem),
    }),
  );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
