import { describe, expect, test } from "vitest";
import { type FlatTensor, present } from "../../spec/index.ts";
import { loaded, resultOf } from "../asking.test.kit.ts";
import type { Engine } from "../engine.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import { mutants } from "./index.ts";
import { type Telling, telling } from "./mutants.test.cases.ts";

/** The last of an engine's answers to a telling question. */
async function answerOf(
  engine: Engine,
  { graph, point, ask, times = 1 }: Telling,
): Promise<readonly FlatTensor[]> {
  const program = await loaded(engine, graph);
  const answer = async () => {
    if (ask.mode === "evaluate") return program.evaluate(point);
    if (ask.mode === "jvp") return program.jvp(point, ask.tangents);
    return program.backwardDense(point, ask.seeds);
  };
  for (let time = 1; time < times; time++) resultOf(await answer());
  return resultOf(await answer());
}

test("every mutant has a name, a fault and a telling question of its own", () => {
  expect(Object.keys(telling)).toEqual(mutants.map(({ name }) => name));
  expect(new Set(mutants.map(({ fault }) => fault)).size).toBe(mutants.length);
});

describe.each(mutants)("$name", ({ name, fault, source, engine }) => {
  const question = present(telling[name], name);

  test("gives the wrong answer worked out by hand, where the interpreter gives the right one", async () => {
    expect(question.right).not.toEqual(question.wrong);
    expect(await answerOf(interpreterEngine(), question)).toEqual(question.right);
    expect(await answerOf(engine(), question)).toEqual(question.wrong);
  });

  test("says what is wrong in one sentence, and that it is a mutant", () => {
    expect(fault).toMatch(/^[A-Za-z].*\.$/);
    expect(fault).not.toMatch(/[.!?] /);
    expect(source).toMatch(/^$|^[A-Z][0-9]{2}$/);
    const description = { ...interpreterEngine().describe(), name: `mutant: ${name}` };
    expect(engine().describe()).toEqual(description);
  });
});
