import process from "node:process";
import { describe, expect, it } from "vitest";
import type { ProgramAnswer, ProgramReply } from "../../engines/index.ts";
import { formatIssue, type Graph, type Node, nodeId, type Program, program } from "../../spec/index.ts";
import { ProcessEngine } from "./engine.ts";
import { exampleCall, vector } from "./smoke/program_examples.ts";

/** The only program of the honest engine: y = −x. */
const negated: Program = program(({ input }) => [input("x", [2]).negative()]);

const seeds = [{ id: nodeId(0), cotangent: vector(5, 7) }];

async function start(name: string): Promise<ProcessEngine> {
  const file = new URL("hostile/engines.ts", import.meta.url).pathname;
  const engine = await ProcessEngine.start({ argv: [process.execPath, file, name] }, { lineBytes: 2 ** 23 });
  if (!engine.ok) throw new Error(engine.error.map(formatIssue).join("\n"));
  return engine.value;
}

async function run(engine: ProcessEngine): Promise<ProgramReply<ProgramAnswer>> {
  const loaded = await engine.programs?.loadProgram(negated, "float64");
  if (loaded?.kind !== "result") return loaded ?? { kind: "unsupported", reason: "no programs" };
  const reply = await loaded.value.call({ ...exampleCall, mode: "vjp", tangents: [], seeds });
  await loaded.value.unload();
  return reply;
}

const hostile: Readonly<Record<string, RegExp>> = {
  runs_with_tensors: /^crashed: the engine answered request \d+ \(run of program \d+\) with tensors/,
  runs_without_state: /^crashed: request \d+ \(run .*what is not in the protocol: .*state/s,
  runs_on_unknown_channels:
    /^crashed: request \d+ \(run .*what is not in the protocol: .*\/sent\/0\/channel/s,
  refuses_at_length: /^crashed: request \d+ \(run .*more than 65536 characters/s,
  exits_in_a_run: /^crashed: request \d+ \(run .*exited with code 4/,
};

describe("ProcessEngine with programs", { concurrent: true }, () => {
  it("gives an honest engine's answer, with all that it leaves", async () => {
    await using engine = await start("honest");
    expect(engine.programs?.describePrograms()).toEqual({ statements: ["let"], draws: "state" });
    expect(await run(engine)).toEqual({
      kind: "result",
      value: {
        results: [vector(-2, -3)],
        state: [],
        sent: [],
        drawn: 0,
        draws: [],
        derivative: [vector(-5, -7)],
        retained: [],
      },
    });
    expect(engine.brokenPromises()).toEqual([]);
  });

  it.for(Object.entries(hostile))("survives an engine that %s", async ([name, expected], {
    expect: hope,
  }) => {
    await using engine = await start(name);
    const reply = await run(engine);
    hope(`${reply.kind}: ${"message" in reply ? reply.message : ""}`).toMatch(expected);
    // What comes next meets a new process.
    const again = await run(engine);
    hope(again.kind).toBe("crashed");
  });

  it("stops an engine that refuses a graph", async () => {
    await using engine = await start("refuses_a_graph");
    const graph: Graph = {
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [2] }],
      environment: [],
      nodes: [0, 1].map((parent): Node => ({ op: "negative", attributes: {}, parents: [nodeId(parent)] })),
    };
    const loaded = await engine.load(graph, "float64");
    if (loaded.kind !== "result") throw new Error(loaded.kind);
    const reply = await loaded.value.evaluate({ inputs: [vector(2, 3)], environment: new Map() });
    expect(reply).toMatchObject({
      kind: "crashed",
      message: expect.stringMatching(/answered request \d+ \(evaluate of program \d+\) with refused/),
    });
  });

  it("asks for no statement that was not promised", async () => {
    await using engine = await start("honest");
    const overwriting = program(({ input, buffer }) => [buffer(input("x", [2]))]);
    expect(await engine.programs?.loadProgram(overwriting, "float64")).toEqual({
      kind: "unsupported",
      reason: "the engine does not promise statement buffer",
    });
  });
});
