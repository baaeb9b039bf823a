import {
  evaluateTerms,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
} from "../../../reference/algebras/symbolic/index.ts";
import {
  formatRational,
  map,
  type Rational,
  rational,
  rationalFromNumber,
  zip,
} from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import { type PrimitiveAttributes, type PrimitiveName, primitives } from "../../../spec/operators/index.ts";
import { type Algebra, present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../obligation.ts";
import { dividedBy, termOf } from "./certificate.ts";
import { type FunctionTable, readModel, tabulated } from "./model.ts";
import { polynomialOf, reduced } from "./normal_form.ts";
import { purify, type ValueSymbol } from "./purify.ts";
import {
  dualValueOf,
  type Inputs,
  inputsOf,
  primalOf,
  type RuleOf,
  rightForward,
  type Use,
  useOf,
} from "./sides.ts";
import { type Claim, obliged, reciprocalClaims, writeStatement } from "./statement.ts";
import { tellUsage, type Usage, usages } from "./usages.ts";

/** These operators are polynomials or quotients of them, so their remainder can be written out. */
const rationalOperators: ReadonlySet<PrimitiveName> = new Set([
  "negative",
  "multiply",
  "divide",
  "matmul",
  "solve",
  "det",
]);

/** These uses are covered elsewhere: two elements in elements.ts, larger solutions in solutions.ts. */
const isLeftOut = (op: PrimitiveName, { label }: { readonly label: string }): boolean =>
  (op === "divide" && label !== "scalar_scalar") || (op === "solve" && label !== "1x1_1x1");

/**
 * States that the tangent is the derivative, `f(x + h dx) − f(x) − h jvp = h² R` with R written out, for
 * each polynomial or rational primitive at each use. R has no `h` in a denominator, so `jvp` is the limit of
 * difference quotients.
 */
export function remainderObligations<K extends PrimitiveName>(op: K): readonly Obligation[] {
  const { smoothness, arity } = primitives[op];
  // `stop_gradient` is linear but its tangent is on purpose not its derivative.
  const isLinear = smoothness === "linear" && arity !== 0 && op !== "stop_gradient";
  if (!isLinear && !rationalOperators.has(op)) return [];
  const listed: readonly Usage<PrimitiveAttributes[K]>[] = usages[op];
  return listed
    .filter((usage) => !isLeftOut(op, usage))
    .flatMap((usage) => {
      const use = useOf(op, usage);
      return use.shape.includes(0) ? [] : [remainderObligation(use)];
    });
}

/** Computes `f(x + h dx) − f(x) − h jvp`, element by element. */
export function differencesOf<K extends PrimitiveName, S, B>(
  rule: RuleOf<K>,
  use: Use<K>,
  algebra: Algebra<S, B>,
  inputs: Inputs<S>,
  h: S,
  along: (tangents: Inputs<S>["dx"]) => Inputs<S>["dx"] = (dx) => dx,
): readonly S[] {
  const a = present(algebra.levels.ring, "a ring");
  const moved = inputs.x.map((x, place) =>
    zip(x, present(inputs.dx[place], "a tangent"), (value, dx) => a.add(value, a.multiply(h, dx))),
  );
  const after = primalOf(rule, use, algebra, { ...inputs, x: moved });
  const before = primalOf(rule, use, algebra, inputs);
  const tangent = map(
    dualValueOf(rule, rightForward, use, algebra, { ...inputs, dx: along(inputs.dx) }),
    ({ xDot }) => a.negative(a.multiply(h, xDot)),
  );
  return zip(
    zip(after, before, (x, y) => a.add(x, a.negative(y))),
    tangent,
    a.add,
  ).data;
}

/** These are differences and the remainders they should equal, purified. */
interface Remainders {
  readonly algebra: SymbolicAlgebra;
  readonly symbols: readonly ValueSymbol[];
  readonly differences: readonly ScalarTerm[];
  /** Each is `h² R`. */
  readonly remainders: readonly ScalarTerm[];
  /** These differences have a tangent along a wrong direction. */
  readonly wrong: readonly ScalarTerm[];
}

function remaindersOf<K extends PrimitiveName>(use: Use<K>, rule: RuleOf<K>): Remainders {
  const algebra = symbolic();
  const { operations: a } = algebra;
  const inputs = inputsOf(use, algebra.variable);
  const h = algebra.variable("h");
  const right = differencesOf(rule, use, algebra, inputs, h);
  const doubled = differencesOf(rule, use, algebra, inputs, h, (dx) => doubledTangents(dx, a.add));
  const { terms, symbols } = purify(algebra, [...right, ...doubled]);
  const differences = terms.slice(0, right.length);
  const remainders = differences.map((difference) => {
    const { polynomial, powers } = reduced(polynomialOf(difference), symbols);
    const rest = present(dividedBy(polynomial, "h", 2), "a remainder of second order");
    const inverses = symbols.flatMap(({ name, term }) =>
      new Array<ScalarTerm>(powers.get(name) ?? 0).fill(term),
    );
    return [h, h, ...inverses].reduce(
      (product, factor) => a.multiply(factor, product),
      termOf(algebra, rest),
    );
  });
  return { algebra, symbols, differences, remainders, wrong: terms.slice(right.length) };
}

function doubledTangents<S>(dx: Inputs<S>["dx"], add: (x: S, y: S) => S): Inputs<S>["dx"] {
  return dx.map((tangent) => map(tangent, (x) => add(x, x)));
}

function remainderObligation<K extends PrimitiveName>(use: Use<K>): Obligation {
  const { op, usage } = use;
  const rule: RuleOf<K> = rules[op];
  const found = remaindersOf(use, rule);
  const { algebra, symbols, differences, remainders, wrong } = found;
  const { operations: a } = algebra;
  const claims = reciprocalClaims(algebra, symbols);
  const goals = differences.map((difference, index) => ({
    holds: a.equal(difference, present(remainders[index], "a remainder")),
  }));
  const question = writeStatement(claims, goals);
  const names = question.hypotheses.map(({ name }) => name);
  return {
    id: `operators/${op}/derivative/${usage.label}`,
    statement: `f(x + h dx) − f(x) − h jvp = h² R for ${op} of ${tellUsage(usage)}, with R written out${names.length === 0 ? "" : ", where no denominator is 0"}.`,
    clause: "SEMANTICS §2, jvp",
    ...obliged(op, usage.label, question),
    mutants: [
      mutantOf(use, rule, { ...found, differences: wrong }, names, "doubles-tangent"),
      ...names.map((freed) => mutantOf(use, rule, found, names, freed)),
    ],
    metaArgument:
      "R is a polynomial in the unknowns and the reciprocals of the denominators, so it stays bounded as h goes to 0, and jvp is the derivative along dx.",
  };
}

/** Plants a wrong tangent, or frees a reciprocal; fixing tangents and `h` makes the search nearly linear. */
function mutantOf<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  { algebra, symbols, differences, remainders }: Remainders,
  hypotheses: readonly string[],
  what: string,
): ObligationMutant {
  const { operations: a } = algebra;
  const substituted = (terms: readonly ScalarTerm[]): readonly ScalarTerm[] =>
    evaluateTerms(algebra, terms, {
      scalar: (name) => {
        const number = placeOf(use, name);
        return number === undefined ? algebra.variable(name) : a.literal(number);
      },
    });
  const there = symbols.map((symbol) => ({ ...symbol, operands: substituted(symbol.operands) }));
  const isFreed = hypotheses.includes(what);
  const regular = there.flatMap(({ name, operands: [y] }): readonly Claim[] =>
    isFreed && y !== undefined ? [{ name: `not-0.${name}`, holds: a.less(a.zero, a.multiply(y, y)) }] : [],
  );
  const claims = [...reciprocalClaims(algebra, there).filter(({ name }) => name !== what), ...regular];
  const [left, right] = [substituted(differences), substituted(remainders)];
  const goals = left.map((term, index) => ({ holds: a.equal(term, present(right[index], "a remainder")) }));
  const others = there.flatMap(({ term, operands }) => [term, ...operands]);
  const question = writeStatement(claims, goals, others);
  return {
    name: isFreed ? `frees.${what}` : what,
    fault: isFreed
      ? `what stands for a reciprocal need not be one (${what})`
      : `${use.op} has twice its tangent`,
    without: hypotheses,
    instead: question.hypotheses.map(({ name, formula }) => ({ name: `given.${name}`, formula })),
    declarations: question.declarations,
    goal: question.goal,
    ask: question.names,
    execute: (model: Model) => executed(use, rule, { symbols: there, remainders }, isFreed, model),
  };
}

