import { describe, expect, test } from "vitest";
import { integer, modular, rational } from "../../reference/package.ts";
import { type Graph, graph } from "../../spec/index.ts";
import { recorded } from "../emit/recorded.test.kit.ts";
import { everyOperation, flat } from "./witness.test.kit.ts";
import { torchLeanWitness } from "./witness.ts";

const square: Graph = graph(({ input }) => {
  const x = input("x", [2]);
  x.multiply(x).sum({ axes: [0], keepdims: false });
});

function textOf(trace: Parameters<typeof torchLeanWitness>[0]): string {
  const witness = torchLeanWitness(trace);
  if (!witness.ok) throw new Error(JSON.stringify(witness.error));
  return witness.value;
}

describe("a witness in TorchLean's terms", () => {
  test("is a program of its tape, with theorems of the run's numbers", () => {
    const text = textOf(flat(recorded(square, rational, { inputs: [["1/3", "-2"]] })));
    expect(text).toContain(`def prog : TapeM ℚ Nat := do
  let v0 ← TapeM.leaf (s := [2]) input0
  let v1 ← TapeM.mul (s := [2]) v0 v0
  let v2 ← TapeM.sum (s := [2]) v1
  pure v2`);
    expect(text).toContain("def value2 : Tensor ℚ .scalar := Tensor.scalar (mkRat 37 9 : ℚ)");
    expect(text).toContain("#[(mkRat 2 3 : ℚ), (-4 : ℚ)]");
    expect(text).toContain("Tape.backwardDenseAll t 2 (.ofTensor seed)");
    expect(text).toContain(".ok [.ofTensor cotangent0, .ofTensor cotangent1, .ofTensor cotangent2]");
    expect(text).not.toMatch(/import Adjudge|sorry|axiom|native_decide/);
  });

  test("has each operation that TorchLean's tape has a name for, and is of integers too", () => {
    const text = textOf(everyOperation());
    for (const name of ["add", "sub", "mul", "div", "scale", "matmul", "sum", "leaf"])
      expect(text).toContain(`TapeM.${name} `);
    for (const name of [
      "Tape.reshape",
      "Tape.broadcastTo",
      "Tape.swapAdjacentAtDepth",
      "Tape.concatLeadingAxis",
      "detached",
    ])
      expect(text).toContain(name);
    expect(textOf(flat(recorded(square, integer, { inputs: [["3", "-2"]] })))).toContain("(13 : ℚ)");
  });

  test("has the numbers of iota as a leaf, which their tape has no operation for", () => {
    const counted = graph(({ input, iota }) => {
      input("x", [3])
        .multiply(iota({ shape: [3], axis: 0 }))
        .sum({ axes: [0], keepdims: false });
    });
    const text = textOf(flat(recorded(counted, rational, { inputs: [["1/3", "-2", "5"]] })));
    expect(text).toContain("let v1 ← TapeM.leaf (s := [3]) written1\n");
    expect(text).toContain("#[(0 : ℚ), (1 : ℚ), (2 : ℚ)]");
  });

  test("is refused where their tape has no such operation, seed or scalar", () => {
    const permuted = graph(({ input }) => {
      input("x", [1, 2, 1]).permute_dims({ axes: [2, 1, 0] });
    });
    const inputs = [["3", "2"]];
    const turned = flat(recorded(permuted, rational, { inputs, seeds: { 1: ["1", "1"] } }));
    expect(torchLeanWitness(turned)).toMatchObject({ error: [{ code: "torchlean/operator" }] });
    const kept = graph(({ input }) => {
      input("x", [1, 2]).sum({ axes: [1], keepdims: true });
    });
    expect(torchLeanWitness(flat(recorded(kept, rational, { inputs })))).toMatchObject({
      error: [{ code: "torchlean/operator" }],
    });
    const two = recorded(square, rational, { inputs, seeds: { 1: ["1", "1"], 2: ["1"] } });
    expect(torchLeanWitness(flat(two))).toMatchObject({ error: [{ code: "torchlean/seeds" }] });
    const none = recorded(square, rational, { inputs, seeds: { 2: ["0"] } });
    expect(torchLeanWitness(flat(none))).toMatchObject({ error: [{ code: "torchlean/seeds" }] });
    expect(torchLeanWitness(flat(recorded(square, modular, { inputs })))).toMatchObject({
      error: [{ code: "torchlean/algebra" }],
    });
  });
});
