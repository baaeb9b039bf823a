import type { DataType, Engine } from "../../engines/index.ts";
import {
  laws as allLaws,
  type Case,
  type Drawing,
  drawnAt,
  type Finding,
  profileIn,
  survey,
} from "../../oracle/index.ts";
import { withCotangents } from "../power/cotangents.ts";
import { addTo, newTally, type Tally } from "./tally.ts";

/** A run asks the cases from `first` on. Each depends on its index alone, so an offset resumes the run. */
export interface AlarmOrders {
  readonly dtype: DataType;
  readonly profile: Drawing;
  readonly seed: number;
  readonly first: number;
  /** The run ends with the case at which this many numbers have been judged. */
  readonly components: number;
  /** The run ends after this many cases at the latest. */
  readonly cases: number;
  /** Laws are checked on every n-th case; 0 means none. */
  readonly lawsEvery: number;
  /** Every n-th case pulls back ones, which some engines fold into their formulas; none by default. */
  readonly onesEvery?: number;
}

/** An alarm is a case with numbers outside their bounds, or with broken laws. */
export interface Alarm {
  readonly index: number;
  readonly profile: string;
  readonly case: Case;
  readonly findings: readonly Finding[];
}

/** A run has these results. */
export interface AlarmRun {
  readonly tally: Tally;
  readonly judged: number;
  readonly cases: number;
  readonly alarms: readonly Alarm[];
  /** Cases without an answer are counted by what the engine said. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** A run with this offset goes on where this one ended. */
  readonly next: number;
}

/**
 * Surveys random cases until enough numbers are judged. The result depends on the orders and the engine's
 * answers alone. `onCase` is told of each case and may end the run by returning `false`.
 */
export async function searchAlarms(
  engine: Engine,
  orders: AlarmOrders,
  onCase: (cases: number, judged: number) => boolean = () => true,
): Promise<AlarmRun> {
  const { dtype, seed, first, components, lawsEvery, onesEvery = 0 } = orders;
  const description = engine.describe();
  const tally = newTally();
  const alarms: Alarm[] = [];
  const unanswered = new Map<string, number>();
  let [judged, cases] = [0, 0];
  while (judged < components && cases < orders.cases) {
    const index = first + cases;
    const profile = profileIn(orders.profile, index).name;
    const isOnes = onesEvery > 0 && index % onesEvery === 0;
    const drawn = drawnAt(orders.profile, description.operators, seed, index, description);
    const question = withCotangents(drawn, isOnes ? "ones" : "generic");
    const laws = lawsEvery > 0 && index % lawsEvery === 0 ? allLaws : [];
    const result = await survey(engine, question, dtype, laws);
    cases += 1;
    if (result.kind === "surveyed") {
      addTo(tally, profile, result.numbers);
      judged += result.numbers.filter(
        ({ judgement }) => judgement === "within" || judgement === "outside",
      ).length;
      if (result.outside.length > 0)
        alarms.push({ index, profile, case: question, findings: result.outside });
    } else {
      const why = result.kind === "crashed" ? `crashed: ${result.message}` : `unsupported: ${result.reason}`;
      unanswered.set(why, (unanswered.get(why) ?? 0) + 1);
    }
    if (!onCase(cases, judged)) break;
  }
  return { tally, judged, cases, alarms, unanswered, next: first + cases };
}
