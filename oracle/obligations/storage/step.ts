import { integerStep, movedBy } from "../../../reference/numerics/index.ts";
import { integerIn } from "../accumulators/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";

/** Gradients are kept in codes of these widths. */
const widths = [8, 12, 15] as const;

/** The greatest shift with which a word of 32 bits holds the product of a code and a multiplier up to 1. */
const shiftOf = (bits: number): number => 31 - bits;

function base(
  id: string,
): Pick<Obligation, "id" | "clause" | "logic" | "scope" | "tier" | "rlimit" | "dependsOn"> {
  return {
    id: `storage/step/${id}`,
    clause: "docs/storage-profile.md",
    logic: "QF_LIA",
    scope: { kind: "all_graphs" },
    tier: "everyday",
    rlimit: 1_000_000,
    dependsOn: [],
  };
}

const power = (exponent: number): string => String(2 ** exponent);

/** Says that a product is one of a code of so many bits and the multiplier. */
function ofCode(bits: number): string {
  const most = power(bits - 1);
  return `(and (<= (* (- ${most}) multiplier) product) (<= product (* ${most} multiplier)))`;
}

const upTo = (most: number): string => `(and (<= 0 multiplier) (<= multiplier ${most}))`;

/** Adds up what a step does at the greatest code, and looks whether the real step makes room for it. */
function roomFor(bits: number, multiplier: number, shift: number): Execution {
  const step = integerStep(multiplier / 2 ** shift, bits);
  const sum = 2 ** (bits - 1) * multiplier + 2 ** (shift - 1);
  return {
    showsFault: sum > 2 ** 31 - 1 && step !== undefined && step.shift < shift,
    told: `${2 ** (bits - 1)} · ${multiplier} + 2^${shift - 1} is ${sum}; the step takes a shift of ${step?.shift}`,
  };
}

/** States that no product of a code and a multiplier leaves 32 bits, with half of the divisor added. */
function fits(bits: number): Obligation {
  const shift = shiftOf(bits);
  return {
    ...base(`fits_${bits}`),
    statement: `A gradient's code of ${bits} bits times a multiplier up to 2^${shift}, and half of 2^${shift} beside, is an integer of 32 bits.`,
    declarations: "(declare-const product Int)\n(declare-const multiplier Int)",
    hypotheses: [
      { name: "code", formula: ofCode(bits) },
      { name: "factor", formula: upTo(2 ** shift) },
    ],
    requiredCore: ["code", "factor"],
    goal: `(and (<= (- ${power(31)}) product) (<= (+ product ${power(shift - 1)}) ${2 ** 31 - 1}))`,
    mutants: [
      {
        name: "greater-factor",
        fault: `a multiplier of up to 2^${shift + 1} does too.`,
        instead: [{ name: "factor", formula: upTo(2 ** (shift + 1)) }],
        ask: ["multiplier"],
        execute: (model) => roomFor(bits, Number(integerIn(model, "multiplier")), shift),
      },
      {
        name: "wider-code",
        fault: `a code of ${bits + 1} bits does too.`,
        instead: [{ name: "code", formula: ofCode(bits + 1) }],
        ask: ["multiplier"],
        execute: (model) => roomFor(bits + 1, Number(integerIn(model, "multiplier")), shift),
      },
    ],
    metaArgument:
      "A code c lies between −2^(b − 1) and 2^(b − 1), so the product c · M lies between these multiples of M, which are linear; nothing else of the product is used.",
  };
}

/** Compares a step's move with the exact product at a code, and with a move by another rule. */
function movedAt(bits: number, model: Model, wrong: (sum: number, shift: number) => number): Execution {
  const shift = shiftOf(bits);
  const product = Number(integerIn(model, "product"));
  // A multiplier of 1 makes any product a code.
  const step = { multiplier: 1, shift, off: 0.5 };
  const [right, other] = [movedBy(step, product), wrong(product, shift)];
  const errorOf = (moved: number): number => Math.abs(product / 2 ** shift - moved);
  return {
    showsFault: errorOf(right) <= 0.5 && errorOf(other) > 0.5,
    told: `${product} / 2^${shift} is ${product / 2 ** shift}; rounded ${right}, cut off ${other}`,
  };
}

/** States how far a rounded product of integers lies from the exact one. */
function near(bits: number): Obligation {
  const shift = shiftOf(bits);
  const [whole, half] = [power(shift), power(shift - 1)];
  const rounded = (added: string): string =>
    `(and (<= 0 (- (+ product ${added}) (* ${whole} moved))) (< (- (+ product ${added}) (* ${whole} moved)) ${whole}))`;
  return {
    ...base(`near_${bits}`),
    logic: "QF_LIRA",
    statement: `A step in integers moves a parameter's code at most 1/2 + 2^${bits - 2 - shift} from where the exact gradient of ${bits} bits would move it.`,
    declarations:
      "(declare-const product Int)\n(declare-const moved Int)\n(declare-const off Real)\n(define-fun far () Real (- (+ (to_real product) off) (* (to_real moved) " +
      `${whole}.0)))`,
    hypotheses: [
      {
        name: "multiplier",
        formula: `(and (<= (- ${power(bits - 2)}.0) off) (<= off ${power(bits - 2)}.0))`,
      },
      { name: "rounded", formula: rounded(half) },
    ],
    requiredCore: ["multiplier", "rounded"],
    goal: `(and (<= (- ${2 ** (shift - 1) + 2 ** (bits - 2)}.0) far) (<= far ${2 ** (shift - 1) + 2 ** (bits - 2)}.0))`,
    mutants: [
      {
        name: "cut-off",
        fault: "half of the divisor is not added.",
        instead: [
          { name: "rounded", formula: rounded("0") },
          { name: "multiplier", formula: "(= off 0.0)" },
        ],
        ask: ["product", "moved", "off"],
        execute: (model) => movedAt(bits, model, (sum, by) => Math.floor(sum / 2 ** by)),
      },
    ],
    metaArgument:
      "In units of 2^−k of a code: `product` is c · M, and the exact move c · ρ · 2^k differs from it by `off` = c (ρ 2^k − M), at most 2^(b − 1) / 2 in size, since M is ρ 2^k rounded to nearest.",
  };
}

/** States that gradients of these widths can step parameters in 32-bit integers, and how near. */
export function stepObligations(): readonly Obligation[] {
  return widths.flatMap((bits) => [fits(bits), near(bits)]);
}
