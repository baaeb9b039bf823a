import { describe, expect, test } from "vitest";
import { missing, runPytest } from "./suite.test.kit.ts";

describe.skipIf(missing !== "")(`the package for Python${missing}`, () => {
  test("passes a sample of its own tests", () => {
    const { failed, out } = runPytest({ ADJUDGE_GRAPHS: "10" }, []);
    expect(failed, out).toEqual([]);
  }, 1_200_000);
});
