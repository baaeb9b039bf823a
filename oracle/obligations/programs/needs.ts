import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import { formatRational, type Rational, rational, type Tensor } from "../../../reference/index.ts";
import { rules } from "../../../reference/operators/index.ts";
import { needsOf } from "../../../spec/derivatives/index.ts";
import { type PrimitiveName, primitiveNames, primitives } from "../../../spec/operators/index.ts";
import { type Algebra, present, type Shape } from "../../../spec/shapes/index.ts";
import { graphOf } from "../derivatives/index.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import {
  functionClaims,
  type Inputs,
  inputsOf,
  primalOf,
  pullbackOf,
  purify,
  type RuleOf,
  readModel,
  reciprocalClaims,
  tabulated,
  type Use,
  usages,
  useOf,
  type ValueSymbol,
  writeStatement,
} from "../operators/index.ts";

/*
 * A tape keeps enough of a node, and nothing too much: two points that agree in it have the same cotangents,
 * and without any one part of it there are two that do not.
 */

/** An operand's cotangent reads some operands of the run, and perhaps the value. */
interface Kept<K extends PrimitiveName> {
  readonly use: Use<K>;
  readonly place: number;
  /** The rule reads `x0`, `x1` or `y` beside the cotangent. */
  readonly names: readonly string[];
}

/** States the needs of all primitives, each as an obligation whose mutants drop one. */
export function needObligations(): readonly Obligation[] {
  return primitiveNames.flatMap((op) => keptOf(op).map(needObligation));
}

function keptOf<K extends PrimitiveName>(op: K): readonly Kept<K>[] {
  const [first] = usages[op];
  if (first === undefined || first.operands.length === 0) return [];
  const operands = shapesOf(op, first.operands);
  const label = operands.map((shape) => shape.join("x") || "scalar").join("_");
  const use = useOf(op, { ...first, label, operands });
  const { nodes, environment } = graphOf(use);
  const node = present(nodes[0], "the node of a use");
  const { needs } = needsOf(node, { operands, value: use.shape }, environment);
  return needs.flatMap((need, place): Kept<K>[] => {
    const names = [...(need?.operands ?? []).map((one) => `x${one}`), ...(need?.value === true ? ["y"] : [])];
    return names.length === 0 ? [] : [{ use, place, names }];
  });
}

/** Takes scalars where the operator takes some, else the smallest matrices of which all is read. */
function shapesOf(op: PrimitiveName, given: readonly Shape[]): readonly Shape[] {
  if (op === "matmul" || op === "solve") return given.map(() => [1, 1]);
  if (op === "det") return [[2, 2]];
  return primitives[op].isElementwise === true ? given.map(() => []) : given;
}

/** These are the numbers of two points with one cotangent. */
interface Points<S> {
  readonly one: Inputs<S>;
  readonly other: Inputs<S>;
}

function pointsOf<S>(use: Use<PrimitiveName>, scalar: (name: string) => S): Points<S> {
  const isShared = (name: string): boolean => !name.startsWith("x");
  return {
    one: inputsOf(use, scalar),
    other: inputsOf(use, (name) => scalar(isShared(name) ? name : `other.${name}`)),
  };
}

/** A rule gives the cotangents of one operand at two points; what is kept is here by name. */
interface Compared<S> {
  readonly bars: readonly (readonly [S, S])[];
  readonly kept: ReadonlyMap<string, readonly (readonly [S, S])[]>;
}

function compare<K extends PrimitiveName, S, B>(
  { use, place, names }: Kept<K>,
  algebra: Algebra<S, B>,
  { one, other }: Points<S>,
): Compared<S> {
  const rule: RuleOf<K> = rules[use.op];
  const pulled = [one, other].map((inputs) => pullbackOf(rule, use, algebra, inputs)[place]);
  const named = (name: string, inputs: Inputs<S>): Tensor<S> =>
    name === "y"
      ? primalOf(rule, use, algebra, inputs)
      : present(inputs.x[Number(name.slice(1))], "an operand that is kept");
  return {
    bars: paired(present(pulled[0], "a cotangent"), present(pulled[1], "a cotangent")),
    kept: new Map(names.map((name) => [name, paired(named(name, one), named(name, other))])),
  };
}

