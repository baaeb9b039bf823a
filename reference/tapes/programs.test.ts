import { describe, expect, test } from "vitest";
import { program } from "../../spec/index.ts";
import { everyStatement } from "../../spec/programs/specimens.test.data.ts";
import { float64 } from "../algebras/float.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { exactly, shown, startAt } from "../state/state.test.kit.ts";
import type { Tensor } from "../tensor.ts";
import { dynamic } from "./dynamic.ts";
import { recordProgram } from "./programs.ts";
import type { TapeSystem } from "./system.ts";
import { tapeSystems } from "./table.ts";

/** n! by recursion, times a power of x by an overwriting loop, or −x by a branch if that is negative. */
const built = program(({ input, buffer, procedure, call, for_, if_ }) => {
  const factorial = procedure(
    "factorial",
    [
      { name: "n", kind: "value", shape: [] },
      { name: "x", kind: "value", shape: [] },
    ],
    (n, x) => {
      const total = x.multiply(0).add(1);
      if_(n, () => {
        const [rest] = call({ name: "factorial", results: [[]] }, n.subtract(1), x);
        if (rest !== undefined) total.becomes(rest.multiply(n).multiply(x));
      });
      return [total];
    },
  );
  const x = input("x", []);
  const a = buffer(x);
  for_(3, (i) => a.update("multiply", x.add(i)));
  if_(x.less(0), () => a.write(x.negative()));
  const [steps] = call(factorial, 3, x);
  return steps === undefined ? [a] : [a, steps];
});

function cotangents(system: TapeSystem, x: number): readonly string[] {
  const recorded = recordProgram(system, rational, built, startAt([exactly([], x)]));
  if (!recorded.ok) return recorded.error.map(({ code }) => code);
  const { tape, results } = recorded.value;
  return results.map((id) => {
    const seed: readonly (readonly [typeof id, Tensor<Rational>])[] = [[id, exactly([], 1)]];
    const again = recordProgram(system, rational, built, startAt([exactly([], x)]));
    const own = system.life === "once" && again.ok ? again.value.tape : tape;
    const swept = own.backward(new Map(seed));
    return swept.ok ? shown(swept.value[0] ?? exactly([])) : swept.error.code;
  });
}

describe("a tape of a program's run", () => {
  test.each(
    tapeSystems,
  )("has, on the $name tape, what ran: the loop, the branch taken, the recursion", (system) => {
    // At 2: x · x (x + 1)(x + 2) has 4x³ + 9x² + 4x, and 6x³ has 18x². At −2 the branch is taken.
    expect(cotangents(system, 2)).toEqual(["76", "72"]);
    expect(cotangents(system, -2)).toEqual(["-1", "72"]);
  });

  test.each(tapeSystems)("remembers, on the $name tape, a run of every kind of statement", (system) => {
    const start = {
      parameters: [{ shape: [2], data: [3, 4] }],
      state: [{ shape: [2], data: [0, 0] }],
      environment: new Map([["c", { kind: "real", tensor: { shape: [2], data: [2, 2] } } as const]]),
      generator: { key: [1, 2] as const, drawn: 0 },
      world: new Map([["in", [{ shape: [2], data: [1, 1] }]]]),
    };
    const recorded = recordProgram(system, float64, everyStatement, start);
    if (!recorded.ok) return expect.unreachable(JSON.stringify(recorded.error));
    const { tape, results, state } = recorded.value;
    const one = { shape: [2], data: [1, 1] };
    const swept = tape.backward(new Map([...results, ...state].map((id) => [id, one])));
    // The second element of x is x in the state, 2x and 4x² in the results; the first is multiplied by 0.
    const bars = swept.ok && swept.value.slice(0, 2).map(({ data }) => data.map((c) => c + 0));
    expect(bars).toEqual([
      [0, 35],
      [0, 0],
    ]);
  });

  test("is refused as its run is", () => {
    const spin = program(({ input, while_ }) => {
      const x = input("x", []);
      while_(x, 3, () => {});
      return [x];
    });
    const refused = recordProgram(dynamic, rational, spin, startAt([exactly([], 1)]));
    expect(refused.ok ? [] : refused.error.map(({ code }) => code)).toEqual(["program/fuel"]);
  });
});
