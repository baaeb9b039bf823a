import { integerIn } from "../accumulators/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { readRational } from "../operators/index.ts";

/** Kernels compute with codes of these widths. */
const widths = [8, 12, 16, 24] as const;

const fround = Math.fround;

/** In the binade that starts here float32 numbers are 1 apart. */
const BINADE = 2 ** 23;

const size = "(define-fun size ((a Real)) Real (ite (< a 0.0) (- a) a))";

/** Returns how far a model's number lies above the one that is kept. */
function partOf(model: Model): number {
  const off = readRational(model.get("off") ?? "");
  return off === undefined ? Number.NaN : -Number(off.numerator) / Number(off.denominator);
}

/**
 * Float32 is at least as near to any kept number as what codes decode to: a decoded number is a float32
 * number, `m · s` rounded, and none is nearer than the kept one.
 */
const nearest: Obligation = {
  id: "storage/domination/decoded",
  statement:
    "No float32 number is nearer to a number than the one that it is rounded to, so none that the codes of a grid decode to.",
  clause: "IEEE 754 §4.3.1",
  logic: "QF_LIRA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  declarations: `${size}\n(declare-const off Real)\n(declare-const apart Int)`,
  hypotheses: [{ name: "rounded", formula: "(and (<= (- 0.5) off) (<= off 0.5))" }],
  requiredCore: ["rounded"],
  goal: "(<= (size off) (size (+ off (to_real apart))))",
  rlimit: 1_000_000,
  mutants: [
    {
      name: "truncated",
      fault: "float32 numbers are cut off and not rounded.",
      instead: [{ name: "rounded", formula: "(and (< (- 1.0) off) (<= off 0.0))" }],
      ask: ["off", "apart"],
      execute(model) {
        const x = BINADE + partOf(model);
        const [cut, up] = [Math.trunc(x), Math.trunc(x) + 1];
        return {
          showsFault: Math.abs(fround(x) - x) <= Math.abs(up - x) && Math.abs(cut - x) > Math.abs(up - x),
          told: `${x} is kept as ${fround(x)}; cut off it is ${cut}, and ${up} is nearer`,
        };
      },
    },
    {
      name: "not-rounded",
      fault: "what codes stand for is not rounded to float32.",
      declarations: `${size}\n(declare-const off Real)\n(declare-const apart Real)`,
      instead: [{ name: "half", formula: "(and (= apart 0.5) (= off (- 0.5)))" }],
      goal: "(<= (size off) (size (+ off apart)))",
      ask: ["off", "apart"],
      execute: (model) => byItself(BINADE + partOf(model)),
    },
  ],
  dependsOn: [],
  metaArgument:
    "In units of the spacing in the number's binade, `off` is how far what is kept lies from the number, and `apart` how far any other float32 number lies from that: an integer in the binade and above it; what is below is beyond the binade's least number, which is one.",
};

/** Finds 2²³ + 1/2 = 97 · 86480.5, exactly a code times a float32 scale, and no float32 number. */
function byItself(x: number): Execution {
  for (let code = 2; code < 128; code++) {
    const scale = x / code;
    if (fround(scale) !== scale || code * scale !== x) continue;
    const [float, decoded] = [Math.abs(fround(x) - x), Math.abs(fround(code * scale) - x)];
    return {
      showsFault: float > 0 && decoded >= float,
      told: `${x} is ${code} · ${scale}, exactly, and float32 keeps ${fround(x)}; decoded in float32 the code gives ${fround(code * scale)}`,
    };
  }
  return { showsFault: false, told: `${x} is no code times a scale` };
}

/** States that an integer has at most 24 significant bits, so is a float32 number, in a word of this many. */
function held(bits: number): string {
  const sized = "(define-fun sized ((a (_ BitVec W))) (_ BitVec W) (ite (bvslt a ZERO) (bvneg a) a))";
  const cases = Array.from({ length: bits - 24 }, (_, more) => {
    const below = `(bvult a (bvshl ONE ${literal(24 + more, bits)}))`;
    return more === 0 ? below : `(and ${below} (= ((_ extract ${more - 1} 0) a) ${literal(0, more)}))`;
  });
  return [sized, `(define-fun held ((a (_ BitVec W))) Bool (or ${cases.join("\n  ")}))`]
    .join("\n")
    .replaceAll("W", String(bits))
    .replaceAll("ZERO", literal(0, bits))
    .replaceAll("ONE", literal(1, bits));
}

function literal(value: number, bits: number): string {
  return `(_ bv${value} ${bits})`;
}

const WORD = 32;
const PRODUCT = 64;

/** Takes any float32 number for the scale. */
function anyScale(bits: number): ObligationMutant {
  return {
    name: "any-scale",
    fault: "the scale is any float32 number.",
    declarations: `${held(PRODUCT)}\n${["code", "scale"].map((name) => `(declare-const ${name} (_ BitVec ${PRODUCT}))`).join("\n")}`,
    instead: [
      {
        name: "width",
        formula: `(and (bvult ${literal(0, PRODUCT)} code) (bvule code ${literal(2 ** (bits - 1) - 1, PRODUCT)}))`,
      },
      {
        name: "significand",
        formula: `(and (bvule ${literal(BINADE, PRODUCT)} scale) (bvult scale ${literal(2 * BINADE, PRODUCT)}))`,
      },
    ],
    goal: "(held (bvmul code scale))",
    ask: ["code", "scale"],
    execute(model) {
      const [code, scale] = [Number(integerIn(model, "code")), Number(integerIn(model, "scale"))];
      // At most 47 bits are exact.
      const value = code * scale;
      return {
        showsFault:
          fround(scale) === scale && fround(value) !== value && fround(code * BINADE) === code * BINADE,
        told: `${code} · ${scale} is ${value}, and float32 keeps ${fround(value)}; ${code} · ${BINADE} it keeps as it is`,
      };
    },
  };
}

/** States that if the scale is a power of two, codes are float32 numbers, so float32 ties with them. */
function powerOfTwo(bits: number): Obligation {
  const within = (width: number): string => `(bvule (sized code) (_ bv${2 ** (width - 1)} ${WORD}))`;
  return {
    id: `storage/domination/power_of_two_${bits}`,
    statement: `What a code of ${bits} bits stands for on a grid whose scale is a power of two is a float32 number, so float32 keeps it as it is.`,
    clause: "IEEE 754 §3.4",
    logic: "QF_BV",
    scope: { kind: "all_graphs" },
    tier: "everyday",
    declarations: `${held(WORD)}\n(declare-const code (_ BitVec ${WORD}))`,
    hypotheses: [{ name: "width", formula: within(bits) }],
    requiredCore: ["width"],
    goal: "(held (sized code))",
    rlimit: 1_000_000,
    mutants: [
      {
        name: "wider",
        fault: "so is one of 26 bits.",
        instead: [{ name: "width", formula: within(26) }],
        ask: ["code"],
        execute(model) {
          const code = Number(integerIn(model, "code"));
          const greatest = 2 ** (bits - 1);
          return {
            showsFault: fround(code) !== code && fround(greatest) === greatest,
            told: `${code} is kept as ${fround(code)}, ${greatest} as ${fround(greatest)}`,
          };
        },
      },
      anyScale(bits),
    ],
    dependsOn: [],
    metaArgument:
      "A power of two shifts the exponent of a code and leaves its digits, where the result is neither too large for float32 nor below its least normal number.",
  };
}

/** States that float32 numbers are as near as decoded codes, and exact where a scale is a power of two. */
export function dominationObligations(): readonly Obligation[] {
  return [nearest, ...widths.map(powerOfTwo)];
}
