import type { Along, Engine, LoadedGraph } from "../../spec/contract/index.ts";
import { nodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { Case } from "../case/index.ts";
import { type Ended, inFlight, type JudgingOptions, judgeBy, type Kind } from "../driver/index.ts";
import { shrink } from "../shrink/index.ts";
import { asked, componentsOf, givenDirections } from "./along.ts";
import { type Alarms, judgeDrawn } from "./drawn.ts";
import {
  type EstimateFault,
  type EstimateOptions,
  type EstimateVerdict,
  verdictOf,
  without,
} from "./verdict.ts";

/** All laws together led to this; a case that is too large or takes too long is asked none. */
export type CaseEstimates =
  | {
      readonly kind: "agrees" | "undecided" | "unsupported" | "crashed";
      readonly laws: readonly EstimateVerdict[];
    }
  /** `case` is the smallest found with a wrong estimate. */
  | { readonly kind: "disagrees"; readonly laws: readonly EstimateVerdict[]; readonly case: Case };

/** These options say how the estimates of a case are judged. */
export type JudgeEstimatesOptions = EstimateOptions & JudgingOptions<CaseEstimates>;

/**
 * Judges an engine's forward gradients of a case, law by law. Along given directions, every number is held to
 * the bound of the graph that computes the estimate. Along directions that the engine draws, the means of
 * estimates and of their squares over many seeds are held to the exact means, and the directions that they
 * tell to their law, by tests whose rates of false alarms add up to `alarm`. Never rejects for what an engine
 * does.
 */
export async function judgeEstimates(
  engine: Engine,
  question: Case,
  options: EstimateOptions,
): Promise<readonly EstimateVerdict[]> {
  const laws = engine.estimates ?? [];
  const loaded = await engine.load(question.graph, options.dtype);
  if (loaded.kind !== "result") return laws.map((law) => without(law, loaded));
  const verdicts: EstimateVerdict[] = [];
  for (const law of laws)
    verdicts.push(
      law === "given"
        ? await judgeGiven(engine, loaded.value, question, options)
        : await judgeDrawn(engine, loaded.value, question, law, options, alarmsOf(question, laws, options)),
    );
  await loaded.value.unload();
  return verdicts;
}

/** Gives {@link judgeEstimates} as one verdict; if a law disagrees, on the smallest case found that does. */
export async function judgeCaseEstimates(
  engine: Engine,
  question: Case,
  options: JudgeEstimatesOptions,
): Promise<CaseEstimates | Ended> {
  return judgeBy(estimates, engine, question, options);
}

/** This kind of question asks for estimates of the gradients of cases. */
const estimates: Kind<Case, readonly EstimateVerdict[], CaseEstimates, JudgeEstimatesOptions> = {
  // Each costs thousands of estimates.
  shrinkBudget: 40,
  graphsOf: ({ graph }) => [graph],
  async ask(engine, question, options) {
    const laws = await judgeEstimates(engine, question, options);
    const has = (kind: EstimateVerdict["kind"]): boolean => laws.some((verdict) => verdict.kind === kind);
    if (has("disagrees")) return { finding: laws };
    if (has("failed")) return { verdict: { kind: "crashed", laws } };
    // Every law was promised, so a case agrees only where each does.
    if (has("unsupported") || laws.length === 0) return { verdict: { kind: "unsupported", laws } };
    return { verdict: { kind: has("undecided") ? "undecided" : "agrees", laws } };
  },
  shrink,
  blame: async (_, { question, finding }) => ({ kind: "disagrees", laws: finding, case: question }),
  blameHastily: ({ question, finding }) => ({ kind: "disagrees", laws: finding, case: question }),
};

/** Gives half of the alarm to laws, half to means: two for each number of the gradient and each law. */
function alarmsOf({ graph }: Case, laws: readonly Along["law"][], { alarm }: EstimateOptions): Alarms {
  const numbers = graph.inputs.reduce((sum, { shape }) => sum + sizeOf(shape), 0);
  const law = alarm / (2 * Math.max(laws.filter((one) => one !== "given").length, 1));
  return { law, mean: law / (2 * Math.max(numbers, 1)) };
}

async function judgeGiven(
  engine: Engine,
  program: LoadedGraph,
  question: Case,
  options: EstimateOptions,
): Promise<EstimateVerdict> {
  const law = "given";
  const faults: EstimateFault[] = [];
  let [compared, undecided] = [0, 0];
  const directions = givenDirections(question, options);
  const replies = inFlight(engine, directions, (tangents) => asked(program, question, { law, tangents }));
  for await (const [tangents, reply] of replies) {
    if (reply.kind !== "result") return without(law, reply);
    const truth = componentsOf(engine, question, tangents, options.dtype);
    for (const [input, components] of truth.entries())
      for (const [element, component] of components.entries()) {
        const found = reply.value[input]?.data[element] ?? Number.NaN;
        const judgement = component.judge(found);
        compared += 1;
        if (judgement === "undecided") undecided += 1;
        if (judgement === "outside")
          faults.push({
            input: nodeId(input),
            element,
            of: "the estimate along a given direction",
            found,
            expected: component.allowed,
            within: component.bound,
          });
      }
  }
  return verdictOf(law, compared, undecided, faults);
}
