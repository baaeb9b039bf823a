import { describe, expect, it } from "vitest";
import type { Precision } from "../plan/executable.ts";
import { plan } from "../plan/planned.ts";
import { buildAs, type CodeShape } from "./backend.ts";
import { answerOf, difference, meaningOf, plainLayout, specimen } from "./specimens.test.kit.ts";

const precisions: readonly Precision[] = ["float64", "float32"];
const codeShapes: readonly CodeShape[] = ["loops", "straight", "pieces", "chosen"];

describe.each(precisions)("in %s", (precision) => {
  describe.each(codeShapes)("as %s", (shape) => {
    it("random programs get, bit for bit, what they mean", () => {
      for (let seed = 1; seed <= 500; seed++) {
        const subject = specimen(seed);
        const { program } = subject;
        const order = { program, layout: plainLayout(program), precision, regime: "bit_exact" } as const;
        const answer = answerOf(subject, buildAs(order, shape), precision);
        expect(difference(answer, meaningOf(subject, precision)), `seed ${seed}`).toBeUndefined();
      }
    });

    it("and still do when the planner has fused them, and values lie where others lay", () => {
      for (let seed = 1; seed <= 200; seed++) {
        const subject = specimen(seed);
        const planned = plan(subject.program, { precision, regime: "bit_exact" });
        const executable = buildAs({ ...planned, precision, regime: "bit_exact" }, shape);
        const answer = answerOf(subject, executable, precision);
        expect(difference(answer, meaningOf(subject, precision)), `seed ${seed}`).toBeUndefined();
      }
    });
  });
});
