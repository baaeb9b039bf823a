import { expect, test } from "vitest";
import { mutants, unseenMutants } from "../../engines/index.ts";
import { present } from "../../spec/index.ts";
import { measureRow, type Row } from "./row.ts";
import { unseenLine, unseenTotal } from "./unseen.ts";

type Kills = Pick<Row, "random" | "suite">;

const caught: Kills = {
  suite: {
    generic: [
      { name: "a", question: "vjp" },
      { name: "b", question: "jvp" },
    ],
    ones: [],
  },
  random: { generic: { cases: 7, question: "vjp" }, ones: undefined },
};

const escaped: Kills = { suite: { generic: [], ones: [] }, random: { generic: undefined, ones: undefined } };

const mutant = present(
  unseenMutants.find(({ name }) => name === "log2_slope_multiplied"),
  "a mutant",
);

/** The first product shows this fault. */
const early = present(
  mutants.find(({ name }) => name === "operand_dropped"),
  "a mutant",
);

test("a line says at which case random search ends, which cases of the suite kill, and where a fault is from", () => {
  expect(unseenLine({ ...mutant, source: "https://example.org/1" }, caught)).toBe(
    "| `log2_slope_multiplied` | <https://example.org/1> | 7 | 2: `a` |",
  );
  expect(unseenLine({ ...mutant, source: "an adapter" }, escaped)).toBe(
    "| `log2_slope_multiplied` | an adapter | **survives** | **survives** |",
  );
});

test("the total counts search and suite apart", () => {
  expect(unseenTotal([caught, { ...escaped, suite: caught.suite }, escaped])).toBe(
    "1 of 3 by search, 2 of 3 by suite",
  );
});

test("a brief row has the kills of a case's own cotangents and nothing else", async () => {
  const options = { suite: [], seed: 1, cases: 60, lawCases: 0, isBrief: true };
  const { random, witness } = await measureRow(early, options);
  expect(random.generic).toBeDefined();
  expect(random.ones).toBeUndefined();
  expect(witness).toBeUndefined();
});
