import { describe, expect, test } from "vitest";
import { checkCase, operatorNames } from "../../spec/index.ts";
import type { Case } from "../case/case.ts";
import { campaign } from "./campaign.ts";
import { type Census, census, type StructureName, structureNames, structuresIn } from "./census.ts";
import { searchedCase } from "./mix.ts";
import { type CaseProfile, chainProfile, exactProfile, scalar20Profile, tensorProfile } from "./profile.ts";

/** This is a case as written by hand: inputs and entries are vectors, or scalars if the shape is empty. */
interface Sketch {
  readonly inputs: readonly (readonly string[] | string)[];
  readonly nodes: readonly (readonly [string, readonly number[], object?])[];
  readonly seeds?: readonly number[];
  readonly indices?: readonly string[];
  readonly mask?: readonly string[];
  /** Each row has one index. */
  readonly rows?: readonly string[];
}

function tensorJson(data: readonly string[] | string): object {
  return typeof data === "string" ? { shape: [], data: [data] } : { shape: [data.length], data };
}

/** Builds the case of a sketch. Every seeded id must have the shape of the first input. */
function draw({ inputs, nodes, seeds = [], indices, mask, rows }: Sketch): Case {
  const entries = {
    ...(indices === undefined ? {} : { i: tensorJson(indices) }),
    ...(mask === undefined ? {} : { m: tensorJson(mask) }),
    ...(rows === undefined ? {} : { r: { shape: [rows.length, 1], data: rows } }),
  };
  const json = {
    format: "adjudge.case.v1",
    graph: {
      format: "adjudge.graph.v1",
      inputs: inputs.map((x, i) => ({ name: `x${i}`, shape: typeof x === "string" ? [] : [x.length] })),
      environment: [
        ...(indices === undefined ? [] : [{ name: "i", shape: [indices.length], kind: "index" }]),
        ...(mask === undefined ? [] : [{ name: "m", shape: [mask.length], kind: "real" }]),
        ...(rows === undefined ? [] : [{ name: "r", shape: [rows.length, 1], kind: "index" }]),
      ],
      nodes: nodes.map(([op, parents, attributes = {}]) => ({ op, parents, attributes })),
    },
    point: { inputs: inputs.map(tensorJson), environment: entries },
    tangents: inputs.map(tensorJson),
    seeds: seeds.map((id) => ({ id, cotangent: tensorJson(inputs[0] ?? "0x1p+0") })),
  };
  const checked = checkCase(json);
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

const [zero, minusZero, one, minusOne] = ["0x0p+0", "-0x0p+0", "0x1p+0", "-0x1p+0"];
const chainOf = (length: number): Sketch["nodes"] =>
  Array.from({ length }, (_, i) => ["negative", [i]] as const);

/** Sketches a pool of one element with windows along `count` axes. */
function poolAlong(count: number): Sketch {
  const ones = new Array<number>(count).fill(1);
  const attributes = { window: ones, strides: ones, padding: ones.map(() => [0, 0]) };
  return {
    inputs: [one],
    nodes: [
      ["reshape", [0], { shape: [1, 1, ...ones] }],
      ["max_pool", [1], attributes],
    ],
  };
}

/** Sketches a case without nodes, whose tangent and cotangent are its point. */
function seeded(x: string | readonly string[]): Sketch {
  return { inputs: [x], nodes: [], seeds: [0] };
}

type SketchNode = Sketch["nodes"][number];

const summed = (x: number): SketchNode => ["sum", [x], { axes: x === 2 ? [0, 1] : [0], keepdims: false }];
const cut = (x: number, start: number): SketchNode => [
  "slice",
  [x],
  { starts: [start], stops: [start + 1], steps: [1] },
];
const repeated = (x: number, shape: readonly number[]): SketchNode => ["broadcast_to", [x], { shape }];
const scattered = (x: number, updates: number): SketchNode => ["scatter_add", [x, updates], { indices: "r" }];
const folded = (x: number, rank: number): SketchNode => [
  "reshape",
  [x],
  { shape: new Array<number>(rank).fill(1) },
];
const turned = (x: number, axes: readonly number[]): SketchNode => ["permute_dims", [x], { axes }];

/** Each structure has the smallest case that contains it, and one that almost does. */
const examples: { readonly [K in StructureName]: readonly [Sketch, Sketch] } = {
  "fan-out": [
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["sin", [0]],
      ],
    },
    {
      inputs: [one],
      nodes: [
        ["add", [0, 0]],
        ["negative", [1]],
      ],
    },
  ],
  diamond: [
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["add", [0, 1]],
      ],
    },
    {
      inputs: [one, one],
      nodes: [
        ["negative", [0]],
        ["add", [2, 1]],
        ["add", [3, 3]],
      ],
    },
  ],
  "same operand twice": [
    { inputs: [one], nodes: [["add", [0, 0]]] },
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["add", [0, 1]],
      ],
    },
  ],
  "unused input": [
    { inputs: [one, one], nodes: [["negative", [0]]] },
    { inputs: [one, one], nodes: [["add", [0, 1]]] },
  ],
  "unused node": [
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["sin", [0]],
      ],
      seeds: [1],
    },
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["sin", [1]],
      ],
      seeds: [2],
    },
  ],
  "every sink seeded": [
    { inputs: [one], nodes: chainOf(2), seeds: [2] },
    {
      inputs: [one],
      nodes: [
        ["negative", [0]],
        ["sin", [0]],
      ],
      seeds: [0, 2],
    },
  ],
  "seed in between": [
    { inputs: [one], nodes: chainOf(2), seeds: [1] },
    { inputs: [one], nodes: chainOf(2), seeds: [0, 2] },
  ],
  "seed on an input": [
    { inputs: [one], nodes: chainOf(1), seeds: [0] },
    { inputs: [one], nodes: chainOf(1), seeds: [1] },
  ],
  "several outputs": [
    { inputs: [one], nodes: chainOf(1), seeds: [0, 1] },
    { inputs: [one], nodes: chainOf(1), seeds: [1] },
  ],
  "zero cotangent": [
    { inputs: [minusZero], nodes: [], seeds: [0] },
    { inputs: [minusZero], nodes: [] },
  ],
  "zero size": [
    { inputs: [[]], nodes: [] },
    { inputs: [one], nodes: [] },
  ],
  scalar: [
    { inputs: [one], nodes: [] },
    { inputs: [[one]], nodes: [] },
  ],
  "rank 4": [
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1, 1] }]] },
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1] }]] },
  ],
  "rank 5": [
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1, 1, 1] }]] },
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1, 1] }]] },
  ],
  "rank 6": [
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1, 1, 1, 1] }]] },
    { inputs: [one], nodes: [["reshape", [0], { shape: [1, 1, 1, 1, 1] }]] },
  ],
  "windows along 2 axes": [poolAlong(2), poolAlong(1)],
  "windows along 3 axes": [poolAlong(3), poolAlong(2)],
  "long axis": [
    { inputs: [one], nodes: [["broadcast_to", [0], { shape: [1, 1000] }]] },
    { inputs: [one], nodes: [["broadcast_to", [0], { shape: [2, 999] }]] },
  ],
  "11 inputs and more": [
    { inputs: new Array<string>(11).fill(one), nodes: [] },
    { inputs: new Array<string>(10).fill(one), nodes: [] },
  ],
  "concat of 5 and more": [
    { inputs: [[one]], nodes: [["concat", [0, 0, 0, 0, 0], { axis: 0 }]] },
    { inputs: [[one]], nodes: [["concat", [0, 0, 0, 0], { axis: 0 }]] },
  ],
  "depth ≥ 5": [
    { inputs: [one], nodes: chainOf(5) },
    { inputs: [one], nodes: [...chainOf(4), ["negative", [0]]] },
  ],
  "depth ≥ 10": [
    { inputs: [one], nodes: chainOf(10) },
    { inputs: [one], nodes: [...chainOf(9), ["negative", [0]]] },
  ],
  "depth ≥ 100": [
    { inputs: [one], nodes: chainOf(100) },
    { inputs: [one], nodes: [...chainOf(99), ["negative", [0]]] },
  ],
  "depth > 256": [
    { inputs: [one], nodes: chainOf(257) },
    { inputs: [one], nodes: [...chainOf(256), ["negative", [0]]] },
  ],
  "repeated take index": [
    { inputs: [[one, one]], nodes: [["take", [0], { axis: 0, indices: "i" }]], indices: [one, zero, one] },
    { inputs: [[one, one]], nodes: [["take", [0], { axis: 0, indices: "i" }]], indices: [one, zero] },
  ],
  "repeated row": [
    { inputs: [[one, one]], nodes: [["gather", [0], { indices: "r" }]], rows: [one, zero, one] },
    { inputs: [[one, one]], nodes: [["scatter_add", [0, 0], { indices: "r" }]], rows: [one, zero] },
  ],
  "negative step": [
    { inputs: [[one]], nodes: [["slice", [0], { starts: [0], stops: [-9], steps: [-1] }]] },
    { inputs: [[one]], nodes: [["slice", [0], { starts: [-1], stops: [-9], steps: [1] }]] },
  ],
  "padding in between": [
    { inputs: [[one]], nodes: [["pad", [0], { low: [0], high: [0], interior: [1] }]] },
    { inputs: [[one]], nodes: [["pad", [0], { low: [1], high: [1], interior: [0] }]] },
  ],
  "constant read twice": [
    {
      inputs: [one],
      nodes: [
        ["constant", [], { name: "m" }],
        ["constant", [], { name: "m" }],
      ],
      mask: [one],
    },
    { inputs: [one], nodes: [["constant", [], { name: "m" }]], mask: [one, one] },
  ],
  "broadcast along an axis": [
    { inputs: [[one]], nodes: [["broadcast_to", [0], { shape: [2, 3] }]] },
    { inputs: [[one]], nodes: [["broadcast_to", [0], { shape: [2, 1] }]] },
  ],
  "broadcast by new axes": [
    { inputs: [[one]], nodes: [["broadcast_to", [0], { shape: [1, 1] }]] },
    { inputs: [[one]], nodes: [["broadcast_to", [0], { shape: [3] }]] },
  ],
  "sum keeps axes": [
    { inputs: [[one]], nodes: [["sum", [0], { axes: [0], keepdims: true }]] },
    { inputs: [[one]], nodes: [["sum", [0], { axes: [], keepdims: true }]] },
  ],
  "sum drops axes": [
    { inputs: [[one]], nodes: [["sum", [0], { axes: [0], keepdims: false }]] },
    { inputs: [[one]], nodes: [["sum", [0], { axes: [0], keepdims: true }]] },
  ],
  "tie at maximum": [
    {
      inputs: [
        [zero, one],
        [one, one],
      ],
      nodes: [["maximum", [0, 1]]],
    },
    { inputs: [[zero, one]], nodes: [["maximum", [0, 0]]] },
  ],
  "relu at zero": [
    {
      inputs: [minusOne],
      nodes: [
        ["relu", [0]],
        ["relu", [1]],
      ],
    },
    { inputs: [minusOne], nodes: [["relu", [0]]] },
  ],
  "where takes both": [
    { inputs: [[zero, one]], nodes: [["where", [0, 0, 0]]] },
    { inputs: [[minusZero, zero]], nodes: [["where", [0, 0, 0]]] },
  ],
  "where takes the second": [
    { inputs: [[minusZero, zero]], nodes: [["where", [0, 0, 0]]] },
    { inputs: [[one, minusOne]], nodes: [["where", [0, 0, 0]]] },
  ],
  "zero input": [
    { inputs: [[one, zero]], nodes: [] },
    { inputs: [[one, one]], nodes: [] },
  ],
  "−0 input": [
    { inputs: [minusZero], nodes: [] },
    { inputs: [zero], nodes: [] },
  ],
  "negative input": [
    { inputs: [minusOne], nodes: [] },
    { inputs: [minusZero], nodes: [] },
  ],
  "equal inputs": [
    { inputs: [[one, zero], one], nodes: [] },
    { inputs: [[one, zero], minusOne], nodes: [] },
  ],
  "twin inputs": [
    {
      inputs: [
        [one, zero],
        [one, zero],
      ],
      nodes: [],
    },
    { inputs: [[one], one], nodes: [] },
  ],
  "value not finite": [
    { inputs: [zero], nodes: [["log", [0]]] },
    { inputs: [zero], nodes: [["exp", [0]]] },
  ],
  "huge cotangent": [seeded("0x1p+340"), seeded("0x1p+300")],
  "tiny cotangent": [seeded("0x1p-340"), seeded("0x1p-300")],
  "cotangent not finite": [seeded("inf"), seeded("0x1p+1023")],
  "equal cotangents": [seeded([one, one]), seeded([one, zero])],
  "huge tangent": [seeded("0x1p+170"), seeded("0x1p+160")],
  "all axes reduced": [
    { inputs: [[one]], nodes: [["sum", [0], { axes: [0], keepdims: true }]] },
    { inputs: [one], nodes: [["sum", [0], { axes: [], keepdims: true }]] },
  ],
  "product reduced over all axes": [
    { inputs: [[one]], nodes: [["multiply", [0, 0]], summed(1)] },
    { inputs: [[one]], nodes: [["add", [0, 0]], summed(1)] },
  ],
  "parts of one value": [
    { inputs: [[one, one]], nodes: [cut(0, 0), cut(0, 1), ["multiply", [1, 2]]] },
    { inputs: [[one, one]], nodes: [cut(0, 0), cut(0, 1), ["multiply", [1, 1]]] },
  ],
  "scatter of a broadcast": [
    { inputs: [[one]], nodes: [repeated(0, [1]), scattered(0, 1)], rows: [zero] },
    { inputs: [[one]], nodes: [repeated(0, [1]), scattered(1, 0)], rows: [zero] },
  ],
  "equal updates": [
    { inputs: [[one, one]], nodes: [scattered(0, 0)], rows: [zero, one] },
    { inputs: [[one, zero]], nodes: [scattered(0, 0)], rows: [zero, one] },
  ],
  "reduction of a permutation": [
    { inputs: [[one]], nodes: [folded(0, 2), turned(1, [1, 0]), summed(2)] },
    { inputs: [[one]], nodes: [folded(0, 2), turned(1, [0, 1]), summed(2)] },
  ],
  "reduction of a reshape": [
    { inputs: [[one]], nodes: [folded(0, 2), summed(1)] },
    { inputs: [[one]], nodes: [summed(0), folded(1, 2)] },
  ],
  "permutation of a permutation": [
    { inputs: [one], nodes: [folded(0, 2), turned(1, [1, 0]), turned(2, [1, 0])] },
    { inputs: [one], nodes: [folded(0, 2), turned(1, [1, 0]), turned(2, [0, 1])] },
  ],
  "slice of a slice": [
    { inputs: [[one]], nodes: [cut(0, 0), cut(1, 0)] },
    { inputs: [[one]], nodes: [cut(0, 0), cut(0, 0)] },
  ],
  "diagonal of four axes": [
    { inputs: [one], nodes: [folded(0, 4), ["einsum", [1], { equation: "ijik->jk" }]] },
    { inputs: [one], nodes: [folded(0, 3), ["einsum", [1], { equation: "iji->j" }]] },
  ],
  "constant operand": [
    {
      inputs: [[one]],
      nodes: [
        ["constant", [], { name: "m" }],
        ["add", [0, 1]],
      ],
      mask: [one],
    },
    {
      inputs: [[one]],
      nodes: [
        ["constant", [], { name: "m" }],
        ["add", [1, 1]],
      ],
      mask: [one],
    },
  ],
  "neutral operand": [
    {
      inputs: [one],
      nodes: [
        ["full", [], { shape: [], value: 1 }],
        ["multiply", [0, 1]],
      ],
    },
    {
      inputs: [one],
      nodes: [
        ["full", [], { shape: [], value: 2 }],
        ["multiply", [0, 1]],
      ],
    },
  ],
  "rank 7 and more": [
    { inputs: [one], nodes: [folded(0, 7)] },
    { inputs: [one], nodes: [folded(0, 6)] },
  ],
  "17 inputs and more": [
    { inputs: new Array<string>(17).fill(one), nodes: [] },
    { inputs: new Array<string>(16).fill(one), nodes: [] },
  ],
  "17 operands and more": [
    { inputs: [[one]], nodes: [["concat", new Array<number>(17).fill(0), { axis: 0 }]] },
    { inputs: [[one]], nodes: [["concat", new Array<number>(16).fill(0), { axis: 0 }]] },
  ],
  "over 256 elements": [
    { inputs: [one], nodes: [repeated(0, [257])] },
    { inputs: [one], nodes: [repeated(0, [16, 16])] },
  ],
  "over 1024 elements": [
    { inputs: [one], nodes: [repeated(0, [41, 25])] },
    { inputs: [one], nodes: [repeated(0, [1024])] },
  ],
  "over 4096 elements": [
    { inputs: [one], nodes: [repeated(0, [4097])] },
    { inputs: [one], nodes: [repeated(0, [4096])] },
  ],
  "inner axis over 32": [
    { inputs: [one], nodes: [repeated(0, [1, 33]), repeated(0, [33, 1]), ["matmul", [1, 2]]] },
    { inputs: [one], nodes: [repeated(0, [1, 33]), repeated(0, [33, 1]), ["matmul", [2, 1]]] },
  ],
  "batch over 127": [
    { inputs: [one], nodes: [repeated(0, [64, 2, 1, 1]), ["matmul", [1, 1]]] },
    { inputs: [one], nodes: [repeated(0, [127, 1, 1]), ["matmul", [1, 1]]] },
  ],
  "system of one row": [
    { inputs: [one], nodes: [folded(0, 2), ["det", [1]]] },
    { inputs: [one], nodes: [repeated(0, [2, 2]), ["det", [1]]] },
  ],
};

