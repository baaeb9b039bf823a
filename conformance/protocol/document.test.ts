import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { operatorNames, validateReply, validateRequest } from "../../spec/index.ts";
import { smoke } from "../runner/smoke.ts";
import { serve } from "../testees/kit.ts";

const text = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");

/** Returns the content of the document's one fenced block in `language`. */
function block(language: string): string {
  const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm"))];
  expect(found).toHaveLength(1);
  return found[0]?.[1] ?? "";
}

/** Returns the lines of the session that start with `arrow`. */
function linesWith(arrow: "→" | "←"): string[] {
  const lines = block("session").split("\n");
  return lines.filter((line) => line.startsWith(`${arrow} `)).map((line) => line.slice(2));
}

/** Removes a line's list of operators, which the document shortens. */
const withoutOperators = (line: string): string => line.replace(/"operators":\[[^\]]*\]/, '"operators":[]');

describe("docs/protocol.md", () => {
  it("shows the very bytes that the interpreter answers with", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const served = serve(interpreterEngine(), input, output);
    input.end(
      linesWith("→")
        .map((line) => `${line}\n`)
        .join(""),
    );
    await served;
    expect(withoutOperators(output.read()?.toString() ?? "")).toBe(
      linesWith("←")
        .map((line) => `${withoutOperators(line)}\n`)
        .join(""),
    );
  });

  it("shows operators that there are, in the table's order", () => {
    const [hello] = linesWith("←").map((line) => validateReply(JSON.parse(line)));
    const shown: readonly string[] = hello?.ok && hello.value.kind === "hello" ? hello.value.operators : [];
    expect(shown).not.toEqual([]);
    expect(operatorNames.filter((name) => shown.includes(name))).toEqual(shown);
  });

  it("shows every kind of request, and only messages of the protocol", () => {
    const requests = linesWith("→").map((line) => validateRequest(JSON.parse(line)));
    const replies = linesWith("←").map((line) => validateReply(JSON.parse(line)));
    expect([...requests, ...replies].filter(({ ok }) => !ok)).toEqual([]);
    const kinds = new Set(requests.map((request) => request.ok && request.value.kind));
    expect(kinds).toEqual(
      new Set([
        ...["hello", "load", "load_program", "evaluate", "jvp", "vjp", "backward_dense", "run", "unload"],
        ...["record", "sweep", "release", "forward_gradient"],
      ]),
    );
    expect(requests.map((request) => request.ok && request.value.id)).toEqual(
      replies.map((reply) => reply.ok && reply.value.id),
    );
  });

  it("has an adapter that works as it stands", async () => {
    const folder = mkdtempSync(join(tmpdir(), "adjudge-"));
    try {
      const adapter = join(folder, "adapter.mjs");
      const resolved = block("ts")
        .replace(/"adjudge\/(.*)"/g, (_, room) =>
          JSON.stringify(new URL(`../../${room}/index.ts`, import.meta.url)),
        )
        .replace('"@tensorflow/tfjs"', JSON.stringify(import.meta.resolve("@tensorflow/tfjs")));
      writeFileSync(adapter, resolved);
      const report = await smoke({ argv: [process.execPath, adapter] });
      expect(report.steps.filter(({ outcome }) => outcome.kind === "failed")).toEqual([]);
      expect(report.description?.operators).toEqual([
        "constant",
        "full",
        "iota",
        "bernoulli_mask",
        "negative",
        "add",
        "multiply",
        "sum",
        "take",
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
