import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { DataType, LoadedGraph, Reply } from "../../engines/index.ts";
import { judge } from "../../oracle/index.ts";
import { type FlatTensor, formatIssue, type Graph, nodeId, type Point } from "../../spec/index.ts";
import { sampled } from "../../spec/sampled.test.kit.ts";
import { ProcessEngine } from "./engine.ts";
import type { Limits } from "./limits.ts";
import type { Command } from "./process.ts";

/** Times are the defaults, far from what an honest engine needs, but where a test waits for one to pass. */
const limits: Partial<Limits> = { lineBytes: 2 ** 20 };

/** An engine that hangs gets this time: it also answers honestly, which must succeed on a busy machine. */
const patience: Partial<Limits> = { requestMilliseconds: 6000 };

/** Returns `count` negations in a row of one vector. Two are the bait. */
function negations(count: number): Graph {
  const nodes = Array.from({ length: count }, (_, i) => ({
    op: "negative" as const,
    attributes: {},
    parents: [nodeId(i)],
  }));
  return { format: "adjudge.graph.v1", inputs: [{ name: "x", shape: [1] }], environment: [], nodes };
}

const bait = negations(2);
const harmless = negations(3);

function vector(x: number): FlatTensor {
  return { shape: [1], data: Float64Array.of(x) };
}

const point: Point = { inputs: [vector(1.5)], environment: new Map() };

async function start(name: string, some: Partial<Limits> = {}): Promise<ProcessEngine> {
  const engine = await ProcessEngine.start(commandOf(name), { ...limits, ...some });
  if (!engine.ok) throw new Error(engine.error.map(formatIssue).join("\n"));
  return engine.value;
}

/** Runs one case as the judge does: all modes, then `unload`. The first reply that is no result ends it. */
async function run(engine: ProcessEngine, graph: Graph, dtype: DataType = "float64"): Promise<string> {
  const loaded = await engine.load(graph, dtype);
  if (loaded.kind !== "result") return sentence(loaded);
  const program = loaded.value;
  const last = nodeId(graph.nodes.length);
  const questions: ((program: LoadedGraph) => Promise<Reply<readonly FlatTensor[]>>)[] = [
    (asked) => asked.evaluate(point),
    (asked) => asked.jvp(point, [vector(2)]),
    (asked) => asked.vjp(point, [{ id: last, cotangent: vector(4) }]),
  ];
  const numbers: number[] = [];
  for (const question of questions) {
    const reply = await question(program);
    if (reply.kind !== "result") {
      await program.unload();
      return sentence(reply);
    }
    numbers.push(...reply.value.flatMap(({ data }) => [...data]));
  }
  await program.unload();
  return numbers.join(" ");
}

function sentence(reply: Exclude<Reply<unknown>, { kind: "result" }>): string {
  return `${reply.kind}: ${reply.kind === "unsupported" ? reply.reason : reply.message}`;
}

/** {@link run} gives this when everything is right. */
const rightForBait = "-1.5 1.5 -2 2 4";
const rightForHarmless = "-1.5 1.5 -1.5 -2 2 -2 -4";

/** An engine's fault shows at the bait, at the next case unless that is right again, or after the last. */
interface Expectation {
  readonly bait: RegExp | typeof rightForBait;
  readonly next?: RegExp;
  readonly dtype?: DataType;
  readonly limits?: Partial<Limits>;
}

const request = (kind: string): string => `request \\d+ \\(${kind} of program \\d+\\): the engine`;
const crashed = (what: string): RegExp => new RegExp(`^crashed: ${request("evaluate")} ${what}`, "s");

