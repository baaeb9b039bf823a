import { describe, expect, test } from "vitest";
import { at, type Node, nodeId, program } from "../../spec/index.ts";
import { soundParts } from "../interpretation/index.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import { OperationTable } from "./operations.ts";

const nothing = new Map();

function full(value: number, shape: readonly number[] = [1]): Node {
  return { op: "full", attributes: { shape, value }, parents: [] };
}

const square: Node = { op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(0)] };

describe("OperationTable", () => {
  test("makes an operation once for all nodes that are written alike", () => {
    const table = new OperationTable("float64", soundParts);
    expect(table.of(full(2), [], nothing)).toBe(table.of(full(2), [], nothing));
    expect(table.of(full(2), [], nothing)).not.toBe(table.of(full(3), [], nothing));
    expect(table.of(square, [[2], [2]], nothing)).not.toBe(table.of(square, [[3], [3]], nothing));
  });

  test("tells entries of Δ of one name and other shapes", () => {
    const table = new OperationTable("float64", soundParts);
    const constant: Node = { op: "constant", attributes: { name: "c" }, parents: [] };
    const declared = (extent: number) =>
      new Map([["c", { name: "c", kind: "real" as const, shape: [extent] }]]);
    expect(table.of(constant, [], declared(2)).shape).toEqual([2]);
    expect(table.of(constant, [], declared(3)).shape).toEqual([3]);
  });

  test("tells numbers that JSON writes alike", () => {
    const table = new OperationTable("float64", soundParts);
    const alike = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of [...alike, ...alike])
      expect(table.of(full(value), [], nothing).value([], nothing)[0]).toBe(value);
  });

  test("does not keep an operation of many elements", () => {
    const table = new OperationTable("float64", soundParts);
    const large = full(1, [5000]);
    expect(table.of(large, [], nothing)).not.toBe(table.of(large, [], nothing));
  });

  test("keeps no more than so many", () => {
    const table = new OperationTable("float64", soundParts);
    const first = table.of(full(0), [], nothing);
    for (let value = 1; value <= 1100; value++) table.of(full(value), [], nothing);
    expect(table.of(full(0), [], nothing)).not.toBe(first);
  });
});

test("two programs of one engine have the zero that each of them writes", async () => {
  const engine = interpreterEngine();
  const quotients: number[] = [];
  for (const zero of [0, -0]) {
    const written = program(({ full }) => [
      full({ shape: [], value: 1 }).divide(full({ shape: [], value: zero })),
    ]);
    const loaded = await engine.programs?.loadProgram(written, "float64");
    if (loaded?.kind !== "result") throw new Error("not loaded");
    const reply = await loaded.value.call({
      mode: "evaluate",
      parameters: [],
      environment: new Map(),
      received: new Map(),
      tangents: [],
      seeds: [],
      session: { state: [], generator: { key: [1, 2], drawn: 0 } },
    });
    if (reply.kind !== "result") throw new Error(reply.kind);
    quotients.push(...at(reply.value.results, 0).data);
  }
  expect(quotients).toEqual([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
});
