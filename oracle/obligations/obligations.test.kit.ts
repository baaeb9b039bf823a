import type { Execution, Model, Obligation } from "./obligation.ts";
import type { Solver } from "./solve/solver.ts";

/** Returns the larger of two integers; obligations of this kit are held against it. */
function larger(x: bigint, y: bigint): bigint {
  return x >= y ? x : y;
}

/** Returns the smaller one: {@link larger} with the wrong sign. */
function smaller(x: bigint, y: bigint): bigint {
  return x >= y ? y : x;
}

/** Checks the law of {@link largerIsAbove} on numbers. */
function runLarger(model: Model, wrong: (x: bigint, y: bigint) => bigint): Execution {
  const [x, y] = [integer(model, "x"), integer(model, "y")];
  const isAbove = (max: bigint): boolean => max >= x && max >= y;
  return {
    showsFault: isAbove(larger(x, y)) && !isAbove(wrong(x, y)),
    told: `x = ${x}, y = ${y}: right ${larger(x, y)}, wrong ${wrong(x, y)}`,
  };
}

function integer(model: Model, term: string): bigint {
  const text = model.get(term) ?? "";
  const negative = /^\(- (\d+)\)$/.exec(text)?.[1];
  return negative === undefined ? BigInt(text) : -BigInt(negative);
}

/** This one is right, without hypotheses. */
export const largerIsAbove: Obligation = {
  id: "kit/larger",
  statement: "The larger of two integers is below neither.",
  clause: "none",
  logic: "QF_LIA",
  scope: { kind: "operator", operator: "larger", shapes: "[]" },
  tier: "everyday",
  declarations: "(declare-const x Int)\n(declare-const y Int)\n(define-fun larger () Int (ite (>= x y) x y))",
  hypotheses: [],
  goal: "(and (>= larger x) (>= larger y))",
  rlimit: 100_000,
  requiredCore: [],
  mutants: [
    {
      name: "smaller",
      fault: "it takes the smaller one",
      declarations:
        "(declare-const x Int)\n(declare-const y Int)\n(define-fun larger () Int (ite (>= x y) y x))",
      ask: ["x", "y"],
      execute: (model) => runLarger(model, smaller),
    },
  ],
  dependsOn: [],
  metaArgument: "",
};

/** This one is right, and needs both its hypotheses: a step of an induction in small. */
export const stepStays: Obligation = {
  id: "kit/step",
  statement: "A sum of numbers that are not negative stays so with one more.",
  clause: "none",
  logic: "QF_UFLIA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  declarations: "(declare-fun sum (Int) Int)\n(declare-const n Int)\n(declare-const term Int)",
  hypotheses: [
    { name: "induction", formula: "(>= (sum n) 0)" },
    { name: "positive", formula: "(>= term 0)" },
    { name: "definition", formula: "(= (sum (+ n 1)) (+ (sum n) term))" },
  ],
  goal: "(>= (sum (+ n 1)) 0)",
  rlimit: 100_000,
  requiredCore: ["positive"],
  mutants: [
    {
      name: "any-term",
      fault: "terms may be negative",
      without: ["positive"],
      ask: ["(sum n)", "term"],
      execute: (model) => {
        const [before, term] = [integer(model, "(sum n)"), integer(model, "term")];
        const after = [before, term].reduce((sum, next) => sum + next, 0n);
        return { showsFault: before >= 0n && after < 0n, told: `${before} + ${term} = ${after}` };
      },
    },
  ],
  dependsOn: ["kit/larger"],
  metaArgument: "Induction over the number of terms.",
};

/** This one is wrong: its hypotheses contradict each other, so anything follows. */
export const vacuous: Obligation = {
  ...stepStays,
  id: "kit/vacuous",
  hypotheses: [...stepStays.hypotheses, { name: "negative", formula: "(< (sum n) 0)" }],
  requiredCore: [],
  dependsOn: [],
};

/** This one is wrong: one hypothesis has nothing to do with the goal. */
export const dead: Obligation = {
  ...stepStays,
  id: "kit/dead",
  hypotheses: [...stepStays.hypotheses, { name: "small", formula: "(< n 100)" }],
  dependsOn: [],
};

/** This one is right: either of its two hypotheses is enough, so no single core has both. */
export const either: Obligation = {
  ...largerIsAbove,
  id: "kit/either",
  declarations: "(declare-const x Int)",
  hypotheses: [
    { name: "above-three", formula: "(> x 3)" },
    { name: "above-four", formula: "(> x 4)" },
  ],
  goal: "(> x 2)",
  mutants: [
    {
      name: "neither",
      fault: "nothing is known",
      without: ["above-three", "above-four"],
      ask: ["x"],
      execute: (model) => ({ showsFault: integer(model, "x") <= 2n, told: `x = ${model.get("x")}` }),
    },
  ],
};

/** This one is wrong: its mutant is as right as it is. */
export const mutantHolds: Obligation = {
  ...largerIsAbove,
  id: "kit/mutant_holds",
  mutants: largerIsAbove.mutants.map((mutant) => ({
    ...mutant,
    name: "no-mutant",
    declarations: largerIsAbove.declarations,
  })),
};

/** This one is wrong: the code that its mutant's model is run in does not have the mutant's fault. */
export const mutantShowsNothing: Obligation = {
  ...largerIsAbove,
  id: "kit/mutant_shows_nothing",
  mutants: largerIsAbove.mutants.map((mutant) => ({
    ...mutant,
    execute: (model) => runLarger(model, larger),
  })),
};

/** This one is wrong: its mutant's run throws. */
export const mutantThrows: Obligation = {
  ...largerIsAbove,
  id: "kit/mutant_throws",
  mutants: largerIsAbove.mutants.map((mutant) => ({
    ...mutant,
    execute: () => {
      throw new RangeError("no such shape");
    },
  })),
};

/** This one is wrong: it does not hold. */
export const wrongGoal: Obligation = { ...largerIsAbove, id: "kit/wrong", goal: "(> larger x)" };

/** This one is wrong: it requires a hypothesis that the proof does not need. */
export const wrongCore: Obligation = { ...dead, id: "kit/wrong_core", requiredCore: ["small"] };

/** Lends a solver to a run, which may dispose of it while others use it on: to start Z3 takes a second. */
export function lent(solver: Solver): Solver {
  return { ...solver, [Symbol.asyncDispose]: async () => {} };
}
