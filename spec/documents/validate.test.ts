import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { damage, edits } from "../mutate.test.data.ts";
import { documents } from "../schema/specimens.test.data.ts";
import { formatIssue, type Issue, type Result } from "../shapes/result.ts";
import {
  validateReply,
  validateReport,
  validateRequest,
  validateTrace,
  validateVerdict,
} from "./validate.ts";

const requests = documents.filter(([reference]) => reference.endsWith("_request"));
const replies = documents.filter(([reference]) => reference.endsWith("_reply"));

function codesOf(result: Result<unknown, Issue[]>): string {
  return result.ok ? "ok" : result.error.map(({ code, pointer }) => `${code} ${pointer}`).join(", ");
}

describe("validateRequest and validateReply", () => {
  it.each(
    requests,
  )("take a request for a request and not for a reply, unless the kinds are alike: %s", (name, json) => {
    expect(validateRequest(json)).toEqual({ ok: true, value: json });
    expect(codesOf(validateReply(json))).toMatch(name.includes("hello") ? /^schema/ : /^protocol\/kind/);
  });

  it.each(replies)("take a reply for a reply and not for a request: %s", (name, json) => {
    expect(validateReply(json)).toEqual({ ok: true, value: json });
    expect(codesOf(validateRequest(json))).toMatch(name.includes("hello") ? /^schema/ : /^protocol\/kind/);
  });

  it.each<[unknown, string]>([
    [null, "schema/type "],
    ["hello", "schema/type "],
    [[], "schema/type "],
    [{ kind: "done" }, "schema/required "],
    [{ id: 1 }, "schema/required "],
    [{ id: 0, kind: "done" }, "schema/minimum /id"],
    [{ id: 1.5, kind: "done" }, "schema/type /id"],
    [{ id: 1, kind: "constructor" }, "protocol/kind /kind"],
    [{ id: 1, kind: "done", reason: "" }, "schema/additionalProperties /reason"],
    [{ id: 1, kind: "tensors", tensors: [{ shape: [] }] }, "schema/oneOf /tensors/0"],
    [{ id: 1, kind: "tensors", tensors: [{ shape: [], data: [0.1] }] }, "schema/type /tensors/0/data/0"],
  ])("refuse %j as a reply: %s", (json, codes) => expect(codesOf(validateReply(json))).toBe(codes));

  it("ask for the version of the protocol that there is", () => {
    const reply = validateRequest({ id: 1, kind: "hello", protocol: 2 });
    expect(reply.ok ? "" : reply.error.map(formatIssue)).toEqual([
      "schema/const at /protocol: this is not the one value allowed. Hint: write 1",
    ]);
  });

  it("check the graph of a load as checkGraph does", () => {
    const nodes = [{ op: "sine", attributes: {}, parents: [] }];
    const graph = { format: "adjudge.graph.v1", inputs: [], environment: [], nodes };
    const load = { id: 1, kind: "load", program: 0, dtype: "float64", graph };
    expect(codesOf(validateRequest(load))).toBe("graph/operator /graph/nodes/0/op");
    expect(codesOf(validateRequest({ ...load, dtype: "float80" }))).toBe("schema/enum /dtype");
  });

  it("never throw on damaged messages, and say at least one thing about those they refuse", () => {
    for (const [, json] of [...requests, ...replies]) {
      fc.assert(
        fc.property(edits, (list) => {
          const damaged = damage(json, list);
          for (const result of [validateRequest(damaged), validateReply(damaged)]) {
            if (!result.ok) expect(result.error.length).toBeGreaterThan(0);
          }
        }),
        { seed: 6, numRuns: 200 },
      );
    }
  });

  it("accept every message that docs/protocol.md shows whole", () => {
    const text = readFileSync(new URL("../../docs/protocol.md", import.meta.url), "utf8");
    const whole = [...text.matchAll(/`(\{"id":\d[^`…]*\})`/g)].flatMap(([, json]) => json ?? []);
    const shown = whole.filter((json) => !json.includes(":P"));
    expect(shown.length).toBeGreaterThanOrEqual(4);
    for (const json of shown) {
      const message: unknown = JSON.parse(json);
      expect([codesOf(validateRequest(message)), codesOf(validateReply(message))], json).toContain("ok");
    }
  });
});

describe("validateTrace, validateVerdict, validateReport", () => {
  it.each([
    ["trace.schema.json", validateTrace],
    ["verdict.schema.json", validateVerdict],
    ["report.schema.json", validateReport],
  ] as const)("accept a whole document and refuse another: %s", (name, validate) => {
    const [, json] = documents.find(([reference]) => reference === name) ?? [];
    expect(validate(json)).toEqual({ ok: true, value: json });
    expect(codesOf(validate({ ...json, extra: 1 }))).toBe("schema/additionalProperties /extra");
    expect(codesOf(validate({}))).toMatch(/^schema\/required/);
  });

  it("check the graph of a trace as checkGraph does", () => {
    const [, json] = documents.find(([reference]) => reference === "trace.schema.json") ?? [];
    const graph = {
      format: "adjudge.graph.v1",
      inputs: [],
      environment: [],
      nodes: [{ op: "sin", attributes: {}, parents: [0] }],
    };
    expect(codesOf(validateTrace({ ...json, graph }))).toBe("graph/parent-order /graph/nodes/0/parents/0");
  });
});

describe("a number that JSON has and float64 has not", () => {
  it("is called so, and not a number that is no number", () => {
    const request: unknown = JSON.parse('{"id":1e999,"kind":"unload","program":1}');
    expect(validateRequest(request)).toMatchObject({
      ok: false,
      error: [
        { code: "schema/type", pointer: "/id", message: "the number is beyond the range of a float64." },
      ],
    });
  });
});
