import { describe, expect, test } from "vitest";
import { graph, isPrimitiveGraph } from "../../spec/index.ts";
import { float64 } from "../algebras/float.ts";
import { noEnvironment } from "../hand.test.kit.ts";
import { zeros } from "../tensor.ts";
import { planTape, staticTape } from "./static.ts";
import { subjectOf } from "./subject.ts";

describe("a tape that was planned for the first values of a run alone", () => {
  test.each([[[]], [[0]], [[1]], [[2]], [[1, 1]]])("is refused at the first other, of shape %j", (shape) => {
    const built = graph(({ input }) => input("x", shape).exp().exp());
    const subject = isPrimitiveGraph(built) ? subjectOf(built, float64) : expect.unreachable("primitives");
    if (!subject.ok) return expect.unreachable("floats have exp");
    const point = { x: [zeros(float64.additive, shape)], environment: noEnvironment };
    for (const count of [0, 1, 2]) {
      const system = staticTape((of) => ({ ...planTape(of), shapes: of.shapes.slice(0, count) }));
      expect(system.record(subject.value, point)).toMatchObject({
        ok: false,
        error: [{ code: "tape/plan", pointer: `/${count}` }],
      });
    }
  });
});
