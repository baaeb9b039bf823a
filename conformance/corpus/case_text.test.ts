import { describe, expect, test } from "vitest";
import { array, type CaseText, caseFrom, nodesFrom, question, rows } from "./case_text.ts";
import { faultsOf } from "./finding_text.ts";
import { vectors } from "./vector_text.ts";

const product: CaseText = {
  name: "product",
  note: "a product",
  inputs: { x: array([2, 3]), y: array([5, -0]) },
  nodes: [["multiply", [0, 1]]],
};

describe("array", () => {
  test("reads extents from the brackets and elements row by row", () => {
    expect(array(7)).toEqual([[], [7]]);
    expect(array([[1, 2, 3]])).toEqual([
      [1, 3],
      [1, 2, 3],
    ]);
    expect(array([])).toEqual([[0], []]);
    expect(rows([1, 2], [3, 4])).toEqual([
      [2, 2],
      [1, 2, 3, 4],
    ]);
  });
});

describe("nodesFrom", () => {
  test("reads operators, parents and attributes, and keeps the nodes that a list holds besides", () => {
    expect(nodesFrom("multiply 0 0; pad 1 low=[0,-1] value=-0; gelu 2 approximate=tanh")).toEqual([
      ["multiply", [0, 0], {}],
      ["pad", [1], { low: [0, -1], value: -0 }],
      ["gelu", [2], { approximate: "tanh" }],
    ]);
    expect(nodesFrom([["exp", [0]], "einsum 1 equation=ii->; sum 2 keepdims=false"])).toEqual([
      ["exp", [0]],
      ["einsum", [1], { equation: "ii->" }],
      ["sum", [2], { keepdims: false }],
    ]);
  });
});

test("question reads nodes, inputs, indices and seeds, and throws on what has no inputs", () => {
  expect(question("take 0 axis=0 indices=i; exp 1 at x=[2,-0] where i=[1,1] seeded 1=[3,5] 2=[7,9]")).toEqual(
    {
      nodes: "take 0 axis=0 indices=i; exp 1",
      inputs: { x: array([2, -0]) },
      indices: { i: array([1, 1]) },
      seeds: { 1: array([3, 5]), 2: array([7, 9]) },
    },
  );
  expect(question("exp 0 at x=2")).toEqual({ nodes: "exp 0", inputs: { x: array(2) } });
  expect(() => question("exp 0")).toThrow(SyntaxError);
});

describe("caseFrom", () => {
  test("seeds the last id with odd primes where the text has no seed", () => {
    const { seeds } = caseFrom(product);
    expect(seeds.map(({ id, cotangent }) => [id, ...cotangent.data])).toEqual([[2, 3, 5]]);
    const seeded = caseFrom({ ...product, seeds: { 0: array([7, 9]) } });
    expect(seeded.seeds.map(({ id, cotangent }) => [id, ...cotangent.data])).toEqual([[0, 7, 9]]);
  });

  test("takes tangents that differ from each other, and keeps the sign of a zero", () => {
    const { tangents, point } = caseFrom(product);
    expect(new Set(tangents.flatMap(({ data }) => [...data])).size).toBe(4);
    expect(Object.is(point.inputs[1]?.data[1], -0)).toBe(true);
  });

  test("takes indices as a list or as a tensor", () => {
    const text: CaseText = {
      ...product,
      inputs: { x: array([2, 3]) },
      indices: { list: [1, 0, 1], points: array([[1], [0]]) },
      nodes: [["take", [0], { axis: 0, indices: "list" }]],
    };
    const { environment } = caseFrom(text).point;
    expect([...environment.values()].map(({ shape }) => shape)).toEqual([[3], [2, 1]]);
  });

  test("throws, with the name and the fault, on a text that is not well-formed", () => {
    const read = (): unknown => caseFrom({ ...product, nodes: [["multiply", [0, 2]]] });
    expect(read).toThrow(/^product: graph\/parent/);
    expect(() => caseFrom({ ...product, nodes: "multiply 0 x" })).toThrow(/^product: schema\/type/);
    expect(() => caseFrom({ ...product, tangents: [array(1)] })).toThrow(/product: point\/shape/);
  });
});

test("vectors reads name, clause, defects and note of a heading, and refuses another heading", () => {
  const text = { inputs: { x: array(2) }, nodes: "square 0" };
  expect(vectors({ "twice (2.5, A01, B02): a note (of two parts): both": text })).toEqual([
    { name: "twice", clause: "2.5", defects: ["A01", "B02"], note: "a note (of two parts): both", ...text },
  ]);
  expect(vectors({ "twice (2.5): a note": "square 0; add 1 0 at x=2" })[0]).toMatchObject({
    inputs: text.inputs,
    nodes: "square 0; add 1 0",
  });
  expect(() => vectors({ "once 2.5: a note": text })).toThrow(/no heading of a vector: once/);
});

test("faultsOf reads verdict, operator, type and clause of a heading, and refuses an operator unknown", () => {
  const [wrong, thrown, shifted] = faultsOf("jax", {
    "large (sin, float32, 6.4): digits are lost": "sin 0 at x=1000",
    "twice (crashed): it throws": "sin 0 at x=1",
    "moved (cotangents, 3.2): they are shifted": "sin 0 at x=1",
  });
  expect(wrong).toMatchObject({ name: "jax_large", blames: "sin", dtype: "float32", clause: "6.4" });
  expect(wrong).toMatchObject({ verdict: "disagrees", note: "digits are lost" });
  expect(thrown).toMatchObject({ verdict: "crashed", dtype: "float64", clause: "2.5" });
  expect([thrown, shifted].map((fault) => fault !== undefined && "blames" in fault)).toEqual([false, false]);
  expect(() => faultsOf("jax", { "large (sine): a note": "sin 0 at x=1" })).toThrow(/large \(sine\)/);
});
