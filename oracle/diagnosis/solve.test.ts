import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { UnknownTerm } from "../../reference/package.ts";
import { addExponents, at, type Exponent, exponentOf, multiplyExponents } from "../../spec/index.ts";
import { type Certificate, certifies } from "./certificate.ts";
import type { Form } from "./elimination.ts";
import { rankOf } from "./sheaf.ts";
import { type LinearSystem, solve } from "./solve.ts";
import { randomSystem } from "./systems.test.kit.ts";

/** Evaluates a sum of forms. */
function sumOf(terms: readonly UnknownTerm[], formOf: (unknown: number) => Form): Map<number, Exponent> {
  const sum = new Map<number, Exponent>();
  for (const [unknown, times] of terms) {
    for (const [part, exponent] of formOf(unknown)) {
      const more = multiplyExponents(exponent, exponentOf(times));
      sum.set(part, addExponents(sum.get(part) ?? exponentOf(0n), more));
    }
  }
  return sum;
}

/** Returns a system without one of the certificate's equations. */
function without({ equations, ...rest }: LinearSystem, certificate: Certificate, left: number): LinearSystem {
  const kept = certificate.filter((_, i) => i !== left).map(({ equation }) => at(equations, equation));
  return { ...rest, equations: kept };
}

const systems = fc.tuple(fc.nat(1_000_000), fc.constantFrom(4, 8, 20, 60)).map(([seed, size]) => ({
  seed,
  size,
  system: randomSystem(seed, size),
}));

describe("solve", () => {
  test("finds forms that meet every equation, and that are free of one another", () => {
    let solved = 0;
    fc.assert(
      fc.property(systems, ({ system }) => {
        const solution = solve(system);
        if (solution.kind !== "solved") return;
        solved += 1;
        const { elimination } = solution;
        const formOf = (unknown: number): Form => elimination.formOf([[unknown, 1n]]);
        for (const { terms } of system.equations) {
          expect([...sumOf(terms, formOf).values()].every(({ numerator }) => numerator === 0n)).toBe(true);
        }
        const free = Array.from({ length: system.unknowns }, (_, i) => i).filter((i) =>
          elimination.isFree(i),
        );
        expect(free.length).toBe(system.unknowns - system.bases - elimination.rank);
        for (const unknown of free) expect([...formOf(unknown)]).toEqual([[unknown, exponentOf(1n)]]);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(solved).toBeGreaterThan(50);
  });

  test("gives a certificate that certifies, and none of whose equations can be left out", () => {
    let obstructed = 0;
    fc.assert(
      fc.property(systems, ({ system }) => {
        const solution = solve(system);
        if (solution.kind !== "obstructed") return;
        obstructed += 1;
        const { certificate } = solution;
        expect(certifies(certificate, system.equations, system.bases)).toBe(true);
        certificate.forEach((_, left) => {
          expect(solve(without(system, certificate, left)).kind).toBe("solved");
        });
      }),
      { numRuns: 300, seed: 2 },
    );
    expect(obstructed).toBeGreaterThan(50);
  });

  test("says what exact ranks of the whole matrix say", () => {
    fc.assert(
      fc.property(systems, ({ system }) => {
        const { bases, unknowns, equations } = system;
        const rows = equations.map(({ terms }) => {
          const row = new Array<bigint>(unknowns).fill(0n);
          for (const [unknown, times] of terms) row[unknown] = at(row, unknown) + times;
          return row;
        });
        const rank = rankOf(rows.map((row) => row.slice(bases)));
        const isConsistent =
          rankOf(rows.map((row) => [...row.slice(bases), ...row.slice(0, bases)])) === rank;
        const solution = solve(system);
        expect(solution.kind).toBe(isConsistent ? "solved" : "obstructed");
        if (solution.kind === "solved") expect(solution.elimination.rank).toBe(rank);
      }),
      { numRuns: 300, seed: 3 },
    );
  });
});

describe("certifies", () => {
  const system = randomSystem(5, 20, "contradictory");
  const solution = solve(system);
  const certificate = solution.kind === "obstructed" ? solution.certificate : [];

  test("refuses a certificate with a number changed, a part left out, or nothing in it", () => {
    expect(certifies(certificate, system.equations, system.bases)).toBe(true);
    const wrong = certificate.map((part, i) => (i === 0 ? { ...part, times: part.times + 1n } : part));
    expect(certifies(wrong, system.equations, system.bases)).toBe(false);
    expect(certifies(certificate.slice(1), system.equations, system.bases)).toBe(false);
    expect(certifies([], system.equations, system.bases)).toBe(false);
  });

  test("refuses equations that hold together", () => {
    const first = system.equations[0];
    expect(first).toBeDefined();
    expect(certifies([{ equation: 0, times: 0n }], system.equations, system.bases)).toBe(false);
  });
});
