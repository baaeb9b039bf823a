import { cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createColors } from "picocolors";
import { afterAll, describe, expect, test } from "vitest";
import { allObligations, z3 } from "../../oracle/obligations/index.ts";
import { discharged, interpret, rational } from "../../reference/package.ts";
import { nodeId, type PrimitiveGraph, primitiveNames } from "../../spec/index.ts";
import { exitCodes } from "../terminal/exit.ts";
import { proveWith } from "./proving.ts";

// This simulates a wrong change of rules: two operators are missing from this process's record.
for (const op of ["matmul", "multiply"]) Reflect.deleteProperty(discharged, op);

const folder = await mkdtemp(join(tmpdir(), "adjudge-recovery-"));
afterAll(() => rm(folder, { recursive: true }));

const product: PrimitiveGraph = {
  format: "adjudge.graph.v1",
  inputs: [{ name: "x", shape: [] }],
  environment: [],
  nodes: [{ op: "multiply", attributes: {}, parents: [nodeId(0), nodeId(0)] }],
};

/** These obligations run the rules of the two operators, on a graph and a tape, and rest on the others. */
const needed = (id: string): boolean =>
  /^(operators\/(matmul|multiply)|graphs\/polynomial_01$|tape\/(base|entries|frame|step|real_code\/8$))/.test(
    id,
  );

describe("a record of discharge that lacks operators", () => {
  test("makes no graphs of them", () => {
    expect(primitiveNames.filter((op) => discharged[op] === undefined)).toEqual(["multiply", "matmul"]);
    const meaning = interpret(product, rational);
    expect(meaning.ok ? [] : meaning.error.map(({ code }) => code)).toEqual(["graph/undischarged"]);
  });

  test("hinders no obligation: what is proved puts the operators back", async () => {
    const obligations = (await allObligations()).filter(({ id }) => needed(id));
    expect(obligations.length).toBeGreaterThan(10);
    await mkdir(join(folder, "oracle", "obligations"), { recursive: true });
    for (const room of ["reference", "spec"])
      await cp(new URL(`../../${room}`, import.meta.url), join(folder, room), { recursive: true });
    const terminal = {
      palette: createColors(false),
      columns: 80,
      out: () => {},
      note: () => {},
      progress: () => {},
    };
    const code = await proveWith(undefined, { tier: "all", seeds: 1, lanes: 1, write: true }, terminal, {
      obligations: async () => obligations,
      makeSolver: z3,
      second: async () => undefined,
      folder,
      cache: join(folder, "cache"),
    });
    expect(code).toBe(exitCodes.agrees);
    const record = await readFile(join(folder, "reference", "operators", "discharged.ts"), "utf8");
    expect([...record.matchAll(/^ {2}(\w+): \{ rules: "[0-9a-f]{32}"/gm)].map(([, op]) => op)).toEqual([
      "multiply",
      "matmul",
    ]);
  });
});