test.each(structureNames)("the census sees '%s' where it is, and not where it almost is", (name) => {
  const [with_, without] = examples[name];
  expect(structuresIn(draw(with_))).toContain(name);
  expect(structuresIn(draw(without))).not.toContain(name);
});

/** A structure has a floor: the least share of cases, in percent, that must contain it. */
type Floors = { readonly [K in StructureName]?: number };

const anyShape: Floors = {
  "fan-out": 60,
  diamond: 50,
  "same operand twice": 40,
  "unused input": 20,
  "unused node": 2,
  "every sink seeded": 90,
  "seed in between": 15,
  "seed on an input": 10,
  "several outputs": 40,
  "zero cotangent": 2,
  scalar: 20,
  "depth ≥ 5": 20,
  "tie at maximum": 10,
  "relu at zero": 8,
  "where takes both": 8,
  "where takes the second": 10,
  "zero input": 20,
  "−0 input": 5,
  "negative input": 30,
  "equal inputs": 20,
  "twin inputs": 10,
};

const tensors: Floors = {
  ...anyShape,
  "zero size": 4,
  "depth ≥ 10": 2,
  "repeated take index": 5,
  "repeated row": 8,
  "negative step": 3,
  "padding in between": 3,
  "constant read twice": 0.5,
  "broadcast along an axis": 4,
  "broadcast by new axes": 8,
  "sum keeps axes": 5,
  "sum drops axes": 5,
};

