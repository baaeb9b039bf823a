import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";

/** An accumulator sums integers of magnitude at most `2^productBits` in two's complement. */
export interface Accumulator {
  readonly name: string;
  readonly bits: number;
  readonly productBits: number;
  /** At most this many products may be added. */
  readonly most: number;
  /** If true, the least word is no number but an error. */
  readonly hasNaR: boolean;
}

/** Writes `2^bits` as an SMT-LIB integer. */
export function power(bits: number): string {
  return String(2n ** BigInt(bits));
}

/** Writes a nonnegative integer as a word of `bits` bits. */
function word(value: bigint, bits: number): string {
  return `#b${value.toString(2).padStart(bits, "0")}`;
}

/**
 * States the width as a loop invariant: at first the sum is 0; a product takes the sum after `k` products, at
 * most `k · 2^p`, to at most `(k + 1) · 2^p`; and after `most` products or fewer it is a word of the
 * accumulator, not the error. Integers say so, and bit vectors for the step as the machine takes it.
 */
export function widthObligations(accumulator: Accumulator): readonly Obligation[] {
  return [
    preservation(accumulator),
    postcondition(accumulator),
    precondition(accumulator),
    machineStep(accumulator),
  ];
}

function base(
  accumulator: Accumulator,
  part: string,
): Omit<Obligation, "statement" | "declarations" | "goal" | "mutants"> {
  return {
    id: `accumulators/${accumulator.name}/${part}`,
    clause: "SEMANTICS §6",
    logic: "QF_LIA",
    scope: { kind: "accumulator", accumulator: accumulator.name },
    tier: "everyday",
    hypotheses: [],
    rlimit: 2_000_000,
    requiredCore: [],
    dependsOn: [],
    metaArgument: "",
  };
}

/** Defines `|sum| ≤ k · 2^p` as a function for formulas. */
export function invariant({ productBits }: Accumulator): string {
  return `(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* ${power(productBits)} k)) sum) (<= sum (* ${power(productBits)} k))))`;
}

function precondition(accumulator: Accumulator): Obligation {
  return {
    ...base(accumulator, "precondition"),
    statement: `An empty ${accumulator.name} is within 0 products.`,
    declarations: `${invariant(accumulator)}\n(declare-const start Int)`,
    hypotheses: [{ name: "empty", formula: "(= start 0)" }],
    requiredCore: ["empty"],
    goal: "(within start 0)",
    mutants: [
      {
        name: "not-empty",
        fault: "the accumulator starts with anything.",
        without: ["empty"],
        ask: ["start"],
        execute(model) {
          const start = integerIn(model, "start");
          return shown(
            isWithin(accumulator, 0n, 0n),
            isWithin(accumulator, start, 0n),
            `a start at ${start}`,
          );
        },
      },
    ],
  };
}

function preservation(accumulator: Accumulator): Obligation {
  const { productBits, name } = accumulator;
  const bound = power(productBits);
  const largest = 2n ** BigInt(productBits);
  const step = (model: Model): Execution => {
    const { sum, product, k } = stepIn(model);
    // The hypotheses allow this largest sum and product for the model's count.
    const count = k < 0n ? 0n : k;
    const right = isWithin(accumulator, count * largest + largest, count + 1n);
    const wrong = isWithin(accumulator, sum + product, k + 1n);
    return shown(right, wrong, `sum ${sum} and product ${product} after ${k}`);
  };
  return {
    ...base(accumulator, "preservation"),
    statement: `A product of at most 2^${productBits} in magnitude takes a ${name} within k products to one within k + 1.`,
    declarations: `${invariant(accumulator)}\n(declare-const sum Int)\n(declare-const product Int)\n(declare-const k Int)`,
    hypotheses: [
      { name: "invariant", formula: "(within sum k)" },
      { name: "product_width", formula: `(and (<= (- ${bound}) product) (<= product ${bound}))` },
    ],
    requiredCore: ["invariant", "product_width"],
    goal: "(within (+ sum product) (+ k 1))",
    mutants: [
      {
        name: "any-product",
        fault: "a product is of any size.",
        without: ["product_width"],
        ask: ["sum", "product", "k"],
        execute: step,
      },
      {
        name: "any-sum",
        fault: "the sum before is anything.",
        without: ["invariant"],
        ask: ["sum", "product", "k"],
        execute: step,
      },
    ],
  };
}

function postcondition(accumulator: Accumulator): Obligation {
  const { bits, most, name, hasNaR } = accumulator;
  const least = hasNaR ? "<" : "<=";
  const goal = `(and (${least} (- ${power(bits - 1)}) sum) (< sum ${power(bits - 1)}))`;
  const overflowing = (
    mutant: string,
    fault: string,
    parts: Partial<ObligationMutant>,
  ): ObligationMutant => ({
    name: mutant,
    fault,
    ask: ["sum", "k"],
    execute: (model) => accumulated(accumulator, integerIn(model, "sum"), integerIn(model, "k")),
    ...parts,
  });
  return {
    ...base(accumulator, "postcondition"),
    statement: `A ${name} within ${most} products has not overflowed.`,
    declarations: `${invariant(accumulator)}\n(declare-const sum Int)\n(declare-const k Int)`,
    hypotheses: [
      { name: "invariant", formula: "(within sum k)" },
      { name: "count", formula: `(<= k ${most})` },
    ],
    requiredCore: ["invariant", "count"],
    goal,
    mutants: [
      overflowing("one-more", `${most + 1} products fit too.`, {
        instead: [{ name: "count", formula: `(<= k ${most + 1})` }],
      }),
      overflowing("any-sum", "the sum is of anything.", { without: ["invariant"], ask: ["sum", "k"] }),
    ],
    dependsOn: ["precondition", "preservation"].map((part) => `accumulators/${name}/${part}`),
    metaArgument:
      "Induction over the number of products: every prefix of the sum is within its own number of them.",
  };
}

