import { Buffer } from "node:buffer";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import type { Engine } from "../../../spec/contract/index.ts";
import type { ReplyMessage } from "../../../spec/wire/index.ts";
import { LineSplitter, MAXIMUM_LINE_BYTES } from "../../protocol/index.ts";
import { type BroughtFunction, type FunctionOwner, FunctionTestee } from "./functions.ts";
import { Testee } from "./testee.ts";
import { claimStandardOutput, type Writer, writerTo } from "./writer.ts";

/** An engine, or how to make one; a library that prints while it is imported should be imported there. */
export type EngineSource = Engine | (() => Engine | Promise<Engine>);

/**
 * Answers the runner's requests with an engine, in order, until the input ends. On the process's own streams,
 * standard output belongs to the replies: everything else that is printed (a library's banner, `console.log`)
 * goes to standard error, and the process exits at the end, whatever still runs.
 * Fails: rejects if the input is not the protocol (no JSON, no id, a line over 64 MiB), or there is no
 * engine.
 */
export async function serve(
  source: EngineSource,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<void> {
  const isOwn = output === process.stdout;
  const writer = isOwn ? claimStandardOutput() : writerTo(output);
  const engine = typeof source === "function" ? await source() : source;
  await converse(new Testee(engine), input, writer);
  await engine[Symbol.asyncDispose]();
  await writer.flush();
  if (isOwn) process.exit();
}

/**
 * Brings functions of this process to a judge that asks for them, as {@link serve} does an engine:
 * `adjudge judge --functions -e "node my_functions.js"`. Rejects for a function that is no question, too.
 */
export async function serveFunctions(
  owner: FunctionOwner,
  functions: readonly BroughtFunction[],
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<void> {
  const isOwn = output === process.stdout;
  const writer = isOwn ? claimStandardOutput() : writerTo(output);
  await converse(new FunctionTestee(owner, functions), input, writer);
  await writer.flush();
  if (isOwn) process.exit();
}

/** Answers lines with what a testee answers them, until the input ends. */
async function converse(testee: Pick<Testee, "answer">, input: Readable, writer: Writer): Promise<void> {
  const splitter = new LineSplitter(MAXIMUM_LINE_BYTES);
  for await (const chunk of input) {
    const { lines, fault } = splitter.push(Buffer.from(chunk));
    for (const line of lines) {
      const reply = await testee.answer(line);
      if (reply === undefined) throw new Error(`not a request: ${line.slice(0, 200)}`);
      await writer.write(encode(reply));
    }
    if (fault !== undefined) throw new Error(`not a request: ${fault}`);
  }
}

/** Encodes a reply as one line. A reply that is too long for a line cannot be given. */
function encode(reply: ReplyMessage): string {
  const line = JSON.stringify(reply);
  if (Buffer.byteLength(line) <= MAXIMUM_LINE_BYTES) return `${line}\n`;
  const reason = `the reply would take more than the ${MAXIMUM_LINE_BYTES} bytes of a line`;
  return `${JSON.stringify({ id: reply.id, kind: "unsupported", reason })}\n`;
}