const floors: readonly (readonly [CaseProfile, number, Floors])[] = [
  [tensorProfile, 2000, { ...tensors, "value not finite": 0.5 }],
  [exactProfile, 2000, { ...tensors, "value not finite": 0.1 }],
  [scalar20Profile, 2000, { ...anyShape, "depth ≥ 10": 20, "value not finite": 1 }],
  [chainProfile, 100, { "depth ≥ 100": 75, "fan-out": 90, "relu at zero": 20 }],
];

describe.each(floors)("in cases of the profile $name", (profile, count, minimum) => {
  const counted = census(campaign(profile, 7, count));

  test("every structure is frequent", () => {
    expect(rareStructures(counted, minimum)).toEqual([]);
  });

  test("every operator has at least a sixth of an equal share of the nodes", () => {
    const least = counted.nodes / (6 * profile.operators.length);
    const rare = profile.operators.filter((op) => (counted.operators.get(op) ?? 0) < least);
    expect(rare).toEqual([]);
  });
});

/** The mix must reach these shares, in percent, of the large shapes that users have. */
const shapesOfUsers: Floors = {
  "every sink seeded": 90,
  "rank 4": 5,
  "rank 5": 4,
  "rank 6": 1,
  "windows along 2 axes": 1,
  "windows along 3 axes": 1,
  "long axis": 0.2,
  "11 inputs and more": 2,
  "concat of 5 and more": 0.3,
  "depth > 256": 0.1,
  "rank 7 and more": 0.5,
  "17 inputs and more": 0.5,
  "17 operands and more": 0.2,
  "over 256 elements": 0.4,
  "over 1024 elements": 0.1,
  "over 4096 elements": 0.05,
  "inner axis over 32": 0.05,
  "batch over 127": 0.05,
};