/** States that a step on words loses no carry and does not give the error word. */
function machineStep(accumulator: Accumulator): Obligation {
  const { bits, productBits, most, name, hasNaR } = accumulator;
  const shifted = (k: string): string => `(bvshl ${k} ${word(BigInt(productBits), bits)})`;
  const declarations = [
    ...["sum", "product", "k"].map((term) => `(declare-const ${term} (_ BitVec ${bits}))`),
    `(define-fun bound () (_ BitVec ${bits}) ${word(2n ** BigInt(productBits), bits)})`,
    `(define-fun reach () (_ BitVec ${bits}) ${shifted("k")})`,
    `(define-fun after () (_ BitVec ${bits}) (bvadd sum product))`,
    `(define-fun exact () (_ BitVec ${bits + 1}) (bvadd ((_ sign_extend 1) sum) ((_ sign_extend 1) product)))`,
  ].join("\n");
  const isExact = "(= ((_ sign_extend 1) after) exact)";
  const count = (limit: number): string => `(bvult k ${word(BigInt(limit), bits)})`;
  const wrapped = (model: Model): Execution => stepOnWords(accumulator, model);
  const ask = ["sum", "product", "k"];
  return {
    ...base(accumulator, "machine_step"),
    statement: `The words of a ${name} add a product without losing a carry, while fewer than ${most} are in it.`,
    logic: "QF_BV",
    declarations,
    hypotheses: [
      { name: "count", formula: count(most) },
      { name: "invariant", formula: "(and (bvsle (bvneg reach) sum) (bvsle sum reach))" },
      { name: "product_width", formula: "(and (bvsle (bvneg bound) product) (bvsle product bound))" },
    ],
    requiredCore: ["count", "invariant", "product_width"],
    goal: hasNaR ? `(and ${isExact} (not (= after ${word(2n ** BigInt(bits - 1), bits)})))` : isExact,
    rlimit: 20_000_000,
    mutants: [
      {
        name: "one-more",
        fault: `${most + 1} products fit too.`,
        instead: [{ name: "count", formula: count(most + 1) }],
        ask,
        execute: wrapped,
      },
      {
        name: "any-sum",
        fault: "the sum before is anything.",
        without: ["invariant"],
        ask,
        execute: wrapped,
      },
      {
        name: "any-product",
        fault: "a product is of any size.",
        without: ["product_width"],
        ask,
        execute: wrapped,
      },
    ],
    dependsOn: [],
    metaArgument: "",
  };
}

/** Reads an integer, or a word as an integer in two's complement. */
export function integerIn(model: Model, term: string): bigint {
  const text = model.get(term) ?? "";
  const negative = /^\(- (\d+)\)$/.exec(text)?.[1];
  if (negative !== undefined) return -BigInt(negative);
  if (!text.startsWith("#")) return BigInt(text);
  const digits = text.slice(2);
  return BigInt.asIntN(digits.length * (text[1] === "x" ? 4 : 1), BigInt(`0${text.slice(1)}`));
}

/** Tells whether a sum is within `k` products. */
function isWithin({ productBits }: Accumulator, sum: bigint, k: bigint): boolean {
  const most = k * 2n ** BigInt(productBits);
  return -most <= sum && sum <= most;
}

function shown(rightHolds: boolean, wrongHolds: boolean, told: string): Execution {
  return { showsFault: rightHolds && !wrongHolds, told };
}

/** Tells whether a word of the accumulator holds a sum as a number. */
export function holds({ bits, hasNaR }: Accumulator, sum: bigint): boolean {
  return BigInt.asIntN(bits, sum) === sum && !(hasNaR && sum === -(2n ** BigInt(bits - 1)));
}

/** Checks that the largest sum of `most` products fits, and that the model's does not. */
function accumulated(accumulator: Accumulator, sum: bigint, k: bigint): Execution {
  const largest = BigInt(accumulator.most) * 2n ** BigInt(accumulator.productBits);
  const right = holds(accumulator, largest) && holds(accumulator, -largest);
  return shown(
    right,
    holds(accumulator, sum),
    `${k} products that sum to ${sum}, of which the word is ${BigInt.asIntN(accumulator.bits, sum)}`,
  );
}

function stepOnWords(accumulator: Accumulator, model: Model): Execution {
  const { sum, product, k } = stepIn(model);
  return accumulated(accumulator, sum + product, k + 1n);
}

function stepIn(model: Model): Readonly<Record<"sum" | "product" | "k", bigint>> {
  return { sum: integerIn(model, "sum"), product: integerIn(model, "product"), k: integerIn(model, "k") };
}
