import { expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { mutants } from "../../engines/mutants/index.ts";
import { disagreements, spatialVerdicts } from "./examples.test.kit.ts";

test("the interpreter answers the example of every operator as defined", async () => {
  expect(await disagreements(interpreterEngine(), "float32")).toEqual({});
  expect(new Set(Object.values(await spatialVerdicts(interpreterEngine(), "float32")))).toEqual(
    new Set(["agrees"]),
  );
});

test("the examples expose an engine that forgets to transpose", async () => {
  const mutant = mutants.find(({ name }) => name === "matmul_not_transposed");
  if (mutant === undefined) throw new Error("no such mutant");
  expect(await disagreements(mutant.engine(), "float32")).toMatchObject({ matmul: "disagrees" });
});
