import { describe, expect, it } from "vitest";
import { type Engine, interpreterEngine, type OpenTape, tapeEngineMutants } from "../../../engines/index.ts";
import { type FlatTensor, graph, nodeId, present, type Seed } from "../../../spec/index.ts";
import { eagerEngine } from "./eager.ts";
import type { EagerLibrary, LibraryTapes } from "./library.ts";
import { Testee } from "./testee.ts";
import { type Tiny, tinyLibrary } from "./tiny.test.kit.ts";

const flat = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });

/** x · y. */
const product = graph(({ input }) => {
  const [x, y] = [input("x", [2]), input("y", [2])];
  x.multiply(y);
});
const point = { inputs: [flat(2, 3), flat(5, 7)], environment: new Map<string, FlatTensor>() };
const seeds = (...data: number[]): Seed[] => [{ id: nodeId(2), cotangent: flat(...data) }];
const right = { kind: "result", value: [flat(5, 7), flat(2, 3)] };

/** Keeps the tiny library's pullbacks as its users would; operands stay its own until they are released. */
function tapesOf({ vjp, ownership }: EagerLibrary<Tiny>, releases: boolean): LibraryTapes<Tiny> {
  return {
    lives: ["until released"],
    releases,
    record: (f, inputs) => {
      const share = present(ownership, "ownership").share;
      let isReleased = false;
      const sweep = (cotangents: readonly Tiny[]) => {
        if (isReleased) throw new Error("released, as tiny says");
        for (const { shape } of cotangents)
          if (shape.join() !== "2") throw new RangeError(`a cotangent of ${shape}`);
        return present(vjp, "vjp")(f, inputs.map(share), cotangents);
      };
      const release = (): void => {
        if (!isReleased) for (const input of inputs) present(ownership, "ownership").release(input);
        isReleased = true;
      };
      return { sweep, release };
    },
  };
}

function tiny(releases: boolean): { readonly engine: Engine; claims(): number } {
  const { library, claims } = tinyLibrary();
  return { engine: eagerEngine({ ...library, tapes: tapesOf(library, releases) }), claims };
}

async function recorded(engine: Engine): Promise<OpenTape> {
  const loaded = await engine.load(product, "float64");
  if (loaded.kind !== "result") throw new Error(loaded.kind);
  const tape = await loaded.value.record?.(point, "until released", [nodeId(2)]);
  if (tape?.kind !== "result") throw new Error(JSON.stringify(tape));
  return tape.value;
}

describe("an eager library with tapes", () => {
  it("promises the tapes that it declares, and none where it declares none", () => {
    expect(tiny(true).engine.tapes).toEqual({ lives: ["until released"], releases: true });
    expect(tiny(false).engine.tapes).toEqual({ lives: ["until released"], releases: false });
    expect(eagerEngine(tinyLibrary().library).tapes).toBeUndefined();
  });

  it("is swept as often as one likes, and keeps no claim on a tensor once its tape is released", async () => {
    const { engine, claims } = tiny(true);
    const tape = await recorded(engine);
    expect(await tape.sweep(seeds(1, 1))).toEqual(right);
    expect(await tape.sweep(seeds(10, 1))).toEqual({ kind: "result", value: [flat(50, 7), flat(20, 3)] });
    await tape.release();
    expect(await tape.sweep(seeds(1, 1))).toEqual({ kind: "refused", reason: "released, as tiny says" });
    // The cotangents of the refused sweep were handed over, and not given up.
    expect(claims()).toBe(1);
  });

  it("refuses in the library's words what the library refuses, else in the kit's", async () => {
    const tape = await recorded(tiny(true).engine);
    expect(await tape.sweep(seeds(1, 1, 1))).toEqual({ kind: "refused", reason: "a cotangent of 3" });
    const elsewhere = await tape.sweep([{ id: nodeId(1), cotangent: flat(1, 1) }]);
    expect(elsewhere).toEqual({
      kind: "refused",
      reason:
        "tape/seed-id at /1: the tape was not recorded for a seed at id 1. Hint: it was for 2; name the id when you record",
    });
    expect(await tape.sweep(seeds(1, 1))).toEqual(right);
  });

  it("neither answers nor refuses a released tape where releasing only forgets it", async () => {
    const { engine, claims } = tiny(false);
    const tape = await recorded(engine);
    await tape.release();
    await tape.release();
    expect((await tape.sweep(seeds(1, 1))).kind).toBe("unsupported");
    expect(claims()).toBe(0);
  });

  it("declines a life of tapes that the library lacks", async () => {
    const loaded = await tiny(true).engine.load(product, "float64");
    if (loaded.kind !== "result") return expect.unreachable(loaded.kind);
    expect(await loaded.value.record?.(point, "once", [nodeId(2)])).toEqual({
      kind: "unsupported",
      reason: 'no tape for a life "once"',
    });
  });
});