function paired<S>(x: Tensor<S>, y: Tensor<S>): readonly (readonly [S, S])[] {
  return x.data.map((element, i) => [element, present(y.data[i], "an element of the same shape")]);
}

function needObligation<K extends PrimitiveName>(kept: Kept<K>): Obligation {
  const { use, place, names } = kept;
  const algebra = symbolic();
  const { operations: a } = algebra;
  const compared = compare(kept, algebra, pointsOf(use, algebra.variable));
  const groups = [compared.bars, ...compared.kept.values()];
  const { terms, symbols } = purify(algebra, groups.flat(2));
  const pure = [...terms];
  const equalities = groups.map((pairs) =>
    pairs.map(() => a.equal(present(pure.shift(), "a side"), present(pure.shift(), "a side"))),
  );
  const [bars = [], ...agreements] = equalities;
  const laws = [...functionClaims(algebra, symbols), ...reciprocalClaims(algebra, symbols)];
  const claims = agreements.flatMap((all, i) =>
    all.map((holds, position) => ({ name: `${nameOf(names[i])}.${position}`, holds })),
  );
  const others = symbols.flatMap(({ term, operands }) => [term, ...operands]);
  const {
    declarations,
    hypotheses,
    goal,
    names: asked,
  } = writeStatement(
    [...claims, ...laws],
    bars.map((holds) => ({ holds })),
    others,
  );
  const agreed = hypotheses.slice(0, claims.length);
  const premises = hypotheses.slice(claims.length).map(({ formula }) => formula);
  return {
    id: `programs/needs/${use.op}/${place}`,
    statement: `What ${use.op} pulls back to operand ${place} is determined by ${list([...names.map(told), "the cotangent"])}, whatever the elementary functions are; and by nothing less.`,
    clause: "SEMANTICS §10.5",
    logic: "QF_NRA",
    scope: { kind: "operator", operator: use.op, shapes: use.usage.label },
    tier: "everyday",
    declarations,
    hypotheses: agreed,
    goal: premises.length === 0 ? goal : `(=> ${premises.join(" ")} ${goal})`,
    rlimit: 9_000_000,
    requiredCore: agreed.map(({ name }) => name),
    mutants: agreed.map(({ name }) => dropped(kept, symbols, name, asked)),
    dependsOn: [],
    metaArgument:
      "The terms are what the reference's own rule computes at two points over symbols; functions are functions, and reciprocals are ones.",
  };
}

const nameOf = (name: string | undefined): string => `same.${name ?? ""}`;
const told = (name: string): string => (name === "y" ? "the value" : `operand ${name.slice(1)}`);

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Drops one thing that is kept: then two points have other cotangents, run through the reference's rule. */
function dropped<K extends PrimitiveName>(
  kept: Kept<K>,
  symbols: readonly ValueSymbol[],
  hypothesis: string,
  asked: readonly string[],
): ObligationMutant {
  return {
    name: `without.${hypothesis}`,
    fault: `${hypothesis.replace("same.", "").replace(/\.[0-9]+$/, "")} is not kept`,
    without: [hypothesis],
    ask: asked,
    execute: (model: Model) => {
      const { numbers, table } = readModel(model, symbols);
      const points = pointsOf(kept.use, (name) => numbers.get(name) ?? rational.additive.zero);
      const { bars, kept: found } = compare(kept, tabulated(table), points);
      const differing = [...found].flatMap(([name, pairs]) =>
        pairs.flatMap((pair, i) => (isSame(pair) ? [] : [`${nameOf(name)}.${i}`])),
      );
      return {
        showsFault: differing.join() === hypothesis && !bars.every(isSame),
        told: `${kept.use.op} at two points that differ in ${differing.join(", ")} alone: cotangents ${bars.map(([x, y]) => `${formatRational(x)} and ${formatRational(y)}`).join(", ")}`,
      };
    },
  };
}

function isSame([x, y]: readonly [Rational, Rational]): boolean {
  return x.denominator !== 0n && rational.isSame(x, y);
}
