import { describe, expect, it } from "vitest";
import { integer } from "../../reference/package.ts";
import { graph, present, type Value } from "../../spec/index.ts";
import { screen } from "../run/admissible.ts";
import { readTraceJson } from "./export.ts";
import { leanFile } from "./lean_file.ts";
import { recorded } from "./recorded.test.kit.ts";
import { refine } from "./refine.ts";

describe("a trace of many ids", () => {
  const count = 100;
  const chain = graph(({ input }) => {
    let value: Value = input("x", [2]);
    for (let i = 1; i < count; i++) value = value.negative();
  });
  const numbers = { inputs: [["1", "2"]], seeds: { [count - 1]: ["1", "1"] } };

  it("claims of all ids together, and on demand of ever fewer, in the end of each by itself", () => {
    const read = readTraceJson(recorded(chain, integer, numbers));
    const file = leanFile(present(read.ok ? read.value : undefined, "a trace"));
    expect(file.claims).toContain("values_0_100");
    expect(file.text).toContain("theorem values : ValuesAgree program run 0 100 :=\n  values_0_100");
    const parts = present(refine(file.text, "values_0_100"), "a file of twelve claims");
    expect(parts.claims).toHaveLength(12);
    expect(parts.claims).toEqual(expect.arrayContaining(["values_0_9", "values_72_81", "value_99"]));
    const single = present(refine(parts.text, "values_72_81"), "a file of single claims");
    expect(single.claims).toEqual(Array.from({ length: 9 }, (_, i) => `value_${72 + i}`));
    expect(single.text).toContain(
      "theorem value_77 : ValuesAgree program run 77 78 :=\n  by decide +kernel\n",
    );
    expect(single.text).not.toContain("theorem shape");
    expect(screen(single.text, ["Adjudge"])).toMatchObject({ kind: "fit", claims: { length: 9 } });
    expect(refine(single.text, "value_77")).toBeUndefined();
    expect(refine(file.text, "data")).toBeUndefined();
  });

  it("claims of a thousand numbers together, of more in segments that chain", () => {
    const wide = graph(({ input }) => {
      let value: Value = input("x", [30]);
      for (let i = 1; i < count; i++) value = value.negative();
    });
    const ones = Array.from({ length: 30 }, () => "1");
    const read = readTraceJson(recorded(wide, integer, { inputs: [ones], seeds: { [count - 1]: ones } }));
    const { text } = leanFile(present(read.ok ? read.value : undefined, "a trace"));
    expect(text).toContain(
      "theorem values : ValuesAgree program run 0 100 :=\n  ((values_0_33.trans values_33_66).trans values_66_99).trans value_99\n",
    );
    expect(text).toContain("seed := program.seeded [\n    (99, [1, 1, ");
  });
});