describe("a testee's tapes", () => {
  const tensor = (...data: string[]): object => ({ shape: [2], data });
  const wire = { inputs: [tensor("2", "3"), tensor("5", "7")], environment: {} };
  const load = { id: 1, kind: "load", program: 1, dtype: "float64", graph: product };
  const record = { id: 2, kind: "record", program: 1, tape: 5, point: wire, life: "until released", of: [2] };
  const sweep = { id: 3, kind: "sweep", tape: 5, seeds: [{ id: 2, cotangent: tensor("1", "1") }] };
  const release = { id: 4, kind: "release", tape: 5 };

  async function asked(...requests: readonly object[]): Promise<readonly unknown[]> {
    const testee = new Testee(interpreterEngine());
    const replies: unknown[] = [];
    for (const request of requests) replies.push(await testee.answer(JSON.stringify(request)));
    return replies;
  }

  it("are swept and released, and then refuse", async () => {
    const [, done, answer, released, gone] = await asked(load, record, sweep, release, { ...sweep, id: 5 });
    expect([done, released]).toEqual([
      { id: 2, kind: "done" },
      { id: 4, kind: "done" },
    ]);
    expect(answer).toEqual({
      id: 3,
      kind: "tensors",
      tensors: [
        { shape: [2], data: ["0x1.4p+2", "0x1.cp+2"] },
        { shape: [2], data: ["0x1p+1", "0x1.8p+1"] },
      ],
    });
    expect(gone).toMatchObject({ kind: "refused", reason: expect.stringContaining("tape/released") });
  });

  it.each([
    [
      "a sweep of no tape",
      [load, sweep],
      /tape\/unknown at \/tape: there is no tape 5\. Hint: record it first/,
    ],
    ["a release of no tape", [load, release], /tape\/unknown at \/tape/],
    ["a number for two tapes", [load, record, record], /tape\/twice at \/tape: .* Hint: release it first/],
    ["a tape of no graph", [record], /program 1 is not loaded/],
    ["an id that the graph has not", [load, { ...record, of: [2, 3] }], /tape\/of at \/of\/1/],
    [
      "a point that does not fit",
      [load, { ...record, point: { inputs: [], environment: {} } }],
      /point\/count/,
    ],
    [
      "two seeds at one id",
      [load, record, { ...sweep, seeds: [...sweep.seeds, ...sweep.seeds] }],
      /seed\/twice/,
    ],
    [
      "a tape of a graph that was unloaded",
      [load, record, { id: 9, kind: "unload", program: 1 }, sweep],
      /there is no tape 5/,
    ],
  ] as const)("answer %s with an error that has a place and a hint", async (_, requests, message) => {
    expect((await asked(...requests)).at(-1)).toMatchObject({
      kind: "error",
      message: expect.stringMatching(message),
    });
  });

  it("report hook calls in order, and decline hooks at missing ids or without support", async () => {
    const hooked = { ...record, hooks: [0, 2] };
    const [, , answer] = await asked(load, hooked, sweep);
    const at = (id: number, ...data: string[]): object => ({ id, cotangent: tensor(...data) });
    expect(answer).toMatchObject({
      kind: "tensors",
      calls: [at(2, "0x1p+0", "0x1p+0"), at(0, "0x1.4p+2", "0x1.cp+2")],
    });
    expect((await asked(load, { ...record, hooks: [2, 3] })).at(-1)).toMatchObject({
      kind: "error",
      message: expect.stringMatching(/tape\/hooks at \/hooks\/1/),
    });
    const { library } = tinyLibrary();
    const bare = new Testee(eagerEngine({ ...library, tapes: tapesOf(library, true) }));
    await bare.answer(JSON.stringify(load));
    expect(await bare.answer(JSON.stringify(hooked))).toEqual({
      id: 2,
      kind: "unsupported",
      reason: "the engine has no hooks",
    });
  });

  it("report the hook calls of a refused sweep, where there were any", async () => {
    const mutant = present(
      tapeEngineMutants.find(({ name }) => name === "called_although_refused"),
      "a mutant",
    );
    const wrong = { ...sweep, seeds: [{ id: 2, cotangent: { shape: [1], data: ["1"] } }] };
    for (const [engine, calls] of [
      [mutant.engine(), [{ id: 2, cotangent: tensor("0x0p+0", "0x0p+0") }]],
      [interpreterEngine(), undefined],
    ] as const) {
      const testee = new Testee(engine);
      for (const request of [load, { ...record, hooks: [2] }]) await testee.answer(JSON.stringify(request));
      const reply = await testee.answer(JSON.stringify(wrong));
      expect(reply).toMatchObject({ kind: "refused", reason: expect.stringContaining("tape/seed-shape") });
      expect(reply?.kind === "refused" && reply.calls).toEqual(calls);
    }
  });

  it("may reuse the number of a released one", async () => {
    const replies = await asked(load, record, release, record, sweep);
    expect(replies.at(-1)).toMatchObject({ kind: "tensors" });
  });

  it("are at most sixty-four at a time, released ones not counted", async () => {
    const tapes = Array.from({ length: 65 }, (_, tape) => ({ ...record, tape }));
    const replies = await asked(load, ...tapes, release, { ...record, tape: 70 });
    expect(replies.at(65)).toMatchObject({
      kind: "unsupported",
      reason: expect.stringContaining("64 tapes"),
    });
    expect(replies.at(-1)).toEqual({ id: 2, kind: "done" });
  });

  it("are remembered after their release, but not for ever", async () => {
    const both = Array.from({ length: 70 }, (_, tape) => [
      { ...record, tape },
      { ...release, tape },
    ]).flat();
    const replies = await asked(load, ...both, { ...sweep, tape: 69 }, { ...sweep, tape: 0 });
    expect(replies.slice(-2)).toMatchObject([
      { kind: "refused" },
      { kind: "error", message: expect.stringContaining("there is no tape 0") },
    ]);
  });

  it("are absent from an engine without tapes, and from its handshake", async () => {
    const { tapes: _, ...without } = interpreterEngine();
    const bare: Engine = {
      ...without,
      load: async (...all) => {
        const loaded = await without.load(...all);
        if (loaded.kind !== "result") return loaded;
        const { record: __, ...value } = loaded.value;
        return { kind: "result", value };
      },
    };
    const testee = new Testee(bare);
    const hello = await testee.answer(JSON.stringify({ id: 1, kind: "hello", protocol: 1 }));
    expect(hello).not.toHaveProperty("tapes");
    await testee.answer(JSON.stringify(load));
    expect(await testee.answer(JSON.stringify(record))).toEqual({
      id: 2,
      kind: "unsupported",
      reason: "the engine has no tapes",
    });
  });

  it("are declared in hello beside the format of saved values", async () => {
    const engine = interpreterEngine();
    const narrow = { ...engine, describe: () => ({ ...engine.describe(), saved: "bfloat16" }) as const };
    const hello = await new Testee(narrow).answer(JSON.stringify({ id: 1, kind: "hello", protocol: 1 }));
    expect(hello).toMatchObject({
      saved: "bfloat16",
      tapes: { lives: ["once", "until released"], releases: true },
    });
  });
});
