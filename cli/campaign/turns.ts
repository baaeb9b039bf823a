import type { OperatorName } from "../../spec/composites/index.ts";
import { type Graph, operatorsWithin } from "../../spec/graph/index.ts";
import type { Course } from "./kind.ts";
import type { Postponing } from "./postponing.ts";

/** A question has its place here. */
interface Question {
  readonly place: number | string;
  readonly case: { readonly graph: Graph };
}

/** Lists the operators of a question, those of inner graphs included. */
export function operatorsOf({ case: { graph } }: Question): OperatorName[] {
  return [...new Set(operatorsWithin(graph))];
}

/**
 * Hands out questions in their turns: first those that need not wait, then those that do. The first `asked`
 * of them were asked by an earlier run, and are only noted.
 */
export class Turns<T, Q extends Question> implements Iterable<Q> {
  readonly #coming: Iterator<T>;
  readonly #placed: (one: T) => Q;
  readonly #postponing: Postponing;
  readonly #endings: ReadonlyMap<number | string, Course["earlier"][number]["verdict"]>;
  readonly #waiting: Q[] = [];
  /** These have waited, and are asked in any case. */
  readonly #late = new Set<Q>();
  #asked: number;

  constructor(
    all: Iterable<T>,
    placed: (one: T) => Q,
    postponing: Postponing,
    asked: number,
    course: Course | undefined,
  ) {
    this.#coming = all[Symbol.iterator]();
    this.#placed = placed;
    this.#postponing = postponing;
    this.#asked = asked;
    this.#endings = new Map(course?.earlier.map(({ case: place, verdict }) => [place, verdict]));
  }

  [Symbol.iterator](): Iterator<Q> {
    return { next: () => this.#next() };
  }

  /**
   * Lets a question wait that was handed out too early, since others were asked ahead; tells whether it does.
   */
  putOff(question: Q): boolean {
    if (this.#late.has(question) || !this.#postponing.waits(operatorsOf(question))) return false;
    this.#waiting.push(question);
    return true;
  }

  /** More may come after the last, if one of those that were handed out has to wait. */
  #next(): IteratorResult<Q> {
    for (;;) {
      const question = this.#ontime() ?? this.#waited();
      if (question === undefined) return { done: true, value: undefined };
      if (this.#asked === 0) return { done: false, value: question };
      this.#asked -= 1;
      this.#postponing.note(operatorsOf(question), this.#endings.get(question.place) ?? { kind: "agrees" });
    }
  }

  #ontime(): Q | undefined {
    for (;;) {
      const next = this.#coming.next();
      if (next.done === true) return undefined;
      const question = this.#placed(next.value);
      if (!this.putOff(question)) return question;
    }
  }

  #waited(): Q | undefined {
    const question = this.#waiting.shift();
    if (question !== undefined) this.#late.add(question);
    return question;
  }
}
