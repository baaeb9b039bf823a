import process from "node:process";
import { describe, expect, it } from "vitest";
import type { OpenTape, Reply } from "../../engines/index.ts";
import {
  type FlatTensor,
  formatIssue,
  type Graph,
  type NodeId,
  nodeId,
  type Seed,
} from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { ProcessEngine } from "./engine.ts";

const flat = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });

const negated: Graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [2] }],
  environment: [],
  nodes: [{ op: "negative", attributes: {}, parents: [nodeId(0)] }],
};
const point = { inputs: [flat(2, 3)], environment: new Map() };
const seeds: readonly Seed[] = [{ id: nodeId(1), cotangent: flat(5, 7) }];

function started(name: string): ReturnType<typeof ProcessEngine.start> {
  const file = new URL("hostile/engines.ts", import.meta.url).pathname;
  return ProcessEngine.start({ argv: [process.execPath, file, name] }, { lineBytes: 2 ** 23 });
}

async function start(name: string): Promise<ProcessEngine> {
  const engine = await started(name);
  if (!engine.ok) throw new Error(engine.error.map(formatIssue).join("\n"));
  return engine.value;
}

async function record(
  engine: ProcessEngine,
  life: "once" | "until released" = "until released",
  hooks: readonly NodeId[] = [],
): Promise<Reply<OpenTape>> {
  const loaded = await engine.load(negated, "float64");
  if (loaded.kind !== "result") return loaded;
  const tape = await loaded.value.record?.(point, life, [nodeId(1)], hooks);
  if (tape === undefined) throw new Error("no tapes");
  return tape;
}

function tapeOf(reply: Reply<OpenTape>): OpenTape {
  if (reply.kind !== "result") throw new Error(JSON.stringify(reply));
  return reply.value;
}

/** Says what became of a tape that was recorded and swept, in words. */
async function told(engine: ProcessEngine): Promise<string> {
  const tape = await record(engine);
  const reply = tape.kind === "result" ? await tape.value.sweep(seeds) : tape;
  if (reply.kind === "result") return "result";
  return `${reply.kind}: ${"message" in reply ? reply.message : reply.reason}`;
}

const hostile: Readonly<Record<string, RegExp>> = {
  records_with_tensors: /^crashed: the engine answered request \d+ \(record of program \d+\) with tensors/,
  sweeps_with_done: /^crashed: the engine answered request \d+ \(sweep of program \d+\) with done/,
  sweeps_to_rubbish: /^error: wrong tensor: .*tensor\//,
  refuses_a_sweep_at_length: /^crashed: request \d+ \(sweep .*more than 65536 characters/s,
  exits_in_a_sweep: /^crashed: request \d+ \(sweep .*exited with code 4/,
  declines_every_tape: /^unsupported: not yet$/,
  calls_a_hook_that_nobody_hung: /^error: wrong calls: the tape was recorded without hooks$/,
};

describe("ProcessEngine with tapes", { concurrent: true }, () => {
  it("gives an honest engine's sweeps, one after the other and at once, and its refusal", async () => {
    await using engine = await start("honest");
    expect(engine.tapes).toEqual({ lives: ["until released"], releases: true });
    const tape = tapeOf(await record(engine));
    const right = { kind: "result", value: [flat(-5, -7)] };
    expect(await tape.sweep(seeds)).toEqual(right);
    expect(await Promise.all([tape.sweep(seeds), tape.sweep(seeds)])).toEqual([right, right]);
    await tape.release();
    expect(await tape.sweep(seeds)).toEqual({ kind: "refused", reason: "the tape was released" });
    expect(engine.brokenPromises()).toEqual([]);
  });

  it.for(sampled("tapes", Object.entries(hostile), 3))("survives an engine that %s", async ([
    name,
    expected,
  ], { expect: hope }) => {
    await using engine = await start(name);
    hope(await told(engine)).toMatch(expected);
    // What comes next meets a new process, where the old one had to end.
    hope(await told(engine)).toMatch(expected);
  });

  it("asks for no life that was not promised", async () => {
    await using engine = await start("honest");
    expect(await record(engine, "once")).toEqual({
      kind: "unsupported",
      reason: "the engine does not promise tapes once",
    });
  });

  it("hands the calls of hooks on, in order, and hangs none on a tape of an engine that promises none", async () => {
    const kit = new URL("../testees/interpreter.ts", import.meta.url).pathname;
    const started = await ProcessEngine.start({ argv: [process.execPath, kit] });
    if (!started.ok) throw new Error(started.error.map(formatIssue).join("\n"));
    await using right = started.value;
    expect(right.tapes).toEqual({ lives: ["once", "until released"], releases: true, hooks: true });
    const hooks = [nodeId(0), nodeId(1)];
    const tape = tapeOf(await record(right, "until released", hooks));
    const calls: Seed[] = [];
    await tape.sweep(seeds, (id, cotangent) => calls.push({ id, cotangent }));
    expect(calls).toEqual([
      { id: 1, cotangent: flat(5, 7) },
      { id: 0, cotangent: flat(-5, -7) },
    ]);
    await using bare = await start("honest");
    expect(await record(bare, "until released", hooks)).toEqual({
      kind: "unsupported",
      reason: "the engine does not promise hooks",
    });
  });

  it("takes a call with what is no tensor for the engine's mistake", async () => {
    await using engine = await start("calls_hooks_with_rubbish");
    const tape = tapeOf(await record(engine, "until released", [nodeId(1)]));
    const calls: unknown[] = [];
    const reply = await tape.sweep(seeds, (id) => calls.push(id));
    expect(reply).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/^of a call: wrong tensor: /),
    });
    expect(calls).toEqual([]);
  });

  it("says that a promise of tapes was never kept", async () => {
    await using engine = await start("declines_every_tape");
    await record(engine);
    expect(engine.brokenPromises()).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("promises tapes until released") }),
    );
  });

  it("tells what went wrong with a release", async () => {
    await using engine = await start("cannot_release");
    expect(await tapeOf(await record(engine)).release()).toEqual({ kind: "error", message: "stuck" });
  });

  it("stops an engine that answers a release with a refusal", async () => {
    await using engine = await start("releases_with_a_refusal");
    const tape = tapeOf(await record(engine));
    expect((await tape.release()).kind).toBe("crashed");
    expect((await tape.sweep(seeds)).kind).toBe("crashed");
  });

  it("knows the format in which an engine says that it keeps values", async () => {
    await using narrow = await start("keeps_in_float16");
    await using wide = await start("honest");
    expect([narrow.describe().saved, wide.describe().saved]).toEqual(["float16", undefined]);
  });

  it.for([
    "promises_a_life_twice",
    "promises_no_life",
  ])("does not begin with an engine that %s", async (name, { expect: hope }) => {
    const engine = await started(name);
    if (engine.ok) throw new Error("it has begun");
    hope(engine.error.map(formatIssue).join()).toMatch(/\/tapes\/lives|once twice/);
  });
});
