import type { Algebra, OrderedReal, Real } from "../../spec/index.ts";
import { modular, modularOperations, type Residue, residue } from "./modular.ts";
import type { MaybeTruth } from "./rational.ts";

/** A fixed function on residues that satisfies no useful equation: a cubic with constants of its own. */
function scrambled(a: bigint, b: bigint): (x: Residue) => Residue {
  return (x) => (x < 0n ? x : residue(((x + a) * x + b) * x + a * b + 1n));
}

/** A fixed function of two residues that satisfies no useful equation; it is not symmetric. */
function scrambledTwice(a: bigint, b: bigint): (x: Residue, y: Residue) => Residue {
  return (x, y) => (x < 0n || y < 0n ? -1n : residue((x + a) * (y + b) * (x + 2n * y) + a * x + b));
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
  expm1: scrambled(86_028_121n, 858_599_503n),
  log1p: scrambled(104_395_301n, 838_041_641n),
  log2: scrambled(122_949_823n, 817_504_243n),
  tan: scrambled(141_650_939n, 797_003_413n),
  asin: scrambled(160_481_183n, 776_531_401n),
  acos: scrambled(179_424_673n, 756_065_159n),
  atan: scrambled(198_491_317n, 735_632_791n),
  sinh: scrambled(217_645_177n, 715_225_739n),
  cosh: scrambled(236_887_691n, 694_847_533n),
  asinh: scrambled(256_203_161n, 674_506_081n),
  acosh: scrambled(275_604_541n, 654_188_383n),
  atanh: scrambled(295_075_147n, 633_910_099n),
  erf: scrambled(314_606_869n, 613_651_349n),
  atan2: scrambledTwice(334_214_459n, 593_441_843n),
  hypot: scrambledTwice(353_868_013n, 573_259_391n),
};

const orderedReal: OrderedReal<Residue, MaybeTruth> = {
  ...modularOperations,
  ...real,
  pow: scrambledTwice(373_587_883n, 553_105_243n),
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
    orderedReal,
  },
};
