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
import { addTo, newTally, type Tally } from "./tally.ts";

/** What is asked: the cases from index `first` on. Each is a function of its index, so that an offset resumes the run. */
export interface AlarmOrders {
  readonly dtype: DataType;
  readonly profile: Drawing;
  readonly seed: number;
  /** The first case. */
  readonly first: number;
  /** Ends after the case with which so many numbers have been judged. */
  readonly components: number;
  /** Ends earlier after so many cases. */
  readonly cases: number;
  /** The laws are checked on every n-th case; 0 for none. */
  readonly lawsEvery: number;
}

/** A case with numbers outside their bounds, or with broken laws. */
export interface Alarm {
  readonly index: number;
  readonly profile: string;
  readonly case: Case;
  readonly findings: readonly Finding[];
}

/** What came of a run. */
export interface AlarmRun {
  readonly tally: Tally;
  readonly judged: number;
  readonly cases: number;
  readonly alarms: readonly Alarm[];
  /** Cases without an answer, by what the engine said. */
  readonly unanswered: ReadonlyMap<string, number>;
  /** The offset with which a run goes on where this one ended. */
  readonly next: number;
}

/**
 * Surveys random cases until enough numbers were judged. A function of the orders and of what the engine answers;
 * `onCase` hears of each case and may end the run by returning `false`.
 */
export async function searchAlarms(
  engine: Engine,
  orders: AlarmOrders,
  onCase: (cases: number, judged: number) => boolean = () => true,
): Promise<AlarmRun> {
  const { dtype, seed, first, components, lawsEvery } = orders;
  const { operators } = engine.describe();
  const tally = newTally();
  const alarms: Alarm[] = [];
  const unanswered = new Map<string, number>();
  let [judged, cases] = [0, 0];
  while (judged < components && cases < orders.cases) {
    const index = first + cases;
    const profile = profileIn(orders.profile, index).name;
    const question = drawnAt(orders.profile, operators, seed, index);
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
