import {
  integer,
  type ScalarTerm,
  type SymbolicAlgebra,
  symbolic,
  type TermLaw,
} from "../../../reference/index.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../obligation.ts";
import {
  type Detour,
  type SparseLoop,
  sparseDifference,
  sparseDoubling,
  sparseForgetting,
  sparseOverwriting,
} from "./detour.ts";
import { modelInteger } from "./executing.ts";

/*
 * The sparse loop visits only slots that have received something, and puts a contribution itself where there was nothing. It agrees slot by slot with the dense loop, where a
 * slot without an entry is zero. The unit laws are enough; associativity is not needed, since both loops add in one order.
 */

const common = {
  clause: "SEMANTICS §4, backward",
  logic: "QF_UFLIA",
  scope: { kind: "all_graphs" },
  tier: "everyday",
  rlimit: 10_000,
} as const;

const values = `(declare-sort Val 0)
(declare-fun add (Val Val) Val)
(declare-fun pull (Val) Val)
(declare-const zero Val)`;

/** The same, of integers and their sum. */
const integers = `(define-sort Val () Int)
(define-fun add ((x Int) (y Int)) Int (+ x y))
(declare-fun pull (Int) Int)
(define-fun zero () Int 0)`;

/** What the output gives to both others, and node 1 to the input, of unknown slopes. */
function unknownDetour(a: SymbolicAlgebra): Detour<ScalarTerm> {
  const times = (name: string) => (c: ScalarTerm) => a.operations.multiply(a.variable(name), c);
  return { pull: times("u"), direct: times("v"), viaMiddle: times("w") };
}

/** The real loops over terms: with the laws they agree, with fewer laws not. */
function withoutLaw(needed: readonly TermLaw[], missing: TermLaw): Execution {
  const told = (laws: readonly TermLaw[]): string | undefined => {
    const a = symbolic(laws);
    // Node 1 receives nothing; what it makes of the dense loop's zero is zero by the law of ×.
    const { pull, direct } = unknownDetour(a);
    return sparseDifference(a, { pull, direct }, a.variable("seed"));
  };
  const [right, wrong] = [told(needed), told(needed.filter((law) => law !== missing))];
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `with ${needed.join(" and ")} ${right ?? "the loops agree"}; without ${missing} ${wrong ?? "too"}`,
  };
}

/** A wrong sparse loop and the real one, both against the real dense loop, over terms. */
function againstDense(loop: SparseLoop): Execution {
  const told = (planted?: SparseLoop): string | undefined => {
    const a = symbolic(["zero", "annihilation"]);
    return sparseDifference(a, unknownDetour(a), a.variable("seed"), planted);
  };
  const [right, wrong] = [told(), told(loop)];
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `the loop that runs: ${right ?? "agrees"}; the wrong one: ${wrong ?? "agrees"}`,
  };
}

/** The real loops over integers, node 1 giving `offset` for a zero. */
function executeOffset(model: Model): Execution {
  const [offset, slot] = [BigInt(modelInteger(model, "(pull zero)")), BigInt(modelInteger(model, "slot"))];
  const told = (given: bigint): string | undefined =>
    sparseDifference(integer, { pull: (c) => c + given, direct: (c) => c }, slot);
  const [right, wrong] = [told(0n), told(offset)];
  return {
    showsFault: right === undefined && wrong !== undefined,
    told: `vjp(0) = 0: ${right ?? "the loops agree"}; vjp(0) = ${offset}: ${wrong ?? "they agree too"}`,
  };
}

const related = (name: string, dense: string, sparse: string, has: string): Hypothesis => ({
  name,
  formula: `(= ${dense} (ite ${has} ${sparse} zero))`,
});

