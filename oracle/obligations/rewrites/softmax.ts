import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Hypothesis, Obligation, ObligationMutant } from "../obligation.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { claimOf, equivalenceOf, formatNumbers, numberIn, outcomeOf, type Pair } from "./equivalence.ts";
import { loweredFor } from "./lowered.ts";
import { arithmeticIn, floatConstant } from "./numbers.ts";
import { realMutant, type Unknown } from "./real_mutants.ts";
import { floats, type Given, reals, type Theory } from "./theories.ts";

/** Softmax is written without a shift; the definition first subtracts the maximum, as a constant. */
const bare = (length: number): Graph =>
  graph(({ input }) => {
    const powers = input("x", [length]).exp();
    powers.divide(powers.sum({ axes: [0], keepdims: true }));
  });
const shifted = (length: number): Graph => graph(({ input }) => input("x", [length]).softmax({ axis: 0 }));

/** An application occurs in the formulas of a pair. */
interface Application {
  readonly term: string;
  readonly function: string;
  readonly operands: readonly string[];
}

function applicationsIn(declarations: string): readonly Application[] {
  return [...declarations.matchAll(/^\(define-fun (t\d+) \(\) Scalar \((\w+) (.*)\)\)$/gm)].map(
    ([, term = "", name = "", operands = ""]) => ({ term, function: name, operands: operands.split(" ") }),
  );
}

/** Lists what is known of each exponential and quotient that occurs. */
function hypothesesOf(all: readonly Application[]): readonly Hypothesis[] {
  const byTerm = new Map(all.map((one) => [one.term, one]));
  const powers = all.filter((one) => one.function === "exp").map(({ operands }) => operands[0] ?? "");
  const differences = powers.flatMap((power) => {
    const difference = byTerm.get(power);
    return difference?.function === "subtract" ? [[power, ...difference.operands] as const] : [];
  });
  const quotients = all.filter((one) => one.function === "divide");
  if (differences.length === 0 || quotients.length === 0) throw new InvariantError("no softmax");
  const conjunction = (formulas: readonly string[]): string => `(and ${[...new Set(formulas)].join(" ")})`;
  return [
    {
      name: "exp_of_difference",
      formula: conjunction(
        differences.map(([power, a, b]) => `(= (* (exp ${power}) (exp ${b})) (exp ${a}))`),
      ),
    },
    {
      name: "exp_positive",
      formula: conjunction(
        [...powers, ...differences.map(([, , b]) => b ?? "")].map((x) => `(< 0.0 (exp ${x}))`),
      ),
    },
    {
      name: "quotient",
      formula: conjunction(
        quotients.map(({ term, operands: [p, s] }) => `(=> (not (= ${s} 0.0)) (= (* ${term} ${s}) ${p}))`),
      ),
    },
  ];
}

/** This takes 2ˣ for eˣ: float64 has it at integers, and scaling by it commutes with rounding. */
const powersOfTwo: Arithmetic<number> = {
  ...arithmeticIn("float64"),
  apply: (name, operands) =>
    name === "exp" ? 2 ** (operands[0] ?? 0) : arithmeticIn("float64").apply(name, operands),
};

function unknownsOf(all: readonly Application[]): readonly Unknown[] {
  return all.flatMap(({ term, function: name, operands }): readonly Unknown[] =>
    name === "exp" || name === "divide" ? [{ kind: "application", term, function: name, operands }] : [],
  );
}

/** Float16 takes the exponential, where the model needs it, from the host, rounded. */
const half: Theory = {
  ...floats("float16"),
  function(name) {
    if (name !== "exp") return floats("float16").function(name);
    const constants = [12, 0, -12].map((x) => [
      floatConstant("float16", x),
      floatConstant("float16", Math.f16round(Math.exp(x))),
    ]);
    return constants.reduce((rest, [at, value]) => `(ite (= a ${at}) ${value} ${rest})`, "a");
  },
};

