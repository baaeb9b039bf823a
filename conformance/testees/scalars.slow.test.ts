import { describe, expect, it } from "vitest";
import { judge } from "../../oracle/index.ts";
import type { Node } from "../../spec/index.ts";
import { smoke } from "../runner/index.ts";
import {
  expectByHand,
  expectDenseCotangents,
  expectRowsOfIndices,
  expectSlopesAtZero,
  expectSpecialNumbers,
  loaded,
  node,
  processStarted,
  question,
  resultOf,
  scalar,
  seed,
} from "./asking.test.kit.ts";
import { bundledEngine } from "./bundled.ts";
import { handComputed } from "./hand.test.cases.ts";
import { expectMovesByNodes } from "./moves.test.cases.ts";
import { scalarTestees } from "./scalars.ts";

/** What is known of a library. */
interface Known {
  readonly version: string;
  readonly language: string;
  readonly modes: readonly string[];
  /** These steps of smoke fail, and the library is to blame. */
  readonly faults: readonly string[];
  /** A node with a wrong answer at that number: an upgrade that mends it fails here. */
  readonly wrong: readonly (readonly [at: number, nodes: readonly Node[]])[];
}

const forward = ["evaluate", "jvp"];

const known: Readonly<Record<string, Known>> = {
  "num-dual": {
    version: "0.15.1",
    language: "Rust",
    modes: forward,
    faults: ["atan2 float64 jvp"],
    wrong: [
      [400, [node("tanh", {}, 0)]],
      [0, [node("sqrt", {}, 0)]],
    ],
  },
  gonum: {
    version: "0.17.0",
    language: "Go",
    modes: forward,
    faults: [],
    wrong: [
      [1e-317, [node("log", {}, 0)]],
      [1e200, [node("asinh", {}, 0)]],
    ],
  },
  cppad: {
    version: "20250000.2",
    language: "C++",
    modes: ["evaluate", "vjp", "backward_dense"],
    faults: [],
    wrong: [[2, [node("full", { shape: [], value: -1 }), node("atan2", {}, 0, 1)]]],
  },
  "commons-math": {
    version: "3.6.1",
    language: "Java",
    modes: forward,
    faults: [],
    wrong: [
      [-2, [node("pow", {}, 0, 0)]],
      [1e200, [node("asinh", {}, 0)]],
    ],
  },
};

describe.each(scalarTestees)("the scalars of $name", ({ name, setUp, command }) => {
  const started = command();
  const told = known[name] ?? expect.unreachable(name);

  it.skipIf(started !== undefined)("are missing, and the reason builds their adapter", async () => {
    expect(await bundledEngine(name)?.start({})).toEqual({ kind: "missing", reason: setUp });
  });

  describe.skipIf(started === undefined)(
    started === undefined ? `(skipped: ${setUp})` : "where they are built",
    () => {
      const engine = processStarted(started);
      const hasReverse = told.modes.includes("vjp");

      it("introduce themselves, with the kit's operators beside the library's", () => {
        const { version, language, modes, operators } = engine().describe();
        expect({ version, language, modes: [...modes] }).toEqual({
          version: told.version,
          language: told.language,
          modes: told.modes,
        });
        for (const op of ["exp", "matmul", "scatter_add", "pad", "where"]) expect(operators).toContain(op);
        expect(operators).not.toContain("bernoulli_mask");
      });

      it("pass smoke, but for what the library does wrong", async () => {
        const { steps, engineFaults } = await smoke(started ?? expect.unreachable("it is built"));
        const failed = steps.filter(({ outcome }) => outcome.kind === "failed").map((step) => step.name);
        expect([failed, engineFaults]).toEqual([told.faults, told.faults]);
        expect(steps.length).toBeGreaterThan(100);
      });

      it("have the values that are known by hand, and the cotangents where there is a reverse mode", async () => {
        const promised = new Set<string>(engine().describe().operators);
        const fitting = handComputed.filter(({ graph }) => graph.nodes.every(({ op }) => promised.has(op)));
        expect(fitting.length).toBeGreaterThan(10);
        for (const one of fitting) {
          if (hasReverse) await expectByHand(engine(), "float64", one);
          else {
            const program = await loaded(engine(), one.graph, "float64");
            expect([one.title, resultOf(await program.evaluate(one.point))]).toEqual([one.title, one.values]);
          }
        }
        await expectSpecialNumbers(engine(), "float64");
        await expectRowsOfIndices(engine());
        if (!hasReverse) return;
        await expectDenseCotangents(engine());
        await expectMovesByNodes(engine());
        await expectSlopesAtZero(engine());
      });

      it("answer a seed that does not fit with an error, and the next question with an answer", async () => {
        const { graph, point } = question([scalar(2)], [node("negative", {}, 0)]);
        const program = await loaded(engine(), graph, "float64");
        const wrong = { ...point, inputs: [scalar(1), scalar(2)] };
        expect(await program.evaluate(wrong)).toMatchObject({ kind: "error" });
        if (hasReverse)
          expect(await program.vjp(point, [seed(7, scalar(1))])).toMatchObject({ kind: "error" });
        expect(await program.evaluate(point)).toMatchObject({ kind: "result" });
      });

      it("have the faults that are known, and are right beside them", async () => {
        const asked = [...told.wrong, [2, [node("exp", {}, 0)]] as const];
        const said: string[] = [];
        for (const [at, nodes] of asked) {
          const { graph, point } = question([scalar(at)], nodes);
          const seeds = [seed(nodes.length, scalar(1))];
          const one = { graph, point, tangents: [scalar(1)], seeds };
          said.push((await judge(engine(), one, { dtype: "float64", laws: [], shrinkBudget: 0 })).kind);
        }
        expect(said).toEqual([...told.wrong.map(() => "disagrees"), "agrees"]);
      });
    },
  );
});

it("is asked by the names that the table has, and no others", async () => {
  expect(scalarTestees.map(({ name }) => name).toSorted()).toEqual(Object.keys(known).toSorted());
});
