import { once } from "node:events";
import process from "node:process";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Engine, interpreterEngine, type Reply } from "../../../engines/index.ts";
import { ProcessEngine } from "../../runner/engine.ts";
import { serve } from "./serve.ts";

/** Returns what `engine` answers to these bytes, as lines. */
async function answersTo(chunks: readonly (string | Uint8Array)[], engine: Engine): Promise<string[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const text: string[] = [];
  output.setEncoding("utf8").on("data", (chunk: string) => text.push(chunk));
  const served = serve(engine, input, output);
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await served;
  output.end();
  await once(output, "end");
  return text.join("").split("\n").slice(0, -1);
}

async function messagesTo(
  requests: readonly object[],
  engine: Engine = interpreterEngine(),
): Promise<unknown[]> {
  const lines = await answersTo(
    requests.map((request) => `${JSON.stringify(request)}\n`),
    engine,
  );
  return lines.map((line): unknown => JSON.parse(line));
}

const graph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "é", shape: [1] }],
  environment: [],
  nodes: [{ op: "negative", attributes: {}, parents: [0] }],
};
const load = { id: 1, kind: "load", program: 7, dtype: "float64", graph };
const point = { inputs: [{ shape: [1], data: ["0x1.8p+0"] }], environment: {} };
const evaluate = { id: 2, kind: "evaluate", program: 7, point };
const answer = { kind: "tensors", tensors: [{ shape: [1], data: ["-0x1.8p+0"] }] };

describe("serve", () => {
  it("answers each request under its id, in the order they came", async () => {
    const requests = [
      load,
      ...[5, 3, 9].map((id) => ({ ...evaluate, id })),
      { id: 10, kind: "unload", program: 7 },
    ];
    expect(await messagesTo(requests)).toEqual([
      { id: 1, kind: "done" },
      ...[5, 3, 9].map((id) => ({ id, ...answer })),
      { id: 10, kind: "done" },
    ]);
  });

  it("answers in base64 where it is asked in base64", async () => {
    const inputs = [{ shape: [1], base64: "AAAAAAAA+D8=" }];
    const [, reply] = await messagesTo([load, { ...evaluate, point: { ...point, inputs } }]);
    expect(reply).toEqual({ id: 2, kind: "tensors", tensors: [{ shape: [1], base64: "AAAAAAAA+L8=" }] });
  });

  it("gives the same answers however the bytes of its input are cut", async () => {
    const bytes = Buffer.from(`${JSON.stringify(load)}\n${JSON.stringify(evaluate)}\n`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (places) => {
        const cuts = [...places].sort((a, b) => a - b);
        const chunks = [0, ...cuts].map((start, i) => bytes.subarray(start, cuts[i]));
        const lines = await answersTo(chunks, interpreterEngine());
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
          { id: 1, kind: "done" },
          { id: 2, ...answer },
        ]);
      }),
      { seed: 20260101, numRuns: 50 },
    );
  });

  it.for([
    ["a program that was not loaded", { ...evaluate, program: 8 }, /^program 8 is not loaded/],
    ["a program that is loaded already", { ...load, id: 2 }, /^program 7 is loaded already/],
    ["a kind that there is not", { id: 2, kind: "evalute", program: 7, point }, /did you mean "evaluate"/],
    [
      "an input of another shape",
      { ...evaluate, point: { ...point, inputs: [{ shape: [], data: ["1"] }] } },
      /point\/shape/,
    ],
    ["too few inputs", { ...evaluate, point: { ...point, inputs: [] } }, /point\/count/],
    [
      "a seed at an id that there is not",
      { ...evaluate, kind: "vjp", seeds: [{ id: 2, cotangent: point.inputs[0] }] },
      /seed\/id/,
    ],
    [
      "a graph whose parents point forward",
      {
        ...load,
        id: 2,
        program: 8,
        graph: { ...graph, nodes: [{ op: "exp", attributes: {}, parents: [1] }] },
      },
      /graph\/parent-order/,
    ],
  ] as const)("answers %s with an error, and goes on", async ([, wrong, message]) => {
    const replies = await messagesTo([load, wrong, { ...evaluate, id: 3 }]);
    expect(replies[1]).toEqual({ id: 2, kind: "error", message: expect.stringMatching(message) });
    expect(replies[2]).toEqual({ id: 3, ...answer });
  });

  it("writes messages no longer than the protocol allows", async () => {
    const wordy = (reply: Reply<never>): Engine => ({ ...interpreterEngine(), load: async () => reply });
    const words = "alas ".repeat(100_000);
    const [unsupported] = await messagesTo([load], wordy({ kind: "unsupported", reason: words }));
    expect(unsupported).toEqual({ id: 1, kind: "unsupported", reason: words.slice(0, 65_536) });
    const [error] = await messagesTo([load], wordy({ kind: "error", message: words }));
    expect(error).toEqual({ id: 1, kind: "error", message: words.slice(0, 65_536) });
  });

  it("declines tensors that no machine can hold", async () => {
    const wide = { op: "broadcast_to", attributes: { shape: [2 ** 27] }, parents: [0] };
    const [reply] = await messagesTo([{ ...load, graph: { ...graph, nodes: [wide] } }]);
    expect(reply).toMatchObject({ id: 1, kind: "unsupported", reason: expect.stringContaining("too much") });
  });

  it("answers with an error where the engine throws, though it must not", async () => {
    const engine = interpreterEngine();
    const throwing: Engine = {
      ...engine,
      async load(...of) {
        const loaded = await engine.load(...of);
        if (loaded.kind !== "result") return loaded;
        return {
          kind: "result",
          value: { ...loaded.value, evaluate: () => Promise.reject(new Error("NaN ahead")) },
        };
      },
    };
    expect(await messagesTo([load, evaluate], throwing)).toEqual([
      { id: 1, kind: "done" },
      { id: 2, kind: "error", message: "NaN ahead" },
    ]);
  });

  it.for([
    ["{\n"],
    ["[]\n"],
    ['{"id":0,"kind":"hello","protocol":1}\n'],
    [Uint8Array.of(0xff, 0x0a)],
  ])("stops at what is no message, for there is no id to answer to: %j", async ([line]) => {
    await expect(answersTo([line ?? ""], interpreterEngine())).rejects.toThrow(/^not a request/);
  });

  it("keeps standard output to itself, and exits whatever still runs", async () => {
    const script = `
      import { interpreterEngine } from ${JSON.stringify(new URL("../../../engines/index.ts", import.meta.url))};
      import { serve } from ${JSON.stringify(new URL("serve.ts", import.meta.url))};
      const engine = interpreterEngine();
      await serve(() => {
        console.log("loading the library");
        process.stdout.write("50 %");
        setInterval(() => console.info("still here"), 1);
        return engine;
      });`;
    const argv = [process.execPath, "--input-type=module", "-e", script] as const;
    const started = await ProcessEngine.start({ argv: [...argv] });
    expect(started).toMatchObject({ ok: true });
    if (started.ok) expect(await started.value.close()).toEqual([]);
  });
});
