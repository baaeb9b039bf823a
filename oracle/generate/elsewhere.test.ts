import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { fitted } from "../../spec/documents/index.ts";
import { present } from "../../spec/index.ts";
import { campaignOn } from "../judge/index.ts";
import { drawingNamed, drawnAt, mix } from "./index.ts";

const { operators } = interpreterEngine().describe();

describe("several cases of one graph", () => {
  test("begin with the case that is drawn at their first index, and have its graph and other numbers", () => {
    const drawing = present(drawingNamed("mix:3"), "a drawing");
    for (let index = 0; index < 60; index += 1) {
      const question = drawnAt(drawing, operators, 4, index);
      const first = drawnAt(mix, operators, 4, index - (index % 3));
      expect(question.graph).toEqual(first.graph);
      expect(fitted(question).ok).toBe(true);
      if (index % 3 === 0) expect(question).toEqual(first);
      else if (first.tangents.some(({ data }) => data.length > 0))
        expect(question.tangents).not.toEqual(first.tangents);
    }
  });

  test("are decided about as often as others", async () => {
    const decided = async (name: string): Promise<number> => {
      let agree = 0;
      const asked = {
        profile: present(drawingNamed(name), name),
        seed: 2,
        cases: 96,
        dtype: "float64",
        lawsEvery: 0,
      } as const;
      for await (const { verdict } of campaignOn(interpreterEngine(), asked))
        agree += verdict.kind === "agrees" ? 1 : 0;
      return agree;
    };
    const [apart, together] = [await decided("tensor"), await decided("tensor:8")];
    expect(together).toBeGreaterThan(0.85 * apart);
  });
});
