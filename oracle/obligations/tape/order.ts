import { backwardDenseFrom, type Tape, type Tensor } from "../../../reference/index.ts";
import { type Additive, ok, present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";
import { modelInteger } from "./executing.ts";

/** Makes integers with a sum of one's own; `detach` and zero are right. */
const additive = (add: (x: bigint, y: bigint) => bigint): Additive<bigint> => ({
  zero: 0n,
  add,
  detach: (x) => x,
});

const clamped = (x: bigint): bigint => (x > 7n ? 7n : x < -8n ? -8n : x);

/** Makes a tape of a leaf, and a node that gives it two contributions in this order. */
function twice(contributions: readonly bigint[]): Tape<bigint> {
  const scalar = (x: bigint): Tensor<bigint> => ({ shape: [], data: [x] });
  const given = contributions.map((x) => ({ parent: 0, cotangent: scalar(x) }));
  const node = { value: scalar(0n), requiresGrad: true };
  return [
    { ...node, name: "leaf", parents: [], backward: () => ok([]) },
    { ...node, name: "twice", parents: [0], backward: () => ok(given) },
  ];
}

/** Runs the real dense loop with the contributions in both orders, over integers and over the wrong sum. */
function executeOrder(model: Model, wrong: (x: bigint, y: bigint) => bigint): Execution {
  const [slot = 0n, x = 0n, y = 0n] = ["slot", "x", "y"].map((name) => BigInt(modelInteger(model, name)));
  const run = (a: Additive<bigint>, contributions: readonly bigint[]): bigint | undefined => {
    const seed = [slot, 0n].map((value) => ({ shape: [], data: [value] }));
    const grads = backwardDenseFrom(a, twice(contributions), seed);
    return grads.ok ? present(grads.value[0]?.data[0], "a scalar") : undefined;
  };
  const ways = (a: Additive<bigint>) => [run(a, [x, y]), run(a, [y, x])] as const;
  const [right, planted] = [ways(additive((p, q) => p + q)), ways(additive(wrong))];
  return {
    showsFault: right[0] !== undefined && right[0] === right[1] && planted[0] !== planted[1],
    told: `${slot}, then ${x} and ${y} either way round: of integers ${right.join(", ")}; of the other sum ${planted.join(", ")}`,
  };
}

const unknowns = `(declare-const slot Val)
(declare-const x Val)
(declare-const y Val)
(declare-const i Int)
(declare-const p Int)
(declare-const q Int)
(define-fun plus ((held Val) (here Bool) (given Val)) Val (ite here (add held given) held))`;

const instance = (sum: string): string => `(define-sort Val () Int)
(define-fun add ((x Int) (y Int)) Int ${sum})
${unknowns}`;

/** Two contributions, to one slot or two, may come in any order, at any slot `i`. */
const swap: Obligation = {
  id: "tape/order/swap",
  statement:
    "In a commutative monoid two contributions that follow one another may change places: every slot holds the same.",
  clause: "SEMANTICS §7",
  logic: "QF_UFLIA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  rlimit: 10_000,
  declarations: `(declare-sort Val 0)
(declare-fun add (Val Val) Val)
${unknowns}`,
  hypotheses: [
    {
      name: "associative",
      formula:
        "(and (= (add (add slot x) y) (add slot (add x y))) (= (add (add slot y) x) (add slot (add y x))))",
    },
    { name: "commutative", formula: "(= (add x y) (add y x))" },
  ],
  goal: "(= (plus (plus slot (= i p) x) (= i q) y) (plus (plus slot (= i q) y) (= i p) x))",
  requiredCore: ["associative", "commutative"],
  mutants: [
    {
      name: "last-wins",
      fault: "the sum is its second operand: associative, not commutative",
      declarations: instance("y"),
      without: ["commutative"],
      ask: ["slot", "x", "y"],
      execute: (model) => executeOrder(model, (_x, y) => y),
    },
    {
      name: "saturating",
      fault: "the sum is held between −8 and 7: commutative, not associative",
      declarations: instance("(ite (> (+ x y) 7) 7 (ite (< (+ x y) (- 8)) (- 8) (+ x y)))"),
      without: ["associative"],
      instead: [{ name: "carrier", formula: "(and (<= (- 8) slot 7) (<= (- 8) x 7) (<= (- 8) y 7))" }],
      ask: ["slot", "x", "y"],
      execute: (model) => executeOrder(model, (x, y) => clamped(x + y)),
    },
  ],
  dependsOn: ["tape/step"],
  metaArgument:
    "Every order of a finite list of contributions is reached from every other by changing places of neighbours. Contributions keep their values, since a node's upstream is complete before it is visited in every order that visits consumers first.",
};

/** These allow any order of accumulation, in a commutative monoid. */
export const orderObligations: readonly Obligation[] = [swap];