const hostileEngines: Readonly<Record<string, Expectation>> = {
  exits: { bait: crashed("exited with code 3; .*segment 7 of the tape is missing") },
  is_killed: { bait: crashed("was killed by SIGKILL") },
  exits_mid_line: { bait: crashed("exited with code 0 after 20 bytes of an unfinished line") },
  hangs: { bait: crashed("did not answer within 6000 ms"), limits: patience },
  answers_late: { bait: crashed("did not answer within 6000 ms"), limits: patience },
  answers_rubbish: { bait: crashed("answered what is not JSON: «tensor\\(\\[-1.5000\\]\\)»") },
  answers_another_schema: { bait: crashed("answered what is not in the protocol: .*/tensors") },
  answers_in_latin1: { bait: crashed("sent a line that is not UTF-8") },
  answers_with_the_wrong_id: { bait: crashed("answered 123456 though it was never asked") },
  answers_with_the_wrong_kind: {
    bait: /^crashed: the engine answered request \d+ \(evaluate of program 2\) with done/,
  },
  complains_at_length: {
    bait: crashed("answered what is not in the protocol: .*more than 65536 characters"),
  },
  floods_with_values: {
    bait: crashed("answered what is not JSON, or too much of it: «"),
    limits: { lineBytes: 2 ** 23 },
  },
  gives_a_number_of_thirty_megabytes: {
    bait: crashed("answered what is not in the protocol: .*more than 4096 characters"),
    limits: { lineBytes: 2 ** 26 },
  },
  prints_a_gigabyte: { bait: crashed("sent a line over the limit") },
  prints_a_gigabyte_of_lines: { bait: crashed('answered what is not in the protocol: «"debug"»') },
  closes_its_output: {
    bait: crashed("closed its standard output and went on running"),
    limits: { exitMilliseconds: 200 },
  },
  chatters_on_standard_error: { bait: rightForBait },
  // The right answer came and was taken; what broke the protocol is told to the next question.
  answers_twice: { bait: /^crashed: request \d+ \(jvp.*the engine (answered \d+ again|sent a line nobody)/ },
  closes_its_input: {
    bait: /^crashed: request \d+ \(jvp.*closed its standard input and went on running/,
    limits: { exitMilliseconds: 200 },
  },
  speaks_between_cases: {
    bait: rightForBait,
    next: /^crashed: .*the engine sent a line nobody asked for, after request \d+ \(unload of program 2\)/,
  },
  exits_between_cases: {
    bait: rightForBait,
    next: /^crashed: the engine exited with code 0, after request \d+ \(unload of program 2\)/,
  },
  unloads_with_tensors: {
    bait: rightForBait,
    next: /^crashed: the engine answered request \d+ \(unload of program 2\) with tensors/,
  },
  // These still talk sense, so they are not stopped: the answer alone is wrong.
  gives_too_few_bytes: { bait: /^error: wrong tensor: tensor\/length at \/tensors\/0\/base64/ },
  computes_in_float64: {
    bait: /^error: wrong precision: tensor 0 has 0x1.999999999999ap-4, which is no float32/,
    dtype: "float32",
  },
};

function commandOf(name: string): Command {
  return { argv: [process.execPath, new URL("hostile/engines.ts", import.meta.url).pathname, name] };
}

/** A rude engine is rude between cases within so many milliseconds; on an idle machine it takes 50. */
const rudeness = 3000;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

interface Refusal {
  readonly issue: RegExp;
  readonly limits?: Partial<Limits>;
}

const hostileIntroductions: Readonly<Record<string, Refusal>> = {
  never_starts: {
    issue: /^engine\/start .*did not answer within 500 ms/,
    limits: { startMilliseconds: 500 },
  },
  exits_at_once: { issue: /^engine\/start .*exited with code 1; .*ImportError: no module named tensors/s },
  prints_a_banner: { issue: /^engine\/start .*answered what is not JSON: «Welcome to Honest 1.0!»/ },
  promises_another_version: { issue: /^engine\/start .*\/protocol.*write 1/ },
  promises_an_unknown_operator: { issue: /^engine\/start .*\/operators\/1.*did you mean "negative"/ },
  promises_an_unknown_precision: { issue: /^engine\/start .*\/dtypes\/0/ },
  accumulates_in_an_unknown_width: {
    issue: /^engine\/start .*\/accumulation\/sum\/width.*"float32"/,
  },
  accumulates_where_nothing_is_added: {
    issue:
      /^engine\/handshake at \/accumulation\/negative: the engine declares how negative adds up, which adds nothing/,
  },
  errs_where_nothing_is_rounded: {
    issue:
      /^engine\/handshake at \/accuracy\/reshape: the engine declares the accuracy of reshape, which rounds nothing/,
  },
  limits_an_unknown_attribute: {
    issue: /^engine\/handshake at \/limits\/negative: .*none of the attributes.*ranks, extents/,
  },
  limits_an_unknown_operator: { issue: /^engine\/handshake at \/limits: .*did you mean "negative"/ },
  limits_by_a_word: {
    issue: /^engine\/start .*\/limits\/negative\/ranks: a string stands here.*among, least/s,
  },
  limits_nothing: { issue: /^engine\/handshake at \/limits\/negative\/ranks: .*is empty/ },
  limits_to_nothing: { issue: /^engine\/handshake at \/limits\/every\/extents: .*nothing is promised/ },
  limits_what_it_lacks: {
    issue: /^engine\/handshake at \/limits\/softmax: softmax is limited, and not promised/,
  },
  has_an_endless_name: {
    issue: /^engine\/start .{0,1000}\/name: .*more than 256 characters.{0,200}$/s,
    limits: { lineBytes: 2 ** 23 },
  },
  promises_nothing: { issue: /^engine\/handshake at \/modes: the engine promises no modes/ },
  answers_hello_with_an_error: { issue: /^engine\/handshake .*the licence has expired/ },
};

it("starting programs that are missing leaves the number of listeners as it was, however many programs are missing", async () => {
  const before = process.getMaxListeners();
  for (let count = 0; count < 20; count++) await ProcessEngine.start({ argv: ["no-such-program"] });
  expect(process.getMaxListeners()).toBe(before);
  expect(process.listenerCount("exit")).toBeLessThan(before);
});

describe("ProcessEngine", { concurrent: true }, () => {
  it("gives an honest engine's answers, and finds nothing to complain of", async () => {
    const engine = await start("honest");
    expect(engine.describe()).toMatchObject({ name: "honest", operators: ["negative"], accumulation: {} });
    expect(await run(engine, bait)).toBe(rightForBait);
    expect(await run(engine, harmless)).toBe(rightForHarmless);
    expect(engine.brokenPromises()).toEqual([]);
    expect(await engine.close()).toEqual([]);
  });

  it.for(sampled("engines", Object.entries(hostileEngines), 7))("survives an engine that %s", async ([
    name,
    expected,
  ], { expect }) => {
    await using engine = await start(name, expected.limits);
    const { dtype = "float64" } = expected;
    expect(await run(engine, bait, dtype)).toMatch(expected.bait);
    if (expected.next !== undefined) {
      await pause(rudeness);
      expect(await run(engine, harmless, dtype)).toMatch(expected.next);
    }
    expect(await run(engine, harmless, dtype)).toBe(rightForHarmless);
  });

  it.for(
    sampled("introductions", Object.entries(hostileIntroductions), 3),
  )("does not start an engine that %s", async ([name, why], { expect }) => {
    const engine = await ProcessEngine.start(commandOf(name), { ...limits, ...why.limits });
    expect(engine.ok ? "started" : engine.error.map(formatIssue).join("\n")).toMatch(why.issue);
  });

  it("says so when there is no such program", async () => {
    const engine = await ProcessEngine.start({ argv: ["no-such-program-anywhere"] });
    expect(engine).toMatchObject({ ok: false, error: [{ code: "engine/start" }] });
  });

  it("says where the kit for Python is to an adapter that does not find it", async () => {
    const words =
      "process.stderr.write(`ModuleNotFoundError: No module named 'adjudge'`); process.exitCode = 1";
    const engine = await ProcessEngine.start({ argv: [process.execPath, "-e", words] });
    expect(engine).toMatchObject({ ok: false, error: [{ hint: expect.stringContaining("python/src") }] });
  });

  it.each([
    ["a NUL in a word", ["engine", "a\0b"]],
    ["a NUL in the name", ["en\0gine"]],
    ["an empty name", [""]],
  ] as const)("says so where the system takes no such command: %s", async (_, [program, ...rest]) => {
    const engine = await ProcessEngine.start({ argv: [program, ...rest] });
    expect(engine).toMatchObject({
      ok: false,
      error: [{ code: "engine/start", message: expect.stringContaining("could not be started") }],
    });
  });

  it("kills what the engine started along with the engine", async ({ expect }) => {
    await using engine = await start("hangs_with_a_child", patience);
    const reply = await run(engine, bait);
    expect(reply).toMatch(crashed("did not answer within 6000 ms; .*child \\d+"));
    const child = Number(/child (\d+)/.exec(reply)?.[1]);
    await expect.poll(() => isRunning(child), { timeout: 60_000 }).toBe(false);
    expect(await run(engine, harmless)).toBe(rightForHarmless);
  });

  it("leaves nothing running when this process exits in the middle of a hang", async ({ expect }) => {
    const script = `
      import { readFileSync } from "node:fs";
      import { ProcessEngine } from ${JSON.stringify(new URL("engine.ts", import.meta.url))};
      const engine = await ProcessEngine.start(${JSON.stringify(commandOf("hangs"))});
      const loaded = await engine.value.load(${JSON.stringify(bait)}, "float64");
      void loaded.value.evaluate({ inputs: [{ shape: [1], data: Float64Array.of(1) }], environment: new Map() });
      setTimeout(() => {
        const children = readFileSync("/proc/" + process.pid + "/task/" + process.pid + "/children", "utf8");
        process.stdout.write(children, () => process.exit(0));
      }, 200);`;
    const run = promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    // The testee, and who waits to end it should this process be killed.
    const children = (await run).stdout.trim().split(" ").map(Number);
    expect(children).toHaveLength(2);
    for (const child of children) await expect.poll(() => isRunning(child), { timeout: 60_000 }).toBe(false);
  });

  it("takes an answer out of turn for nobody's", async () => {
    await using engine = await start("answers_out_of_order");
    const loaded = await engine.load(bait, "float64");
    if (loaded.kind !== "result") throw new Error(sentence(loaded));
    const { value: program } = loaded;
    const replies = await Promise.all([program.evaluate(point), program.jvp(point, [vector(2)])]);
    expect(replies[0]).toMatchObject({
      message: expect.stringMatching(/answered 5 out of order, where the answer to request 4/),
    });
    expect(replies[1]).toMatchObject({
      message: expect.stringMatching(/while it owed the answer to request 4/),
    });
    expect(await run(engine, harmless)).toBe(rightForHarmless);
  });

  it("answers requests sent together each with its own", async () => {
    await using engine = await start("honest");
    const graphs = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? bait : harmless));
    const replies = await Promise.all(graphs.map((graph) => run(engine, graph)));
    expect(replies).toEqual(graphs.map((graph) => (graph === bait ? rightForBait : rightForHarmless)));
  });

  it("gives up on an engine that ends at every question, and says so ever after", async () => {
    await using engine = await start("always_exits", { restarts: 2 });
    for (let life = 0; life < 3; life++) {
      expect(await run(engine, harmless)).toMatch(crashed("exited with code 1"));
    }
    for (let i = 0; i < 2; i++) {
      expect(await run(engine, harmless)).toBe(
        "crashed: gave up: 2 restarts in a row brought no good answer",
      );
    }
  });

  it("gives up on an engine that ends at every third question, and says how often it ended", async () => {
    await using engine = await start("exits_at_every_pullback", { restartsInAll: 3 });
    for (let life = 0; life < 4; life++)
      expect(await run(engine, harmless)).toMatch(/^crashed: .* exited with code 4/);
    expect(await run(engine, harmless)).toBe(
      "crashed: gave up: it ended 4 times, and gave only 8 good answers",
    );
  });

  it("does not go on with an engine that comes back as another", async () => {
    await using engine = await start("is_another_each_time");
    expect(await run(engine, bait)).toMatch(crashed("exited with code 0"));
    expect(await run(engine, harmless)).toMatch(
      /^crashed: restarted, the engine introduced itself differently/,
    );
  });

  it("keeps programs of a dead process crashed while new ones are loaded", async () => {
    await using engine = await start("exits");
    const old = await engine.load(harmless, "float64");
    if (old.kind !== "result") throw new Error(sentence(old));
    expect(await run(engine, bait)).toMatch(crashed("exited with code 3"));
    expect(await run(engine, harmless)).toBe(rightForHarmless);
    const reply = await old.value.evaluate(point);
    expect(reply).toMatchObject({ kind: "crashed", message: expect.stringMatching(/exited with code 3/) });
    await old.value.unload();
    expect(await run(engine, harmless)).toBe(rightForHarmless);
  });

  it("reports an engine that stays when its input ends", async () => {
    const engine = await start("never_exits", { exitMilliseconds: 200 });
    expect(await run(engine, harmless)).toBe(rightForHarmless);
    expect((await engine.close()).map(formatIssue)).toMatchObject([/did not exit when its input ended/]);
    expect(await engine.close()).toEqual([]);
    expect(await run(engine, harmless)).toBe("crashed: the engine has been closed");
  });

  it("reports a fault after the last case, when no case is left to tell", async () => {
    const engine = await start("speaks_between_cases");
    expect(await run(engine, bait)).toBe(rightForBait);
    await pause(rudeness);
    expect((await engine.close()).map(formatIssue)).toMatchObject([
      /sent a line nobody asked for, after request/,
    ]);
  });

  it("reports an engine that could not unload a program", async ({ expect }) => {
    const engine = await start("cannot_unload");
    expect(await run(engine, bait)).toBe(rightForBait);
    expect(await run(engine, harmless)).toBe(rightForHarmless);
    const faults = (await engine.close()).map(formatIssue);
    expect(faults).toMatchObject([/could not unload program 2: the tape is still in use/]);
  });

  it("asks nothing beyond what is promised in part, and charges nobody with it", async () => {
    await using engine = await start("limits_itself");
    expect(engine.describe().limits).toEqual({ negative: { extents: { least: 2 } } });
    expect(await run(engine, harmless)).toBe(
      "unsupported: the engine does not promise the shape [1] of negative",
    );
    expect(engine.brokenPromises()).toEqual([]);
  });

  it("finds the promises that were never kept, and only those", async () => {
    await using engine = await start("breaks_its_promises");
    expect(await run(engine, harmless)).toBe("unsupported: not today");
    expect(engine.brokenPromises().map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^the handshake promises precision float64, but .*; 1 were declined, .* with: not today$/,
      ),
      expect.stringMatching(/^the handshake promises operator negative, but/),
    ]);
  });

  it("asks for nothing that was not promised", async () => {
    await using engine = await start("honest");
    expect(await run(engine, harmless, "float32")).toBe(
      "unsupported: the engine does not promise precision float32",
    );
    const sine: Graph = { ...harmless, nodes: [{ op: "sin", attributes: {}, parents: [nodeId(0)] }] };
    expect(await run(engine, sine)).toBe("unsupported: the engine does not promise operator sin");
    const loaded = await engine.load(harmless, "float64");
    const dense = loaded.kind === "result" ? await loaded.value.backwardDense(point, []) : loaded;
    expect(dense).toEqual({ kind: "unsupported", reason: "the engine does not promise mode backward_dense" });
  });

  it("does not send a line that is longer than the protocol allows", async () => {
    await using engine = await start("honest", { lineBytes: 2000 });
    const long: Point = { inputs: [{ shape: [1000], data: new Float64Array(1000) }], environment: new Map() };
    const loaded = await engine.load({ ...harmless, inputs: [{ name: "x", shape: [1000] }] }, "float64");
    const reply = loaded.kind === "result" ? await loaded.value.evaluate(long) : loaded;
    const many = negations(100);
    expect(await run(engine, many)).toMatch(/^unsupported: the request takes at least 5\d{3} bytes/);
    expect(reply).toMatchObject({
      kind: "unsupported",
      reason: expect.stringMatching(/takes at least 8000 bytes/),
    });
    expect(await run(engine, harmless)).toBe(rightForHarmless);
  });
});

/** Says whether a process still runs and is no zombie. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("an answer of another shape", () => {
  it.each([
    ["gives_too_few", "1 tensor", "2 tensors"],
    ["gives_another_shape", "a tensor of shape []", "a tensor of shape [1]"],
  ])("is passed on, and %s is accused of it", async (name, answer, expected) => {
    await using engine = await start(name);
    const seeds = [{ id: nodeId(2), cotangent: vector(4) }];
    const question = { graph: bait, point, tangents: [vector(2)], seeds };
    const verdict = await judge(engine, question, { dtype: "float64", shrinkBudget: 0 });
    expect(verdict).toMatchObject({ kind: "disagrees", witness: { question: "evaluate", answer, expected } });
    await using honest = await start("honest");
    expect(await judge(honest, question, { dtype: "float64" })).toEqual({ kind: "agrees" });
  });
});
