import { describe, expect, test } from "vitest";
import { graph } from "../builder/graph.ts";
import { isCompositeName } from "../composites/table.ts";
import { checkProgram } from "../documents/programs/check.ts";
import { program } from "../program_builder/index.ts";
import { nodeId } from "../shapes/node_id.ts";
import { expandProgram } from "./expand.ts";
import { operatorsOfProgram, type Program, statementsOf } from "./program.ts";
import { everyStatement } from "./specimens.test.data.ts";

const nothing = (): boolean => false;
const kinds = (all: Program): string[] => statementsOf(all).map((statement) => statement.do);

/** Writes a program out, and checks that it is still a program. */
function written(whole: Program, isKept: Parameters<typeof expandProgram>[1] = nothing): Program {
  const expanded = expandProgram(whole, isKept);
  expect(checkProgram(expanded)).toEqual({ ok: true, value: expanded });
  return expanded;
}

describe("a program whose composites are written out", () => {
  test("is the program itself where there are none, or where all are kept", () => {
    const plain = program(({ input }) => [input("x", [2]).multiply(input("y", [2]))]);
    expect(expandProgram(plain, nothing)).toBe(plain);
    expect(expandProgram(everyStatement, () => true)).toBe(everyStatement);
    const wanting = program(({ input }) => [input("x", [2]).sigmoid()]);
    expect(expandProgram(wanting, (op) => op === "sigmoid")).toBe(wanting);
    expect(expandProgram(wanting, nothing)).not.toBe(wanting);
  });

  test("has none of them left in any block or procedure, and keeps names, results and all other statements", () => {
    const whole = program(
      ({ input, state, buffer, if_, for_, while_, noGrad, checkpoint, procedure, call }) => {
        const x = input("x", [2]);
        const total = state("total", [2]);
        const v = { name: "v", kind: "reference", shape: [2] } as const;
        const root = procedure("root", [v], (given) => [(given ?? x).square()]);
        const b = buffer(x.abs());
        for_(2, (i) => b.at(i).update("minimum", i));
        if_(
          b.at(0).read().sign(),
          () => total.write(b.sigmoid()),
          () => total.write(x.silu()),
        );
        while_(b.at(0).read().sign(), 3, () => noGrad(() => b.update("minimum", x.negative())));
        checkpoint(() => total.update("add", b.softplus()));
        b.writeWhere(x.sign(), x, "minimum");
        const view = b.view({ kind: "permute", axes: [0] });
        return [...call(root, view), x.square()];
      },
    );
    const expanded = written(whole);
    expect(operatorsOfProgram(whole).filter(isCompositeName).length).toBeGreaterThan(6);
    expect(operatorsOfProgram(expanded).filter(isCompositeName)).toEqual([]);
    expect(expanded.procedures.map(({ body: _, ...rest }) => rest)).toEqual(
      whole.procedures.map(({ body: _, ...rest }) => rest),
    );
    const others = (all: Program): string[] =>
      kinds(all).filter((kind) => !["let", "update", "write", "write_where"].includes(kind));
    expect(others(expanded)).toEqual(others(whole));
    // An update by one becomes a write; under a mask too, instead of the statement.
    const minima = statementsOf(whole).filter(
      (one) => "op" in one && one.do !== "let" && one.op === "minimum",
    ).length;
    expect(kinds(expanded).filter((kind) => kind === "write")).toHaveLength(
      kinds(whole).filter((kind) => kind === "write").length + minima,
    );
  });

  test("makes up names that the program does not have", () => {
    const taken: Program = {
      format: "adjudge.program.v1",
      state: [{ name: "%w1", shape: [2] }],
      environment: [],
      procedures: [
        {
          name: "main",
          parameters: [{ name: "%w2", kind: "value", shape: [2] }],
          body: [
            {
              do: "for",
              counter: "%w3",
              times: 1,
              body: [{ do: "let", name: "%w4", op: "tan", attributes: {}, operands: ["%w2"] }],
            },
            { do: "let", name: "y", op: "silu", attributes: {}, operands: ["%w1"] },
          ],
          results: [{ name: "y", shape: [2] }],
        },
      ],
    };
    const names = statementsOf(written(taken)).flatMap((one) => (one.do === "let" ? [one.name] : []));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => ["%w1", "%w2", "%w3"].includes(name))).toEqual([]);
    expect(names.filter((name) => name === "%w4" || name === "y")).toEqual(["%w4", "y"]);
  });

  test("reads a location once, into a value, and a value where it is needed", () => {
    const reads = (whole: Program, name: string): number =>
      statementsOf(written(whole))
        .flatMap((one) => (one.do === "let" ? one.operands : []))
        .filter((of) => of === name).length;
    const location = program(({ input, state }) => [input("x", [2]).add(state("b", [2]).silu())]);
    const value = program(({ input }) => [input("b", [2]).silu()]);
    expect(reads(location, "b")).toBe(1);
    expect(reads(value, "b")).toBeGreaterThan(1);
  });

  test("has the inner graph of a derivative written out where that is kept", () => {
    const inner = graph(({ input }) => input("x").square());
    const whole = program(({ input, differentiate }) => {
      const x = input("x");
      return [differentiate(x, x, { graph: inner, mode: "vjp", of: nodeId(1), wrt: nodeId(0) })];
    });
    const [kept] = statementsOf(written(whole, (op) => op === "differentiate"));
    expect(kept).toMatchObject({
      op: "differentiate",
      attributes: { graph: { nodes: [{ op: "multiply" }] } },
    });
    expect(operatorsOfProgram(written(whole))).not.toContain("differentiate");
  });
});
