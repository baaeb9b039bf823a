import { hasHung, isBreakdown, type Told } from "../../oracle/judge/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import type { Graph } from "../../spec/graph/index.ts";

/** An operator that broke an engine so often is asked last. */
const MOST_BREAKDOWNS = 3;

/** A question ended so; a breakdown has the part of the question that is told of it. */
export interface Ending extends Told {
  readonly case?: { readonly graph: Graph };
}

/** What is known of an operator: how often the engine survived it, and broke down over it. */
interface Known {
  survived: number;
  broken: number;
}

/**
 * Finds the operators that an engine breaks down over, so that their questions can wait until all others
 * were asked: a new process, and even more an answer that never comes, cost the time of many questions. A
 * breakdown is charged to the node that broke the engine alone; else to operators that are known to break
 * it, or that it has never survived, or to all. An operator is postponed after three, unless the engine
 * survives it mostly; after one if the engine hung and has never survived it. The result depends on
 * operators and verdicts alone.
 */
export class Postponing {
  readonly #records = new Map<OperatorName, Known>();
  readonly #culprits = new Set<OperatorName>();
  readonly #postponed = new Set<OperatorName>();

  /** Tells whether a question of these operators waits. */
  waits(operators: readonly OperatorName[]): boolean {
    return operators.some((op) => this.#postponed.has(op));
  }

  /** Notes how a question of these operators ended; returns the operators that wait from now on. */
  note(operators: readonly OperatorName[], ending: Ending): readonly OperatorName[] {
    if (isBreakdown(ending)) return this.#breakdown(operators, ending);
    // An engine that is not started again was not asked.
    if (ending.message?.startsWith("gave up") !== true)
      for (const op of operators) this.#recordOf(op).survived += 1;
    return [];
  }

  #breakdown(
    operators: readonly OperatorName[],
    { message = "", case: shown }: Ending,
  ): readonly OperatorName[] {
    const [alone, ...others] = shown?.graph.nodes ?? [];
    if (alone !== undefined && others.length === 0 && operators.includes(alone.op)) {
      this.#culprits.add(alone.op);
      // It was asked twice, in company and alone.
      if (operators.length > 1) this.#recordOf(alone.op).broken += 1;
    }
    const isHung = hasHung(message);
    const suspects = this.#suspects(operators);
    for (const op of suspects) this.#recordOf(op).broken += 1;
    const news = suspects.filter((op) => {
      const { survived, broken } = this.#recordOf(op);
      const isEnough = broken >= MOST_BREAKDOWNS && broken > survived / 2;
      return !this.#postponed.has(op) && (isEnough || (isHung && survived === 0));
    });
    for (const op of news) this.#postponed.add(op);
    return news;
  }

  #suspects(operators: readonly OperatorName[]): readonly OperatorName[] {
    const culprits = operators.filter((op) => this.#culprits.has(op));
    if (culprits.length > 0) return culprits;
    const unsurvived = operators.filter((op) => this.#recordOf(op).survived === 0);
    return unsurvived.length > 0 ? unsurvived : operators;
  }

  #recordOf(op: OperatorName): Known {
    const known = this.#records.get(op) ?? { survived: 0, broken: 0 };
    this.#records.set(op, known);
    return known;
  }
}