const contribution: Obligation = {
  ...common,
  id: "tape/sparse/contribution",
  statement:
    "Where both loops visit a node, a parent's slot holds the same in both afterwards, whether it held something before or not.",
  declarations: `${values}
(declare-const dense Val)
(declare-const sparse Val)
(declare-const isVisited Bool)
(declare-const slotDense Val)
(declare-const slotSparse Val)
(declare-const hasSlot Bool)`,
  hypotheses: [
    { name: "visited", formula: "isVisited" },
    related("related-upstream", "dense", "sparse", "isVisited"),
    related("related-slot", "slotDense", "slotSparse", "hasSlot"),
    { name: "left-unit", formula: "(= (add zero (pull sparse)) (pull sparse))" },
  ],
  goal: "(= (add slotDense (pull dense)) (ite hasSlot (add slotSparse (pull sparse)) (pull sparse)))",
  requiredCore: ["visited", "related-upstream", "related-slot", "left-unit"],
  mutants: [
    {
      name: "no-left-unit",
      fault: "zero and then something is not that",
      without: ["left-unit"],
      ask: ["hasSlot"],
      execute: () => withoutLaw(["zero", "annihilation"], "zero"),
    },
    {
      name: "other-upstream",
      fault: "the loops pull different cotangents back",
      without: ["related-upstream"],
      ask: ["hasSlot"],
      execute: () => againstDense(sparseDoubling),
    },
    {
      name: "lost-slot",
      fault: "what the slot held is lost",
      without: ["related-slot"],
      ask: ["hasSlot"],
      execute: () => againstDense(sparseOverwriting),
    },
    {
      name: "not-visited",
      fault: "the sparse loop passes over a node that has received something",
      without: ["visited"],
      ask: ["hasSlot"],
      execute: () => againstDense(sparseForgetting),
    },
  ],
  dependsOn: [],
  metaArgument: "",
};

const skipDeclarations = (carrier: string): string => `${carrier}
(declare-const dense Val)
(declare-const sparse Val)
(declare-const isVisited Bool)
(declare-const slot Val)`;

const skipped: Obligation = {
  ...common,
  id: "tape/sparse/skipped",
  statement:
    "A node that the sparse loop does not visit changes no slot in the dense loop, if its vjp gives zero for zero and adding zero is nothing.",
  declarations: skipDeclarations(values),
  hypotheses: [
    { name: "not-visited", formula: "(not isVisited)" },
    related("related-upstream", "dense", "sparse", "isVisited"),
    { name: "zero-preserving", formula: "(= (pull zero) zero)" },
    { name: "right-unit", formula: "(= (add slot zero) slot)" },
  ],
  goal: "(= (add slot (pull dense)) slot)",
  requiredCore: ["not-visited", "related-upstream", "zero-preserving", "right-unit"],
  mutants: [
    {
      name: "zero-not-preserved",
      fault: "vjp of zero is not zero",
      declarations: skipDeclarations(integers),
      without: ["zero-preserving"],
      ask: ["(pull zero)", "slot"],
      execute: executeOffset,
    },
    {
      name: "no-right-unit",
      fault: "something and then zero is not that",
      without: ["right-unit"],
      ask: ["isVisited"],
      execute: () => withoutLaw(["zero", "annihilation"], "zero"),
    },
    {
      name: "passed-over",
      fault: "the node has received something and is not visited all the same",
      without: ["related-upstream"],
      ask: ["isVisited"],
      execute: () => againstDense(sparseForgetting),
    },
    {
      name: "visited-skipped",
      fault: "a node that is visited is claimed to change nothing",
      without: ["not-visited"],
      ask: ["isVisited"],
      execute: () => againstDense(sparseForgetting),
    },
  ],
  dependsOn: ["tape/sparse/contribution"],
  metaArgument:
    "Induction over the visits, with the relation of slots as invariant: it holds of the seed (zero but at the output), tape/sparse/contribution keeps it slot by slot where both loops visit, this where one does not. Ids above the output have no entry and are zero.",
};

/** Sparse against dense, for all graphs. */
export const sparseObligations: readonly Obligation[] = [contribution, skipped];
