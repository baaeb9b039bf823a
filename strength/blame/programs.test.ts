import { describe, expect, test } from "vitest";
import { interpreterEngine, programMutants } from "../../engines/index.ts";
import { type Held, type Names, Run } from "../../engines/memory/index.ts";
import type { StatementOf } from "../../spec/index.ts";
import { leastOf, sampled } from "../../spec/sampled.test.kit.ts";
import { rightlyBlamed } from "./program_kinds.ts";
import {
  LEAST_SHARE_OF_PROGRAMS,
  type NamedStatement,
  namedProgramMutants,
  namedSelfUpdates,
} from "./programs.ts";

const names = programMutants.map(({ name }) => name);

async function all(found: AsyncIterable<NamedStatement>): Promise<readonly NamedStatement[]> {
  const list: NamedStatement[] = [];
  for await (const one of found) list.push(one);
  return list;
}

/** PyTorch 2.15 doubles the tangent of a location once more when it is updated by itself. */
class DoublesItself extends Run {
  protected override updated(statement: StatementOf<"update">, names: Names): Held {
    const right = super.updated(statement, names);
    if (statement.to !== statement.from || right.tangent === undefined) return right;
    return { ...right, tangent: right.tangent.map((x) => 2 * x) };
  }
}

describe("the statement that the judge names", () => {
  test("is known to be right or not, for every mutant of programs", () => {
    expect(Object.keys(rightlyBlamed).toSorted()).toEqual(names.toSorted());
  });

  test("is one that the mutant runs wrongly", async () => {
    const some = sampled("blamed mutants of programs", names, 8);
    const found = await all(namedProgramMutants(some, { seed: 1, first: 0, end: 60, each: 1 }));
    expect(found.length).toBeGreaterThan(leastOf(0.6, some.length));
    const right = found.filter(({ isRight }) => isRight);
    expect(right.length).toBeGreaterThanOrEqual(leastOf(LEAST_SHARE_OF_PROGRAMS, found.length));
  });

  test("is the update of a location by itself, where that alone has a wrong tangent", async () => {
    const engine = interpreterEngine("doubles itself", {}, { run: DoublesItself });
    const found = await all(namedSelfUpdates(engine, { seed: 1, first: 0, end: 400, each: 5 }));
    expect(found.length).toBe(5);
    expect(found.filter(({ isRight }) => !isRight)).toEqual([]);
  });
});
