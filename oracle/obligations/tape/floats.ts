import { backwardDenseFrom, float64 } from "../../../reference/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import { formatFloat64 } from "../../../spec/wire/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";
import { detourTape, sparseDifference } from "./detour.ts";

/** Reads the float64 that a model gives a term. Throws {@link InvariantError} where it gives none. */
export function modelFloat(model: Model, term: string): number {
  const text = model.get(term) ?? "";
  const [, special] = /^\(_ (\+zero|-zero|\+oo|-oo|NaN) 11 53\)$/.exec(text) ?? [];
  const named = special === undefined ? undefined : specials[special];
  if (named !== undefined) return named;
  const [, sign, exponent, mantissa] =
    /^\(fp #b([01]) #b([01]{11}) #(x[0-9a-f]{13}|b[01]{52})\)$/.exec(text) ?? [];
  if (sign === undefined || exponent === undefined || mantissa === undefined) {
    throw new InvariantError(`${term} is ${text}, no float64`);
  }
  const bits = new DataView(new ArrayBuffer(8));
  bits.setBigUint64(0, (BigInt(`0b${sign}${exponent}`) << 52n) | BigInt(`0${mantissa}`));
  return bits.getFloat64(0);
}

const specials: Readonly<Record<string, number>> = {
  "+zero": 0,
  "-zero": -0,
  "+oo": Number.POSITIVE_INFINITY,
  "-oo": Number.NEGATIVE_INFINITY,
  NaN: Number.NaN,
};

/**
 * Runs the real loops in float64 where the output gives `slot` to the input and nothing to node 1, which
 * gives `factor · c`: the dense loop adds `factor · 0` to `0 + slot`, the sparse one leaves `slot`. Both
 * should have the same bits.
 */
function executeProduct(slot: number, factor: number): Execution {
  const run = (held: number, by: number): string | undefined =>
    sparseDifference(float64, { pull: (c) => by * c, direct: () => held }, 1);
  const [right, wrong] = [run(1, 2), run(slot, factor)];
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `1 and a factor of 2: ${right ?? "the loops agree"}; ${formatFloat64(slot)} and a factor of ${formatFloat64(factor)}: ${wrong ?? "they agree too"}`,
  };
}

/** Runs the real dense loop over a node that pulls `cotangent` back by `factor` into a full slot. */
function executeSlot(slot: number, factor: number, cotangent: number): Execution {
  const tape = detourTape(0, { pull: (c) => factor * c, direct: (c) => c }).slice(0, 2);
  const run = (held: number, given: number): number | undefined => {
    const seed = [held, given].map((x) => ({ shape: [], data: [x] }));
    const grads = backwardDenseFrom(float64.additive, tape, seed);
    return grads.ok ? grads.value[0]?.data[0] : undefined;
  };
  const [right, wrong] = [run(1, 0), run(slot, cotangent)];
  return {
    showsFault: right === 1 && wrong !== undefined && !Object.is(wrong, slot),
    told: `a zero leaves 1 as it is; ${formatFloat64(slot)} + ${formatFloat64(factor)} × ${formatFloat64(cotangent)} is ${formatFloat64(wrong ?? Number.NaN)}`,
  };
}

/** This is the float64 1. */
const one = "(fp #b0 #b01111111111 #x0000000000000)";

/** This is the float64 0, with the sign of `+`. */
const zero = "(_ +zero 11 53)";

/**
 * Declares the three numbers. Those that are given are defined, since a solver takes most of a minute to find
 * some.
 */
function declaring(given: Readonly<Record<string, string>>): string {
  const sort = "(_ FloatingPoint 11 53)";
  const declared = ["cotangent", "factor", "slot"].map((name) =>
    given[name] === undefined
      ? `(declare-const ${name} ${sort})`
      : `(define-fun ${name} () ${sort} ${given[name]})`,
  );
  return `${declared.join("\n")}
(define-fun after () ${sort} (fp.add RNE slot (fp.mul RNE factor cotangent)))`;
}

const skippedProduct: Obligation = {
  id: "tape/sparse/skipped_product",
  statement:
    "In float64 a zero cotangent that goes through a product by a finite factor changes no bit of a slot that is not −0 and no NaN's, so the sparse loop may skip it.",
  clause: "SEMANTICS §7",
  logic: "QF_FP",
  scope: { kind: "operator", operator: "multiply", shapes: "scalars" },
  tier: "everyday",
  declarations: declaring({}),
  hypotheses: [
    { name: "zero-cotangent", formula: "(fp.isZero cotangent)" },
    { name: "finite-factor", formula: "(not (or (fp.isInfinite factor) (fp.isNaN factor)))" },
    { name: "no-negative-zero", formula: "(not (and (fp.isZero slot) (fp.isNegative slot)))" },
  ],
  goal: "(= after slot)",
  rlimit: 20_000_000,
  requiredCore: ["zero-cotangent", "finite-factor", "no-negative-zero"],
  mutants: [
    {
      name: "infinite-factor",
      fault: "the factor is infinite: 0·∞",
      instead: [{ name: "finite-factor", formula: "(fp.isInfinite factor)" }],
      declarations: declaring({ slot: one, factor: "(_ +oo 11 53)", cotangent: zero }),
      ask: ["slot", "factor"],
      execute: (model) => executeProduct(modelFloat(model, "slot"), modelFloat(model, "factor")),
    },
    {
      name: "negative-zero",
      fault: "the slot may hold −0, which goes when +0 is added",
      without: ["no-negative-zero"],
      declarations: declaring({ slot: "(_ -zero 11 53)", factor: one, cotangent: zero }),
      ask: ["slot", "factor", "cotangent"],
      execute: (model) =>
        executeSlot(modelFloat(model, "slot"), modelFloat(model, "factor"), modelFloat(model, "cotangent")),
    },
    {
      name: "some-cotangent",
      fault: "the cotangent is not zero",
      without: ["zero-cotangent"],
      declarations: declaring({ cotangent: one, factor: one, slot: one }),
      ask: ["slot", "factor", "cotangent"],
      execute: (model) =>
        executeSlot(modelFloat(model, "slot"), modelFloat(model, "factor"), modelFloat(model, "cotangent")),
    },
  ],
  dependsOn: ["tape/sparse/skipped"],
  metaArgument: "An instance of tape/sparse/skipped where its laws hold of these numbers though not of all.",
};

/** These state what holds of zeros in float64, and what does not. */
export const floatObligations: readonly Obligation[] = [skippedProduct];
