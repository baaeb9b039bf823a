import { isCompositeName, type OperatorName } from "../../spec/composites/index.ts";
import { type Case, writeOut } from "../case/index.ts";
import type { Wrong } from "../driver/index.ts";
import type { Finding, Outcome } from "../hearing/index.ts";

/** A traced wrong case has its composites expanded as far as the engine is wrong about the expansion. */
export interface Traced extends Wrong<Case, Finding> {
  /** These sentences are about the composites that were expanded, and about those that are left. */
  readonly remarks: readonly string[];
}

/** If a composite is to blame, this is said of its primitives. */
const remarks: { readonly [K in Exclude<Outcome["kind"], "differs">]: string } = {
  agrees: "Written out in primitives, the case is answered rightly.",
  undecided: "Written out in primitives, the case is undecided.",
  unsupported: "The primitives that the case is written with are not all answered for.",
  crashed: "Written out in primitives, the case gets no answer.",
};

/**
 * Follows a wrong answer down to what composites expand to: while the engine is wrong about the expanded case
 * too, that case takes its place, after `smaller`. An engine that computes composites whole may be right
 * about the primitives; then the composite stays, with a remark. `undefined` where a wrong answer did not
 * repeat in `smaller`. Ends since composites expand to earlier ones. Cost: two questions at most for each
 * step down.
 */
export async function trace(
  wrong: Wrong<Case, Finding>,
  offered: readonly OperatorName[],
  ask: (question: Case) => Promise<Outcome>,
  smaller: (wrong: Wrong<Case, Finding>) => Promise<Wrong<Case, Finding> | undefined>,
): Promise<Traced | undefined> {
  const composites = compositesOf(wrong.question);
  const said: string[] = [];
  for (const written of writings(wrong.question, offered)) {
    const outcome = await ask(written);
    if (outcome.kind === "differs") {
      const next = await smaller({ question: written, finding: outcome.finding });
      const traced = next && (await trace(next, offered, ask, smaller));
      const remark = `Found in the expansion of ${composites.join(", ")}: that was sent to the engine, and is the case shown.`;
      return traced && { ...traced, remarks: [remark, ...traced.remarks] };
    }
    said.push(remarks[outcome.kind]);
  }
  return { ...wrong, remarks: said.slice(0, 1) };
}

/**
 * Expands a case's composites to primitives; then one level down, for an engine that is wrong about an inner
 * composite only because it computes that whole.
 */
function* writings(question: Case, offered: readonly OperatorName[]): Generator<Case> {
  const composites = compositesOf(question);
  if (composites.length === 0) return;
  yield writeOut(question, () => false);
  const oneLevel = writeOut(question, (op) => offered.includes(op) && !composites.includes(op));
  if (compositesOf(oneLevel).length > 0) yield oneLevel;
}

function compositesOf({ graph }: Case): readonly OperatorName[] {
  return [...new Set<OperatorName>(graph.nodes.map(({ op }) => op).filter(isCompositeName))];
}
