import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { CALLS, type OptimiserCase } from "../../../oracle/programs/optimisers/case.test.kit.ts";
import { optimiserCases } from "../../../oracle/programs/optimisers/cases.test.kit.ts";
import { compared } from "../../../oracle/programs/optimisers/compared.test.kit.ts";
import { optimiserMutants } from "../../../oracle/programs/optimisers/mutants.test.data.ts";
import type { Named } from "../../../reference/state/optimisers/calls.test.kit.ts";
import { pythonTestee } from "../bundled.ts";

/** The libraries, with the versions whose conventions the cases state. */
const libraries = [
  {
    name: "torch.optim",
    key: "torch",
    file: "torch_optimisers.py",
    module: "torch",
    setUp: "setup.py --pytorch",
    version: /^2\.15\./,
  },
  {
    name: "optax",
    key: "optax",
    file: "optax_optimisers.py",
    module: "optax",
    setUp: "setup.py",
    version: /^0\.2\.8$/,
  },
] as const;

type Library = (typeof libraries)[number];

/** A library's answer. */
interface Followed {
  readonly version: string;
  /** The parameters after each call, for each case. */
  readonly paths: readonly (readonly Named<number>[])[];
}

function isRecord(x: unknown): x is Readonly<Record<string, unknown>> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

function isPath(x: unknown): x is Named<number>[] {
  const isVector = (y: unknown): boolean =>
    Array.isArray(y) && y.every((element) => typeof element === "number");
  return Array.isArray(x) && x.every((left) => isRecord(left) && Object.values(left).every(isVector));
}

/** Asks a library for all its cases at once. */
function followed({ key, file, module }: Library, cases: readonly OptimiserCase[]): Followed {
  const [python = "", ...rest] = pythonTestee(file, module)?.argv ?? [];
  const input = JSON.stringify(
    cases.map(({ parameters, groups, gradients, ...one }) => ({
      parameters,
      groups,
      gradients,
      ...one[key],
    })),
  );
  const run = spawnSync(python, rest, { input, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (run.status !== 0) throw new Error(run.stderr);
  const reply: unknown = JSON.parse(run.stdout);
  if (isRecord(reply) && typeof reply.version === "string" && Array.isArray(reply.paths)) {
    const { version, paths } = reply;
    if (paths.length === cases.length && paths.every(isPath)) return { version, paths };
  }
  throw new Error("it did not answer with a path for each case");
}

for (const library of libraries) {
  const { name, key, module, file, setUp, version } = library;
  const isMissing = pythonTestee(file, module) === undefined;
  const note = isMissing ? ` (skipped: install it with python3 conformance/testees/python/${setUp})` : "";
  const cases = optimiserCases.filter((one) => one[key] !== undefined);
  const [narrow, wide] = [true, false].map((isNarrow) =>
    cases.filter((one) => (one[key]?.isNarrow === true) === isNarrow),
  );

  describe.skipIf(isMissing)(`${name}${note}`, () => {
    const held: { found?: Followed } = {};
    /** Returns the path of a case; the library is asked when the first is wanted. */
    const pathOf = (one: OptimiserCase): readonly Named<number>[] => {
      held.found ??= followed(library, cases);
      return held.found.paths[cases.indexOf(one)] ?? [];
    };

    test("is the version whose conventions the cases say", () => {
      held.found ??= followed(library, cases);
      expect(held.found.version).toMatch(version);
    });

    test.each(
      (wide ?? []).map((one) => [one.title, one] as const),
    )("after each call of %s, is within the bound of the program", (_, one) => {
      expect(compared(one.program, one, pathOf(one)).verdict).toBe("within");
    });

    const told = optimiserMutants.flatMap((mutant) => {
      const one = wide?.find(({ title }) => title === mutant.of);
      return one === undefined ? [] : [[mutant.name, mutant, one] as const];
    });

    test.each(told)("exposes the wrong program %s", (_, { edit }, one) => {
      expect(compared(edit(one.program), one, pathOf(one)).verdict).toBe("outside");
    });

    test.each(
      (narrow ?? []).map((one) => [one.title, one] as const),
    )("with %s, rounds to float32 on the way [docs/findings.md], and does nothing else", (_, one) => {
      const { verdict, distance } = compared(one.program, one, pathOf(one));
      expect(verdict).toBe("outside");
      // Rate 0.1, gradients below 3, and velocities ten times as long err by 2⁻²³ of themselves at each call.
      expect(distance).toBeLessThan(CALLS * 0.1 * 3 * 10 * 2 ** -23);
    });
  });
}
