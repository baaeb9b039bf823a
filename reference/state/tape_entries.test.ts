import { describe, expect, test } from "vitest";
import { compositeNames, exampleOf, expand, nodeId, program, shapesOf, sizeOf } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { rational } from "../algebras/rational.ts";
import { outputSaving } from "../tapes/output_saving.ts";
import { subjectOf } from "../tapes/subject.ts";
import { record } from "./execute.ts";
import { exactly, startAt } from "./state.test.kit.ts";
import { type TapeEntry, tapeEntriesOf } from "./tape_entries.ts";

/** Counts the elements of all that entries save, each value once. */
function savedElements(entries: readonly TapeEntry[], sizes: readonly number[]): number {
  const kept = new Set(entries.flatMap(({ saved }) => saved));
  return [...kept].reduce((total, id) => total + (sizes[id] ?? 0), 0);
}

/** Counts what the tape that saves what rules read holds when its recording is over. */
function heldElements(op: (typeof compositeNames)[number]): number {
  const { graph } = expand(exampleOf(op));
  const subject = subjectOf(graph, float64);
  if (!subject.ok) return expect.unreachable(JSON.stringify(subject.error));
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => 1 + i / 8);
  const x = graph.inputs.map(({ shape }) => ({ shape, data: numbers(sizeOf(shape)) }));
  const environment = new Map(
    graph.environment.map(({ name, kind, shape }) => [
      name,
      kind === "index"
        ? ({ kind, shape, indices: numbers(sizeOf(shape)).map(() => 0) } as const)
        : ({ kind, tensor: { shape, data: numbers(sizeOf(shape)) } } as const),
    ]),
  );
  const tape = outputSaving.record(subject.value, { x, environment });
  return tape.ok ? tape.value.measure().savedElements : expect.unreachable(JSON.stringify(tape.error));
}

describe("the entries of a tape", () => {
  test.each(
    compositeNames.filter((op) => op !== "differentiate"),
  )("save together what the tape output-saving holds: %s", (op) => {
    const tape = tapeEntriesOf(exampleOf(op));
    if (!tape.ok) throw new Error(JSON.stringify(tape.error));
    const { entries, shapes } = tape.value;
    expect(shapes).toEqual(shapesOf(expand(exampleOf(op)).graph));
    expect(savedElements(entries, shapes.map(sizeOf))).toBe(heldElements(op));
  });

  test("would be told apart from a tape that saves all operands, or no value of its own", () => {
    const tape = tapeEntriesOf(exampleOf("softmax"));
    if (!tape.ok) throw new Error(JSON.stringify(tape.error));
    const { entries, shapes } = tape.value;
    const sizes = shapes.map(sizeOf);
    const held = heldElements("softmax");
    expect(
      savedElements(
        entries.map((one) => ({ ...one, saved: one.node.parents })),
        sizes,
      ),
    ).not.toBe(held);
    const without = entries.map((one) => ({ ...one, saved: one.saved.filter((id) => id !== one.id) }));
    expect(savedElements(without, sizes)).not.toBe(held);
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