/** Runs the rule on a model: right, and with a doubled tangent, or with a reciprocal that is none. */
function executed<K extends PrimitiveName>(
  use: Use<K>,
  rule: RuleOf<K>,
  { symbols, remainders }: Pick<Remainders, "symbols" | "remainders">,
  isFreed: boolean,
  model: Model,
): Execution {
  const { numbers, table } = readModel(model, symbols);
  const field = present(rational.levels.field, "a field");
  const number = (name: string): Rational => numbers.get(name) ?? rationalFromNumber(placeOf(use, name) ?? 0);
  const run = (functions: FunctionTable, isDoubled: boolean): readonly Rational[] =>
    differencesOf(rule, use, tabulated(functions), inputsOf(use, number), number("h"), (dx) =>
      isDoubled ? doubledTangents(dx, field.add) : dx,
    );
  const inverses = new Map(
    symbols.map(({ name, operands }) => {
      const [denominator] = evaluateTerms(rational, operands, { scalar: number });
      return [name, field.divide(field.one, present(denominator, "a denominator"))];
    }),
  );
  const rest = evaluateTerms(rational, remainders, { scalar: (name) => inverses.get(name) ?? number(name) });
  const modelled = evaluateTerms(rational, remainders, { scalar: number });
  const good = run(new Map(), false);
  const bad = isFreed ? run(table, false) : run(new Map(), true);
  const agree = (xs: readonly Rational[], ys: readonly Rational[]): boolean =>
    xs.every((x, index) => x.denominator !== 0n && rational.isSame(x, present(ys[index], "a remainder")));
  return {
    showsFault: agree(good, rest) && !agree(bad, isFreed ? modelled : rest),
    told: `${use.op}: differences ${good.map(formatRational).join(", ")}; the wrong ones ${bad.map(formatRational).join(", ")}; h² R = ${rest.map(formatRational).join(", ")}`,
  };
}

function placeOf({ op }: Use<PrimitiveName>, name: string): number | undefined {
  if (name === "h") return 2;
  // The solver is to find the first row of a determinant.
  const entry = op === "det" ? Number(/^x0\.([0-9]+)$/.exec(name)?.[1] ?? 0) : 0;
  if (entry > 2) return entry;
  const [, operand = "", position = ""] = /^dx([0-9]+)\.([0-9]+)$/.exec(name) ?? [];
  if (position === "" || primitives[op].smoothness === "linear") return undefined;
  return Number(position) ** 2 + 3 * Number(operand) + 3;
}