/** In float16 e¹² is infinite, and infinity over infinity is NaN. */
function inFloat16(pair: Pair, without: readonly string[], given: Given): ObligationMutant {
  const { declarations, goal, symbols } = equivalenceOf(pair, half, new Map(), given);
  return {
    name: "in_float16",
    fault: "the shift is left out in float16, where exponentials overflow.",
    logic: "QF_FP",
    without,
    declarations,
    goal,
    ask: symbols,
    execute(model) {
      const numbers = symbols.map((symbol) => numberIn(model, symbol, "float16"));
      const { symbols: names } = claimOf(pair);
      const sources = pair.before.sources.map((_, source) =>
        numbers.filter((_, n) => names[n]?.startsWith("xyz"[source] ?? "x")),
      );
      const { before, after, isSame } = outcomeOf(pair, "float16", sources);
      return {
        showsFault: !isSame && after.every(Number.isFinite),
        told: `at ${formatNumbers(numbers)}: ${formatNumbers(before)} without the shift, ${formatNumbers(after)} with it`,
      };
    },
  };
}

/** A statement is about the value, or the gradient of one of its elements. */
interface Statement {
  readonly name: string;
  readonly length: number;
  /** If present, the gradient of this element is meant. */
  readonly element?: number;
  readonly tier: Obligation["tier"];
}

function obligationOf({ name, length, element, tier }: Statement): Obligation {
  const asked = element === undefined ? "value" : "cotangent";
  const pair = { before: loweredFor(bare(length), asked), after: loweredFor(shifted(length), asked) };
  const positions = Array.from({ length }, (_, n) => n);
  const unit: Given =
    element === undefined ? {} : Object.fromEntries(positions.map((n) => [`y${n}`, n === element ? 1 : 0]));
  const { declarations, goal } = equivalenceOf(pair, reals, new Map(), unit);
  const applications = applicationsIn(declarations);
  const hypotheses = hypothesesOf(applications);
  const given: Given = { ...Object.fromEntries(positions.map((n) => [`x${n}`, n])), ...unit };
  const faults = [
    ["any_exponential", "the exponential of a difference is any number.", "exp_of_difference"],
    ["any_sign", "exponentials may be 0 or negative.", "exp_positive"],
    ["any_quotient", "a quotient is any number.", "quotient"],
  ] as const;
  const what = element === undefined ? "Softmax" : `The gradient of element ${element} of softmax`;
  return {
    id: `rewrites/softmax_shift/${name}`,
    statement: `${what} is the same without the shift by the greatest number, which the definition takes for a constant: in the real numbers, for every function that is positive and has exp(a − b) · exp(b) = exp(a).`,
    clause: "SEMANTICS §7",
    logic: "QF_UFNRA",
    scope: { kind: "rewrite", rewrite: "softmax_shift", format: "reals" },
    tier,
    declarations,
    hypotheses,
    goal,
    rlimit: 2_000_000,
    requiredCore: hypotheses.map(({ name }) => name),
    mutants: [
      inFloat16(
        pair,
        hypotheses.map(({ name }) => name),
        { ...unit, x0: 12, x1: 0, x2: 0 },
      ),
      ...faults.map(([name, fault, without]) =>
        realMutant({
          name,
          fault,
          without,
          pair,
          given,
          unknowns: unknownsOf(applications),
          lawful: powersOfTwo,
        }),
      ),
    ],
    dependsOn: [],
    metaArgument:
      "The greatest number is what the fold makes of it, whatever it starts with: any shift would do. A quotient is the number whose product with the divisor is the dividend. Gradients are linear in the cotangent, so that those of the elements are all.",
  };
}

/** States that the shift in softmax is for floats only. */
export function softmaxObligations(): readonly Obligation[] {
  const questions = [
    { name: "value", length: 2, tier: "everyday" },
    { name: "value_of_three", length: 3, tier: "long" },
    { name: "gradient_of_first", length: 2, element: 0, tier: "long" },
    { name: "gradient_of_second", length: 2, element: 1, tier: "long" },
  ] as const;
  return questions.map(obligationOf);
}
