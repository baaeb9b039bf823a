import { describe, expect, test } from "vitest";
import { type LoopProgram, type Pass, type Passes, soundPasses } from "../../engines/compile/plan/index.ts";
import { int32Register, type Register } from "../../reference/numerics/index.ts";
import { at, type Graph, graph, idCount, nodeId, type OperatorName, present } from "../../spec/index.ts";
import { caseAt, profiles } from "../generate/index.ts";
import { graphSums, type SumsAsked } from "./graph_sums.ts";
import { type PlanStep, planSums } from "./plan_sums.ts";

const register: Register = int32Register(12);

function asked(of: Graph): SumsAsked {
  const wrt = of.inputs.map((_, id) => nodeId(id));
  return { graph: of, of: [nodeId(idCount(of) - 1)], wrt, register, batches: 1, given: undefined };
}

function stepsOf(of: Graph, passes = soundPasses): PlanStep[] {
  return planSums(asked(of), graphSums(asked(of)), passes);
}

/** This sums over rows the sums along them. */
const twoSums: Graph = graph(({ input }) => {
  input("x", [30, 40])
    .sum({ axes: [1], keepdims: false })
    .sum({ axes: [0], keepdims: false });
});

/** Merges two folds, where the second only reads the first, into one over both: right for real numbers. */
function merged(program: LoopProgram): LoopProgram {
  const count = program.sources.length;
  const instructions = program.instructions.map((outer) => {
    if (outer.kind !== "fold" || outer.operation !== "add" || outer.expression.kind !== "read") return outer;
    const read = at(outer.reads, outer.expression.read);
    const inner = program.instructions[read.value - count];
    if (inner?.kind !== "fold" || inner.operation !== "add" || outer.shape.length > 0) return outer;
    const [body] = inner.reads;
    if (body === undefined || inner.reads.length > 1 || inner.shape.length !== 1) return outer;
    const over = [...inner.shape, ...inner.over];
    return { ...inner, shape: [], over };
  });
  return { ...program, instructions };
}

const merging =
  (sound: Pass): Pass =>
  (program, isFrugal) => {
    const after = sound(program, isFrugal);
    const planted = merged(after.program);
    const isSame = planted.instructions.every((one, n) => one === after.program.instructions[n]);
    return isSame ? after : { program: planted, fired: after.fired + 1 };
  };

describe("the sums of a plan", () => {
  test("are stated anew where a fold takes products in: the square of a layer that is summed", () => {
    const square = graph(({ input }) => {
      const [x, w] = [input("x", [32, 20]), input("w", [20, 30])];
      const y = x.matmul(w);
      y.multiply(y).sum({ axes: [0, 1], keepdims: false });
    });
    const told = stepsOf(square).filter(({ restated }) => restated.length > 0);
    expect(told.map(({ name }) => name)).toEqual(["fold_fusion"]);
    expect(told[0]?.restated).toMatchObject([{ terms: 960, greatest: [-2048n, -2048n] }]);
    expect(told[0]?.owed).toEqual([]);
  });

  test("are stated anew where what is looked up is added in the place of another cotangent", () => {
    const lookup = graph(({ input, indices, concat }) => {
      const x = input("x", [40, 3]);
      concat(x.take({ axis: 0, indices: indices("rows", [5]) }), x.exp(), { axis: 0 });
    });
    const [{ name, restated } = { name: "", restated: [] }] = stepsOf(lookup).filter(
      (step) => step.name === "accumulation_in_place",
    );
    expect([name, restated.map(({ terms }) => terms)]).toEqual(["accumulation_in_place", [6]]);
  });

  test("are owed by a planted pass that merges two sums and claims to keep them", () => {
    expect(stepsOf(twoSums).flatMap(({ restated }) => restated)).toEqual([]);
    for (const name of ["zeros", "view_composition", "common_subexpressions"] as const) {
      const planted = { ...soundPasses, [name]: merging(soundPasses[name]) };
      const owed = stepsOf(twoSums, planted).filter((step) => step.owed.length > 0);
      expect(owed.map((step) => step.name)).toEqual([name]);
      expect(owed[0]?.owed).toMatchObject([{ terms: 1200 }]);
    }
  });

  test("are owed by planted checkpoints that sum again what was summed", () => {
    const layers = graph(({ input }) => {
      const [x, w] = [input("x", [8, 20]), input("w", [20, 20])];
      let y = x;
      for (let layer = 0; layer < 4; layer++) y = y.matmul(w).tanh();
    });
    expect(stepsOf(layers).map(({ name }) => name)).toContain("checkpointing");
    const checkpointing: Passes["checkpointing"] = (program, options) => {
      const cut = soundPasses.checkpointing(program, options);
      const instructions = cut.program.instructions.map((one) =>
        one.kind === "fold" ? { ...one, over: [2, ...one.over] } : one,
      );
      return { ...cut, program: { ...cut.program, instructions } };
    };
    const owed = stepsOf(layers, { ...soundPasses, checkpointing }).filter((step) => step.owed.length > 0);
    expect(owed.map(({ name }) => name)).toEqual(["checkpointing"]);
  });

  test("are stated anew, and not owed, where the pass says that it merges", () => {
    const planted = { ...soundPasses, fold_fusion: merging(soundPasses.fold_fusion) };
    const steps = stepsOf(twoSums, planted);
    expect(steps.flatMap(({ owed }) => owed)).toEqual([]);
    expect(steps.flatMap(({ restated }) => restated)).toMatchObject([{ terms: 1200 }]);
  });

  test("are stated anew where the lowering writes a composite in its own way", () => {
    const greatest = graph(({ input }) => {
      input("x", [3, 3]).max({ axes: [0, 1], keepdims: false });
    });
    const restating = stepsOf(greatest).filter(({ restated }) => restated.length > 0);
    expect(restating.map(({ name }) => name)).toContain("lowering");
    expect(restating.flatMap(({ owed }) => owed)).toEqual([]);
  });

  test("are owed by no pass of ours, in random graphs", () => {
    const names = new Set<string>();
    const named = (name: string) => present(profiles.get(name), name);
    const operators: OperatorName[] = ["slice", "concat", "take", "multiply", "sin"];
    const parts = { ...named("tensor"), name: "parts", nodes: [4, 10], inputs: [1, 2], operators } as const;
    for (const profile of [named("tensor"), named("composite"), named("wide"), named("network"), parts])
      for (let index = 0; index < 60; index++) {
        const { graph: some } = caseAt(profile, 1907, index);
        for (const step of stepsOf(some)) {
          expect(step.owed, `${profile.name} ${index}, ${step.name}`).toEqual([]);
          if (step.restated.length > 0) names.add(step.name);
        }
      }
    expect(names).toEqual(new Set(["lowering", "map_fusion", "fold_fusion"]));
  });
});
