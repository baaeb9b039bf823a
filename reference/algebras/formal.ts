import type { Algebra, Real } from "../../spec/index.ts";
import { modular, modularOperations, type Residue, residue } from "./modular.ts";
import type { MaybeTruth } from "./rational.ts";

/** A fixed function on residues that satisfies no useful equation: a cubic with constants of its own. */
function scrambled(a: bigint, b: bigint): (x: Residue) => Residue {
  return (x) => (x < 0n ? x : residue(((x + a) * x + b) * x + a * b + 1n));
}

const real: Real<Residue> = {
  ...modularOperations,
  // As in a meadow, 1/0 is 0: so no law has to make an exception for poles.
  divide: (x, y) => (y === 0n ? modularOperations.multiply(x, y) : modularOperations.divide(x, y)),
  exp: scrambled(1_000_003n, 982_451_653n),
  log: scrambled(1_299_709n, 961_748_941n),
  sin: scrambled(15_485_863n, 941_083_987n),
  cos: scrambled(32_452_843n, 920_419_823n),
  tanh: scrambled(49_979_687n, 899_809_363n),
  sqrt: scrambled(67_867_967n, 879_190_841n),
};

/**
 * Integers modulo 2⁶¹ − 1 where the elementary functions are arbitrary ones ("formal": they mean nothing).
 * Adjointness and the tape theorems do not depend on what `exp` is, only on `jvp` and `vjp` using it alike;
 * so over this algebra they hold to equality for every operator, and a rule that mixes up two functions fails.
 */
export const formal: Algebra<Residue, MaybeTruth> = {
  ...modular,
  name: "formal",
  levels: {
    ...modular.levels,
    field: real,
    real,
    orderedField: { ...modularOperations, ...real },
    orderedReal: { ...modularOperations, ...real },
  },
};
