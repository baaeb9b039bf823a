import { describe, expect, test } from "vitest";
import { surveyOf } from "../../reference/forward_gradient/index.ts";
import { rational } from "../../reference/index.ts";
import { int32Register, quireRegister, type Register } from "../../reference/numerics/index.ts";
import type { DimensionsJson, GradientModeJson, GradientTreeJson } from "../../spec/explained/index.ts";
import { type Graph, graph, idCount, nodeId, present, siBases, undeclared } from "../../spec/index.ts";
import { standardPosit } from "../../spec/wire/index.ts";
import { explain, type Mode } from "../diagnosis/index.ts";
import { caseAt, tensorProfile } from "../generate/index.ts";
import { bundledTargets, checkTarget, type Target } from "../representations/index.ts";
import { gradientTrees, signaturesOf } from "./index.ts";
import { qualityOf } from "./quality.ts";

const modes: readonly Mode[] = [
  { kind: "forward", tangents: 1 },
  { kind: "reverse" },
  { kind: "checkpointed", slots: 3 },
];

const noUnits = undeclared(siBases);

interface Asking {
  readonly register?: Register;
  readonly wrt?: readonly number[];
  readonly targets?: readonly Target[];
  readonly dimensions?: DimensionsJson;
}

/** Grows the trees of the last id's gradients. */
function treesOf(of: Graph, asking: Asking = {}): readonly GradientTreeJson[] {
  const wrt = (asking.wrt ?? of.inputs.map((_, id) => id)).map((id) => nodeId(id));
  const last = [nodeId(idCount(of) - 1)];
  const assigned: DimensionsJson = {
    ...{ kind: "assigned", bases: ["m"], free: [], inputs: [], environment: [], results: [] },
    gradients: [
      { of: "f", cotangents: wrt.map(() => ({ name: "w", blocks: [{ ranges: [], dimension: "m" }] })) },
    ],
  };
  const grown = gradientTrees(of, {
    of: last,
    wrt,
    modes,
    hasViews: true,
    register: asking.register ?? quireRegister(standardPosit(32)),
    given: undefined,
    targets: asking.targets ?? [...bundledTargets.values()],
    dimensions: asking.dimensions ?? assigned,
  });
  return present(grown.ok ? grown.value : undefined, "trees").trees;
}

const layer: Graph = graph(({ input }) => {
  const [x, w] = [input("x", [3, 4]), input("w", [4, 5])];
  x.matmul(w)
    .tanh()
    .sum({ axes: [0, 1], keepdims: false });
});

const modeNamed = ({ modes: all }: GradientTreeJson, start: string): GradientModeJson =>
  present(
    all.find(({ mode }) => mode.startsWith(start)),
    start,
  );

