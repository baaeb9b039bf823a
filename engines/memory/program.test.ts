import { describe, expect, test } from "vitest";
import type {
  LoadedProgram,
  ProgramAnswer,
  ProgramCall,
  ProgramReply,
} from "../../spec/contract/program_engine.ts";
import {
  type FlatTensor,
  nodeId,
  type ProgramBuilder,
  type ProgramOperand,
  present,
  program,
} from "../../spec/index.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import type { OverwritePolicy } from "./memory.ts";

function flat(...data: readonly number[]): FlatTensor {
  return { shape: [data.length], data: Float64Array.from(data) };
}

function scalar(x: number): FlatTensor {
  return { shape: [], data: Float64Array.of(x) };
}

async function loaded(
  write: (builder: ProgramBuilder) => readonly ProgramOperand[],
  policy: OverwritePolicy = "copy",
): Promise<LoadedProgram> {
  const engine = interpreterEngine("engine", {}, { policy });
  const programs = present(engine.programs, "an engine that runs programs");
  const reply = await programs.loadProgram(program(write), "float64");
  if (reply.kind !== "result") throw new Error(reply.kind);
  return reply.value;
}

function callOf(change: Partial<ProgramCall> = {}): ProgramCall {
  return {
    mode: "evaluate",
    parameters: [],
    environment: new Map(),
    received: new Map(),
    tangents: [],
    seeds: [],
    session: { state: [], generator: { key: [1, 2], drawn: 0 } },
    ...change,
  };
}

function resultOf(reply: ProgramReply<ProgramAnswer>): ProgramAnswer {
  if (reply.kind !== "result") throw new Error(JSON.stringify(reply));
  return reply.value;
}

const listed = (tensors: readonly FlatTensor[]): number[][] => tensors.map(({ data }) => [...data]);

const seeded = (...data: readonly number[]) => [{ id: nodeId(0), cotangent: flat(...data) }];

/** This is `y = a·a; a[0] = a[0] + 1; z = a + y`, as in docs/programs.md. */
function elementInPlace({ input, buffer }: ProgramBuilder): readonly ProgramOperand[] {
  const a = buffer(input("x", [2]));
  const y = a.multiply(a);
  a.at(0).update("add", 1);
  return [a.add(y)];
}

describe("the policies, on a square of what is overwritten", () => {
  const asked = callOf({ mode: "vjp", parameters: [flat(3, 4)], seeds: seeded(1, 1) });

  test("copy has the old elements in the sweep", async () => {
    const answer = resultOf(await (await loaded(elementInPlace, "copy")).call(asked));
    expect(listed(answer.results)).toEqual([[13, 20]]);
    expect(listed(answer.derivative)).toEqual([[7, 9]]);
  });

  test("version refuses in the sweep, and forbid at the write, which it names", async () => {
    const late = await (await loaded(elementInPlace, "version")).call(asked);
    expect(late).toMatchObject({ kind: "refused", reason: expect.stringMatching(/^an operand/) });
    const early = await (await loaded(elementInPlace, "forbid")).call(asked);
    expect(early).toMatchObject({
      kind: "refused",
      reason: expect.stringMatching(/^\/procedures\/0\/body\/5: /),
    });
  });

  test.each([
    "version",
    "forbid",
  ] as const)("%s refuses neither a write beside what is needed nor one over what no rule reads", async (policy) => {
    const beside = await loaded(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const square = a.at(1).multiply(a.at(1));
      a.at(0).update("add", 1);
      const sum = a.add(a);
      a.at(0).update("add", 1);
      return [square, sum, a];
    }, policy);
    const seeds = [{ id: nodeId(0), cotangent: scalar(1) }];
    const answer = resultOf(await beside.call({ ...asked, seeds }));
    expect(listed(answer.derivative)).toEqual([[0, 8]]);
  });
});

