import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rational } from "../../reference/package.ts";
import { graph } from "../../spec/index.ts";
import { recorded } from "../emit/recorded.test.kit.ts";
import { type Copy, copyOfTorchLean } from "./copy.test.kit.ts";
import { checked, fieldTrace, functionsTrace } from "./enclosure.test.kit.ts";
import { torchLeanEnclosure } from "./enclosure.ts";

const folder = mkdtempSync(join(tmpdir(), "adjudge-enclosure-"));
afterAll(() => rmSync(folder, { recursive: true }));

const setting: { copy?: Copy } = {};
beforeAll(async () => {
  setting.copy = await copyOfTorchLean(folder);
}, 600_000);

function textOf(trace: Parameters<typeof torchLeanEnclosure>[0]): string {
  const enclosure = torchLeanEnclosure(trace);
  if (!enclosure.ok) throw new Error(JSON.stringify(enclosure.error));
  return enclosure.value;
}

/** Wrong twins are of a small graph. */
const product = graph(({ input, parameter }) => {
  const x = input("x", [2]);
  x.multiply(parameter("w", [2]));
});
const text = textOf(
  checked(
    recorded(product, rational, {
      inputs: [["1/3", "-2"]],
      environment: { w: ["1/2", "7"] },
      seeds: { 0: ["1", "1"] },
    }),
  ),
);

/** A certificate that fits the product: its hypotheses can be met. */
const fitting = `
namespace AdjudgeEnclosure
noncomputable section
open FloatLib.Numerics (Interval)
def around : Interval (Binary 8 23) := { lo := Binary.ofBits32 0, hi := Binary.ofBits32 0 }
def rowOf (id : Nat) (enclosure : Interval (Binary 8 23)) : CheckedNodeRange := ⟨⟨id, [2], enclosure⟩, trivial⟩
def product : CheckedNodeRange := rowOf 2 (Binary.Interval.mul around around)
example : Fits ⟨graph, #[rowOf 0 around, rowOf 1 around, product]⟩ (rowOf 0 around) (rowOf 1 around) product where
  graph := rfl
  ranges := rfl
  shape0 := rfl
  shape1 := rfl
  shape2 := rfl
  source0 := fun _ _ => trivial
  source1 := fun _ _ => trivial
  rule2 := rfl
end
end AdjudgeEnclosure
`;

describe("a ProvedRealEnclosure, against a copy of TorchLean's definitions,", () => {
  test.each([
    ["a product, which a certificate can fit", text + fitting],
    ["a graph of a field's operations", textOf(fieldTrace())],
    ["a graph of functions, given their lemmas", textOf(functionsTrace())],
  ])(
    "is accepted of %s",
    async (name, content) => {
      expect(await setting.copy?.errorsOf(name, content)).toEqual([]);
    },
    600_000,
  );

  test.each([
    ["another operation in the graph", "kind := .mulElem", "kind := .add"],
    ["another operation in a value", "Tensor.mulSpec value0 value1", "Tensor.addSpec value0 value1"],
    ["another constant than the payload holds", "payloadOf numbers1", "payloadOf numbers0"],
    ["another rule of its rows", "Binary.Interval.mul row0", "Binary.Interval.add row0"],
    ["another theorem", "exact tensor_mul_enclosed", "exact tensor_add_enclosed"],
    [
      "a row that is not asked about",
      "exact some_enclosed fits.shape1 (enclosed1",
      "exact some_enclosed fits.shape1 (enclosed0",
    ],
  ])(
    "is refused with %s",
    async (name, right, wrong) => {
      const changed = text.replace(right, wrong);
      expect(changed).not.toBe(text);
      expect(await setting.copy?.errorsOf(name, changed)).not.toEqual([]);
    },
    600_000,
  );
});
