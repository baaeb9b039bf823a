/**
 * `node engines.ts hangs` runs the engine that hangs. Each is the honest engine with one fault. Many have
 * it only at the *bait*, a graph of two nodes, so that a judge meets them in the middle of its work.
 */
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { honest, isBait, listen, type Message, type Request, say, writeAll } from "./honest.ts";

type Fault = (request: Request, reply: Message) => void;

/** Terminals obey these characters, and eyes are misled by them. */
const paint = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egreen\r\n✓ all agree\n\u2028";

const tooFewBytes = { shape: [1], base64: "AAAA" };

/** 0.1 in float64. */
const tenth = { shape: [1], data: ["0x1.999999999999ap-4"] };

const right = answers((_, reply) => say(reply));

const engines: Readonly<Record<string, () => void>> = {
  honest: right,

  // These engines lie when they describe themselves.
  accumulates_in_an_unknown_width: introduces({ accumulation: { sum: { width: "float80" } } }),
  accumulates_where_nothing_is_added: introduces({ accumulation: { negative: { width: "float32" } } }),
  errs_where_nothing_is_rounded: introduces({ accuracy: { reshape: 2 } }),
  limits_an_unknown_attribute: introduces({ limits: { negative: { axis: { form: "last" } } } }),
  limits_an_unknown_operator: introduces({ limits: { negtive: { ranks: { least: 1 } } } }),
  limits_by_a_word: introduces({ limits: { negative: { ranks: "two" } } }),
  limits_itself: introduces({ limits: { negative: { extents: { least: 2 } } } }),
  limits_nothing: introduces({ limits: { negative: { ranks: {} } } }),
  limits_to_nothing: introduces({ limits: { every: { extents: { least: 3, greatest: 2 } } } }),
  limits_what_it_lacks: introduces({ limits: { softmax: { axis: { form: "last" } } } }),
  has_an_endless_name: introduces({ name: "honest ".repeat(200_000) }),
  keeps_in_float16: introduces({ saved: "float16" }),
  promises_a_life_twice: introduces({ tapes: { lives: ["once", "once"], releases: false } }),
  promises_an_unknown_operator: introduces({ operators: ["negative", "negtive"] }),
  promises_an_unknown_precision: introduces({ dtypes: ["float80"] }),
  promises_another_version: introduces({ protocol: 2 }),
  promises_no_life: introduces({ tapes: { lives: [], releases: false } }),
  promises_nothing: introduces({ modes: [] }),
  answers_hello_with_an_error: replies("hello", { kind: "error", message: "the licence has expired" }),

  // These engines answer `evaluate` wrongly or not at all.
  answers_another_schema: baited(({ id }) => say({ id, kind: "tensors", tensors: "two" })),
  answers_in_latin1: baited(({ id }) =>
    writeAll(Buffer.from(`{"id":${id},"kind":"error","message":"dépassement"}\n`, "latin1")),
  ),
  answers_late: baited((_, reply) => setTimeout(() => say(reply), 12_000)),
  answers_out_of_order: baited((_, kept) => {
    process.stdin.removeAllListeners("data");
    listen(({ id }) => {
      say({ id, kind: "tensors", tensors: [] });
      say(kept);
    });
  }),
  answers_rubbish: baited(() => writeAll("tensor([-1.5000])\n")),
  answers_twice: baited((_, reply) => {
    say(reply);
    say(reply);
  }),
  answers_with_the_wrong_id: baited((_, reply) => say({ ...reply, id: 123456 })),
  answers_with_the_wrong_kind: baited(({ id }) => say({ id, kind: "done" })),
  complains_at_length: baited(({ id }) => say({ id, kind: "error", message: "alas ".repeat(200_000) })),
  computes_in_float64: answers((request, reply) => {
    if (request.kind === "hello") say({ ...reply, dtypes: ["float32"] });
    else if (request.kind === "evaluate" && isBait(request)) say({ ...reply, tensors: [tenth, tenth] });
    else say(reply);
  }),
  floods_with_values: baited(({ id }) =>
    // The line is short enough, and holds more than a million of empty lists.
    writeAll(`{"id":${id},"kind":"tensors","tensors":[${"[],".repeat(1_200_000)}[]]}\n`),
  ),
  gives_a_number_of_thirty_megabytes: baited(({ id }) => {
    const data = ["1".repeat(30 * 2 ** 20), "1"];
    writeAll(`${JSON.stringify({ id, kind: "tensors", tensors: [{ shape: [2], data }] })}\n`);
  }),
  gives_another_shape: baited(({ id, point }) => {
    const scalar = { shape: [], base64: point.inputs[0]?.base64 };
    say({ id, kind: "tensors", tensors: [scalar, scalar] });
  }),
  gives_too_few: baited((_, reply) =>
    say({ ...reply, tensors: Array.isArray(reply.tensors) ? reply.tensors.slice(1) : [] }),
  ),
  gives_too_few_bytes: baited(({ id }) => say({ id, kind: "tensors", tensors: [tooFewBytes, tooFewBytes] })),
  refuses_a_graph: baited(({ id }) =>
    // Only programs may be refused.
    say({ id, kind: "refused", reason: "a saved value was overwritten" }),
  ),

  // These engines misuse their standard streams.
  chatters_on_standard_error: baited((_, reply) => {
    // This is allowed, and the answer is right.
    const megabyte = Buffer.alloc(2 ** 20, "still computing\n");
    for (let i = 0; i < 16; i++) writeAll(megabyte, 2);
    say(reply);
  }),
  closes_its_input: baited((_, reply) => {
    // Node itself never closes the descriptors of the standard streams.
    process.stdin.destroy();
    closeSync(0);
    setInterval(() => {}, 1000);
    say(reply);
  }),
  closes_its_output: baited(() => closeSync(1)),
  paints_the_terminal: answers((request, reply) => {
    const { id, kind, program } = request;
    if (kind === "hello")
      say({ ...reply, name: `honest${paint}`, version: paint, language: paint, links: [paint] });
    else if (kind === "load" && program % 3 === 0) say({ id, kind: "unsupported", reason: paint });
    else if (kind === "evaluate" && program % 3 === 1) say({ id, kind: "error", message: paint });
    else if (kind === "vjp") {
      writeAll(paint, 2);
      process.exit(1);
    } else say(reply);
  }),
  prints_a_banner: () => {
    writeAll("Welcome to Honest 1.0!\n");
    right();
  },
  prints_a_gigabyte: baited(() => gigabyte("x")),
  prints_a_gigabyte_of_lines: baited(() => gigabyte('"debug"\n')),

  // These engines end as they should not, or do not end.
  always_exits: answers((request, reply) => {
    if (request.kind === "evaluate") process.exit(1);
    say(reply);
  }),
  exits: baited(() => {
    console.error("segment 7 of the tape is missing");
    process.exit(3);
  }),
  exits_at_once: () => {
    console.error("ImportError: no module named tensors");
    process.exit(1);
  },
  exits_between_cases: baited((_, reply) => {
    say(reply);
    setTimeout(() => process.exit(0), 50);
  }, "unload"),
  // It hears of the end of the hundredth only, so that no case ends it if it is asked alone.
  exits_at_the_hundredth_request: () => {
    let heard = 0;
    answers((_, reply) => {
      heard += 1;
      if (heard === 100) process.exit(6);
      say(reply);
    })();
  },
  exits_at_every_pullback: on("vjp", () => process.exit(4)),
  exits_in_a_run: on("run", () => process.exit(4)),
  exits_in_a_sweep: on("sweep", () => process.exit(4)),
  exits_mid_line: baited((_, reply) => {
    writeAll(JSON.stringify(reply).slice(0, 20));
    process.exit(0);
  }),
  // Each line is longer than a pipe holds, and nothing is read while it is written. This is allowed.
  answers_at_length: baited((_, reply) => writeAll(`${JSON.stringify(reply)}${" ".repeat(10 * 2 ** 20)}\n`)),
  // It reads nothing between a line and its answer, which is allowed, too.
  answers_line_by_line: () => {
    let last = Promise.resolve();
    listen((request) => {
      last = last.then(async () => {
        process.stdin.pause();
        await setImmediate();
        say(honest(request));
        process.stdin.resume();
      });
    });
  },
  hangs: () => {
    process.on("SIGTERM", () => {});
    // As deaf as a loop without end, and takes nobody's core.
    baited(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))();
  },
  hangs_with_a_child: baited(() => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
    console.error(`child ${child.pid}`);
  }),
  is_another_each_time: answers((request, reply) => {
    if (request.kind === "evaluate" && isBait(request)) process.exit(0);
    say(request.kind === "hello" ? { ...reply, name: `honest ${process.pid}` } : reply);
  }),
  is_killed: baited(() => process.kill(process.pid, "SIGKILL")),
  never_exits: () => {
    setInterval(() => {}, 1000);
    right();
  },
  never_starts: () => {
    setInterval(() => {}, 1000);
  },
  speaks_between_cases: baited((_, reply) => {
    say(reply);
    setTimeout(() => say({ note: "garbage collected" }), 50);
  }, "unload"),

  // These engines are wrong about graphs, programs and tapes.
  breaks_its_promises: replies("load", { kind: "unsupported", reason: "not today" }),
  cannot_unload: baited(
    ({ id }) => say({ id, kind: "error", message: "the tape is still in use" }),
    "unload",
  ),
  unloads_with_tensors: baited(({ id }) => say({ id, kind: "tensors", tensors: [] }), "unload"),
  refuses_at_length: replies("run", { kind: "refused", reason: "overwritten ".repeat(100_000) }),
  runs_on_unknown_channels: on("run", (_, reply) =>
    say({ ...reply, sent: [{ channel: "", value: { shape: [], data: ["0x1p+0"] } }] }),
  ),
  runs_with_tensors: replies("run", { kind: "tensors", tensors: [] }),
  runs_without_state: on("run", (_, { state: _state, ...rest }) => say(rest)),
  calls_a_hook_that_nobody_hung: on("sweep", ({ seeds }, reply) => say({ ...reply, calls: seeds })),
  calls_hooks_with_rubbish: answers(({ kind }, reply) => {
    const tapes = { lives: ["until released"], releases: true, hooks: true };
    if (kind === "hello") say({ ...reply, tapes });
    else if (kind === "sweep")
      say({ ...reply, calls: [{ id: 1, cotangent: { shape: [2], base64: "AAAA" } }] });
    else say(reply);
  }),
  cannot_release: replies("release", { kind: "error", message: "stuck" }),
  declines_every_tape: replies("record", { kind: "unsupported", reason: "not yet" }),
  records_with_tensors: replies("record", { kind: "tensors", tensors: [] }),
  refuses_a_sweep_at_length: replies("sweep", { kind: "refused", reason: "no ".repeat(2 ** 16) }),
  releases_with_a_refusal: replies("release", { kind: "refused", reason: "it is mine" }),
  sweeps_to_rubbish: replies("sweep", { kind: "tensors", tensors: [{ shape: [2], base64: "AAAA" }] }),
  sweeps_with_done: replies("sweep", { kind: "done" }),
};

