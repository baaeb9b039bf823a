import { type BinaryName, elementary, type UnaryName } from "../../spec/operators/index.ts";
import type { Algebra, OrderedReal } from "../../spec/shapes/index.ts";
import { modular, modularOperations, type Residue, residue } from "./modular.ts";
import type { MaybeTruth } from "./rational.ts";

/** Returns a fixed function on residues without useful equations: a cubic with constants of its own. */
function scrambled(name: UnaryName): (x: Residue) => Residue {
  const [a, b] = constantsOf(name);
  return (x) => (x < 0n ? x : residue(((x + a) * x + b) * x + a * b + 1n));
}

/** Returns a fixed function of two residues that satisfies no useful equation; it is not symmetric. */
function scrambledTwice(name: BinaryName): (x: Residue, y: Residue) => Residue {
  const [a, b] = constantsOf(name);
  return (x, y) => (x < 0n || y < 0n ? -1n : residue((x + a) * (y + b) * (x + 2n * y) + a * x + b));
}

/** Returns two residues that no other name has: its letters as digits, and their reverse. */
function constantsOf(name: string): readonly [Residue, Residue] {
  const digits = (letters: readonly string[]): Residue =>
    residue(letters.reduce((number, letter) => 1_000_003n * number + BigInt(letter.charCodeAt(0)), 7n));
  return [digits([...name]), digits([...name].reverse())];
}

const real: OrderedReal<Residue, MaybeTruth> = {
  ...modularOperations,
  // As in a meadow, 1/0 is 0: so no law has to make an exception for poles.
  divide: (x, y) => (y === 0n ? modularOperations.multiply(x, y) : modularOperations.divide(x, y)),
  ...elementary(scrambled, scrambledTwice),
};

/**
 * Integers modulo 2⁶¹ − 1 whose elementary functions are arbitrary ("formal": they mean nothing). Adjointness
 * and the tape theorems do not depend on what `exp` is, only on `jvp` and `vjp` using it alike. So over this
 * algebra they hold to equality, and a rule that confuses two functions fails.
 */
export const formal: Algebra<Residue, MaybeTruth> = {
  ...modular,
  name: "formal",
  levels: {
    ...modular.levels,
    field: real,
    real,
    orderedField: real,
    orderedReal: real,
  },
};
