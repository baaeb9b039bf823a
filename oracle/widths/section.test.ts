import { describe, expect, test } from "vitest";
import { type LoopProgram, type Passes, soundPasses } from "../../engines/compile/plan/index.ts";
import {
  type BoundedSum,
  int32Register,
  quireRegister,
  type Register,
} from "../../reference/numerics/index.ts";
import { type Graph, graph, idCount, nodeId, standardPosit } from "../../spec/index.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { graphSums, type SumsAsked } from "./graph_sums.ts";
import { type PlanStep, planSums } from "./plan_sums.ts";
import { sectionOf } from "./section.ts";

function asked(of: Graph, register: Register, mode: "reverse" | "forward"): SumsAsked {
  const wrt = of.inputs.map((_, id) => nodeId(id));
  return { graph: of, of: [nodeId(idCount(of) - 1)], wrt, mode, register, batches: 1, given: undefined };
}

const layers: Graph = graph(({ input }) => {
  const [x, w] = [input("x", [32, 20]), input("w", [20, 30])];
  const y = x.matmul(w).tanh();
  y.multiply(y).sum({ axes: [0, 1], keepdims: false });
});

/** Tells whether a statement covers a sum, as the definition of a section says it. */
function isCovered(said: readonly BoundedSum[], sum: BoundedSum, { units }: Register): boolean {
  return said.some(
    ({ terms, least, greatest }) =>
      terms >= sum.terms && units(least) <= units(sum.least) && units(greatest) >= units(sum.greatest),
  );
}

/** Counts the sums of all stages that neither the graph's statement nor one made anew covers. */
function uncovered(steps: readonly PlanStep[], stated: readonly BoundedSum[], register: Register): number {
  const anew = sectionOf(steps).flatMap(({ kind, sums }) => (kind === "anew" ? sums : []));
  const said = [...stated, ...anew];
  return steps.flatMap(({ sums }) => sums).filter((sum) => !isCovered(said, sum, register)).length;
}

describe.each(["forward", "reverse"] as const)("the width invariant as a section, %s", (mode) => {
  const register = int32Register(12);

  test("covers the sums of every stage, of random graphs", () => {
    let stages = 0;
    for (let index = 0; index < 60; index++) {
      const question = asked(caseAt(tensorProfile, 7, index).graph, register, mode);
      const stated = graphSums(question);
      const steps = planSums(question, stated);
      expect(sectionOf(steps).filter(({ kind }) => kind === "broken")).toEqual([]);
      expect(uncovered(steps, stated, register)).toBe(0);
      stages += steps.length;
    }
    expect(stages).toBeGreaterThan(100);
  });

  test.each([
    "zeros",
    "view_composition",
    "dead_code",
  ] as const)("breaks at a planted %s that sums twice as much, and names it", (name) => {
    const twice = (program: LoopProgram): LoopProgram => ({
      ...program,
      instructions: program.instructions.map((one) =>
        one.kind === "fold" && one.operation === "add" ? { ...one, over: [2, ...one.over] } : one,
      ),
    });
    const planted: Passes = {
      ...soundPasses,
      [name]: (program: LoopProgram, isFrugal?: boolean) => ({
        program: twice(soundPasses[name](program, isFrugal).program),
        fired: 1,
      }),
    };
    const question = asked(layers, register, mode);
    const stated = graphSums(question);
    const steps = planSums(question, stated, planted);
    const broken = sectionOf(steps).filter(({ kind }) => kind === "broken");
    expect(broken.map((stage) => stage.name)).toContain(name);
    expect(uncovered(steps, stated, register)).toBeGreaterThan(0);
  });
});

describe("the sums of a forward run", () => {
  const told = (wrt: readonly number[]): string[] =>
    graphSums({ ...asked(layers, quireRegister(standardPosit(32)), "forward"), wrt: wrt.map(nodeId) }).map(
      ({ name, terms }) => `${name}: ${terms}`,
    );

  test("are those of values, and of the tangents that the direction moves", () => {
    const values = ["node 2 (matmul): 20", "node 5 (sum): 960"];
    expect(told([0]).toSorted()).toEqual(
      [...values, "node 2 (matmul), its tangent: 20", "node 5 (sum), its tangent: 960"].toSorted(),
    );
    expect(told([]).toSorted()).toEqual(values.toSorted());
  });

  test("have the slope among them where results have several elements", () => {
    const several = graph(({ input }) => void input("x", [3, 4]).exp());
    expect(graphSums(asked(several, quireRegister(standardPosit(16)), "forward"))).toMatchObject([
      { name: "the slope ∇f · v", terms: 12 },
    ]);
  });
});
