import { compile } from "../../../engines/compile/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import type { Execution, Hypothesis, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { formatNumbers, numberIn } from "./equivalence.ts";
import { arithmeticIn } from "./numbers.ts";
import { Terms } from "./terms.ts";
import { declarationsIn, floats, type Given } from "./theories.ts";

/** Such a law is about sums in a slot of gradients. */
interface BufferLaw {
  readonly name: string;
  readonly statement: string;
  readonly symbols: readonly string[];
  readonly hypotheses: readonly Hypothesis[];
  readonly goal: string;
  readonly mutants: readonly (Omit<ObligationMutant, "ask"> & { readonly given?: Given })[];
}

const finiteness = (name: string): string => `(not (or (fp.isInfinite ${name}) (fp.isNaN ${name})))`;
const notMinusZero = (name: string): string => `(not (= ${name} minus_zero))`;
const finite: Hypothesis = { name: "finite", formula: finiteness("d") };
const neverMinusZero: Hypothesis = { name: "never_minus_zero", formula: notMinusZero("a") };

/** Adds contributions in float32 to a slot that starts at `start`. */
function held(start: number, contributions: readonly number[]): number {
  const { apply } = arithmeticIn("float32");
  return contributions.reduce((sum, next) => apply("add", [sum, next]), start);
}

/** A graph of scalars with at least this many nodes has a buffer of gradients. */
const MANY = 1000;

/**
 * Computes what the bit-exact engine hands to an input that gets these contributions, in this order. A
 * contribution is a cotangent times a factor: `[1, c]` is c itself.
 */
function handedOver(contributions: readonly (readonly [cotangent: number, factor: number])[]): number {
  // The later node contributes first.
  const backwards = contributions.toReversed();
  const program = graph(({ input, parameter }) => {
    const x = input("x");
    for (let n = 0; n < MANY; n++) x.negative();
    const products = backwards.map((_, n) =>
      x.multiply(parameter(`factor${n}`)).multiply(parameter(`cotangent${n}`)),
    );
    products.reduce((sum, product) => sum.add(product));
  });
  const compiled = compile(program, { dtype: "float32", regime: "bit_exact" });
  const entries = backwards.flatMap(([cotangent, factor], n) => [
    [`factor${n}`, Float32Array.of(factor)] as const,
    [`cotangent${n}`, Float32Array.of(cotangent)] as const,
  ]);
  compiled.bind(Object.fromEntries(entries));
  return compiled.gradient(Float32Array.of(1))[0]?.[0] ?? Number.NaN;
}

/** Checks that the engine gives what the definition gives, and the shortcut something else. */
function compared(model: Model, engine: number, definition: number, shortcut: number): Execution {
  const names = [...model].map(([name]) => `${name} = ${formatNumbers([numberIn(model, name, "float32")])}`);
  return {
    showsFault: Object.is(engine, definition) && !Object.is(shortcut, definition),
    told: `${names.join(", ")}: the engine hands over ${formatNumbers([engine])}, as the definition does; wrongly it were ${formatNumbers([shortcut])}`,
  };
}

function run(model: Model, names: readonly string[]): readonly number[] {
  return names.map((name) => numberIn(model, name, "float32"));
}

/** Runs a skipped zero contribution: `a` is there already, then comes `0 · d`. */
function skipping(model: Model): Execution {
  const [a = 0, d = 0] = run(model, ["a", "d"]);
  const contributions = [
    [1, a],
    [0, d],
  ] as const;
  return compared(model, handedOver(contributions), held(-0, [a, 0 * d]), a);
}