/** Answers every request. */
function answers(answer: Fault): () => void {
  return () => listen((request) => answer(request, honest(request)));
}

/** Answers the requests of a kind. */
function on(kind: string, fault: Fault): () => void {
  return answers((request, reply) => (request.kind === kind ? fault(request, reply) : say(reply)));
}

/** Answers the requests of a kind with this. */
function replies(kind: string, reply: Message): () => void {
  return on(kind, ({ id }) => say({ id, ...reply }));
}

/** Says this of itself, beside what is true. */
function introduces(promise: Message): () => void {
  return on("hello", (_, reply) => say({ ...reply, ...promise }));
}

/** Answers the requests of a kind that are about the bait. */
function baited(fault: Fault, kind = "evaluate"): () => void {
  return () =>
    listen((request) => {
      // Asked before the reply is made, for that forgets what it unloads.
      const isDue = request.kind === kind && isBait(request);
      const reply = honest(request);
      if (isDue) fault(request, reply);
      else say(reply);
    });
}

function gigabyte(of: string): void {
  const megabyte = Buffer.alloc(2 ** 20, of);
  for (let i = 0; i < 1024; i++) writeAll(megabyte);
}

const [, , name = ""] = process.argv;
const start = engines[name];
if (start === undefined) throw new Error(`there is no engine ${name}`);
start();