/** The mix must reach these shares, in percent, of what compilers fuse. */
const fused: Floors = {
  "all axes reduced": 10,
  "product reduced over all axes": 1,
  "parts of one value": 0.6,
  "scatter of a broadcast": 0.5,
  "equal updates": 1,
  "reduction of a permutation": 0.15,
  "reduction of a reshape": 0.3,
  "permutation of a permutation": 0.15,
  "slice of a slice": 0.15,
  "diagonal of four axes": 0.4,
  "constant operand": 20,
  "neutral operand": 3,
};

/** The mix must reach these shares, in percent, of tangents and cotangents that are not generic. */
const seedsOfAnyKind: Floors = {
  "huge cotangent": 0.3,
  "tiny cotangent": 0.5,
  "cotangent not finite": 0.05,
  "equal cotangents": 0.5,
  "huge tangent": 0.2,
};

describe("in cases of the mix", () => {
  test("every sink is seeded as a rule, and the shapes that users have are frequent", () => {
    const questions = Array.from({ length: 2000 }, (_, index) => searchedCase(7, index));
    const counted = census(questions);
    expect(rareStructures(counted, shapesOfUsers)).toEqual([]);
    expect(rareStructures(counted, fused)).toEqual([]);
    expect(rareStructures(counted, seedsOfAnyKind)).toEqual([]);
  });

  test("what compilers fuse, and seeds that are not generic, would be missed by one profile that has neither", () => {
    const plain = { ...tensorProfile, seeds: "generic", operators: ["add", "sin", "sum", "matmul"] } as const;
    const rare = rareStructures(census(campaign(plain, 7, 200)), { ...fused, ...seedsOfAnyKind });
    expect(rare).toEqual(
      expect.arrayContaining(Object.keys(seedsOfAnyKind).filter((name) => name !== "equal cotangents")),
    );
    expect(rare).toContain("parts of one value");
  });

  test("they would be missed if all were small tensors with one seed", () => {
    const small = [...campaign(tensorProfile, 7, 200)].map((question) => ({
      ...question,
      seeds: question.seeds.slice(0, 1),
    }));
    expect(rareStructures(census(small), shapesOfUsers)).toEqual(
      structureNames.filter((name) => name in shapesOfUsers),
    );
  });
});

function rareStructures({ structures, cases }: Census, minimum: Floors): readonly string[] {
  return structureNames.filter((name) => (structures.get(name) ?? 0) < ((minimum[name] ?? 0) / 100) * cases);
}

test("a campaign without structures is found wanting", () => {
  const dull = draw({ inputs: [[one]], nodes: chainOf(1), seeds: [1] });
  const dead = draw({ inputs: [[one]], nodes: chainOf(1) });
  expect(rareStructures(census([dull, dead]), anyShape)).toEqual(
    Object.keys(anyShape).filter((name) => name !== "unused node"),
  );
  expect(operatorNames.filter((op) => census([dull]).operators.get(op) === 1)).toEqual(["negative"]);
});
