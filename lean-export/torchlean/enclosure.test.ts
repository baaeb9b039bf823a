import { describe, expect, test } from "vitest";
import { modular, rational } from "../../reference/package.ts";
import { graph } from "../../spec/index.ts";
import { recorded } from "../emit/recorded.test.kit.ts";
import { binary32Around } from "./binary32.ts";
import { checked, fieldTrace, functionsTrace } from "./enclosure.test.kit.ts";
import { torchLeanEnclosure } from "./enclosure.ts";

function textOf(trace: Parameters<typeof torchLeanEnclosure>[0]): string {
  const enclosure = torchLeanEnclosure(trace);
  if (!enclosure.ok) throw new Error(JSON.stringify(enclosure.error));
  return enclosure.value;
}

describe("a ProvedRealEnclosure in TorchLean's terms", () => {
  test("has the graph, its exact numbers and its values, and proves rows of arithmetic by their theorems", () => {
    const text = textOf(fieldTrace());
    expect(text).toContain("{ id := 9, parents := #[7, 8], kind := .mulElem, outShape := [2] }]");
    expect(text).toContain("Tensor.from (#[(1 / 3 : Real), (-2 : Real)] : Array Real)");
    expect(text).toContain("def value8 : Tensor Real [2] := Tensor.invSpec value1");
    expect(text).toContain(
      "exact tensor_sub_enclosed row4.valid row6.valid valid (enclosed4 fits) (enclosed6 fits)",
    );
    expect(text).toContain("def provedRealEnclosure ");
    expect(text).not.toMatch(/import Adjudge|sorry|axiom|native_decide/);
  });

  test("names no hypothesis of a field's operations but what encloses the numbers given", () => {
    const said = /structure Fits[\s\S]*?\n\n/.exec(textOf(fieldTrace()))?.[0] ?? "";
    expect(said.match(/^ {2}[a-z]+/gm)).toEqual(
      expect.not.arrayContaining(["  exp", "  tanh", "  sum", "  inv", "  domain"]),
    );
    expect(said.match(/^ {2}source\d+/gm)).toEqual(["  source0", "  source1", "  source5"]);
  });

  test("names the lemma of each function that TorchLean has no theorem about, and the domain of a root", () => {
    const text = textOf(functionsTrace());
    expect(text).toContain(
      "  exp1 : TensorEnclosed row0.enclosure value0 → TensorEnclosed row1.enclosure value1",
    );
    for (const name of ["tanh2", "sin4", "cos5", "sum11", "domain9"]) expect(text).toContain(`  ${name} : `);
    expect(text).toContain("tensor_relu_enclosed");
    expect(text).toContain("tensor_sqrt_enclosed");
  });

  test("is refused where the graph has what TorchLean's enclosures lack, or residues", () => {
    const turned = graph(({ input }) => {
      input("x", [2, 2]).permute_dims({ axes: [1, 0] });
    });
    const numbers = { inputs: [["1", "2", "3", "4"]], seeds: { 1: ["1", "1", "1", "1"] } };
    expect(torchLeanEnclosure(checked(recorded(turned, rational, numbers)))).toMatchObject({
      error: [{ code: "torchlean/operator", pointer: "/graph/nodes/0/op" }],
    });
    expect(torchLeanEnclosure(checked(recorded(turned, modular, numbers)))).toMatchObject({
      error: [{ code: "torchlean/algebra" }],
    });
  });
});

describe("a binary32 interval", () => {
  test.each([
    ["1/3", "0x3eaaaaaa", "0x3eaaaaab"],
    ["-1/3", "0xbeaaaaab", "0xbeaaaaaa"],
    ["0", "0x00000000", "0x00000000"],
    ["3/2", "0x3fc00000", "0x3fc00000"],
    [`1/${2n ** 150n}`, "0x00000000", "0x00000001"],
  ] as const)("around %s ends at its neighbours, or at itself", (text, low, high) => {
    const x = rational.parse(text);
    expect(binary32Around(x === undefined ? [] : [x])).toEqual({ low, high });
  });
});
