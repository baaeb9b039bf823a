import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { at, nodeId, type PrimitiveGraph } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { noEnvironment, scalar } from "../hand.test.kit.ts";
import { subjectOf } from "./subject.ts";
import { tapeSystems } from "./table.ts";

const page = readFileSync(new URL("../../docs/tapes.md", import.meta.url), "utf8");

const LENGTH = 256;

/** A sine of a sine of … x. */
const chain: PrimitiveGraph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: Array.from({ length: LENGTH }, (_, id) => ({ op: "sin", attributes: {}, parents: [nodeId(id)] })),
};

/** Returns the rows of the table under a heading, cell by cell. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the page has every system of the table, in its order, with what it says of itself", () => {
  const rows = rowsUnder("The systems");
  expect(rows.map(([name]) => name)).toEqual(tapeSystems.map(({ name }) => `\`${name}\``));
  const claims = { bits: "the reference's bits", exact: "rounded otherwise", bounded: "bounded" };
  const reaches = { all: "all ids", inputs: "Γ" };
  expect(rows.map((row) => [at(row, 3), at(row, 4)])).toEqual(
    tapeSystems.map(({ reach, claim }) => [reaches[reach], claims[claim]]),
  );
});

test("the page has the figures of a chain of 256 sines", () => {
  const measured = tapeSystems.map((system) => {
    const subject = subjectOf(chain, float64);
    if (!subject.ok) return expect.unreachable("floats have a sine");
    const last = nodeId(LENGTH);
    const tape = system.record(subject.value, { x: [scalar(0.5)], environment: noEnvironment }, [last]);
    if (!tape.ok) return expect.unreachable(JSON.stringify(tape.error));
    expect(tape.value.backward(new Map([[last, scalar(1)]])).ok).toBe(true);
    const { entries, savedElements, bytes, recomputedOperations, bytesMoved, livePeak } =
      tape.value.measure();
    const figures = [entries, savedElements, bytes, recomputedOperations, bytesMoved, livePeak];
    return [`\`${system.name}\``, ...figures.map((figure) => figure.toLocaleString("en"))];
  });
  expect(rowsUnder("What they take")).toEqual(measured);
  const beside = measured.map((cells) => [at(cells, 0), at(cells, 6), at(cells, 4)]);
  expect(rowsUnder("The systems").map((cells) => [at(cells, 0), ...cells.slice(-2)])).toEqual(beside);
});