const bufferLaws: readonly BufferLaw[] = [
  {
    name: "initial_value",
    statement: "A slot of gradients that starts at −0 holds its only contribution, bit for bit",
    symbols: ["a"],
    hypotheses: [],
    goal: "(= (add minus_zero a) a)",
    mutants: [
      {
        name: "positive_zero",
        fault: "the slot starts at +0.",
        goal: "(= (add zero a) a)",
        execute(model) {
          const [a = 0] = run(model, ["a"]);
          return compared(model, handedOver([[1, a]]), a, held(0, [a]));
        },
      },
    ],
  },
  {
    name: "two_contributions",
    statement:
      "A slot that starts at −0, and so holds its first contribution, holds the same sum of two, whichever comes first",
    symbols: ["a", "d", "e"],
    hypotheses: [],
    goal: "(= (add a d) (add d a))",
    mutants: [
      {
        name: "three",
        fault: "three contributions come in any order.",
        given: { a: 1, d: 2 ** -24, e: -1 },
        goal: "(= (add (add a d) e) (add (add e d) a))",
        execute(model) {
          const all = run(model, ["a", "d", "e"]);
          const engine = handedOver(all.map((c) => [1, c] as const));
          return compared(model, engine, held(-0, all), held(-0, all.toReversed()));
        },
      },
    ],
  },
  {
    name: "skipped_zero",
    statement:
      "A contribution 0 · d may be skipped, bit for bit, if d is finite and the slot does not hold −0",
    symbols: ["a", "d"],
    hypotheses: [finite, neverMinusZero],
    goal: "(= (add a (multiply zero d)) a)",
    mutants: [
      { name: "infinite", fault: "d is anything.", without: ["finite"], execute: skipping },
      {
        name: "on_minus_zero",
        fault: "the slot holds anything.",
        without: ["never_minus_zero"],
        execute: skipping,
      },
    ],
  },
  {
    name: "skipped_zero_but_for_sign",
    statement: "A contribution 0 · d with a finite d changes at most the sign of a zero",
    symbols: ["a", "d"],
    hypotheses: [finite],
    goal: "(or (= (add a (multiply zero d)) a) (fp.isZero a))",
    mutants: [{ name: "infinite", fault: "d is anything.", without: ["finite"], execute: skipping }],
  },
  {
    name: "dense_zero",
    statement: "The zeros that the dense definition adds change no slot that does not hold −0",
    symbols: ["a"],
    hypotheses: [neverMinusZero],
    goal: "(= (add a zero) a)",
    mutants: [
      {
        name: "on_minus_zero",
        fault: "the slot holds anything.",
        without: ["never_minus_zero"],
        execute(model) {
          const [a = 0] = run(model, ["a"]);
          const contributions = [
            [1, a],
            [1, 0],
          ] as const;
          return compared(model, handedOver(contributions), held(-0, [a, 0]), a);
        },
      },
    ],
  },
  {
    name: "never_minus_zero",
    statement: "A slot that does not hold −0 never will, whatever is added to it",
    symbols: ["a", "d"],
    hypotheses: [neverMinusZero],
    goal: "(not (= (add a d) minus_zero))",
    mutants: [
      {
        name: "from_minus_zero",
        fault: "the slot may start at −0.",
        given: { a: -0, d: -0 },
        without: ["never_minus_zero"],
        execute(model) {
          const [a = 0, d = 0] = run(model, ["a", "d"]);
          const contributions = [
            [1, a],
            [1, d],
          ] as const;
          return compared(model, handedOver(contributions), -0, held(0, [a, d]));
        },
      },
    ],
  },
];

const dependencies: ReadonlyMap<string, readonly string[]> = new Map([
  ["two_contributions", ["rewrites/gradient_buffers/initial_value"]],
  ["dense_zero", ["rewrites/gradient_buffers/never_minus_zero"]],
]);

/** States which value a buffer of gradients starts at, and which contributions may be skipped, in float32. */
export function gradientBufferObligations(): readonly Obligation[] {
  return bufferLaws.map(({ name, statement, symbols, hypotheses, goal, mutants }) => {
    const terms = new Terms();
    for (const value of [0, -0]) terms.literal(value);
    terms.apply("add", ["zero", "zero"]);
    terms.apply("multiply", ["zero", "zero"]);
    return {
      id: `rewrites/gradient_buffers/${name}`,
      statement: `${statement}.`,
      clause: "SEMANTICS §7",
      logic: "QF_FP",
      scope: { kind: "rewrite", rewrite: "gradient_buffers", format: "float32" },
      tier: name === "never_minus_zero" ? "long" : "everyday",
      declarations: declarationsIn(floats("float32"), terms, symbols),
      hypotheses,
      goal,
      rlimit: 30_000_000,
      requiredCore: hypotheses.map((hypothesis) => hypothesis.name),
      mutants: mutants.map(({ given, ...mutant }) => ({
        ...mutant,
        ...(given === undefined
          ? {}
          : { declarations: declarationsIn(floats("float32"), terms, symbols, given) }),
        ask: symbols,
      })),
      dependsOn: dependencies.get(name) ?? [],
      metaArgument: "",
    };
  });
}
