import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { discharged } from "../../../reference/package.ts";
import { primitiveNames } from "../../../spec/index.ts";
import { dischargeModule, dischargeRecord, staleIn } from "./discharge.ts";
import { operatorObligations } from "./index.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../../reference/${path}`, import.meta.url), "utf8");

const results = operatorObligations().map(({ id }) => ({ id, isProved: true }));

describe("the record of discharge", () => {
  test("has every primitive, of the rules as they are now", () => {
    expect(primitiveNames.filter((op) => discharged[op] === undefined)).toEqual([]);
    expect(staleIn(discharged, read)).toEqual([]);
  });

  test("is what is written if every obligation is proved", () => {
    expect(dischargeModule(dischargeRecord(results, read))).toBe(read("operators/discharged.ts"));
  });

  test("goes stale with a changed rule, and with nothing else", () => {
    const changed = (path: string): string =>
      path === "operators/matmul.ts" ? read(path).replace("transpose(operand", "(operand") : read(path);
    expect(staleIn(discharged, changed)).toEqual(["matmul"]);
  });

  test("goes stale with what rules import, and with forward mode", () => {
    const touched = (touchedPath: string) => (path: string) =>
      read(path) + (path === touchedPath ? "\n" : "");
    expect(staleIn(discharged, touched("operators/cofactors.ts"))).toEqual(["solve", "det"]);
    expect(staleIn(discharged, touched("algebras/dual.ts"))).toEqual(primitiveNames);
  });

  test("leaves out an operator with one obligation that is not proved, or with none", () => {
    const doubtful = results.map(({ id }) => ({ id, isProved: id !== "operators/det/adjoint/2x2" }));
    expect(dischargeRecord(doubtful, read).det).toBeUndefined();
    expect(dischargeRecord([], read)).toEqual({});
  });
});
