import {
  accumulate,
  decode,
  encode,
  halfAway,
  rounded,
  type Stored,
} from "../../../reference/numerics/storage/index.ts";
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

/** Defines a word of this value. */
function given(name: string, value: number): string {
  return `(define-fun ${name} () (_ BitVec ${PRODUCT}) ${literal(value, PRODUCT)})`;
}

/** Takes any float32 number for the scale. */
function anyScale(bits: number): ObligationMutant {
  return {
    name: "any-scale",
    fault: "the scale is any float32 number.",
    // The product of two odd numbers is odd, and this one needs more bits. They are given, not looked for.
    declarations: [held(PRODUCT), given("code", 2 ** (bits - 1) - 1), given("scale", BINADE + 5)].join("\n"),
    without: ["width"],
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

/**
 * Float32 is strictly nearer to what is smaller than half of a step: codes keep it as nothing, and float32 as
 * it is. In every tensor of codes there is room for such numbers, beside one that fills them.
 */
const strictly: Obligation = {
  id: "storage/domination/strictly",
  statement:
    "A number that is not 0 and smaller than half of a step of a symmetric grid is kept as 0 by its codes, and so is off by all of itself.",
  clause: "docs/storage-profile.md",
  logic: "QF_LIRA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  declarations: `${size}\n(declare-const x Real)\n(declare-const code Int)`,
  hypotheses: [
    { name: "small", formula: "(and (< 0.0 (size x)) (< (size x) 0.5))" },
    { name: "nearest", formula: "(<= (size (- x (to_real code))) 0.5)" },
  ],
  requiredCore: ["small", "nearest"],
  goal: "(and (= code 0) (> (size (- x (to_real code))) 0.0))",
  rlimit: 1_000_000,
  mutants: [
    {
      name: "any-size",
      fault: "any number is.",
      instead: [{ name: "small", formula: "(and (< 0.0 x) (< x 100.0))" }],
      ask: ["x", "code"],
      execute(model) {
        const code = Number(integerIn(model, "code"));
        // Beside 2047 a grid of 12 bits has the step 1; the model's code is a number of it, 1/4 is none.
        const of = (x: number): readonly number[] => {
          const kept = encode({ kind: "sym_int32", bits: 12 }, [2047, x], halfAway);
          return kept.ok ? decode(kept.value) : [];
        };
        return {
          showsFault: code !== 0 && of(code)[1] === code && of(0.25)[1] === 0 && fround(0.25) === 0.25,
          told: `beside 2047, ${code} is kept as ${of(code)[1]}, and 0.25 as ${of(0.25)[1]}; float32 keeps both`,
        };
      },
    },
    {
      name: "upwards",
      fault: "numbers are rounded up, to codes that are not 0.",
      instead: [
        { name: "nearest", formula: "(and (<= x (to_real code)) (< (to_real code) (+ x 1.0)))" },
        { name: "small", formula: "(= x 0.25)" },
      ],
      ask: ["code"],
      execute(model) {
        const code = Number(integerIn(model, "code"));
        return {
          showsFault: rounded(0.25, halfAway) === 0 && code !== 0,
          told: `0.25 is rounded to ${rounded(0.25, halfAway)}, and upwards to ${code}`,
        };
      },
    },
  ],
  dependsOn: [],
  metaArgument:
    "In units of the step of a tensor's grid, `x` is a number of it, and `code` the integer that it is rounded to. Float32 keeps every float32 number as it is.",
};

/** The codes of sums that float32 keeps as they are, and the first that it does not. */
const LONGEST = 2 ** 24;

/**
 * A sum over micro-batches is another matter: on a grid that stands, codes are added exactly while 32 bits
 * hold them, and float32 numbers while 24 do. Up to there they tie; beyond, codes are strictly nearer.
 */
const summed: Obligation = {
  id: "storage/domination/summed",
  statement:
    "A code of at most 2^24 in size, on a grid whose scale is a power of two, is a float32 number, and so is a sum of codes that is at most 2^24: float32 adds them up the same.",
  clause: "IEEE 754 §3.4",
  logic: "QF_BV",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  declarations: `${held(WORD)}\n(declare-const sum (_ BitVec ${WORD}))\n(declare-const code (_ BitVec ${WORD}))`,
  hypotheses: [
    { name: "term", formula: atMost("code", LONGEST) },
    { name: "total", formula: atMost("(bvadd sum code)", LONGEST) },
  ],
  requiredCore: ["term", "total"],
  goal: "(and (held (sized code)) (held (sized (bvadd sum code))))",
  rlimit: 1_000_000,
  mutants: [
    {
      name: "longer",
      fault: "so is one that is larger by 1.",
      instead: [
        { name: "total", formula: atMost("(bvadd sum code)", LONGEST + 1) },
        { name: "term", formula: atMost("code", 1) },
      ],
      ask: ["sum", "code"],
      execute(model) {
        const [sum, code] = [Number(integerIn(model, "sum")) | 0, Number(integerIn(model, "code")) | 0];
        const start: Stored = {
          type: { kind: "sym_int32", bits: 12 },
          codes: [sum],
          grids: [{ scale: 1, zero: 0 }],
        };
        const added = accumulate(start, [[code]], "fixed", halfAway);
        const codes = added.ok ? added.value.codes[0] : undefined;
        const float = fround(fround(sum) + fround(code));
        return {
          showsFault: codes === sum + code && float !== sum + code,
          told: `${sum} + ${code}: codes of 32 bits give ${codes}, float32 ${float}`,
        };
      },
    },
    {
      name: "greater-term",
      fault: "so is a code that is larger by 1.",
      instead: [{ name: "term", formula: atMost("code", LONGEST + 1) }],
      ask: ["code"],
      execute(model) {
        const code = Number(integerIn(model, "code")) | 0;
        return {
          showsFault: fround(code) !== code && fround(LONGEST) === LONGEST,
          told: `float32 keeps ${code} as ${fround(code)}, and ${LONGEST} as it is`,
        };
      },
    },
  ],
  dependsOn: [],
  metaArgument:
    "By induction over the terms: a sum that both have alike is a float32 number, and so is the next. A power of two shifts exponents and leaves digits, where nothing overflows or is subnormal.",
};

function atMost(term: string, most: number): string {
  return `(bvule (sized ${term}) ${literal(most, WORD)})`;
}

/**
 * States that float32 numbers are as near as decoded codes, strictly nearer somewhere, and exact where a
 * scale is a power of two; and up to where that is so of sums.
 */
export function dominationObligations(): readonly Obligation[] {
  return [nearest, strictly, ...widths.map(powerOfTwo), summed];
}
