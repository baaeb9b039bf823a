import type { Register, Summand } from "../../../reference/numerics/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";

/** An accumulator is a register that sums products of any two codes of its format. */
export interface Accumulator {
  readonly name: string;
  readonly register: Register;
  /** These products are the largest of either sign. */
  readonly largest: readonly [up: Summand, down: Summand];
  /** No product has a larger magnitude, in units of the last place. */
  readonly bound: bigint;
  /** At most this many products may be added. */
  readonly most: bigint;
}

/** Reads off a register how large products of its codes are, and how many of the largest it has room for. */
export function accumulatorOf(register: Register): Accumulator {
  const { least, greatest, bits, units } = register;
  const ends: readonly Summand[] = [least, greatest].flatMap((x) =>
    [least, greatest].map((y): Summand => [x, y]),
  );
  const ordered = ends.toSorted((x, y) => Number(units(x) < units(y)) - Number(units(x) > units(y)));
  const [up = [greatest], down = [least]] = [ordered[0], ordered.at(-1)];
  const bound = units(up) > -units(down) ? units(up) : -units(down);
  const most = ((1n << BigInt(bits - 1)) - 1n) / bound;
  return { name: register.name.replace(":", "_"), register, largest: [up, down], bound, most };
}

/** Writes that a sum is a word of the accumulator, and not the error. */
export function isHeld({ register: { bits, hasNotReal } }: Accumulator): string {
  const end = 1n << BigInt(bits - 1);
  return `(and (${hasNotReal ? "<" : "<="} (- ${end}) sum) (< sum ${end}))`;
}

/** Writes an integer as a word in two's complement. */
export function word(value: bigint, bits: number): string {
  return `#b${BigInt.asUintN(bits, value).toString(2).padStart(bits, "0")}`;
}

/**
 * States the width as a loop invariant: at first the sum is 0; a product takes the sum after `k` products, at
 * most `k` of the largest, to at most `k + 1` of them; and after `most` products or fewer it is a word of the
 * accumulator, not the error. Integers say so, and bit vectors for the last step as the machine takes it.
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

/** Defines `|sum| ≤ k · bound` as a function for formulas. */
export function invariant({ bound }: Accumulator): string {
  return `(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* ${bound} k)) sum) (<= sum (* ${bound} k))))`;
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
  const { bound, name } = accumulator;
  const step = (model: Model): Execution => {
    const { sum, product, k } = stepIn(model);
    // The hypotheses allow this largest sum and product for the model's count.
    const count = k < 0n ? 0n : k;
    const right = isWithin(accumulator, count * bound + bound, count + 1n);
    const wrong = isWithin(accumulator, sum + product, k + 1n);
    return shown(right, wrong, `sum ${sum} and product ${product} after ${k}`);
  };
  return {
    ...base(accumulator, "preservation"),
    statement: `A product takes a ${name} within k products to one within k + 1.`,
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
  const { most, name } = accumulator;
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
    goal: isHeld(accumulator),
    mutants: [
      overflowing("one-more", `${most + 1n} products fit too.`, {
        instead: [{ name: "count", formula: `(<= k ${most + 1n})` }],
      }),
      overflowing("any-sum", "the sum is of anything.", { without: ["invariant"], ask: ["sum", "k"] }),
    ],
    dependsOn: ["precondition", "preservation"].map((part) => `accumulators/${name}/${part}`),
    metaArgument:
      "Induction over the number of products: every prefix of the sum is within its own number of them.",
  };
}

/** States that the last step on words loses no carry and does not give the error word. */
function machineStep(accumulator: Accumulator): Obligation {
  const { bound, most, name, register } = accumulator;
  const { bits, hasNotReal } = register;
  const between = (term: string, size: bigint): string =>
    `(and (bvsle ${word(-size, bits)} ${term}) (bvsle ${term} ${word(size, bits)}))`;
  const declarations = [
    ...["sum", "product"].map((term) => `(declare-const ${term} (_ BitVec ${bits}))`),
    `(define-fun after () (_ BitVec ${bits}) (bvadd sum product))`,
    `(define-fun exact () (_ BitVec ${bits + 1}) (bvadd ((_ sign_extend 1) sum) ((_ sign_extend 1) product)))`,
  ].join("\n");
  const isExact = "(= ((_ sign_extend 1) after) exact)";
  const mutant = (mutantName: string, fault: string, parts: Partial<ObligationMutant>): ObligationMutant => ({
    name: mutantName,
    fault,
    ask: ["sum", "product"],
    execute: (model) => stepOnWords(accumulator, model),
    ...parts,
  });
  return {
    ...base(accumulator, "machine_step"),
    statement: `The words of a ${name} add a product without losing a carry, while fewer than ${most} are in it.`,
    logic: "QF_BV",
    declarations,
    hypotheses: [
      { name: "invariant", formula: between("sum", (most - 1n) * bound) },
      { name: "product_width", formula: between("product", bound) },
    ],
    requiredCore: ["invariant", "product_width"],
    goal: hasNotReal ? `(and ${isExact} (not (= after ${word(1n << BigInt(bits - 1), bits)})))` : isExact,
    rlimit: 20_000_000,
    mutants: [
      mutant("one-more", `${most + 1n} products fit too.`, {
        instead: [{ name: "invariant", formula: between("sum", most * bound) }],
      }),
      mutant("any-sum", "the sum before is anything.", { without: ["invariant"] }),
      mutant("any-product", "a product is of any size.", { without: ["product_width"] }),
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
function isWithin({ bound }: Accumulator, sum: bigint, k: bigint): boolean {
  return -k * bound <= sum && sum <= k * bound;
}

function shown(rightHolds: boolean, wrongHolds: boolean, told: string): Execution {
  return { showsFault: rightHolds && !wrongHolds, told };
}

/** Tells whether a register's word is the number that it should be. */
export function isNumber({ hasNotReal, bits }: Register, found: bigint, exact: bigint): boolean {
  return found === exact && !(hasNotReal && found === -(1n << BigInt(bits - 1)));
}

/** Tells whether the register adds up so many of the largest products of either sign as integers are. */
export function holdsLargest({ register, largest }: Accumulator, terms: bigint): boolean {
  return largest.every((product) =>
    isNumber(register, register.sum(product, terms), terms * register.units(product)),
  );
}

/** Adds up as many of the largest products as may be, and what the model says, in the register. */
function accumulated(accumulator: Accumulator, sum: bigint, k: bigint): Execution {
  const { register, most } = accumulator;
  const word = register.add(0n, sum);
  return shown(
    holdsLargest(accumulator, most),
    isNumber(register, word, sum),
    `${k} products that sum to ${sum}, of which the word is ${word}`,
  );
}

/** Takes the model's step in the register. */
function stepOnWords(accumulator: Accumulator, model: Model): Execution {
  const { register, most } = accumulator;
  const [sum, product] = [integerIn(model, "sum"), integerIn(model, "product")];
  const word = register.add(sum, product);
  return shown(
    holdsLargest(accumulator, most),
    isNumber(register, word, sum + product),
    `the words ${sum} and ${product} make ${word}`,
  );
}

function stepIn(model: Model): Readonly<Record<"sum" | "product" | "k", bigint>> {
  return { sum: integerIn(model, "sum"), product: integerIn(model, "product"), k: integerIn(model, "k") };
}
