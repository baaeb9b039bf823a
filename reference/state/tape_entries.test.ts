import { describe, expect, test } from "vitest";
import { compositeNames, exampleOf, expand, type Graph, nodeId, program } from "../../spec/index.ts";
import { rational } from "../algebras/rational.ts";
import { record } from "./execute.ts";
import { lifetimes } from "./lifetimes.ts";
import { exactly, startAt } from "./state.test.kit.ts";
import { type TapeEntry, tapeEntriesOf } from "./tape_entries.ts";

/** Names what entries save, as `reader: value`, in order. */
function savedBy(entries: readonly Pick<TapeEntry, "id" | "saved" | "savedEntries">[]): string[] {
  return entries
    .flatMap(({ id, saved, savedEntries }) => [...saved, ...savedEntries].map((one) => `${id}: ${one}`))
    .sort();
}

/** Names likewise what the pulls of a sweep from all ids to all inputs read. */
function readBy(graph: Graph): string[] {
  const expanded = expand(graph).graph;
  const ids = [...expanded.inputs, ...expanded.nodes].map((_, id) => nodeId(id));
  const wanted = { of: ids, wrt: ids.slice(0, expanded.inputs.length) };
  const lives = lifetimes(expanded, wanted, { countsGiven: true });
  if (!lives.ok) throw new Error(JSON.stringify(lives.error));
  return lives.value.values
    .flatMap((value) => {
      if (value.kind === "cotangent") return [];
      return value.neededBy.map((id) => `${id}: ${value.kind === "entry" ? value.name : value.id}`);
    })
    .sort();
}

function entriesOf(graph: Graph): readonly TapeEntry[] {
  const tape = tapeEntriesOf(graph);
  if (!tape.ok) throw new Error(JSON.stringify(tape.error));
  return tape.value.entries;
}

describe("the entries of a tape", () => {
  test.each(
    compositeNames.filter((op) => op !== "differentiate"),
  )("save what their pulls read on the way to an input: %s", (op) => {
    expect(savedBy(entriesOf(exampleOf(op)))).toEqual(readBy(exampleOf(op)));
  });

  test("would be told apart from a tape that saves all operands, or no value of its own", () => {
    const [entries, owed] = [entriesOf(exampleOf("softmax")), readBy(exampleOf("softmax"))];
    expect(savedBy(entries.map((one) => ({ ...one, saved: one.node.parents })))).not.toEqual(owed);
    const without = entries.map((one) => ({ ...one, saved: one.saved.filter((id) => id !== one.id) }));
    expect(savedBy(without)).not.toEqual(owed);
  });

  test("save nothing for the cotangent of a constant: of x times a number, the number alone", () => {
    const halved = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.multiply(0.5);
      a.update("multiply", a.greater(3).divide(2));
      return [y];
    });
    const recording = record(rational, halved, startAt([exactly([2], 3, 4)]));
    if (!recording.ok) throw new Error(JSON.stringify(recording.error));
    const tape = tapeEntriesOf(recording.value.graph, recording.value);
    if (!tape.ok) throw new Error(JSON.stringify(tape.error));
    const { entries } = tape.value;
    const [half, product] = entries;
    expect([product?.node.op, product?.saved, product?.isConstant]).toEqual(["multiply", [half?.id], false]);
    // What is said to be overwritten is saved.
    expect(product?.inPlace.map(({ overwrittenBy }) => overwrittenBy)).toEqual([undefined]);
    const constant = entries.filter(({ isConstant }) => isConstant);
    expect(constant.map(({ node }) => node.op)).toContain("divide");
    expect(constant.flatMap(({ saved }) => saved)).toEqual([]);
    expect(savedBy(entries)).toEqual(readBy(recording.value.graph));
  });

  test("tell what was saved where it lies, and the statement that overwrites it", () => {
    const squared = program(({ input, buffer }) => {
      const a = buffer(input("x", [2]));
      const y = a.multiply(a);
      a.at(0).update("add", y.sum({ axes: [0], keepdims: false }));
      a.at(1).update("multiply", 2);
      return [y, a];
    });
    const recording = record(rational, squared, startAt([exactly([2], 3, 4)]));
    if (!recording.ok) throw new Error(JSON.stringify(recording.error));
    const tape = tapeEntriesOf(recording.value.graph, recording.value);
    if (!tape.ok) throw new Error(JSON.stringify(tape.error));
    const [square] = tape.value.entries;
    expect(square).toMatchObject({ id: nodeId(1), saved: [nodeId(0)], isConstant: false });
    expect(square?.inPlace.map(({ memory, overwrittenBy }) => [memory, overwrittenBy?.do])).toEqual([
      [0, "update"],
      [0, "update"],
    ]);
  });

  test("say which nodes no input leads to", () => {
    const tape = tapeEntriesOf(expand(exampleOf("leaky_relu")).graph);
    const constants = tape.ok ? tape.value.entries.filter(({ isConstant }) => isConstant) : [];
    expect(constants.length).toBeGreaterThan(0);
    expect(constants.every(({ node }) => node.op !== "multiply")).toBe(true);
  });
});
