import type { UnknownTerm } from "../../reference/package.ts";
import { dice } from "./scaling.test.kit.ts";
import type { LinearSystem } from "./solve.ts";

/**
 * Draws a system: equations that define an unknown by earlier ones, as nodes do, equations between known
 * ones, some wrong, and equations in no order. A `contradictory` one ends with an equation that cannot be
 * met.
 */
export function randomSystem(seed: number, size: number, kind?: "contradictory"): LinearSystem {
  const roll = dice(seed);
  const bases = 1 + roll(3);
  const unknowns = bases + size;
  const coefficient = (): bigint => BigInt([1, 1, 1, -1, -1, 2, -2, 3][roll(8)] ?? 1);
  const any = (below: number): number => bases + roll(below - bases);
  const isTame = roll(2) === 0;
  const equations: { terms: readonly UnknownTerm[] }[] = [];
  for (let i = 0; i < size; i++) {
    const own = bases + i;
    const sort = roll(10);
    if (i === 0 || sort < 2)
      equations.push({
        terms: [
          [own, coefficient()],
          [roll(bases), coefficient()],
        ],
      });
    else if (sort < 7)
      equations.push({
        terms: [
          [own, 1n],
          [any(own), coefficient()],
          [any(own), coefficient()],
        ],
      });
    else if (sort < 9 && !isTame)
      equations.push({
        terms: [
          [any(own + 1), 1n],
          [any(own + 1), -1n],
        ],
      });
    else if (!isTame) {
      const terms = Array.from({ length: 1 + roll(4) }, (): UnknownTerm => [roll(unknowns), coefficient()]);
      equations.push({ terms });
    }
  }
  const first = equations[0]?.terms ?? [];
  const wrong: UnknownTerm[] = [...first, [0, 1n]];
  return { bases, unknowns, equations: kind === undefined ? equations : [...equations, { terms: wrong }] };
}
