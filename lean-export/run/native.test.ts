import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findLean } from "./find.ts";
import { findNative } from "./native.ts";
import { LeanSession, type Request, type SessionOptions } from "./session.ts";

const held = { folder: "" };

beforeEach(() => {
  held.folder = mkdtempSync(join(tmpdir(), "adjudge-native-"));
  mkdirSync(join(held.folder, "cache"));
});

afterEach(() => rmSync(held.folder, { recursive: true, force: true }));

/** Returns a `lean` on the search path that is a script of Node's, since there may be no Lean here. */
function fakeLean(version: string, script: string): Record<string, string> {
  const path = join(held.folder, "lean");
  const asked = `if (process.argv.includes("--version")) console.log(${JSON.stringify(version)}); else {${script}}`;
  writeFileSync(path, `#!${process.execPath}\n${asked}\n`);
  chmodSync(path, 0o755);
  return { PATH: held.folder, HOME: held.folder };
}

const release = "Lean (version 4.28.0, x86_64-unknown-linux-gnu, commit 0123456, Release)";

/** Answers every request by what `reply` makes of its nonce. */
const driver = (reply: string): string => `
  const { readFileSync } = require("node:fs");
  console.log('{"ready":true}');
  require("node:readline").createInterface({ input: process.stdin }).on("line", (name) => {
    const [nonce] = readFileSync(name, "utf8").split("\\n");
    ${reply}
  });`;

const request: Request = {
  file: "trace.lean",
  text: "",
  module: "Trace",
  claims: ["Trace.claim_a"],
  library: "Adjudge",
  isCompiled: false,
  imports: "",
};

const limits = { milliseconds: 60_000, outputBytes: 100_000 };

async function ask(script: string, own: SessionOptions["limits"] = limits) {
  const found = await findNative(fakeLean(release, script));
  if (found.kind !== "found") throw new Error(found.kind);
  await using session = await LeanSession.start({ lean: found.lean, libraries: [], limits: own });
  return (await session.ask(request)).answer;
}

const done =
  "{ nonce, done: true, claims: [], axioms: [], unseen: [], theorems: [], constants: [], shadows: [] }";

test("a native Lean of the right version is the authority", async () => {
  const found = await findLean({ environment: fakeLean(release, "") });
  expect(found).toMatchObject({ ok: true, value: { name: "native", version: "4.28.0", remarks: [] } });
});

test("a native Lean of another version is named, and not used", async () => {
  const environment = fakeLean("Lean (version 4.9.1, x86_64, Release)", "");
  expect(await findNative(environment)).toMatchObject({
    kind: "unfit",
    why: expect.stringContaining("4.9.1"),
  });
});

test("a lean that does not say its version is not used", async () => {
  expect((await findNative(fakeLean("hello", ""))).kind).toBe("unfit");
});

test("where there is no lean, there is none", async () => {
  expect((await findNative({ PATH: held.folder })).kind).toBe("absent");
});

test("an answer is heard, with the messages before it under the file's own name", async () => {
  const message = '{ severity: "error", fileName: "1/input.lean", pos: { line: 2, column: 3 }, data: "no" }';
  const say = `console.log(JSON.stringify({ nonce, message: ${message} })); console.log(JSON.stringify(${done}));`;
  expect(await ask(driver(say))).toMatchObject({
    kind: "elaborated",
    messages: [{ severity: "error", file: "trace.lean", line: 2, column: 3, text: "no" }],
  });
});

test("an answer without the nonce is not heard", async () => {
  const forged = `console.log(JSON.stringify({ ...${done}, nonce: "guessed" })); process.exit(0);`;
  expect(await ask(driver(forged))).toEqual({ kind: "stopped", why: "Lean exited with code 0" });
});

test.each([
  ["claims that are no list", '{ nonce, done: true, claims: "all fine" }'],
  ["a message that is none", '{ nonce, message: "fine" }'],
  ["neither", "{ nonce, failed: 7 }"],
])("an answer with %s is none", async (_, value) => {
  expect((await ask(driver(`console.log(JSON.stringify(${value}));`))).kind).toBe("stopped");
});

test("a file that takes too long ends the session", async () => {
  const answer = await ask(driver("for (;;);"), { ...limits, milliseconds: 300 });
  expect(answer).toEqual({ kind: "stopped", why: "Lean took more than 300 ms" });
});

test("a file that makes Lean say too much ends the session", async () => {
  const answer = await ask(driver("setInterval(() => console.log('x'.repeat(999)), 0);"));
  expect(answer).toEqual({ kind: "stopped", why: "Lean wrote more than 100000 characters" });
});

test("a Lean that dies gives no answer, and what it said last is told", async () => {
  const answer = await ask("console.error('out of memory'); process.exit(137)");
  expect(answer).toEqual({ kind: "stopped", why: "out of memory" });
});