describe("a session", () => {
  const counting = ({ input, state, draw, while_, send }: ProgramBuilder): readonly ProgramOperand[] => {
    const turns = input("turns", []);
    const kept = state("kept", [2]);
    kept.update("add", draw({ kind: "uniform" }, [2]));
    send("out", kept);
    while_(turns, 3, () => turns.becomes(turns.subtract(1)));
    return [kept];
  };
  const begun = callOf({
    parameters: [scalar(1)],
    session: { state: [flat(10, 20)], generator: { key: [1, 2], drawn: 0 } },
  });
  const { session: _, ...next } = begun;

  test("goes on from what the last call left, and begins anew where it is told to", async () => {
    const running = await loaded(counting);
    const first = resultOf(await running.call(begun));
    const second = resultOf(await running.call(next));
    expect([first.drawn, second.drawn]).toEqual([1, 2]);
    expect(second.state).not.toEqual(first.state);
    expect(resultOf(await running.call(begun))).toEqual(first);
  });

  test("is left by a call that fails as it was, and the failing statement is named", async () => {
    const running = await loaded(counting);
    const other = await loaded(counting);
    for (const one of [running, other]) await one.call(begun);
    const failed = await running.call({ ...next, parameters: [scalar(0.5)] });
    expect(failed).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/^\/procedures\/0\/body\/3: .*3 turns/),
    });
    expect(await running.call(next)).toEqual(await other.call(next));
  });

  test("that nobody has begun, or that has ended, is an error", async () => {
    const running = await loaded(counting);
    expect(await running.call(next)).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/begun/),
    });
    await running.unload();
    expect(await running.call(begun)).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/unloaded/),
    });
  });

  test("is asked in vain with arguments that do not fit", async () => {
    const running = await loaded(counting);
    const odd = await running.call({ ...begun, parameters: [flat(1, 2)] });
    expect(odd).toMatchObject({ kind: "error", message: expect.stringMatching(/shape/) });
    const stray = [{ id: nodeId(4), cotangent: flat(1, 1) }];
    expect(await running.call({ ...begun, mode: "vjp", seeds: stray })).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/no result 4/),
    });
  });
});

test("a body under checkpoint is run again without its effects, from what its start was", async () => {
  const running = await loaded(({ input, state, draw, send, receive, checkpoint, buffer }) => {
    const x = input("x", [2]);
    const kept = state("kept", [2]);
    const b = buffer(x);
    checkpoint(() => {
      kept.update("add", receive("in", [2]));
      b.update("multiply", draw({ kind: "uniform" }, [2]));
      b.update("multiply", b);
      send("out", b);
    });
    b.update("multiply", 3);
    return [b];
  });
  const asked = callOf({
    mode: "vjp",
    parameters: [flat(1, 2)],
    received: new Map([["in", [flat(5, 6)]]]),
    session: { state: [flat(0, 0)], generator: { key: [1, 2], drawn: 7 } },
    seeds: seeded(1, 1),
  });
  const answer = resultOf(await running.call(asked));
  expect(answer.sent).toHaveLength(1);
  expect(answer.drawn).toBe(8);
  expect(listed(answer.state)).toEqual([[5, 6]]);
  const [results, derivative] = [listed(answer.results)[0], listed(answer.derivative)[0]];
  // 3·(u·x)² has a derivative of twice its value over x.
  expect(derivative?.[0]).toBeCloseTo(2 * (results?.[0] ?? 0), 12);
  expect(derivative?.[1]).toBeCloseTo(results?.[1] ?? 0, 12);
});

test("what cannot go on is an error at its statement: freed memory, a world at its end, a depth without end", async () => {
  const messages = [
    await loaded(({ input, buffer }) => {
      const b = buffer(input("x", [2]));
      b.release();
      return [b.add(1)];
    }),
    await loaded(({ input, buffer }) => {
      const b = buffer(input("x", [2]));
      b.release();
      b.write(1);
      return [];
    }),
    await loaded(({ input, receive }) => [input("x", [2]).add(receive("in", [2]))]),
    await loaded(({ input, procedure, call }) => {
      const x = input("x", [2]);
      procedure("f", [], () => {
        call({ name: "f", results: [] });
        return [];
      });
      call({ name: "f", results: [] });
      return [x];
    }),
  ].map(async (running) => {
    const reply = await running.call(callOf({ parameters: [flat(1, 2)] }));
    return reply.kind === "error" ? reply.message : reply.kind;
  });
  expect(await Promise.all(messages)).toEqual([
    expect.stringMatching(/^\/procedures\/0\/body\/\d: it reads a location that was released/),
    expect.stringMatching(/^\/procedures\/0\/body\/\d: it writes a location that was released/),
    expect.stringMatching(/^\/procedures\/0\/body\/0: nothing more comes/),
    expect.stringMatching(/^\/procedures\/1\/body\/0: the call stands within 256 others/),
  ]);
});

test("a long run of statements is swept", async () => {
  const running = await loaded(({ input, buffer, for_ }) => {
    const b = buffer(input("x", [2]));
    for_(5_000, () => b.update("multiply", b.multiply(0).add(1)));
    return [b];
  });
  const asked = callOf({ mode: "vjp", parameters: [flat(3, 4)], seeds: seeded(1, 1) });
  expect(listed(resultOf(await running.call(asked)).derivative)).toEqual([[1, 1]]);
});

test("is of float64 and float32 alone", async () => {
  const programs = present(interpreterEngine().programs, "an engine that runs programs");
  const source = program(({ input }) => [input("x", [2])]);
  expect(await programs.loadProgram(source, "bfloat16")).toMatchObject({ kind: "unsupported" });
  expect(await programs.loadProgram(source, "float32")).toMatchObject({ kind: "result" });
});
