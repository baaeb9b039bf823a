import { Random } from "fast-check";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { leanFile } from "../index.ts";
import type { LeanChecker } from "./checker.ts";
import { positRuns, wrongPositRuns } from "./posit_traces.ts";
import type { SuiteTrace } from "./suite_traces.ts";
import { type Expectation, type Tally, tally } from "./tally.ts";
import { randomTraces, wrongTraces } from "./traces.ts";

/** A campaign checks these traces. */
export interface CampaignOptions {
  /** So many of the vectors' traces are checked; all if it is left out. */
  readonly sample?: number;
  /** So many random traces are checked, right and wrong ones. */
  readonly campaign: number;
  readonly seed: number;
}

/** One part of a campaign: what Lean was asked, how often, and what came of it. */
export interface CampaignPart {
  readonly what: string;
  readonly asked: number;
  readonly tally: Tally;
}

/** Lean checks the traces of vectors and random ones, part by part. `log` hears of progress. */
export async function* checkTraces(
  traces: readonly SuiteTrace[],
  options: CampaignOptions,
  checker: LeanChecker,
  log: (line: string) => void,
): AsyncGenerator<CampaignPart, void> {
  const { campaign, seed } = options;
  const parts = [
    ["traces of vectors", chosen(traces, options)],
    ["random traces", randomTraces(seed, campaign)],
    ["traces with one number changed", wrongTraces(seed, campaign)],
    ["runs over posits with a quire", positRuns(seed, campaign)],
    ["runs over posits with one code changed", wrongPositRuns(seed, campaign)],
  ] as const;
  for (const [what, expectations] of parts) {
    if (expectations.length === 0) continue;
    const result = await tally(checker, expectations, (line) => log(`${what}: ${line}`));
    yield { what, asked: expectations.length, tally: result };
  }
}

/** Returns the traces, or as many of them as are asked for: which, the seed determines. */
function chosen(traces: readonly SuiteTrace[], { sample, seed }: CampaignOptions): Expectation[] {
  const expectations = traces.flatMap((trace): Expectation[] => {
    if (trace.kind !== "trace") return [];
    const isExpected: Expectation["isExpected"] = ({ kind }) => kind === "accepted";
    const name = `${trace.file} over ${trace.algebra}`;
    return [{ file: { name, text: leanFile(trace.trace).text }, isExpected }];
  });
  const random = new Random(xoroshiro128plus(seed));
  while (expectations.length > (sample ?? expectations.length))
    expectations.splice(random.nextInt(0, expectations.length - 1), 1);
  return expectations;
}
