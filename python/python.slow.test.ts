import { describe, expect, test } from "vitest";
import { missing, runPytest, twoWorkers } from "./suite.test.kit.ts";

describe.skipIf(missing !== "")(`the package for Python${missing}`, () => {
  test("passes all of its own tests, with three hundred random graphs in each library", () => {
    const { failed, out } = runPytest({ ADJUDGE_TEST_SEED: "all", ADJUDGE_GRAPHS: "300" }, twoWorkers);
    expect(failed, out).toEqual([]);
  }, 3_600_000);
});
