/**
 * hostile.slow.test.ts runs this in a process of its own, to measure the cost. It gives each hostile input to
 * its check and prints a line of JSON: the outcome, and the most memory that the process has had so far.
 */
import { checkCase } from "./documents/case.ts";
import { checkGraph, checkGraphText } from "./documents/check.ts";
import { validateReply, validateRequest } from "./documents/validate.ts";
import type { Issue, Result } from "./shapes/result.ts";
import { graph, node } from "./specimens.test.data.ts";
import { MAXIMUM_TEXT_BYTES, MAXIMUM_VALUES } from "./wire/json.ts";

const MILLION = 1_000_000;

type Attempt = () => Result<unknown, Issue[]>;

/** Arrays (or objects) nested a million deep. */
function nested(kind: "array" | "object" = "array"): unknown {
  let value: unknown = [];
  for (let depth = 1; depth < MILLION; depth++) value = kind === "array" ? [value] : { op: value };
  return value;
}

function inNode(parts: Record<string, unknown>): unknown {
  for (const [key, value] of [
    ["op", "add"],
    ["attributes", {}],
    ["parents", [0, 0]],
  ] as const)
    parts[key] ??= value;
  return { ...graph([["x", []]], [], []), nodes: [parts] };
}

function filled(count: number, entry: (i: number) => unknown): unknown[] {
  return Array.from({ length: count }, (_, i) => entry(i));
}

function keyed(count: number, entry: () => unknown): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let i = 0; i < count; i++) object[`k${i}`] = entry();
  return object;
}

const head = '{"format":"adjudge.graph.v1","inputs":[],"environment":[],"nodes":[';

const texts: Record<string, () => string> = {
  "a million opening brackets": () => "[".repeat(MILLION),
  "a million nested arrays": () => "[".repeat(MILLION) + "]".repeat(MILLION),
  "a million nested objects": () => '{"op":'.repeat(MILLION),
  "a million nested arrays as a node": () => `${head}${"[".repeat(MILLION)}${"]".repeat(MILLION)}]}`,
  "a million empty nodes": () => `${head}${"{},".repeat(MILLION)}{}]}`,
  "more than 64 MiB": () => " ".repeat(MAXIMUM_TEXT_BYTES + 1),
  "64 MiB of spaces": () => " ".repeat(MAXIMUM_TEXT_BYTES),
  "64 MiB of lines": () => `${"\n".repeat(MAXIMUM_TEXT_BYTES - 1)}x`,
  "64 MiB of commas": () => `[${",".repeat(MAXIMUM_TEXT_BYTES - 1)}`,
  "64 MiB of escapes in a string that does not end": () => `"${"\\\\".repeat(MAXIMUM_TEXT_BYTES / 2 - 1)}`,
  "64 MiB of digits": () => "1".repeat(MAXIMUM_TEXT_BYTES),
  "as many empty arrays as allowed": () => `[${"[],".repeat(MAXIMUM_VALUES / 2 - 1)}[]]`,
  "as many properties as allowed": () => {
    const keys = Array.from({ length: MAXIMUM_VALUES - 2 }, (_, i) => `"k${i}":0`);
    return `{${keys.join(",")}}`;
  },
};

