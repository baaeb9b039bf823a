import { isOfNoNode, type Witness } from "../../oracle/hearing/index.ts";
import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";
import { type Mode, parseFloat64 } from "../../spec/wire/index.ts";
import { finiteNumber } from "./show.ts";

/** A rule is why an answer is wrong, and where that is told. */
export interface Rule {
  readonly name: RuleName;
  /** A sentence without its full stop. */
  readonly why: string;
  /** The section of a document that has the rule: `docs/truth.md#the-standard`. */
  readonly link: string;
}

/** The rules, from what nobody disputes to what one may dispute until one has read why. */
const names = [
  "exact",
  "bound",
  "protocol",
  "tape",
  "law",
  "ieee",
  "unchosen",
  "convention",
  "singular",
] as const;

export type RuleName = (typeof names)[number];

/** Why each rule accuses, and where it is told. */
export const rules: Readonly<Record<RuleName, Omit<Rule, "name">>> = {
  exact: {
    why: "every number here is exact, so one answer is right",
    link: "docs/truth.md#the-centre",
  },
  bound: {
    why: "no way of computing it in this precision errs by more",
    link: "docs/truth.md#the-value-with-a-bound",
  },
  protocol: {
    why: "an answer has one tensor of its shape for each id asked for, and what was handed in stays as it was",
    link: "docs/protocol.md#requests-and-replies",
  },
  tape: {
    why: "a tape is swept, held and refused as its manners say",
    link: "docs/tapes.md#manners",
  },
  law: {
    why: "the answers contradict each other, whatever is true",
    link: "docs/truth.md#laws-without-a-truth",
  },
  ieee: {
    why: "IEEE 754 fixes the result of NaN, infinities and zeros",
    link: "docs/truth.md#where-there-is-no-bound",
  },
  unchosen: {
    why: "what a choice leaves out contributes nothing, whatever arrives: it is no product with 0",
    link: "docs/truth.md#downstream-of-a-singular-point",
  },
  convention: {
    why: "at a tie or a kink the reference's choice holds, unless the engine declares another",
    link: "docs/truth.md#declared-conventions",
  },
  singular: {
    why: "at this point only a convention decides, and no published one has this answer",
    link: "docs/truth.md#where-there-is-no-bound",
  },
};

/** Tells how open to dispute a rule is: the lower, the less. */
export function rankOf(name: RuleName): number {
  return names.indexOf(name);
}

const modes: readonly Witness["question"][] = [
  "evaluate",
  "jvp",
  "vjp",
  "backward_dense",
] satisfies readonly Mode[];

/** The operators that choose among their operands. */
const choosers: ReadonlySet<string> = new Set([
  "maximum",
  "relu",
  "where",
  "minimum",
  "clip",
  "max",
  "min",
  "max_pool",
  "sort",
]);

/** This much of a witness, or of its form in a report, tells its rule. */
interface Ruled extends Pick<Witness, "question" | "answer" | "expected" | "bound"> {
  readonly blame: { readonly sentence: string };
  readonly case: { readonly graph: Graph };
  readonly script?: object;
}

/** Returns the rule by which the answer of a witness is wrong. */
export function ruleOf(witness: Ruled): Rule {
  const name = nameOf(witness);
  return { name, ...rules[name] };
}

function nameOf({ script, question, answer, expected, bound, blame, case: { graph } }: Ruled): RuleName {
  if (script !== undefined) return "tape";
  if (isOfNoNode({ answer, expected })) return "protocol";
  if (/^(nothing$|a tensor of shape )/.test(answer)) return "protocol";
  if (!modes.includes(question)) return "law";
  if (blame.sentence.includes("It is right for an engine that declares")) return "convention";
  const [given, right] = [finiteNumber(answer), finiteNumber(expected)];
  const isZero = right?.numerator === 0n;
  const areZeros = given?.numerator === 0n && isZero;
  if (given !== undefined && right !== undefined && !areZeros)
    return parseFloat64(bound) === 0 ? "exact" : "bound";
  if (question === "evaluate") return "ieee";
  const isChoice = operatorsWithin(graph).some((op) => choosers.has(op));
  return isZero && isChoice ? "unchosen" : "singular";
}
