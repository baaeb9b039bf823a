import { describe, expect, test } from "vitest";
import type { Engine } from "../../spec/contract/index.ts";
import { type FlatTensor, operatorNames, present } from "../../spec/index.ts";
import { loaded, resultOf } from "../asking.test.kit.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import { mutants } from "./index.ts";
import { type Telling, telling } from "./mutants.test.cases.ts";

/** Returns the last of an engine's answers to a telling question. */
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

test("no two mutants share a name or a fault, and each telling question is of one of them", () => {
  const names = new Set(mutants.map(({ name }) => name));
  expect(names.size).toBe(mutants.length);
  expect(new Set(mutants.map(({ fault }) => fault)).size).toBe(mutants.length);
  expect(Object.keys(telling).filter((name) => !names.has(name))).toEqual([]);
});

describe.each(mutants.filter(({ name }) => name in telling))("$name", ({ name, engine }) => {
  const question = present(telling[name], name);

  test("gives the wrong answer worked out by hand, where the interpreter gives the right one", async () => {
    expect(question.right).not.toEqual(question.wrong);
    expect(await answerOf(interpreterEngine(), question)).toEqual(question.right);
    expect(await answerOf(engine(), question)).toEqual(question.wrong);
  });
});

test.each(mutants)("$name says what is wrong in one sentence, and that it is a mutant", (mutant) => {
  const { name, fault, source, operator, engine } = mutant;
  expect(fault).toMatch(/^[A-Za-z].*\.$/);
  expect(fault).not.toMatch(/[.!?] /);
  expect(source).toMatch(/^$|^[A-Z][0-9]{2}$/);
  const description = { ...interpreterEngine().describe(), name: `mutant: ${name}` };
  expect(engine().describe()).toEqual(description);
  if (operator !== undefined) expect(operatorNames).toContain(operator);
});
