import type { Engine } from "../../spec/contract/index.ts";

/** A question can be asked before its turn. */
export interface Posed<Judged> {
  /** Asks the question as it came; may be called again where an engine ended. */
  ask(): Promise<Asked<Judged>>;
  /** The question has so many numbers; 1 by default. */
  readonly numbers?: number;
}

/** A question was asked, and is judged when all before it are. */
export interface Asked<Judged> {
  /**
   * Judging it asks the engine nothing, or may ask it `more`. It was `lost` if it took too long, or if the
   * engine ended, while this answer was due or another one.
   */
  readonly needs: "nothing" | "more" | "lost" | "lost while due";
  judge(): Promise<Judged>;
}

/** Poses a question of which something else is told when it is judged. */
export function telling<Judged, Told>(
  { ask, ...posed }: Posed<Judged>,
  tell: (judged: Judged) => Told,
): Posed<Told> {
  return {
    ...posed,
    async ask() {
      const { needs, judge } = await ask();
      return { needs, judge: async () => tell(await judge()) };
    },
  };
}

/** Several questions are asked at a time within these limits. */
export interface Pace {
  /** At most so many questions are on their way to an engine that queues; {@link AHEAD} by default. */
  readonly ahead?: number;
  /** Tells if time is over: then nothing is asked again. */
  readonly isOver?: () => boolean;
}

/** A question may have to wait for others though it was asked ahead. */
interface PuttingOff<Question> {
  /**
   * Tells whether a question gives its turn up; what was asked of it is forgotten. The answer changes only
   * with a judgement of what needs more than it was asked.
   */
  putOff?(question: Question): boolean;
}

/** This many questions are on their way to an engine that queues, unless a caller says otherwise. */
const AHEAD = 16;

/** So many numbers may be on their way at once, which are some megabytes of text in each direction. */
const MOST_NUMBERS = 2 ** 18;

/** A question is on its way, or came back. */
interface OnItsWay<Judged, Question = unknown> {
  readonly question: Question;
  readonly posed: Posed<Judged>;
  /** `undefined` if it was lost, and is asked again when its turn has come. */
  asked: Promise<Asked<Judged>> | undefined;
  /** Is true if it was asked while no other question was on its way. */
  isAlone: boolean;
}

/**
 * Judges questions in their order, of which an engine that queues is asked several before the first is
 * answered; one at a time at the start, and after a loss. A question that needs more than it was asked has
 * the engine for itself. Where the engine ended while several were on their way, those without an answer are
 * asked again alone, and the one that ends it again is to blame; if none does, the one whose answer was due.
 * Law: an engine whose answers depend on the question alone gets the verdicts of `ahead` 1, in their order.
 * Cost: what is lost is asked twice.
 */
export async function* judgedAhead<Question, Judged>(
  engine: Engine,
  questions: Iterable<Question>,
  pose: (question: Question) => Posed<Judged>,
  { ahead = AHEAD, isOver = () => false, putOff }: Pace & PuttingOff<Question> = {},
): AsyncGenerator<Judged> {
  const limit = engine.queues === true ? ahead : 1;
  const coming = questions[Symbol.iterator]();
  const onTheirWay: OnItsWay<Judged, Question>[] = [];
  let most = 1;
  let numbers = 0;
  try {
    for (;;) {
      while (onTheirWay.length < most && (onTheirWay.length === 0 || numbers < MOST_NUMBERS)) {
        const next = coming.next();
        if (next.done === true) break;
        const posed = pose(next.value);
        const asked = posed.ask();
        // What throws is thrown in its turn, and is no unhandled rejection until then.
        asked.catch(() => {});
        onTheirWay.push({ question: next.value, posed, asked, isAlone: most === 1 });
        numbers += posed.numbers ?? 1;
      }
      const [first] = onTheirWay;
      if (first === undefined) return;
      if (putOff?.(first.question) === true) {
        onTheirWay.shift();
        numbers -= first.posed.numbers ?? 1;
        continue;
      }
      let asked = await (first.asked ?? askedAlone(first));
      if (asked.needs !== "nothing") await backHome(onTheirWay);
      if (isLost(asked) && !first.isAlone && !isOver()) asked = await askedAgain(engine, onTheirWay, asked);
      onTheirWay.shift();
      numbers -= first.posed.numbers ?? 1;
      most = isLost(asked) ? 1 : Math.min(2 * most, limit);
      yield await asked.judge();
    }
  } finally {
    // Whoever asks the engine next finds it at rest.
    await backHome(onTheirWay);
  }
}

/** Waits until all questions on their way have come back. */
async function backHome(onTheirWay: readonly OnItsWay<unknown>[]): Promise<void> {
  await Promise.allSettled(onTheirWay.map(({ asked }) => asked));
}

/**
 * Asks those that were lost again, one at a time and the first first, until one is lost again, which settles
 * who is to blame. Those behind it wait for their turn. Returns what became of the first.
 */
async function askedAgain<Judged>(
  engine: Engine,
  onTheirWay: readonly OnItsWay<Judged>[],
  first: Asked<Judged>,
): Promise<Asked<Judged>> {
  // Who ends it again is charged with it then.
  engine.forgive?.();
  const lost: { readonly one: OnItsWay<Judged>; readonly before: Asked<Judged> }[] = [];
  for (const one of onTheirWay) {
    const before = one.isAlone ? undefined : await one.asked;
    if (before !== undefined && isLost(before)) lost.push({ one, before });
  }
  for (const { one } of lost) one.asked = undefined;
  for (const { one } of lost) {
    if (isLost(await askedAlone(one))) return (await onTheirWay[0]?.asked) ?? first;
  }
  const due = lost.find(({ before }) => before.needs === "lost while due") ?? lost[0];
  if (due !== undefined) due.one.asked = Promise.resolve(due.before);
  return (await onTheirWay[0]?.asked) ?? first;
}

/** Asks a question while no other is on its way. */
function askedAlone<Judged>(one: OnItsWay<Judged>): Promise<Asked<Judged>> {
  one.isAlone = true;
  one.asked = one.posed.ask();
  return one.asked;
}

function isLost({ needs }: Asked<unknown>): boolean {
  return needs === "lost" || needs === "lost while due";
}