describe("the tree of a gradient", () => {
  const [tree] = treesOf(layer, { wrt: [1] });
  const told = present(tree, "a tree");

  test("has a mode each, an accumulator of posit32's quire, and a sum for each that is taken", () => {
    expect(told).toMatchObject({
      wrt: "input w",
      elements: 20,
      measuredIn: "m",
      accumulator: { name: "quire:posit32", codes: "posit32", bits: 512, bytes: 64 },
    });
    const forward = modeNamed(told, "forward");
    const names = forward.sums.map(({ name, terms }) => `${name} ${terms}`);
    expect(names).toContain("node 2 (matmul), its tangent 4");
    expect(modeNamed(told, "reverse").sums.map(({ name }) => name)).toContain("node 2 (matmul), pulled back");
    expect(forward.proofs).toEqual(["widths/quire_posit32/integers", "widths/quire_posit32/words"]);
    expect(forward.stages.map(({ name }) => name)).toContain("lowering");
  });

  test("says of each target where its quire lives and what it costs, and of one without that there is none", () => {
    const { targets } = modeNamed(told, "forward");
    expect(targets.map(({ target }) => target)).toEqual(["x86_64", "fpga", "neuromorphic"]);
    const [x86, fpga, neuromorphic] = targets;
    expect(x86?.quire).toMatchObject({
      kind: "software",
      place: { where: "stack", bytes: 64, cacheLines: 1 },
      multiplyAdd: { cycles: 60 },
    });
    expect(fpga?.quire).toMatchObject({ kind: "hardware", multiplyAdd: { cycles: 1 } });
    expect(fpga?.quire.place?.cacheLines).toBeUndefined();
    expect(neuromorphic).toMatchObject({ quire: { kind: "none" }, roundings: 0, format: "sym16" });
    expect(neuromorphic?.quire).not.toHaveProperty("place");
    for (const { multiplyAdd, figures } of targets.map(({ quire }) => quire))
      expect(multiplyAdd?.source ?? figures[0]?.source).toMatch(/\w/);
  });

  test("rounds n − 1 times where a target has floats and no quire", () => {
    const target = checkTarget({
      format: "adjudge.target.v1",
      name: "plain",
      formats: [{ name: "float16", source: "s" }],
      quire: { kind: "none", figures: [] },
    });
    const targets = target.ok ? [target.value] : [];
    const [plain] = treesOf(layer, { wrt: [1], targets });
    const [one] = modeNamed(present(plain, "a tree"), "reverse").targets;
    expect(one).toMatchObject({ roundings: 14, accumulators: [{ accumulator: "float64" }] });
  });

  test("counts bytes of values and tangents in the format that is multiplied", () => {
    const forward = modeNamed(told, "forward");
    const reverse = modeNamed(told, "reverse");
    for (const { memory, targets } of [forward, reverse])
      for (const { bytesAtOnce, bitsEach } of targets) expect(bytesAtOnce).toBe((memory.now * bitsEach) / 8);
    // The values are a product, its tanh and their sum; forward each has a tangent.
    expect(forward.targets[0]?.classes).toEqual([
      { class: "stack", bytes: 2 * 4 * 30 },
      { class: "arena", bytes: 0 },
      { class: "heap", bytes: 2 * 4 },
    ]);
    expect(reverse.targets[0]?.classes).toContainEqual({ class: "arena", bytes: 4 * 15 });
  });

  test("says which sums do not fit a narrow register", () => {
    const [narrow] = treesOf(layer, { wrt: [1], register: int32Register(16) });
    const { sums } = modeNamed(present(narrow, "a tree"), "reverse");
    expect(sums.filter(({ fits }) => !fits).map(({ bitsNeeded }) => bitsNeeded)).toEqual([34, 33]);
  });

  test.each([
    [4, "x86_64", "sym8", 0, ["int32"]],
    [12, "x86_64", "float64", 14, ["float64"]],
    [12, "neuromorphic", "sym16", 0, ["int32"]],
    [16, "neuromorphic", "sym16", 0, ["int64", "int32"]],
  ] as const)("keeps codes of %d bits in the integers of %s, if there are such", (bits, name, format, roundings, some) => {
    const targets = [present(bundledTargets.get(name), name)];
    const [tree] = treesOf(layer, { wrt: [1], register: int32Register(bits), targets });
    const [one] = modeNamed(present(tree, "a tree"), "reverse").targets;
    expect(one).toMatchObject({ format, roundings, quire: { kind: "none", figures: [] } });
    expect(one?.accumulators.map(({ accumulator }) => accumulator)).toEqual(some);
  });

  test("gives no forward gradient by a value that is computed, and no dimension where none fits", () => {
    const obstruction = { says: "", left: "", right: "", bases: [], unknowns: [], grounds: [] };
    const [inner] = treesOf(layer, {
      wrt: [2],
      dimensions: { kind: "obstructed", bases: [], obstruction },
    });
    const own = present(inner, "a tree");
    expect(own).not.toHaveProperty("measuredIn");
    expect(modeNamed(own, "forward").isGiven).toBe(false);
    expect(modeNamed(own, "reverse").isGiven).toBe(true);
  });

  test("needs no tape and nothing that escapes forward, whatever the graph, and breaks at no stage", () => {
    let kept = 0;
    for (let index = 0; index < 16; index++) {
      const { graph: some } = caseAt(tensorProfile, 3, index);
      if (some.inputs.length === 0) continue;
      for (const one of treesOf(some, { wrt: [0] })) {
        expect(modeNamed(one, "forward")).toMatchObject({ escapes: 0, tape: { now: 0 } });
        kept += modeNamed(one, "reverse").escapes;
        for (const { stages, sums } of one.modes) {
          expect(stages.filter(({ kind }) => kind === "broken")).toEqual([]);
          expect(sums.every(({ fits }) => fits)).toBe(true);
        }
      }
    }
    expect(kept).toBeGreaterThan(5);
  });
});

describe("the quality of a forward gradient", () => {
  test("is what counting over all directions gives", () => {
    const product = graph(({ input }) => {
      input("x").multiply(input("y"));
    });
    const wrt = [nodeId(0), nodeId(1)];
    const texts = { inputs: [["3"], ["5"]], environment: new Map(), seeds: new Map([[nodeId(2), ["1"]]]) };
    for (const directions of [1, 2, 3]) {
      const survey = surveyOf(product, rational, texts, { wrt, directions, isExact: true });
      const told = present(survey.ok ? survey.value : undefined, "a survey");
      const counted = told.estimates.find(({ name }) => name === `mean of ${directions} Rademacher`);
      const factor = counted?.relative === "1" ? "" : `${counted?.relative} `;
      expect(qualityOf(product, wrt, { kind: "forward", tangents: directions })).toEqual({
        isGiven: true,
        quality: `unbiased, of variance ${factor}‖∇f‖², along ±1`,
      });
    }
  });
});

describe("the signatures of forward and reverse mode", () => {
  test("have memory, quality, tape and escape, and agree with what memory is told alone", () => {
    const of = [nodeId(idCount(layer) - 1)];
    const wrt = layer.inputs.map((_, id) => nodeId(id));
    const axis = { given: 0, axis: 0 };
    const told = signaturesOf(layer, { of, wrt, axis, hasViews: true });
    const memory = explain(layer, noUnits, { of, wrt, memory: { modes, axis, hasViews: true } });
    if (!told.ok || !memory.ok) throw new Error("no signature");
    const [forward, reverse] = present(memory.value.memory, "memory").modes;
    expect(told.value).toMatchObject({
      axisLength: 3,
      modes: [
        { memory: forward?.peak, tape: { now: 0 }, escapes: { values: 0, elements: 0 } },
        { memory: reverse?.peak, tape: reverse?.kept, escapes: { values: 1, elements: 15 } },
      ],
    });
    expect(told.value.modes[0]?.quality).toContain("unbiased, of variance 31 ‖∇f‖²");
  });
});
