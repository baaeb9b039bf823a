import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { converse } from "./conversation.ts";
import { startParent } from "./parent.ts";

const page = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
const [, block = ""] = /^```judge-session\n([\s\S]*?)^```/m.exec(page) ?? [];
const said = (mark: string): string[] =>
  block
    .split("\n")
    .filter((line) => line.startsWith(mark))
    .map((line) => line.slice(2));

/** Returns what the judge writes to a parent that answers with these lines. */
async function requests(replies: readonly string[]): Promise<string[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  output.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString("utf8").trim().split("\n")) {
      const reply = replies[lines.length];
      lines.push(line);
      if (reply === undefined) input.end();
      else input.write(`${reply}\n`);
    }
  });
  const command = { argv: ["a parent"] } as const;
  for await (const _ of converse(command, { start: startParent({ input, output }) }));
  return lines;
}

test("the judge writes what the page's session says", async () => {
  expect(said("→").length).toBeGreaterThan(5);
  expect(await requests(said("←"))).toEqual(said("→"));
});

test("another answer leads to another verdict", async () => {
  const wrong = said("←").map((reply) => reply.replace('["31.25","93.75"]', '["31.25","93"]'));
  expect(wrong).not.toEqual(said("←"));
  expect(await requests(wrong)).not.toEqual(said("→"));
});
