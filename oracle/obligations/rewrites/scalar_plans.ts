import { type Regime, read } from "../../../engines/compile/plan/index.ts";
import {
  type ScalarPlan,
  SUMS,
  scalarPlanOf,
  scalarRules,
  tableOf,
} from "../../../engines/compile/plan/scalar/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";
import { type Arithmetic, valueIn } from "./arithmetic.ts";
import { formatNumbers, numberIn } from "./equivalence.ts";
import { type Claim, equalities, withoutLaw } from "./finite.ts";
import { type LawName, laws } from "./laws.ts";
import { arithmeticIn } from "./numbers.ts";
import { Terms } from "./terms.ts";
import { abstract, declarationsIn, floats, type Given, type Theory } from "./theories.ts";

/** Plans a graph of scalars for its last id, run by run. */
function planOf(written: Graph, regime: Regime): ScalarPlan {
  const table = tableOf(written);
  if (table === undefined) throw new InvariantError("not all are scalars");
  return scalarPlanOf(table, { regime, output: table.codes.length - 1, shortestRun: 0 });
}

/**
 * Computes the gradient of a plan over any scalars, as its schedule says: values forward, then contributions
 * run by run, a run from its last slot to its first, sums of staged contributions from the left. Slots begin
 * at −0.
 */
function gradientOver<T>(plan: ScalarPlan, arithmetic: Arithmetic<T>, inputs: readonly T[]): readonly T[] {
  const { schedule, staging, variants, operands, slots } = plan;
  if (schedule.kind !== "runs") throw new InvariantError("the plan goes step by step");
  const values: T[] = [...inputs];
  const literals = new Map([...plan.literals.slots].map((slot, n) => [slot, plan.literals.values[n] ?? 0]));
  for (const [slot, value] of literals) values[slot] = arithmetic.literal(value);
  const elementsAt = (slot: number): readonly T[] =>
    [operands.x[slot], operands.y[slot], operands.z[slot], slot].map(
      (other) => values[other ?? 0] ?? arithmetic.literal(0),
    );
  const element = { x: read(0), y: read(1), z: read(2), value: read(3) };
  for (const [variant, from, to] of rowsOf(schedule.forward)) {
    const name = variants[variant]?.name;
    if (name === undefined) continue;
    for (let slot = from; slot < to; slot++)
      values[slot] = valueIn(arithmetic, scalarRules[name].forward(element), elementsAt(slot));
  }
  const bars: T[] = Array.from({ length: slots + staging.extra }, () => arithmetic.literal(-0));
  const give = (target: number, contribution: T): void => {
    const before = bars[target] ?? arithmetic.literal(-0);
    bars[target] = arithmetic.apply("add", [before, contribution]);
  };
  bars[plan.output] = arithmetic.literal(1);
  for (const [variant, from, to] of rowsOf(schedule.reverse)) {
    if (variant === SUMS) {
      for (const [slot, first, end] of rowsOf(staging.sums.subarray(3 * from, 3 * to)))
        for (let extra = first; extra < end; extra++) give(slot, bars[extra] ?? arithmetic.literal(-0));
      continue;
    }
    const { name, receives, isFolded } = variants[variant] ?? {};
    if (name === undefined || receives === undefined || isFolded) throw new InvariantError("no such variant");
    for (let slot = to - 1; slot >= from; slot--) {
      const c = bars[slot] ?? arithmetic.literal(-0);
      for (const [position, pulled] of scalarRules[name].pull(element, read(4)).entries()) {
        const target = [staging.xBar, staging.yBar, staging.zBar][position]?.[slot];
        if (pulled === undefined || target === undefined || (receives & (1 << position)) === 0) continue;
        give(target, valueIn(arithmetic, pulled, [...elementsAt(slot), c]));
      }
    }
  }
  return bars.slice(0, plan.inputs);
}

function rowsOf(rows: Int32Array): readonly (readonly [number, number, number])[] {
  return Array.from({ length: rows.length / 3 }, (_, n) => [
    rows[3 * n] ?? 0,
    rows[3 * n + 1] ?? 0,
    rows[3 * n + 2] ?? 0,
  ]);
}

