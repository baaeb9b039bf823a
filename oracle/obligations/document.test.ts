import { describe, expect, test } from "vitest";
import { familyPages, obligationsPage } from "./document.ts";
import type { Obligation } from "./obligation.ts";
import { largerIsAbove, stepStays } from "./obligations.test.kit.ts";
import { type Entry, runObligations } from "./run.ts";
import { z3 } from "./solve/z3.ts";

/** This solver answers what each script expects. */
const echo = {
  name: "echo 1.0",
  ask: async ({ script }: Parameters<ReturnType<typeof z3>["ask"]>[0]) => ({
    answer:
      script.expected === "unsat"
        ? ({ kind: "proved", core: [] } as const)
        : ({ kind: "refuted", model: new Map<string, string>() } as const),
    milliseconds: 1,
    spent: undefined,
  }),
  [Symbol.asyncDispose]: async () => {},
};

function run(obligations: readonly Obligation[]): Promise<readonly Entry[]> {
  return runObligations({
    obligations,
    makeSolver: z3,
    lanes: 1,
    seeds: 1,
    timeout: undefined,
    second: echo,
    isAll: true,
    onEntry: () => {},
  });
}

describe("the pages about obligations", async () => {
  const mutants = largerIsAbove.mutants.map((mutant) => ({ ...mutant, goal: largerIsAbove.goal }));
  const own = { ...largerIsAbove, id: "tape/same", goal: "(= x x)", mutants };
  const entries = await run([stepStays, largerIsAbove, own]);
  const [overview, pages] = [obligationsPage(entries, echo.name), familyPages(entries)];

  test("are one that counts each family, and a table of the obligations of each", () => {
    expect([...pages.keys()]).toEqual(["kit.md", "tape.md"]);
    for (const { id } of [stepStays, largerIsAbove, own])
      expect(pages.get(`${id.slice(0, id.indexOf("/"))}.md`)).toContain(`\n| \`${id}\` | `);
  });

  test("count goals by what decides them, and agreements where something is asserted", () => {
    // Two goals of the kit need a solver; one of their six scripts asserts nothing.
    expect(overview).toMatch(/^\| kit \|.* \| 2 \| 0 \| 0 \| 2 \| 2 \| agrees 5\/5 \|$/m);
    expect(overview).toMatch(/^\| tape \|.* \| 1 \| 1 \| 0 \| 0 \| 1 \| agrees 2\/2 \|$/m);
    expect(overview).toMatch(/^\| all .* \| 3 \| 1 \| 0 \| 2 \| 3 \| agrees 7\/7 \|$/m);
    expect(pages.get("tape.md")).toMatch(/^\| `tape\/same` \| .* \| proved \| same term \| /m);
  });

  test("have prose in lines of at most 100 characters", () => {
    const long = [overview, ...pages.values()]
      .flatMap((text) => text.split("\n"))
      .filter((line) => !line.startsWith("|") && line.length > 100);
    expect(long).toEqual([]);
  });
});
