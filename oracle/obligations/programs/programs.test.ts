import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { faultsOfForm } from "../form.ts";
import { askedOf, isProved, prove } from "../prove.ts";
import { z3 } from "../solve/index.ts";
import { programObligations } from "./index.ts";
import { needObligations } from "./needs.ts";

const solver = z3();
afterAll(() => solver[Symbol.asyncDispose]());

/** docs/needs.md lists by primitive and operand what its cotangent reads of the run. */
const documented: readonly string[] = readFileSync(new URL("../../../docs/needs.md", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, op = "", cells = ""] = /^\| `([a-z0-9_]+)` \| ([^|]+) \|/.exec(line) ?? [];
    return cells.split(";").flatMap((cell, place) => {
      const names = [...cell.matchAll(/x[0-9]+|y/g)].map(([name]) => name);
      return names.length === 0 ? [] : [`${op}/${place}: ${names.join(" ")}`];
    });
  });

/** These have every kind of need: an operand, the value, both, a kink. `npm run prove` asks the rest. */
const chosen = /^programs\/(?!needs)|needs\/(exp|multiply|divide|maximum|det)\//;

describe("what is said of programs with memory is proved, and every fault shows in the code that runs", () => {
  test.each(programObligations().filter(({ id }) => chosen.test(id)))("$id", async (obligation) => {
    expect(faultsOfForm(obligation)).toEqual([]);
    const record = await prove(obligation, solver);
    expect(record.faults).toEqual([]);
    for (const { reply } of askedOf(record)) expect((reply.spent ?? 0) * 3).toBeLessThan(obligation.rlimit);
  });
});

describe("the obligations of needs", () => {
  test("are those of the table: one for each operand that reads something, of no more and no less", () => {
    const said = needObligations().map(({ id, hypotheses }) => {
      const names = hypotheses.map(({ name }) => name.replace(/^same\.|\.[0-9]+$/g, ""));
      return `${id.replace("programs/needs/", "")}: ${[...new Set(names)].join(" ")}`;
    });
    expect(said).toEqual(documented);
    expect(said.length).toBeGreaterThan(35);
  });

  test("would not be proved of a table that keeps too little, or too much", async () => {
    const [product] = needObligations().filter(({ id }) => id === "programs/needs/multiply/0");
    if (product === undefined) throw new Error("multiply needs its other operand");
    const little = { ...product, hypotheses: [], requiredCore: [], mutants: [] };
    expect((await prove(little, solver)).goal.reply.answer.kind).toBe("refuted");
    const more = { name: "same.c", formula: "(= c.0 c.0)" };
    const much = { ...product, hypotheses: [...product.hypotheses, more] };
    expect(isProved(await prove(much, solver))).toBe(false);
  });
});
