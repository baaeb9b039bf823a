import { integer } from "../../../reference/index.ts";
import type { Execution, Hypothesis, Model, Obligation } from "../obligation.ts";
import { sparseDifference } from "./detour.ts";
import { modelInteger } from "./executing.ts";
import { askedOfContribution, askedOfSkipped, executeContribution, executeSkipped } from "./sparse_steps.ts";

/*
 * The sparse loop visits only slots that have received something, and stores a contribution itself where
 * there was nothing. It agrees slot by slot with the dense loop, where a slot without an entry is zero. Unit
 * laws are enough; associativity is not needed, since both loops add in one order.
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

/** These are the same for integers and their sum. */
const integers = `(define-sort Val () Int)
(define-fun add ((x Int) (y Int)) Int (+ x y))
(declare-fun pull (Int) Int)
(define-fun zero () Int 0)`;

/** Runs the real loops over integers, where node 1 gives `offset` for a zero. */
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
      ask: askedOfContribution,
      execute: executeContribution,
    },
    {
      name: "other-upstream",
      fault: "the loops pull different cotangents back",
      without: ["related-upstream"],
      ask: askedOfContribution,
      execute: executeContribution,
    },
    {
      name: "lost-slot",
      fault: "what the slot held is lost",
      without: ["related-slot"],
      ask: askedOfContribution,
      execute: executeContribution,
    },
    {
      name: "not-visited",
      fault: "the sparse loop hands on something for a node for which it holds nothing",
      without: ["visited"],
      ask: askedOfContribution,
      execute: executeContribution,
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
      ask: askedOfSkipped,
      execute: executeSkipped,
    },
    {
      name: "passed-over",
      fault: "the node has received something and is not visited all the same",
      without: ["related-upstream"],
      ask: askedOfSkipped,
      execute: executeSkipped,
    },
    {
      name: "visited-skipped",
      fault: "a node that is visited is claimed to change nothing",
      without: ["not-visited"],
      ask: askedOfSkipped,
      execute: executeSkipped,
    },
  ],
  dependsOn: ["tape/sparse/contribution"],
  metaArgument:
    "Induction over the visits, with the relation of slots as invariant: it holds of the seed (zero but at the output), tape/sparse/contribution keeps it slot by slot where both loops visit, this where one does not. Ids above the output have no entry and are zero.",
};

/** These compare sparse and dense, for all graphs. */
export const sparseObligations: readonly Obligation[] = [contribution, skipped];