/** A rewrite changes this graph's plan; the laws make both plans agree. */
interface Case {
  readonly name: "level_order" | "merged_nodes";
  readonly statement: string;
  readonly written: Graph;
  readonly laws: readonly LawName[];
  /** These numbers of a float16 model are given. */
  readonly given: Given;
}

const symbols = ["x", "y", "z", "w"];

const casesOfPlans: readonly Case[] = [
  {
    name: "level_order",
    statement: "Contributions to a slot may be added in the order of levels",
    // The definition's last use of x is on a level below the first one.
    written: graph(({ input }) => {
      const [x, y, z, w] = ["x", "y", "z", "w"].map((name) => input(name));
      if (x === undefined || y === undefined || z === undefined || w === undefined) return;
      const deep = y.negative().negative().multiply(x);
      const middle = z.negative().multiply(x);
      deep.add(middle).add(w.multiply(x));
    }),
    laws: ["neutral", "commutative", "associative"],
    given: { x: 1, y: 1, z: 1, w: 0.437255859375 },
  },
  {
    name: "merged_nodes",
    statement: "Equal nodes may be one node, and their cotangents one sum",
    written: graph(({ input }) => {
      const [x, y, z, w] = ["x", "y", "z", "w"].map((name) => input(name));
      if (x === undefined || y === undefined || z === undefined || w === undefined) return;
      x.multiply(y).multiply(z).add(x.multiply(y).multiply(w));
    }),
    laws: ["neutral", "commutative", "distributive"],
    given: { x: 1, y: 3, z: 1, w: 0.69091796875 },
  },
];

/** States that both plans of a graph give the same gradient. */
function claimOf({ written }: Case): Claim {
  return {
    symbols,
    sides(arithmetic, inputs) {
      const [exact = [], fast = []] = (["bit_exact", "fast"] as const).map((regime) =>
        gradientOver(planOf(written, regime), arithmetic, inputs),
      );
      return [exact, fast];
    },
  };
}

function equations(
  theory: Theory,
  one: Case,
  given: Given = {},
): { readonly declarations: string; readonly goal: string } {
  const terms = new Terms();
  const sides = claimOf(one).sides(terms, symbols);
  return { declarations: declarationsIn(theory, terms, symbols, given), goal: equalities(...sides) };
}

function obligationOf(one: Case): Obligation {
  const used = one.laws.map((law) => laws[law]);
  const { declarations, goal } = equations(abstract, one);
  const inFloats = equations(floats("float16"), one, one.given);
  const names = used.map(({ name }) => name);
  return {
    id: `rewrites/${one.name}/plan`,
    statement: `${one.statement}: in every algebra with the laws ${names.join(", ")}.`,
    clause: "SEMANTICS §3",
    logic: "UF",
    scope: { kind: "rewrite", rewrite: one.name, format: names.join(", ") },
    tier: "everyday",
    declarations,
    hypotheses: used,
    goal,
    rlimit: 20_000_000,
    requiredCore: names,
    mutants: [
      {
        name: "in_float16",
        fault: "the rewrite is used in float16, where the laws do not hold.",
        logic: "QF_FP",
        without: names,
        ...inFloats,
        ask: symbols,
        execute: (model) => executed(one, model),
      },
      ...one.laws.map((law) => withoutLaw(claimOf(one), one.laws, law)),
    ],
    dependsOn: [],
    metaArgument:
      "The plans are the planner's own, bit-exact and fast, run on terms; one graph that has the rewrite stands for all that have it.",
  };
}

/** Computes both plans' gradients in float16, which must differ, and the definition's, by its order. */
function executed(one: Case, model: Model): Execution {
  const numbers = symbols.map((symbol) => numberIn(model, symbol, "float16"));
  const [exact, fast] = claimOf(one).sides(arithmeticIn("float16"), numbers);
  return {
    showsFault: exact.some((x, n) => !Object.is(x, fast[n])),
    told: `at ${formatNumbers(numbers)}: bit-exact ${formatNumbers(exact)}, fast ${formatNumbers(fast)}`,
  };
}

/** States what the planner of scalar graphs does that needs laws of addition. */
export function scalarPlanObligations(): readonly Obligation[] {
  return casesOfPlans.map(obligationOf);
}