const graphs: Record<string, () => unknown> = {
  "nested arrays": () => nested(),
  "nested objects": () => nested("object"),
  "nested arrays for a list": () => ({ ...graph([], [], []), inputs: nested() }),
  "nested arrays for a shape": () => ({ ...graph([], [], []), inputs: [{ name: "x", shape: nested() }] }),
  "nested arrays for an entry": () => ({ ...graph([], [], []), environment: nested() }),
  "nested arrays for a node": () => ({ ...graph([], [], []), nodes: nested() }),
  "nested objects for a node": () => ({ ...graph([], [], []), nodes: [nested("object")] }),
  "nested arrays for op": () => inNode({ op: nested() }),
  "nested arrays for attributes": () => inNode({ attributes: nested() }),
  "nested arrays for an attribute": () =>
    inNode({ op: "sum", attributes: { axes: nested(), keepdims: true } }),
  "nested arrays for parents": () => inNode({ parents: nested() }),
  "nested arrays for two parents": () => inNode({ parents: [nested(), nested()] }),
  "nested arrays for an unknown property": () => inNode({ extra: nested() }),
  "a million bad nodes": () => ({ ...graph([], [], []), nodes: filled(MILLION, () => ({})) }),
  "a million nodes that read themselves": () => ({
    ...graph([], [], []),
    nodes: filled(MILLION, (i) => node("sin", [i])),
  }),
  "a million inputs of one name": () => ({
    ...graph([], [], []),
    inputs: filled(MILLION, () => ({ name: "x", shape: [] })),
  }),
  "a million parents for two": () => inNode({ parents: filled(MILLION, () => 0) }),
  "a million parents that come later": () =>
    inNode({ op: "concat", attributes: { axis: 0 }, parents: filled(MILLION, (i) => i + 1) }),
  "a million axes": () =>
    inNode({ op: "sum", attributes: { axes: filled(MILLION, () => 0), keepdims: true } }),
  "a million unknown properties": () => inNode(keyed(MILLION, () => 0)),
  "an unknown property of ten million letters": () => inNode({ ["a/~".repeat(3_333_333)]: 0 }),
  "an operator of ten million letters": () => inNode({ op: "add".repeat(3_333_333) }),
  "a name of ten million letters": () => ({
    ...graph([], [], []),
    inputs: [{ name: "€".repeat(10 * MILLION), shape: [] }],
  }),
  "a shape of 10¹²": () => ({ ...graph([], [], []), inputs: [{ name: "x", shape: [1e12] }] }),
  "a broadcast to 10¹²": () =>
    inNode({ op: "broadcast_to", attributes: { shape: [1e6, 1e6] }, parents: [0] }),
};

const longName = "a".repeat(10 * MILLION);
const bare = { format: "adjudge.case.v1", tangents: [], seeds: [] };

const others: Record<string, Attempt> = {
  "a case with an entry whose name has ten million letters": () =>
    checkCase({ ...bare, graph: graph([], [], []), point: { inputs: [], environment: { [longName]: 0 } } }),
  "a case with 10⁵ undeclared entries": () => {
    const environment = keyed(100_000, () => ({ shape: [], data: [0] }));
    return checkCase({ ...bare, graph: graph([], [], []), point: { inputs: [], environment } });
  },
  "a reply of a million bad elements": () =>
    validateReply({
      id: 1,
      kind: "tensors",
      tensors: [{ shape: [MILLION], data: filled(MILLION, () => 0.5) }],
    }),
  "a reply of nested arrays": () => validateReply({ id: 1, kind: "tensors", tensors: nested() }),
  "a reply whose kind has ten million letters": () => validateReply({ id: 1, kind: longName }),
  "a load of nested arrays": () =>
    validateRequest({ id: 1, kind: "load", program: 1, dtype: "float64", graph: nested() }),
};

function report(name: string, attempt: Attempt): void {
  // What earlier inputs left behind is not this one's cost.
  globalThis.gc?.();
  const result = attempt();
  const issues = result.ok ? [] : result.error;
  const size = JSON.stringify(issues).length;
  const megabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(
    `${JSON.stringify({ name, ok: result.ok, issues: issues.length, size, megabytes })}\n`,
  );
}

function attemptsOf(group: string | undefined): [string, Attempt][] {
  if (group === "texts")
    return Object.entries(texts).map(([name, text]) => [name, () => checkGraphText(text())]);
  if (group === "graphs")
    return Object.entries(graphs).map(([name, json]) => [name, () => checkGraph(json())]);
  return Object.entries(others);
}

for (const [name, attempt] of attemptsOf(process.argv[2])) report(name, attempt);
